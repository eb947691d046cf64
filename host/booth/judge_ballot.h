/* Opens, gives and seals the ballot of a session at the judge's terminal. */
#ifndef BOOTH_JUDGE_BALLOT_H
#define BOOTH_JUDGE_BALLOT_H

#include "booth/judge_booth_private.h"

/* Opens the ballot beside the journal, if the session's rules ask for one that fits the number of
 * lines. Checks the ballots of a script. */
enum bl_status judge_ballot_open(struct judge_booth *booth, struct bl_diag *diag);

/* Passes a key to the form before the screen gets it. */
bool judge_ballot_key(void *ctx, enum input_what what, uint32_t point);

/* Does the timed work: opens the form, gives a script's ballots, ends the session after an early
 * verdict, seals. Returns the time of the next call. */
uint64_t judge_ballot_run(struct judge_booth *booth, struct bl_time now);

/* True if the judge may leave the session for good. False on a first try without a ballot: the
 * judge is told that it is missing. */
bool judge_ballot_may_leave(struct judge_booth *booth);

/* True if it was put away, can still be given, and this part opens no line. */
bool judge_ballot_is_due(const struct judge_booth *booth);

/* For the final report; NULL where there is no ballot. */
json_t *judge_ballot_report(const struct judge_booth *booth);

void judge_ballot_close(struct judge_booth *booth);

#endif
