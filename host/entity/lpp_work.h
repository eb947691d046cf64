/* The terminal's end of boothlink-lpp (lpp_task.h). One piece of work is under way at a time. If
 * boothlink-lpp ends without an answer, the next work starts it again. */
#ifndef ENTITY_LPP_WORK_H
#define ENTITY_LPP_WORK_H

#include "entity/lpp_task.h"

#include <uv.h>

struct lpp_work {
    uv_loop_t *loop;
    int state;               /* descriptor of the state's file; the caller keeps it */
    void (*over)(void *ctx); /* called from the loop: the work is done or `lost` */
    void (*closed)(void *ctx);
    void *ctx;
    uv_poll_t poll;
    bool watched, busy, closing;
    bool lost; /* the program has ended without a result */
    int socket;
    pid_t pid;
    struct lpp_task_done done; /* results of the last work, unless `lost` */
};

/* Starts the program. Errors: BL_UNAVAIL, BL_IO. The caller calls lpp_work_close() in any case. */
enum bl_status lpp_work_open(struct lpp_work *work, struct bl_diag *diag);

/* Begins the work, while none is under way. folder: the folder's descriptor. False: not possible
 * now. */
bool lpp_work_start(struct lpp_work *work, const struct lpp_task *task, int folder);

/* Waits until the work is over, without a call of over(). */
void lpp_work_wait(struct lpp_work *work);

/* Kills the program. True: closed() follows from the loop. */
bool lpp_work_close(struct lpp_work *work);

#endif
