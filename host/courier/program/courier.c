/* boothlink-courier: sends a machine's records to the desk, over the venue's network, and lays out
 * the desk's tickets for its place. The terminal beside it opens no socket of a network. The
 * courier only reads the records. A judge's machine sends once a second, on a grid independent of
 * keys. An entity's machine, for a person or a program, sends between sessions. The key of its
 * place is on the command line, or was brought by a stick beside the records. */
#include "base/file.h"
#include "base/log.h"
#include "base/loop.h"
#include "base/option.h"
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
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define HEAD    "boothlink-courier"
#define GRID_US 1000000
#define SIGNALS 2
#define REST    5 /* ticks between two messages about this machine */

struct courier_given {
    const char *key, *server, *records;
    const char *tell; /* the file for the number of waiting records, beside the tickets' folder;
                       * NULL: none */
    bool own;         /* the command line names the key, which must be this user's */
};

static struct courier {
    uv_loop_t loop;
    uv_signal_t signal[SIGNALS];
    struct post_keys keys;
    struct outbox *outbox;
    struct tickets *tickets; /* NULL: there is no board (--tell), so no tickets are fetched */
    struct carrier *carrier;
    const struct courier_given *given;
    struct stat key; /* state of the key's file when it was read */
    bool renewed;
    unsigned told;   /* number last written for the board */
    unsigned rest;   /* ticks until the next STATE */
    uint64_t number; /* of this start */
    struct bl_timer grid;
    uint64_t next_us; /* next time of the grid */
    char up[POST_SUBJECT_MAX], down[POST_SUBJECT_MAX];
    unsigned refused; /* number of false answers */
} c;

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
        static char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/" STICK_KEY, given->records) >= (int)sizeof path)
            usage();
        given->key = path;
    }
}

static void send_piece(void *ctx, const struct post_piece *piece)
{
    static uint8_t sealed[POST_SEALED_MOST];
    uint8_t nonce[POST_NONCE];
    (void)ctx;
    randombytes_buf(nonce, sizeof nonce);
    size_t length = post_seal(&c.keys, POST_UP, piece, nonce, sealed);
    if (length)
        carrier_send(c.carrier, c.up, sealed, length);
}

/* True if a stick has brought another key. */
static bool has_another_key(void)
{
    struct stat info;
    return stat(c.given->key, &info) == 0 &&
           (info.st_ino != c.key.st_ino || info.st_mtim.tv_sec != c.key.st_mtim.tv_sec ||
            info.st_mtim.tv_nsec != c.key.st_mtim.tv_nsec);
}

/* Writes the number of waiting records for the machine's board, another user's program. */
static void tell_board(void)
{
    char text[16];
    unsigned waiting = outbox_waiting(c.outbox);
    if (!c.given->tell || waiting == c.told)
        return;
    int length = snprintf(text, sizeof text, "%u\n", waiting);
    if (file_write(c.given->tell, text, (size_t)length, NULL) == BL_OK &&
        chmod(c.given->tell, 0644) == 0)
        c.told = waiting;
}

/* Reads the name of the ticket in dispute between stick and desk. */
static void read_dispute(char out[POST_FILE_MAX])
{
    char path[PATH_MAX], *text;
    size_t length = 0;
    snprintf(out, POST_FILE_MAX, "%s", POST_NO_TICKET);
    snprintf(path, sizeof path, "%s/" STICK_DISPUTED, c.given->records);
    if (file_read_plain(&text, &length, path, POST_FILE_MAX, "a name", NULL) != BL_OK)
        return;
    if (post_is_file(text))
        snprintf(out, POST_FILE_MAX, "%s", text);
    free(text);
}

/* Sends STATE to the desk: the machine is there, with its faults. */
static void tell_state(void)
{
    struct post_piece state = {.kind = POST_STATE, .copy = 1, .number = c.number};
    struct statvfs disk;
    if (c.rest && --c.rest)
        return;
    c.rest = REST;
    state.offset = bl_now().wall_us;
    state.room = statvfs(c.given->records, &disk) == 0
                     ? (uint64_t)disk.f_bavail * (uint64_t)disk.f_frsize
                     : UINT64_MAX;
    read_dispute(state.file);
    send_piece(NULL, &state);
}

/* After the records, and only when these may be sent. */
static void tell_and_ask(void)
{
    struct bl_diag diag;
    bool fresh = false;
    if (outbox_is_silent(c.outbox))
        return;
    tell_state();
    if (!c.tickets)
        return; /* no tickets without a board */
    if (tickets_tick(c.tickets, send_piece, NULL, &fresh, &diag) != BL_OK)
        log_line(HEAD, "%s", diag.text);
    else if (fresh)
        log_line(HEAD, "%s: tickets have come from the desk", c.keys.place);
}

/* Runs a tick. Its duration does not move the grid. */
static void on_grid(struct bl_timer *timer)
{
    struct bl_diag diag;
    uint64_t now = bl_mono_us();
    while (c.next_us <= now)
        c.next_us += GRID_US;
    bl_timer_set(timer, c.next_us);
    if (has_another_key()) {
        c.renewed = true;
        uv_stop(&c.loop);
    }
    bool up = carrier_is_up(c.carrier);
    if (!up)
        outbox_look(c.outbox);
    else if (outbox_tick(c.outbox, send_piece, NULL, &diag) != BL_OK)
        log_line(HEAD, "%s", diag.text);
    if (up)
        tell_and_ask();
    tell_board();
}

