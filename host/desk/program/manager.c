#include "desk/program/manager.h"

#include "base/loop.h"
#include "desk/folder.h"
#include "desk/page_files.h"
#include "desk/program/act_child.h"
#include "desk/tiles.h"
#include "web/door.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK_US   500000u
#define IN_MAX    8192
#define ACT_LIMIT 512    /* bytes of the output of the act limit */
#define OUT_MAX   393216 /* room for 99 booths with all faults */

/* The act of a referee's wish. */
struct wish {
    void (*done)(void *ctx, int status, const char *said); /* NULL: there is none */
    void *ctx;
    unsigned confederate;    /* from 1 */
    bool tickets;            /* the limit was done; its tickets are being made */
    char limited[ACT_LIMIT]; /* the limit's output */
};

struct manager {
    struct tiles *tiles;
    struct door *door;
    struct http_peer *peer[DOOR_PEERS];
    struct bl_timer tick;
    const struct manager_options *options;
    struct act_child child;
    struct wish wish;
    char server[640]; /* the fault of the nats-server; "": none */
    char disk[640];   /* the fault of the records' disk; "": none */
    char bundle[NEXT_BUNDLE_MAX];
    char text[OUT_MAX];
    size_t length; /* length of the text for the browsers; 0: to be written anew */
};

static void want_all(struct manager *manager)
{
    manager->length = 0;
    for (unsigned i = 0; i < DOOR_PEERS; i++)
        if (manager->peer[i])
            http_want(manager->peer[i]);
}

static void on_tick(struct bl_timer *timer)
{
    struct manager *manager = timer->data;
    bl_timer_set(timer, bl_mono_us() + TICK_US);
    tiles_look(manager->tiles, bl_now());
    want_all(manager);
}

static void write_text(struct manager *manager)
{
    static const char full[] = "{\"server\":\"There is more to show than this page has room for.\","
                               "\"tiles\":[]}";
    struct json_text out = {.at = manager->text, .room = sizeof manager->text};
    json_put(&out, "{");
    json_field(&out, "server", manager->disk[0] ? manager->disk : manager->server);
    act_child_write(&manager->child, &out);
    tiles_write(manager->tiles, bl_now(), &out);
    json_put(&out, "}");
    manager->length = out.full ? sizeof full - 1 : out.length;
    if (out.full)
        memcpy(manager->text, full, sizeof full);
}

static void on_admitted(void *ctx, struct http_peer *peer)
{
    struct manager *manager = ctx;
    for (unsigned i = 0; i < DOOR_PEERS; i++) {
        if (manager->peer[i])
            continue;
        manager->peer[i] = peer;
        http_want(peer);
        return;
    }
    http_drop(peer);
}

static void on_gone(void *ctx, struct http_peer *peer)
{
    struct manager *manager = ctx;
    for (unsigned i = 0; i < DOOR_PEERS; i++)
        if (manager->peer[i] == peer)
            manager->peer[i] = NULL;
}

static void on_writable(void *ctx, struct http_peer *peer)
{
    struct manager *manager = ctx;
    if (!manager->length)
        write_text(manager);
    if (manager->length)
        http_send(peer, false, manager->text, manager->length);
}

/* Reports the outcome of the limit, when its tickets are written or have failed. */
static void end_wish(struct manager *manager)
{
    const struct act_child *child = &manager->child;
    const struct wish wish = manager->wish;
    char next[TILE_NEXT], said[ACT_LIMIT + ACT_SAID + 80];
    manager->wish.done = NULL;
    tiles_next_session(manager->tiles, wish.confederate, next);
    if (!wish.tickets)
        snprintf(said, sizeof said, "%s", child->said);
    else if (child->status)
        snprintf(said, sizeof said, "%s No ticket has it yet, so tell the manager: %s",
                 wish.limited, child->said);
    else if (next[0])
        snprintf(said, sizeof said, "%s From session %s on.", wish.limited, next);
    else
        snprintf(said, sizeof said, "%s No session is to come.", wish.limited);
    wish.done(wish.ctx, wish.tickets ? 0 : child->status, said);
}

/* Makes the tickets of a limit that was done. */
static void go_on_with_wish(struct manager *manager)
{
    static const char tickets[] = "{\"verb\":\"tickets\",\"words\":[]}";
    struct wish *wish = &manager->wish;
    const struct act_child *child = &manager->child;
    if (!wish->done || child->open)
        return;
    if (child->status || wish->tickets) {
        end_wish(manager);
        return;
    }
    wish->tickets = true;
    snprintf(wish->limited, sizeof wish->limited, "%.*s", (int)strcspn(child->said, "\n"),
             child->said);
    act_child_begin(&manager->child, tickets, strlen(tickets));
}

static void on_child_changed(void *ctx)
{
    struct manager *manager = ctx;
    go_on_with_wish(manager);
    want_all(manager);
}

static void on_message(void *ctx, struct http_peer *peer, bool binary, const uint8_t *bytes,
                       size_t length)
{
    struct manager *manager = ctx;
    (void)peer, (void)binary;
    manager->child.bundle = tiles_bundle(manager->tiles, manager->bundle);
    act_child_begin(&manager->child, (const char *)bytes, length);
}

