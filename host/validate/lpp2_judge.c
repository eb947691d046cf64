#include "validate/lpp2_judge.h"

#include "adapter/lpp2.h"

#include <stdio.h>
#include <stdlib.h>

struct lpp2_judge {
    uv_loop_t loop;
    struct lpp2 *lpp2;
    int listening;
    unsigned number;
    void (*key)(void *ctx, uint32_t point);
    void *ctx;
    struct lpp2_judge_wrong wrong;
    uint32_t point[LPP2_JUDGE_KEYS];
    enum party party[LPP2_JUDGE_KEYS];
    uint32_t count;
    uint64_t given; /* keys given before the restart */
};

static bool add(struct lpp2_judge *p, enum party party, uint32_t point)
{
    if (p->count == LPP2_JUDGE_KEYS)
        return false;
    p->party[p->count] = party;
    p->point[p->count++] = point;
    return true;
}

static enum handed on_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    struct lpp2_judge *p = ctx;
    (void)pressed_us;
    add(p, PARTY_ENTITY, point);
    p->key(p->ctx, point);
    return HANDED_ON;
}

static uint32_t on_placed(void *ctx, uint64_t n, enum party *party)
{
    const struct lpp2_judge *p = ctx;
    *party = p->party[n - 1];
    return p->point[n - 1];
}

/* Keys are placed at once; none waits. */
static uint32_t on_waiting(void *ctx, size_t i)
{
    (void)ctx;
    (void)i;
    return 0;
}

static void on_event(void *ctx, enum lpp2_event event, uint32_t count, const char *text)
{
    struct lpp2_judge *p = ctx;
    if (event == LPP2_NOT_A_KEY)
        p->wrong.not_keys += count;
    if (event != LPP2_REFUSED)
        return;
    if (p->wrong.count++ == 0)
        snprintf(p->wrong.first, sizeof p->wrong.first, "%s", text);
}

static enum bl_status begin(struct lpp2_judge *p, struct bl_diag *diag)
{
    static const struct lpp2_callbacks callbacks = {
        .key = on_key, .placed = on_placed, .waiting = on_waiting, .event = on_event};
    const struct lpp2_options options = {
        .port = p->number, .listening = p->listening, .boxed = p->listening > 0, .secret = ""};
    enum bl_status status = lpp2_open(&p->lpp2, &p->loop, &options, &callbacks, p, diag);
    if (status)
        return status;
    lpp2_session(p->lpp2, 0, p->given);
    lpp2_start(p->lpp2);
    lpp2_order(p->lpp2, p->count);
    return BL_OK;
}

static void end(struct lpp2_judge *p)
{
    if (p->lpp2)
        p->given = lpp2_given(p->lpp2);
    lpp2_close(p->lpp2);
    p->lpp2 = NULL;
    uv_run(&p->loop, UV_RUN_DEFAULT);
}

enum bl_status lpp2_judge_create(struct lpp2_judge **out, int listening, unsigned port,
                                 void (*key)(void *ctx, uint32_t point), void *ctx,
                                 struct bl_diag *diag)
{
    struct lpp2_judge *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p || uv_loop_init(&p->loop)) {
        free(p);
        return bl_fail(diag, BL_NOMEM, "no memory");
    }
    p->listening = listening;
    p->number = port;
    p->key = key;
    p->ctx = ctx;
    enum bl_status status = begin(p, diag);
    if (status)
        lpp2_judge_destroy(p);
    else
        *out = p;
    return status;
}

void lpp2_judge_destroy(struct lpp2_judge *p)
{
    if (!p)
        return;
    end(p);
    uv_loop_close(&p->loop);
    free(p);
}

enum bl_status lpp2_judge_restart(struct lpp2_judge *p, struct bl_diag *diag)
{
    end(p);
    return begin(p, diag);
}

int lpp2_judge_fd(const struct lpp2_judge *p)
{
    return uv_backend_fd(&p->loop);
}

int lpp2_judge_wait_ms(const struct lpp2_judge *p)
{
    return uv_backend_timeout(&p->loop);
}

bool lpp2_judge_press(struct lpp2_judge *p, uint32_t point)
{
    if (!add(p, PARTY_JUDGE, point))
        return false;
    lpp2_order(p->lpp2, p->count);
    lpp2_judge_take(p);
    return true;
}

void lpp2_judge_take(struct lpp2_judge *p)
{
    lpp2_allow(p->lpp2, LPP2_KEYS_MAX);
    uv_run(&p->loop, UV_RUN_NOWAIT);
    lpp2_order(p->lpp2, p->count);
}

bool lpp2_judge_registered(const struct lpp2_judge *p)
{
    return lpp2_ready(p->lpp2);
}

const struct lpp2_judge_wrong *lpp2_judge_wrong(const struct lpp2_judge *p)
{
    return &p->wrong;
}
