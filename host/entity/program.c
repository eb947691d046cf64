#include "entity/program.h"

#include "base/loop.h"
#include "base/utf8.h"
#include "entity/keeper.h"
#include "entity/process.h"
#include "entity/stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000)

#define HOLD_US        100000u /* time for which a possible prompt is held */
#define REFUSED_US     20000u
#define FLOOD_US       SECOND
#define DRY_US         100000u /* time without waiting output after which a flood is over */
#define SILENT_MS      60000u
#define STUCK_US       (2 * SECOND)
#define COUNTS_US      (10 * SECOND) /* least time between two reports of counts */
#define CLOSED_US      SECOND        /* time from the end of output to its report */
#define READY_FIRST_US 100000u       /* doubled after each look, up to READY_LAST_US */
#define READY_LAST_US  (2 * SECOND)
#define READY_MS       60000u

/* After IDLE_BYTES bytes without a key in IDLE_PERIOD_US reading waits. So a program that writes
 * only escape sequences does not keep this process busy. */
#define IDLE_BYTES     8192
#define IDLE_PERIOD_US 100000u

enum due {
    DUE_START, /* report the start */
    DUE_PUMP,  /* hand over keys of bytes in the page */
    DUE_HOLD,
    DUE_ESCAPE, /* an open sequence ends */
    DUE_FLOOD,
    DUE_DRY,
    DUE_SILENT,
    DUE_READY,
    DUE_STUCK,
    DUE_COUNTS,
    DUE_CLOSED,
    DUE_IDLE,
    DUES
};

const char *const program_ios[] = {"pty", "pipe", NULL};
const char *const program_turn_ends[] = {"lf", "cr", "crlf", "two-returns", NULL};

struct program {
    struct program_callbacks callbacks;
    void *ctx;
    struct keeper keeper;
    struct keeper_page *page; /* written for the next terminal; another user's keeper may change
                               * it */
    struct stream stream;
    bool open, ready_told;
    uint64_t bad_told, ignored_told, written;
    struct prompt prompt;
    uv_poll_t out_poll, socket_poll, desk_poll;
    struct bl_timer timer;
    uint64_t due[DUES];
    char command[100]; /* the command as messages show it */

    unsigned allowed;
    bool begun;   /* its start was reported */
    bool running; /* its end was not reported */
    bool polling; /* polling for output is on */
    bool refused; /* the last key was handed back */
    bool pumping, closing;
    unsigned handles;

    bool flood, flood_told;
    unsigned flood_placed; /* keys placed since the flood began */
    uint64_t stuck_at;     /* number of the judge's keys written at the last look */
    uint64_t idle_us, idle_bytes;
    uint64_t ready_step_us, ready_by_us, silent_us;
    uint64_t counts_us; /* time of the last report of counts */
    char exit_text[KEEPER_TEXT_MAX + 1];

    /* State of program_open_later(), until opened() is called. */
    uv_loop_t *loop;
    uv_work_t work;
    bool opening;
    program_opened *opened;
    struct program_options options;
    enum bl_status status;
    struct bl_diag diag;
};

static void pump(struct program *p);

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The number of the judge's keys written to the Entry, from the page: never falling, and within the
 * bounds of `given`. */
static uint64_t written_now(struct program *p)
{
    uint64_t count = p->stream.given.count;
    uint64_t told = least(atomic_load_explicit(&p->page->written, memory_order_acquire), count);
    if (count - told > GIVEN_ROOM)
        told = count - GIVEN_ROOM;
    if (told > p->written)
        p->written = told;
    return p->written;
}

static void timer_update(struct program *p)
{
    uint64_t least = BL_NEVER;
    for (int i = 0; i < DUES; i++) {
        if (p->due[i] < least)
            least = p->due[i];
    }
    if (!p->closing)
        bl_timer_set(&p->timer, least);
}

