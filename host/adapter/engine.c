#include "adapter/engine.h"

#include "base/loop.h"
#include "base/utf8.h"
#include "http/server.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PEERS   (2 * ENGINE_CLIENTS + 4) /* a poll and a WebSocket of each client, and newcomers */
#define IN_MAX  65536
#define OUT_MAX (ENGINE_ROOM + 2048) /* all waiting packets in one payload */

/* The interval of a client's pings, and the time for which either side waits for an answer.
 * TIMEOUT_MS is long, since a thinking Entry may not answer. */
#define PING_MS    5000
#define TIMEOUT_MS 30000

/* Gap between two frames of a WebSocket: some clients take only one of several frames that arrive
 * together. */
#define GAP_US 20000

#define SID_BYTES 12
#define SID_MAX   (2 * SID_BYTES)
#define PROBE     "3probe"

/* A packet in a client's queue; its bytes follow. */
struct queued {
    uint64_t mark;
    size_t length;
};

struct engine_client {
    struct engine *engine;
    char sid[SID_MAX + 1]; /* "": the slot is free */
    bool binary;           /* kind of the client's payloads */
    bool dropped;
    struct http_peer *poll;   /* the request that waits for packets */
    struct http_peer *socket; /* the client's WebSocket; NULL: none */
    bool upgraded;            /* the WebSocket carries all packets */
    bool probing, probed;     /* the client tried a WebSocket; it received the answer */
    bool waits;               /* the gap after the last frame lasts until free_us */
    uint64_t free_us;
    bool greeted; /* the client has the session's cookie */
    uint64_t heard_us;
    uint64_t left;     /* the greatest mark that was sent */
    uint64_t asked;    /* the greatest mark before the last ping */
    bool pinged, sure; /* pinged: a ping is pending; sure: a ping was answered, or the client
                        * polls */
    char origin[256];  /* origin of the polling page; "" for a program */
    size_t used;       /* bytes in the queue */
    uint8_t queue[ENGINE_ROOM];
};

struct engine {
    struct http_server *server;
    struct engine_callbacks callbacks;
    void *ctx;
    bool pages, own;
    struct bl_timer timer;
    void (*closed)(void *ctx);
    const struct engine_client *kept;
    uint8_t body[IN_MAX], payload[OUT_MAX];
    struct engine_client client[ENGINE_CLIENTS];
};

static const struct http_answer not_found = {.status = 404, .type = "text/plain"};

/* Answers a polling request. CORS headers let any allowed page read the answer. */
static void answer_with(struct http_peer *peer, const char *origin, const char *cookie,
                        unsigned status, const char *type, const void *body, size_t length)
{
    const struct http_header headers[] = {
        {"cache-control:", "no-store"},
        {"access-control-allow-origin:", origin[0] ? origin : "*"},
        {"access-control-allow-headers:", "content-type"},
        {origin[0] ? "access-control-allow-credentials:" : NULL, "true"},
        {cookie[0] ? "set-cookie:" : NULL, cookie},
        {NULL, NULL}};
    struct http_header used[sizeof headers / sizeof *headers];
    const struct http_answer whole = {status, type, used, body, length};
    size_t count = 0;
    for (size_t i = 0; i + 1 < sizeof headers / sizeof *headers; i++)
        if (headers[i].name)
            used[count++] = headers[i];
    used[count] = headers[sizeof headers / sizeof *headers - 1];
    http_answer(peer, &whole);
}

static void answer(struct http_peer *peer, const char *origin, unsigned status, const char *type,
                   const void *body, size_t length)
{
    answer_with(peer, origin, "", status, type, body, length);
}

static void refuse(struct engine *engine, struct http_peer *peer,
                   const struct http_request *request, unsigned code, const char *why)
{
    static const char *const texts[] = {"Transport unknown",
                                        "Session ID unknown",
                                        "Bad handshake method",
                                        "Bad request",
                                        "",
                                        "Unsupported protocol version"};
    char body[96], text[160];
    int length = snprintf(body, sizeof body, "{\"code\":%u,\"message\":\"%s\"}", code, texts[code]);
    answer(peer, request->origin, 400, "application/json", body, (size_t)length);
    if (!why)
        return;
    snprintf(text, sizeof text, "not let in: %s", why);
    engine->callbacks.refused(engine->ctx, text);
}

