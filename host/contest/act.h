/* An act: one event in a contest, recorded with its author. Acts are appended and never changed.
 * The contest's present state is derived from them (contest.h). Pure. */
#ifndef CONTEST_ACT_H
#define CONTEST_ACT_H

#include <stdint.h>

#define ACT_AUTHOR_MAX 64
#define ACT_BODY_MAX   262144
#define ACT_HASH_BYTES 32
#define ACT_SALT_BYTES 32

/* A member of an act that describes a person. It is stored apart from the chain (personal.h). */
struct act_personal {
    const char *member; /* "name" */
    const char *value;  /* as JSON: "\"Ada Brown\"" */
    uint8_t salt[ACT_SALT_BYTES];
};

struct act {
    int64_t number; /* from 1, without gaps */
    int64_t at_us;  /* time, in microseconds since 1970 UTC, by the manager's machine */
    const char *author;
    const char *kind; /* "ballot"; act_body.h lists them */
    const char *body; /* a JSON object */
    /* Hash of this act and the hash before. The last hash proves that no act was changed, added or
     * removed. */
    uint8_t hash[ACT_HASH_BYTES];
    /* Author and body as they are hashed: each personal member is replaced by a commitment. NULL in
     * files of version 1, which hash author and body unchanged. */
    const char *chained_author, *chained_body;
    const struct act_personal *personal;
    unsigned personals;
};

/* The hash of an act after the one with hash `before` (all zeros for the first): BLAKE2b-256 of
 * before, number, time, and of author (or chained_author), kind and body (or chained_body) with
 * their zeros. */
void act_hash(const struct act *act, const uint8_t before[ACT_HASH_BYTES],
              uint8_t out[ACT_HASH_BYTES]);

#endif
