/* In the place of host/booth/screens.c: a screen that a test looks at, and a keyboard on which it
 * types. */
#include "world_private.h"

#include "booth/screens.h"

#include <stdlib.h>

#define KEYS 8192 /* that wait for who does not read */

struct viewer {
    struct screen screen; /* its head */
    struct process *process;
    struct screen_callbacks callbacks;
    void *ctx;
    const struct screen_model *asked, *drawn;
    bool held, closed;
    uv_idle_t turn; /* the loop's next turn, in which it draws and reads */
    struct {
        bool command;
        uint32_t what;
    } key[KEYS];
    unsigned from, to;
};

static void draw(struct viewer *v, const struct screen_model *model)
{
    process_call();
    v->asked = NULL;
    v->drawn = model;
    if (world_watcher.drawn)
        world_watcher.drawn(world_watcher.ctx, v->process, model);
}

static void on_turn(uv_idle_t *turn)
{
    struct viewer *v = turn->data;
    uv_idle_stop(turn);
    while (v->from != v->to && !v->held && !v->closed) {
        unsigned at = v->from++ % KEYS;
        if (v->key[at].command) {
            if (world_watcher.commanded)
                world_watcher.commanded(world_watcher.ctx, v->process);
            v->callbacks.command(v->ctx, v->key[at].what);
        } else {
            if (world_watcher.pressed)
                world_watcher.pressed(world_watcher.ctx, v->process, v->key[at].what);
            v->callbacks.key(v->ctx, v->key[at].what);
        }
    }
    if (v->asked && !v->closed)
        draw(v, v->asked);
}

static void viewer_dirty(struct screen *screen, const struct screen_model *model)
{
    struct viewer *v = (struct viewer *)screen;
    v->asked = model;
    uv_idle_start(&v->turn, on_turn);
}

static void viewer_draw(struct screen *screen, const struct screen_model *model)
{
    draw((struct viewer *)screen, model);
}

static void viewer_hold(struct screen *screen, bool hold)
{
    struct viewer *v = (struct viewer *)screen;
    v->held = hold;
    if (!hold && v->from != v->to)
        uv_idle_start(&v->turn, on_turn);
}

static void on_closed(uv_handle_t *turn)
{
    free(turn->data);
}

static void viewer_close(struct screen *screen)
{
    struct viewer *v = (struct viewer *)screen;
    v->closed = true;
    v->process->viewer = NULL;
    uv_close((uv_handle_t *)&v->turn, on_closed);
}

enum bl_status screens_check(const char *screen, struct bl_diag *diag)
{
    (void)screen;
    (void)diag;
    return BL_OK;
}

bool screens_is_web(const char *screen)
{
    (void)screen;
    return false;
}

enum bl_status screens_open(struct screen **out, uv_loop_t *loop,
                            const struct screens_options *which,
                            const struct screen_options *options,
                            const struct screen_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag)
{
    static const struct screen_kind kind = {viewer_dirty, viewer_draw, viewer_hold, viewer_close};
    struct viewer *v = calloc(1, sizeof *v);
    (void)which;
    (void)options;
    (void)diag;
    v->screen.kind = &kind;
    v->process = process_current;
    v->callbacks = *callbacks;
    v->ctx = ctx;
    uv_idle_init(loop, &v->turn);
    v->turn.data = v;
    process_current->viewer = v;
    *out = &v->screen;
    return BL_OK;
}

static void post(struct process *p, bool command, uint32_t what)
{
    struct viewer *v = process_lives(p) ? p->viewer : NULL;
    if (!v || v->to - v->from >= KEYS)
        return;
    unsigned at = v->to++ % KEYS;
    v->key[at].command = command;
    v->key[at].what = what;
    if (!v->held)
        uv_idle_start(&v->turn, on_turn);
    process_poke(p);
}

void person_press(struct process *p, uint32_t point)
{
    post(p, false, point);
}

void person_command(struct process *p, enum screen_command command)
{
    post(p, true, command);
}

const struct screen_model *person_sees(const struct process *p)
{
    return process_lives(p) && p->viewer ? p->viewer->drawn : NULL;
}

void viewer_forget(struct process *p)
{
    p->viewer = NULL;
}
