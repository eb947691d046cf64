/* A judge's right to give a ballot, or ranks, by the rules. Pure. */
#ifndef RULES_BALLOT_H
#define RULES_BALLOT_H

#include "rules/ruleset.h"
#include "rules/vote.h"

/* A judge's rank for one entity, 1 the least human; after the last round. */
struct ranking {
    uint8_t judge, candidate; /* Entries first, then confederates */
    uint8_t rank;
    uint8_t trial;
};

/* True if two ballots on one meeting say the same. */
bool ballot_is_same(const struct ballot *one, const struct ballot *other);

/* BL_DATA names the fault, in the judge's words: out of range, a tie in 2004 (A15), points that are
 * not 100 in all, a pair the schedule does not give to this judge, a second ballot where `cast` has
 * one already of this trial. `schedule` is the one that was run; the ballot is for one of its
 * meetings. */
enum bl_status ballot_check(const struct ballot *ballot, const struct ruleset *ruleset,
                            const struct schedule *schedule, const struct ballot *cast,
                            unsigned count, struct bl_diag *diag);

/* Checks all of one judge's ranks of a trial together: BL_DATA unless they are 1 to `count`, each
 * once (2009 §3b, long bet II ¶14), one for each candidate whom he is to rank. Under
 * RANKS_NON_HUMAN these are the ones that he judged non-human. The first `entries` candidates
 * are Entries. */
enum bl_status ranking_check(const struct ranking *ranking, unsigned count,
                             const struct ruleset *ruleset, const struct ballot *cast,
                             unsigned ballots, unsigned entries, struct bl_diag *diag);

#endif
