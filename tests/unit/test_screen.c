/* Screens without a terminal: where things go, what is drawn, how one looks back, how often. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/utf8.h"
#include "terminal/budget.h"
#include "terminal/clock.h"
#include "terminal/dialog_draw.h"
#include "terminal/draw.h"
#include "terminal/font.h"
#include "session/notice.h"

struct fixture {
    struct page *page[SIDES];
    struct screen_model model;
    struct view view;
    struct dialog dialog;
    struct layout layout;
    struct frame frame;
};

static struct fixture *fixture_of(enum party role, unsigned sides, unsigned columns)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct style style;
    assert_non_null(f);
    style_default(&style);
    style.columns = (uint8_t)columns;
    f->model = (struct screen_model){.role = role,
                                     .sides = sides,
                                     .segment = "SEGMENT",
                                     .remaining_us = UINT64_MAX,
                                     .message = ""};
    for (enum side side = 0; side < SIDES; side++) {
        f->page[side] = page_create(&style);
        assert_non_null(f->page[side]);
        f->model.side[side] = (struct screen_side){.page = f->page[side],
                                                   .title = side ? "RIGHT" : "LEFT",
                                                   .reach = REACH_YES,
                                                   .reason = "",
                                                   .state = "open"};
    }
    return f;
}

static void fixture_free(struct fixture *f)
{
    page_destroy(f->page[SIDE_LEFT]);
    page_destroy(f->page[SIDE_RIGHT]);
    free(f);
}

static void type(struct fixture *f, enum side side, enum party party, const char *text)
{
    for (; *text; text++)
        page_apply(f->page[side],
                   &(struct key_event){.point = *text == '\n' ? KEY_RETURN : (uint32_t)*text,
                                       .party = (uint8_t)party});
}

static void draw(struct fixture *f, unsigned rows, unsigned columns)
{
    const struct draw_scene scene = {.model = &f->model, .view = &f->view, .dialog = &f->dialog};
    draw_scene(&scene, rows, columns, &f->layout, &f->frame);
}

/* A row of the frame as text, without the blanks at its end. */
static const char *row_text(struct fixture *f, unsigned row)
{
    static char text[FRAME_COLUMNS * UTF8_MAX + 1];
    size_t length = 0, end = 0;
    for (unsigned column = 0; column < f->frame.columns; column++) {
        const struct frame_cell *cell = &frame_row(&f->frame, row)[column];
        if (cell->width == 0)
            continue;
        length += utf8_encode(cell->point, (uint8_t *)text + length);
        end = cell->point == ' ' ? end : length;
    }
    text[end] = '\0';
    return text;
}

static bool frame_has(struct fixture *f, const char *words)
{
    for (unsigned row = 0; row < f->frame.rows; row++) {
        if (strstr(row_text(f, row), words))
            return true;
    }
    return false;
}

