/* What the files of a contest's acts share. Nobody else includes this. */
#ifndef CONTEST_CONTEST_PRIVATE_H
#define CONTEST_CONTEST_PRIVATE_H

#include "contest/contest.h"

#include <jansson.h>

/* A field of an act's body. Where it is missing or of another kind: BL_DATA. */
enum bl_status field_text(const json_t *body, const char *key, char *out, size_t size,
                          struct bl_diag *diag);
enum bl_status field_number(const json_t *body, const char *key, json_int_t least, json_int_t most,
                            json_int_t *out, struct bl_diag *diag);
/* Hex of exactly `length` bytes. */
enum bl_status field_bytes(const json_t *body, const char *key, uint8_t *out, size_t length,
                           struct bl_diag *diag);
enum bl_status field_role(const json_t *body, const char *key, enum contest_role *role,
                          struct bl_diag *diag);
/* "entry", of one that is there; from 0. */
enum bl_status field_entry(const struct contest *contest, const json_t *body, json_int_t *entry,
                           struct bl_diag *diag);
/* False if it is not there. */
bool field_flag(const json_t *body, const char *key);

/* A person who is there, by role and number, from 0. */
enum bl_status field_person(const struct contest *contest, const json_t *body, const char *role_key,
                            const char *number_key, enum contest_role *role, json_int_t *number,
                            struct bl_diag *diag);
/* Whether the person may be what he is, beside all others. */
enum bl_status person_check(const struct contest *contest, enum contest_role role, unsigned number,
                            struct bl_diag *diag);

/* The days of a contest: as its first act takes them from the rules, and whether an Entry, the
 * finalists' names and the first round come by theirs; `late` is set of what comes after. */
void dates_begin(struct contest *contest);
enum bl_status dates_check_entry(const struct contest *contest, struct person *entry,
                                 const json_t *body, struct bl_diag *diag);
enum bl_status dates_check_final(const struct contest *contest, const json_t *body,
                                 struct bl_diag *diag);
enum bl_status dates_check_begin(const struct contest *contest, const json_t *body,
                                 struct bl_diag *diag);

/* The meeting's ballot, if there is one, counts no longer, nor do ranks that it carries. */
void ballot_drop(struct contest *contest, const struct meeting *meeting);

/* Every kind of act: its name in the file, and act_NAME(), which lets one count. */
/* clang-format off */
#define EACH_ACT(_) \
    _(contest) _(person) _(deliver) _(dates) _(conflict) _(approve) _(withdraw) _(commit) \
    _(schedule) _(seed) _(begin) _(ballot) _(ranks) _(seal) _(disqualify) _(prelim) \
    _(confer) _(coin) _(phrase) _(erased) _(answer) _(score) _(invite) _(choose) _(lose) \
    _(allot) _(list) _(screened) _(final) _(trial) _(rename) _(undo) _(substitute) _(repeat) \
    _(limit)
/* clang-format on */
#define ACT_DECLARED(name)                                                                         \
    enum bl_status act_##name(struct contest *contest, const json_t *body, struct bl_diag *diag);
EACH_ACT(ACT_DECLARED)

#endif
