#include "validate/drive.h"

#include "base/loop.h"
#include "entity/child.h"
#include "entity/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define MS           UINT64_C(1000)
#define PORTION      4096u
#define STUCK_MS     10000u
#define RELEASE_US   (100 * MS) /* how long a possible prompt is waited for */
#define PULSE_MS     50u        /* of the sandbox's watch, when the machine is not overloaded */
#define PATIENCE     3u         /* times the time allowed, for a program that is at work */
#define SETTLED      4u         /* that part of the processor is little */
#define WORK_PERCENT 2u         /* of the processor that are work */

struct drive {
    struct sandbox *sandbox;
    struct drive_options options;
    struct child terminal; /* for child_key() alone */
    enum turn_end turn_end;
    struct prompt prompt;
    struct filter filter;
    struct filter_state state;
    struct given given;
    struct network network;
    struct lpp_port *port; /* LPP's folder; NULL: none */
    struct lpp2_port *server;
    bool apart; /* it has one of them, and does not talk on its terminal */
    uint64_t window_us,
        window_cpu_us; /* since when is_settled() measures, and what had been used */

    uint8_t bytes[DRIVE_BYTES];
    uint64_t base, total; /* places of the first byte kept, and after the last */
    struct drive_read reads[DRIVE_READS];
    size_t read_count;
    char text[DRIVE_BYTES + UTF8_MAX + 1];
    size_t text_length;
    char errors[DRIVE_ERRORS + 1];
    size_t error_length;

    int stat_fd;       /* of the scheduler's account of us; -1: there is none */
    uint64_t delay_us; /* that we have waited for a processor, by that ... */
    uint64_t late_us;  /* ... and since we looked last */
    bool out_closed, err_closed, net_closed;
    uint64_t last_us; /* of output */
    unsigned lines;   /* that the judge has ended */
    unsigned typed;   /* keys of the last drive_type() */
    uint64_t keys;    /* visible, since the mark */
    uint64_t mark, mark_us, bad, ignored;
    size_t mark_read;
    uint64_t flood_from;
    char ending[100];
};

/* Notes how long we have had to wait for a processor since the last time that we looked whether
 * there is something to read: run_delay, in nanoseconds, the second number in /proc/PID/schedstat.
 */
static void late_note(struct drive *d)
{
    char text[100];
    unsigned long long delay;
    uint64_t before = d->delay_us;
    ssize_t n = d->stat_fd >= 0 ? pread(d->stat_fd, text, sizeof text - 1, 0) : 0;
    text[n > 0 ? n : 0] = '\0';
    if (sscanf(text, "%*u %llu", &delay) != 1)
        return;
    d->delay_us = delay / 1000;
    d->late_us = d->delay_us - before;
}

static void on_lpp_key(void *ctx, uint32_t point);

enum bl_status drive_open(struct drive **out, const struct sandbox_options *sandbox,
                          const struct drive_options *options, struct bl_diag *diag)
{
    struct drive *d = calloc(1, sizeof *d);
    enum bl_status status = BL_OK;
    *out = NULL;
    if (!d)
        return bl_fail(diag, BL_NOMEM, "no memory");
    d->options = *options;
    d->turn_end = sandbox->turn_end;
    d->filter = (struct filter){.strip_echo = options->strip_echo,
                                .returns = sandbox->turn_end == TURN_TWO_RETURNS ? 2 : 1,
                                .given = &d->given};
    if (options->strip_prompt) {
        status = prompt_parse(&d->prompt, options->strip_prompt, diag);
        d->filter.prompt = &d->prompt;
    }
    if (status == BL_OK)
        status = sandbox_open(&d->sandbox, sandbox, diag);
    if (status == BL_OK && sandbox_lpp_fd(d->sandbox) >= 0)
        status = lpp_port_create(&d->port, sandbox_lpp_fd(d->sandbox), diag);
    if (status == BL_OK && sandbox->net == SANDBOX_NET_PORT)
        status = lpp2_port_create(&d->server, sandbox_net_fd(d->sandbox), sandbox->port, on_lpp_key,
                                  d, diag);
    if (status) {
        sandbox_close(d->sandbox);
        prompt_free(&d->prompt);
        free(d);
        return status;
    }
    d->apart = d->port || d->server;
    d->net_closed = d->server != NULL; /* it has no other network, on which to be heard */
    d->terminal.slave_fd = sandbox->io == PROGRAM_PTY ? sandbox_in_fd(d->sandbox) : -1;
    d->stat_fd = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    late_note(d);
    filter_start(&d->filter, &d->state);
    d->last_us = d->mark_us = d->window_us = bl_mono_us();
    *out = d;
    return BL_OK;
}

