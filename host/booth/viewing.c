#include "booth/viewing.h"
#include "booth/messages.h"

#include <stdlib.h>

void viewing_look(struct viewing *viewing)
{
    if (!viewing->screen)
        return;
    uint64_t due_us = viewing->callbacks->look(viewing->ctx, &viewing->model, bl_mono_us());
    if (!viewing->screen) /* look() has called viewing_stop() */
        return;
    bl_timer_set(&viewing->timer, due_us);
    screen_dirty(viewing->screen, &viewing->model);
}

static void on_timer(struct bl_timer *timer)
{
    viewing_look(timer->data);
}

void viewing_stop(struct viewing *viewing)
{
    if (!viewing->screen)
        return;
    screen_close(viewing->screen);
    viewing->screen = NULL;
    if (viewing->callbacks->end)
        viewing->callbacks->end(viewing->ctx);
    if (viewing->timer.fd >= 0)
        bl_timer_close(&viewing->timer, NULL);
    booth_signals_close(&viewing->signals);
}

static void stop(void *ctx)
{
    viewing_stop(ctx);
}

static bool on_first(void *ctx, enum input_what what, uint32_t point)
{
    const struct viewing *viewing = ctx;
    return viewing->callbacks->first(viewing->ctx, what, point);
}

static void on_key(void *ctx, uint32_t point)
{
    const struct viewing *viewing = ctx;
    if (viewing->callbacks->key)
        viewing->callbacks->key(viewing->ctx, point);
}

static void on_command(void *ctx, enum screen_command command)
{
    (void)ctx;
    (void)command; /* without a line no command has an effect */
}

static void on_ignored(void *ctx)
{
    (void)ctx;
}

enum bl_status viewing_run(struct viewing *viewing, const struct screens_options *which, bool kiosk,
                           bool small, const struct viewing_callbacks *callbacks, void *ctx,
                           struct bl_diag *diag)
{
    const struct screen_options options = {
        .kiosk = kiosk, .small = small, .no_color = getenv("NO_COLOR") != NULL, .first = on_first};
    const struct screen_callbacks screen_callbacks = {on_key, on_command, on_ignored, stop, NULL};
    enum bl_status status;
    viewing->callbacks = callbacks;
    viewing->ctx = ctx;
    viewing->timer.fd = -1;
    if (uv_loop_init(&viewing->loop))
        return bl_fail(diag, BL_IO, say_fail_the_event_loop_cannot_be_made);
    status = screens_open(&viewing->screen, &viewing->loop, which, &options, &screen_callbacks,
                          viewing, diag);
    if (status == BL_OK) {
        booth_signals_open(&viewing->signals, &viewing->loop, stop, viewing);
        status = bl_timer_init(&viewing->loop, &viewing->timer, on_timer, viewing);
        if (status)
            bl_fail(diag, status, say_fail_no_timer, bl_status_text(status));
        else if (callbacks->begin)
            status = callbacks->begin(ctx, &viewing->loop, diag);
        if (status)
            viewing_stop(viewing);
        else
            viewing_look(viewing);
    }
    uv_run(&viewing->loop, UV_RUN_DEFAULT);
    uv_loop_close(&viewing->loop);
    return status;
}
