/* Opens, gives and seals the ballot of a session at the judge's terminal. */
#ifndef BOOTH_JUDGE_BALLOT_H
#define BOOTH_JUDGE_BALLOT_H

#include "booth/judge_booth_private.h"

/* Opens the ballot beside the journal, if the session's rules ask for a ballot for this number of
 * lines. Checks the ballots of a script. */
enum bl_status judge_ballot_open(struct judge_booth *booth, struct bl_diag *diag);

/* Passes a key to the form before the screen gets it. */
bool judge_ballot_key(void *ctx, enum input_what what, uint32_t point);

/* Does the timed work: opens the form, gives a script's ballots, ends the session after an early
 * verdict, seals the ballot. Returns the time of the next call. */
uint64_t judge_ballot_run(struct judge_booth *booth, struct bl_time now);

/* True if the judge may leave the session for good. Without a ballot the first try is refused, and
 * the judge is told that the ballot is missing. */
bool judge_ballot_may_leave(struct judge_booth *booth);

/* True if the ballot was put away, can still be given, and the present part opens no line. */
bool judge_ballot_is_due(const struct judge_booth *booth);

/* The ballot's part of the final report; NULL: there is no ballot. */
json_t *judge_ballot_report(const struct judge_booth *booth);

void judge_ballot_close(struct judge_booth *booth);

#endif
