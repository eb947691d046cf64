/* Makes the judge's directories, or ours if we are the Entry, off the loop, some at a time. While
 * that runs nobody else may touch `given` and `making` of the state. */
#ifndef ENTITY_LPP_MAKING_H
#define ENTITY_LPP_MAKING_H

#include "entity/lpp_folder.h"
#include "entity/lpp_state.h"
#include "entity/lpp_work.h"

#define LPP_MAKING_MAX 64

struct lpp_making {
    struct lpp_work work; /* first */
    const struct lpp_folder *folder;
    struct lpp_state *state;
    enum lpp_from from; /* the party of these keys */
    struct {
        uint64_t n, number;
        uint32_t point;
    } key[LPP_MAKING_MAX];
    unsigned count, done; /* of key: all, and those that are made */
    int error;            /* errno of the next one's failure; 0 */
};

/* Key n of the order is to be made. Returns the number it has in the folder; 0: there is none left.
 * Up to LPP_MAKING_MAX, while it is not busy. */
uint64_t lpp_making_add(struct lpp_making *making, uint64_t n, uint32_t point, uint64_t wall_us);

/* A work's `run`: makes those that were added. Afterwards the caller sets `count` back to 0. */
void lpp_making_run(struct lpp_work *work);

#endif
