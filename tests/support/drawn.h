/* A contest for fuzzers: two judges, Entries and confederates. The sides are drawn, and the first
 * round has begun. */
#ifndef SUPPORT_DRAWN_H
#define SUPPORT_DRAWN_H

#include "contest/contest.h"

#define DRAWN_US INT64_C(1790000000000000) /* of its acts: in 2026, behind the days of all rules */

/* Under the rules of that name. What cannot be aborts. */
struct contest *drawn_make(const char *ruleset);

#endif