/* Reports an event. The text is cut and cleaned: another user's keeper may send any bytes. */
static void tell(struct program *p, enum program_event event, uint32_t count, const char *text)
{
    char line[NOTE_MAX + 1];
    if (p->closing)
        return;
    utf8_plain(line, sizeof line, text, strlen(text));
    p->callbacks.event(p->ctx, event, count, line);
}

static void tell_ready(struct program *p, const char *text)
{
    p->due[DUE_READY] = BL_NEVER;
    if (p->ready_told || !p->running)
        return;
    p->ready_told = p->page->ready_told = true;
    tell(p, PROGRAM_READY, 0, text);
}

static bool output_waits(const struct program *p)
{
    return stream_left(&p->stream) || stream_kernel(&p->stream);
}

static void on_out(uv_poll_t *poll, int status, int events)
{
    struct program *p = poll->data;
    (void)events;
    if (status == 0)
        tell_ready(p, "ready");
    pump(p);
}

static void polling_update(struct program *p)
{
    bool wanted = !p->stream.ended && p->begun && !p->closing && !p->refused &&
                  p->due[DUE_IDLE] == BL_NEVER && (p->allowed || (p->running && !p->ready_told));
    if (wanted == p->polling)
        return;
    p->polling = wanted;
    if (wanted)
        uv_poll_start(&p->out_poll, UV_READABLE, on_out);
    else
        uv_poll_stop(&p->out_poll);
}

/* Reads at most as many bytes as keys are allowed. After too many bytes without a key reading
 * pauses. */
static void read_output(struct program *p)
{
    uint64_t now = bl_mono_us();
    size_t n = stream_read(&p->stream, p->allowed, now);
    if (n)
        p->due[DUE_SILENT] = BL_NEVER;
    else if (p->stream.ended && p->running && p->due[DUE_CLOSED] == BL_NEVER)
        p->due[DUE_CLOSED] = now + CLOSED_US;
    if (now - p->idle_us >= IDLE_PERIOD_US) {
        p->idle_us = now;
        p->idle_bytes = 0;
    }
    p->idle_bytes += n;
    if (p->idle_bytes >= IDLE_BYTES)
        p->due[DUE_IDLE] = p->idle_us + IDLE_PERIOD_US;
}

/* Hands a key over. The journal has the key before the page counts it. After a kill in between, the
 * option `keys` shows the difference. */
static void hand_key(struct program *p, const struct filter_key *key)
{
    p->allowed--;
    switch (p->callbacks.key(p->ctx, key->point, key->at_us)) {
    case HANDED_ON:
        stream_took(&p->stream);
        if (p->idle_bytes)
            p->idle_bytes--;
        return;
    case HANDED_LOST:
        stream_lost(&p->stream);
        return;
    case HANDED_BACK:
        break;
    }
    /* The caller allowed a key and did not take it: the next try waits. */
    p->allowed = 0;
    p->refused = true;
    p->due[DUE_PUMP] = bl_mono_us() + REFUSED_US;
}

/* Sets polling and deadlines by the present state. */
static void settle(struct program *p)
{
    const struct filter_state *filter = stream_state(&p->stream);
    uint64_t now = bl_mono_us();
    /* After the exit the beginning of a character is dropped, too. */
    unsigned wait_ms = stream_wait_ms(&p->stream);
    bool held = stream_holding(&p->stream) || (!p->running && filter->input.utf8.need);
    p->due[DUE_ESCAPE] = wait_ms && p->allowed && !stream_left(&p->stream)
                             ? p->stream.read_us + wait_ms * 1000u
                             : BL_NEVER;
    /* A possible prompt's time runs only while the rest could be read. */
    if (!held || !p->allowed || p->stream.ended || stream_left(&p->stream))
        p->due[DUE_HOLD] = BL_NEVER;
    else if (p->due[DUE_HOLD] == BL_NEVER)
        p->due[DUE_HOLD] = now + HOLD_US;
    if (!p->flood && p->allowed == 0 && output_waits(p)) {
        p->flood = true;
        p->flood_placed = 0;
        p->due[DUE_FLOOD] = now + FLOOD_US;
    } else if (p->flood && (p->allowed == 0 || output_waits(p))) {
        p->due[DUE_DRY] = BL_NEVER;
    } else if (p->flood && p->due[DUE_DRY] == BL_NEVER) {
        p->due[DUE_DRY] = now + DRY_US;
    }
    if (p->due[DUE_COUNTS] == BL_NEVER &&
        (filter->bad > p->bad_told || filter->ignored > p->ignored_told))
        p->due[DUE_COUNTS] = p->counts_us ? p->counts_us + COUNTS_US : now;
    polling_update(p);
    timer_update(p);
}

