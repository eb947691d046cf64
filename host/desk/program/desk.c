/* boothlink-desk: the receiver of records in the venue's network. It starts a nats-server, or is a
 * client of the venue's cluster, and believes only messages sealed by a place's key. It writes the
 * pieces into a folder, reports the synced ones, and hands out the folder of a place's tickets on
 * the sticks. Taking records does not depend on the contest, which is read for the manager's page:
 * `boothlink contest collect` takes the folder like a stick. */
#include "base/libexec.h"
#include "base/log.h"
#include "base/loop.h"
#include "base/option.h"
#include "desk/folder.h"
#include "desk/handout.h"
#include "desk/inbox.h"
#include "desk/place_key.h"
#include "desk/program/cluster.h"
#include "desk/program/desk.h"
#include "desk/program/manager.h"
#include "desk/program/places.h"
#include "desk/program/server.h"
#include "desk/start.h"
#include "desk/stage.h"
#include "desk/watch.h"
#include "post/nats/carrier.h"

#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD      "boothlink-desk"
#define SECOND_US 1000000
#define SIGNALS   2

enum { REFEREE_JUDGES, REFEREE_BACK, REFEREES };

struct desk_given {
    const char *folder, *keys, *make_key, *program;
    const char *sticks;          /* NULL: no tickets are handed out */
    struct manager_options page; /* options of the page; without a contest: no page */
    struct stage_options stage;
    char address[64];
    unsigned port;
    const char *cluster; /* the addresses of its servers; NULL: the desk starts a server */
    const char *network; /* "all": the back room may have a referee */
};

static struct desk {
    uv_loop_t loop;
    uv_signal_t signal[SIGNALS];
    struct places places;
    struct inbox *inbox;
    struct handout *handout; /* NULL: no tickets are handed out */
    struct manager *manager; /* NULL: there is no page */
    struct stage *stage;     /* NULL: there is no audience */
    struct referee_watch *referee[REFEREES];
    struct nats_server *server; /* NULL: the venue has a cluster */
    struct carrier *carrier;
    struct bl_timer echo;
    uint8_t seed[POST_SECRET]; /* seed of the desk's own key; without a cluster new at each start */
    char url[128];
    char contest[CONTEST_ID]; /* "": it is not known */
    bool stopping, heard;
    char last[PLACES_MOST][TILE_MATTERS][320]; /* the last fault told of each place */
    char disk[320];                            /* the disk's last told fault; "": none */
    char unread[TILE_FAULT_MAX];               /* the contest's; "": none */
} d;

static void usage(void)
{
    fputs("usage: boothlink-desk --folder FOLDER --keys FOLDER [--listen ADDRESS:PORT] "
          "[--server nats://ADDRESS:PORT,...] "
          "[--sticks FOLDER] [--nats-server PATH] [--desk-network judges|all] "
          "[--contest FILE --boothlink PATH "
          "[--page PORT] [--audience ADDRESS:PORT [--delay SECONDS] [--audience-program PATH]]]\n"
          "       boothlink-desk --keys FOLDER --make-key PLACE\n",
          stderr);
    exit(bl_status_exit(BL_USAGE));
}

static void refuse(const char *option, const char *text, const char *expected)
{
    fprintf(stderr, HEAD ": --%s %.60s: expected %s\n", option, text, expected);
    exit(bl_status_exit(BL_USAGE));
}

static bool read_port(unsigned *port, const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    *port = (unsigned)number;
    return *text >= '0' && *text <= '9' && !*end && number >= 1 && number <= 65535;
}

static bool read_delay(uint64_t *delay_us, const char *text)
{
    char *end;
    unsigned long seconds = strtoul(text, &end, 10);
    *delay_us = (uint64_t)seconds * SECOND_US;
    return *text >= '0' && *text <= '9' && !*end && seconds >= 1 && seconds <= 86400;
}

/* Reads "0.0.0.0:4222". Only digits and dots reach the server's configuration. */
static bool read_listen(struct desk_given *given, const char *text)
{
    const char *colon = strrchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : 0;
    if (length == 0 || length >= sizeof given->address || strspn(text, "0123456789.") != length)
        return false;
    snprintf(given->address, sizeof given->address, "%.*s", (int)length, text);
    return read_port(&given->port, colon + 1);
}

