/* The published record of a contest, from which a stranger can recompute it: every act with its
 * hash, and the results. boothlink-contest(5) describes it. Pure. */
#ifndef CONTEST_RECORD_JSON_H
#define CONTEST_RECORD_JSON_H

#include "contest/contest.h"

#include <jansson.h>

/* The caller's; NULL: no memory. `acts` is a list of record_act(), whose reference is taken. The
 * contest must be sealed: seeds and sides are in it. */
json_t *record_json(const struct contest *contest, json_t *acts);

/* The draws that were made, with the numbers of their acts (commitment, schedule, seed), keys, the
 * rounds for which they count, and their proofs. */
json_t *record_draws(const struct contest *contest);

/* The part of a personal member that is published: all of it, nothing, or another value. */
enum record_part { RECORD_OPEN, RECORD_KEEP, RECORD_INSTEAD };
struct record_mask {
    /* `value` is JSON; *instead, of RECORD_INSTEAD, is a JSON text the caller frees. */
    enum record_part (*part)(void *ctx, const struct act *act, const char *member,
                             const char *value, char **instead);
    void *ctx;
};

/* One act, with its body as the text that is hashed, and the personal members the mask lets out. An
 * act of a file of version 1 has no hash then, and a body of the members the mask leaves. Without a
 * mask (NULL) names of families and teams, ages, and phrases that are not to be published are taken
 * out, which it says. */
json_t *record_act(const struct act *act, const struct record_mask *mask);

/* An act as a stranger has it, out of one that was published. Its texts live until _free. */
struct record_told {
    struct act act;
    json_t *json; /* owned: a copy */
    char *body;
    bool chained; /* it has a hash */
};

/* Looks at the form, the commitments and, where there is one, the hash behind `before`, which
 * becomes that of the act. BL_DATA names the fault; BL_NOMEM. */
enum bl_status record_tell(struct record_told *told, const json_t *json,
                           uint8_t before[ACT_HASH_BYTES], struct bl_diag *diag);
void record_told_free(struct record_told *told);

/* True if an act of version 1 may withhold that member. */
bool record_is_private(const char *kind, const char *member);

#endif