static struct engine_client *find(struct engine *engine, const char *sid)
{
    for (unsigned i = 0; i < ENGINE_CLIENTS; i++)
        if (engine->client[i].sid[0] && strcmp(engine->client[i].sid, sid) == 0)
            return &engine->client[i];
    return NULL;
}

/* The time when the client counts as lost. */
static uint64_t end_us(const struct engine_client *client)
{
    return client->heard_us + (PING_MS + TIMEOUT_MS) * UINT64_C(1000);
}

static void set_timer(struct engine *engine)
{
    uint64_t due_us = BL_NEVER;
    for (unsigned i = 0; i < ENGINE_CLIENTS; i++) {
        const struct engine_client *c = &engine->client[i];
        uint64_t at_us = c->dropped ? c->heard_us : end_us(c);
        if (c->waits && c->free_us < at_us)
            at_us = c->free_us;
        if (c->sid[0] && at_us < due_us)
            due_us = at_us;
    }
    bl_timer_set(&engine->timer, due_us);
}

static void heard(struct engine_client *client)
{
    client->heard_us = bl_mono_us();
    set_timer(client->engine);
}

/* Ends a client. Called from the timer or for another client, never inside a callback for this
 * client. */
static void client_end(struct engine_client *client)
{
    struct engine *engine = client->engine;
    struct http_peer *poll = client->poll, *socket = client->socket;
    engine->callbacks.gone(engine->ctx, client);
    client->poll = client->socket = NULL;
    client->sid[0] = '\0';
    if (engine->kept == client)
        engine->kept = NULL;
    if (poll)
        answer(poll, client->origin, 400, "text/plain", "", 0);
    if (socket) {
        http_keep(socket, NULL);
        http_drop(socket);
    }
}

/* Returns a free slot: an empty one; otherwise that of a dropped client, or of the client silent
 * for longest, except the kept one. */
static struct engine_client *make_room(struct engine *engine)
{
    struct engine_client *last = NULL;
    for (unsigned i = 0; i < ENGINE_CLIENTS; i++) {
        struct engine_client *c = &engine->client[i];
        if (!c->sid[0])
            return c;
        if (c != engine->kept && (!last || (c->dropped && !last->dropped) ||
                                  (c->dropped == last->dropped && c->heard_us < last->heard_us)))
            last = c;
    }
    if (!last->dropped)
        engine->callbacks.refused(engine->ctx,
                                  "a client is sent away: another one needs its place");
    client_end(last);
    return last;
}

static struct engine_client *client_new(struct engine *engine, bool binary)
{
    uint8_t dice[SID_BYTES];
    struct engine_client *client = make_room(engine);
    memset(client, 0, offsetof(struct engine_client, queue));
    client->engine = engine;
    client->binary = binary;
    randombytes_buf(dice, sizeof dice);
    sodium_bin2hex(client->sid, sizeof client->sid, dice, sizeof dice);
    heard(client);
    return client;
}

void engine_keep(struct engine *engine, struct engine_client *client)
{
    engine->kept = client;
}

/* Lets the timer end the client, with gone(). */
static void engine_drop(struct engine_client *client)
{
    client->dropped = true;
    set_timer(client->engine);
}

static void on_timer(struct bl_timer *timer)
{
    struct engine *engine = timer->data;
    uint64_t now_us = bl_mono_us();
    for (unsigned i = 0; i < ENGINE_CLIENTS; i++) {
        struct engine_client *c = &engine->client[i];
        if (c->sid[0] && (c->dropped || now_us >= end_us(c))) {
            client_end(c);
        } else if (c->waits && now_us >= c->free_us) {
            c->waits = false;
            if (c->socket)
                http_want(c->socket);
        }
    }
    set_timer(engine);
}

