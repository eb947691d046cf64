/* What is published of a contest, so that a stranger can recompute it: every act with its hash, and
 * what follows from them. boothlink-contest(5), "What is published", describes it. Pure. */
#ifndef CONTEST_RECORD_JSON_H
#define CONTEST_RECORD_JSON_H

#include "contest/contest.h"

#include <jansson.h>

/* The caller's; NULL: no memory. `acts` is a list of record_act(), whose reference is taken. The
 * contest must be sealed: seeds and sides are in it. */
json_t *record_json(const struct contest *contest, json_t *acts);

/* The draws that were made, with the numbers of their acts (commitment, schedule, seed), keys, the
 * rounds for which they count, and what they prove. */
json_t *record_draws(const struct contest *contest);

/* One act, with its body as the text that is hashed. Names of families and teams, ages, and phrases
 * that are not to be published are taken out of it, which it says. */
json_t *record_act(const struct act *act);

#endif
