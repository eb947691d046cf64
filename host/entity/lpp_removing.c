#include "entity/lpp_removing.h"

#include <errno.h>

bool lpp_removing_full(const struct lpp_removing *removing)
{
    return removing->added - removing->heard == LPP_TAKEN_MAX - 1;
}

void lpp_removing_add(struct lpp_removing *removing, const struct lpp_item *item)
{
    removing->name[removing->added % LPP_TAKEN_MAX].item = *item;
    removing->name[removing->added++ % LPP_TAKEN_MAX].error = 0;
}

bool lpp_removing_start(struct lpp_removing *removing)
{
    unsigned before = removing->started;
    if (removing->work.busy || removing->started == removing->added)
        return false;
    removing->started = removing->added;
    if (lpp_work_start(&removing->work))
        return true;
    removing->started = before;
    return false;
}

void lpp_removing_run(struct lpp_work *work)
{
    struct lpp_removing *removing = (struct lpp_removing *)work;
    for (unsigned i = removing->heard; i != removing->started; i++)
        if (lpp_folder_remove(removing->folder, removing->name[i % LPP_TAKEN_MAX].item.name))
            removing->name[i % LPP_TAKEN_MAX].error = errno;
}

const struct lpp_item *lpp_removing_next(struct lpp_removing *removing, int *error)
{
    unsigned at = removing->heard % LPP_TAKEN_MAX;
    if (lpp_work_runs(&removing->work) || removing->heard == removing->started)
        return NULL;
    removing->heard++;
    *error = removing->name[at].error;
    return &removing->name[at].item;
}

void lpp_removing_rest(struct lpp_removing *removing)
{
    removing->started = removing->added;
    lpp_removing_run(&removing->work);
}
