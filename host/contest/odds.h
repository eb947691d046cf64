/* The odds, in the long bet (II ¶13 to ¶16), of a computer that nobody can tell from a person, for
 * the numbers its committee is to set. The model: each judge takes a person for a human at a rate
 * of its own, the computer likewise, each vote by itself; and ranks in any order, each equally
 * likely, whatever the votes. Pure. */
#ifndef CONTEST_ODDS_H
#define CONTEST_ODDS_H

#include "base/status.h"
#include "contest/result.h"

struct odds_wanted {
    unsigned judges, foils; /* of a trial; from 1 */
    unsigned trials;        /* 1 to RESULT_TRIALS_MAX */
    double human;           /* the rate, 0 to 1 */
};

struct odds {
    double determined, ranked; /* probabilities of the two tests of a trial: ¶13, ¶14 */
    double trial;              /* of both */
    double at_least[RESULT_TRIALS_MAX + 1]; /* of so many trials passed */
};

/* BL_DATA: more orders of judges and foils than can be gone through. */
enum bl_status odds_make(struct odds *odds, const struct odds_wanted *wanted, struct bl_diag *diag);

#endif
