/* Makes an act of a judge's ballot file. The draw gives the entity on each side; the session's name
 * gives the round and the judge. Pure. */
#ifndef CONTEST_BALLOT_ACT_H
#define CONTEST_BALLOT_ACT_H

#include "contest/act_body.h"
#include "rules/ballot_file.h"

/* The length of the session's name at the start of a text, "r2-j3" or "r2-j3-2", as in tickets; 0:
 * none. Round and judge are from 1. */
size_t contest_session_length(const char *name, unsigned *round, unsigned *judge);

/* The meeting of a session's name, such as "r2-j3". NULL: none; diag has the reason. */
const struct meeting *contest_find_session(const struct contest *contest, const char *session,
                                           struct bl_diag *diag);

/* Reads a ballot file's vote, in the contest's form, with its notes; or as many ranks as the head
 * has. BL_DATA: the file is of no session of this contest, or of two judges. */
enum bl_status contest_read_ballot(const struct contest *contest, const struct ballot_file *file,
                                   struct ballot *ballot, struct bl_diag *diag);
enum bl_status contest_read_ranks(const struct contest *contest, const struct ballot_file *file,
                                  struct ranking ranking[VOTE_RANKS_MAX], struct bl_diag *diag);

/* The act of a vote or of ranks. `correction`: the act replaces the judge's earlier vote or
 * ranks. */
struct act_body contest_ballot_act(const struct contest *contest, const struct ballot *ballot,
                                   bool correction);
struct act_body contest_ranks_act(const struct ranking *ranking, unsigned count, bool correction);

#endif
