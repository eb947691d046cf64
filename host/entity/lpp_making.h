/* Makes directories for the judge's keys; if this end is the Entry, for the Entry's keys. */
#ifndef ENTITY_LPP_MAKING_H
#define ENTITY_LPP_MAKING_H

#include "entity/lpp_work.h"

struct lpp_making {
    struct lpp_work work; /* first */
    struct lpp_task task;
};

/* Adds key n of the order. Returns the number of the key's directory; 0: the numbers are used up.
 * Takes at most LPP_MAKING_MAX keys, while the work is not busy. last: number of the last made
 * directory. */
uint64_t lpp_making_add(struct lpp_making *making, uint64_t last, uint64_t n, uint32_t point,
                        uint64_t wall_us);

#endif