static void options_read(struct desk_given *given, int argc, char **argv)
{
    const char *listen = NULL, *port = NULL, *delay = NULL;
    const struct option_row rows[] = {{"audience", &given->stage.listen},
                                      {"audience-program", &given->stage.program},
                                      {"boothlink", &given->page.boothlink},
                                      {"contest", &given->page.contest},
                                      {"delay", &delay},
                                      {"desk-network", &given->network},
                                      {"folder", &given->folder},
                                      {"keys", &given->keys},
                                      {"listen", &listen},
                                      {"make-key", &given->make_key},
                                      {"nats-server", &given->program},
                                      {"page", &port},
                                      {"server", &given->cluster},
                                      {"sticks", &given->sticks},
                                      {NULL, NULL}};
    bool known = option_read(rows, argc, argv);
    given->page.inbox = given->stage.inbox = given->folder;
    if (listen && !read_listen(given, listen))
        refuse("listen", listen, "ADDRESS:PORT, such as 0.0.0.0:4222");
    if (port && !read_port(&given->page.port, port))
        refuse("page", port, "a port");
    if (delay && !read_delay(&given->stage.delay_us, delay))
        refuse("delay", delay, "seconds, from 1 to 86400");
    if (given->network && strcmp(given->network, "judges") != 0 &&
        strcmp(given->network, "all") != 0)
        refuse("desk-network", given->network, "judges or all");
    if (!known || !given->keys || !given->make_key == !given->folder ||
        !given->page.contest != !given->page.boothlink ||
        (given->cluster && (listen || given->program)) ||
        (given->stage.listen && !given->page.contest))
        usage();
}

static void say(const char *line)
{
    log_line(HEAD, "%s", line);
}

/* The manager's next action for a message that was not taken. */
static const char *todo_of(enum bl_status status)
{
    return status == BL_NOPERM
               ? "If the key is an old one: write the sticks anew, and put in that room's stick."
           : status == BL_OTHER_VERSION
               ? "Install one version of boothlink on that machine and on this one."
               : "Carry that room's stick: it brings the tickets, and takes the records.";
}

/* Tells a place's fault when it begins, not with each message. */
static void say_of_place(const struct post_keys *keys, enum tile_matter matter,
                         enum bl_status status, const char *text)
{
    char *last = d.last[keys - d.places.keys][matter];
    manager_hear(d.manager, keys->place, matter, text, todo_of(status));
    if (strcmp(last, text) == 0)
        return;
    snprintf(last, sizeof d.last[0][0], "%s", text);
    log_line(HEAD, "%s: %s", keys->place, text);
}

static void send_answer(void *ctx, const char *place, const struct post_piece *piece)
{
    static uint8_t sealed[POST_SEALED_MOST];
    const struct post_keys *keys = places_find(&d.places, place);
    char subject[POST_SUBJECT_MAX];
    uint8_t nonce[POST_NONCE];
    (void)ctx;
    randombytes_buf(nonce, sizeof nonce);
    size_t length = keys ? post_seal(keys, POST_DOWN, piece, nonce, sealed) : 0;
    snprintf(subject, sizeof subject, POST_SUBJECT_DOWN "%s", place);
    if (length)
        carrier_send(d.carrier, subject, sealed, length);
}

/* Answers a place that asks for tickets. Without an answer the place asks again. */
static enum bl_status hand_out(const struct post_keys *keys, const struct post_piece *asked,
                               struct bl_diag *diag)
{
    struct post_piece answer;
    enum bl_status status =
        d.handout ? handout_answer(d.handout, keys, asked, &answer, diag) : BL_NOINPUT;
    if (status == BL_OK)
        send_answer(NULL, keys->place, &answer);
    return status == BL_NOINPUT ? BL_OK : status;
}

/* False: the page will read it soon; no key is shown before. */
static bool knows_contest(void)
{
    snprintf(d.contest, sizeof d.contest, "%s", manager_contest(d.manager));
    return d.contest[0] || !d.manager;
}

