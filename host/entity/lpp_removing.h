/* The Entry's directories whose keys are journalled are removed beside the loop, in their order;
 * until then a slot of the state (entity/lpp_state.h) says that they were taken. */
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
        int error; /* errno of its failure; 0 */
    } name[LPP_TAKEN_MAX];
    unsigned added, started, over, heard; /* since it was made: heard <= over <= started <= added */
};

/* Is there no room for another one? */
bool lpp_removing_full(const struct lpp_removing *removing);

/* To be removed; there is room. */
void lpp_removing_add(struct lpp_removing *removing, const struct lpp_item *item);

/* Those that were added are to be removed now, if no work is under way. */
void lpp_removing_start(struct lpp_removing *removing, const struct lpp_folder *folder);

/* The work is over, or lost: then its names are to be removed once more. */
void lpp_removing_end(struct lpp_removing *removing);

/* Removes those that no work was begun for, at once; after lpp_work_wait() and lpp_removing_end().
 */
void lpp_removing_rest(struct lpp_removing *removing, const struct lpp_folder *folder);

/* The next one whose removal is over, and errno of a failure (0: removed); NULL: none. */
const struct lpp_item *lpp_removing_next(struct lpp_removing *removing, int *error);

#endif