void drive_close(struct drive *d)
{
    if (!d)
        return;
    lpp2_port_destroy(d->server);
    sandbox_close(d->sandbox);
    if (d->stat_fd >= 0)
        close(d->stat_fd);
    lpp_port_destroy(d->port);
    prompt_free(&d->prompt);
    free(d);
}

struct sandbox *drive_sandbox(struct drive *d)
{
    return d->sandbox;
}

enum bl_status drive_again(struct drive *d, struct bl_diag *diag)
{
    enum bl_status status = sandbox_again(d->sandbox, diag);
    if (status)
        return status;
    if (d->terminal.slave_fd >= 0)
        d->terminal.slave_fd = sandbox_in_fd(d->sandbox);
    d->state = (struct filter_state){0};
    atomic_store(&d->given.count, 0);
    atomic_store(&d->given.turn, 0);
    filter_start(&d->filter, &d->state);
    d->out_closed = d->err_closed = false;
    d->base = d->total = 0;
    d->lines = 0;
    d->read_count = d->error_length = d->text_length = 0;
    d->text[0] = d->errors[0] = '\0';
    d->last_us = d->mark_us = bl_mono_us();
    d->mark = d->keys = d->bad = d->ignored = d->flood_from = 0;
    d->mark_read = 0;
    d->window_us = d->mark_us;
    d->window_cpu_us = atomic_load(&sandbox_facts(d->sandbox)->cpu_us);
    if (d->port)
        lpp_port_restart(d->port);
    return d->server ? lpp2_port_restart(d->server, diag) : BL_OK;
}

static bool is_visible(uint32_t point)
{
    return point > 0x20 && point != 0x7F;
}

/* Takes the keys that the filter has ready. */
static void keys_take(struct drive *d)
{
    while (filter_waiting(&d->state)) {
        uint32_t point = filter_next(&d->state).point;
        filter_pop(&d->state);
        if (is_visible(point))
            d->keys++;
        if (d->text_length + UTF8_MAX < sizeof d->text)
            d->text_length += utf8_encode(point == KEY_RETURN ? '\n' : point,
                                          (uint8_t *)d->text + d->text_length);
    }
    d->text[d->text_length] = '\0';
}

/* The older half goes when there is no room. */
static void room_make(struct drive *d, size_t length)
{
    size_t kept = (size_t)(d->total - d->base), gone;
    if (kept + length > sizeof d->bytes) {
        gone = kept / 2 > length ? kept / 2 : length;
        memmove(d->bytes, d->bytes + gone, kept - gone);
        d->base += gone;
    }
    if (d->read_count == DRIVE_READS) {
        gone = DRIVE_READS / 2;
        memmove(d->reads, d->reads + gone, (DRIVE_READS - gone) * sizeof *d->reads);
        d->read_count -= gone;
        d->mark_read = d->mark_read > gone ? d->mark_read - gone : 0;
    }
}

/* Takes what it has said. */
static void out_take(struct drive *d, const uint8_t *part, size_t length)
{
    room_make(d, length);
    d->last_us = bl_mono_us();
    d->reads[d->read_count++] = (struct drive_read){
        .at_us = d->last_us, .late_us = d->late_us, .from = d->total, .length = (uint32_t)length};
    memcpy(d->bytes + (d->total - d->base), part, length);
    d->total += length;
    for (size_t i = 0; i < length; i++) {
        keys_take(d);
        filter_feed(&d->filter, &d->state, part[i]);
    }
    keys_take(d);
}

static void on_lpp_key(void *ctx, uint32_t point)
{
    struct drive *d = ctx;
    uint8_t key[UTF8_MAX] = {0};
    out_take(d, key, utf8_encode(point == KEY_RETURN ? '\n' : point, key));
}

/* Reads once. Returns whether something came. */
static bool out_read(struct drive *d)
{
    uint8_t part[PORTION];
    ssize_t n = read(sandbox_out_fd(d->sandbox), part, sizeof part);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (n <= 0) {
        d->out_closed = true;
        return false;
    }
    if (d->apart)
        d->flood_from -= (uint64_t)n; /* no keys, but it may be too much of it */
    else
        out_take(d, part, (size_t)n);
    return true;
}