/* Whatever the size, nothing lies upon another thing or outside. */
static void layouts_never_overlap(void **state)
{
    (void)state;
    for (unsigned rows = 1; rows < 70; rows++) {
        for (unsigned columns = 1; columns < 260; columns += 1 + columns / 40) {
            for (unsigned bits = 0; bits < 32; bits++) {
                static const unsigned widths[] = {20, 38, 78, 120};
                static const unsigned lowers[] = {LAYOUT_HALF, 0, 1, 2, 50};
                struct layout_wish wish = {.rows = rows,
                                           .columns = columns,
                                           .sides = 1 + bits % 2,
                                           .only = SIDE_RIGHT,
                                           .page_columns = widths[bits / 8],
                                           .lower = lowers[bits % 5],
                                           .clock = bits & 2,
                                           .entry = bits & 4 ? 1 + bits % 3 : 0,
                                           .notices = bits % 7,
                                           .form = bits % 3 * 6,
                                           .message = bits % 4};
                const struct layout_wish *w = &wish;
                struct layout l;
                unsigned row;
                if (w->sides == 1)
                    wish.only = SIDE_LEFT;
                layout_compute(&l, w);
                if (l.fit == LAYOUT_NOTHING) {
                    assert_true(rows < 8 || columns < w->page_columns + 1);
                    continue;
                }
                /* From top to bottom, without a gap. */
                row = l.clock_rows ? l.clock_rows : 1;
                assert_int_equal(l.head_row, row++);
                if (l.entry_row) {
                    assert_int_equal(l.entry_row, row);
                    assert_in_range(l.entry_rows, 1, w->entry);
                    row += l.entry_rows;
                }
                for (unsigned pane = PANES; pane-- > 0;) {
                    if (pane == PANE_LOWER && w->lower == 0) {
                        assert_int_equal(l.pane[pane].rows, 0);
                        continue;
                    }
                    assert_int_equal(l.pane[pane].label_row, row++);
                    assert_int_equal(l.pane[pane].row, row);
                    assert_in_range(l.pane[pane].rows, 1, rows);
                    row += l.pane[pane].rows;
                }
                assert_int_equal(l.notice_row, row);
                assert_int_equal(l.form_row, row + l.notice_rows);
                assert_in_range(l.form_rows, 0, w->form);
                assert_int_equal(l.message_row, l.form_row + l.form_rows);
                assert_int_equal(l.keys_row, l.message_row + l.message_rows);
                assert_int_equal(l.keys_row, rows - 1);
                /* The shown sides hold their pages and the column for the cursor. */
                for (enum side side = 0; side < SIDES; side++) {
                    bool shown = side < w->sides && (l.fit == LAYOUT_ALL || side == w->only);
                    assert_int_equal(l.side[side].shown, shown);
                    if (!shown)
                        continue;
                    assert_true(l.side[side].text_column >= l.side[side].column);
                    assert_true(l.side[side].text_column + w->page_columns + 1 <=
                                l.side[side].column + l.side[side].width);
                    assert_true(l.side[side].column + l.side[side].width <= columns);
                }
                if (l.fit == LAYOUT_ALL && w->sides == 2) {
                    assert_int_equal(l.side[0].column + l.side[0].width, l.divider_column);
                    assert_true(l.side[1].text_column > l.divider_column + 1);
                }
            }
        }
    }
}

static void two_pages_of_38_fit_in_80(void **state)
{
    struct layout l;
    (void)state;
    layout_compute(
        &l, &(struct layout_wish){.rows = 24, .columns = 80, .sides = 2, .page_columns = 38});
    assert_int_equal(l.fit, LAYOUT_ALL);
    layout_compute(
        &l, &(struct layout_wish){.rows = 24, .columns = 79, .sides = 2, .page_columns = 38});
    assert_int_equal(l.fit, LAYOUT_ONE);
    assert_int_equal(l.need_columns, 80);
}

/* All that a model can say, at every size: nothing is written outside the frame (ASan looks on),
 * and every side's warnings are there where there is room. */
static void every_size_is_drawn(void **state)
{
    static const uint32_t waiting[] = {'w', KEY_RETURN, 0x4E2D, KEY_BACKSPACE, KEY_BACKSPACE, 'x'};
    struct fixture *f = fixture_of(PARTY_ENTITY, 1, 38);
    (void)state;
    f->model.entry =
        "running, with quite a lot to say about what it does, and about why it does it";
    f->model.remaining_us = 59000001;
    f->model.message = "A message that is longer than a narrow window can show in a single line.";
    for (int i = 0; i < 100; i++)
        type(f, SIDE_LEFT, (enum party)(i % 2), "one row of text\n");
    for (unsigned rows = 1; rows <= 60; rows += 1 + rows / 5) {
        for (unsigned columns = 1; columns <= 200; columns += 1 + columns / 8) {
            for (unsigned bits = 0; bits < 64; bits++) {
                struct screen_side *side = &f->model.side[bits % SIDES];
                f->model.sides = 1 + (bits >> 1) % 2;
                f->model.role = (enum party)((bits >> 2) % 2);
                side->reach = (enum reach)(bits % 3);
                side->reason = bits % 5 ? "somebody took the cable out of the wall, and went" : "";
                side->steward_here = bits & 8;
                side->steward_there = bits & 16;
                side->active = bits & 32;
                side->pending = waiting;
                side->pending_count = bits % 7;
                f->dialog.kind = (enum dialog_kind)(bits % 4);
                draw(f, rows, columns);
                assert_int_equal(f->frame.rows, rows);
                if (f->frame.cursor) {
                    assert_in_range(f->frame.cursor_row, 0, rows - 1);
                    assert_in_range(f->frame.cursor_column, 0, columns - 1);
                }
                if (side->reach == REACH_NO && f->model.sides == 1 && rows >= 24 && columns >= 80 &&
                    bits % SIDES == 0)
                    assert_true(frame_has(f, "CANNOT BE REACHED"));
            }
        }
    }
    fixture_free(f);
}

