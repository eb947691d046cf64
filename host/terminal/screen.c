#include "terminal/screen.h"

#include "base/loop.h"
#include "terminal/board.h"
#include "terminal/budget.h"
#include "terminal/console.h"
#include "terminal/guard.h"
#include "terminal/paint.h"
#include "terminal/past.h"
#include "terminal/redraw.h"
#include "terminal/terminfo.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define LARGE_ROWS    24
#define LARGE_COLUMNS 80

enum { WATCH_IN, WATCH_OUT, WATCHES };
enum { SIGNAL_WINCH, SIGNAL_CONT, SIGNALS };

struct screen {
    struct screen_options options;
    struct screen_handler handler;
    void *ctx;
    const struct screen_model *model;

    uv_poll_t poll[WATCHES];
    uv_signal_t signal[SIGNALS];
    uv_idle_t idle;
    struct bl_timer draw_timer, input_timer;
    unsigned handles; /* not yet closed */
    bool closing, lost, held;

    bool dirty, stalled;
    struct budget budget;

    struct input input;
    struct dialog dialog;
    struct view view;
    struct layout layout;
    const char *note;
    struct paint *paint;
    struct redraw redraw;
    struct frame frame;
};

/* The terminal takes no more: a person pressed Scroll Lock, or a pseudo-terminal is not read.
 * Drawing would block the loop, and with it the line. */
static bool output_is_stalled(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 0;
}

static void on_writable(uv_poll_t *handle, int status, int events);

static void draw(struct screen *screen)
{
    const struct draw_scene scene = {.model = screen->model,
                                     .view = &screen->view,
                                     .dialog = &screen->dialog,
                                     .note = screen->note,
                                     .kiosk = screen->options.kiosk && !screen->options.leave};
    unsigned rows, columns;
    if (output_is_stalled()) {
        screen->stalled = true;
        uv_poll_start(&screen->poll[WATCH_OUT], UV_WRITABLE, on_writable);
        return;
    }
    screen->dirty = false;
    paint_size(screen->paint, &rows, &columns);
    if (screen->model->board) {
        board_draw(screen->model->board, rows, columns, &screen->frame);
    } else if (screen->model->past) {
        draw_scene(&scene, rows, columns, &screen->layout, &screen->frame);
        past_draw(screen->model->past, &screen->layout, &screen->frame);
    } else {
        redraw_scene(&screen->redraw, &scene, rows, columns, &screen->layout, &screen->frame);
    }
    paint_show(screen->paint, &screen->frame);
}

/* Draws now, or when the budget allows it. */
static void draw_when_due(struct screen *screen)
{
    uint64_t now_us = bl_mono_us(), due_us;
    if (!screen->dirty || screen->stalled || screen->closing || screen->lost)
        return;
    due_us = budget_take(&screen->budget, now_us);
    if (due_us > now_us) {
        bl_timer_set(&screen->draw_timer, due_us);
        return;
    }
    draw(screen);
}

/* In the loop's next turn, which does not wait because of this handle: whatever called us, in
 * whichever phase of this turn, has then changed all that it will. */
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
    struct screen *screen = handle->data;
    (void)status;
    (void)events;
    uv_poll_stop(handle);
    screen->stalled = false;
    draw_when_due(screen);
}

static void request(struct screen *screen)
{
    if (screen->closing || !screen->model)
        return;
    screen->dirty = true;
    if (!screen->stalled && screen->draw_timer.due_us == BL_NEVER)
        uv_idle_start(&screen->idle, on_idle);
}

void screen_dirty(struct screen *screen, const struct screen_model *model)
{
    screen->model = model;
    request(screen);
}

void screen_draw(struct screen *screen, const struct screen_model *model)
{
    screen->model = model;
    screen->dirty = true;
    if (screen->draw_timer.due_us == BL_NEVER)
        draw_when_due(screen);
}

static void command(struct screen *screen, enum screen_command command)
{
    screen->handler.command(screen->ctx, command);
}

static void open_dialog(struct screen *screen, enum dialog_kind kind)
{
    dialog_open(&screen->dialog, kind);
    request(screen);
}

static void on_dialog_key(struct screen *screen, enum input_what what, uint32_t point)
{
    enum dialog_kind kind = screen->dialog.kind;
    enum dialog_result result = dialog_feed(&screen->dialog, what, point);
    request(screen);
    switch (result) {
    case DIALOG_STAYS:
    case DIALOG_RETURNS:
        break;
    case DIALOG_STEWARD:
        command(screen, SCREEN_STEWARD);
        break;
    case DIALOG_CONFIRMED:
        command(screen, kind == DIALOG_LEAVE ? SCREEN_LEAVE : SCREEN_EPOCH);
        break;
    }
}

