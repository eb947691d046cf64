/* Words of a command line as members of acts: "E2" for an Entry, "J1" for a judge, "r2-j3" for a
 * session. Types and limits are those of act_field.h. BL_USAGE names the wrong word; for a session,
 * BL_DATA. Pure. */
#ifndef CONTEST_ACT_WORD_H
#define CONTEST_ACT_WORD_H

#include "contest/act_body.h"

/* Takes a word as the member of that key; "session" is a round and a judge. The word must outlive
 * the act. */
enum bl_status act_word(const struct contest *contest, struct act_body *act, const char *key,
                        const char *word, struct bl_diag *diag);

/* Takes "3:2", votes for and against; `panel`: of a panel; otherwise of the judges in the
 * contest. */
enum bl_status act_word_votes(const struct contest *contest, struct act_votes *votes,
                              const char *word, bool panel, struct bl_diag *diag);

/* Takes a person or an Entry by the letter of the role and the number: "E2", "J1", "C3".
 * act_word_of(): only of that role. */
enum bl_status act_word_person(const char *word, enum contest_role *role, unsigned *number,
                               struct bl_diag *diag);
enum bl_status act_word_who(const char *word, struct act_who *who, struct bl_diag *diag);
enum bl_status act_word_of(const char *word, enum contest_role role, int64_t *number,
                           struct bl_diag *diag);

#endif