static void equal_models_give_equal_frames(void **state)
{
    struct fixture *f = fixture_of(PARTY_JUDGE, 2, 38);
    static struct frame before;
    (void)state;
    type(f, SIDE_LEFT, PARTY_JUDGE, "some text\nand more");
    draw(f, 24, 80);
    before = f->frame;
    draw(f, 40, 120);
    draw(f, 24, 80);
    assert_memory_equal(before.cell, f->frame.cell, 24 * 80 * sizeof before.cell[0]);
    /* One key changes one cell. */
    type(f, SIDE_LEFT, PARTY_JUDGE, "!");
    draw(f, 24, 80);
    for (unsigned i = 0, changed = 0; i <= 24 * 80; i++) {
        if (i == 24 * 80)
            assert_int_equal(changed, 1);
        else
            changed += memcmp(&before.cell[i], &f->frame.cell[i], sizeof before.cell[i]) != 0;
    }
    fixture_free(f);
}

/* A judge is told nothing of what stands behind an entity. */
static void a_judge_sees_no_entry(void **state)
{
    struct fixture *f = fixture_of(PARTY_JUDGE, 2, 38);
    static struct frame before;
    (void)state;
    draw(f, 24, 80);
    before = f->frame;
    f->model.entry = "exited with status 1";
    draw(f, 24, 80);
    assert_memory_equal(before.cell, f->frame.cell, 24 * 80 * sizeof before.cell[0]);
    f->model.role = PARTY_ENTITY;
    draw(f, 24, 80);
    assert_true(frame_has(f, "Program: exited with status 1"));
    /* The oldest first. The reason of an end is read to its end; older lines have the rows that are
     * left. */
    f->model.entry =
        "10:00:03 started\n10:00:04 ready\n10:00:05 exited with code 1; its last error line: "
        "ModuleNotFoundError: No module named 'bot'";
    draw(f, 24, 80);
    assert_int_equal(f->layout.entry_rows, 3);
    assert_non_null(strstr(row_text(f, f->layout.entry_row), "Program: 10:00:04 ready"));
    assert_non_null(strstr(row_text(f, f->layout.entry_row + 1), "10:00:05 exited"));
    assert_non_null(strstr(row_text(f, f->layout.entry_row + 2), "No module named 'bot'"));
    assert_false(frame_has(f, "10:00:03"));
    /* An end with more words than rows has all rows; nothing before it. */
    f->model.entry =
        "10:00:04 ready\n10:00:05 exited with code 1; its last error line: a very long "
        "line of errors, which goes on over one row, over the second one, and then "
        "over a third one, so far that its end is not seen at the entity's terminal, "
        "nor elsewhere";
    draw(f, 24, 80);
    assert_int_equal(f->layout.entry_rows, 3);
    assert_non_null(strstr(row_text(f, f->layout.entry_row), "Program: 10:00:05 exited"));
    assert_false(frame_has(f, "ready"));
    fixture_free(f);
}

