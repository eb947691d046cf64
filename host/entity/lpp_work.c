#include "entity/lpp_work.h"

enum bl_status lpp_work_init(struct lpp_work *work, uv_loop_t *loop,
                             void (*run)(struct lpp_work *work), void (*over)(void *ctx), void *ctx)
{
    if (uv_sem_init(&work->ran, 0))
        return BL_NOMEM;
    work->loop = loop;
    work->run = run;
    work->over = over;
    work->ctx = ctx;
    work->work.data = work;
    return BL_OK;
}

void lpp_work_free(struct lpp_work *work)
{
    if (work->loop)
        uv_sem_destroy(&work->ran);
}

static void run(uv_work_t *handle)
{
    struct lpp_work *work = handle->data;
    work->run(work);
    uv_sem_post(&work->ran);
}

static void on_over(uv_work_t *handle, int status)
{
    struct lpp_work *work = handle->data;
    (void)status;
    if (!work->waited)
        uv_sem_wait(&work->ran);
    work->busy = false;
    work->over(work->ctx);
}

bool lpp_work_start(struct lpp_work *work)
{
    work->waited = false;
    work->busy = uv_queue_work(work->loop, &work->work, run, on_over) == 0;
    return work->busy;
}

bool lpp_work_runs(const struct lpp_work *work)
{
    return work->busy && !work->waited;
}

void lpp_work_wait(struct lpp_work *work)
{
    if (!lpp_work_runs(work))
        return;
    work->waited = true;
    uv_sem_wait(&work->ran);
}
