/* Drawing only what has changed: after any sequence of changes the frame, and the terminal that it
 * is painted on, are the same as if all had been drawn anew. */
#include "terminal/paint.h"
#include "terminal/redraw.h"
#include "tests/support/random.h"

/* Both have a KEY_BACKSPACE: ours counts above, and neither is used here. */
#include "late/ncursesw.h"

#include <locale.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vterm.h>
#include <cmocka.h>

#define ROUNDS       60
#define STEPS        250
#define PAINTS       300
#define ROWS         24
#define COLUMNS      80
#define WAITING_KEYS 4

static struct dice dice;

/* All that a drawing depends on. */
struct stage {
    struct dice dice;
    struct page *page[SIDES];
    struct screen_model model;
    struct view view;
    struct dialog dialog;
    struct layout layout;
    char message[64], state[SIDES][32];
    uint32_t waiting[WAITING_KEYS];
    const char *note;
    unsigned rows, columns;
    struct redraw redraw;
    struct frame frame;
};

static unsigned roll(struct stage *s, unsigned below)
{
    return (unsigned)dice_below(&s->dice, below);
}

static struct stage *stage_create(uint64_t seed)
{
    struct stage *s = calloc(1, sizeof *s);
    struct style style;
    assert_non_null(s);
    s->dice = dice_make(seed);
    s->rows = ROWS;
    s->columns = COLUMNS;
    style_begin(&style, (enum style_form)roll(s, STYLE_FORMS), 2);
    style.columns = (uint8_t)(20 + roll(s, 19));
    style.backspace_over_return = style.form == STYLE_SPLIT && roll(s, 2);
    style.colour[PARTY_ENTITY] = (uint8_t)roll(s, STYLE_COLOURS);
    s->model = (struct screen_model){.role = roll(s, 2) ? PARTY_JUDGE : PARTY_ENTITY,
                                     .sides = 1 + roll(s, 2),
                                     .segment = "part 1 of 2",
                                     .remaining_us = roll(s, 2) ? UINT64_MAX : 300000000,
                                     .message = s->message,
                                     .entry = ""};
    for (enum side side = 0; side < SIDES; side++) {
        s->page[side] = page_create(&style);
        assert_non_null(s->page[side]);
        snprintf(s->state[side], sizeof s->state[side], "open");
        s->model.side[side] = (struct screen_side){.page = s->page[side],
                                                   .title = side ? "RIGHT" : "LEFT",
                                                   .reach = REACH_YES,
                                                   .reason = "",
                                                   .active = side == SIDE_LEFT,
                                                   .state = s->state[side],
                                                   .pending = s->waiting};
    }
    return s;
}

/* As many rows as a page remembers, or as many as can be looked back at. */
static void stage_fill(struct stage *s)
{
    unsigned rows = roll(s, 4) ? roll(s, 40) : PARTIES * PAGE_ROWS;
    for (enum side side = 0; side < SIDES; side++) {
        for (unsigned i = 0; i < rows; i++)
            page_apply(s->page[side],
                       &(struct key_event){.point = KEY_RETURN, .party = (uint8_t)(i % PARTIES)});
    }
}

static void stage_free(struct stage *s)
{
    page_destroy(s->page[SIDE_LEFT]);
    page_destroy(s->page[SIDE_RIGHT]);
    free(s);
}

static uint32_t any_key(struct stage *s)
{
    static const uint32_t points[] = {
        KEY_BACKSPACE, KEY_BACKSPACE, KEY_BACKSPACE, KEY_RETURN, KEY_TAB,
        0x4E2D,        0xE9,          0x0301,        0xFF21,     ' '};
    unsigned pick = roll(s, 30);
    return pick < sizeof points / sizeof *points ? points[pick] : 'a' + roll(s, 26);
}

static void type(struct stage *s)
{
    struct key_event event = {.point = any_key(s), .party = (uint8_t)roll(s, PARTIES)};
    page_apply(s->page[roll(s, SIDES)], &event);
}

