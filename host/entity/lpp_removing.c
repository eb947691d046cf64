#include "entity/lpp_removing.h"

#include <errno.h>
#include <string.h>

bool lpp_removing_full(const struct lpp_removing *removing)
{
    return removing->added - removing->heard == LPP_TAKEN_MAX - 1;
}

void lpp_removing_add(struct lpp_removing *removing, const struct lpp_item *item)
{
    removing->name[removing->added % LPP_TAKEN_MAX].item = *item;
    removing->name[removing->added++ % LPP_TAKEN_MAX].error = 0;
}

void lpp_removing_start(struct lpp_removing *removing, const struct lpp_folder *folder)
{
    struct lpp_task *task = &removing->task;
    if (removing->work.busy || removing->started == removing->added)
        return;
    task->removes = true;
    task->count = 0;
    for (unsigned i = removing->started; i != removing->added; i++)
        memcpy(task->of.name[task->count++], removing->name[i % LPP_TAKEN_MAX].item.name,
               sizeof task->of.name[0]);
    if (lpp_work_start(&removing->work, task, folder->hand))
        removing->started = removing->added;
}

void lpp_removing_end(struct lpp_removing *removing)
{
    if (removing->work.lost)
        removing->started = removing->over;
    for (unsigned i = 0; removing->over != removing->started; i++)
        removing->name[removing->over++ % LPP_TAKEN_MAX].error = removing->work.done.removed[i];
}

void lpp_removing_rest(struct lpp_removing *removing, const struct lpp_folder *folder)
{
    for (; removing->started != removing->added; removing->started++)
        if (lpp_folder_remove(folder, removing->name[removing->started % LPP_TAKEN_MAX].item.name))
            removing->name[removing->started % LPP_TAKEN_MAX].error = errno;
    removing->over = removing->added;
}

const struct lpp_item *lpp_removing_next(struct lpp_removing *removing, int *error)
{
    unsigned at = removing->heard % LPP_TAKEN_MAX;
    if (removing->heard == removing->over)
        return NULL;
    removing->heard++;
    *error = removing->name[at].error;
    return &removing->name[at].item;
}
