/* Removes the directories of the Entry's journalled keys, in their order, by boothlink-lpp. A slot
 * of the state (entity/lpp_state.h) marks each directory until its removal. */
#ifndef ENTITY_LPP_REMOVING_H
#define ENTITY_LPP_REMOVING_H

#include "entity/lpp_folder.h"
#include "entity/lpp_waiting.h"
#include "entity/lpp_work.h"

struct lpp_removing {
    struct lpp_work work; /* first */
    struct lpp_task task;
    struct {
        struct lpp_item item;
        int error; /* errno of a failed removal; 0: removed */
    } name[LPP_TAKEN_MAX];
    unsigned added, started, over, heard; /* counters of names: heard <= over <= started <= added */
};

bool lpp_removing_full(const struct lpp_removing *removing);

/* Adds a name to remove. Requires room: lpp_removing_full(). */
void lpp_removing_add(struct lpp_removing *removing, const struct lpp_item *item);

/* Starts the removal of the added names, if no work is under way. */
void lpp_removing_start(struct lpp_removing *removing, const struct lpp_folder *folder);

/* The work has ended. If its result was lost, its names are removed once more. */
void lpp_removing_end(struct lpp_removing *removing);

/* Removes in this process the names whose removal has not begun. Called after lpp_work_wait() and
 * lpp_removing_end(). */
void lpp_removing_rest(struct lpp_removing *removing, const struct lpp_folder *folder);

/* The next name whose removal is over. error: errno of a failure; 0: removed. NULL: none. */
const struct lpp_item *lpp_removing_next(struct lpp_removing *removing, int *error);

#endif
