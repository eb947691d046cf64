/* boothlink-referee: a live referee's place. Asks the desk once a second for the sessions' keys
 * (desk/watch.h), with the key of its place, and serves them to a browser on this machine. In the
 * back room the page also names the entities, and sends the referee's wishes to the desk. Only the
 * page's address is written to the disk. */
#include "base/log.h"
#include "base/loop.h"
#include "base/option.h"
#include "desk/folder.h"
#include "desk/listing.h"
#include "desk/referee/page_files.h"
#include "desk/watch.h"
#include "link/key_file.h"
#include "post/nats/carrier.h"
#include "web/door.h"

#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define HEAD      "boothlink-referee"
#define SECOND_US 1000000
#define LONGER    15 /* ticks without it, for another server */
#define SILENT    5  /* ticks without the desk's answer, after which the page says so */
#define IN_MAX    4096
#define OUT_MAX   131072
#define SIGNALS   2
#define NUMBERS   8 /* most numbers of a wish */

static const char unsent[] = "Not done: the desk does not answer.";
static const char unknown[] =
    "The desk was away before it answered, and may have taken this wish. Ask the manager.";

static struct referee {
    uv_loop_t loop;
    uv_signal_t signal[SIGNALS];
    struct bl_timer tick;
    struct post_keys keys;
    struct carrier *carrier;
    struct door *door;
    struct http_peer *peer[DOOR_PEERS];
    size_t sent[DOOR_PEERS]; /* number of lines sent to each browser */
    struct line_list lines;
    uint64_t offset;   /* offset of the next byte of the desk's text */
    char run[16];      /* number of that text */
    unsigned silent;   /* ticks since the desk's last answer */
    char wish[IN_MAX]; /* "": none */
    /* The numbers with which the wish was sent, the latest last. An answer may come twice, or
     * late. */
    char number[NUMBERS][WATCH_NUMBER + 1];
    unsigned numbers;
    const char *note; /* the fate of the last wish, if the desk does not tell it; or "" */
    char up[POST_SUBJECT_MAX], down[POST_SUBJECT_MAX];
    char keys_text[OUT_MAX - 512], text[OUT_MAX];
} r;

static void usage(void)
{
    fputs("usage: boothlink-referee --server nats://ADDRESS:PORT --key FILE [--page PORT]\n",
          stderr);
    exit(bl_status_exit(BL_USAGE));
}

static void want_all(void)
{
    for (unsigned i = 0; i < DOOR_PEERS; i++)
        if (r.peer[i])
            http_want(r.peer[i]);
}

static void send_piece(const struct post_piece *piece)
{
    static uint8_t sealed[POST_SEALED_MOST];
    uint8_t nonce[POST_NONCE];
    randombytes_buf(nonce, sizeof nonce);
    size_t length = post_seal(&r.keys, POST_UP, piece, nonce, sealed);
    if (length)
        carrier_send(r.carrier, r.up, sealed, length);
}

static void ask(void)
{
    struct post_piece piece = {.kind = POST_WANT, .copy = 1, .offset = r.offset};
    snprintf(piece.file, sizeof piece.file, WATCH_LIVE "%s", r.run);
    send_piece(&piece);
}

/* Asks for a number until the desk has answered the wish. */
static void ask_number(void)
{
    struct post_piece piece = {.kind = POST_ASK, .copy = 1};
    snprintf(piece.file, sizeof piece.file, WATCH_LIMIT "%s", r.run);
    if (r.wish[0])
        send_piece(&piece);
}

/* Drops the wish: the desk is away, or answers without an end. A late wish might bring back a limit
 * that was taken back. */
static void drop_wish(void)
{
    if (r.wish[0])
        r.note = r.numbers ? unknown : unsent;
    r.wish[0] = '\0';
}

/* Sends the wish, once with each number. */
static void send_wish(const struct post_piece *number)
{
    struct post_piece piece = {
        .kind = POST_PIECE, .copy = 1, .bytes = (const uint8_t *)r.wish, .length = strlen(r.wish)};
    if (!piece.length || number->length != WATCH_NUMBER)
        return;
    for (unsigned i = 0; i < r.numbers; i++)
        if (memcmp(r.number[i], number->bytes, WATCH_NUMBER) == 0)
            return;
    if (r.numbers == NUMBERS) {
        drop_wish();
        return;
    }
    memcpy(r.number[r.numbers], number->bytes, WATCH_NUMBER);
    snprintf(piece.file, sizeof piece.file, WATCH_LIMIT "%s", r.number[r.numbers++]);
    send_piece(&piece);
}