/* Makes keys of the waiting bytes and hands over the allowed number. Reads at most once, which
 * leaves a turn to other handles. */
static void pump(struct program *p)
{
    bool may_read = true;
    struct filter_key key;
    if (p->pumping || p->closing)
        return;
    p->pumping = true;
    while (!p->closing && p->allowed && !p->refused) {
        if (stream_key(&p->stream, &key)) {
            hand_key(p, &key);
            continue;
        }
        if (!may_read || p->due[DUE_IDLE] != BL_NEVER)
            break;
        may_read = false;
        read_output(p);
    }
    p->pumping = false;
    if (!p->closing)
        settle(p);
}

static void due_pump(struct program *p)
{
    p->refused = false;
    pump(p);
}

static void due_start(struct program *p)
{
    char text[NOTE_MAX + 1];
    snprintf(text, sizeof text, "%s, process %ld%s: %s",
             p->keeper.resumed ? "still there after a restart of the terminal" : "started",
             (long)p->keeper.pid, p->open ? ", WITHOUT A SANDBOX" : "", p->command);
    p->begun = true;
    tell(p, p->keeper.resumed ? PROGRAM_RESUMED : PROGRAM_STARTED, 0, text);
}

/* Releases the held text, which is no prompt. Reads once more first: on a busy machine the rest may
 * have just come. */
static void due_hold(struct program *p)
{
    uint64_t position = stream_state(&p->stream)->position;
    pump(p);
    if (p->closing || !p->allowed || p->due[DUE_IDLE] != BL_NEVER ||
        stream_state(&p->stream)->position != position)
        return;
    stream_release(&p->stream, !p->running);
    pump(p);
}

static void due_escape(struct program *p)
{
    uint64_t position = stream_state(&p->stream)->position;
    pump(p);
    if (!p->closing && p->allowed && stream_state(&p->stream)->position == position)
        stream_timeout(&p->stream);
}

/* Reports a flood. Without a placed key in the period the line was down, and nothing is
 * reported. */
static void due_flood(struct program *p)
{
    char text[NOTE_MAX + 1];
    if (!p->flood || !p->flood_placed || p->flood_told)
        return;
    p->flood_told = true;
    snprintf(text, sizeof text, "writes more than the line carries; it waits, %u bytes are held",
             stream_kernel(&p->stream));
    tell(p, PROGRAM_FLOOD, stream_kernel(&p->stream), text);
}

static void due_dry(struct program *p)
{
    if (!p->flood || !p->allowed || output_waits(p))
        return;
    p->flood = p->flood_told = false;
    p->due[DUE_FLOOD] = BL_NEVER;
}

static void due_silent(struct program *p)
{
    char text[NOTE_MAX + 1];
    if (output_waits(p))
        return;
    snprintf(text, sizeof text, "has written nothing for %llu s after the judge's Return",
             (unsigned long long)(p->silent_us / SECOND));
    tell(p, PROGRAM_SILENT, 0, text);
}

