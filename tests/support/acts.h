/* A contest for tests, made of acts: what is taken, and what is refused in which words. */
#ifndef SUPPORT_ACTS_H
#define SUPPORT_ACTS_H

#include "contest/contest.h"

extern struct contest *contest;
extern struct bl_diag diag; /* of the last act */
extern int64_t number;      /* of the last act */
extern int64_t acts_now_us; /* of the next one; of 2026 unless a test sets it */

/* Begins a new contest under the rules of that name. */
void begin(const char *ruleset);

/* The same, with `to` in the place of the first `from` of the rules: a venue's own. */
void begin_with(const char *ruleset, const char *from, const char *to);

/* Registers so many of each, with all that any of the rules want. */
void people(unsigned judges, unsigned entries, unsigned confederates);

/* The next act, with a body of that format. */
enum bl_status apply(const char *kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define TAKEN(...)                                                                                 \
    do {                                                                                           \
        if (apply(__VA_ARGS__))                                                                    \
            fail_msg("refused: %s", diag.text);                                                    \
    } while (0)
#define REFUSED(said, ...)                                                                         \
    do {                                                                                           \
        assert_int_equal(apply(__VA_ARGS__), BL_DATA);                                             \
        if (!strstr(diag.text, said))                                                              \
            fail_msg("'%s' does not say '%s'", diag.text, said);                                   \
    } while (0)

#endif