static void scroll(struct screen *screen, enum view_move move)
{
    view_scroll(&screen->view, screen->model, layout_room(&screen->layout), move);
    request(screen);
}

static void focus(struct screen *screen, enum side side)
{
    if (side < screen->model->sides)
        screen->view.focus = side;
    request(screen);
}

/* A character is typed where it will show: the side's newest rows come into view. */
static void type(struct screen *screen, uint32_t point)
{
    screen->view.focus = view_side(&screen->view, screen->model);
    view_scroll(&screen->view, screen->model, layout_room(&screen->layout), VIEW_LAST);
    if (screen->note)
        request(screen);
    screen->note = NULL;
    screen->handler.key(screen->ctx, point);
}

static void on_screen_key(struct screen *screen, enum input_what what, uint32_t point)
{
    switch (what) {
    case INPUT_POINT:
        type(screen, point);
        return;
    case INPUT_F1:
        open_dialog(screen, DIALOG_HELP);
        return;
    case INPUT_F2:
        command(screen, SCREEN_OTHER_SIDE);
        return;
    case INPUT_F8:
        if (!screen->model->may_epoch)
            break;
        open_dialog(screen, DIALOG_EPOCH);
        return;
    case INPUT_F9:
        command(screen, SCREEN_BEGIN);
        return;
    case INPUT_F10:
        if (screen->options.kiosk && !screen->options.leave)
            break;
        open_dialog(screen, DIALOG_LEAVE);
        return;
    case INPUT_F12:
        command(screen, SCREEN_STEWARD);
        return;
    case INPUT_PAGE_UP:
        scroll(screen, VIEW_BACK);
        return;
    case INPUT_PAGE_DOWN:
        scroll(screen, VIEW_ON);
        return;
    case INPUT_HOME:
        scroll(screen, VIEW_FIRST);
        return;
    case INPUT_END:
        scroll(screen, VIEW_LAST);
        return;
    case INPUT_LEFT:
        focus(screen, SIDE_LEFT);
        return;
    case INPUT_RIGHT:
        focus(screen, SIDE_RIGHT);
        return;
    case INPUT_REDRAW:
        paint_anew(screen->paint);
        request(screen);
        return;
    case INPUT_SILENT:
        return;
    case INPUT_F3:
    case INPUT_UP:
    case INPUT_DOWN:
    case INPUT_IGNORED:
    case INPUT_BROKEN:
        break;
    }
    screen->handler.ignored(screen->ctx);
}

static void on_key(void *ctx, enum input_what what, uint32_t point)
{
    struct screen *screen = ctx;
    if (screen->closing || !screen->model)
        return;
    if (screen->dialog.kind != DIALOG_NONE)
        on_dialog_key(screen, what, point);
    else if (!screen->options.first || !screen->options.first(screen->ctx, what, point))
        on_screen_key(screen, what, point);
}

static void lose(struct screen *screen)
{
    screen->lost = true;
    for (unsigned i = 0; i < WATCHES; i++)
        uv_poll_stop(&screen->poll[i]);
    bl_timer_set(&screen->input_timer, BL_NEVER);
    bl_timer_set(&screen->draw_timer, BL_NEVER);
    screen->handler.lost(screen->ctx);
}

static void on_readable(uv_poll_t *handle, int status, int events)
{
    struct screen *screen = handle->data;
    uint8_t bytes[SCREEN_BURST];
    unsigned wait_ms;
    ssize_t count = status < 0 ? 0 : read(STDIN_FILENO, bytes, sizeof bytes);
    (void)events;
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        lose(screen);
        return;
    }
    for (ssize_t i = 0; i < count; i++)
        input_feed(&screen->input, bytes[i], on_key, screen);
    if (screen->closing)
        return;
    wait_ms = input_wait_ms(&screen->input);
    bl_timer_set(&screen->input_timer, wait_ms ? bl_mono_us() + wait_ms * 1000u : BL_NEVER);
}

static void on_input_timer(struct bl_timer *timer)
{
    struct screen *screen = timer->data;
    unsigned wait_ms;
    input_timeout(&screen->input, on_key, screen);
    wait_ms = input_wait_ms(&screen->input);
    if (wait_ms && !screen->closing)
        bl_timer_set(&screen->input_timer, bl_mono_us() + wait_ms * 1000u);
}

/* The window has another size, or we were stopped and others wrote to it. */
static void on_signal(uv_signal_t *handle, int signum)
{
    struct screen *screen = handle->data;
    (void)signum;
    if (screen->closing)
        return;
    paint_anew(screen->paint);
    request(screen);
}