static enum bl_status open_door(struct manager *manager, uv_loop_t *loop, struct bl_diag *diag)
{
    static const struct door_callbacks events = {on_admitted, on_message, on_writable, on_gone};
    static char file[FOLDER_PATH_MAX];
    struct door_options door = {.port = manager->options->port,
                                .file = file,
                                .files = desk_page_files,
                                .in_max = IN_MAX,
                                .out_max = OUT_MAX};
    enum bl_status status = folder_path(file, diag, "%s/server", manager->options->inbox);
    if (status == BL_OK)
        status = folder_make(file, diag);
    if (status == BL_OK)
        status = folder_path(file, diag, "%s/server/page.url", manager->options->inbox);
    return status == BL_OK ? door_open(&manager->door, loop, &door, &events, manager, diag)
                           : status;
}

static void on_tick_closed(struct bl_timer *timer)
{
    free(timer->data);
}

static void say_address(const struct manager *manager, void (*say)(const char *line))
{
    char address[ADDRESS_MAX], line[ADDRESS_MAX + 32];
    web_address_write(door_address(manager->door), address);
    snprintf(line, sizeof line, "the manager's page: %s", address);
    say(line);
}

enum bl_status manager_open(struct manager **out, uv_loop_t *loop,
                            const struct manager_options *options, void (*say)(const char *line),
                            struct bl_diag *diag)
{
    struct manager *manager = calloc(1, sizeof *manager);
    *out = NULL;
    if (!manager)
        return bl_fail(diag, BL_NOMEM, "no memory");
    manager->options = options;
    manager->child = (struct act_child){.loop = loop,
                                        .program = options->boothlink,
                                        .contest = options->contest,
                                        .changed = on_child_changed,
                                        .ctx = manager};
    enum bl_status status =
        tiles_create(&manager->tiles, options->inbox, options->contest, options->run, diag);
    if (status == BL_OK)
        status = bl_timer_init(loop, &manager->tick, on_tick, manager);
    bool timed = status == BL_OK;
    if (timed)
        status = open_door(manager, loop, diag);
    if (status != BL_OK) {
        tiles_destroy(manager->tiles);
        if (timed)
            bl_timer_close(&manager->tick, on_tick_closed);
        else
            free(manager);
        return status;
    }
    bl_timer_set(&manager->tick, bl_mono_us());
    say_address(manager, say);
    *out = manager;
    return BL_OK;
}

void manager_add(struct manager *manager, const char *place, int64_t key_s)
{
    if (manager)
        tiles_add(manager->tiles, place, key_s);
}

void manager_hear(struct manager *manager, const char *place, enum tile_matter matter,
                  const char *fault, const char *todo)
{
    if (manager)
        tiles_hear(manager->tiles, place, matter, fault, todo, bl_now());
}

void manager_hear_state(struct manager *manager, const char *place, const struct post_piece *state)
{
    if (manager)
        tiles_hear_state(manager->tiles, place, state, bl_now());
}

uint64_t manager_run(const struct manager *manager, const char *place)
{
    return manager ? tiles_run(manager->tiles, place) : 0;
}

void manager_server(struct manager *manager, const char *fault)
{
    if (manager)
        snprintf(manager->server, sizeof manager->server, "%s", fault ? fault : "");
}

void manager_disk(struct manager *manager, const char *fault)
{
    if (manager)
        snprintf(manager->disk, sizeof manager->disk, "%s", fault ? fault : "");
}

const char *manager_contest(const struct manager *manager)
{
    return manager ? tiles_contest(manager->tiles) : "";
}

const char *manager_fault(const struct manager *manager)
{
    return manager ? tiles_fault(manager->tiles) : "";
}

unsigned manager_sealed(const struct manager *manager)
{
    return manager ? tiles_sealed(manager->tiles) : 0;
}

void manager_name_side(const struct manager *manager, const char *session, enum side side,
                       char out[TILE_WHO])
{
    out[0] = '\0';
    if (manager)
        tiles_name_side(manager->tiles, session, side, out);
}

bool manager_limit(struct manager *manager, const char *bytes, size_t length,
                   void (*done)(void *ctx, int status, const char *said), void *ctx)
{
    if (!manager) {
        done(ctx, -1, "This desk has no page, and so does no acts. Tell the manager.");
        return true;
    }
    if (manager->child.open)
        return false;
    json_t *wish = json_loadb(bytes, length, 0, NULL);
    const char *who = json_string_value(json_object_get(wish, "who"));
    const char *limit = json_string_value(json_object_get(wish, "text"));
    const char *why = json_string_value(json_object_get(wish, "why"));
    json_t *act = who && limit && why
                      ? json_pack("{s:s, s:[s], s:{s:s, s:s}}", "verb", "limit", "words", who,
                                  "options", "text", limit, "why", why)
                      : NULL;
    char *text = act ? json_dumps(act, 0) : NULL;
    manager->wish = (struct wish){.done = done, .ctx = ctx};
    if (text)
        manager->wish.confederate = *who ? (unsigned)strtoul(who + 1, NULL, 10) : 0;
    json_decref(act);
    json_decref(wish);
    if (text) {
        act_child_begin(&manager->child, text, strlen(text));
    } else {
        manager->wish.done = NULL;
        done(ctx, -1, "The desk cannot read this wish.");
    }
    free(text);
    return true;
}
