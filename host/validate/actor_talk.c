#include "validate/actor_private.h"

#include "base/loop.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define STUCK_MS     10000u
#define RELEASE_US   (100 * MS) /* time for which a possible prompt is held */
#define PULSE_MS     50u /* interval of the sandbox's watch, on a machine that is not overloaded */
#define PATIENCE     3u  /* factor of the allowed time for a working program */
#define SETTLED      4u  /* a program is nearly idle below one part in so many of the processor */
#define WORK_PERCENT 2u  /* percent of the processor that counts as work */

enum bl_status talk_open(struct actor *a, const struct sandbox_options *sandbox,
                         struct bl_diag *diag)
{
    struct actor_talk *t = &a->talk;
    t->on_pty = sandbox->io == PROGRAM_PTY;
    t->terminal.slave_fd = -1;
    t->turn_end = sandbox->turn_end;
    t->filter = (struct filter){.strip_echo = a->options.strip_echo,
                                .returns = sandbox->turn_end == TURN_TWO_RETURNS ? 2 : 1,
                                .given = &t->given};
    if (!a->options.strip_prompt)
        return BL_OK;
    t->filter.prompt = &t->prompt;
    return prompt_parse(&t->prompt, a->options.strip_prompt, diag);
}

void talk_close(struct actor *a)
{
    prompt_free(&a->talk.prompt);
}

static void mark_set(struct actor *a)
{
    struct actor_talk *t = &a->talk;
    t->mark = a->take->total;
    t->mark_us = bl_mono_us();
    t->keys = 0;
    t->text_length = 0;
    t->text[0] = '\0';
    t->bad = t->state.bad;
    t->ignored = t->state.ignored;
}

void talk_start(struct actor *a)
{
    struct actor_talk *t = &a->talk;
    if (t->on_pty)
        t->terminal.slave_fd = sandbox_in_fd(a->sandbox);
    t->state = (struct filter_state){0};
    atomic_store(&t->given.count, 0);
    atomic_store(&t->given.turn, 0);
    filter_start(&t->filter, &t->state);
    t->lines = 0;
    mark_set(a);
    t->window_us = t->mark_us;
    t->window_cpu_us = atomic_load(&sandbox_facts(a->sandbox)->cpu_us);
}

static bool is_visible(uint32_t point)
{
    return point > 0x20 && point != 0x7F;
}

static void keys_take(struct actor_talk *t)
{
    while (filter_waiting(&t->state)) {
        uint32_t point = filter_next(&t->state).point;
        filter_pop(&t->state);
        if (is_visible(point))
            t->keys++;
        if (t->text_length + UTF8_MAX < sizeof t->text)
            t->text_length += utf8_encode(point == KEY_RETURN ? '\n' : point,
                                          (uint8_t *)t->text + t->text_length);
    }
    t->text[t->text_length] = '\0';
}

void talk_hear(struct actor *a, const uint8_t *bytes, size_t length)
{
    struct actor_talk *t = &a->talk;
    for (size_t i = 0; i < length; i++) {
        keys_take(t);
        filter_feed(&t->filter, &t->state, bytes[i]);
    }
    keys_take(t);
}

void talk_drain(struct actor *a)
{
    struct actor_talk *t = &a->talk;
    while (filter_holding(&t->state) && !filter_waiting(&t->state)) {
        filter_release(&t->filter, &t->state);
        keys_take(t);
    }
}

static bool is_over(struct actor *a, enum actor_outcome *outcome)
{
    if (!actor_is_over(a, outcome))
        return false;
    if (*outcome == ACTOR_ENDED) {
        actor_drain(a);
        actor_is_over(a, outcome);
    }
    return true;
}

/* The time limit of a wait: `late_ms`, extended to at most PATIENCE times that, while the machine
 * is too busy or, with `work_counts`, while the program computes. */
struct patience {
    bool work_counts;
    uint64_t due_us, last_us, step_us;
    uint64_t cpu_us;
    uint32_t pulse;
};

