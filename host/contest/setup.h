/* The work of `contest setup`: the acts that make a contest agree with its manager's two files, and
 * the faults of these files. Pure. */
#ifndef CONTEST_SETUP_H
#define CONTEST_SETUP_H

#include "contest/act_batch.h"
#include "contest/people.h"
#include "contest/venue.h"

struct setup {
    const struct contest *contest; /* as it is now; without a ruleset: not made yet */
    const struct people *people;
    const struct venue *venue;
    const char *people_name, *venue_name; /* for messages */
    const char *ruleset;                  /* the ruleset's text */
    int64_t now_us;                       /* since 1970: the time of the acts */
    bool any_ballot;                      /* a new contest takes unsigned ballots, too */
    bool few;                             /* fewer people than the rules ask for are no fault */
    struct faults *faults;
    struct faults *notes; /* remarks that are neither acts nor faults */
};

/* The number of booths that the contest needs, and of cables for each booth. */
unsigned setup_booths(const struct contest *contest);
unsigned setup_cables(const struct contest *contest);

/* The acts that are missing: the contest, its people, their names in opening words, conflicts. The
 * texts are those of the files, and the batch is freed after an error too. Acts on the record are
 * left out, so a setup that was stopped goes on; once a round has begun, only acts still allowed by
 * the rules are made. A difference between files and contest that no act can change is a fault;
 * people in the contest and not in the file are noted. Everything that is missing or refused by the
 * rules is told with its file and line, and then the answer is BL_DATA. */
enum bl_status setup_acts(const struct setup *setup, struct act_batch *acts, struct bl_diag *diag);

#endif
