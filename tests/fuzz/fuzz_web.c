/* The screen in a browser, under whatever pages send it: visitors in any order, with proofs and
 * without, text and binary messages, requests, ends, while the session goes on. The HTTP server is
 * played by the fuzzer (fuzz_lpp2_tcp has the real one). Nobody is let in without the proof,
 * nothing is typed but by the page that has proved itself last, each key is one, and each message
 * to it is JSON.
 *
 * An input is a row of steps: a byte (what is done, and by which visitor), the length of its text
 * (one byte), the text. */
#include "http/server.h"
#include "screen/screen.h"
#include "web/proof.h"
#include "web/screen.h"

#include <arpa/inet.h>
#include <jansson.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { PEERS = 10 };
enum step { COME, SAY, SAY_BINARY, ASK, PROVE, LEAVE, TURN, GET, HOLD, PLACE, DRAW, WAIT, STEPS };

struct http_peer {
    bool used, asked, socket, wants, held, dropped;
    char number[PROOF_NUMBER + 1], drawn[PROOF_NUMBER + 1];
    void *kept;
};

static struct http_peer peers[PEERS];
static struct http_peer *holder;   /* has proved itself last */
static struct http_peer *proving;  /* says the right proof */
static struct http_peer *speaking; /* says anything */
static struct http_peer *writing;  /* may be sent one message */
static struct http_callbacks http;
static void *http_ctx;
static int listening = -1;
static struct web_address address;
static char folder[] = "/tmp/fuzz_web.XXXXXX", file[64];
static struct page *page;
static struct screen *screen;
static struct screen_model model;

/* In the place of host/http/server.c. */

enum bl_status http_listen(const char *at, unsigned *port, int *fd, struct bl_diag *diag)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof any;
    (void)at, (void)diag;
    *fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(*fd, (struct sockaddr *)&any, size) || listen(*fd, 1) ||
        getsockname(*fd, (struct sockaddr *)&any, &size))
        abort();
    *port = ntohs(any.sin_port);
    return BL_OK;
}

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

void http_close(struct http_server *server, void (*closed)(void *ctx))
{
    (void)server;
    http = (struct http_callbacks){.request = NULL};
    if (closed)
        closed(http_ctx);
}

enum bl_status http_answer(struct http_peer *peer, const struct http_answer *answer)
{
    if (!peer->used || !peer->asked || (!answer->body && answer->length))
        abort();
    peer->asked = false;
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
    json_error_t error;
    if (binary || writing != peer)
        abort();
    writing = NULL;
    json_t *said = json_loadb(bytes, length, 0, &error);
    const char *drawn = json_string_value(json_object_get(said, "drawn"));
    if (!json_is_object(said))
        abort();
    if (drawn)
        snprintf(peer->drawn, sizeof peer->drawn, "%s", drawn);
    else if (peer != holder && !json_object_get(said, "other"))
        abort(); /* who has not proved himself is told nothing else */
    json_decref(said);
    return BL_OK;
}

void http_hold(struct http_peer *peer, bool hold)
{
    peer->held = hold;
}

void http_spare(struct http_peer *peer, bool spare)
{
    if (spare)
        return;
    if (peer != proving)
        abort();
    holder = peer;
}

void http_drop(struct http_peer *peer)
{
    peer->dropped = true;
}

void http_keep(struct http_peer *peer, void *data)
{
    peer->kept = data;
}

void *http_kept(const struct http_peer *peer)
{
    return peer->kept;
}

/* The terminal. */

static void check_speaker(void)
{
    if (!holder || (speaking && speaking != holder))
        abort();
}

static void on_key(void *ctx, uint32_t point)
{
    (void)ctx;
    check_speaker();
    if (!key_is_key(point))
        abort();
}

static void on_command(void *ctx, enum screen_command command)
{
    (void)ctx, (void)command;
    check_speaker();
}

static void on_ignored(void *ctx)
{
    (void)ctx;
    check_speaker();
}

static void on_lost(void *ctx)
{
    (void)ctx;
}

static void on_tell(void *ctx, const char *said, const char *path)
{
    (void)ctx, (void)said, (void)path;
}

/* The pages. */

static void end_peer(struct http_peer *peer)
{
    if (!peer->used)
        return;
    if (http.gone)
        http.gone(http_ctx, peer);
    if (holder == peer)
        holder = NULL;
    *peer = (struct http_peer){.used = false};
}

/* The page's own address, or what the text says of the host and, behind a blank, the origin. */
static void come(struct http_peer *peer, const char *text)
{
    char host[64], origin[64];
    const char *blank = strchr(text, ' ');
    end_peer(peer);
    snprintf(host, sizeof host, "127.0.0.1:%u", address.port);
    snprintf(origin, sizeof origin, "http://127.0.0.1:%u", address.port);
    if (text[0])
        snprintf(host, sizeof host, "%.*s", blank ? (int)(blank - text) % 60 : 60, text);
    if (blank)
        snprintf(origin, sizeof origin, "%.60s", blank + 1);
    const struct http_request request = {.method = "GET",
                                         .path = "/socket",
                                         .query = "",
                                         .host = host,
                                         .origin = origin,
                                         .type = "",
                                         .body = (const uint8_t *)""};
    peer->used = true;
    if (!http.upgrade || http.upgrade(http_ctx, peer, &request)) {
        *peer = (struct http_peer){.used = false};
        return;
    }
    peer->socket = true;
    http.opened(http_ctx, peer);
}

