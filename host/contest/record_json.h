/* The published record of a contest: every act with its hash, and the results, for anybody to
 * recompute. boothlink-contest(5) describes it. Pure. */
#ifndef CONTEST_RECORD_JSON_H
#define CONTEST_RECORD_JSON_H

#include "contest/contest.h"

#include <jansson.h>

/* The record, owned by the caller; NULL: no memory. Takes over `acts`, a list of record_act(). The
 * contest must be sealed. */
json_t *record_json(const struct contest *contest, json_t *acts);

/* The draws: the numbers of their acts (commitment, schedule, seed), keys, rounds and proofs. */
json_t *record_draws(const struct contest *contest);

/* The published part of a personal member: all, nothing, or another value. */
enum record_part { RECORD_OPEN, RECORD_KEEP, RECORD_INSTEAD };
struct record_mask {
    /* `value` is JSON; *instead, of RECORD_INSTEAD, is a JSON text the caller frees. */
    enum record_part (*part)(void *ctx, const struct act *act, const char *member,
                             const char *value, char **instead);
    void *ctx;
};

/* One act, with its body as the hashed text, and the personal members that the mask permits. With a
 * mask an act of a file of version 1 has no hash, and a body without masked members. Without a mask
 * (NULL) names of families and teams, ages, and phrases not to be published are kept back: in acts
 * of version 1 as withheld members, otherwise as commitments. */
json_t *record_act(const struct act *act, const struct record_mask *mask);

/* An act read from the published record. Its texts live until _free. */
struct record_told {
    struct act act;
    json_t *json; /* owned: a copy */
    char *body;
    bool chained; /* the act has a hash */
};

/* Checks the form, the commitments and, if the act has one, its hash after `before`. BL_DATA names
 * the fault; BL_NOMEM. */
enum bl_status record_tell(struct record_told *told, const json_t *json,
                           uint8_t before[ACT_HASH_BYTES], struct bl_diag *diag);
void record_told_free(struct record_told *told);

/* True if an act of version 1 may withhold that member. */
bool record_is_private(const char *kind, const char *member);

#endif
