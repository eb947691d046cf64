/* Makes an act of a judge's ballot file: the draw tells which entity sat on which side, and the
 * session's name tells round and judge, so that nobody types a number. Pure. */
#ifndef CONTEST_BALLOT_ACT_H
#define CONTEST_BALLOT_ACT_H

#include "contest/act_body.h"
#include "rules/ballot_file.h"

/* The meeting that a session's name, such as "r2-j3", stands for. NULL: none, and why. */
const struct meeting *contest_find_session(const struct contest *contest, const char *session,
                                           struct bl_diag *diag);

/* The body of the act that a ballot file stands for; NULL with a line in diag. */
json_t *contest_ballot_act(const struct contest *contest, const struct ballot_file *file,
                           struct bl_diag *diag);

/* A ballot of the contest as the body that contest_ballot_act() would have made of its file. */
json_t *contest_ballot_body(const struct contest *contest, const struct ballot *ballot);

/* Whether the judge's ballot on the session of that body is in the contest already. */
bool contest_ballot_is_there(const struct contest *contest, json_t *body);

#endif
