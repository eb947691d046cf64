#include "network.h"

#include "world_private.h"

#include "base/loop.h"
#include "post/nats/carrier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGAIN_US   SECOND
#define TIMEOUT_US (2 * SECOND) /* of a try to connect */
#define STALE_US   (6 * SECOND) /* without anything of the server, after which it is given up */
#define WAIT_US    100000       /* between two looks whether the way is there again */
#define NETS       64

struct letter {
    struct letter *next;
    struct carrier *from, *to;
    unsigned sender, receiver; /* their connections' numbers */
    char subject[POST_SUBJECT_MAX];
    uint8_t *bytes;
    size_t length;
};

struct carrier {
    struct carrier *next;
    struct process *process;
    struct carrier_options options;
    bool up, told_down, ended; /* ended: the server or the client has closed it */
    bool forgotten;            /* the connection is up for its client alone */
    unsigned number;           /* of its connection */
    uint64_t silent_us;        /* since when nothing goes over it; 0: it goes */
    uint64_t last_us;          /* when the last letter comes to it */
    struct letter *first;      /* that have come, and are not heard */
    struct bl_timer look, news;
};

static struct {
    struct carrier *carriers;
    bool away;
    unsigned connections, arrived, faults;
    uint64_t stopped_us;
    const struct machine *unplugged[NETS];
    struct network_tap tap;
    struct dice dice;
    bool has_dice;
} net;

static uint64_t roll(uint64_t below)
{
    if (!net.has_dice)
        net.dice = world_dice(98);
    net.has_dice = true;
    return dice_below(&net.dice, below);
}

static bool is_unplugged(const struct machine *m)
{
    for (unsigned i = 0; i < NETS; i++)
        if (net.unplugged[i] == m)
            return true;
    return false;
}

/* The server is there, and the machine's bytes come to it. */
static bool goes(const struct carrier *c)
{
    return !net.away && net.stopped_us <= world_now() && !is_unplugged(c->process->machine) &&
           !c->forgotten;
}

static void ring(void *ctx)
{
    struct carrier *c = ctx;
    bl_timer_set(&c->news, 1);
}

/* Lets its process look for what has come. */
static void wake(struct carrier *c)
{
    if (!process_lives(c->process))
        return;
    process_lend(c->process, ring, c);
    process_poke(c->process);
}

static void free_letter(struct letter *l)
{
    free(l->bytes);
    free(l);
}

static void on_arrive(void *ctx)
{
    struct letter *l = ctx, **at = &l->to->first;
    struct carrier *to = l->to;
    bool same = process_lives(to->process) && to->up && to->number == l->receiver;
    bool sent = process_lives(l->from->process) && l->from->number == l->sender;
    if (!same || (!sent && !goes(l->from))) {
        free_letter(l);
        return;
    }
    if (!goes(to) || (sent && !goes(l->from))) {
        world_at(world_now() + WAIT_US, on_arrive, l);
        return;
    }
    while (*at)
        at = &(*at)->next;
    *at = l;
    net.arrived++;
    wake(to);
}

static bool hears(const struct carrier *c, const char *subject)
{
    for (unsigned i = 0; i < CARRIER_SUBJECTS; i++) {
        const char *own = c->options.subject[i];
        size_t length = own ? strlen(own) : 0;
        if (length && (strcmp(own, subject) == 0 ||
                       (own[length - 1] == '>' && strncmp(own, subject, length - 1) == 0)))
            return true;
    }
    return false;
}

static void post(struct carrier *from, struct carrier *to, const char *subject,
                 const uint8_t *bytes, size_t length)
{
    struct letter *l = calloc(1, sizeof *l);
    uint64_t at_us = world_now() + 200 + roll(3000);
    bool late = roll(1000) < net.faults;
    l->from = from;
    l->to = to;
    l->sender = from->number;
    l->receiver = to->number;
    snprintf(l->subject, sizeof l->subject, "%s", subject);
    l->bytes = malloc(length);
    memcpy(l->bytes, bytes, length);
    l->length = length;
    if (late)
        at_us += roll(4 * SECOND);
    else if (at_us <= to->last_us)
        at_us = to->last_us + 1;
    if (!late)
        to->last_us = at_us;
    world_at(at_us, on_arrive, l);
}

bool carrier_send(struct carrier *from, const char *subject, const uint8_t *bytes, size_t length)
{
    process_call();
    if (!carrier_is_up(from))
        return false;
    if (net.tap.sent)
        net.tap.sent(net.tap.ctx, from->process->machine, subject, bytes, length);
    for (struct carrier *to = net.carriers; to; to = to->next) {
        if (!process_lives(to->process) || !to->up || !hears(to, subject) ||
            roll(1000) < net.faults)
            continue;
        for (unsigned copies = roll(1000) < net.faults ? 2 : 1; copies; copies--)
            post(from, to, subject, bytes, length);
    }
    return true;
}

