#include "booth/controller_talk.h"
#include "booth/messages.h"

#include "link/controller_port.h"

#include <signal.h>

#define COMMAND_NONCE 0xB007 /* the same for all commands: one continues where another ended */

void talk_end(struct controller_talk *talk, enum bl_status status)
{
    if (talk->ended)
        return;
    talk->ended = true;
    talk->status = status;
}

static void on_send(void *ctx, const char *bytes, size_t length)
{
    controller_port_send(((struct controller_talk *)ctx)->device, bytes, length);
}

static void on_changed(void *ctx)
{
    ((struct controller_talk *)ctx)->changed = true;
}

static void on_happened(void *ctx, const char *words)
{
    struct controller_talk *talk = ctx;
    if (talk->happened)
        talk->happened(talk, words);
}

static void on_bytes(void *ctx, const char *bytes, size_t length)
{
    client_bytes(((struct controller_talk *)ctx)->client, bytes, length, bl_now());
}

static void on_usable(void *ctx, bool usable, const char *reason)
{
    client_port(((struct controller_talk *)ctx)->client, usable, reason, bl_now());
}

static void close_all(struct controller_talk *talk)
{
    controller_port_close(talk->device);
    talk->device = NULL;
    bl_timer_close(&talk->timer, NULL);
    for (unsigned i = 0; i < 2; i++)
        uv_close((uv_handle_t *)&talk->signal[i], NULL);
    uv_close((uv_handle_t *)&talk->prepare, NULL);
}

/* Ends the talk if the controller refuses it, or does not answer within CONTROLLER_PATIENCE_US. */
static void watch_patience(struct controller_talk *talk, const struct client_view *view,
                           struct bl_time now)
{
    if (view->mine || (!view->refused && now.mono_us < talk->start_us + CONTROLLER_PATIENCE_US))
        return;
    talk_end(talk,
             bl_fail(talk->diag, view->answers ? BL_BUSY : BL_UNAVAIL, "%s: %s", talk->port,
                     view->trouble[0] ? view->trouble : say_fail_the_controller_does_not_take));
}

static void settle(uv_prepare_t *handle)
{
    struct controller_talk *talk = handle->data;
    struct bl_time now = bl_now();
    struct client_view view;
    if (now.mono_us >= client_due(talk->client))
        client_tick(talk->client, now);
    client_view(talk->client, &view, now);
    watch_patience(talk, &view, now);
    if (!talk->ended && (talk->changed || now.mono_us >= talk->due_us)) {
        talk->changed = false;
        talk->due_us = BL_NEVER;
        talk->look(talk, &view, now);
    }
    if (talk->ended) {
        close_all(talk);
        return;
    }
    uint64_t due = client_due(talk->client);
    if (talk->due_us < due)
        due = talk->due_us;
    if (!view.mine && talk->start_us + CONTROLLER_PATIENCE_US < due)
        due = talk->start_us + CONTROLLER_PATIENCE_US;
    bl_timer_set(&talk->timer, due);
}

static void on_timer(struct bl_timer *timer)
{
    (void)timer; /* settle() follows */
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct controller_talk *talk = handle->data;
    (void)number;
    talk->interrupted = true;
    talk_end(talk, BL_OK);
}

enum bl_status talk_run(struct controller_talk *talk, struct bl_diag *diag)
{
    const struct controller_port_callbacks port_callbacks = {on_bytes, on_usable};
    const struct client_callbacks callbacks = {on_send, on_changed, on_happened};
    static const int signals[] = {SIGINT, SIGTERM};
    enum bl_status status;
    if (talk->config.nonce == 0)
        talk->config.nonce = COMMAND_NONCE;
    talk->client = client_create(&talk->config, &callbacks, talk);
    if (!talk->client)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    talk->diag = diag;
    talk->start_us = bl_mono_us();
    talk->due_us = BL_NEVER;
    uv_loop_init(&talk->loop);
    bl_timer_init(&talk->loop, &talk->timer, on_timer, talk);
    uv_prepare_init(&talk->loop, &talk->prepare);
    talk->prepare.data = talk;
    for (unsigned i = 0; i < 2; i++) {
        uv_signal_init(&talk->loop, &talk->signal[i]);
        talk->signal[i].data = talk;
        uv_signal_start(&talk->signal[i], on_signal, signals[i]);
    }
    status =
        controller_port_open(&talk->device, &talk->loop, talk->port, &port_callbacks, talk, diag);
    if (status) {
        talk_end(talk, status);
        close_all(talk);
    } else {
        uv_prepare_start(&talk->prepare, settle);
    }
    uv_run(&talk->loop, UV_RUN_DEFAULT);
    uv_loop_close(&talk->loop);
    client_destroy(talk->client);
    return talk->status;
}
