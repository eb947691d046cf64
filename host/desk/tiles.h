/* The booths on the manager's page: the state of each from the records in the desk's folder
 * (desk/inbox.h), its machines' last messages, and the contest's people, sessions and gaps. Reads
 * files, of grown journals the new bytes; changes none. */
#ifndef DESK_TILES_H
#define DESK_TILES_H

#include "base/json.h"
#include "base/time.h"
#include "desk/next_step.h"
#include "desk/tile_session.h"
#include "post/piece.h"
#include "rules/place.h"

#define TILES_MOST     PLACE_BOOTH
#define TILE_FAULT_MAX 320
#define TILE_NEXT      32  /* bytes of a session's name */
#define TILE_WHO       400 /* bytes of an entity's number and name, as "C2 Ann" */

struct tiles;

/* `contest`: the contest's file; NULL: only the records are shown. `run`: drawn at the desk's
 * start. BL_NOMEM, BL_USAGE. */
enum bl_status tiles_create(struct tiles **out, const char *inbox, const char *contest,
                            uint64_t run, struct bl_diag *diag);

/* Adds a place with a key of that time, in seconds since 1970. Names of no booth are ignored. */
void tiles_add(struct tiles *tiles, const char *place, int64_t key_s);

/* The matter of a message. Of a message that cannot be opened the seal alone is known, and of a
 * STATE the seal alone may be at fault. */
enum tile_matter { TILE_SEAL, TILE_TICKETS, TILE_RECORDS, TILE_MATTERS };

/* A message of the place has come; `fault`: the desk's fault with it, and the manager's next
 * action; NULL: it was good. A fault ends with a good message of its matter, some seconds after its
 * last one. */
void tiles_hear(struct tiles *tiles, const char *place, enum tile_matter matter, const char *fault,
                const char *todo, struct bl_time now);

/* The number that the place's STATEs have to return now. */
uint64_t tiles_run(const struct tiles *tiles, const char *place);

/* A STATE of the place has come. One that does not return tiles_run(), or not with a higher count
 * than the last one of its courier's start, is old, and tells nothing. */
void tiles_hear_state(struct tiles *tiles, const char *place, const struct post_piece *state,
                      struct bl_time now);

/* Reads changed files. True: some have changed. */
bool tiles_look(struct tiles *tiles, struct bl_time now);

/* Writes the fields of a JSON object: contest, people, tiles. boothlink-network(7) describes the
 * page. */
void tiles_write(const struct tiles *tiles, struct bl_time now, struct json_text *out);

/* Names the entity of a session's side; "": not known from the contest. */
void tiles_name_side(const struct tiles *tiles, const char *session, enum side side,
                     char out[TILE_WHO]);

/* The first session to come of a confederate, numbered from 1: without a ballot, and without its
 * judge's record at any booth. "": none. */
void tiles_next_session(const struct tiles *tiles, unsigned confederate, char out[TILE_NEXT]);

/* The id of the contest; "": not read yet. */
const char *tiles_contest(const struct tiles *tiles);

/* The fault of the contest's file; "": none. */
const char *tiles_fault(const struct tiles *tiles);

/* The number of sealed rounds. */
unsigned tiles_sealed(const struct tiles *tiles);

/* The folder of the next bundle, in `name`; NULL: the rules let names be published. */
const char *tiles_bundle(const struct tiles *tiles, char name[NEXT_BUNDLE_MAX]);

/* NULL is allowed. */
void tiles_destroy(struct tiles *tiles);

#endif
