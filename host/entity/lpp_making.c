#include "entity/lpp_making.h"

#include <errno.h>

enum bl_status lpp_making_init(struct lpp_making *making, uv_loop_t *loop,
                               const struct lpp_folder *folder, struct lpp_state *state,
                               enum lpp_from from, void (*made)(void *ctx), void *ctx)
{
    if (uv_sem_init(&making->over, 0))
        return BL_NOMEM;
    making->loop = loop;
    making->folder = folder;
    making->state = state;
    making->from = from;
    making->made = made;
    making->ctx = ctx;
    making->work.data = making;
    return BL_OK;
}

void lpp_making_free(struct lpp_making *making)
{
    if (making->loop)
        uv_sem_destroy(&making->over);
}

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

/* In a thread of libuv's. The stores are those of lpp_state.h, in their order. */
static void make(uv_work_t *work)
{
    struct lpp_making *m = work->data;
    struct lpp_state *state = m->state;
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
    uv_sem_post(&m->over);
}

static void on_over(uv_work_t *work, int status)
{
    struct lpp_making *m = work->data;
    (void)status;
    if (!m->waited)
        uv_sem_wait(&m->over);
    m->busy = false;
    m->made(m->ctx);
}

void lpp_making_start(struct lpp_making *making)
{
    if (making->count == 0)
        return;
    making->done = 0;
    making->error = 0;
    making->waited = false;
    making->busy = uv_queue_work(making->loop, &making->work, make, on_over) == 0;
}

void lpp_making_wait(struct lpp_making *making)
{
    if (!making->busy || making->waited)
        return;
    making->waited = true;
    uv_sem_wait(&making->over);
}
