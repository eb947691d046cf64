/* The work of `contest setup`: the acts that make a contest agree with its manager's two files, and
 * the files' faults. Pure. */
#ifndef CONTEST_SETUP_H
#define CONTEST_SETUP_H

#include "contest/act_batch.h"
#include "contest/people.h"
#include "contest/venue.h"

struct setup {
    const struct contest *contest; /* the present contest; without a ruleset: not made yet */
    const struct people *people;
    const struct venue *venue;
    const char *people_name, *venue_name; /* for messages */
    const char *ruleset;                  /* the ruleset's text */
    int64_t now_us;                       /* since 1970: the time of the acts */
    bool any_ballot;                      /* a new contest takes unsigned ballots, too */
    bool few;                             /* fewer people than the rules require are no fault */
    struct faults *faults;
    struct faults *notes; /* gets remarks that are neither acts nor faults */
};

/* The number of booths that the contest needs, and of cables for each booth. */
unsigned setup_booths(const struct contest *contest);
unsigned setup_cables(const struct contest *contest);

/* Makes the missing acts: the contest, its people, their names in opening words, conflicts. The
 * texts are those of the files. The caller also frees the batch after an error. Acts on the record
 * are left out, so an interrupted setup goes on. Once a round has begun, only acts that the rules
 * still allow are made. A difference between files and contest that no act can change is a fault;
 * people in the contest who are not in the file are noted. BL_DATA: something is missing, or
 * refused by the rules; all such faults are reported with file and line. */
enum bl_status setup_acts(const struct setup *setup, struct act_batch *acts, struct bl_diag *diag);

#endif
