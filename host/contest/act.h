/* An act: one thing that somebody did to a contest, and the only thing that is ever stored. Acts
 * are appended and never changed; a contest's present state is derived from them (contest.h).
 * Pure. */
#ifndef CONTEST_ACT_H
#define CONTEST_ACT_H

#include <stdint.h>

#define ACT_AUTHOR_MAX 64
#define ACT_BODY_MAX   65536
#define ACT_HASH_BYTES 32
#define ACT_SALT_BYTES 32

/* A member of an act that tells of a person, kept apart from the chain (personal.h). */
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
    /* Of this act and the one before, so whoever knows the last one can tell that none was changed,
     * added or taken out. */
    uint8_t hash[ACT_HASH_BYTES];
    /* Author and body with a commitment in the place of each personal member, as they are hashed.
     * NULL in files of version 1: there they are hashed as they are, and no member is apart. */
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
