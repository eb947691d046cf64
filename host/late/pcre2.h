/* PCRE2 with 32 bits per character, loaded late. */
#ifndef LATE_PCRE2_H
#define LATE_PCRE2_H

#include "late/late.h"

#define PCRE2_CODE_UNIT_WIDTH 32
#include <pcre2.h>

/* clang-format off */
#define LATE_PCRE2(_) \
    _(pcre2_, code_free_32) \
    _(pcre2_, compile_32) \
    _(pcre2_, dfa_match_32) \
    _(pcre2_, get_error_message_32) \
    _(pcre2_, get_ovector_pointer_32) \
    _(pcre2_, match_data_create_32) \
    _(pcre2_, match_data_free_32) \
    _(pcre2_, pattern_info_32)
/* clang-format on */

extern struct late_pcre2 {
    LATE_PCRE2(LATE_MEMBER)
} late_pcre2;

#endif
