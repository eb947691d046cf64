#ifndef DESK_BUNDLE_PRIVATE_H
#define DESK_BUNDLE_PRIVATE_H

#include "desk/bundle.h"

#include <jansson.h>

/* Applies published acts to a new contest, and puts them into the table of acts. BL_DATA names an
 * act's fault; BL_NOMEM. */
enum bl_status bundle_replay(struct bundle *bundle, const json_t *acts, struct contest *contest,
                             struct tables *tables, struct bl_diag *diag);

/* Adds all files except the hashes: the record, and the completed tables, by the acts. BL_NOMEM. */
enum bl_status bundle_derive(struct bundle *bundle, json_t *acts, const struct contest *contest,
                             const struct tables *tables, struct bl_diag *diag);

/* The sessions, messages and keys that a bundle tells, each in JSON lines; the texts must outlive
 * it. NULL: no memory. destroy takes NULL. */
struct bundle_keys;
struct bundle_keys *bundle_keys_create(const char *sessions, const char *messages, const char *keys,
                                       const struct data_out *out);
void bundle_keys_destroy(struct bundle_keys *keys);

/* The told keys of a session, for tables_contest(), until the next call; NULL: it has no record. */
const struct history *bundle_keys_told(void *keys, const char *session);

/* Takes the rows made of these keys, and hands them to `out`: a message of which no key is told
 * gets the text and the number of BackSpaces that the bundle tells. */
struct data_out bundle_keys_out(struct bundle_keys *keys);

/* The number of keys that are not told, once all rows are made. */
unsigned bundle_keys_hidden(const struct bundle_keys *keys);

/* The table of redactions; the caller frees it. NULL: no memory. */
char *bundle_redactions(const json_t *acts, const struct bundle *bundle);

/* BLAKE2b-256 in hex. */
void bundle_hash(const char *bytes, size_t length, char out[2 * ACT_HASH_BYTES + 1]);

#endif
