#include "terminal/screen.h"

#include "base/loop.h"
#include "screen/control.h"
#include "terminal/board_draw.h"
#include "terminal/budget.h"
#include "terminal/console.h"
#include "terminal/guard.h"
#include "terminal/messages.h"
#include "terminal/paint.h"
#include "terminal/past_draw.h"
#include "terminal/redraw.h"
#include "terminal/terminfo.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGE_ROWS    24
#define LARGE_COLUMNS 80

/* Times of complete drawings of a console. Another program may write to a console unnoticed, so the
 * next change after AGAIN_US draws all again. The kernel may show a message shortly after its
 * record is in the log, so a drawing follows after LOG_DELAY_US. */
#define AGAIN_US     10000000u
#define LOG_DELAY_US 100000u

enum { WATCH_IN, WATCH_OUT, WATCHES };
enum { SIGNAL_WINCH, SIGNAL_CONT, SIGNALS };
enum { TIMERS = 3 };

struct terminal {
    struct screen screen;
    struct screen_control control;

    uv_poll_t poll[WATCHES];
    uv_signal_t signal[SIGNALS];
    uv_idle_t idle;
    struct bl_timer draw_timer, input_timer, log_timer;
    uv_poll_t log_poll;
    int log;          /* the kernel's log; -1: none */
    unsigned handles; /* the number of open handles */
    bool closing, lost, held;

    bool dirty, stalled, unseen; /* unseen: others may write to the console unnoticed */
    uint64_t again_us;           /* the time of the last drawing that was complete because of
                                  * AGAIN_US */
    struct budget budget;

    struct input input;
    struct layout layout;
    struct paint *paint;
    struct redraw redraw;
    struct frame frame;
};

/* True if the terminal accepts no output: Scroll Lock was pressed, or nobody reads the
 * pseudo-terminal. Drawing would then block the loop. */
static bool output_is_stalled(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 0;
}

static void on_writable(uv_poll_t *handle, int status, int events);

static void draw(struct terminal *terminal)
{
    const struct draw_scene scene = {.model = terminal->control.model,
                                     .view = &terminal->control.view,
                                     .dialog = &terminal->control.dialog,
                                     .note = terminal->control.note,
                                     .kiosk = control_is_kiosk(&terminal->control)};
    unsigned rows, columns;
    if (output_is_stalled()) {
        terminal->stalled = true;
        uv_poll_start(&terminal->poll[WATCH_OUT], UV_WRITABLE, on_writable);
        return;
    }
    terminal->dirty = false;
    if (terminal->unseen && bl_mono_us() - terminal->again_us >= AGAIN_US) {
        terminal->again_us = bl_mono_us();
        paint_again(terminal->paint);
    }
    paint_size(terminal->paint, &rows, &columns);
    if (terminal->control.model->board) {
        board_draw(terminal->control.model->board, rows, columns, &terminal->frame);
    } else if (terminal->control.model->past) {
        draw_scene(&scene, rows, columns, &terminal->layout, &terminal->frame);
        past_draw(terminal->control.model->past, &terminal->layout, &terminal->frame);
    } else {
        redraw_scene(&terminal->redraw, &scene, rows, columns, &terminal->layout, &terminal->frame);
    }
    paint_show(terminal->paint, &terminal->frame);
}

/* Draws changes now, or as soon as the budget allows. */
static void draw_when_due(struct terminal *terminal)
{
    uint64_t now_us = bl_mono_us(), due_us;
    if (!terminal->dirty || terminal->stalled || terminal->closing || terminal->lost)
        return;
    due_us = budget_take(&terminal->budget, now_us);
    if (due_us > now_us) {
        bl_timer_set(&terminal->draw_timer, due_us);
        return;
    }
    draw(terminal);
}

/* Called in the loop's next turn, which does not wait while this handle is active. All callbacks of
 * the present turn have then changed the model. */
static void on_idle(uv_idle_t *handle)
{
    uv_idle_stop(handle);
    draw_when_due(handle->data);
}

static void on_draw_timer(struct bl_timer *timer)
{
    draw_when_due(timer->data);
}

static void on_writable(uv_poll_t *handle, int status, int events)
{
    struct terminal *terminal = handle->data;
    (void)status;
    (void)events;
    uv_poll_stop(handle);
    terminal->stalled = false;
    draw_when_due(terminal);
}

static void request(struct terminal *terminal)
{
    if (terminal->closing || !terminal->control.model)
        return;
    terminal->dirty = true;
    if (!terminal->stalled && terminal->draw_timer.due_us == BL_NEVER)
        uv_idle_start(&terminal->idle, on_idle);
}

static void terminal_dirty(struct screen *screen, const struct screen_model *model)
{
    struct terminal *terminal = (struct terminal *)screen;
    terminal->control.model = model;
    request(terminal);
}

static void terminal_draw(struct screen *screen, const struct screen_model *model)
{
    struct terminal *terminal = (struct terminal *)screen;
    terminal->control.model = model;
    terminal->dirty = true;
    if (terminal->draw_timer.due_us == BL_NEVER)
        draw_when_due(terminal);
}