/* Several keys of one party, perhaps over the end of the row before and back. */
static void retype(struct stage *s)
{
    enum side side = (enum side)roll(s, SIDES);
    uint8_t party = (uint8_t)roll(s, PARTIES);
    unsigned keys = 1 + roll(s, 5);
    for (unsigned i = 0; i < keys; i++)
        page_apply(s->page[side], &(struct key_event){.point = KEY_BACKSPACE, .party = party});
    for (unsigned i = 0; i < keys; i++)
        page_apply(s->page[side], &(struct key_event){.point = any_key(s), .party = party});
}

/* Something else than a key. */
static void change_more(struct stage *s)
{
    enum side side = (enum side)roll(s, SIDES);
    struct screen_side *shown = &s->model.side[side];
    switch (roll(s, 15)) {
    case 13:
        shown->insecure = !shown->insecure;
        break;
    case 14:
        s->model.standing = s->model.standing ? NULL : "Practice, not blind.";
        break;
    case 0:
        snprintf(s->message, sizeof s->message, "%.*s", (int)roll(s, 50),
                 "Too many keys wait for the other end: that one was not taken.");
        break;
    case 1:
        snprintf(s->state[side], sizeof s->state[side], "%s", roll(s, 2) ? "open" : "closing");
        break;
    case 2:
        shown->reach = (enum reach)roll(s, 3);
        shown->reason = roll(s, 2) ? "nothing heard for 3 s" : "the line is looped back";
        break;
    case 3:
        shown->steward_here = roll(s, 2);
        shown->steward_there = roll(s, 2);
        break;
    case 4:
        for (unsigned i = 0; i < WAITING_KEYS; i++)
            s->waiting[i] = any_key(s);
        shown->pending_count = roll(s, 2) ? roll(s, WAITING_KEYS + 1) : 0;
        break;
    case 5:
        if (s->model.remaining_us != UINT64_MAX)
            s->model.remaining_us -= roll(s, 1200000);
        break;
    case 6:
        view_scroll(&s->view, &s->model, layout_room(&s->layout), (enum view_move)roll(s, 4));
        break;
    case 7:
        if (roll(s, 2))
            dialog_open(&s->dialog, DIALOG_HELP);
        else
            s->dialog = (struct dialog){.kind = DIALOG_NONE};
        break;
    case 8:
        s->model.side[SIDE_LEFT].active = roll(s, 2);
        s->model.side[SIDE_RIGHT].active = !s->model.side[SIDE_LEFT].active && roll(s, 2);
        break;
    case 9:
        s->note = roll(s, 2) ? "Large type is not possible." : NULL;
        break;
    case 10:
        s->model.may_begin = roll(s, 2);
        s->model.may_switch = roll(s, 2);
        s->model.entry = roll(s, 2) ? "ready" : "";
        break;
    case 11:
        page_clear(s->page[side]);
        break;
    case 12:
        s->view.focus = (enum side)roll(s, s->model.sides);
        break;
    }
}

static void change(struct stage *s)
{
    unsigned keys = roll(s, 10) ? 1 : 2 + roll(s, 4);
    if (roll(s, 12) == 0)
        change_more(s);
    if (roll(s, 12) == 0)
        retype(s);
    while (keys--)
        type(s);
}

static struct draw_scene scene_of(struct stage *s)
{
    return (struct draw_scene){
        .model = &s->model, .view = &s->view, .dialog = &s->dialog, .note = s->note};
}

static void assert_same_frame(const struct frame *a, const struct frame *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->cursor, b->cursor);
    if (a->cursor) {
        assert_int_equal(a->cursor_row, b->cursor_row);
        assert_int_equal(a->cursor_column, b->cursor_column);
    }
    assert_memory_equal(a->cell, b->cell, a->rows * a->columns * sizeof *a->cell);
}

