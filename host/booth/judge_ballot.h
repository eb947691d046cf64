/* The ballot of a session at the judge's terminal: opening, giving and sealing. */
#ifndef BOOTH_JUDGE_BALLOT_H
#define BOOTH_JUDGE_BALLOT_H

#include "booth/judge_booth_private.h"

/* Opens the ballot of the session's rules beside the journal, if the rules ask for a ballot and it
 * fits the number of lines. Checks the ballots of a script. */
enum bl_status judge_ballot_open(struct judge_booth *booth, struct bl_diag *diag);

/* Passes a key to the form, before the screen gets it. */
bool judge_ballot_key(void *ctx, enum input_what what, uint32_t point);

/* Does the timed work: opens the form, gives a script's ballots, ends the session after an early
 * verdict, seals. Returns the time of the next call. */
uint64_t judge_ballot_run(struct judge_booth *booth, struct bl_time now);

/* The judge wants to leave a session for good. False: the ballot is missing and this is the first
 * try; the judge has been told. */
bool judge_ballot_may_leave(struct judge_booth *booth);

/* True if it was put away, can still be given, and this part opens no line. */
bool judge_ballot_is_due(const struct judge_booth *booth);

/* For the final report; NULL where there is no ballot. */
json_t *judge_ballot_report(const struct judge_booth *booth);

void judge_ballot_close(struct judge_booth *booth);

#endif