static void due_ready(struct program *p)
{
    uint64_t now = bl_mono_us();
    bool waits = p->open ? process_session_waits(p->keeper.pid) : keeper_flag(&p->page->waits);
    if (stream_kernel(&p->stream) || waits) {
        tell_ready(p, "ready");
        return;
    }
    if (now >= p->ready_by_us) {
        tell_ready(p, "counts as ready: it waits, and is not seen to read its terminal");
        return;
    }
    p->due[DUE_READY] = now + p->ready_step_us;
    if (p->ready_step_us < READY_LAST_US)
        p->ready_step_us *= 2;
}

static void due_stuck(struct program *p)
{
    uint64_t written = written_now(p);
    unsigned waiting = (unsigned)(p->stream.given.count - written);
    char text[NOTE_MAX + 1];
    if (waiting == 0)
        return;
    if (written != p->stuck_at) {
        p->stuck_at = written;
        p->due[DUE_STUCK] = bl_mono_us() + STUCK_US;
        return;
    }
    snprintf(text, sizeof text, "does not read what the judge types; %u key%s", waiting,
             waiting == 1 ? " waits" : "s wait");
    tell(p, PROGRAM_STUCK, waiting, text);
}

static void due_counts(struct program *p)
{
    const struct filter_state *filter = stream_state(&p->stream);
    uint64_t bad = filter->bad - p->bad_told;
    uint64_t ignored = filter->ignored - p->ignored_told;
    char text[NOTE_MAX + 1];
    p->counts_us = bl_mono_us();
    p->page->bad_told = p->bad_told = filter->bad;
    p->page->ignored_told = p->ignored_told = filter->ignored;
    if (bad) {
        snprintf(text, sizeof text,
                 "wrote %llu time%s bytes that are no UTF-8; they are no keys and were left out",
                 (unsigned long long)bad, BL_S(bad));
        tell(p, PROGRAM_BAD_UTF8, bad > UINT32_MAX ? UINT32_MAX : (uint32_t)bad, text);
    }
    if (ignored) {
        snprintf(text, sizeof text,
                 "wrote %llu control%s or escape sequences; they are no keys and were left out",
                 (unsigned long long)ignored, BL_S(ignored));
        tell(p, PROGRAM_IGNORED, ignored > UINT32_MAX ? UINT32_MAX : (uint32_t)ignored, text);
    }
}

static void due_closed(struct program *p)
{
    if (p->running)
        tell(p, PROGRAM_CLOSED, 0, "has closed its output and runs on");
}

static void on_timer(struct bl_timer *timer)
{
    static void (*const dues[DUES])(struct program *) = {
        [DUE_START] = due_start,   [DUE_PUMP] = due_pump,     [DUE_HOLD] = due_hold,
        [DUE_ESCAPE] = due_escape, [DUE_FLOOD] = due_flood,   [DUE_DRY] = due_dry,
        [DUE_SILENT] = due_silent, [DUE_READY] = due_ready,   [DUE_STUCK] = due_stuck,
        [DUE_COUNTS] = due_counts, [DUE_CLOSED] = due_closed, [DUE_IDLE] = pump,
    };
    struct program *p = timer->data;
    uint64_t now = bl_mono_us();
    for (int i = 0; i < DUES && !p->closing; i++) {
        if (p->due[i] > now)
            continue;
        p->due[i] = BL_NEVER;
        dues[i](p);
    }
    if (!p->closing)
        settle(p);
}

static void exited(struct program *p, const char *text)
{
    if (!p->running)
        return;
    /* Earlier output comes first, up to the allowed number of keys. */
    for (int i = 0; i < 64 && p->allowed && !p->closing && output_waits(p); i++)
        pump(p);
    if (!p->closing && !output_waits(p)) {
        stream_release(&p->stream, true);
        pump(p);
    }
    p->running = false;
    p->due[DUE_READY] = p->due[DUE_SILENT] = p->due[DUE_STUCK] = p->due[DUE_CLOSED] = BL_NEVER;
    tell(p, PROGRAM_EXITED, 0, text);
    p->page->exit_told = true;
}

