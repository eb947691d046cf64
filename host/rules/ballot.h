/* Checks ballots and ranks against the rules and the schedule. Pure. */
#ifndef RULES_BALLOT_H
#define RULES_BALLOT_H

#include "rules/ruleset.h"
#include "rules/vote.h"

/* A judge's rank for one entity, given after the last round; 1 is the least human. */
struct ranking {
    person_number judge, candidate; /* candidate: the Entries first, then the confederates */
    uint8_t rank;
    uint8_t trial;
};

/* True if two ballots on the same meeting have the same votes and fields. */
bool ballot_is_same(const struct ballot *one, const struct ballot *other);

/* Checks a ballot. BL_DATA names the fault in the judge's words: a value out of range, a tie in
 * 2004 (A15), points that do not add up to 100, a pair that the judge does not meet in `schedule`,
 * or a second ballot where `cast` has one. schedule: the schedule that was played. */
enum bl_status ballot_check(const struct ballot *ballot, const struct ruleset *ruleset,
                            const struct schedule *schedule, const struct ballot *cast,
                            unsigned count, struct bl_diag *diag);

/* Checks all ranks of one judge in one trial together. They must be the numbers 1 to `count`, each
 * once (2009 §3b, long bet II ¶14), one for each candidate that the judge has to rank; otherwise
 * BL_DATA. Under RANKS_NON_HUMAN these are the candidates judged non-human. The first `entries`
 * candidates are Entries. */
enum bl_status ranking_check(const struct ranking *ranking, unsigned count,
                             const struct ruleset *ruleset, const struct ballot *cast,
                             unsigned ballots, unsigned entries, struct bl_diag *diag);

#endif