static void on_changed(void *ctx)
{
    request(ctx);
}

static void on_scroll(void *ctx, enum view_move move)
{
    struct terminal *terminal = ctx;
    struct screen_control *control = &terminal->control;
    const struct view before = control->view;
    view_scroll(&control->view, control->model, layout_room(&terminal->layout), move);
    if (memcmp(&before, &control->view, sizeof before) != 0) /* a key that scrolls nothing draws
                                                              * nothing */
        request(terminal);
}

static void on_anew(void *ctx)
{
    struct terminal *terminal = ctx;
    paint_anew(terminal->paint);
    request(terminal);
}

static const struct control_callbacks drawing = {on_changed, on_scroll, on_anew};

static void on_key(void *ctx, enum input_what what, uint32_t point)
{
    struct terminal *terminal = ctx;
    if (!terminal->closing)
        control_key(&terminal->control, what, point);
}

static void lose(struct terminal *terminal)
{
    terminal->lost = true;
    for (unsigned i = 0; i < WATCHES; i++)
        uv_poll_stop(&terminal->poll[i]);
    bl_timer_set(&terminal->input_timer, BL_NEVER);
    bl_timer_set(&terminal->draw_timer, BL_NEVER);
    terminal->control.callbacks.lost(terminal->control.ctx);
}

static void on_readable(uv_poll_t *handle, int status, int events)
{
    struct terminal *terminal = handle->data;
    uint8_t bytes[SCREEN_BURST];
    unsigned wait_ms = 0;
    ssize_t count = status < 0 ? 0 : read(STDIN_FILENO, bytes, sizeof bytes);
    (void)events;
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        lose(terminal);
        return;
    }
    for (ssize_t i = 0; i < count; i++)
        wait_ms = input_feed(&terminal->input, bytes[i], on_key, terminal);
    if (terminal->closing)
        return;
    bl_timer_set(&terminal->input_timer, wait_ms ? bl_mono_us() + wait_ms * 1000u : BL_NEVER);
}

static void on_input_timer(struct bl_timer *timer)
{
    struct terminal *terminal = timer->data;
    unsigned wait_ms;
    input_timeout(&terminal->input, on_key, terminal);
    wait_ms = input_wait_ms(&terminal->input);
    if (wait_ms && !terminal->closing)
        bl_timer_set(&terminal->input_timer, bl_mono_us() + wait_ms * 1000u);
}

static void on_log_timer(struct bl_timer *timer)
{
    struct terminal *terminal = timer->data;
    paint_again(terminal->paint);
    request(terminal);
}

static void on_log(uv_poll_t *handle, int status, int events)
{
    struct terminal *terminal = handle->data;
    (void)events;
    if (status < 0)
        uv_poll_stop(handle);
    else if (console_log_read(terminal->log) && !terminal->closing)
        bl_timer_set(&terminal->log_timer, bl_mono_us() + LOG_DELAY_US);
}

/* Watches the kernel's log, which tells when the kernel has written over the screen. */
static void watch_log(struct terminal *terminal, uv_loop_t *loop)
{
    terminal->unseen = console_is(STDOUT_FILENO);
    if (!terminal->unseen)
        return;
    terminal->log = console_log_open();
    if (terminal->log < 0 || uv_poll_init(loop, &terminal->log_poll, terminal->log))
        return;
    terminal->log_poll.data = terminal;
    terminal->handles++;
    uv_unref((uv_handle_t *)&terminal->log_poll);
    terminal->unseen = uv_poll_start(&terminal->log_poll, UV_READABLE, on_log) != 0;
}

/* SIGWINCH: the window was resized. SIGCONT: this process was stopped, and other programs may have
 * written to the terminal. */
static void on_signal(uv_signal_t *handle, int signum)
{
    struct terminal *terminal = handle->data;
    (void)signum;
    if (terminal->closing)
        return;
    paint_anew(terminal->paint);
    request(terminal);
}

static enum bl_status handles_open(struct terminal *terminal, uv_loop_t *loop)
{
    static const int fds[WATCHES] = {STDIN_FILENO, STDOUT_FILENO};
    static const int signals[SIGNALS] = {SIGWINCH, SIGCONT};
    const struct {
        struct bl_timer *timer;
        void (*due)(struct bl_timer *timer);
    } timers[TIMERS] = {{&terminal->draw_timer, on_draw_timer},
                        {&terminal->input_timer, on_input_timer},
                        {&terminal->log_timer, on_log_timer}};
    for (unsigned i = 0; i < WATCHES; i++) {
        /* libuv makes the descriptor non-blocking. That is undone, since the shell shares the
         * descriptor, and ncurses would poll. */
        int flags = fcntl(fds[i], F_GETFL);
        int error = uv_poll_init(loop, &terminal->poll[i], fds[i]);
        fcntl(fds[i], F_SETFL, flags & ~O_NONBLOCK);
        if (error)
            return BL_IO;
        terminal->poll[i].data = terminal;
        terminal->handles++;
    }
    for (unsigned i = 0; i < SIGNALS; i++) {
        if (uv_signal_init(loop, &terminal->signal[i]))
            return BL_IO;
        terminal->signal[i].data = terminal;
        terminal->handles++;
        if (uv_signal_start(&terminal->signal[i], on_signal, signals[i]))
            return BL_IO;
        uv_unref((uv_handle_t *)&terminal->signal[i]);
    }
    for (unsigned i = 0; i < TIMERS; i++) {
        if (bl_timer_init(loop, timers[i].timer, timers[i].due, terminal))
            return BL_IO;
        terminal->handles++;
        uv_unref((uv_handle_t *)&timers[i].timer->poll);
    }
    uv_idle_init(loop, &terminal->idle);
    terminal->idle.data = terminal;
    terminal->handles++;
    return uv_poll_start(&terminal->poll[WATCH_IN], UV_READABLE, on_readable) ? BL_IO : BL_OK;
}

