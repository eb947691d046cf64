#include "entity/lpp_making.h"

#include <errno.h>

uint64_t lpp_making_add(struct lpp_making *making, uint64_t n, uint32_t point, uint64_t wall_us)
{
    uint64_t last = making->count ? making->key[making->count - 1].number : making->state->number;
    uint64_t number = lpp_number_next(last, wall_us);
    if (number == 0)
        return 0;
    making->key[making->count].n = n;
    making->key[making->count].number = number;
    making->key[making->count++].point = point;
    return number;
}

/* The stores are those of lpp_state.h, in their order. */
void lpp_making_run(struct lpp_work *work)
{
    struct lpp_making *m = (struct lpp_making *)work;
    struct lpp_state *state = m->state;
    m->done = 0;
    m->error = 0;
    while (m->done < m->count && m->error == 0) {
        char name[LPP_NAME_MAX + 1];
        uint64_t n = m->key[m->done].n, number = m->key[m->done].number;
        lpp_name_write(name, number, m->key[m->done].point, m->from);
        state->making_point = m->key[m->done].point;
        state->making_ns = lpp_folder_changed_ns(m->folder);
        atomic_store_explicit(&state->number, number, memory_order_release);
        atomic_store_explicit(&state->making, n, memory_order_release);
        if (lpp_folder_make(m->folder, name)) {
            m->error = errno;
        } else {
            atomic_store_explicit(&state->given, n, memory_order_release);
            m->done++;
        }
    }
}
