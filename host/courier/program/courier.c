/* boothlink-courier: sends a machine's records to the desk, over the venue's network, and lays out
 * the desk's tickets for its place. A program of its own, beside the terminal, which opens no
 * socket of a network. The courier reads the records and changes none. A judge's machine sends once
 * a second, on a grid unmoved by keys; an entity's machine, a person's and a program's alike,
 * between sessions. The key of its place is the one that a stick has brought beside the records,
 * unless the command line names one. */
#include "courier/program/courier.h"

#include "base/file.h"
#include "base/log.h"
#include "base/loop.h"
#include "base/option.h"
#include "base/raw_file.h"
#include "courier/outbox.h"
#include "courier/tickets.h"
#include "link/key_file.h"
#include "post/nats/carrier.h"
#include "rules/stick.h"

#include <limits.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD    "boothlink-courier"
#define GRID_US 1000000
#define SIGNALS 2
#define REST    5 /* ticks between two messages about this machine */
#define UNHEARD 2 /* such messages without an answer of the desk, for another server */
#define LONGEST 64

struct courier_given {
    const char *key, *server, *records;
    const char *tell;    /* the file for the number of waiting records, beside the tickets' folder;
                       * NULL: none */
    bool own;            /* the command line names the key, which must be this user's */
    char path[PATH_MAX]; /* of the key that a stick has brought */
};

struct courier {
    uv_loop_t loop;
    uv_signal_t signal[SIGNALS];
    struct post_keys keys;
    struct outbox *outbox;
    struct tickets *tickets; /* NULL: there is no board (--tell), so no tickets are fetched */
    struct carrier *carrier;
    const struct courier_given *given;
    struct stat key; /* state of the key's file when it was read */
    bool renewed;
    unsigned told;               /* to the board */
    unsigned rest;               /* ticks until the next STATE */
    uint64_t number, count, run; /* of this start; of its STATEs; of the desk's run, 0: not known */
    unsigned unheard, patience;  /* such messages since the desk's last; most of them */
    struct bl_timer grid;
    uint64_t next_us; /* next time of the grid */
    char up[POST_SUBJECT_MAX], down[POST_SUBJECT_MAX];
    unsigned refused; /* false answers */
};

static void usage(void)
{
    fputs(
        "usage: boothlink-courier --server nats://ADDRESS:PORT[,...] --records FOLDER [--key FILE] "
        "[--tell FILE]\n",
        stderr);
    exit(bl_status_exit(BL_USAGE));
}

static void options_read(struct courier_given *given, int argc, char **argv)
{
    const struct option_row rows[] = {{"key", &given->key},
                                      {"server", &given->server},
                                      {"records", &given->records},
                                      {"tell", &given->tell},
                                      {NULL, NULL}};
    if (!option_read(rows, argc, argv) || !given->server || !given->records)
        usage();
    given->own = given->key;
    if (!given->key) {
        if (snprintf(given->path, PATH_MAX, "%s/" STICK_KEY, given->records) >= PATH_MAX)
            usage();
        given->key = given->path;
    }
}

static void send_piece(void *ctx, const struct post_piece *piece)
{
    static uint8_t sealed[POST_SEALED_MOST];
    uint8_t nonce[POST_NONCE];
    struct courier *c = ctx;
    randombytes_buf(nonce, sizeof nonce);
    size_t length = post_seal(&c->keys, POST_UP, piece, nonce, sealed);
    if (length)
        carrier_send(c->carrier, c->up, sealed, length);
}

/* True if a stick has brought another key. */
static bool has_another_key(const struct courier *c)
{
    struct stat info;
    return stat(c->given->key, &info) == 0 &&
           (info.st_ino != c->key.st_ino || info.st_mtim.tv_sec != c->key.st_mtim.tv_sec ||
            info.st_mtim.tv_nsec != c->key.st_mtim.tv_nsec);
}

/* Tells the number of waiting records to the machine's board, which another user runs. */
static void tell_board(struct courier *c)
{
    char text[16];
    unsigned waiting = outbox_waiting(c->outbox);
    if (!c->given->tell || waiting == c->told)
        return;
    int length = snprintf(text, sizeof text, "%u\n", waiting);
    if (file_write(c->given->tell, text, (size_t)length, NULL) == BL_OK &&
        chmod(c->given->tell, 0644) == 0)
        c->told = waiting;
}

