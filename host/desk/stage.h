/* The audience's process, boothlink-audience: a child of the desk. Its standard input brings the
 * keys that the audience may see (desk/feed.h). */
#ifndef DESK_STAGE_H
#define DESK_STAGE_H

#include "desk/feed.h"

#include <uv.h>

struct stage;

struct stage_options {
    const char *program;         /* boothlink-audience */
    const char *listen;          /* ADDRESS:PORT of the audience's network; NULL: no audience */
    const char *booths;          /* the address by which booths reach the desk */
    const char *inbox, *contest; /* as of feed_create() */
    uint64_t delay_us;           /* seconds in us, or FEED_SEALED */
};

/* Starts the process, and starts it again after its end. The options outlive the stage. BL_NOMEM;
 * BL_USAGE: the address is on the booths' network, or the booths' network is every network of this
 * machine. */
enum bl_status stage_open(struct stage **out, uv_loop_t *loop, const struct stage_options *options,
                          void (*say)(const char *line), struct bl_diag *diag);

/* stage_add() adds a booth's place. stage_tick() sends the due keys. NULL is allowed in both: no
 * audience. `sealed`: number of sealed rounds. */
void stage_add(struct stage *stage, const char *place);
void stage_tick(struct stage *stage, struct bl_time now, unsigned sealed);

#endif
