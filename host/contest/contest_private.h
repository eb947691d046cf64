#ifndef CONTEST_CONTEST_PRIVATE_H
#define CONTEST_CONTEST_PRIVATE_H

#include "contest/act_body.h"

/* Checks the number, from 1, of a person or an Entry in an act. BL_DATA: no such number. */
enum bl_status check_who(const struct contest *contest, const struct act_who *who,
                         struct bl_diag *diag);
enum bl_status check_entry_number(const struct contest *contest, int64_t entry,
                                  struct bl_diag *diag);
/* Checks a person's role against the roles of all other people. */
enum bl_status person_check(const struct contest *contest, enum contest_role role, unsigned number,
                            struct bl_diag *diag);

/* person_take_family(): takes the names of a person's family from a list, which may be NULL; known
 * names count once. person_drop_family(): forgets the family, for another person on the place. */
enum bl_status person_take_family(struct contest *contest, const struct act_who *who,
                                  const json_t *names, struct bl_diag *diag);
void person_drop_family(struct contest *contest, const struct act_who *who);

/* The days of a contest. dates_begin() takes them from the rules, for the first act. The
 * dates_check functions check the days of an Entry, of the finalists' names or of the first round,
 * unless `why` is given. An Entry with `why` is marked `late`. */
void dates_begin(struct contest *contest);
enum bl_status dates_check_entry(const struct contest *contest, struct person *entry,
                                 const char *why, struct bl_diag *diag);
/* Keeps an act's reason, cut between characters; NULL: none. */
void contest_keep_why(char out[CONTEST_WHY_MAX], const char *why);
enum bl_status dates_check_final(const struct contest *contest, const char *why,
                                 struct bl_diag *diag);
enum bl_status dates_check_begin(const struct contest *contest, const char *why,
                                 struct bl_diag *diag);

/* Drops the meeting's ballot, if any, and the ranks that depend on it. */
void ballot_drop(struct contest *contest, const struct meeting *meeting);

/* Lets the meeting's ballot come again, also after a late ballot was taken back. */
void ballot_admit(struct contest *contest, const struct meeting *meeting);

/* The meeting's further session replaces the one before, whose ballot is dropped. BL_DATA: no
 * further session is to come, or its round is sealed. */
enum bl_status further_take(struct contest *contest, const struct meeting *meeting,
                            struct bl_diag *diag);

/* Excludes the meeting's session, with its ballot, for the reason `why`; or takes the exclusion
 * back. Drops ranks that contradict the ballots. */
enum bl_status ballot_exclude(struct contest *contest, const struct meeting *meeting,
                              const char *why, struct bl_diag *diag);
enum bl_status ballot_include(struct contest *contest, const struct meeting *meeting,
                              struct bl_diag *diag);

/* Takes back the ballot of a session, for the act `undo`. */
/* Forgets that a ballot of the judge in the round, from 0, was taken back. */
void ballot_forget(struct contest *contest, unsigned round, unsigned judge);
enum bl_status ballot_undo(struct contest *contest, const struct meeting *meeting,
                           struct bl_diag *diag);

/* Applies an act. `replays`: the act comes from the file, as in contest_replay(). */
enum bl_status contest_accept(struct contest *contest, const struct act *act, bool replays,
                              struct bl_diag *diag);

/* act_NAME() applies an act of that kind. BL_DATA names the rule against it. */
#define ACT_DECLARED(name, NAME, of)                                                               \
    enum bl_status act_##name(struct contest *contest, const struct act_body *body,                \
                              struct bl_diag *diag);
EACH_ACT(ACT_DECLARED)
#undef ACT_DECLARED

#endif
