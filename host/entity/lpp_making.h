/* The judge's directories, or ours if we are the Entry, are made off the loop: how long a file
 * system takes is then in no acknowledgement that follows (DESIGN.md, "Blindness"). Some at a time;
 * meanwhile the folder stays open, and neither `given` nor `making` of the state is anybody else's.
 */
#ifndef ENTITY_LPP_MAKING_H
#define ENTITY_LPP_MAKING_H

#include "entity/lpp_folder.h"
#include "entity/lpp_state.h"

#include <uv.h>

#define LPP_MAKING_MAX 64

struct lpp_making {
    uv_loop_t *loop;
    const struct lpp_folder *folder;
    struct lpp_state *state;
    enum lpp_from from; /* whose keys these are */
    void (*made)(void *ctx);
    void *ctx;
    uv_work_t work;
    uv_sem_t over; /* posted when the work is */
    bool busy;     /* under way, or its end is not heard yet */
    bool waited;   /* for its end, by lpp_making_wait() */
    struct {
        uint64_t n, number;
        uint32_t point;
    } key[LPP_MAKING_MAX];
    unsigned count, done; /* of key: all, and those that are made */
    int error;            /* why the next one is not; 0 */
};

/* made: the work is over, and another one may begin; `count` is the caller's to put back to 0.
 * BL_NOMEM.
 */
enum bl_status lpp_making_init(struct lpp_making *making, uv_loop_t *loop,
                               const struct lpp_folder *folder, struct lpp_state *state,
                               enum lpp_from from, void (*made)(void *ctx), void *ctx);

/* Key n of the order is to be made. Returns the number that it has in the folder; 0: there is none
 * left. Up to LPP_MAKING_MAX, while it is not busy. */
uint64_t lpp_making_add(struct lpp_making *making, uint64_t n, uint32_t point, uint64_t wall_us);

/* Those that were added are made now. */
void lpp_making_start(struct lpp_making *making);

/* Waits until no work is under way. It stays busy until the loop has heard of that. */
void lpp_making_wait(struct lpp_making *making);

void lpp_making_free(struct lpp_making *making);

#endif