/* Answers a referee's machine. The back room's is only answered under desk-network = all. */
static void hear_referee(const struct post_keys *keys, const struct post_piece *asked)
{
    struct referee_watch *watch =
        d.referee[strcmp(keys->place, WATCH_BACK) == 0 ? REFEREE_BACK : REFEREE_JUDGES];
    struct post_piece answer;
    if (!knows_contest())
        return; /* the machine asks again */
    if (!watch)
        say_of_place(keys, TILE_SEAL, BL_NOPERM,
                     "the venue's desk-network has no referee in the back room");
    else if (watch_hear(watch, asked, bl_now(), &answer))
        send_answer(NULL, keys->place, &answer);
}

static void hear_state(const struct post_keys *keys, const struct post_piece *state)
{
    struct post_piece answer = {.kind = POST_RUN, .copy = 1, .file = POST_NO_TICKET};
    manager_hear_state(d.manager, keys->place, state);
    answer.run = manager_run(d.manager, keys->place);
    if (state->version != POST_VERSION) /* whose courier would not know the answer */
        send_answer(NULL, keys->place, &answer);
}

static void on_message(void *ctx, const char *subject, const uint8_t *bytes, size_t length)
{
    static uint8_t plain[POST_PLAIN_MOST];
    const size_t head = strlen(POST_SUBJECT_UP);
    const struct post_keys *keys;
    struct post_piece piece;
    enum tile_matter matter = TILE_SEAL;
    struct bl_diag diag;
    (void)ctx;
    if (d.server && strcmp(subject, POST_SUBJECT_ECHO) == 0)
        nats_server_heard(d.server);
    if (strncmp(subject, POST_SUBJECT_UP, head) != 0 ||
        !(keys = places_find(&d.places, subject + head)))
        return;
    enum bl_status status = post_open(keys, POST_UP, bytes, length, plain, &piece, &diag);
    if (status == BL_OK && watch_is_place(keys->place)) {
        hear_referee(keys, &piece);
        return;
    }
    if (status == BL_OK && piece.kind == POST_STATE) {
        hear_state(keys, &piece);
    } else if (status == BL_OK && handout_is_asked(&piece)) {
        matter = TILE_TICKETS;
        status = hand_out(keys, &piece, &diag);
    } else if (status == BL_OK) {
        matter = TILE_RECORDS;
        status = inbox_take(d.inbox, keys->place, &piece, &diag);
    }
    if (status != BL_OK)
        say_of_place(keys, matter, status, diag.text);
    else
        manager_hear(d.manager, keys->place, matter, NULL, NULL);
}

/* Reports the disk's fault when it begins, and its end. */
static void look_at_disk(void)
{
    const char *fault = inbox_fault(d.inbox, bl_mono_us());
    char text[2 * sizeof d.disk];
    snprintf(text, sizeof text,
             "The desk's disk takes no records (%s). Make room on it. Booths go on, and their "
             "records wait on their disks, and come by themselves.",
             fault ? fault : "");
    manager_disk(d.manager, fault ? text : NULL);
    if (strcmp(d.disk, fault ? fault : "") == 0)
        return;
    snprintf(d.disk, sizeof d.disk, "%s", fault ? fault : "");
    log_line(HEAD, "%s", fault ? fault : "the disk takes records again");
}

/* Syncs once for all messages of a batch, and answers them. */
static void on_done(void *ctx)
{
    struct bl_diag diag;
    (void)ctx;
    inbox_sync(d.inbox, send_answer, NULL, &diag);
    look_at_disk();
}

static void on_up(void *ctx)
{
    (void)ctx;
    if (d.server)
        nats_server_heard(d.server);
    d.heard = true;
    manager_server(d.manager, NULL);
    say("open for the places");
}

static void on_cluster_down(const char *why)
{
    char text[320];
    snprintf(
        text, sizeof text,
        "No server of the cluster is there for the desk (%s). Look at the desk's network cable "
        "and at the servers, and whether each has the desk's last " CLUSTER_CONFIG
        ". Booths go on, and their records wait on their disks.",
        why);
    manager_server(d.manager, text);
    log_line(HEAD, "no server of the cluster is there for the desk (%s)", why);
}

static void on_down(void *ctx, const char *why)
{
    (void)ctx;
    if (!d.server) {
        on_cluster_down(why);
        return;
    }
    manager_server(d.manager,
                   "The nats-server is away. The desk starts it again; booths go on, and "
                   "their records wait on their disks.");
    if (!d.stopping && d.heard)
        log_line(HEAD, "the nats-server is away (%s)", why);
    else if (!d.stopping)
        say("waits for the nats-server that it has started");
}

