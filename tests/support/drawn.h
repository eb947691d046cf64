/* A contest for fuzzers: two judges, Entries and confederates. The sides are drawn, and the first
 * round has begun. */
#ifndef SUPPORT_DRAWN_H
#define SUPPORT_DRAWN_H

#include "contest/contest.h"
#include "contest/store.h"

#include <jansson.h>

#define DRAWN_US INT64_C(1790000000000000) /* of its acts: in 2026, behind the days of all rules */

/* Under the rules of that name. What cannot be aborts. */
struct contest *drawn_make(const char *ruleset);

/* Appends an act to a contest's file, and lets it count. Takes over `body`. A fault aborts. */
void drawn_append(struct store *store, struct contest *contest, const char *kind, json_t *body);

/* One judge, Entry and confederate under the rules of this text: drawn by a seed of this first
 * byte, the round begun, without a ballot. */
void drawn_hold(struct store *store, struct contest *contest, const char *rules, uint8_t first);

#endif
