/* Work on a folder that is done off the loop, one piece at a time, so a slow file system delays no
 * key and no acknowledgement that follows (DESIGN.md, "Blindness"). The folder stays open
 * meanwhile. */
#ifndef ENTITY_LPP_WORK_H
#define ENTITY_LPP_WORK_H

#include "base/status.h"

#include <stdbool.h>
#include <uv.h>

struct lpp_work {
    uv_loop_t *loop;
    void (*run)(struct lpp_work *work); /* in a thread of libuv's */
    void (*over)(void *ctx);            /* on the loop: another one may begin */
    void *ctx;
    uv_work_t work;
    uv_sem_t ran;
    bool busy;   /* under way, or its end is not heard yet */
    bool waited; /* for its end, by lpp_work_wait() */
};

/* BL_NOMEM. */
enum bl_status lpp_work_init(struct lpp_work *work, uv_loop_t *loop,
                             void (*run)(struct lpp_work *work), void (*over)(void *ctx),
                             void *ctx);

/* Begins the work; not while busy. False: not possible. */
bool lpp_work_start(struct lpp_work *work);

/* Is a thread at it? */
bool lpp_work_runs(const struct lpp_work *work);

/* Waits until no thread is at work. It stays busy until the loop has heard of the end. */
void lpp_work_wait(struct lpp_work *work);

void lpp_work_free(struct lpp_work *work);

#endif
