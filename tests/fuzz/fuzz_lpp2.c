/* A server of LPP v2 under whatever clients send, in any order: requests of polling, WebSockets,
 * messages in them, pongs and ends, while a judge types. The HTTP server is played by the fuzzer.
 * Nothing is typed before somebody has registered, and no key that is none.
 *
 * An input is a row of steps: what is done (one byte), the length of its text (one byte), the text.
 */
#include "adapter/lpp2.h"
#include "http/server.h"
#include "tests/support/lpp2_terminal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { PEERS = 24, SID = 24 };

struct http_peer {
    bool used, asked, socket, wants;
    void *kept;
};

static struct http_peer peers[PEERS];
static struct http_callbacks http;
static void *http_ctx;
static char sid[SID + 1];
static bool sending;

/* In the place of host/http/server.c. */

enum bl_status http_open(struct http_server **out, uv_loop_t *loop,
                         const struct http_options *options, const struct http_callbacks *callbacks,
                         void *ctx, struct bl_diag *diag)
{
    (void)loop, (void)options, (void)diag;
    *out = (struct http_server *)peers;
    http = *callbacks;
    http_ctx = ctx;
    return BL_OK;
}

unsigned http_port(const struct http_server *server)
{
    (void)server;
    return 8080;
}

bool http_drained(const struct http_server *server)
{
    (void)server;
    return true;
}

void http_close(struct http_server *server, void (*closed)(void *ctx))
{
    (void)server;
    closed(http_ctx);
}

/* Remembers the latest session that was made. */
static void look(const void *bytes, size_t length)
{
    static const char mark[] = "\"sid\":\"";
    const char *at = memmem(bytes, length, mark, sizeof mark - 1);
    if (at && at + sizeof mark - 1 + SID <= (const char *)bytes + length)
        memcpy(sid, at + sizeof mark - 1, SID);
}

enum bl_status http_answer(struct http_peer *peer, const struct http_answer *answer)
{
    if (!peer->used || !peer->asked)
        abort();
    peer->asked = false;
    look(answer->body ? answer->body : "", answer->length);
    return BL_OK;
}

void http_want(struct http_peer *peer)
{
    if (!peer->used || !peer->socket)
        abort();
    peer->wants = true;
}

enum bl_status http_send(struct http_peer *peer, bool binary, const void *bytes, size_t length)
{
    (void)binary;
    if (!sending || !peer->socket)
        abort();
    sending = false; /* once for each turn */
    look(bytes, length);
    return BL_OK;
}

void http_ping(struct http_peer *peer)
{
    (void)peer;
}

void http_hold(struct http_peer *peer, bool hold)
{
    (void)peer, (void)hold;
}

bool http_user(const struct http_peer *peer, uid_t *user)
{
    (void)peer;
    *user = 0;
    return true;
}

void http_spare(struct http_peer *peer, bool spare)
{
    (void)peer, (void)spare;
}

void http_drop(struct http_peer *peer)
{
    (void)peer;
}

void http_keep(struct http_peer *peer, void *data)
{
    peer->kept = data;
}

void *http_kept(const struct http_peer *peer)
{
    return peer->kept;
}

/* The clients. */

static struct http_peer *peer_new(void)
{
    for (unsigned i = 0; i < PEERS; i++)
        if (!peers[i].used) {
            peers[i] = (struct http_peer){.used = true};
            return &peers[i];
        }
    return NULL;
}

static void peer_end(struct http_peer *peer)
{
    if (!peer->used)
        return;
    http.gone(http_ctx, peer);
    *peer = (struct http_peer){.used = false};
}

/* The text, with the latest session's name where it has a '$'. */
static void fill(char *out, size_t room, const uint8_t *text, size_t length)
{
    size_t used = 0;
    for (size_t i = 0; i < length && text[i] && used + SID + 1 < room; i++) {
        if (text[i] == '$')
            used += (size_t)strlen(strcpy(out + used, sid));
        else
            out[used++] = (char)text[i];
    }
    out[used] = '\0';
}

static void ask(const char *method, const char *path, const char *query, const char *type,
                const uint8_t *body, size_t length, bool upgrade)
{
    struct http_peer *peer = peer_new();
    const struct http_request request = {.method = method,
                                         .path = path,
                                         .query = query,
                                         .host = "x",
                                         .origin = "",
                                         .type = type,
                                         .body = body,
                                         .length = length};
    if (!peer)
        return;
    if (!upgrade) {
        peer->asked = true;
        http.request(http_ctx, peer, &request);
        if (!peer->asked)
            peer_end(peer);
        return;
    }
    if (http.upgrade(http_ctx, peer, &request)) {
        peer_end(peer);
        return;
    }
    peer->socket = true;
    http.opened(http_ctx, peer);
}

static void turn(struct http_peer *peer)
{
    if (!peer->used || !peer->wants)
        return;
    peer->wants = false;
    sending = true;
    http.writable(http_ctx, peer);
    sending = false;
}

static void step(struct lpp2 *lpp2, uint8_t what, const uint8_t *text, size_t length)
{
    char filled[1024];
    struct http_peer *peer = &peers[what / 16 % PEERS];
    fill(filled, sizeof filled, text, length);
    switch (what % 12) {
    case 0:
        ask("GET", "/socket.io/", filled, "", NULL, 0, false);
        break;
    case 1:
    case 2:
        fill(filled, sizeof filled, (const uint8_t *)"EIO=3&transport=polling&sid=$", 29);
        ask("POST", "/socket.io/", filled,
            what % 12 == 1 ? "text/plain" : "application/octet-stream", text, length, false);
        break;
    case 3:
        ask("GET", "/socket.io/", filled, "", NULL, 0, true);
        break;
    case 4:
        if (peer->used && peer->socket)
            http.message(http_ctx, peer, false, text, length);
        break;
    case 5:
        for (unsigned i = 0; i < PEERS; i++)
            turn(&peers[i]);
        break;
    case 6:
        if (peer->used && peer->socket)
            http.pong(http_ctx, peer);
        break;
    case 7:
        peer_end(peer);
        break;
    case 8:
        lpp2_terminal_type(lpp2, text, length);
        break;
    case 9:
        lpp2_allow(lpp2, 16);
        break;
    case 10:
        ask("GET", filled, "", "", NULL, 0, false);
        break;
    case 11:
        lpp2_start(lpp2);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const struct lpp2_options options = {.secret = length % 2 ? "s" : ""};
    struct lpp2 *lpp2;
    uv_loop_t loop;
    if (length > 8192 || uv_loop_init(&loop))
        return 0;
    memset(peers, 0, sizeof peers);
    memset(sid, 0, sizeof sid);
    lpp2_terminal_begin();
    if (lpp2_open(&lpp2, &loop, &options, &lpp2_terminal, NULL, NULL))
        abort();
    lpp2_session(lpp2, 0, 0);
    while (length >= 2) {
        const size_t text = bytes[1] < length - 2 ? bytes[1] : length - 2;
        step(lpp2, bytes[0], bytes + 2, text);
        uv_run(&loop, UV_RUN_NOWAIT);
        bytes += 2 + text;
        length -= 2 + text;
    }
    for (unsigned i = 0; i < PEERS; i++)
        peer_end(&peers[i]);
    lpp2_end(lpp2);
    lpp2_close(lpp2);
    uv_run(&loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&loop))
        abort();
    return 0;
}