/* Begins a new text; the browsers begin again, too. */
static void begin_text(void)
{
    listing_clear(&r.lines);
    memset(r.sent, 0, sizeof r.sent);
    r.offset = 0;
    drop_wish();
    snprintf(r.run, sizeof r.run, "%08x", randombytes_random());
}

static void end_wish(const char *bytes, size_t length)
{
    for (unsigned i = 0; i < r.numbers; i++) {
        char done[WATCH_NUMBER + 16];
        int head = snprintf(done, sizeof done, "{\"done\":\"%s\",", r.number[i]);
        if (memmem(bytes, length, done, (size_t)head)) {
            r.wish[0] = '\0';
            r.note = "";
        }
    }
}

static void take_piece(const struct post_piece *piece)
{
    size_t before = r.lines.count;
    if (piece->offset != r.offset)
        return; /* the piece came twice */
    r.offset += piece->length;
    if (!listing_put(&r.lines, (const char *)piece->bytes, piece->length))
        exit(bl_status_exit(BL_NOMEM));
    size_t from = before ? r.lines.end[before - 1] : 0;
    if (r.lines.text.length > from)
        end_wish(r.lines.text.bytes + from, r.lines.text.length - from);
    ask();
}

static bool is_of(const struct post_piece *piece, const char *head)
{
    return strncmp(piece->file, head, strlen(head)) == 0 &&
           strcmp(piece->file + strlen(head), r.run) == 0;
}

static void on_message(void *ctx, const char *subject, const uint8_t *bytes, size_t length)
{
    static uint8_t plain[POST_PLAIN_MOST];
    struct post_piece piece;
    (void)ctx, (void)subject;
    if (post_open(&r.keys, POST_DOWN, bytes, length, plain, &piece, NULL) != BL_OK)
        return;
    const bool limit = is_of(&piece, WATCH_LIMIT);
    if (!limit && !is_of(&piece, WATCH_LIVE))
        return; /* of an earlier text */
    r.silent = 0;
    if (limit)
        send_wish(&piece);
    else if (piece.kind == POST_PIECE)
        take_piece(&piece);
    else if (piece.kind == POST_OTHER)
        begin_text();
    want_all();
}

static void on_done(void *ctx)
{
    (void)ctx;
}

static void on_up(void *ctx)
{
    (void)ctx;
    log_line(HEAD, "the way to the desk is open");
}

static void on_down(void *ctx, const char *why)
{
    (void)ctx;
    log_line(HEAD, "there is no way to the desk (%s); it is tried again", why);
}

static void on_tick(struct bl_timer *timer)
{
    bl_timer_set(timer, bl_mono_us() + SECOND_US);
    if (r.silent++ == SILENT)
        drop_wish();
    if (r.silent % LONGER == 0)
        carrier_change(r.carrier, "the desk does not answer by this server");
    if (carrier_is_up(r.carrier)) {
        ask();
        ask_number();
    }
    want_all();
}

/* ---- the page ---- */

static void on_admitted(void *ctx, struct http_peer *peer)
{
    (void)ctx;
    for (unsigned i = 0; i < DOOR_PEERS; i++) {
        if (r.peer[i])
            continue;
        r.peer[i] = peer;
        r.sent[i] = 0;
        http_want(peer);
        return;
    }
    http_drop(peer);
}

static void on_gone(void *ctx, struct http_peer *peer)
{
    (void)ctx;
    for (unsigned i = 0; i < DOOR_PEERS; i++)
        if (r.peer[i] == peer)
            r.peer[i] = NULL;
}

/* Writes {"first": N, "back": B, "silent": S, "wish": W, "note": "...", "keys": [...]}: the lines
 * from number N on. */
static void on_writable(void *ctx, struct http_peer *peer)
{
    unsigned i = 0;
    (void)ctx;
    while (i < DOOR_PEERS && r.peer[i] != peer)
        i++;
    if (i == DOOR_PEERS)
        return;
    size_t next = listing_write(&r.lines, r.sent[i], r.keys_text, sizeof r.keys_text);
    int length = snprintf(r.text, sizeof r.text,
                          "{\"first\":%zu,\"back\":%d,\"silent\":%d,\"full\":%d,\"wish\":%d,"
                          "\"note\":\"%s\",\"keys\":[%s]}",
                          r.sent[i], strcmp(r.keys.place, WATCH_BACK) == 0, r.silent > SILENT,
                          r.lines.full, r.wish[0] != '\0', r.note, r.keys_text);
    http_send(peer, false, r.text, (size_t)length);
    r.sent[i] = next;
    if (next < r.lines.count)
        http_want(peer);
}