/* Warnings and advice have rows of their own: the page does not move when one comes or goes. */
static void a_notice_moves_no_row(void **state)
{
    static const unsigned sizes[][2] = {{24, 80}, {30, 100}, {48, 128}, {67, 240}};
    (void)state;
    for (unsigned size = 0; size < 4; size++) {
        for (unsigned sides = 1; sides <= 2; sides++) {
            struct fixture *f = fixture_of(PARTY_JUDGE, sides, 38);
            struct screen_side *left = &f->model.side[SIDE_LEFT];
            struct layout quiet;
            f->model.message = "";
            type(f, SIDE_LEFT, PARTY_ENTITY, "here\n");
            draw(f, sizes[size][0], sizes[size][1]);
            quiet = f->layout;
            assert_in_range(quiet.notice_rows, 2, 4);
            left->reach = REACH_NO;
            left->reason = "the cable is out or the other terminal is off";
            draw(f, sizes[size][0], sizes[size][1]);
            assert_true(frame_has(f, "CANNOT BE REACHED: the cable is out"));
            assert_true(frame_has(f, "F12: it calls the steward"));
            assert_memory_equal(quiet.pane, f->layout.pane, sizeof quiet.pane);
            f->model.message = "This line is closed now.";
            draw(f, sizes[size][0], sizes[size][1]);
            assert_true(frame_has(f, f->model.message));
            assert_memory_equal(quiet.pane, f->layout.pane, sizeof quiet.pane);
            left->reach = REACH_YES;
            left->steward_here = true;
            draw(f, sizes[size][0], sizes[size][1]);
            assert_memory_equal(quiet.pane, f->layout.pane, sizeof quiet.pane);
            fixture_free(f);
        }
    }
}

/* What is fixed fits a window of 40 columns: the keys, help and how to leave. */
static void fixed_texts_fit_forty_columns(void **state)
{
    static const enum dialog_kind kinds[] = {
        DIALOG_HELP,  DIALOG_HELP_TALK, DIALOG_HELP_ONE,   DIALOG_HELP_ONE_TALK,
        DIALOG_LEAVE, DIALOG_EPOCH,     DIALOG_HELP_ENTITY};
    static const char *const words[] = {
        "F12 works here; others return.",     "F12 works here; others return.",
        "F12 works here; others return.",     "F12 works here; others return.",
        "To leave, type  leave  and Return.", "To open, type  epoch  and Return.",
        "F12 works here; others return."};
    struct fixture *f = fixture_of(PARTY_JUDGE, 1, 38);
    (void)state;
    f->model.may_begin = true;
    f->model.remaining_us = 25000000;
    draw(f, 24, 80);
    assert_false(frame_has(f, "the last 30 seconds")); /* nothing runs yet */
    draw(f, 24, 40);
    assert_true(frame_has(f, "F1 help  F12 steward  F9 begin"));
    f->model.may_begin = false;
    draw(f, 24, 80);
    assert_true(frame_has(f, "the last 30 seconds"));
    f->model.remaining_us = UINT64_MAX;
    draw(f, 24, 40);
    assert_true(frame_has(f, "F10 leave"));
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        dialog_open(&f->dialog, kinds[i]);
        draw(f, 24, 40);
        assert_true(frame_has(f, words[i]));
        for (unsigned row = 0; row < 24; row++) {
            /* Each line ends before the box does. */
            const struct frame_cell *cell = frame_row(&f->frame, row);
            if (cell[0].point == 0x2502 && cell[39].point == 0x2502)
                assert_int_equal(cell[38].point, ' ');
        }
    }
    /* The last one is an entity's: it has no sides and no ballot, and begins nothing. */
    assert_false(frame_has(f, "F9") || frame_has(f, "ballot") || frame_has(f, "other side"));
    fixture_free(f);
}

