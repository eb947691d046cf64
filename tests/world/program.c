/* In the place of host/entity/program.c: an Entry, which a keeper holds, so that it outlives its
 * terminal's process, though not its machine's power. It greets, and answers each line. */
#include "world_private.h"

#include "base/loop.h"
#include "entity/chat_brief.h"
#include "entity/program.h"
#include "session/event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUT_MOST  65536
#define TOLD_MOST 4096
#define READY_US  (SECOND / 2)

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
    struct heard judge;
    char told[TOLD_MOST];    /* at its start */
    struct program *held;    /* by the terminal that had it last, */
    struct process *process; /* which is this one's */
    bool ready, ended;
};
static struct entry *entries;
static const char *greeting;
static bool slow;
static bool repeats;

void world_greeting(const char *text)
{
    greeting = text;
}

void world_slow_entries(bool are_slow)
{
    slow = are_slow;
}

void world_entries_repeat(void)
{
    repeats = true;
}

struct program {
    struct entry *entry; /* NULL: it is about to be opened */
    struct program_callbacks callbacks;
    void *ctx;
    struct bl_timer timer;
    uint64_t next_us; /* when it types its next key */
    unsigned allowed;
    bool told, exit_told, resumed, closed;
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

bool heard_key(struct heard *heard, uint32_t point, char answer[ANSWER_MOST])
{
    if (point == KEY_BACKSPACE)
        heard->length -= heard->length > 0;
    else if (point != KEY_RETURN && heard->length + 1 < sizeof heard->line)
        heard->line[heard->length++] = (char)point;
    if (point != KEY_RETURN)
        return false;
    heard->line[heard->length] = '\0';
    heard->length = 0;
    heard->lines++;
    if (repeats)
        snprintf(answer, ANSWER_MOST, "I hear %s.\n", heard->line);
    else
        snprintf(answer, ANSWER_MOST, "I am told, answer %u.\n", heard->lines);
    return true;
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
    if (options->brief > 0 && pread(options->brief, e->told, TOLD_MOST - 1, CHAT_TEXT_AT) < 0)
        world_die("a brief cannot be read");
    if (!options->delivered && !options->keys)
        say(e, greeting ? greeting : "Hello\n");
    e->next = entries;
    return entries = e;
}

static void set_timer(struct program *p)
{
    const struct entry *e = p->entry;
    bool due = !p->told || (p->allowed && e->from != e->to) || (e->ended && !p->exit_told);
    if (!p->closed)
        bl_timer_set(&p->timer, due ? p->next_us : BL_NEVER);
}

static void tell_start(struct program *p)
{
    const struct program_options *o = &p->options;
    p->told = true;
    p->entry->ready = !p->entry->ended;
    p->callbacks.event(p->ctx, p->resumed ? PROGRAM_RESUMED : PROGRAM_STARTED, 0, "it runs");
    if (o->place.ours && entry_kinds[o->place.ours].told && !p->resumed)
        p->callbacks.event(p->ctx, PROGRAM_THERE, 0, "warmed up: a model of the tests");
    if (p->entry->ready)
        p->callbacks.event(p->ctx, PROGRAM_READY, 0, "it waits for input");
}

static void on_timer(struct bl_timer *timer)
{
    struct program *p = timer->data;
    struct entry *e = p->entry;
    if (!p->told && slow && !e->ended) {
        p->next_us = bl_mono_us() + READY_US;
        set_timer(p);
        return;
    }
    if (!p->told) {
        tell_start(p);
    } else if (e->ended && !p->exit_told) {
        p->exit_told = true;
        p->callbacks.event(p->ctx, PROGRAM_EXITED, 0, "ended by signal 9");
    } else if (p->allowed && e->from != e->to) {
        p->allowed--;
        unsigned char c = (unsigned char)e->out[e->from];
        uint32_t point = c == '\n' ? KEY_RETURN : c;
        if (world_watcher.entry_typed)
            world_watcher.entry_typed(world_watcher.ctx, process_current, point);
        enum handed handed = p->callbacks.key(p->ctx, point, bl_mono_us());
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
    enum bl_status status = BL_OK;
    struct entry *e = find(options, &p->resumed);
    if (!p->resumed && options->check)
        status = options->check(options->check_ctx, diag);
    if (status)
        return status;
    p->options = *options;
    p->entry = e;
    e->held = p;
    e->process = process_current;
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
    char answer[ANSWER_MOST];
    if (n <= e->delivered || e->ended)
        return BL_OK;
    e->delivered = n;
    if (!heard_key(&e->judge, point, answer))
        return BL_OK;
    bool idle = e->from == e->to;
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
    return p->entry->ready || p->exit_told;
}

bool program_resumed(const struct program *p)
{
    return p->resumed;
}

bool program_running(const struct program *p)
{
    return p->entry && !p->entry->ended;
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

const void *entry_box(const struct program *p)
{
    return p->entry;
}

static void on_ended(void *ctx)
{
    set_timer(ctx);
}

static struct entry *entry_of(const struct machine *m)
{
    for (struct entry *e = entries; e; e = e->next)
        if (e->machine == m && memcmp(e->boot, m->boot, sizeof e->boot) == 0)
            return e;
    return NULL;
}

bool world_entry_end(struct machine *m)
{
    struct entry *e = entry_of(m);
    if (!e || e->ended || !process_lives(e->process))
        return false;
    e->ended = true;
    if (!e->ready)
        e->from = e->to; /* nor has it said a word */
    process_lend(e->process, on_ended, e->held);
    return true;
}

const char *world_entry_told(const struct machine *m)
{
    const struct entry *e = entry_of(m);
    return e ? e->told : "";
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
    repeats = false;
    speakers_end();
}