static void on_socket(uv_poll_t *poll, int status, int events)
{
    struct program *p = poll->data;
    struct keeper_message message;
    enum bl_status received = BL_OK;
    (void)status;
    (void)events;
    if (p->due[DUE_START] != BL_NEVER) {
        p->due[DUE_START] = BL_NEVER;
        due_start(p);
    }
    while (!p->closing && (received = keeper_receive(&p->keeper, &message)) == BL_OK) {
        if (message.kind == KEEPER_EXITED) {
            exited(p, message.text);
        } else if (message.kind == KEEPER_BLOCKED && p->due[DUE_STUCK] == BL_NEVER) {
            p->stuck_at = written_now(p);
            p->due[DUE_STUCK] = bl_mono_us() + STUCK_US;
        } else if (message.kind == KEEPER_SAID || message.kind == KEEPER_THERE) {
            tell(p, message.kind == KEEPER_SAID ? PROGRAM_SAID : PROGRAM_THERE, 0, message.text);
        } else if (message.kind == KEEPER_DEAF) {
            tell(p, PROGRAM_STUCK, 0, "has closed its input; what the judge types goes nowhere");
        }
    }
    if (p->closing)
        return;
    if (received == BL_DOWN) {
        uv_poll_stop(&p->socket_poll);
        exited(p, "ended with its keeper process, which somebody has ended");
    }
    if (!p->closing)
        settle(p);
}

/* Drops the drawing of a communications program on its terminal. */
static void on_desk(uv_poll_t *poll, int status, int events)
{
    struct program *p = poll->data;
    char bytes[4096];
    ssize_t n = status ? 0 : read(p->keeper.desk_fd, bytes, sizeof bytes);
    (void)events;
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        uv_poll_stop(poll); /* the program has ended */
}

static enum bl_status handles_open(struct program *p, uv_loop_t *loop, struct bl_diag *diag)
{
    p->out_poll.data = p->socket_poll.data = p;
    if (uv_poll_init(loop, &p->out_poll, p->keeper.out_fd))
        return bl_fail(diag, BL_IO, "the Entry's output cannot be watched");
    p->handles++;
    if (uv_poll_init(loop, &p->socket_poll, p->keeper.socket))
        return bl_fail(diag, BL_IO, "the Entry's keeper cannot be watched");
    p->handles++;
    if (bl_timer_init(loop, &p->timer, on_timer, p))
        return bl_fail(diag, BL_IO, "no timer for the Entry");
    p->handles++;
    if (p->keeper.desk_fd >= 0) {
        p->desk_poll.data = p;
        if (uv_poll_init(loop, &p->desk_poll, p->keeper.desk_fd))
            return bl_fail(diag, BL_IO, "the communications program's terminal cannot be watched");
        p->handles++;
        uv_poll_start(&p->desk_poll, UV_READABLE, on_desk);
    }
    uv_poll_start(&p->socket_poll, UV_READABLE, on_socket);
    return BL_OK;
}

enum bl_status program_prepare(const struct program_options *options, struct bl_diag *diag)
{
    bool needed = options->command && !options->place.open && !options->place.keeper;
    return needed ? keeper_prepare(diag) : BL_OK;
}

static enum bl_status program_make(struct program **out, const struct program_options *options,
                                   const struct program_callbacks *callbacks, void *ctx,
                                   struct bl_diag *diag)
{
    struct program *p = calloc(1, sizeof *p);
    enum bl_status status = BL_OK;
    if (!p)
        return bl_fail(diag, BL_NOMEM, "no memory for the Entry");
    p->callbacks = *callbacks;
    p->ctx = ctx;
    p->running = true;
    for (int i = 0; i < DUES; i++)
        p->due[i] = BL_NEVER;
    utf8_plain(p->command, sizeof p->command, options->command, strlen(options->command));
    if (options->strip_prompt)
        status = prompt_parse(&p->prompt, options->strip_prompt, diag);
    if (status)
        free(p);
    else
        *out = p;
    return status;
}

