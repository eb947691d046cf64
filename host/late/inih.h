/* inih, loaded late. */
#ifndef LATE_INIH_H
#define LATE_INIH_H

#include "late/late.h"

#include <ini.h>

/* clang-format off */
#define LATE_INIH(_) \
    _(ini_, parse_stream)
/* clang-format on */

extern struct late_inih {
    LATE_INIH(LATE_MEMBER)
} late_inih;

#endif
