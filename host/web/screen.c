#include "web/screen.h"

#include "base/loop.h"
#include "http/server.h"
#include "screen/control.h"
#include "web/address.h"
#include "web/files.h"
#include "web/proof.h"
#include "web/scene.h"
#include "web/messages.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PEERS       8
#define OUT_MAX     61440           /* room for the page's files, or a message */
#define ROW_ROOM    512             /* room in a message for the text after the rows */
#define OTHER       "{\"other\":1}" /* message to a browser that another one has replaced */
#define FAREWELL_US 200000u         /* limit for a browser that does not read the last messages */

/* A WebSocket. It is served only after the page's proof. */
struct visitor {
    struct http_peer *peer; /* NULL: the slot is free */
    enum { VISITOR_COMES, VISITOR_ASKS, VISITOR_PROVES, VISITOR_KNOWN } state;
    struct proof proof;
};

struct web_screen {
    struct screen screen;
    struct screen_control control;
    struct web_address address;
    struct http_server *server;
    struct visitor visitor[PEERS];
    struct http_peer *peer; /* the visitor that has the page; NULL: none */
    unsigned took;          /* number of its messages taken, repeated until acknowledged */
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

/* Stops reading from the browser while nobody takes keys. */
static void set_hold(struct web_screen *web)
{
    if (web->peer)
        http_hold(web->peer, web->held || !web->control.model);
}

/* The browser is empty, or has to redraw everything. */
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

static void on_server_closed(void *ctx)
{
    struct web_screen *web = ctx;
    bl_timer_close(&web->input_timer, on_timer_closed);
}

static void end(struct web_screen *web)
{
    http_close(web->server, on_server_closed);
    web->server = NULL;
}

static void on_input_timer(struct bl_timer *timer)
{
    struct web_screen *web = timer->data;
    if (!web->closing)
        input_timeout(&web->input, on_key, web);
    else if (web->server)
        end(web);
}

/* Gives the page to this browser. */
static void admit(struct web_screen *web, struct visitor *visitor)
{
    struct http_peer *before = web->peer;
    visitor->state = VISITOR_KNOWN;
    http_spare(visitor->peer, false);
    web->peer = visitor->peer;
    web->took = 0;
    web->input = (struct input){0};
    set_hold(web);
    if (before)
        http_want(before); /* to tell it that it was replaced */
    on_anew(web);
}

/* Takes the page's number, and then its proof. */
static void hear_visitor(struct web_screen *web, struct visitor *visitor, const uint8_t *bytes,
                         size_t length)
{
    if (visitor->state == VISITOR_COMES && proof_begin(&visitor->proof, bytes, length)) {
        visitor->state = VISITOR_ASKS;
        http_want(visitor->peer);
    } else if (visitor->state == VISITOR_PROVES &&
               proof_is_page(&visitor->proof, &web->address, bytes, length)) {
        admit(web, visitor);
    } else {
        http_drop(visitor->peer);
    }
}

/* Takes typed keys, as bytes of a terminal; a binary message has keys typed while there was no
 * terminal. */
static void on_message(void *ctx, struct http_peer *peer, bool binary, const uint8_t *bytes,
                       size_t length)
{
    struct web_screen *web = ctx;
    struct visitor *visitor = http_kept(peer);
    if (web->closing || !visitor)
        return;
    if (visitor->state != VISITOR_KNOWN) {
        hear_visitor(web, visitor, bytes, length); /* a message of the proof has no keys */
        return;
    }
    if (peer != web->peer)
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

static void answer_text(struct http_peer *peer, unsigned status, const char *text)
{
    const struct http_answer answer = {status, "text/plain; charset=utf-8", NULL, text,
                                       strlen(text)};
    http_answer(peer, &answer);
}

/* Only the page's own files may be loaded, run or connected to, and nobody may frame the page. */
static const struct http_header headers[] = {
    {"content-security-policy:",
     "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
     "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"x-content-type-options:", "nosniff"},
    {"referrer-policy:", "no-referrer"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"cross-origin-opener-policy:", "same-origin"},
    {"cache-control:", "no-store"},
    {0}};

static const char *type_of(const char *name)
{
    const char *suffix = strrchr(name, '.');
    if (strcmp(suffix, ".css") == 0)
        return "text/css; charset=utf-8";
    return strcmp(suffix, ".js") == 0 ? "text/javascript; charset=utf-8"
                                      : "text/html; charset=utf-8";
}

static void on_request(void *ctx, struct http_peer *peer, const struct http_request *asked)
{
    const struct web_screen *web = ctx;
    const char *name;
    if (!web_address_is_host(&web->address, asked->host)) {
        answer_text(peer, 403, say_this_is_no_name_of);
        return;
    }
    if (strcmp(asked->method, "GET") != 0) {
        answer_text(peer, 405, say_only_get_is_served_here);
        return;
    }
    name = strcmp(asked->path, "/") == 0 ? "page.html" : asked->path + (asked->path[0] == '/');
    for (const struct built_text *file = web_files; file->name; file++) {
        if (strcmp(file->name, name) != 0)
            continue;
        const struct http_answer answer = {200, type_of(name), headers, file->text,
                                           strlen(file->text)};
        http_answer(peer, &answer);
        return;
    }
    answer_text(peer, 404, say_there_is_no_such_file);
}

static unsigned on_upgrade(void *ctx, struct http_peer *peer, const struct http_request *asked)
{
    const struct web_screen *web = ctx;
    (void)peer;
    if (!web_address_is_host(&web->address, asked->host) ||
        !web_address_is_origin(&web->address, asked->origin))
        return 403;
    return strcmp(asked->path, "/socket") == 0 ? 0 : 404;
}

static void on_opened(void *ctx, struct http_peer *peer)
{
    struct web_screen *web = ctx;
    struct visitor *visitor = NULL;
    for (unsigned i = 0; i < PEERS && !visitor; i++)
        if (!web->visitor[i].peer)
            visitor = &web->visitor[i];
    if (web->closing || !visitor) {
        http_drop(peer);
        return;
    }
    *visitor = (struct visitor){.peer = peer};
    http_keep(peer, visitor);
    http_spare(peer, true);
}

static void on_gone(void *ctx, struct http_peer *peer)
{
    struct web_screen *web = ctx;
    struct visitor *visitor = http_kept(peer);
    if (visitor)
        visitor->peer = NULL;
    if (peer != web->peer)
        return;
    web->peer = NULL;
    if (web->closing && web->server)
        end(web);
}

/* Adds the scene if it has changed. */
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

/* Adds rows of the pages that the browser lacks. True if none is left. */
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

/* Writes the number of the last key taken, or the browser would send that key again to the next
 * screen. */
static void say_farewell(struct web_screen *web, struct json_text *out)
{
    json_put(out, "{");
    json_name(out, "took");
    json_number(out, web->took);
    json_put(out, "}");
    http_send(web->peer, false, out->at, out->length);
    if (web->server)
        end(web);
}

/* Answers a browser without the page: the server's proof, or that another one has the page. */
static void tell_visitor(struct web_screen *web, struct http_peer *peer, struct json_text *out)
{
    struct visitor *visitor = http_kept(peer);
    char text[PROOF_TEXT + 1];
    if (!visitor || visitor->state == VISITOR_KNOWN) {
        http_send(peer, false, OTHER, strlen(OTHER));
        http_drop(peer);
    } else if (visitor->state == VISITOR_ASKS) {
        visitor->state = VISITOR_PROVES;
        proof_of_server(&visitor->proof, &web->address, text);
        json_put(out, "{");
        json_field(out, "drawn", visitor->proof.drawn);
        json_field(out, "proof", text);
        json_put(out, "}");
        http_send(peer, false, out->at, out->length);
    }
}

static void on_writable(void *ctx, struct http_peer *peer)
{
    struct web_screen *web = ctx;
    struct json_text out = {.at = web->message, .room = sizeof web->message};
    if (peer != web->peer) {
        tell_visitor(web, peer, &out);
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

enum bl_status web_listen(int *fd, const struct web_options *given, struct bl_diag *diag)
{
    struct web_address address;
    web_address_load(&address, given->file);
    unsigned port = given->port ? given->port : address.port;
    enum bl_status status = http_listen(NULL, &port, fd, diag);
    if (status == BL_BUSY && !given->port && port) {
        port = 0; /* another program uses the old port */
        status = http_listen(NULL, &port, fd, diag);
    }
    if (status)
        return status;
    if (port != address.port)
        web_address_draw(&address);
    address.port = port;
    status = web_address_keep(&address, given->file, diag);
    if (status)
        close(*fd);
    return status;
}

/* True if the socket listens at the address. */
static bool is_socket_of(int fd, const struct web_address *address)
{
    struct sockaddr_in at = {.sin_family = AF_UNSPEC};
    socklen_t size = sizeof at, length = sizeof(int);
    int listens = 0;
    return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens &&
           getsockname(fd, (struct sockaddr *)&at, &size) == 0 && at.sin_family == AF_INET &&
           ntohs(at.sin_port) == address->port;
}

static enum bl_status serve(struct web_screen *web, uv_loop_t *loop,
                            const struct web_options *given, struct bl_diag *diag)
{
    static const struct http_callbacks callbacks = {.request = on_request,
                                                    .upgrade = on_upgrade,
                                                    .opened = on_opened,
                                                    .message = on_message,
                                                    .writable = on_writable,
                                                    .gone = on_gone};
    struct http_options options = {.peers = PEERS, .in_max = SCREEN_BURST, .out_max = OUT_MAX};
    int own = -1;
    enum bl_status status = given->listening > 0 ? BL_OK : web_listen(&own, given, diag);
    if (status)
        return status;
    web_address_load(&web->address, given->file);
    options.listening = own >= 0 ? own : given->listening;
    options.port = web->address.port;
    if (is_socket_of(options.listening, &web->address))
        status = http_open(&web->server, loop, &options, &callbacks, web, diag);
    else
        status = bl_fail(diag, BL_DATA, say_fail_expected_the_address_of_the_socket, given->file);
    if (own >= 0)
        close(own);
    return status;
}

enum bl_status web_open(struct screen **out, uv_loop_t *loop, const struct web_options *given,
                        const struct screen_options *options,
                        const struct screen_callbacks *callbacks, void *ctx, struct bl_diag *diag)
{
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
    status = serve(web, loop, given, diag);
    if (status) {
        if (web->server)
            web_close(&web->screen);
        else
            bl_timer_close(&web->input_timer, on_timer_closed);
        return status;
    }
    web_address_write(&web->address, address);
    given->tell(ctx, address, given->file);
    *out = &web->screen;
    return BL_OK;
}