static void looking_back_stays_in_its_place(void **state)
{
    struct fixture *f = fixture_of(PARTY_JUDGE, 2, 38);
    char line[16];
    (void)state;
    for (int i = 0; i < 100; i++) {
        snprintf(line, sizeof line, "row %d\n", i);
        type(f, SIDE_RIGHT, PARTY_ENTITY, line);
    }
    f->model.side[SIDE_RIGHT].active = true;
    draw(f, 24, 80);
    assert_int_equal(f->view.focus, SIDE_RIGHT);
    assert_true(frame_has(f, "row 99"));
    view_scroll(&f->view, &f->model, layout_room(&f->layout), VIEW_BACK);
    draw(f, 24, 80);
    assert_false(frame_has(f, "row 99"));
    assert_true(frame_has(f, "row 86"));
    assert_true(frame_has(f, "7 rows below: End"));
    /* It stays when rows come, also when old rows go because the page is full. */
    for (int i = 0; i < PAGE_ROWS - 103; i++)
        type(f, SIDE_RIGHT, PARTY_ENTITY, "more\n");
    draw(f, 24, 80);
    assert_true(frame_has(f, "row 86"));
    for (int i = 0; i < 50; i++)
        type(f, SIDE_RIGHT, PARTY_ENTITY, "more\n");
    draw(f, 24, 80);
    assert_int_equal(page_dropped(f->page[SIDE_RIGHT], PARTY_ENTITY), 48);
    assert_true(frame_has(f, "row 86"));
    view_scroll(&f->view, &f->model, layout_room(&f->layout), VIEW_FIRST);
    draw(f, 24, 80);
    assert_true(frame_has(f, "row 48"));
    assert_false(frame_has(f, "row 47"));
    /* Rows that are looked at can go too: then the first that is left is shown. */
    for (int i = 0; i < PAGE_ROWS; i++)
        type(f, SIDE_RIGHT, PARTY_ENTITY, "new\n");
    draw(f, 24, 80);
    assert_true(frame_has(f, "new"));
    view_scroll(&f->view, &f->model, layout_room(&f->layout), VIEW_LAST);
    draw(f, 24, 80);
    assert_false(frame_has(f, "below"));
    /* And a page that begins anew takes nobody along. */
    view_scroll(&f->view, &f->model, layout_room(&f->layout), VIEW_FIRST);
    page_clear(f->page[SIDE_RIGHT]);
    type(f, SIDE_RIGHT, PARTY_ENTITY, "fresh");
    draw(f, 24, 80);
    assert_true(frame_has(f, "fresh"));
    fixture_free(f);
}

static void keys_that_wait_are_rows_too(void **state)
{
    struct fixture *f = fixture_of(PARTY_ENTITY, 1, 38);
    uint32_t waiting[40];
    (void)state;
    for (int i = 0; i < 40; i++)
        waiting[i] = KEY_RETURN;
    waiting[39] = 'Z';
    type(f, SIDE_LEFT, PARTY_ENTITY, "placed");
    f->model.side[SIDE_LEFT].active = true;
    f->model.side[SIDE_LEFT].pending = waiting;
    f->model.side[SIDE_LEFT].pending_count = 40;
    draw(f, 24, 80);
    assert_true(frame_has(f, "40 keys waiting"));
    assert_true(frame_has(f, "Z"));
    assert_false(frame_has(f, "placed"));
    assert_int_equal(f->frame.cursor_row,
                     f->layout.pane[PARTY_ENTITY].row + f->layout.pane[PARTY_ENTITY].rows - 1);
    view_scroll(&f->view, &f->model, layout_room(&f->layout), VIEW_FIRST);
    draw(f, 24, 80);
    assert_true(frame_has(f, "placed"));
    fixture_free(f);
}

static void foreign_words_are_made_harmless(void **state)
{
    struct fixture *f = fixture_of(PARTY_JUDGE, 1, 38);
    (void)state;
    f->model.message = "\033[2J\xFF\x80 caf\xC3\xA9 \xE2\x80\xAE\n";
    draw(f, 24, 80);
    assert_string_equal(row_text(f, 22), " ?[2J?? caf\xC3\xA9 ??");
    fixture_free(f);
}

static void lines_are_cut_between_words(void **state)
{
    const char *next;
    (void)state;
    assert_int_equal(notice_line("one two three", 8, &next), 7);
    assert_string_equal(next, "three");
    assert_int_equal(notice_line("one two three", 7, &next), 7);
    assert_string_equal(next, "three");
    assert_int_equal(notice_line("one two three", 6, &next), 3);
    assert_string_equal(next, "two three");
    assert_int_equal(notice_line("unbreakable", 4, &next), 4);
    assert_string_equal(next, "eakable");
    assert_int_equal(notice_line("short", 5, &next), 5);
    assert_null(next);
    assert_int_equal(notice_line("blank ", 5, &next), 5);
    assert_null(next);
    assert_int_equal(notice_line("\xE4\xB8\xAD\xE4\xB8\xAD", 3, &next), 3);
    assert_string_equal(next, "\xE4\xB8\xAD");
    assert_int_equal(notice_line("", 5, &next), 0);
    assert_null(next);
}