static void err_read(struct drive *d)
{
    char part[PORTION];
    ssize_t n = read(sandbox_err_fd(d->sandbox), part, sizeof part);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        d->err_closed = true;
        return;
    }
    size_t room = DRIVE_ERRORS - d->error_length, taken = (size_t)n < room ? (size_t)n : room;
    memcpy(d->errors + d->error_length, part, taken);
    d->error_length += taken;
}

static void net_read(struct drive *d)
{
    uint8_t frame[NETWORK_FRAME_MAX], answer[NETWORK_FRAME_MAX];
    int fd = sandbox_net_fd(d->sandbox);
    ssize_t n = read(fd, frame, sizeof frame);
    if (n <= 0) {
        d->net_closed = n == 0 || (errno != EAGAIN && errno != EINTR);
        return;
    }
    size_t length = network_take(&d->network, frame, (size_t)n, answer);
    if (length && write(fd, answer, length) < 0)
        d->net_closed = errno != EAGAIN && errno != EINTR && errno != EIO;
}

/* When the server has something to do by itself, until_us at the latest. */
static uint64_t server_due(const struct drive *d, uint64_t now_us, uint64_t until_us)
{
    int wait_ms = d->server ? lpp2_port_wait_ms(d->server) : -1;
    return wait_ms >= 0 && now_us + (unsigned)wait_ms * MS < until_us
               ? now_us + (unsigned)wait_ms * MS
               : until_us;
}

/* Waits until something has happened, until_us at the latest, and takes it. */
static void step(struct drive *d, uint64_t until_us, bool write_too, bool deaf)
{
    struct sandbox *s = d->sandbox;
    uint64_t now = bl_mono_us();
    until_us = server_due(d, now, until_us);
    uint64_t wait = until_us > now ? until_us - now : 0;
    struct timespec timeout = {.tv_sec = (time_t)(wait / 1000000u),
                               .tv_nsec = (long)(wait % 1000000u) * 1000};
    struct pollfd polls[] = {
        {.fd = d->out_closed || deaf ? -1 : sandbox_out_fd(s), .events = POLLIN},
        {.fd = write_too ? sandbox_in_fd(s) : -1, .events = POLLOUT},
        {.fd = d->err_closed ? -1 : sandbox_err_fd(s), .events = POLLIN},
        {.fd = d->net_closed ? -1 : sandbox_net_fd(s), .events = POLLIN},
        {.fd = sandbox_news_fd(s), .events = POLLIN},
        {.fd = d->port && !deaf ? lpp_port_fd(d->port) : -1, .events = POLLIN},
        {.fd = d->server && !deaf ? lpp2_port_fd(d->server) : -1, .events = POLLIN},
    };
    int ready = ppoll(polls, sizeof polls / sizeof polls[0], &timeout, NULL);
    late_note(d);
    if (d->server && !deaf)
        lpp2_port_take(d->server);
    if (ready <= 0)
        return;
    if (polls[4].revents)
        sandbox_news(s);
    if (polls[0].revents)
        out_read(d);
    if (polls[2].revents)
        err_read(d);
    if (polls[3].revents)
        net_read(d);
    if (polls[5].revents)
        lpp_port_take(d->port, bl_mono_us(), on_lpp_key, d);
}

static bool flooded(const struct drive *d)
{
    return d->total - d->flood_from > d->options.flood_bytes;
}

/* All that is left to read when the command has ended; somebody else may hold its terminal. */
static void drain(struct drive *d)
{
    while (!d->out_closed && !flooded(d) && out_read(d))
        ;
    if (!d->err_closed)
        err_read(d);
    if (d->port)
        lpp_port_take(d->port, bl_mono_us(), on_lpp_key, d);
    if (d->server)
        lpp2_port_take(d->server);
    while (filter_holding(&d->state) && !filter_waiting(&d->state)) {
        filter_release(&d->filter, &d->state);
        keys_take(d);
    }
}