/* No half of a wide character stands alone, such as one that a box has covered in part. */
static void assert_whole_characters(struct frame *frame)
{
    for (unsigned row = 0; row < frame->rows; row++) {
        const struct frame_cell *cell = frame_row(frame, row);
        for (unsigned column = 0; column < frame->columns; column += cell[column].width) {
            assert_in_range(cell[column].width, 1, 2);
            assert_true(column + cell[column].width <= frame->columns);
            if (cell[column].width == 2)
                assert_int_equal(cell[column + 1].width, 0);
        }
    }
}

static void test_the_frame_is_the_same(void **state)
{
    static struct frame whole, before;
    unsigned enough = 0, all = 0;
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct stage *s = stage_create(dice_next(&dice));
        stage_fill(s);
        for (unsigned step = 0; step < STEPS; step++) {
            struct draw_scene scene;
            struct view view;
            struct layout layout;
            change(s);
            if (roll(s, 60) == 0) {
                s->rows = 5 + roll(s, 50);
                s->columns = 30 + roll(s, 100);
            }
            scene = scene_of(s);
            view = s->view; /* for drawing follows the pages */
            scene.view = &view;
            before = s->frame;
            memset(s->frame.touched, 0, sizeof s->frame.touched);
            enough += redraw_scene(&s->redraw, &scene, s->rows, s->columns, &s->layout, &s->frame);
            all++;
            scene.view = &s->view;
            draw_scene(&scene, s->rows, s->columns, &layout, &whole);
            assert_same_frame(&s->frame, &whole);
            assert_whole_characters(&whole);
            assert_memory_equal(&s->layout, &layout, sizeof layout);
            for (unsigned row = 0; row < whole.rows && before.columns == whole.columns; row++) {
                size_t size = whole.columns * sizeof *whole.cell;
                if (!s->frame.touched[row] && row < before.rows)
                    assert_memory_equal(frame_row(&before, row), frame_row(&whole, row), size);
            }
        }
        stage_free(s);
    }
    assert_true(enough > all / 4); /* or else this has tested nothing */
    assert_true(enough < all);
}

/* Paints on a terminal: after each byte read from the pipe the next drawing, of what has changed or
 * of all. A title says that it is complete. */
static void be_painter(uint64_t seed, int orders)
{
    struct stage *s = stage_create(seed);
    struct paint *paint;
    unsigned number = 0;
    char order;
    setenv("TERM", "vt220", 1);
    setlocale(LC_ALL, "C.UTF-8");
    paint = paint_create(true, false);
    while (paint && read(orders, &order, 1) == 1) {
        struct draw_scene scene;
        char title[24];
        unsigned rows, columns;
        if (order == 'c') {
            change(s);
        } else {
            paint_anew(paint);
            memset(&s->redraw, 0, sizeof s->redraw);
        }
        scene = scene_of(s);
        paint_size(paint, &rows, &columns);
        redraw_scene(&s->redraw, &scene, rows, columns, &s->layout, &s->frame);
        paint_show(paint, &s->frame);
        fflush(stdout);
        int length = snprintf(title, sizeof title, "\033]2;%u\007", ++number);
        if (write(STDOUT_FILENO, title, (size_t)length) != length)
            break;
    }
    _exit(0);
}

struct terminal {
    int tty, orders;
    pid_t pid;
    VTerm *vterm;
    VTermScreen *screen;
    unsigned complete; /* drawings */
    VTermPos cursor;
    bool visible;
};

static int on_property(VTermProp property, VTermValue *value, void *ctx)
{
    struct terminal *t = ctx;
    if (property == VTERM_PROP_TITLE)
        t->complete++;
    if (property == VTERM_PROP_CURSORVISIBLE)
        t->visible = value->boolean;
    return 1;
}

static int on_cursor(VTermPos at, VTermPos from, int visible, void *ctx)
{
    struct terminal *t = ctx;
    (void)from;
    (void)visible;
    t->cursor = at;
    return 1;
}