static void dialogs_need_their_word(void **state)
{
    static const struct {
        enum dialog_kind kind;
        const char *typed; /* ! is F1, # is F12 */
        enum dialog_result result;
    } rows[] = {
        {DIALOG_LEAVE, "leave\r", DIALOG_CONFIRMED},
        {DIALOG_LEAVE, "LeAvE\r", DIALOG_CONFIRMED},
        {DIALOG_LEAVE_BALLOT, "leave\r", DIALOG_CONFIRMED},
        {DIALOG_LEAVE, "leave", DIALOG_STAYS},
        {DIALOG_LEAVE, "leav\r", DIALOG_RETURNS},
        {DIALOG_LEAVE, "leaver", DIALOG_RETURNS},
        {DIALOG_LEAVE, "\r", DIALOG_RETURNS},
        {DIALOG_LEAVE, "epoch\r", DIALOG_RETURNS},
        {DIALOG_EPOCH, "epoch\r", DIALOG_CONFIRMED},
        {DIALOG_LEAVE, "le#", DIALOG_STEWARD},
        {DIALOG_LEAVE, "!", DIALOG_RETURNS},
        {DIALOG_HELP, "!", DIALOG_RETURNS},
        {DIALOG_HELP, "#", DIALOG_STEWARD},
        {DIALOG_HELP, "l", DIALOG_RETURNS},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dialog dialog = {DIALOG_NONE, 0};
        enum dialog_result result = DIALOG_STAYS;
        const char *at = rows[i].typed;
        dialog_open(&dialog, rows[i].kind);
        for (; *at && result == DIALOG_STAYS; at++)
            result = dialog_feed(&dialog,
                                 *at == '!'   ? INPUT_F1
                                 : *at == '#' ? INPUT_F12
                                              : INPUT_POINT,
                                 (uint32_t)*at);
        if (result != rows[i].result)
            fail_msg("'%s' gives %d", rows[i].typed, (int)result);
        assert_int_equal(dialog.kind == DIALOG_NONE, result != DIALOG_STAYS);
    }
}

static void time_is_never_said_too_short(void **state)
{
    static const struct {
        uint64_t us;
        const char *text;
    } rows[] = {{0, "00:00"},           {1, "00:01"},
                {1000000, "00:01"},     {1000001, "00:02"},
                {59000001, "01:00"},    {60000000, "01:00"},
                {300000000, "05:00"},   {5999000000, "99:59"},
                {6000000000, "100:00"}, {UINT64_MAX - 1, "999:59"}};
    char text[CLOCK_TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clock_text(rows[i].us, text);
        assert_string_equal(text, rows[i].text);
    }
    assert_int_equal(clock_columns("04:32"), 34);
    assert_in_range(clock_columns("999:59"), 35, 42);
}

static void drawings_are_bounded(void **state)
{
    struct budget budget = {0};
    uint64_t drawn[4000] = {0}, now_us = 5000000;
    unsigned count = 0;
    (void)state;
    /* A change every 100 us for some seconds, then a pause, then again. */
    for (int burst = 0; burst < 3; burst++) {
        uint64_t end_us = now_us + 4000000, ask_us = now_us;
        for (; now_us < end_us; now_us += 100) {
            if (now_us < ask_us)
                continue;
            ask_us = budget_take(&budget, now_us);
            if (ask_us == now_us)
                drawn[count++] = now_us;
            else
                assert_true(ask_us > now_us && ask_us - now_us < 25000);
        }
        now_us += 700000;
    }
    assert_in_range(count, 3 * 4 * 45, 3 * (4 * 46 + 4));
    for (unsigned i = 0; i + 50 < count; i++)
        assert_true(drawn[i + 50] - drawn[i] >= 1000000);
    /* A lone change is drawn at once. */
    now_us += 1000000;
    assert_int_equal(budget_take(&budget, now_us), now_us);
    assert_int_equal(budget_take(&budget, now_us + 5000), now_us + 5000);
}

static bool dot(const struct font *font, unsigned character, unsigned x, unsigned y)
{
    size_t width = (font->width + 7) / 8;
    return font->bytes[(character * FONT_PITCH + y) * width + x / 8] & (0x80u >> x % 8);
}