/* Has something ended that ends every wait? */
static bool is_over(struct drive *d, enum drive_end *end)
{
    const struct sandbox_facts *facts = sandbox_facts(d->sandbox);
    bool ended = atomic_load(&facts->ended); /* first: why it was killed is known before */
    if (atomic_load(&facts->too_many) || atomic_load(&facts->too_large)) {
        *end = DRIVE_KILLED;
        return true;
    }
    if (flooded(d)) {
        *end = DRIVE_FLOOD;
        return true;
    }
    if (ended) {
        drain(d);
        *end = flooded(d) ? DRIVE_FLOOD : DRIVE_ENDED;
        return true;
    }
    return false;
}

/* How long a wait may last: `late_ms`, and up to PATIENCE times that while the machine has no time
 * for any of us or, if that counts, the program computes. */
struct patience {
    bool work_counts;
    uint64_t due_us, last_us, step_us;
    uint64_t cpu_us;
    uint32_t pulse;
};

static void patience_start(struct patience *p, const struct drive *d, unsigned late_ms)
{
    const struct sandbox_facts *facts = sandbox_facts(d->sandbox);
    uint64_t now = bl_mono_us();
    *p = (struct patience){.work_counts = true,
                           .due_us = now + late_ms * MS,
                           .last_us = now + PATIENCE * late_ms * MS,
                           .step_us = late_ms * MS,
                           .cpu_us = atomic_load(&facts->cpu_us),
                           .pulse = atomic_load(&facts->pulse)};
}