static void patience_start(struct patience *p, const struct actor *a, unsigned late_ms)
{
    const struct sandbox_facts *facts = sandbox_facts(a->sandbox);
    uint64_t now = bl_mono_us();
    *p = (struct patience){.work_counts = true,
                           .due_us = now + late_ms * MS,
                           .last_us = now + PATIENCE * late_ms * MS,
                           .step_us = late_ms * MS,
                           .cpu_us = atomic_load(&facts->cpu_us),
                           .pulse = atomic_load(&facts->pulse)};
}

static bool patience_ends(struct patience *p, const struct actor *a)
{
    const struct sandbox_facts *facts = sandbox_facts(a->sandbox);
    uint64_t now = bl_mono_us(), cpu = atomic_load(&facts->cpu_us);
    uint32_t pulse = atomic_load(&facts->pulse);
    bool works, starved;
    if (now < p->due_us)
        return false;
    works = atomic_load(&facts->running) || (cpu - p->cpu_us) * 100 > p->step_us * WORK_PERCENT;
    starved = (pulse - p->pulse) * PULSE_MS * MS * 2 < p->step_us;
    if (!((works && p->work_counts) || starved) || now >= p->last_us)
        return true;
    p->cpu_us = cpu;
    p->pulse = pulse;
    p->step_us = p->step_us / 4 + 1;
    p->due_us = now + p->step_us < p->last_us ? now + p->step_us : p->last_us;
    return false;
}

/* Releases a held prompt, which may be words, after a short silence. */
static uint64_t release(struct actor *a, uint64_t until_us)
{
    uint64_t due = a->last_us + RELEASE_US;
    if (!filter_holding(&a->talk.state))
        return until_us;
    if (bl_mono_us() < due)
        return due < until_us ? due : until_us;
    filter_release(&a->talk.filter, &a->talk.state);
    keys_take(&a->talk);
    return until_us;
}

static uint64_t quiet_since(const struct actor *a)
{
    return a->last_us > a->talk.mark_us ? a->last_us : a->talk.mark_us;
}

static bool has_key(struct actor *a, unsigned quiet_ms)
{
    (void)quiet_ms;
    return a->talk.keys > 0;
}

static bool is_quiet(struct actor *a, unsigned quiet_ms)
{
    return bl_mono_us() >= quiet_since(a) + quiet_ms * MS;
}

/* True if a program that polls a folder has become nearly idle: it counts as ready. */
static bool is_settled(struct actor *a, unsigned quiet_ms)
{
    uint64_t now = bl_mono_us(), cpu = atomic_load(&sandbox_facts(a->sandbox)->cpu_us);
    uint64_t passed = now - a->talk.window_us, used = cpu - a->talk.window_cpu_us;
    if (passed < quiet_ms * MS)
        return false;
    a->talk.window_us = now;
    a->talk.window_cpu_us = cpu;
    return used * SETTLED < passed;
}

static bool is_ready(struct actor *a, unsigned quiet_ms)
{
    if (a->server)
        return lpp2_judge_registered(a->server);
    if (a->lpp && is_settled(a, quiet_ms))
        return true;
    return atomic_load(&sandbox_facts(a->sandbox)->reading) ||
           (a->take->total > 0 && is_quiet(a, quiet_ms));
}

static bool never(struct actor *a, unsigned quiet_ms)
{
    (void)a;
    (void)quiet_ms;
    return false;
}