static void queue_drop(struct engine_client *client, size_t bytes)
{
    client->used -= bytes;
    memmove(client->queue, client->queue + bytes, client->used);
}

static size_t queue_first(const struct engine_client *client, struct queued *first,
                          const char **packet, size_t at)
{
    memcpy(first, client->queue + at, sizeof *first);
    *packet = (const char *)client->queue + at + sizeof *first;
    return sizeof *first + first->length;
}

/* Answers the poll with all packets that have room; without packets, with "noop". */
static void answer_poll(struct engine_client *client)
{
    struct engine *engine = client->engine;
    struct http_peer *poll = client->poll;
    size_t length = 0, taken = 0;
    char cookie[SID_MAX + 40] = "";
    while (taken < client->used) {
        struct queued first;
        const char *packet;
        size_t size = queue_first(client, &first, &packet, taken);
        size_t added = engine_payload_add(engine->payload, length, sizeof engine->payload,
                                          client->binary, packet, first.length);
        if (added == 0)
            break;
        length += added;
        taken += size;
        if (first.mark)
            client->left = first.mark;
    }
    if (length == 0)
        length = engine_payload_add(engine->payload, 0, sizeof engine->payload, client->binary,
                                    (const char[]){ENGINE_NOOP}, 1);
    queue_drop(client, taken);
    client->poll = NULL;
    /* Some clients know their session by the cookie only. */
    if (!client->greeted)
        snprintf(cookie, sizeof cookie, "io=%s; Path=/; HttpOnly", client->sid);
    client->greeted = true;
    answer_with(poll, client->origin, cookie, 200,
                client->binary ? "application/octet-stream" : "text/plain; charset=UTF-8",
                engine->payload, length);
}

static void flush(struct engine_client *client)
{
    if (client->upgraded)
        http_want(client->socket);
    else if (!client->upgraded && client->poll && (client->used > 0 || client->probing))
        answer_poll(client);
}

bool engine_send(struct engine_client *client, const char *packet, uint64_t mark)
{
    const struct queued head = {.mark = mark, .length = strlen(packet)};
    if (client->dropped || head.length > ENGINE_SEND_MAX ||
        head.length + sizeof head > sizeof client->queue - client->used) {
        engine_drop(client);
        return false;
    }
    memcpy(client->queue + client->used, &head, sizeof head);
    memcpy(client->queue + client->used + sizeof head, packet, head.length);
    client->used += sizeof head + head.length;
    flush(client);
    return true;
}

bool engine_sent(const struct engine_client *client)
{
    return client->used == 0 && http_drained(client->engine->server);
}

bool engine_is_sure(const struct engine_client *client)
{
    return client->sure;
}

const char *engine_transport(const struct engine_client *client)
{
    return client->upgraded ? "WebSocket" : "polling";
}

/* Pings a WebSocket's client if needed. A pong proves that the packets have arrived. */
static void ask(struct engine_client *client)
{
    if (client->pinged || client->used > 0 || (client->sure && client->left == client->asked))
        return;
    client->pinged = true;
    client->asked = client->left;
    http_ping(client->socket);
}

static void on_writable(void *ctx, struct http_peer *peer)
{
    struct engine_client *client = http_kept(peer);
    struct queued first;
    const char *packet;
    (void)ctx;
    if (!client || client->socket != peer)
        return;
    if (client->probing && !client->probed) {
        client->probed = true;
        http_send(peer, false, PROBE, strlen(PROBE));
        return;
    }
    if (!client->upgraded)
        return;
    if (bl_mono_us() >= client->free_us && client->used > 0) {
        size_t size = queue_first(client, &first, &packet, 0);
        http_send(peer, false, packet, first.length);
        queue_drop(client, size);
        if (first.mark)
            client->left = first.mark;
        client->free_us = bl_mono_us() + GAP_US;
    } else if (bl_mono_us() >= client->free_us) {
        ask(client);
        return;
    }
    client->waits = true;
    set_timer(client->engine);
}