/* Takes a wish from the page; one at a time. */
static void on_wish(void *ctx, struct http_peer *peer, bool binary, const uint8_t *bytes,
                    size_t length)
{
    (void)ctx, (void)peer, (void)binary;
    if (r.wish[0] || length >= sizeof r.wish)
        return;
    snprintf(r.wish, sizeof r.wish, "%.*s", (int)length, (const char *)bytes);
    r.numbers = 0;
    r.note = "";
    if (r.silent > SILENT)
        drop_wish();
    want_all();
}

static enum bl_status open_door(const char *key, unsigned port, struct bl_diag *diag)
{
    static const struct door_callbacks events = {on_admitted, on_wish, on_writable, on_gone};
    char file[FOLDER_PATH_MAX], address[ADDRESS_MAX];
    const struct door_options door = {.port = port,
                                      .file = file,
                                      .files = referee_page_files,
                                      .in_max = IN_MAX,
                                      .out_max = OUT_MAX};
    enum bl_status status = folder_path(file, diag, "%s.url", key);
    if (status == BL_OK)
        status = door_open(&r.door, &r.loop, &door, &events, NULL, diag);
    if (status != BL_OK)
        return status;
    web_address_write(door_address(r.door), address);
    log_line(HEAD, "the referee's page: %s", address);
    return BL_OK;
}

/* ---- the process ---- */

static enum bl_status read_key(const char *path, struct bl_diag *diag)
{
    char text[POST_KEY_TEXT];
    size_t length;
    enum bl_status status = key_file_read(path, text, sizeof text, &length, true, diag);
    if (status == BL_OK)
        status = post_key_read(&r.keys, text, path, diag);
    explicit_bzero(text, sizeof text);
    return status == BL_OK && !watch_is_place(r.keys.place)
               ? bl_fail(diag, BL_DATA, "%s: it is the key of %s; expected a referee's", path,
                         r.keys.place)
               : status;
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    uv_stop(handle->loop);
}

static enum bl_status begin(const char *server, const char *key, unsigned port,
                            struct bl_diag *diag)
{
    static const int signals[SIGNALS] = {SIGTERM, SIGINT};
    enum bl_status status = read_key(key, diag);
    if (status == BL_OK && uv_loop_init(&r.loop))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = open_door(key, port, diag);
    for (unsigned i = 0; status == BL_OK && i < SIGNALS; i++)
        if (uv_signal_init(&r.loop, &r.signal[i]) ||
            uv_signal_start(&r.signal[i], on_signal, signals[i]))
            status = bl_fail(diag, BL_NOMEM, "no memory");
    r.note = "";
    begin_text();
    r.silent = SILENT + 1; /* until the desk's first answer */
    snprintf(r.up, sizeof r.up, POST_SUBJECT_UP "%s", r.keys.place);
    snprintf(r.down, sizeof r.down, POST_SUBJECT_DOWN "%s", r.keys.place);
    const struct carrier_options options = {.url = server,
                                            .name = r.keys.place,
                                            .seed = r.keys.nkey,
                                            .subject = {r.down},
                                            .up = on_up,
                                            .down = on_down,
                                            .message = on_message,
                                            .done = on_done};
    if (status == BL_OK)
        status = carrier_open(&r.carrier, &r.loop, &options, diag);
    if (status == BL_OK)
        status = bl_timer_init(&r.loop, &r.tick, on_tick, NULL);
    if (status == BL_OK)
        bl_timer_set(&r.tick, bl_mono_us());
    return status;
}

int main(int argc, char **argv)
{
    const char *server = NULL, *key = NULL, *page = NULL;
    const struct option_row rows[] = {
        {"key", &key}, {"page", &page}, {"server", &server}, {NULL, NULL}};
    struct bl_diag diag = {""};
    char *end = NULL;
    if (!option_read(rows, argc, argv) || !server || !key)
        usage();
    unsigned long port = page ? strtoul(page, &end, 10) : 0;
    if (page && (*page < '1' || *page > '9' || *end || port > 65535))
        usage();
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (sodium_init() < 0)
        return bl_status_exit(BL_UNAVAIL);
    enum bl_status status = begin(server, key, (unsigned)port, &diag);
    if (status == BL_OK)
        uv_run(&r.loop, UV_RUN_DEFAULT);
    else
        log_line(HEAD, "%s", diag.text);
    carrier_close(r.carrier);
    return bl_status_exit(status);
}
