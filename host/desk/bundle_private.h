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

/* The table of redactions; the caller frees it. NULL: no memory. */
char *bundle_redactions(const json_t *acts, const struct bundle *bundle);

/* BLAKE2b-256 in hex. */
void bundle_hash(const char *bytes, size_t length, char out[2 * ACT_HASH_BYTES + 1]);

#endif
