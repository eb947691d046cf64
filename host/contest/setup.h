/* What `contest setup` has to do: the acts that a contest lacks to be the one of its manager's two
 * files, and all that these files lack. Pure. */
#ifndef CONTEST_SETUP_H
#define CONTEST_SETUP_H

#include "contest/act_batch.h"
#include "contest/people.h"
#include "contest/venue.h"

struct setup {
    const struct contest *contest; /* as it is now; without rules: there is none yet */
    const struct people *people;
    const struct venue *venue;
    const char *people_name, *venue_name; /* for messages */
    const char *ruleset;                  /* the ruleset's text */
    int64_t now_us;                       /* since 1970: the acts are of now */
    bool any_ballot; /* a new contest takes ballots that nobody has signed, too */
    bool few;        /* fewer people than the rules ask for are no fault */
    struct faults *faults;
    struct faults *notes; /* what is neither done nor a fault */
};

/* How many booths the contest takes, and with how many cables each. */
unsigned setup_booths(const struct contest *contest);
unsigned setup_cables(const struct contest *contest);

/* The acts that are missing: the contest, its people, their names in opening words, conflicts. The
 * texts are those of the files, and the batch is freed after an error too. What is there already is
 * left out, so a setup that was stopped goes on; once a round has begun, what the rules still allow
 * is done. Where the files say something else than the contest, and no act can change it, that is a
 * fault; whoever is in the contest and not in the file is noted.
 * Everything that is missing or refused by the rules is told with its file and line, and then the
 * answer is BL_DATA. */
enum bl_status setup_acts(const struct setup *setup, struct act_batch *acts, struct bl_diag *diag);

#endif
