/* The members of acts about persons, and the author. A contest's file keeps each such member beside
 * its act, with a salt. The act, and the chain of hashes, has a commitment instead of the member.
 * So a member may stay secret when the act is published. Pure.
 *
 * * boothlink-contest(5), "Personal members", describes it. Files of version 1 have none. */
#ifndef CONTEST_PERSONAL_H
#define CONTEST_PERSONAL_H

#include "base/status.h"
#include "contest/act.h"

#include <jansson.h>
#include <stdbool.h>

#define PERSONAL_AUTHOR "author" /* the author as a member; never in a body */
#define PERSONAL_MOST   16       /* most members of one act */

/* Storage for an act in two parts, to which the act's pointers refer. */
struct personal {
    struct act_personal member[PERSONAL_MOST];
    char *text[PERSONAL_MOST]; /* the members' values */
    unsigned count;
    char *author, *body; /* have the commitments; after personal_join(), the values */
};

/* True if an act of that kind keeps this member apart. */
bool personal_is(const char *kind, const char *member);

/* BLAKE2b-256 of the salt, and of kind, member and value with their zeros. */
void personal_commit(const char *kind, const struct act_personal *member,
                     uint8_t out[ACT_HASH_BYTES]);

/* Moves the personal members out of an act: sets its `personal`, `chained_author` and
 * `chained_body`, which live until personal_free(). `salt` fills a salt with random bytes. BL_DATA:
 * the author is not UTF-8; BL_NOMEM. */
enum bl_status personal_split(struct personal *personal, struct act *act,
                              void (*salt)(void *bytes, size_t length), struct bl_diag *diag);

/* The hexadecimal text of a body's member `value` if it is a commitment; otherwise NULL. */
const char *personal_commitment(const json_t *value);

/* Puts the members of `act->personal` back: sets `author` and `body` from `chained_author` and
 * `chained_body`; they live until personal_free(). BL_DATA: a commitment without its member, or a
 * member without its commitment; BL_NOMEM. */
enum bl_status personal_join(struct personal *personal, struct act *act, struct bl_diag *diag);

void personal_free(struct personal *personal);

#endif