static void say(struct http_peer *peer, bool binary, const void *bytes, size_t length)
{
    if (!peer->socket || peer->dropped || peer->held || !http.message)
        return;
    speaking = peer;
    http.message(http_ctx, peer, binary, bytes, length);
    speaking = NULL;
}

static void ask(struct http_peer *peer, uint8_t digit)
{
    memset(peer->number, "0123456789abcdef"[digit & 15], PROOF_NUMBER);
    say(peer, false, peer->number, PROOF_NUMBER);
}

static void prove(struct http_peer *peer)
{
    uint8_t tag[crypto_auth_hmacsha256_BYTES];
    char text[256], proof[PROOF_TEXT + 1];
    if (!peer->drawn[0])
        return;
    const int length = snprintf(text, sizeof text, "boothlink page %u %s %s", address.port,
                                peer->number, peer->drawn);
    crypto_auth_hmacsha256(tag, (const uint8_t *)text, (unsigned long long)length,
                           (const uint8_t *)address.token);
    sodium_bin2hex(proof, sizeof proof, tag, sizeof tag);
    proving = peer;
    say(peer, false, proof, PROOF_TEXT);
    proving = NULL;
}

static void turn(void)
{
    for (unsigned i = 0; i < PEERS; i++) {
        struct http_peer *peer = &peers[i];
        if (!peer->used || !peer->wants || !http.writable)
            continue;
        peer->wants = false;
        writing = peer;
        http.writable(http_ctx, peer);
        writing = NULL;
    }
}

static void get(struct http_peer *peer, const char *text)
{
    char host[64];
    end_peer(peer);
    snprintf(host, sizeof host, text[0] == '!' ? "evil:%u" : "127.0.0.1:%u", address.port);
    const struct http_request request = {.method = text[0] == '?' ? "POST" : "GET",
                                         .path = text,
                                         .query = "",
                                         .host = host,
                                         .origin = "",
                                         .type = "",
                                         .body = (const uint8_t *)""};
    if (!http.request)
        return;
    *peer = (struct http_peer){.used = true, .asked = true};
    http.request(http_ctx, peer, &request);
    if (peer->asked)
        abort();
    end_peer(peer);
}

static void place(const uint8_t *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const uint32_t point = text[i] == '\n' ? KEY_RETURN
                               : text[i] == 8  ? KEY_BACKSPACE
                                               : text[i];
        if (key_is_key(point))
            page_apply(page, &(struct key_event){.point = point, .party = i & 1});
    }
    screen_dirty(screen, &model);
}

static void take_step(uv_loop_t *loop, uint8_t what, const uint8_t *bytes, size_t length)
{
    struct http_peer *peer = &peers[what / 16 % PEERS];
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)length, (const char *)bytes);
    switch ((enum step)(what % 16 % STEPS)) {
    case COME:
        come(peer, text);
        break;
    case SAY:
    case SAY_BINARY:
        say(peer, what % 16 % STEPS == SAY_BINARY, bytes, length);
        break;
    case ASK:
        ask(peer, length ? bytes[0] : 0);
        break;
    case PROVE:
        prove(peer);
        break;
    case LEAVE:
        end_peer(peer);
        break;
    case TURN:
        turn();
        break;
    case GET:
        get(peer, text);
        break;
    case HOLD:
        screen_hold(screen, what & 16);
        break;
    case PLACE:
        place(bytes, length);
        break;
    case DRAW:
        model.side[SIDE_LEFT].active = what & 16;
        screen_dirty(screen, &model);
        break;
    case WAIT:
        uv_run(loop, UV_RUN_NOWAIT);
        break;
    case STEPS:
        break;
    }
}

static void on_exit_remove(void)
{
    unlink(file);
    rmdir(folder);
}

static void start(void)
{
    struct style style;
    if (!mkdtemp(folder) || atexit(on_exit_remove))
        abort();
    snprintf(file, sizeof file, "%s/address", folder);
    style_default(&style);
    if (door_listen(&listening, 0, file, NULL) || !(page = page_create(&style)))
        abort();
    web_address_load(&address, file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct screen_callbacks callbacks = {
        .key = on_key, .command = on_command, .ignored = on_ignored, .lost = on_lost};
    const struct screen_options options = {.kiosk = length & 1};
    struct style style;
    uv_loop_t loop;
    if (length > 8192 || uv_loop_init(&loop))
        return 0;
    if (listening < 0)
        start();
    style_default(&style);
    page_begin(page, &style);
    memset(peers, 0, sizeof peers);
    holder = NULL;
    model = (struct screen_model){.sides = 1,
                                  .segment = "",
                                  .message = "",
                                  .entry = "",
                                  .remaining_us = UINT64_MAX,
                                  .may_begin = length & 2,
                                  .may_epoch = length & 4};
    model.side[SIDE_LEFT] = (struct screen_side){
        .page = page, .title = "LEFT", .reason = "", .state = "", .active = true};
    const struct web_options given = {.listening = listening, .file = file, .tell = on_tell};
    if (web_open(&screen, &loop, &given, &options, &callbacks, NULL, NULL))
        abort();
    while (length >= 2) {
        const size_t text = bytes[1] < length - 2 ? bytes[1] : length - 2;
        take_step(&loop, bytes[0], bytes + 2, text);
        for (unsigned i = 0; i < PEERS; i++)
            if (peers[i].dropped)
                end_peer(&peers[i]);
        bytes += 2 + text;
        length -= 2 + text;
    }
    screen_close(screen);
    turn();
    for (unsigned i = 0; i < PEERS; i++)
        end_peer(&peers[i]);
    uv_run(&loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&loop))
        abort();
    return 0;
}
