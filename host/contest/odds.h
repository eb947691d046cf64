/* The odds, in the long bet (II
 *
 * 13 to
 *
 * 16), of a computer that cannot be told from a person, for the numbers that its committee sets.
 * The model: each judge takes a person for a human at the judge's own rate, and the computer at the
 * same rate. Each vote is independent. All orders of ranks are equally likely, and independent of
 * the votes. Pure. */
#ifndef CONTEST_ODDS_H
#define CONTEST_ODDS_H

#include "base/status.h"
#include "contest/result.h"

struct odds_wanted {
    unsigned judges, foils; /* of a trial; each from 1 */
    unsigned trials;        /* 1 to RESULT_TRIALS_MAX */
    double human;           /* the rate, 0 to 1 */
};

struct odds {
    double determined, ranked; /* probabilities of the two tests of a trial: ¶13, ¶14 */
    double trial;              /* probability of both tests */
    double at_least[RESULT_TRIALS_MAX + 1]; /* probability of at least this many passed trials */
};

/* BL_DATA: too many orders of judges and foils to try. */
enum bl_status odds_make(struct odds *odds, const struct odds_wanted *wanted, struct bl_diag *diag);

#endif
