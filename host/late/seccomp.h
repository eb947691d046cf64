/* libseccomp, loaded late. */
#ifndef LATE_SECCOMP_H
#define LATE_SECCOMP_H

#include "late/late.h"

#include <seccomp.h>

/* clang-format off */
#define LATE_SECCOMP(_) \
    _(seccomp_, arch_add) \
    _(seccomp_, arch_native) \
    _(seccomp_, init) \
    _(seccomp_, load) \
    _(seccomp_, release) \
    _(seccomp_, rule_add) \
    _(seccomp_, version)
/* clang-format on */

extern struct late_seccomp {
    LATE_SECCOMP(LATE_MEMBER)
} late_seccomp;

#endif
