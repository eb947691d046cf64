#include "web/screen.h"

#include "base/loop.h"
#include "screen/control.h"
#include "web/files.h"
#include "web/scene.h"
#include "web/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT_MAX     61440           /* room for the page's files, or a message */
#define ROW_ROOM    512             /* room in a message for the text after the rows */
#define OTHER       "{\"other\":1}" /* message to a browser that another one has replaced */
#define FAREWELL_US 200000u         /* the longest wait for a browser to read the last message */

struct web_screen {
    struct screen screen;
    struct screen_control control;
    struct door *door;      /* NULL: closed */
    struct http_peer *peer; /* the browser that has the page; NULL: none */
    unsigned took;          /* number of messages taken from the browser; part of each message to
                             * the browser */
    struct input input;
    struct bl_timer input_timer;
    bool closing, held, dirty;
    struct scene_pane pane[SIDES][PANES];
    char scene[2][SCENE_SIZE]; /* the browser's current scene, and the next one */
    size_t scene_length;
    char message[OUT_MAX];
};

static void request(struct web_screen *web)
{
    web->dirty = true;
    if (web->peer && web->control.model && !web->closing)
        http_want(web->peer);
}

static void on_changed(void *ctx)
{
    request(ctx);
}

/* Stops reading from the browser while the keyboard is held. */
static void set_hold(struct web_screen *web)
{
    if (web->peer)
        http_hold(web->peer, web->held || !web->control.model);
}

/* Sends everything again, to a new browser or for a new drawing. */
static void on_anew(void *ctx)
{
    struct web_screen *web = ctx;
    for (enum side side = 0; side < SIDES; side++)
        for (unsigned pane = 0; pane < PANES; pane++)
            web->pane[side][pane] = (struct scene_pane){0};
    web->scene_length = 0;
    request(web);
}

static const struct control_callbacks drawing = {.changed = on_changed, .anew = on_anew};

static void on_key(void *ctx, enum input_what what, uint32_t point)
{
    struct web_screen *web = ctx;
    if (!web->closing)
        control_key(&web->control, what, point);
}

static void on_timer_closed(struct bl_timer *timer)
{
    free(timer->data);
}

static void on_door_closed(void *ctx)
{
    struct web_screen *web = ctx;
    bl_timer_close(&web->input_timer, on_timer_closed);
}

static void end(struct web_screen *web)
{
    door_close(web->door, on_door_closed);
    web->door = NULL;
}

static void on_input_timer(struct bl_timer *timer)
{
    struct web_screen *web = timer->data;
    if (!web->closing)
        input_timeout(&web->input, on_key, web);
    else if (web->door)
        end(web);
}

/* Gives the screen to this browser. The browser before loses it. */
static void on_admitted(void *ctx, struct http_peer *peer)
{
    struct web_screen *web = ctx;
    struct http_peer *before = web->peer;
    if (web->closing) {
        http_drop(peer);
        return;
    }
    web->peer = peer;
    web->took = 0;
    web->input = (struct input){0};
    set_hold(web);
    if (before)
        http_want(before); /* on_writable() reports the replacement to this browser */
    on_anew(web);
}

/* Takes a message with the bytes of typed keys. A binary message has keys typed without a
 * terminal. */
static void on_message(void *ctx, struct http_peer *peer, bool binary, const uint8_t *bytes,
                       size_t length)
{
    struct web_screen *web = ctx;
    if (web->closing || peer != web->peer)
        return;
    if (binary && web->control.callbacks.kept)
        web->control.callbacks.kept(web->control.ctx);
    for (size_t i = 0; i < length && !web->closing; i++)
        input_feed(&web->input, bytes[i], on_key, web);
    web->took++;
    if (web->closing)
        return;
    request(web);
    unsigned wait_ms = input_wait_ms(&web->input);
    bl_timer_set(&web->input_timer, wait_ms ? bl_mono_us() + wait_ms * 1000u : BL_NEVER);
}

static void on_gone(void *ctx, struct http_peer *peer)
{
    struct web_screen *web = ctx;
    if (peer != web->peer)
        return;
    web->peer = NULL;
    if (web->closing && web->door)
        end(web);
}

/* Adds the scene to the message if the scene has changed. */
static void add_scene(struct web_screen *web, struct json_text *out)
{
    struct json_text scene = {.at = web->scene[1], .room = SCENE_SIZE};
    scene_write(web->control.model, &web->control, &scene);
    if (scene.full ||
        (scene.length == web->scene_length && !memcmp(web->scene[0], web->scene[1], scene.length)))
        return;
    memcpy(web->scene[0], web->scene[1], scene.length);
    web->scene_length = scene.length;
    json_name(out, "scene");
    memcpy(out->at + out->length, scene.at, scene.length);
    out->length += scene.length;
}

