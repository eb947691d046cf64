#include "entity/lpp_making.h"

uint64_t lpp_making_add(struct lpp_making *making, uint64_t last, uint64_t n, uint32_t point,
                        uint64_t wall_us)
{
    struct lpp_task *task = &making->task;
    uint64_t number =
        lpp_number_next(task->count ? task->of.key[task->count - 1].number : last, wall_us);
    if (number)
        task->of.key[task->count++] =
            (struct lpp_task_key){.n = n, .number = number, .point = point};
    return number;
}