/* Waits until is_done(), which may depend on the time. */
static enum actor_outcome wait_until(struct actor *a, unsigned late_ms, unsigned quiet_ms,
                                     bool (*is_done)(struct actor *a, unsigned quiet_ms))
{
    struct patience patience;
    enum actor_outcome outcome;
    patience_start(&patience, a, late_ms);
    /* A start's limit includes the time for work. A polling program is not seen reading. */
    patience.work_counts = is_done != is_ready;
    a->flood_from = a->take->total;
    for (;;) {
        uint64_t until = patience.due_us;
        /* Bytes written while the machine did not run this process count as in time. */
        scene_turn(a->scene, 0);
        if (is_done(a, quiet_ms))
            return ACTOR_DONE;
        if (is_over(a, &outcome))
            return is_done(a, quiet_ms) && outcome == ACTOR_ENDED ? ACTOR_DONE : outcome;
        if (patience_ends(&patience, a))
            return ACTOR_LATE;
        if (quiet_ms && quiet_since(a) + quiet_ms * MS < until &&
            quiet_since(a) + quiet_ms * MS > bl_mono_us())
            until = quiet_since(a) + quiet_ms * MS;
        if (a->lpp && until > bl_mono_us() + PULSE_MS * MS)
            until = bl_mono_us() +
                    PULSE_MS * MS; /* the interval for looking at the program's use of time */
        scene_turn(a->scene, release(a, until));
    }
}

enum actor_outcome actor_wait_key(struct actor *a, unsigned late_ms)
{
    return wait_until(a, late_ms, 0, has_key);
}

enum actor_outcome actor_wait_quiet(struct actor *a, unsigned quiet_ms, unsigned late_ms)
{
    return wait_until(a, late_ms, quiet_ms, is_quiet);
}

enum actor_outcome actor_wait_ready(struct actor *a, unsigned quiet_ms, unsigned late_ms)
{
    return wait_until(a, late_ms, quiet_ms, is_ready);
}

enum actor_outcome actor_wait_end(struct actor *a, unsigned late_ms)
{
    return wait_until(a, late_ms, 0, never);
}

enum actor_outcome actor_wait_gone(struct actor *a, unsigned late_ms, bool attached)
{
    const struct sandbox_facts *facts = sandbox_facts(a->sandbox);
    uint64_t until = bl_mono_us() + late_ms * MS;
    uint32_t pulse = atomic_load(&facts->pulse);
    /* The count may be one pulse old, so two pulses have to pass. */
    while (!atomic_load(&facts->ended) ||
           atomic_load(attached ? &facts->attached : &facts->processes) ||
           atomic_load(&facts->pulse) - pulse < 2) {
        uint64_t now = bl_mono_us();
        if (now >= until && atomic_load(&facts->pulse) - pulse >= 2)
            return ACTOR_LATE;
        scene_turn(a->scene, now + PULSE_MS * MS);
    }
    return ACTOR_DONE;
}

/* Stops output on the program's side of its terminal; returns that side, or -1 if there is none. */
static int terminal_stop(const struct actor *a)
{
    int fd = -1;
    if (!a->apart && a->talk.terminal.slave_fd >= 0)
        fd = ioctl(a->talk.terminal.slave_fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0)
        tcflow(fd, TCOOFF);
    return fd;
}

static void terminal_go(int fd)
{
    if (fd < 0)
        return;
    tcflow(fd, TCOON);
    close(fd);
}

enum actor_outcome actor_pause(struct actor *a, unsigned ms, bool cut)
{
    uint64_t until = bl_mono_us() + ms * MS;
    enum actor_outcome outcome = ACTOR_DONE;
    int stopped = cut ? terminal_stop(a) : -1;
    a->deaf = cut;
    a->flood_from = a->take->total;
    while (bl_mono_us() < until && !is_over(a, &outcome))
        scene_turn(a->scene, release(a, until));
    a->deaf = false;
    terminal_go(stopped);
    return outcome;
}

/* Writes all bytes, and reads the output meanwhile. */
static enum actor_outcome write_all(struct actor *a, const uint8_t *bytes, size_t length)
{
    struct patience patience;
    enum actor_outcome outcome = ACTOR_DONE;
    size_t before = length + 1;
    for (;;) {
        size_t given = actor_give(a, bytes, length);
        bytes += given;
        length -= given;
        if (length + a->waiting == 0)
            return ACTOR_DONE;
        if (length + a->waiting < before)
            patience_start(&patience, a, STUCK_MS);
        before = length + a->waiting;
        if (is_over(a, &outcome))
            break;
        if (a->in_closed) {
            outcome = actor_wait_end(a, STUCK_MS);
            break;
        }
        if (patience_ends(&patience, a)) {
            outcome = ACTOR_LATE;
            break;
        }
        scene_turn(a->scene, patience.due_us);
    }
    a->waiting = 0;
    return outcome;
}