/* Adds rows that the browser lacks, as many as have room. True: none is left. */
static bool add_rows(struct web_screen *web, struct json_text *out)
{
    const struct screen_model *model = web->control.model;
    bool all = true;
    json_name(out, "rows");
    json_put(out, "[");
    for (enum side side = 0; side < model->sides && all; side++)
        for (unsigned pane = 0; pane < PANES && all; pane++)
            all = scene_rows(&web->pane[side][pane], model, side, pane, ROW_ROOM, out);
    json_put(out, "]");
    return all;
}

/* Sends the number of messages taken, which keeps the browser from sending the last ones again to
 * the next screen. */
static void say_farewell(struct web_screen *web, struct json_text *out)
{
    json_put(out, "{");
    json_name(out, "took");
    json_number(out, web->took);
    json_put(out, "}");
    http_send(web->peer, false, out->at, out->length);
    if (web->door)
        end(web);
}

static void on_writable(void *ctx, struct http_peer *peer)
{
    struct web_screen *web = ctx;
    struct json_text out = {.at = web->message, .room = sizeof web->message};
    if (peer != web->peer) {
        http_send(peer, false, OTHER, strlen(OTHER));
        http_drop(peer);
        return;
    }
    if (web->closing) {
        say_farewell(web, &out);
        return;
    }
    if (!web->dirty || !web->control.model)
        return;
    view_meet(&web->control.view, web->control.model);
    json_put(&out, "{");
    add_scene(web, &out);
    web->dirty = false;
    if (!web->control.model->board) {
        web->dirty = !add_rows(web, &out);
        if (web->dirty)
            json_field_number(&out, "more", 1);
        json_name(&out, "cursor");
        scene_cursor(web->control.model, &out);
    }
    json_name(&out, "took");
    json_number(&out, web->took);
    json_put(&out, "}");
    http_send(peer, false, out.at, out.length);
    if (web->dirty)
        http_want(peer);
}

static void web_dirty(struct screen *screen, const struct screen_model *model)
{
    struct web_screen *web = (struct web_screen *)screen;
    bool first = !web->control.model;
    web->control.model = model;
    if (first)
        set_hold(web);
    for (enum side side = 0; side < model->sides && !model->board; side++) {
        if (model->side[side].active && !web->control.view.active[side])
            web->control.view.focus = side;
        web->control.view.active[side] = model->side[side].active;
    }
    request(web);
}

static void web_hold(struct screen *screen, bool hold)
{
    struct web_screen *web = (struct web_screen *)screen;
    if (hold == web->held || web->closing)
        return;
    web->held = hold;
    set_hold(web);
}

static void web_close(struct screen *screen)
{
    struct web_screen *web = (struct web_screen *)screen;
    web->closing = true;
    if (!web->peer) {
        end(web);
        return;
    }
    http_want(web->peer);
    bl_timer_set(&web->input_timer, bl_mono_us() + FAREWELL_US);
}

static const struct screen_kind kind = {web_dirty, web_dirty, web_hold, web_close};

enum bl_status web_open(struct screen **out, uv_loop_t *loop, const struct web_options *given,
                        const struct screen_options *options,
                        const struct screen_callbacks *callbacks, void *ctx, struct bl_diag *diag)
{
    static const struct door_callbacks events = {on_admitted, on_message, on_writable, on_gone};
    const struct door_options door = {.listening = given->listening,
                                      .port = given->port,
                                      .file = given->file,
                                      .files = web_files,
                                      .in_max = SCREEN_BURST,
                                      .out_max = OUT_MAX};
    struct web_screen *web = calloc(1, sizeof *web);
    char address[ADDRESS_MAX];
    enum bl_status status;
    *out = NULL;
    if (!web)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_screen);
    web->screen.kind = &kind;
    web->control = (struct screen_control){.options = *options,
                                           .callbacks = *callbacks,
                                           .ctx = ctx,
                                           .drawing = &drawing,
                                           .screen = web};
    status = bl_timer_init(loop, &web->input_timer, on_input_timer, web);
    if (status) {
        free(web);
        return bl_fail(diag, status, say_fail_no_timer, bl_status_text(status));
    }
    uv_unref((uv_handle_t *)&web->input_timer.poll);
    status = door_open(&web->door, loop, &door, &events, web, diag);
    if (status) {
        bl_timer_close(&web->input_timer, on_timer_closed);
        return status;
    }
    web_address_write(door_address(web->door), address);
    given->tell(ctx, address, given->file);
    *out = &web->screen;
    return BL_OK;
}
