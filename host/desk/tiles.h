/* The booths on the manager's page: the state of each from the records in the desk's folder
 * (desk/inbox.h), its machines' last words, and the contest's people, sessions and gaps. Reads
 * files, and of grown journals the new bytes alone; changes none. */
#ifndef DESK_TILES_H
#define DESK_TILES_H

#include "base/json.h"
#include "base/time.h"
#include "desk/tile_session.h"
#include "rules/place.h"

#define TILES_MOST     PLACE_BOOTH
#define TILE_FAULT_MAX 320
#define TILE_WHO       400 /* bytes of an entity's number and name, as "C2 Ann" */

struct tiles;

/* `contest`: the contest's file; NULL: only the records are shown. BL_NOMEM, BL_USAGE. */
enum bl_status tiles_create(struct tiles **out, const char *inbox, const char *contest,
                            struct bl_diag *diag);

/* Adds a place with a key; other names are passed over. */
void tiles_add(struct tiles *tiles, const char *place);

/* Notes that a message of the place has come. `fault`: the message's fault; NULL: it was good. */
void tiles_hear(struct tiles *tiles, const char *place, const char *fault, struct bl_time now);

/* Reads changed files. True: there were some. */
bool tiles_look(struct tiles *tiles, struct bl_time now);

/* Writes the fields of a JSON object: contest, people, tiles. boothlink-network(7) describes the
 * page. */
void tiles_write(const struct tiles *tiles, struct bl_time now, struct json_text *out);

/* Names the entity of a session's side; "": the contest does not say. */
void tiles_name_side(const struct tiles *tiles, const char *session, enum side side,
                     char out[TILE_WHO]);

/* The number of sealed rounds. */
unsigned tiles_sealed(const struct tiles *tiles);

/* NULL is allowed. */
void tiles_destroy(struct tiles *tiles);

#endif