static void terminal_open(struct terminal *t, uint64_t seed)
{
    static const VTermScreenCallbacks calls = {.settermprop = on_property, .movecursor = on_cursor};
    const struct winsize size = {.ws_row = ROWS, .ws_col = COLUMNS};
    int orders[2];
    *t = (struct terminal){.visible = true};
    assert_int_equal(pipe(orders), 0);
    t->pid = forkpty(&t->tty, NULL, NULL, &size);
    assert_true(t->pid >= 0);
    if (t->pid == 0) {
        close(orders[1]);
        be_painter(seed, orders[0]);
    }
    close(orders[0]);
    t->orders = orders[1];
    t->vterm = vterm_new(ROWS, COLUMNS);
    vterm_set_utf8(t->vterm, 1);
    t->screen = vterm_obtain_screen(t->vterm);
    vterm_screen_set_callbacks(t->screen, &calls, t);
    vterm_screen_reset(t->screen, 1);
}

static void terminal_close(struct terminal *t)
{
    close(t->orders);
    close(t->tty);
    kill(t->pid, SIGKILL);
    waitpid(t->pid, NULL, 0);
    vterm_free(t->vterm);
}

/* What a person sees. */
struct sight {
    VTermScreenCell cell[ROWS][COLUMNS];
    VTermPos cursor;
    bool visible;
};

static void look(struct terminal *t, char order, struct sight *sight)
{
    unsigned wanted = t->complete + 1;
    assert_int_equal(write(t->orders, &order, 1), 1);
    while (t->complete < wanted) {
        char bytes[4096];
        ssize_t n = read(t->tty, bytes, sizeof bytes);
        assert_true(n > 0);
        vterm_input_write(t->vterm, bytes, (size_t)n);
    }
    memset(sight, 0, sizeof *sight);
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++)
            vterm_screen_get_cell(t->screen, (VTermPos){row, column}, &sight->cell[row][column]);
    }
    sight->cursor = t->cursor;
    sight->visible = t->visible;
}

static void assert_same_cell(const VTermScreenCell *a, const VTermScreenCell *b, int row,
                             int column)
{
    bool same = a->width == b->width && a->attrs.bold == b->attrs.bold &&
                a->attrs.reverse == b->attrs.reverse && a->attrs.underline == b->attrs.underline;
    for (unsigned i = 0; i < VTERM_MAX_CHARS_PER_CELL; i++) {
        /* A blank that was written and one that never was look alike. */
        uint32_t x = i == 0 && a->chars[0] == 0 ? ' ' : a->chars[i];
        uint32_t y = i == 0 && b->chars[0] == 0 ? ' ' : b->chars[i];
        same = same && x == y;
        if (x == 0)
            break;
    }
    /* The second half of a wide character has no looks of its own. */
    if (a->chars[0] == UINT32_MAX && b->chars[0] == UINT32_MAX)
        return;
    if (!same)
        fail_msg("row %d, column %d: U+%04X instead of U+%04X, or looks otherwise", row, column,
                 a->chars[0], b->chars[0]);
}

static void test_the_terminal_shows_the_same(void **state)
{
    static struct sight changed, anew;
    struct terminal t;
    (void)state;
    terminal_open(&t, dice_next(&dice));
    for (unsigned i = 0; i < PAINTS; i++) {
        /* Lone characters that ncurses is told of late, or never. */
        for (uint64_t paints = 1 + dice_below(&dice, 8); paints; paints--)
            look(&t, 'c', &changed);
        look(&t, 'a', &anew);
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++)
                assert_same_cell(&changed.cell[row][column], &anew.cell[row][column], row, column);
        }
        assert_int_equal(changed.visible, anew.visible);
        if (anew.visible) {
            assert_int_equal(changed.cursor.row, anew.cursor.row);
            assert_int_equal(changed.cursor.col, anew.cursor.col);
        }
    }
    terminal_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_frame_is_the_same),
        cmocka_unit_test(test_the_terminal_shows_the_same),
    };
    dice = dice_make(dice_seed("redraw"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