static void make_certain(struct engine_client *client, uint64_t mark)
{
    client->sure = true;
    if (mark)
        client->engine->callbacks.certain(client->engine->ctx, client, mark);
}

static void on_pong(void *ctx, struct http_peer *peer)
{
    struct engine_client *client = http_kept(peer);
    (void)ctx;
    if (!client || client->socket != peer || !client->pinged)
        return;
    client->pinged = false;
    make_certain(client, client->asked);
    ask(client);
}

static void on_socket_packet(struct engine_client *client, const struct engine_packet *packet)
{
    const struct engine *engine = client->engine;
    struct socket_packet event;
    if (!socket_packet_read(packet->data, packet->length, &event) || event.elsewhere)
        return;
    if (event.kind == SOCKET_EVENT)
        engine->callbacks.event(engine->ctx, client, event.json, event.length);
    else if (event.kind == SOCKET_DISCONNECT)
        engine_drop(client);
}

static void on_packet(struct engine_client *client, const struct engine_packet *packet)
{
    heard(client);
    if (client->dropped)
        return;
    switch (packet->type) {
    case ENGINE_PING:
        engine_send(client, "3", 0);
        break;
    case ENGINE_CLOSE:
        engine_drop(client);
        break;
    case ENGINE_MESSAGE:
        on_socket_packet(client, packet);
        break;
    case ENGINE_OPEN:
    case ENGINE_PONG:
    case ENGINE_UPGRADE:
    case ENGINE_NOOP:
        break;
    }
}

/* Handles a packet of a WebSocket that a client tries while it polls. */
static void on_try(struct engine_client *client, const struct engine_packet *packet)
{
    heard(client);
    if (packet->type == ENGINE_PING && packet->length == 5 &&
        memcmp(packet->data, "probe", 5) == 0) {
        client->probing = true;
        http_want(client->socket);
        flush(client); /* the client waits for the end of its poll */
    } else if (packet->type == ENGINE_UPGRADE && client->probed) {
        if (client->poll)
            answer_poll(client);
        client->upgraded = true;
        client->probing = client->sure = false;
        flush(client);
    }
}

static void on_message(void *ctx, struct http_peer *peer, bool binary, const uint8_t *bytes,
                       size_t length)
{
    struct engine *engine = ctx;
    struct engine_client *client = http_kept(peer);
    struct engine_packet packet;
    if (!client || client->socket != peer || binary || length > sizeof engine->body)
        return;
    memcpy(engine->body, bytes, length);
    if (!engine_packet_read(engine->body, length, &packet))
        return;
    if (client->upgraded)
        on_packet(client, &packet);
    else
        on_try(client, &packet);
}

/* Sends the first packets: the client's id, and its connection to the namespace "/". */
static void greet(struct engine_client *client)
{
    char hello[200];
    snprintf(hello, sizeof hello,
             "0{\"sid\":\"%s\",\"upgrades\":[%s],\"pingInterval\":%d,\"pingTimeout\":%d}",
             client->sid, client->upgraded ? "" : "\"websocket\"", PING_MS, TIMEOUT_MS);
    engine_send(client, hello, 0);
    engine_send(client, "40", 0);
}

/* A refusal with its reason and remedy has 80 columns. */
#define OTHER_REVISION "no Engine.IO 3; use socket.io-client 1.x or 2.x"

/* True if the request is an allowed one of Engine.IO. Otherwise reports the refusal. */
static bool is_ours(struct engine *engine, const struct http_peer *peer,
                    const struct http_request *request)
{
    char text[160];
    uid_t user = 0;
    if (strcmp(request->path, "/socket.io/") != 0 && strcmp(request->path, "/socket.io") != 0)
        snprintf(text, sizeof text, "not here: %.60s; a page brings its scripts", request->path);
    else if (!engine->pages && request->origin[0])
        snprintf(text, sizeof text, "not let in: a page needs a secret (Origin: %.60s)",
                 request->origin);
    else if (engine->own && http_user(peer, &user) && user != geteuid() && user != 0)
        snprintf(text, sizeof text, "not let in: a program of user %u, who needs a secret",
                 (unsigned)user);
    else
        return true;
    utf8_plain(text, sizeof text, text, strlen(text));
    engine->callbacks.refused(engine->ctx, text);
    return false;
}

