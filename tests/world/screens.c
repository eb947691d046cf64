/* In the place of host/booth/screens.c: a screen that a test looks at, and a keyboard on which it
 * types. */
#include "world_private.h"

#include "booth/screens.h"

#include <stdlib.h>

#define KEYS       8192 /* that wait for who does not read */
#define NO_COMMAND (-1)

struct viewer {
    struct screen screen; /* its head */
    struct process *process;
    bool (*first)(void *ctx, enum input_what what, uint32_t point);
    struct screen_callbacks callbacks;
    void *ctx;
    const struct screen_model *asked, *drawn;
    bool held, closed;
    uv_idle_t turn; /* the loop's next turn, in which it draws and reads */
    struct {
        enum input_what what;
        int command;    /* that the screen makes of it; NO_COMMAND */
        uint32_t point; /* of INPUT_POINT */
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
    unsigned most = SCREEN_BURST; /* keys in one turn */
    uv_idle_stop(turn);
    while (v->from != v->to && !v->held && !v->closed && most--) {
        unsigned at = v->from++ % KEYS;
        enum input_what what = v->key[at].what;
        uint32_t point = v->key[at].point;
        if (what != INPUT_SILENT && v->first && v->first(v->ctx, what, point))
            continue;
        if (v->key[at].command != NO_COMMAND) {
            if (world_watcher.commanded)
                world_watcher.commanded(world_watcher.ctx, v->process);
            v->callbacks.command(v->ctx, (enum screen_command)v->key[at].command);
        } else if (what == INPUT_POINT) {
            if (world_watcher.pressed)
                world_watcher.pressed(world_watcher.ctx, v->process, point);
            v->callbacks.key(v->ctx, point);
        } else if (v->callbacks.ignored) {
            v->callbacks.ignored(v->ctx);
        }
    }
    if (v->asked && !v->closed)
        draw(v, v->asked);
    if (v->from != v->to && !v->held && !v->closed)
        uv_idle_start(&v->turn, on_turn);
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

enum bl_status screens_listen(int *fd, const struct screens_options *which, char path[SCREENS_PATH],
                              struct bl_diag *diag)
{
    (void)which;
    (void)diag;
    *fd = -1;
    path[0] = '\0';
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
    (void)diag;
    v->first = options->first;
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

static void post(struct process *p, enum input_what what, int command, uint32_t point)
{
    struct viewer *v = process_lives(p) ? p->viewer : NULL;
    if (!v || v->to - v->from >= KEYS)
        return;
    unsigned at = v->to++ % KEYS;
    v->key[at].what = what;
    v->key[at].command = command;
    v->key[at].point = point;
    if (!v->held)
        uv_idle_start(&v->turn, on_turn);
    process_poke(p);
}

void person_press(struct process *p, uint32_t point)
{
    post(p, INPUT_POINT, NO_COMMAND, point);
}

void person_input(struct process *p, enum input_what what)
{
    post(p, what, NO_COMMAND, 0);
}

void person_command(struct process *p, enum screen_command command)
{
    /* The last two are a dialog's answer, which is no key. */
    static const enum input_what keys[] = {
        [SCREEN_BEGIN] = INPUT_F9, [SCREEN_STEWARD] = INPUT_F12,  [SCREEN_OTHER_SIDE] = INPUT_F2,
        [SCREEN_TAKE] = INPUT_F8,  [SCREEN_EPOCH] = INPUT_SILENT, [SCREEN_LEAVE] = INPUT_SILENT};
    post(p, keys[command], (int)command, 0);
}

const struct screen_model *person_sees(const struct process *p)
{
    return process_lives(p) && p->viewer ? p->viewer->drawn : NULL;
}

struct process *machine_screen(const struct machine *m)
{
    for (struct process *p = processes; p; p = p->next)
        if (p->machine == m && process_lives(p) && p->viewer)
            return p;
    return NULL;
}

const struct screen_model *machine_sees(const struct machine *m)
{
    return person_sees(machine_screen(m));
}

void viewer_forget(struct process *p)
{
    p->viewer = NULL;
}