/* The ticket for which the board has stick and desk in dispute. */
static void read_dispute(const struct courier *c, char out[POST_FILE_MAX])
{
    char path[PATH_MAX], *text;
    size_t length = 0;
    snprintf(out, POST_FILE_MAX, "%s", POST_NO_TICKET);
    snprintf(path, sizeof path, "%s/" STICK_DISPUTED, c->given->records);
    if (file_read_plain(&text, &length, path, POST_FILE_MAX, "a name", NULL) != BL_OK)
        return;
    if (post_is_file(text))
        snprintf(out, POST_FILE_MAX, "%s", text);
    free(text);
}

/* Says to the desk that the machine is there, also while no record grows, and its faults. */
static void tell_state(struct courier *c)
{
    struct post_piece state = {.kind = POST_STATE, .copy = 1, .number = c->number, .run = c->run};
    if (c->rest && --c->rest)
        return;
    c->rest = REST;
    state.count = ++c->count;
    state.offset = bl_now().wall_us;
    state.room = raw_room(c->given->records);
    read_dispute(c, state.file);
    send_piece(c, &state);
    c->unheard++;
}

/* The server is there, but has no way to the desk. With the desk away the patience grows. */
static void look_at_server(struct courier *c)
{
    if (c->unheard <= c->patience)
        return;
    c->unheard = 0;
    c->patience = c->patience < LONGEST ? 2 * c->patience : LONGEST;
    carrier_change(c->carrier, "the desk does not answer by this server");
}

/* After the records, and only when these may be sent. */
static void tell_and_ask(struct courier *c)
{
    struct bl_diag diag;
    bool fresh = false;
    if (outbox_is_silent(c->outbox))
        return;
    tell_state(c);
    if (!c->tickets)
        return; /* without a board nobody wants tickets */
    if (tickets_tick(c->tickets, send_piece, c, &fresh, &diag) != BL_OK)
        log_line(HEAD, "%s", diag.text);
    else if (fresh)
        log_line(HEAD, "%s: tickets have come from the desk", c->keys.place);
}

/* Runs a tick. Its duration does not move the grid. */
static void on_grid(struct bl_timer *timer)
{
    struct courier *c = timer->data;
    struct bl_diag diag;
    uint64_t now = bl_mono_us();
    while (c->next_us <= now)
        c->next_us += GRID_US;
    bl_timer_set(timer, c->next_us);
    if (has_another_key(c)) {
        c->renewed = true;
        uv_stop(&c->loop);
    }
    bool up = carrier_is_up(c->carrier);
    if (!up)
        outbox_look(c->outbox);
    else if (outbox_tick(c->outbox, send_piece, c, &diag) != BL_OK)
        log_line(HEAD, "%s", diag.text);
    if (up)
        tell_and_ask(c);
    look_at_server(c);
    tell_board(c);
}

static void on_up(void *ctx)
{
    struct courier *c = ctx;
    log_line(HEAD, "%s: the way to the desk is open", c->keys.place);
    outbox_ask_again(c->outbox);
}

static void on_down(void *ctx, const char *why)
{
    const struct courier *c = ctx;
    log_line(HEAD, "%s: there is no way to the desk (%s); it is tried again", c->keys.place, why);
}

/* The desk believes no STATE before it. */
static void hear_run(struct courier *c, const struct post_piece *answer)
{
    if (answer->run != c->run)
        c->rest = 0;
    c->run = answer->run;
}

static void on_message(void *ctx, const char *subject, const uint8_t *bytes, size_t length)
{
    static uint8_t plain[POST_PLAIN_MOST];
    struct courier *c = ctx;
    struct post_piece piece;
    struct bl_diag diag;
    (void)subject;
    if (post_open(&c->keys, POST_DOWN, bytes, length, plain, &piece, &diag) == BL_OK) {
        c->unheard = 0;
        c->patience = UNHEARD;
        outbox_hear(c->outbox, &piece);
        if (piece.kind == POST_RUN)
            hear_run(c, &piece);
        if (c->tickets)
            tickets_hear(c->tickets, &piece);
    } else if (c->refused++ == 0) {
        log_line(HEAD, "%s: %s; it is not believed", c->keys.place, diag.text);
    }
    sodium_memzero(plain, sizeof plain);
}

static void on_done(void *ctx)
{
    (void)ctx;
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    uv_stop(handle->loop);
}