static bool patience_ends(struct patience *p, const struct drive *d)
{
    const struct sandbox_facts *facts = sandbox_facts(d->sandbox);
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

/* A prompt that is held may be words: lets them go after a while of silence. */
static uint64_t release(struct drive *d, uint64_t until_us)
{
    uint64_t due = d->last_us + RELEASE_US;
    if (!filter_holding(&d->state))
        return until_us;
    if (bl_mono_us() < due)
        return due < until_us ? due : until_us;
    filter_release(&d->filter, &d->state);
    keys_take(d);
    return until_us;
}

static uint64_t quiet_since(const struct drive *d)
{
    return d->last_us > d->mark_us ? d->last_us : d->mark_us;
}

static bool has_key(struct drive *d, unsigned quiet_ms)
{
    (void)quiet_ms;
    return d->keys > 0;
}

static bool is_quiet(struct drive *d, unsigned quiet_ms)
{
    return bl_mono_us() >= quiet_since(d) + quiet_ms * MS;
}

/* One that looks into a folder again and again is ready when it has little else to do. */
static bool is_settled(struct drive *d, unsigned quiet_ms)
{
    uint64_t now = bl_mono_us(), cpu = atomic_load(&sandbox_facts(d->sandbox)->cpu_us);
    uint64_t passed = now - d->window_us, used = cpu - d->window_cpu_us;
    if (passed < quiet_ms * MS)
        return false;
    d->window_us = now;
    d->window_cpu_us = cpu;
    return used * SETTLED < passed;
}

static bool is_ready(struct drive *d, unsigned quiet_ms)
{
    if (d->server)
        return lpp2_port_registered(d->server);
    if (d->port && is_settled(d, quiet_ms))
        return true;
    return atomic_load(&sandbox_facts(d->sandbox)->reading) ||
           (d->total > 0 && is_quiet(d, quiet_ms));
}

static bool never(struct drive *d, unsigned quiet_ms)
{
    (void)d;
    (void)quiet_ms;
    return false;
}

/* Waits until is_done(), whose answer may depend on the time. next_us: when it is to be asked
 * again though nothing has happened. */
static enum drive_end wait_until(struct drive *d, unsigned late_ms, unsigned quiet_ms,
                                 bool (*is_done)(struct drive *d, unsigned quiet_ms))
{
    struct patience patience;
    enum drive_end end;
    patience_start(&patience, d, late_ms);
    /* The time for starting is for work; and who spins is never seen to wait. */
    patience.work_counts = is_done != is_ready;
    d->flood_from = d->total;
    for (;;) {
        uint64_t until = patience.due_us;
        /* What has come while we were not looked after by the machine came in time. */
        step(d, 0, false, false);
        if (is_done(d, quiet_ms))
            return DRIVE_DONE;
        if (is_over(d, &end))
            return is_done(d, quiet_ms) && end == DRIVE_ENDED ? DRIVE_DONE : end;
        if (patience_ends(&patience, d))
            return DRIVE_LATE;
        if (quiet_ms && quiet_since(d) + quiet_ms * MS < until &&
            quiet_since(d) + quiet_ms * MS > bl_mono_us())
            until = quiet_since(d) + quiet_ms * MS;
        if (d->port && until > bl_mono_us() + PULSE_MS * MS)
            until = bl_mono_us() + PULSE_MS * MS; /* what it uses is looked at so often */
        step(d, release(d, until), false, false);
    }
}

enum drive_end drive_wait_key(struct drive *d, unsigned late_ms)
{
    return wait_until(d, late_ms, 0, has_key);
}

enum drive_end drive_wait_quiet(struct drive *d, unsigned quiet_ms, unsigned late_ms)
{
    return wait_until(d, late_ms, quiet_ms, is_quiet);
}

enum drive_end drive_wait_ready(struct drive *d, unsigned quiet_ms, unsigned late_ms)
{
    return wait_until(d, late_ms, quiet_ms, is_ready);
}

enum drive_end drive_wait_end(struct drive *d, unsigned late_ms)
{
    return wait_until(d, late_ms, 0, never);
}

enum drive_end drive_wait_gone(struct drive *d, unsigned late_ms, bool attached)
{
    const struct sandbox_facts *facts = sandbox_facts(d->sandbox);
    uint64_t until = bl_mono_us() + late_ms * MS;
    uint32_t pulse = atomic_load(&facts->pulse);
    /* The count is as old as the last pulse but one. */
    while (!atomic_load(&facts->ended) ||
           atomic_load(attached ? &facts->attached : &facts->processes) ||
           atomic_load(&facts->pulse) - pulse < 2) {
        uint64_t now = bl_mono_us();
        if (now >= until && atomic_load(&facts->pulse) - pulse >= 2)
            return DRIVE_LATE;
        step(d, now + PULSE_MS * MS, false, false);
    }
    return DRIVE_DONE;
}

/* The program's side of its terminal, on which writing is stopped; -1: it has none. */
static int terminal_stop(const struct drive *d)
{
    int fd = -1;
    if (!d->apart && d->terminal.slave_fd >= 0)
        fd = ioctl(d->terminal.slave_fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
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

enum drive_end drive_pause(struct drive *d, unsigned ms, bool cut)
{
    uint64_t until = bl_mono_us() + ms * MS;
    enum drive_end end = DRIVE_DONE;
    int stopped = cut ? terminal_stop(d) : -1;
    d->flood_from = d->total;
    while (bl_mono_us() < until && !is_over(d, &end))
        step(d, release(d, until), false, cut);
    terminal_go(stopped);
    return end;
}

/* Writes all, reading meanwhile. */
static enum drive_end write_all(struct drive *d, const uint8_t *bytes, size_t length)
{
    struct patience patience;
    enum drive_end end;
    patience_start(&patience, d, STUCK_MS);
    while (length) {
        ssize_t n = write(sandbox_in_fd(d->sandbox), bytes, length);
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
            patience_start(&patience, d, STUCK_MS);
            continue;
        }
        if (is_over(d, &end))
            return end;
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return drive_wait_end(d, STUCK_MS);
        if (patience_ends(&patience, d))
            return DRIVE_LATE;
        step(d, patience.due_us, true, false);
    }
    return DRIVE_DONE;
}

/* Notes the judge's key for the filter. */
static void key_note(struct drive *d, uint32_t point)
{
    uint64_t count = atomic_load(&d->given.count) + 1;
    size_t at = count % GIVEN_ROOM;
    d->given.number[at] = count;
    d->given.key[at] = point;
    d->given.after[at] = d->total;
    atomic_store(&d->given.count, count);
    d->lines += point == KEY_RETURN;
    if (point == KEY_RETURN)
        atomic_store(&d->given.turn, d->total + 1);
}

/* Into LPP's folder, or to the server, where it waits also for a program that does not run. */
static enum drive_end press(struct drive *d, uint32_t point)
{
    if (d->server)
        return lpp2_port_press(d->server, point) ? DRIVE_DONE : DRIVE_LATE;
    struct bl_time now = bl_now();
    return lpp_port_press(d->port, point, now.mono_us, now.wall_us) ? DRIVE_DONE : DRIVE_LATE;
}

enum drive_end drive_type(struct drive *d, const char *text, unsigned gap_ms)
{
    size_t left = strlen(text), taken;
    const uint8_t *at = (const uint8_t *)text;
    uint8_t key[CHILD_KEY_MAX];
    uint32_t point;
    enum drive_end end = DRIVE_DONE;
    d->flood_from = d->total;
    d->typed = 0;
    while (end == DRIVE_DONE && left && (taken = utf8_decode(at, left, &point))) {
        at += taken;
        left -= taken;
        key_note(d, point);
        if (d->apart)
            end = press(d, point);
        else
            end = write_all(d, key, child_key(&d->terminal, d->turn_end, point, key));
        d->typed += end == DRIVE_DONE;
        if (end == DRIVE_DONE && gap_ms && left) {
            uint64_t flood_from = d->flood_from;
            end = drive_pause(d, gap_ms, false);
            d->flood_from = flood_from;
        }
    }
    return end;
}

unsigned drive_typed(const struct drive *d)
{
    return d->typed;
}

enum drive_end drive_send(struct drive *d, const void *bytes, size_t length)
{
    d->flood_from = d->total;
    return write_all(d, bytes, length);
}

void drive_mark(struct drive *d)
{
    d->flood_from = d->total;
    while (!d->out_closed && !flooded(d) && out_read(d))
        ;
    if (d->port)
        lpp_port_take(d->port, bl_mono_us(), on_lpp_key, d);
    if (d->server)
        lpp2_port_take(d->server);
    d->mark = d->total;
    d->mark_us = bl_mono_us();
    d->mark_read = d->read_count;
    d->keys = 0;
    d->text_length = 0;
    d->text[0] = '\0';
    d->bad = d->state.bad;
    d->ignored = d->state.ignored;
}

/* What has come, as those who judge it ask for it. */

const uint8_t *drive_bytes(const struct drive *d, size_t *length)
{
    uint64_t from = d->mark > d->base ? d->mark : d->base;
    *length = (size_t)(d->total - from);
    return d->bytes + (from - d->base);
}

const char *drive_text(const struct drive *d)
{
    return d->text;
}

uint64_t drive_keys(const struct drive *d)
{
    return d->keys;
}

uint64_t drive_count(const struct drive *d)
{
    return d->total - d->mark;
}

const struct drive_read *drive_reads(const struct drive *d, size_t *count)
{
    *count = d->read_count - d->mark_read;
    return d->reads + d->mark_read;
}

uint64_t drive_mark_us(const struct drive *d)
{
    return d->mark_us;
}

uint64_t drive_bad(const struct drive *d)
{
    return d->state.bad - d->bad;
}

uint64_t drive_ignored(const struct drive *d)
{
    return d->state.ignored - d->ignored;
}

const char *drive_errors(const struct drive *d)
{
    return d->errors;
}

unsigned drive_lines(const struct drive *d)
{
    return d->lines;
}

const struct lpp_port *drive_lpp(const struct drive *d)
{
    return d->port;
}

const struct lpp2_port *drive_lpp2(const struct drive *d)
{
    return d->server;
}

enum drive_end drive_cut(struct drive *d, unsigned late_ms, struct bl_diag *diag)
{
    return lpp2_port_restart(d->server, diag) ? DRIVE_LATE : wait_until(d, late_ms, 0, is_ready);
}

const struct network *drive_network(const struct drive *d)
{
    return &d->network;
}

/* What a shell means by an exit status. */
static const char *shell_word(int status)
{
    return status == 127   ? " (" NO_PROGRAM ")"
           : status == 126 ? " (it cannot be run: no permission, or no program)"
                           : "";
}

const char *drive_ending(struct drive *d)
{
    const struct sandbox_facts *facts = sandbox_facts(d->sandbox);
    int status = atomic_load(&facts->status);
    d->ending[0] = '\0';
    if (!atomic_load(&facts->ended))
        return d->ending;
    /* A shell tells of its program's signal so. */
    int number = WIFSIGNALED(status)         ? WTERMSIG(status)
                 : WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128
                                             : 0;
    if (number > 0 && number < NSIG)
        snprintf(d->ending, sizeof d->ending, "was ended by signal %d (%s)", number,
                 strsignal(number));
    else
        snprintf(d->ending, sizeof d->ending, "ended by itself, exit status %d%s",
                 WEXITSTATUS(status), shell_word(WEXITSTATUS(status)));
    return d->ending;
}