static enum bl_status handles_open(struct screen *screen, uv_loop_t *loop)
{
    static const int fds[WATCHES] = {STDIN_FILENO, STDOUT_FILENO};
    static const int signals[SIGNALS] = {SIGWINCH, SIGCONT};
    struct bl_timer *const timers[] = {&screen->draw_timer, &screen->input_timer};
    for (unsigned i = 0; i < WATCHES; i++) {
        /* libuv makes the descriptor non-blocking, which the shell that shares it would inherit,
         * and ncurses would spin on. We read when there is something to read. */
        int flags = fcntl(fds[i], F_GETFL);
        int error = uv_poll_init(loop, &screen->poll[i], fds[i]);
        fcntl(fds[i], F_SETFL, flags & ~O_NONBLOCK);
        if (error)
            return BL_IO;
        screen->poll[i].data = screen;
        screen->handles++;
    }
    for (unsigned i = 0; i < SIGNALS; i++) {
        if (uv_signal_init(loop, &screen->signal[i]))
            return BL_IO;
        screen->signal[i].data = screen;
        screen->handles++;
        if (uv_signal_start(&screen->signal[i], on_signal, signals[i]))
            return BL_IO;
        uv_unref((uv_handle_t *)&screen->signal[i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (bl_timer_init(loop, timers[i], i == 0 ? on_draw_timer : on_input_timer, screen))
            return BL_IO;
        screen->handles++;
        uv_unref((uv_handle_t *)&timers[i]->poll);
    }
    uv_idle_init(loop, &screen->idle);
    screen->idle.data = screen;
    screen->handles++;
    return uv_poll_start(&screen->poll[WATCH_IN], UV_READABLE, on_readable) ? BL_IO : BL_OK;
}

static void handle_closed(struct screen *screen)
{
    if (--screen->handles == 0)
        free(screen);
}

static void on_closed(uv_handle_t *handle)
{
    handle_closed(handle->data);
}

static void on_timer_closed(struct bl_timer *timer)
{
    handle_closed(timer->data);
}

/* Closes what handles_open opened; the last to close frees the screen. */
static void handles_close(struct screen *screen)
{
    struct bl_timer *const timers[] = {&screen->draw_timer, &screen->input_timer};
    if (screen->handles == 0) {
        free(screen);
        return;
    }
    for (unsigned i = 0; i < WATCHES; i++) {
        if (screen->poll[i].data)
            uv_close((uv_handle_t *)&screen->poll[i], on_closed);
    }
    for (unsigned i = 0; i < SIGNALS; i++) {
        if (screen->signal[i].data)
            uv_close((uv_handle_t *)&screen->signal[i], on_closed);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (timers[i]->fd >= 0)
            bl_timer_close(timers[i], on_timer_closed);
    }
    if (screen->idle.data)
        uv_close((uv_handle_t *)&screen->idle, on_closed);
}

enum bl_status screen_open(struct screen **out, uv_loop_t *loop,
                           const struct screen_options *options,
                           const struct screen_handler *handler, void *ctx, struct bl_diag *diag)
{
    struct screen *screen;
    char restore[GUARD_TEXT];
    bool plain = false;
    enum bl_status status = terminfo_check(restore, &plain, diag);
    *out = NULL;
    if (status != BL_OK)
        return status;
    screen = calloc(1, sizeof *screen);
    if (!screen)
        return bl_fail(diag, BL_NOMEM, "no memory for the screen");
    screen->options = *options;
    screen->handler = *handler;
    screen->ctx = ctx;
    screen->draw_timer.fd = screen->input_timer.fd = -1;
    /* First of all: ncurses leaves signals alone that are handled already. */
    status = handles_open(screen, loop);
    if (status != BL_OK || !guard_arm(STDOUT_FILENO)) {
        handles_close(screen);
        return bl_fail(diag, BL_IO, "the terminal's descriptors cannot be watched");
    }
    guard_text(restore);
    if (options->kiosk)
        console_lock(STDIN_FILENO);
    if (!options->small)
        console_enlarge(STDIN_FILENO, LARGE_ROWS, LARGE_COLUMNS);
    if (!options->no_color)
        console_colour(STDOUT_FILENO);
    console_quiet(STDOUT_FILENO);
    screen->paint = paint_create(!options->no_color, plain);
    if (!screen->paint) {
        guard_disarm();
        handles_close(screen);
        return bl_fail(diag, BL_NOMEM, "no memory for the screen");
    }
    *out = screen;
    return BL_OK;
}

void screen_hold(struct screen *screen, bool hold)
{
    if (hold == screen->held || screen->closing || screen->lost)
        return;
    screen->held = hold;
    if (hold)
        uv_poll_stop(&screen->poll[WATCH_IN]);
    else
        uv_poll_start(&screen->poll[WATCH_IN], UV_READABLE, on_readable);
}

void screen_close(struct screen *screen)
{
    if (!screen)
        return;
    screen->closing = true;
    guard_disarm();
    paint_destroy(screen->paint);
    handles_close(screen);
}