/* Reads the key. A key from a stick belongs to the terminal's user, so its owner is not checked. */
static enum bl_status read_key(struct courier *c, bool *between_sessions, struct bl_diag *diag)
{
    const struct courier_given *given = c->given;
    const char *path = given->key;
    char text[POST_KEY_TEXT];
    size_t length;
    struct place place;
    enum bl_status status = stat(path, &c->key) && !given->own
                                ? BL_NOINPUT
                                : key_file_read(path, text, sizeof text, &length, given->own, diag);
    if (status == BL_OK)
        status = post_key_read(&c->keys, text, path, diag);
    explicit_bzero(text, sizeof text);
    if (status == BL_OK && !place_name_read(&place, c->keys.place))
        return bl_fail(diag, BL_DATA, "%s: %s is no place, such as booth-1-judge", path,
                       c->keys.place);
    *between_sessions = status == BL_OK && place.machine != MACHINE_JUDGE;
    return status;
}

static enum bl_status begin_tickets(struct courier *c, struct bl_diag *diag)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s" STICK_BY_DESK, PATH_MAX - 32, c->given->tell);
    return tickets_create(&c->tickets, folder, c->keys.place, diag);
}

static enum bl_status begin(struct courier *c, struct bl_diag *diag)
{
    const struct courier_given *given = c->given;
    static const int signals[SIGNALS] = {SIGTERM, SIGINT};
    bool between_sessions;
    enum bl_status status = read_key(c, &between_sessions, diag);
    if (status == BL_NOINPUT && !given->own)
        log_line(HEAD, "%s is not there: it waits for a stick that brings it", given->key);
    for (; status == BL_NOINPUT && !given->own; status = read_key(c, &between_sessions, diag))
        bl_sleep_until(bl_mono_us() + GRID_US);
    if (status == BL_OK)
        status = outbox_create(&c->outbox, given->records, between_sessions, diag);
    if (status == BL_OK && given->tell)
        status = begin_tickets(c, diag);
    if (status == BL_OK && uv_loop_init(&c->loop))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status != BL_OK)
        return status;
    snprintf(c->up, sizeof c->up, POST_SUBJECT_UP "%s", c->keys.place);
    snprintf(c->down, sizeof c->down, POST_SUBJECT_DOWN "%s", c->keys.place);
    for (unsigned i = 0; i < SIGNALS; i++)
        if (uv_signal_init(&c->loop, &c->signal[i]) ||
            uv_signal_start(&c->signal[i], on_signal, signals[i]))
            return bl_fail(diag, BL_NOMEM, "no memory");
    const struct carrier_options options = {.url = given->server,
                                            .name = c->keys.place,
                                            .seed = c->keys.nkey,
                                            .subject = {c->down},
                                            .up = on_up,
                                            .down = on_down,
                                            .message = on_message,
                                            .done = on_done,
                                            .ctx = c};
    status = carrier_open(&c->carrier, &c->loop, &options, diag);
    if (status == BL_OK)
        status = bl_timer_init(&c->loop, &c->grid, on_grid, c);
    c->told = UINT_MAX;
    c->patience = UNHEARD;
    randombytes_buf(&c->number, sizeof c->number);
    c->next_us = bl_mono_us() + GRID_US;
    if (status == BL_OK)
        bl_timer_set(&c->grid, c->next_us);
    return status;
}

int courier_run(struct courier **out, int argc, char **argv)
{
    struct courier_given given = {NULL};
    struct bl_diag diag = {""};
    options_read(&given, argc, argv);
    struct courier *c = *out = calloc(1, sizeof *c);
    if (!c || sodium_init() < 0)
        return bl_status_exit(BL_UNAVAIL);
    c->given = &given;
    enum bl_status status = begin(c, &diag);
    if (status == BL_OK) {
        uv_run(&c->loop, UV_RUN_DEFAULT);
        log_line(HEAD, "%s: ended; records that were not known to be at the desk: %u",
                 c->keys.place, outbox_waiting(c->outbox));
    } else {
        log_line(HEAD, "%s", diag.text);
    }
    carrier_close(c->carrier);
    outbox_destroy(c->outbox);
    tickets_destroy(c->tickets);
    if (given.tell && !c->renewed)
        unlink(given.tell);
    if (c->renewed)
        log_line(HEAD, "%s: there is another key; it begins again", c->keys.place);
    return bl_status_exit(status);
}

bool courier_has_new_key(const struct courier *c)
{
    return c->renewed;
}