static void on_up(void *ctx)
{
    (void)ctx;
    log_line(HEAD, "%s: the way to the desk is open", c.keys.place);
    outbox_ask_again(c.outbox);
}

static void on_down(void *ctx, const char *why)
{
    (void)ctx;
    log_line(HEAD, "%s: there is no way to the desk (%s); it is tried again", c.keys.place, why);
}

static void on_message(void *ctx, const char *subject, const uint8_t *bytes, size_t length)
{
    static uint8_t plain[POST_PLAIN_MOST];
    struct post_piece piece;
    struct bl_diag diag;
    (void)ctx, (void)subject;
    if (post_open(&c.keys, POST_DOWN, bytes, length, plain, &piece, &diag) == BL_OK) {
        outbox_hear(c.outbox, &piece);
        if (c.tickets)
            tickets_hear(c.tickets, &piece);
    } else if (c.refused++ == 0) {
        log_line(HEAD, "%s: %s; it is not believed", c.keys.place, diag.text);
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

/* Reads the key. A key from a stick belongs to the terminal's user: its owner is not checked. */
static enum bl_status read_key(const struct courier_given *given, bool *between_sessions,
                               struct bl_diag *diag)
{
    const char *path = given->key;
    char text[POST_KEY_TEXT];
    size_t length;
    struct place place;
    enum bl_status status = stat(path, &c.key) && !given->own
                                ? BL_NOINPUT
                                : key_file_read(path, text, sizeof text, &length, given->own, diag);
    if (status == BL_OK)
        status = post_key_read(&c.keys, text, path, diag);
    explicit_bzero(text, sizeof text);
    if (status == BL_OK && !place_name_read(&place, c.keys.place))
        return bl_fail(diag, BL_DATA, "%s: %s is no place, such as booth-1-judge", path,
                       c.keys.place);
    *between_sessions = status == BL_OK && place.machine != MACHINE_JUDGE;
    return status;
}

static enum bl_status begin_tickets(const char *tell, struct bl_diag *diag)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s" STICK_BY_DESK, PATH_MAX - 32, tell);
    return tickets_create(&c.tickets, folder, c.keys.place, diag);
}

static enum bl_status begin(const struct courier_given *given, struct bl_diag *diag)
{
    static const int signals[SIGNALS] = {SIGTERM, SIGINT};
    bool between_sessions;
    enum bl_status status = read_key(given, &between_sessions, diag);
    if (status == BL_NOINPUT && !given->own)
        log_line(HEAD, "%s is not there: it waits for a stick that brings it", given->key);
    for (; status == BL_NOINPUT && !given->own; status = read_key(given, &between_sessions, diag))
        sleep(GRID_US / 1000000);
    if (status == BL_OK)
        status = outbox_create(&c.outbox, given->records, between_sessions, diag);
    if (status == BL_OK && given->tell)
        status = begin_tickets(given->tell, diag);
    if (status == BL_OK && uv_loop_init(&c.loop))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status != BL_OK)
        return status;
    snprintf(c.up, sizeof c.up, POST_SUBJECT_UP "%s", c.keys.place);
    snprintf(c.down, sizeof c.down, POST_SUBJECT_DOWN "%s", c.keys.place);
    for (unsigned i = 0; i < SIGNALS; i++)
        if (uv_signal_init(&c.loop, &c.signal[i]) ||
            uv_signal_start(&c.signal[i], on_signal, signals[i]))
            return bl_fail(diag, BL_NOMEM, "no memory");
    const struct carrier_options options = {.url = given->server,
                                            .name = c.keys.place,
                                            .seed = c.keys.nkey,
                                            .subject = {c.down},
                                            .up = on_up,
                                            .down = on_down,
                                            .message = on_message,
                                            .done = on_done};
    status = carrier_open(&c.carrier, &c.loop, &options, diag);
    if (status == BL_OK)
        status = bl_timer_init(&c.loop, &c.grid, on_grid, NULL);
    c.told = UINT_MAX;
    randombytes_buf(&c.number, sizeof c.number);
    c.next_us = bl_mono_us() + GRID_US;
    if (status == BL_OK)
        bl_timer_set(&c.grid, c.next_us);
    return status;
}

int main(int argc, char **argv)
{
    struct courier_given given = {NULL};
    struct bl_diag diag = {""};
    options_read(&given, argc, argv);
    c.given = &given;
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (sodium_init() < 0)
        return bl_status_exit(BL_UNAVAIL);
    enum bl_status status = begin(&given, &diag);
    if (status == BL_OK) {
        uv_run(&c.loop, UV_RUN_DEFAULT);
        log_line(HEAD, "%s: ended; records that were not known to be at the desk: %u", c.keys.place,
                 outbox_waiting(c.outbox));
    } else {
        log_line(HEAD, "%s", diag.text);
    }
    carrier_close(c.carrier);
    outbox_destroy(c.outbox);
    tickets_destroy(c.tickets);
    if (given.tell && !c.renewed)
        unlink(given.tell);
    if (c.renewed) {
        log_line(HEAD, "%s: there is another key; it begins again", c.keys.place);
        execv("/proc/self/exe", argv);
    }
    return bl_status_exit(status);
}