static void handle_closed(struct terminal *terminal)
{
    if (--terminal->handles == 0)
        free(terminal);
}

static void on_closed(uv_handle_t *handle)
{
    handle_closed(handle->data);
}

static void on_log_closed(uv_handle_t *handle)
{
    close(((struct terminal *)handle->data)->log);
    handle_closed(handle->data);
}

static void on_timer_closed(struct bl_timer *timer)
{
    handle_closed(timer->data);
}

/* Closes the handles of handles_open(). The last closed handle frees the screen. */
static void handles_close(struct terminal *terminal)
{
    struct bl_timer *const timers[TIMERS] = {&terminal->draw_timer, &terminal->input_timer,
                                             &terminal->log_timer};
    if (terminal->handles == 0) {
        free(terminal);
        return;
    }
    for (unsigned i = 0; i < WATCHES; i++) {
        if (terminal->poll[i].data)
            uv_close((uv_handle_t *)&terminal->poll[i], on_closed);
    }
    for (unsigned i = 0; i < SIGNALS; i++) {
        if (terminal->signal[i].data)
            uv_close((uv_handle_t *)&terminal->signal[i], on_closed);
    }
    if (terminal->log_poll.data)
        uv_close((uv_handle_t *)&terminal->log_poll, on_log_closed);
    for (unsigned i = 0; i < TIMERS; i++) {
        if (timers[i]->fd >= 0)
            bl_timer_close(timers[i], on_timer_closed);
    }
    if (terminal->idle.data)
        uv_close((uv_handle_t *)&terminal->idle, on_closed);
}

static void terminal_hold(struct screen *screen, bool hold)
{
    struct terminal *terminal = (struct terminal *)screen;
    if (hold == terminal->held || terminal->closing || terminal->lost)
        return;
    terminal->held = hold;
    if (hold)
        uv_poll_stop(&terminal->poll[WATCH_IN]);
    else
        uv_poll_start(&terminal->poll[WATCH_IN], UV_READABLE, on_readable);
}

static void terminal_close(struct screen *screen)
{
    struct terminal *terminal = (struct terminal *)screen;
    terminal->closing = true;
    guard_disarm();
    paint_destroy(terminal->paint);
    handles_close(terminal);
}

static const struct screen_kind kind = {terminal_dirty, terminal_draw, terminal_hold,
                                        terminal_close};

enum bl_status terminal_open(struct screen **out, uv_loop_t *loop,
                             const struct screen_options *options,
                             const struct screen_callbacks *callbacks, void *ctx,
                             struct bl_diag *diag)
{
    struct terminal *terminal;
    char restore[GUARD_TEXT];
    bool plain = false;
    enum bl_status status = terminfo_check(restore, &plain, diag);
    *out = NULL;
    if (status != BL_OK)
        return status;
    terminal = calloc(1, sizeof *terminal);
    if (!terminal)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_screen);
    terminal->screen.kind = &kind;
    terminal->control = (struct screen_control){.options = *options,
                                                .callbacks = *callbacks,
                                                .ctx = ctx,
                                                .drawing = &drawing,
                                                .screen = terminal};
    terminal->draw_timer.fd = terminal->input_timer.fd = terminal->log_timer.fd = -1;
    terminal->log = -1;
    /* Before ncurses starts, which leaves signals with a handler alone. */
    status = handles_open(terminal, loop);
    if (status != BL_OK || !guard_arm(STDOUT_FILENO)) {
        handles_close(terminal);
        return bl_fail(diag, BL_IO, say_fail_the_terminal_descriptors_cannot_be_watched);
    }
    guard_text(restore);
    if (options->kiosk)
        console_lock(STDIN_FILENO);
    if (!options->small)
        console_enlarge(STDIN_FILENO, LARGE_ROWS, LARGE_COLUMNS);
    if (!options->no_color)
        console_colour(STDOUT_FILENO);
    console_quiet(STDOUT_FILENO);
    watch_log(terminal, loop);
    terminal->paint = paint_create(!options->no_color, plain);
    if (!terminal->paint) {
        guard_disarm();
        handles_close(terminal);
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_screen);
    }
    *out = &terminal->screen;
    return BL_OK;
}
