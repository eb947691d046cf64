/* In the place of host/entity/program.c: an Entry, which a keeper holds, so that it outlives its
 * terminal's process, though not its machine's power. It greets, and answers each line. */
#include "world_private.h"

#include "base/loop.h"
#include "entity/program.h"
#include "session/event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT_MOST 65536
#define READY_US (SECOND / 2)

const char *const program_ios[] = {"pty", "pipe", NULL};
const char *const program_turn_ends[] = {"lf", "cr", "crlf", "two-returns", NULL};

/* The Entry itself, with the keys that it has typed and nobody has taken. */
struct entry {
    struct entry *next;
    struct machine *machine;
    uint8_t boot[16];
    char session[SESSION_ID_MAX + 1];
    struct dice dice;
    char out[OUT_MOST];
    size_t from, to;
    uint64_t delivered;
    unsigned answers;
    bool ready;
};
static struct entry *entries;
static const char *greeting;
static bool slow;

void world_greeting(const char *text)
{
    greeting = text;
}

void world_slow_entries(bool are_slow)
{
    slow = are_slow;
}

struct program {
    struct entry *entry; /* NULL: it is about to be opened */
    struct program_callbacks callbacks;
    void *ctx;
    struct bl_timer timer;
    uint64_t next_us; /* when it types its next key */
    unsigned allowed;
    bool told, closed;
    /* Of program_open_later(). */
    program_opened *opened;
    struct program_options options;
};

enum bl_status program_prepare(const struct program_options *options, struct bl_diag *diag)
{
    (void)options;
    (void)diag;
    return BL_OK;
}

static void say(struct entry *e, const char *text)
{
    for (; *text && e->to < OUT_MOST; text++)
        e->out[e->to++] = *text;
}

static struct entry *find(const struct program_options *options, bool *old)
{
    struct machine *m = process_current->machine;
    struct entry *e;
    for (e = entries; e; e = e->next)
        if (e->machine == m && memcmp(e->boot, m->boot, sizeof e->boot) == 0 &&
            strcmp(e->session, options->session) == 0)
            break;
    *old = e != NULL;
    if (e)
        return e;
    e = calloc(1, sizeof *e);
    e->machine = m;
    memcpy(e->boot, m->boot, sizeof e->boot);
    snprintf(e->session, sizeof e->session, "%s", options->session);
    e->dice = world_dice(1000 + world_roll(1u << 20));
    e->delivered = options->delivered;
    if (!options->delivered && !options->keys)
        say(e, greeting ? greeting : "Hello\n");
    e->next = entries;
    return entries = e;
}

static void set_timer(struct program *p)
{
    if (!p->closed)
        bl_timer_set(&p->timer, !p->told || (p->allowed && p->entry->from != p->entry->to)
                                    ? p->next_us
                                    : BL_NEVER);
}

static void on_timer(struct bl_timer *timer)
{
    struct program *p = timer->data;
    struct entry *e = p->entry;
    if (!p->told && slow) {
        p->next_us = bl_mono_us() + READY_US;
        set_timer(p);
        return;
    }
    if (!p->told) {
        p->told = e->ready = true;
        p->callbacks.event(p->ctx, PROGRAM_READY, 0, "it waits for input");
    } else if (p->allowed && e->from != e->to) {
        p->allowed--;
        unsigned char c = (unsigned char)e->out[e->from];
        enum handed handed = p->callbacks.key(p->ctx, c == '\n' ? KEY_RETURN : c, bl_mono_us());
        if (handed == HANDED_BACK)
            p->allowed = 0;
        else
            e->from++;
    }
    p->next_us = bl_mono_us() + 30000 + dice_below(&e->dice, 60000);
    set_timer(p);
}

static enum bl_status begin(struct program *p, const struct program_options *options,
                            struct bl_diag *diag)
{
    bool old;
    enum bl_status status = BL_OK;
    struct entry *e = find(options, &old);
    if (!old && options->check)
        status = options->check(options->check_ctx, diag);
    if (status)
        return status;
    p->entry = e;
    p->next_us = bl_mono_us() + READY_US;
    return BL_OK;
}

static struct program *create(uv_loop_t *loop, const struct program_callbacks *callbacks, void *ctx,
                              void (*fire)(struct bl_timer *timer))
{
    struct program *p = calloc(1, sizeof *p);
    p->callbacks = *callbacks;
    p->ctx = ctx;
    bl_timer_init(loop, &p->timer, fire, p);
    return p;
}

static void on_closed(struct bl_timer *timer)
{
    free(timer->data);
}

enum bl_status program_open(struct program **out, uv_loop_t *loop,
                            const struct program_options *options,
                            const struct program_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag)
{
    struct program *p = create(loop, callbacks, ctx, on_timer);
    enum bl_status status = begin(p, options, diag);
    if (status) {
        p->closed = true;
        bl_timer_close(&p->timer, on_closed);
        return status;
    }
    set_timer(p);
    *out = p;
    return BL_OK;
}

static void on_later(struct bl_timer *timer)
{
    struct program *p = timer->data;
    struct bl_diag why = {""};
    enum bl_status status = begin(p, &p->options, &why);
    p->timer.fire = on_timer;
    set_timer(p);
    p->opened(p->ctx, status ? NULL : p, &why);
    if (status)
        program_close(p);
}

enum bl_status program_open_later(struct program **out, uv_loop_t *loop,
                                  const struct program_options *options,
                                  const struct program_callbacks *callbacks, void *ctx,
                                  program_opened *opened, struct bl_diag *diag)
{
    struct program *p = create(loop, callbacks, ctx, on_later);
    (void)diag;
    p->opened = opened;
    p->options = *options;
    bl_timer_set(&p->timer, bl_mono_us() + 1000);
    *out = p;
    return BL_OK;
}

void program_allow(struct program *p, unsigned keys)
{
    p->allowed = keys;
    set_timer(p);
}

void program_placed(struct program *p)
{
    (void)p;
}

enum bl_status program_give(struct program *p, uint64_t n, uint32_t point)
{
    struct entry *e = p->entry;
    char answer[64];
    if (n <= e->delivered)
        return BL_OK;
    e->delivered = n;
    if (point != KEY_RETURN)
        return BL_OK;
    bool idle = e->from == e->to;
    snprintf(answer, sizeof answer, "I am told, answer %u.\n", ++e->answers);
    say(e, answer);
    if (idle)
        p->next_us = bl_mono_us() + SECOND / 4 + dice_below(&e->dice, SECOND);
    set_timer(p);
    return BL_OK;
}

enum bl_status program_type(struct program *p, uint32_t point)
{
    (void)p;
    (void)point;
    return BL_OK;
}

uint64_t program_delivered(const struct program *p)
{
    return p->entry->delivered;
}

bool program_ready(const struct program *p)
{
    return p->entry->ready;
}

bool program_running(const struct program *p)
{
    return p->entry != NULL;
}

int program_lpp_fd(const struct program *p)
{
    (void)p;
    return -1;
}

int program_port_fd(const struct program *p)
{
    (void)p;
    return -1;
}

void program_close(struct program *p)
{
    if (!p || p->closed)
        return;
    p->closed = true;
    bl_timer_close(&p->timer, on_closed);
    /* Closed in good order it ends; so does its keeper. */
    if (p->entry)
        memset(p->entry->boot, 0, sizeof p->entry->boot);
}

void entries_end(void)
{
    for (struct entry *e = entries, *next; e; e = next) {
        next = e->next;
        free(e);
    }
    entries = NULL;
    greeting = NULL;
    slow = false;
}