/* Frees a program without handles. */
static void program_unmake(struct program *p)
{
    prompt_free(&p->prompt);
    free(p);
}

/* Begins with the keeper's Entry. The caller calls program_close() in any case. */
static enum bl_status program_begin(struct program *p, uv_loop_t *loop,
                                    const struct program_options *options, struct bl_diag *diag)
{
    p->page = p->keeper.page;
    const struct filter filter = {.strip_echo = options->strip_echo,
                                  .returns = options->turn_end == TURN_TWO_RETURNS ? 2 : 1,
                                  .prompt = options->strip_prompt ? &p->prompt : NULL};
    bool sound = stream_begin(&p->stream, p->page, p->keeper.out_fd, &filter, options->keys);
    p->open = keeper_flag(&p->page->open);
    p->ready_told = keeper_flag(&p->page->ready_told);
    p->bad_told = least(p->page->bad_told, p->stream.now.filter.bad);
    p->ignored_told = least(p->page->ignored_told, p->stream.now.filter.ignored);
    enum bl_status status = handles_open(p, loop, diag);
    if (!status && !sound)
        status = bl_fail(diag, BL_DATA,
                         "the keeper of the Entry has lost its memory: end it (process %ld) and "
                         "start again",
                         (long)p->keeper.pid);
    if (status)
        return status;
    p->silent_us = (options->silent_ms ? options->silent_ms : SILENT_MS) * UINT64_C(1000);
    p->ready_step_us = READY_FIRST_US;
    p->ready_by_us =
        bl_mono_us() + (options->ready_ms ? options->ready_ms : READY_MS) * UINT64_C(1000);
    p->due[DUE_START] = 0;
    p->due[DUE_READY] = p->ready_told ? BL_NEVER : bl_mono_us() + READY_FIRST_US;
    keeper_wake(&p->keeper); /* for keys of a killed terminal */
    timer_update(p);
    return BL_OK;
}

enum bl_status program_open(struct program **out, uv_loop_t *loop,
                            const struct program_options *options,
                            const struct program_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag)
{
    struct program *p;
    enum bl_status status = program_make(&p, options, callbacks, ctx, diag);
    if (status)
        return status;
    status = keeper_open(&p->keeper, options, diag);
    if (status) {
        program_unmake(p);
        return status;
    }
    status = program_begin(p, loop, options, diag);
    if (status)
        program_close(p);
    else
        *out = p;
    return status;
}

static void open_run(uv_work_t *work)
{
    struct program *p = work->data;
    p->status = keeper_open(&p->keeper, &p->options, &p->diag);
}

static void open_over(uv_work_t *work, int cancelled)
{
    struct program *p = work->data;
    (void)cancelled;
    p->opening = false;
    if (p->closing) {
        if (!p->status)
            keeper_close(&p->keeper, true);
        program_unmake(p);
        return;
    }
    if (p->status) {
        p->opened(p->ctx, NULL, &p->diag);
        program_unmake(p);
    } else if (program_begin(p, p->loop, &p->options, &p->diag)) {
        p->opened(p->ctx, NULL, &p->diag);
        program_close(p);
    } else {
        p->opened(p->ctx, p, &p->diag);
    }
}

enum bl_status program_open_later(struct program **out, uv_loop_t *loop,
                                  const struct program_options *options,
                                  const struct program_callbacks *callbacks, void *ctx,
                                  program_opened *opened, struct bl_diag *diag)
{
    struct program *p;
    enum bl_status status = program_make(&p, options, callbacks, ctx, diag);
    if (status)
        return status;
    p->loop = loop;
    p->options = *options;
    p->opened = opened;
    p->work.data = p;
    p->opening = uv_queue_work(loop, &p->work, open_run, open_over) == 0;
    if (!p->opening) {
        program_unmake(p);
        return bl_fail(diag, BL_IO, "no thread that starts the Entry");
    }
    *out = p;
    return BL_OK;
}