static void drop_letters(struct carrier *c)
{
    for (struct letter *l = c->first, *next; l; l = next) {
        next = l->next;
        free_letter(l);
    }
    c->first = NULL;
}

static void be_down(struct carrier *c, const char *why)
{
    c->up = c->ended = c->forgotten = false;
    drop_letters(c);
    if (!c->told_down)
        c->options.down(c->options.ctx, why);
    c->told_down = true;
}

/* It blocks, as the library does, while nobody answers. */
static void be_connected(struct carrier *c)
{
    bool reached = !is_unplugged(c->process->machine) && net.stopped_us <= world_now();
    if (!reached)
        process_sleep(world_now() + TIMEOUT_US);
    if (!reached || net.away) {
        be_down(c, reached ? "no server" : "timeout");
        return;
    }
    c->up = true;
    c->told_down = c->ended = c->forgotten = false;
    c->number = ++net.connections;
    c->silent_us = 0;
    c->options.up(c->options.ctx);
}

/* Each second. */
static void on_look(struct bl_timer *timer)
{
    struct carrier *c = timer->data;
    if (!c->up) {
        be_connected(c);
    } else if (goes(c)) {
        c->silent_us = 0;
    } else if (!c->silent_us) {
        c->silent_us = world_now();
    } else if (world_now() - c->silent_us >= STALE_US) {
        be_down(c, "stale connection");
    }
    bl_timer_set(timer, bl_mono_us() + AGAIN_US);
}

static void on_news(struct bl_timer *timer)
{
    struct carrier *c = timer->data;
    struct letter *first = c->first;
    c->first = NULL;
    for (struct letter *l = first, *next; l; l = next) {
        next = l->next;
        c->options.message(c->options.ctx, l->subject, l->bytes, l->length);
        free_letter(l);
    }
    if (first)
        c->options.done(c->options.ctx);
    if (c->ended)
        be_down(c, "the connection has ended");
}

enum bl_status carrier_open(struct carrier **out, uv_loop_t *loop,
                            const struct carrier_options *options, struct bl_diag *diag)
{
    struct carrier *c = *out = calloc(1, sizeof *c), **at = &net.carriers;
    (void)diag;
    c->process = process_current;
    c->options = *options;
    while (*at)
        at = &(*at)->next;
    *at = c;
    bl_timer_init(loop, &c->look, on_look, c);
    bl_timer_init(loop, &c->news, on_news, c);
    bl_timer_set(&c->look, bl_mono_us());
    return BL_OK;
}

bool carrier_is_up(const struct carrier *c)
{
    return c->up;
}

/* The world has one server. */
void carrier_change(struct carrier *c, const char *why)
{
    (void)c, (void)why;
}

void carrier_close(struct carrier *c)
{
    if (!c)
        return;
    c->up = false;
    drop_letters(c);
}

/* ---- what goes wrong ---- */

/* A client that can still be told learns it at once, others by silence. */
void network_server(bool there)
{
    net.away = !there;
    for (struct carrier *c = net.carriers; c && !there; c = c->next) {
        if (!c->up || !process_lives(c->process))
            continue;
        c->ended = !is_unplugged(c->process->machine) && !c->forgotten;
        c->forgotten = true;
        if (c->ended)
            wake(c);
    }
}

void network_stop(uint64_t for_us)
{
    if (net.stopped_us < world_now() + for_us)
        net.stopped_us = world_now() + for_us;
}

void network_plug(const struct machine *m, bool plugged)
{
    for (unsigned i = 0; i < NETS; i++) {
        if (net.unplugged[i] == (plugged ? m : NULL)) {
            net.unplugged[i] = plugged ? NULL : m;
            if (!plugged)
                return;
        }
    }
}

void network_drop(const struct machine *m)
{
    for (struct carrier *c = net.carriers; c; c = c->next)
        if (process_lives(c->process) && c->process->machine == m && c->up)
            c->forgotten = true;
}

void network_faults(unsigned per_thousand)
{
    net.faults = per_thousand;
}

void network_tap(const struct network_tap *tap)
{
    net.tap = *tap;
}

unsigned network_arrived(void)
{
    return net.arrived;
}

/* Carriers are their programs' memory, which ends with the world's process. */
void network_end(void)
{
    memset(&net, 0, sizeof net);
}