/* Tells the fault of the contest's file when it begins. */
static void look_at_contest(void)
{
    const char *fault = manager_fault(d.manager);
    if (strcmp(d.unread, fault) == 0)
        return;
    snprintf(d.unread, sizeof d.unread, "%s", fault);
    if (*fault)
        log_line(HEAD, "the contest cannot be read%s: %s",
                 d.contest[0] ? "" : ", and referees get no answer until it can", fault);
    else
        say("the contest is read");
}

static void on_echo(struct bl_timer *timer)
{
    static const uint8_t word[] = "here";
    bl_timer_set(timer, bl_mono_us() + SECOND_US);
    carrier_send(d.carrier, POST_SUBJECT_ECHO, word, sizeof word);
    look_at_disk();
    look_at_contest();
    if (knows_contest())
        stage_tick(d.stage, bl_now(), manager_sealed(d.manager));
}

static void on_ended(void)
{
    uv_stop(&d.loop);
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)handle, (void)number;
    d.stopping = true;
    if (d.server)
        nats_server_stop(d.server);
    else
        on_ended();
}

static enum bl_status begin_server(const struct desk_given *given, struct bl_diag *diag)
{
    char folder[FOLDER_PATH_MAX];
    const struct post_server config = {.address = given->address,
                                       .port = given->port,
                                       .places = d.places.keys,
                                       .count = d.places.count,
                                       .desk = d.seed};
    enum bl_status status = folder_path(folder, diag, "%s/server", given->folder);
    if (status == BL_OK && given->cluster)
        return cluster_open(d.seed, folder, d.places.keys, d.places.count, diag);
    if (status == BL_OK)
        status = nats_server_open(&d.server, &d.loop, given->program ? given->program : DESK_NATS,
                                  folder, &config, say, on_ended, diag);
    return status;
}

static enum bl_status begin_carrier(const struct desk_given *given, struct bl_diag *diag)
{
    const struct carrier_options options = {.url = given->cluster ? given->cluster : d.url,
                                            .name = "desk",
                                            .seed = d.seed,
                                            .subject = {POST_SUBJECT_UP ">", POST_SUBJECT_ECHO},
                                            .up = on_up,
                                            .down = on_down,
                                            .message = on_message,
                                            .done = on_done};
    const bool any = strcmp(given->address, "0.0.0.0") == 0;
    snprintf(d.url, sizeof d.url, "nats://%s:%u", any ? "127.0.0.1" : given->address, given->port);
    enum bl_status status = carrier_open(&d.carrier, &d.loop, &options, diag);
    if (status == BL_OK)
        status = bl_timer_init(&d.loop, &d.echo, on_echo, NULL);
    if (status == BL_OK)
        bl_timer_set(&d.echo, bl_mono_us() + SECOND_US);
    return status;
}

/* Opens the page; if that fails, the desk still takes records. */
static void begin_page(const struct desk_given *given)
{
    struct bl_diag diag;
    if (!given->page.contest)
        return;
    if (manager_open(&d.manager, &d.loop, &given->page, say, &diag) != BL_OK)
        log_line(HEAD, "there is no page: %s", diag.text);
    for (size_t i = 0; i < d.places.count; i++)
        manager_add(d.manager, d.places.keys[i].place, d.places.made_s[i]);
}

static enum bl_status begin_stage(struct desk_given *given, struct bl_diag *diag)
{
    static char program[PATH_MAX];
    enum bl_status status = BL_OK;
    if (!given->stage.listen)
        return BL_OK;
    given->stage.booths = given->address;
    given->stage.contest = d.contest;
    if (!given->stage.program)
        status = libexec_path(program, "boothlink-audience", diag);
    if (status == BL_OK && !given->stage.program)
        given->stage.program = program;
    if (status == BL_OK)
        status = stage_open(&d.stage, &d.loop, &given->stage, say, diag);
    for (size_t i = 0; i < d.places.count; i++)
        stage_add(d.stage, d.places.keys[i].place);
    return status;
}