void program_allow(struct program *p, unsigned keys)
{
    p->allowed = keys;
    if (p->pumping || p->closing)
        return;
    if (keys && stream_left(&p->stream) && !p->refused)
        p->due[DUE_PUMP] = 0;
    settle(p);
}

void program_placed(struct program *p)
{
    if (!p->flood)
        return;
    p->flood_placed++;
    if (p->due[DUE_FLOOD] == BL_NEVER && !p->flood_told) {
        p->due[DUE_FLOOD] = bl_mono_us() + FLOOD_US;
        timer_update(p);
    }
}

enum bl_status program_give(struct program *p, uint64_t n, uint32_t point)
{
    uint64_t after = 0;
    if (n <= stream_given(&p->stream))
        return BL_OK;
    if (p->stream.given.count - written_now(p) >= GIVEN_ROOM) {
        if (p->due[DUE_STUCK] != BL_NEVER)
            p->due[DUE_STUCK] = 0;
        timer_update(p);
        return BL_FULL;
    }
    if (p->stream.filter.strip_echo || p->stream.filter.prompt)
        after = stream_written(&p->stream);
    stream_give(&p->stream, n, point, after);
    if (point == KEY_RETURN && p->running) {
        p->due[DUE_SILENT] = bl_mono_us() + p->silent_us;
        timer_update(p);
    }
    keeper_wake(&p->keeper);
    return BL_OK;
}

enum bl_status program_type(struct program *p, uint32_t point)
{
    uint8_t bytes[UTF8_MAX];
    size_t length = 1;
    bytes[0] = point == KEY_RETURN ? '\r' : 0x7f; /* as a person's terminal sends the keys */
    if (point != KEY_RETURN && point != KEY_BACKSPACE)
        length = utf8_encode(point, bytes);
    return p->keeper.desk_fd >= 0 && write(p->keeper.desk_fd, bytes, length) == (ssize_t)length
               ? BL_OK
               : BL_FULL;
}

uint64_t program_delivered(const struct program *p)
{
    return least(atomic_load_explicit(&p->page->delivered, memory_order_acquire),
                 stream_given(&p->stream));
}

bool program_ready(const struct program *p)
{
    return p->ready_told || !p->running;
}

bool program_resumed(const struct program *p)
{
    return p->keeper.resumed;
}

bool program_running(const struct program *p)
{
    return p->running;
}

int program_lpp_fd(const struct program *p)
{
    return p->keeper.lpp_fd;
}

int program_port_fd(const struct program *p)
{
    return p->keeper.port_fd;
}

static void program_free(struct program *p)
{
    keeper_close(&p->keeper, true);
    prompt_free(&p->prompt);
    free(p);
}

static void closed_one(struct program *p)
{
    if (--p->handles)
        return;
    program_free(p);
}

static void on_poll_closed(uv_handle_t *handle)
{
    closed_one(handle->data);
}

static void on_timer_closed(struct bl_timer *timer)
{
    closed_one(timer->data);
}

void program_close(struct program *p)
{
    unsigned handles;
    if (!p || p->closing)
        return;
    p->closing = true;
    if (p->opening)
        return; /* open_over() ends the keeper and frees the program */
    handles = p->handles;
    if (handles == 0) {
        program_free(p);
        return;
    }
    uv_close((uv_handle_t *)&p->out_poll, on_poll_closed);
    if (handles > 1)
        uv_close((uv_handle_t *)&p->socket_poll, on_poll_closed);
    if (handles > 2)
        bl_timer_close(&p->timer, on_timer_closed);
    if (handles > 3)
        uv_close((uv_handle_t *)&p->desk_poll, on_poll_closed);
    /* At once: the next Entry of this session needs the socket's name. */
    keeper_end(&p->keeper);
}
