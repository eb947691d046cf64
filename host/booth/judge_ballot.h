/* The ballot of a session at the judge's terminal: its opening, its giving and its sealing. */
#ifndef BOOTH_JUDGE_BALLOT_H
#define BOOTH_JUDGE_BALLOT_H

#include "booth/judge_booth_private.h"

/* Opens the ballot of the session's rules, if they ask for one that fits the lines, beside the
 * journal. Checks the ballots of a script. */
enum bl_status judge_ballot_open(struct judge_booth *booth, struct bl_diag *diag);

/* Gives the form a key: the screen's first. */
bool judge_ballot_key(void *ctx, enum input_what what, uint32_t point);

/* Does the work of time: opens, takes from the script, seals. Returns the time of the next call. */
uint64_t judge_ballot_run(struct judge_booth *booth, struct bl_time now);

/* The judge wants to leave a session for good. False: without a ballot, for the first time, and was
 * told so. */
bool judge_ballot_may_leave(struct judge_booth *booth);

/* For the final report; NULL where there is no ballot. */
json_t *judge_ballot_report(const struct judge_booth *booth);

void judge_ballot_close(struct judge_booth *booth);

#endif