static void name_side(void *ctx, const char *session, enum side side, char out[WATCH_WHO])
{
    (void)ctx;
    manager_name_side(d.manager, session, side, out);
}

static void limit_done(void *ctx, int status, const char *said)
{
    watch_done(ctx, bl_now(), status, said);
}

static bool limit(void *ctx, struct referee_watch *watch, const char *bytes, size_t length)
{
    (void)ctx;
    return manager_limit(d.manager, bytes, length, limit_done, watch);
}

static void draw_number(void *ctx, char number[WATCH_NUMBER + 1])
{
    uint8_t bytes[WATCH_NUMBER / 2];
    (void)ctx;
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(number, WATCH_NUMBER + 1, bytes, sizeof bytes);
}

static void refused_wish(void *ctx)
{
    (void)ctx;
    say(WATCH_BACK ": a wish to limit a confederate was refused: it came again, or late. If the "
                   "referee does not know of it, somebody plays the network's messages again");
}

static enum bl_status begin_referees(const struct desk_given *given, struct bl_diag *diag)
{
    static const char *const places[REFEREES] = {WATCH_JUDGES, WATCH_BACK};
    const bool back = given->network && strcmp(given->network, "all") == 0;
    enum bl_status status = BL_OK;
    for (unsigned i = 0; status == BL_OK && i < REFEREES; i++) {
        struct watch_options options = {.inbox = given->folder, .contest = d.contest};
        if (!places_find(&d.places, places[i]) || (i == REFEREE_BACK && !back))
            continue;
        if (i == REFEREE_BACK) {
            options.who = name_side;
            options.limit = limit;
            options.refused = refused_wish;
            options.draw = draw_number;
        }
        status = watch_create(&d.referee[i], &options, diag);
        log_line(HEAD, "%s: take its key to the referee's own machine: %s/%s.key", places[i],
                 given->keys, places[i]);
        for (size_t k = 0; status == BL_OK && k < d.places.count; k++)
            watch_add(d.referee[i], d.places.keys[k].place);
    }
    return status;
}

static enum bl_status begin(struct desk_given *given, struct bl_diag *diag)
{
    static const int signals[SIGNALS] = {SIGTERM, SIGINT};
    enum bl_status status = places_read(&d.places, given->keys, diag);
    if (status == BL_OK)
        status = inbox_open(&d.inbox, given->folder, diag);
    for (size_t i = 0; status == BL_OK && i < d.places.count; i++)
        inbox_add(d.inbox, d.places.keys[i].place);
    if (status == BL_OK && given->sticks)
        status = handout_open(&d.handout, given->sticks, diag);
    if (status == BL_OK && uv_loop_init(&d.loop))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    randombytes_buf(d.seed, sizeof d.seed);
    randombytes_buf(&given->page.run, sizeof given->page.run);
    if (status == BL_OK)
        begin_page(given);
    if (status == BL_OK)
        status = begin_stage(given, diag);
    if (status == BL_OK)
        status = begin_referees(given, diag);
    if (status == BL_OK)
        status = begin_server(given, diag);
    for (unsigned i = 0; status == BL_OK && i < SIGNALS; i++)
        if (uv_signal_init(&d.loop, &d.signal[i]) ||
            uv_signal_start(&d.signal[i], on_signal, signals[i]))
            status = bl_fail(diag, BL_NOMEM, "no memory");
    return status == BL_OK ? begin_carrier(given, diag) : status;
}

int desk_run(int argc, char **argv)
{
    struct desk_given given = {.address = "0.0.0.0", .port = 4222, .stage.delay_us = FEED_SEALED};
    struct bl_diag diag = {""};
    d = (struct desk){.manager = NULL};
    options_read(&given, argc, argv);
    if (sodium_init() < 0)
        return bl_status_exit(BL_UNAVAIL);
    enum bl_status status =
        given.make_key ? place_key_make(given.keys, given.make_key, &diag) : begin(&given, &diag);
    if (status != BL_OK)
        say(diag.text);
    else if (!given.make_key)
        uv_run(&d.loop, UV_RUN_DEFAULT);
    carrier_close(d.carrier);
    inbox_close(d.inbox);
    handout_close(d.handout);
    for (unsigned i = 0; i < REFEREES; i++)
        watch_destroy(d.referee[i]);
    return bl_status_exit(status);
}