static bool is_word(const struct http_request *request, const char *name, const char *value)
{
    char given[16];
    return engine_query(request->query, name, given, sizeof given) && strcmp(given, value) == 0;
}

/* Holds the poll until a packet comes for the client. */
static void wait_for(struct engine_client *client, struct http_peer *peer,
                     const struct http_request *request)
{
    client->poll = peer;
    snprintf(client->origin, sizeof client->origin, "%s",
             strlen(request->origin) < sizeof client->origin ? request->origin : "null");
    flush(client);
}

static void on_poll(struct engine *engine, struct engine_client *client, struct http_peer *peer,
                    const struct http_request *request)
{
    if (client->upgraded) {
        refuse(engine, peer, request, 3, NULL);
        return;
    }
    heard(client);
    if (client->poll)
        answer_poll(client); /* the client has lost the earlier poll */
    else
        make_certain(client, client->left);
    wait_for(client, peer, request);
}

static void on_post(struct engine *engine, struct engine_client *client, struct http_peer *peer,
                    const struct http_request *request)
{
    struct engine_payload payload = {
        .at = engine->body,
        .left = request->length,
        .binary = strncmp(request->type, "application/octet-stream", 24) == 0};
    struct engine_packet packet;
    enum engine_next next = ENGINE_BAD;
    if (request->length <= sizeof engine->body && !client->upgraded) {
        memcpy(engine->body, request->body, request->length);
        while ((next = engine_payload_next(&payload, &packet)) == ENGINE_PACKET)
            on_packet(client, &packet);
    }
    if (next == ENGINE_BAD) {
        refuse(engine, peer, request, 3, "what it sends is no payload of Engine.IO 3");
        engine_drop(client);
        return;
    }
    answer(peer, request->origin, 200, "text/html", "ok", 2);
}

static void on_handshake(struct engine *engine, struct http_peer *peer,
                         const struct http_request *request)
{
    struct engine_client *client;
    if (strcmp(request->method, "GET") != 0) {
        refuse(engine, peer, request, 2, NULL);
        return;
    }
    client = client_new(engine, !is_word(request, "b64", "1"));
    client->sure = true;
    greet(client);
    wait_for(client, peer, request);
}

static void on_request(void *ctx, struct http_peer *peer, const struct http_request *request)
{
    struct engine *engine = ctx;
    char sid[HTTP_LINE];
    if (!is_ours(engine, peer, request)) {
        http_answer(peer, &not_found);
        return;
    }
    if (strcmp(request->method, "OPTIONS") == 0) {
        answer(peer, request->origin, 200, "text/plain", "", 0);
        return;
    }
    if (!is_word(request, "EIO", "3")) {
        refuse(engine, peer, request, 5, OTHER_REVISION);
        return;
    }
    if (!is_word(request, "transport", "polling") || is_word(request, "j", "0")) {
        refuse(engine, peer, request, 0, "it asks for neither polling nor WebSocket");
        return;
    }
    if (!engine_query(request->query, "sid", sid, sizeof sid)) {
        on_handshake(engine, peer, request);
        return;
    }
    struct engine_client *client = find(engine, sid);
    if (!client || client->dropped)
        refuse(engine, peer, request, 1, NULL);
    else if (strcmp(request->method, "GET") == 0)
        on_poll(engine, client, peer, request);
    else if (strcmp(request->method, "POST") == 0)
        on_post(engine, client, peer, request);
    else
        refuse(engine, peer, request, 3, NULL);
}