static void fonts_are_doubled_dot_by_dot(void **state)
{
    static const unsigned sizes[][3] = {{8, 16, 256}, {8, 14, 512}, {6, 12, 256},
                                        {16, 16, 1},  {9, 16, 3},   {1, 1, 1}};
    struct font *from = calloc(2, sizeof *from), *out = from + 1;
    (void)state;
    assert_non_null(from);
    srand(7);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        from->width = sizes[i][0];
        from->height = sizes[i][1];
        from->characters = sizes[i][2];
        for (size_t b = 0; b < sizeof from->bytes; b++)
            from->bytes[b] = (uint8_t)rand();
        assert_true(font_double(from, out));
        assert_int_equal(out->width, 2 * from->width);
        assert_int_equal(out->height, 2 * from->height);
        for (unsigned c = 0; c < from->characters; c++)
            for (unsigned y = 0; y < out->height; y++)
                for (unsigned x = 0; x < out->width; x++)
                    if (dot(out, c, x, y) != dot(from, c, x / 2, y / 2))
                        fail_msg("character %u, dot %u,%u of %ux%u", c, x, y, out->width,
                                 out->height);
    }
    from->width = 17;
    assert_false(font_double(from, out));
    from->width = 8;
    from->height = 17;
    assert_false(font_double(from, out));
    from->height = 16;
    from->characters = FONT_CHARACTERS + 1;
    assert_false(font_double(from, out));
    from->characters = 0;
    assert_false(font_double(from, out));
    free(from);
}

/* On every screen each offer leaves room, is larger than what there is, and the first is the
 * largest. */
static void the_largest_font_that_fits_is_chosen(void **state)
{
    struct font_room room = {.across = 1920, .down = 1080, .rows = 24, .columns = 80};
    (void)state;
    assert_string_equal(font_choose(&room, 16, 0), "Uni2-TerminusBold32x16");
    assert_string_equal(font_choose(&room, 16, 1), "Uni2-TerminusBold28x14");
    assert_null(font_choose(&room, 32, 0));
    room.across = 1024;
    room.down = 768;
    assert_string_equal(font_choose(&room, 16, 0), "Uni2-TerminusBold24x12");
    room.down = 575; /* one dot short of 24 rows */
    assert_string_equal(font_choose(&room, 16, 0), "Uni2-TerminusBold22x11");
    room.across = 720; /* a text mode's 80 by 25 of 9 by 16 */
    room.down = 400;
    assert_null(font_choose(&room, 16, 0));
    for (room.across = 0; room.across < 2000; room.across += 37) {
        for (room.down = 0; room.down < 1300; room.down += 29) {
            unsigned width, height, last = 33;
            const char *name;
            for (unsigned i = 0; (name = font_choose(&room, 16, i)); i++) {
                assert_int_equal(sscanf(name, "Uni2-TerminusBold%ux%u", &height, &width), 2);
                assert_true(height > 16 && (i == 0 || height <= last));
                assert_true(room.across / width >= 80 && room.down / height >= 24);
                last = height;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_font_that_fits_is_chosen),
        cmocka_unit_test(layouts_never_overlap),
        cmocka_unit_test(two_pages_of_38_fit_in_80),
        cmocka_unit_test(every_size_is_drawn),
        cmocka_unit_test(equal_models_give_equal_frames),
        cmocka_unit_test(a_judge_sees_no_entry),
        cmocka_unit_test(a_notice_moves_no_row),
        cmocka_unit_test(fixed_texts_fit_forty_columns),
        cmocka_unit_test(looking_back_stays_in_its_place),
        cmocka_unit_test(keys_that_wait_are_rows_too),
        cmocka_unit_test(foreign_words_are_made_harmless),
        cmocka_unit_test(lines_are_cut_between_words),
        cmocka_unit_test(dialogs_need_their_word),
        cmocka_unit_test(time_is_never_said_too_short),
        cmocka_unit_test(drawings_are_bounded),
        cmocka_unit_test(fonts_are_doubled_dot_by_dot),
    };
    return cmocka_run_group_tests_name("screen", tests, NULL, NULL);
}