static void key_note(struct actor *a, uint32_t point)
{
    uint64_t count = atomic_load(&a->talk.given.count) + 1;
    size_t at = count % GIVEN_ROOM;
    a->talk.given.number[at] = count;
    a->talk.given.key[at] = point;
    a->talk.given.after[at] = a->take->total;
    atomic_store(&a->talk.given.count, count);
    a->talk.lines += point == KEY_RETURN;
    if (point == KEY_RETURN)
        atomic_store(&a->talk.given.turn, a->take->total + 1);
}

/* Writes a key into LPP's folder or to the server. Both keep keys for a program that does not
 * run. */
static enum actor_outcome press(struct actor *a, uint32_t point)
{
    if (a->server)
        return lpp2_judge_press(a->server, point) ? ACTOR_DONE : ACTOR_LATE;
    struct bl_time now = bl_now();
    return lpp_judge_press(a->lpp, point, now.mono_us, now.wall_us) ? ACTOR_DONE : ACTOR_LATE;
}

enum actor_outcome actor_type(struct actor *a, const char *text, unsigned gap_ms)
{
    size_t left = strlen(text), taken;
    const uint8_t *at = (const uint8_t *)text;
    uint8_t key[CHILD_KEY_MAX];
    uint32_t point;
    enum actor_outcome outcome = ACTOR_DONE;
    a->flood_from = a->take->total;
    a->talk.typed = 0;
    while (outcome == ACTOR_DONE && left && (taken = utf8_decode(at, left, &point))) {
        at += taken;
        left -= taken;
        key_note(a, point);
        if (a->apart)
            outcome = press(a, point);
        else
            outcome = write_all(a, key, child_key(&a->talk.terminal, a->talk.turn_end, point, key));
        a->talk.typed += outcome == ACTOR_DONE;
        if (outcome == ACTOR_DONE && gap_ms && left) {
            uint64_t flood_from = a->flood_from;
            outcome = actor_pause(a, gap_ms, false);
            a->flood_from = flood_from;
        }
    }
    return outcome;
}

unsigned actor_typed(const struct actor *a)
{
    return a->talk.typed;
}

enum actor_outcome actor_send(struct actor *a, const void *bytes, size_t length)
{
    a->flood_from = a->take->total;
    return write_all(a, bytes, length);
}

void actor_mark(struct actor *a)
{
    a->flood_from = a->take->total;
    while (!a->out_closed && !actor_flooded(a) && actor_read(a))
        ;
    actor_take_lpp(a);
    mark_set(a);
}

struct actor_said actor_said(const struct actor *a)
{
    const struct actor_talk *t = &a->talk;
    const struct take *take = a->take;
    uint64_t from = t->mark > take->base ? t->mark : take->base;
    size_t first = take->count;
    while (first > 0 && take->reads[first - 1].from >= t->mark)
        first--;
    return (struct actor_said){.since_us = t->mark_us,
                               .count = take->total - t->mark,
                               .keys = t->keys,
                               .bad = t->state.bad - t->bad,
                               .ignored = t->state.ignored - t->ignored,
                               .text = t->text,
                               .bytes = take->bytes + (from - take->base),
                               .length = (size_t)(take->total - from),
                               .reads = take->reads + first,
                               .read_count = take->count - first};
}

unsigned actor_lines(const struct actor *a)
{
    return a->talk.lines;
}

const struct lpp_judge *actor_lpp(const struct actor *a)
{
    return a->lpp;
}

const struct lpp2_judge *actor_lpp2(const struct actor *a)
{
    return a->server;
}

enum actor_outcome actor_cut(struct actor *a, unsigned late_ms, struct bl_diag *diag)
{
    return lpp2_judge_restart(a->server, diag) ? ACTOR_LATE : wait_until(a, late_ms, 0, is_ready);
}