static unsigned on_upgrade(void *ctx, struct http_peer *peer, const struct http_request *request)
{
    struct engine *engine = ctx;
    char sid[HTTP_LINE];
    struct engine_client *client = NULL;
    if (!is_ours(engine, peer, request))
        return 404;
    if (!is_word(request, "EIO", "3")) {
        engine->callbacks.refused(engine->ctx, "not let in: " OTHER_REVISION);
        return 400;
    }
    if (!is_word(request, "transport", "websocket")) {
        engine->callbacks.refused(engine->ctx, "not let in: its WebSocket names another transport");
        return 400;
    }
    if (engine_query(request->query, "sid", sid, sizeof sid)) {
        client = find(engine, sid);
        if (!client || client->dropped || client->upgraded || client->socket)
            return 400;
    } else {
        client = client_new(engine, false);
        client->upgraded = true;
    }
    client->socket = peer;
    http_keep(peer, client);
    return 0;
}

static void on_opened(void *ctx, struct http_peer *peer)
{
    struct engine_client *client = http_kept(peer);
    (void)ctx;
    if (client && client->upgraded)
        greet(client);
}

static void on_refused(void *ctx, const char *what)
{
    struct engine *engine = ctx;
    char text[160];
    snprintf(text, sizeof text, "a connection is closed: %s", what);
    engine->callbacks.refused(engine->ctx, text);
}

static void on_gone(void *ctx, struct http_peer *peer)
{
    struct engine *engine = ctx;
    for (unsigned i = 0; i < ENGINE_CLIENTS; i++) {
        struct engine_client *c = &engine->client[i];
        if (c->poll == peer)
            c->poll = NULL;
        if (c->socket != peer)
            continue;
        c->socket = NULL;
        c->probing = c->probed = false;
        if (c->upgraded) {
            c->used = 0;
            engine_drop(c);
        }
    }
}

enum bl_status engine_open(struct engine **out, uv_loop_t *loop,
                           const struct engine_options *options,
                           const struct engine_callbacks *callbacks, void *ctx,
                           struct bl_diag *diag)
{
    static const struct http_callbacks served = {.request = on_request,
                                                 .upgrade = on_upgrade,
                                                 .opened = on_opened,
                                                 .message = on_message,
                                                 .writable = on_writable,
                                                 .gone = on_gone,
                                                 .pong = on_pong,
                                                 .refused = on_refused};
    const struct http_options http = {.address = options->address,
                                      .port = options->port,
                                      .listening = options->listening,
                                      .peers = PEERS,
                                      .in_max = IN_MAX,
                                      .out_max = OUT_MAX};
    struct engine *engine = calloc(1, sizeof *engine);
    *out = NULL;
    if (!engine)
        return bl_fail(diag, BL_NOMEM, "no memory");
    engine->callbacks = *callbacks;
    engine->ctx = ctx;
    engine->pages = options->pages;
    engine->own = options->own;
    enum bl_status status = bl_timer_init(loop, &engine->timer, on_timer, engine);
    if (status) {
        free(engine);
        return bl_fail(diag, status, "no timer: %s", bl_status_text(status));
    }
    status = http_open(&engine->server, loop, &http, &served, engine, diag);
    if (status)
        engine_close(engine, NULL);
    else
        *out = engine;
    return status;
}

static void on_timer_closed(struct bl_timer *timer)
{
    struct engine *engine = timer->data;
    void (*closed)(void *ctx) = engine->closed;
    void *ctx = engine->ctx;
    free(engine);
    if (closed)
        closed(ctx);
}

static void on_server_closed(void *ctx)
{
    struct engine *engine = ctx;
    bl_timer_close(&engine->timer, on_timer_closed);
}

void engine_close(struct engine *engine, void (*closed)(void *ctx))
{
    if (!engine)
        return;
    engine->closed = closed;
    bl_timer_set(&engine->timer, BL_NEVER);
    if (engine->server)
        http_close(engine->server, on_server_closed);
    else
        bl_timer_close(&engine->timer, on_timer_closed);
}
