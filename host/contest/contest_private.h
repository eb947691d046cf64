/* Shared by the files of a contest's acts. Nobody else includes this. */
#ifndef CONTEST_CONTEST_PRIVATE_H
#define CONTEST_CONTEST_PRIVATE_H

#include "contest/act_body.h"

/* A person or an Entry that an act names by his number, from 1: BL_DATA if there is none. */
enum bl_status check_who(const struct contest *contest, const struct act_who *who,
                         struct bl_diag *diag);
enum bl_status check_entry_number(const struct contest *contest, int64_t entry,
                                  struct bl_diag *diag);
/* Checks a person's role beside all others. */
enum bl_status person_check(const struct contest *contest, enum contest_role role, unsigned number,
                            struct bl_diag *diag);

/* Takes names of those around a person, of a list that may be NULL; those that are known already
 * count once. And forgets his family, when another takes his place. */
enum bl_status person_take_family(struct contest *contest, const struct act_who *who,
                                  const json_t *names, struct bl_diag *diag);
void person_drop_family(struct contest *contest, const struct act_who *who);

/* The days of a contest. dates_begin() takes them from the rules, for the first act. The others
 * check that an Entry, the finalists' names or the first round keeps its days, unless `why` excuses
 * it; an Entry that is excused is marked `late`. */
void dates_begin(struct contest *contest);
enum bl_status dates_check_entry(const struct contest *contest, struct person *entry,
                                 const char *why, struct bl_diag *diag);
/* Keeps the reason an act gives, cut to whole characters; NULL: none. */
void contest_keep_why(char out[CONTEST_WHY_MAX], const char *why);
enum bl_status dates_check_final(const struct contest *contest, const char *why,
                                 struct bl_diag *diag);
enum bl_status dates_check_begin(const struct contest *contest, const char *why,
                                 struct bl_diag *diag);

/* The meeting's ballot, if there is one, counts no longer, nor do ranks it carries. */
void ballot_drop(struct contest *contest, const struct meeting *meeting);

/* From now on the meeting's ballot is waited for again, though a late one was taken back. */
void ballot_admit(struct contest *contest, const struct meeting *meeting);

/* The meeting's further session takes the place of the one before, whose ballot it drops. BL_DATA:
 * it is to have none, or is sealed. */
enum bl_status further_take(struct contest *contest, const struct meeting *meeting,
                            struct bl_diag *diag);

/* Makes the meeting's session one that counts for nothing, ballot and all, for `why`; and one that
 * counts again. Ranks that are no longer of what was judged fall. */
enum bl_status ballot_exclude(struct contest *contest, const struct meeting *meeting,
                              const char *why, struct bl_diag *diag);
enum bl_status ballot_include(struct contest *contest, const struct meeting *meeting,
                              struct bl_diag *diag);

/* Takes back the ballot of a session: `undo` of it. */
enum bl_status ballot_undo(struct contest *contest, const struct meeting *meeting,
                           struct bl_diag *diag);

/* contest_replay(), or with an act nobody has accepted yet. */
enum bl_status contest_accept(struct contest *contest, const struct act *act, bool replays,
                              struct bl_diag *diag);

/* act_NAME() lets an act of that kind count, or names the rule against it. */
#define ACT_DECLARED(name, NAME, of)                                                               \
    enum bl_status act_##name(struct contest *contest, const struct act_body *body,                \
                              struct bl_diag *diag);
EACH_ACT(ACT_DECLARED)
#undef ACT_DECLARED

#endif
