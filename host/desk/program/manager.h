/* The manager's page of a desk. Sends the booths' state (desk/tiles.h) to each open page twice a
 * second. A click does an act of the contest: the command of that name, with its reason. The page
 * shows the command's output. */
#ifndef DESK_PROGRAM_MANAGER_H
#define DESK_PROGRAM_MANAGER_H

#include "desk/tiles.h"

#include <uv.h>

struct manager;

struct manager_options {
    const char *inbox, *contest; /* the desk's folder, the contest's file */
    const char *boothlink;       /* the program of the acts */
    unsigned port;               /* 0: the last one, or any */
    uint64_t run;                /* number of the desk's run, drawn at its start */
};

/* Serves the page on 127.0.0.1. Its address is printed, and written to INBOX/server/page.url.
 * Errors of door_open(). The options outlive the manager. */
enum bl_status manager_open(struct manager **out, uv_loop_t *loop,
                            const struct manager_options *options, void (*say)(const char *line),
                            struct bl_diag *diag);

/* As tiles_add(), tiles_hear(), tiles_hear_state(), tiles_run(). */
void manager_add(struct manager *manager, const char *place, int64_t key_s);
void manager_hear(struct manager *manager, const char *place, enum tile_matter matter,
                  const char *fault, const char *todo);
void manager_hear_state(struct manager *manager, const char *place, const struct post_piece *state);
uint64_t manager_run(const struct manager *manager, const char *place);

/* The fault of the contest's file; "": none. */
const char *manager_fault(const struct manager *manager);

/* Sets the fault of the nats-server; NULL: none, it is open for the places. */
void manager_server(struct manager *manager, const char *fault);

/* Sets the disk's fault; NULL: all records are on the disk. */
void manager_disk(struct manager *manager, const char *fault);

/* Names the entity of a side, for a referee who may know it; see tiles_name_side(). */
void manager_name_side(const struct manager *manager, const char *session, enum side side,
                       char out[TILE_WHO]);

/* Takes a referee's wish, {"who": "C2", "text": "...", "why": "..."}: the act limit, and then
 * tickets for the next session. `done` gets the outcome of the limit: its words and its first
 * session, or the refusal, also without a page. False: another act is under way. */
bool manager_limit(struct manager *manager, const char *bytes, size_t length,
                   void (*done)(void *ctx, int status, const char *said), void *ctx);

/* As tiles_contest(); "": no page. */
const char *manager_contest(const struct manager *manager);

/* As tiles_sealed(); 0: no page. */
unsigned manager_sealed(const struct manager *manager);

#endif
