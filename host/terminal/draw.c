#include "terminal/draw.h"

#include "screen/hints.h"
#include "terminal/clock.h"
#include "terminal/dialog_draw.h"
#include "terminal/form_draw.h"
#include "terminal/messages.h"

#include <stdio.h>
#include <string.h>

#define RULE    0x2500
#define DIVIDER 0x2502

#define ENTRY_ROWS 3 /* most rows for the Entry's news */

struct drawing {
    const struct screen_model *model;
    const struct view *view;
    const struct layout *layout;
    struct frame *frame;
};

static unsigned shorter(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void draw_top(const struct drawing *d)
{
    const struct screen_model *model = d->model;
    unsigned columns = d->layout->columns, row = d->layout->top_row;
    bool timed = model->remaining_us != UINT64_MAX;
    const char *aside = hint_time(model);
    unsigned aside_columns = frame_string_columns(aside);
    char time[CLOCK_TEXT], words[CLOCK_TEXT + 10];
    unsigned width, column, left = columns - 1;
    if (timed) {
        clock_text(model->remaining_us, time);
        snprintf(words, sizeof words, say_to_go, time);
        width = d->layout->clock_rows ? clock_columns(time) : frame_string_columns(words);
        column = columns > width ? (columns - width) / 2 : 0;
        if (d->layout->clock_rows) {
            const char *after = words + 1 + strlen(time); /* the words after the time stand beside
                                                           * the digits' last row */
            clock_draw(d->frame, row, column, time);
            frame_string(d->frame, row + d->layout->clock_rows - 2, column + width,
                         frame_string_columns(after), after, ROLE_TEXT);
        } else {
            frame_string(d->frame, row, column, width, words, ROLE_TIME);
        }
        if (column + width + aside_columns + 2 <= columns)
            frame_string(d->frame, row, columns - aside_columns - 1, aside_columns, aside,
                         ROLE_TEXT);
        left = column > 2 ? column - 2 : 0;
    }
    frame_string(d->frame, row, 1, left, model->segment, ROLE_STRONG);
}

/* Draws a side's head: the title, the mark of the side that receives typing, and the partner's
 * reach. */
static void draw_head(const struct drawing *d, enum side side)
{
    static const enum role reach_roles[2][4] = {
        {ROLE_BAD, ROLE_SOON, ROLE_TEXT, ROLE_GOOD},
        {ROLE_BAR_BAD, ROLE_BAR_SOON, ROLE_BAR, ROLE_BAR_GOOD}};
    const char *const *mark = hint_here(d->model->role);
    const struct screen_side *shown = &d->model->side[side];
    unsigned row = d->layout->head_row, column = d->layout->side[side].column;
    unsigned width = d->layout->side[side].width, end = column + width - 1, used;
    enum reach reach = view_reach(d->view, d->model, side);
    enum role role = shown->active ? ROLE_BAR : ROLE_STRONG;
    const char *words = hint_reach(shown->insecure, reach);
    /* the colour of good news is not for an insecure line */
    enum reach colour = shown->insecure && reach == REACH_YES ? REACH_CONNECTING : reach;

    frame_fill(d->frame, row, column, width, ' ', shown->active ? ROLE_BAR : ROLE_TEXT);
    used = frame_string(d->frame, row, column + 1, width - 1, shown->title, role);
    end -= shorter(frame_string_columns(words), end);
    frame_string(d->frame, row, end, width, words, reach_roles[shown->active][colour]);
    for (; shown->active && *mark; mark++) {
        unsigned from = column + 1 + used + 2;
        if (from + frame_string_columns(*mark) + 2 <= end) {
            frame_string(d->frame, row, from, width, *mark, role);
            break;
        }
    }
}

/* Writes words into a horizontal line, ending at *end, and moves *end before the words. No effect
 * without room between `from` and *end. */
static void draw_on_rule(const struct drawing *d, unsigned row, unsigned from, unsigned *end,
                         const char *words, enum role role)
{
    unsigned columns = frame_string_columns(words);
    if (columns == 0 || from + columns + 3 > *end)
        return;
    *end -= columns + 2;
    frame_fill(d->frame, row, *end, columns + 2, ' ', ROLE_RULE);
    frame_string(d->frame, row, *end + 1, columns, words, role);
    *end -= 1;
}

/* Draws the line above a pane, with the pane's label, the number of rows below the view, the number
 * of waiting keys and the side's state. */
static void draw_label(const struct drawing *d, enum side side, unsigned pane)
{
    const struct screen_side *shown = &d->model->side[side];
    const char *label = page_head(shown->page, pane);
    unsigned row = d->layout->pane[pane].label_row, back = d->view->pane[side][pane].back;
    unsigned column = d->layout->side[side].text_column, columns = frame_string_columns(label);
    unsigned end = d->layout->side[side].column + d->layout->side[side].width - 1;
    char words[48] = "";
    frame_fill(d->frame, row, d->layout->side[side].column, d->layout->side[side].width, RULE,
               ROLE_RULE);
    frame_fill(d->frame, row, column + 1, columns + 2, ' ', ROLE_RULE);
    frame_string(d->frame, row, column + 2, columns, label, ROLE_TEXT);
    column += columns + 3;
    if (back > 0)
        snprintf(words, sizeof words, say_row_below_end, back, back == 1 ? "" : "s");
    draw_on_rule(d, row, column, &end, words, ROLE_STRONG);
    words[0] = '\0';
    if (pane == page_place(shown->page, d->model->role).pane && shown->pending_count > 0)
        snprintf(words, sizeof words, say_key_waiting, shown->pending_count,
                 shown->pending_count == 1 ? "" : "s");
    draw_on_rule(d, row, column, &end, words, ROLE_STRONG);
    if (pane == PANE_UPPER)
        draw_on_rule(d, row, column, &end, shown->state, ROLE_TEXT);
}

static enum role ink(const struct style *style, enum party party)
{
    unsigned colour = style->colour[party];
    return colour == STYLE_COLOUR_NONE ? ROLE_TEXT : (enum role)(ROLE_INK + colour - STYLE_RED);
}

/* True if the cursor is in row `at` of a pane, rows of waiting keys included. */
static bool row_has_cursor(const struct drawing *d, enum side side, unsigned pane,
                           const struct view_rows *rows, unsigned at)
{
    if (!d->model->side[side].active || pane != rows->place.pane)
        return false;
    return rows->waits ? at + 1 == rows->wait_row + rows->waits
                       : rows->place.shown && at == rows->place.row;
}

/* Draws row `at` of a pane, rows of waiting keys included, at row `row` of the screen. */
static void draw_pane_row(const struct drawing *d, enum side side, unsigned pane,
                          const struct view_rows *rows, unsigned at, unsigned row)
{
    const struct screen_side *shown = &d->model->side[side];
    const struct style *style = rows->style;
    unsigned column = d->layout->side[side].text_column, used = 0;
    bool waits = at >= rows->wait_row && at < rows->wait_row + rows->waits;
    struct page_row cells;
    if (!waits || (at == rows->wait_row && rows->shared)) {
        view_placed(d->model, side, pane, rows, at, &cells);
        used =
            frame_page_row(d->frame, row, column, style->columns, &cells, ink(style, cells.party));
    }
    if (waits) {
        page_preview(shown->page, d->model->role, shown->pending, shown->pending_count,
                     at - rows->wait_row, &cells, 1);
        frame_page_row(d->frame, row, column + used, style->columns - used, &cells, ROLE_WAITING);
    }
    if (row_has_cursor(d, side, pane, rows, at)) {
        d->frame->cursor = true;
        d->frame->cursor_row = row;
        d->frame->cursor_column = column + shorter(cells.columns, style->columns);
    }
}

static void draw_pane(const struct drawing *d, enum side side, unsigned pane)
{
    struct view_rows rows = view_rows(d->model, side, pane);
    unsigned height = d->layout->pane[pane].rows;
    unsigned first = rows.rows > height ? rows.rows - height - d->view->pane[side][pane].back : 0;
    for (unsigned i = 0; i < height && first + i < rows.rows; i++)
        draw_pane_row(d, side, pane, &rows, first + i, d->layout->pane[pane].row + i);
}

static void draw_divider(const struct drawing *d)
{
    unsigned column = d->layout->divider_column;
    if (column == 0)
        return;
    for (unsigned row = d->layout->pane[PANE_UPPER].label_row; row < d->layout->notice_row; row++)
        frame_fill(d->frame, row, column, 1, DIVIDER, ROLE_RULE);
    frame_fill(d->frame, d->layout->pane[PANE_UPPER].label_row, column, 1, 0x252C, ROLE_RULE);
    if (d->layout->pane[PANE_LOWER].rows)
        frame_fill(d->frame, d->layout->pane[PANE_LOWER].label_row, column, 1, 0x253C, ROLE_RULE);
}

/* Writes a text over the screen's width, from *row to the row before `end`. Moves *row past the
 * text. */
static void draw_lines(const struct drawing *d, unsigned *row, unsigned end, const char *text,
                       enum role role)
{
    unsigned columns = d->layout->columns;
    for (const char *at = text, *next; at && *row < end; at = next, (*row)++) {
        size_t length = notice_line(at, columns - 2, &next);
        frame_fill(d->frame, *row, 0, columns, ' ', role);
        frame_text(d->frame, *row, 1, columns - 2, at, length, role);
    }
}

static void draw_notices(const struct drawing *d, const struct notice *notice, unsigned count)
{
    static const enum role roles[] = {
        [NOTICE_SOON] = ROLE_SOON, [NOTICE_ALARM] = ROLE_ALARM, [NOTICE_CALL] = ROLE_CALL};
    unsigned row = d->layout->notice_row;
    for (unsigned i = 0; i < count; i++)
        draw_lines(d, &row, d->layout->form_row, notice[i].text, roles[notice[i].grade]);
}

/* Writes the advice: the model's message; otherwise the screen's own note. A sentence about a
 * hidden side comes first. */
static void message_text(const struct draw_scene *scene, enum layout_fit fit, unsigned need_columns,
                         char text[NOTICE_TEXT])
{
    const struct screen_model *model = scene->model;
    const char *words = model->message && *model->message ? model->message : scene->note;
    enum side hidden = view_side(scene->view, model) == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
    words = words ? words : "";
    if (fit == LAYOUT_ONE)
        snprintf(text, NOTICE_TEXT, say_is_hidden_both_need_columns, model->side[hidden].title,
                 need_columns, words);
    else
        snprintf(text, NOTICE_TEXT, "%s", words);
}

static unsigned hint_columns(const struct hint *hint)
{
    return frame_string_columns(hint->key) + 1 + frame_string_columns(hint->does);
}

/* The columns of the hints that must be shown, with a gap after each. */
static unsigned hints_columns(const struct hint *hints, unsigned count, unsigned gap)
{
    unsigned columns = 0;
    for (unsigned i = 0; i < count; i++)
        columns += hints[i].spare ? 0 : hint_columns(&hints[i]) + gap;
    return columns;
}

void draw_hints(struct frame *frame, unsigned row, const struct hint *hints, unsigned count)
{
    const unsigned gap =
        frame->columns < 60 || hints_columns(hints, count, 3) > frame->columns + 1 ? 2 : 3;
    unsigned column = 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned key_columns = frame_string_columns(hints[i].key);
        unsigned does_columns = frame_string_columns(hints[i].does);
        unsigned end = column + hint_columns(&hints[i]);
        unsigned rest = hints_columns(hints + i + 1, count - i - 1, gap);
        if (end >= frame->columns || (hints[i].spare && rest && end + rest >= frame->columns))
            continue;
        frame_string(frame, row, column, key_columns, hints[i].key, ROLE_STRONG);
        column += key_columns + 1;
        frame_string(frame, row, column, does_columns, hints[i].does, ROLE_TEXT);
        column += does_columns + gap;
    }
}

/* Draws the hints of the keys that have an effect now. */
static void draw_keys(const struct drawing *d, bool kiosk)
{
    unsigned back = 0;
    struct hint hints[HINTS];
    for (unsigned pane = 0; pane < PANES; pane++)
        back += d->view->pane[d->view->focus][pane].back;
    unsigned count = hint_list(d->model, kiosk, back > 0, hints);
    draw_hints(d->frame, d->layout->keys_row, hints, count);
}

static void draw_too_small(const struct drawing *d)
{
    char words[96];
    unsigned row = 0;
    snprintf(words, sizeof words, say_this_window_is_x_it, d->layout->columns, d->layout->rows,
             d->layout->need_columns > 80 ? d->layout->need_columns : 80, d->layout->need_rows);
    for (const char *at = words, *next; at && row < d->layout->rows; at = next, row++) {
        size_t length = notice_line(at, d->layout->columns, &next);
        frame_text(d->frame, row, 0, d->layout->columns, at, length, ROLE_STRONG);
    }
}

static void draw_side(const struct drawing *d, enum side side)
{
    draw_head(d, side);
    for (unsigned pane = 0; pane < PANES; pane++) {
        if (d->layout->pane[pane].rows == 0)
            continue;
        draw_label(d, side, pane);
        draw_pane(d, side, pane);
    }
}

/* The rows of the lower pane: LAYOUT_HALF in the split style; otherwise those of the fuller lower
 * pane; 0: no lower pane. */
static unsigned lower_rows(const struct screen_model *model)
{
    const struct page *page = model->side[SIDE_LEFT].page;
    unsigned most = 0;
    if (!page_has(page, PANE_LOWER))
        return 0;
    if (page_style(page)->form == STYLE_SPLIT)
        return LAYOUT_HALF;
    for (enum side side = 0; side < model->sides; side++) {
        unsigned rows = view_rows(model, side, PANE_LOWER).rows;
        most = rows > most ? rows : most;
    }
    return most;
}

/* Returns the rows of the line of the Entry's news at `at`, at most `most`. Draws the line from
 * `row` on; with d NULL, does not draw. */
static unsigned entry_line(const char *at, unsigned columns, unsigned most, const struct drawing *d,
                           unsigned row)
{
    const unsigned column = sizeof say_program_news;
    const unsigned width = columns > 2 * column ? columns - column : column;
    char line[NOTE_MAX + 16];
    unsigned rows = 0;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    for (const char *part = line, *next; part && rows < most; part = next, rows++) {
        size_t bytes = notice_line(part, width, &next);
        if (d)
            frame_text(d->frame, row + rows, column, columns - column, part, bytes, ROLE_TEXT);
    }
    return rows;
}

/* Draws the Entry's news, the oldest line first: the newest line, and as many earlier lines as have
 * room. Returns the number of rows. With d NULL, does not draw. */
static unsigned entry_rows(const struct screen_model *model, unsigned columns,
                           const struct drawing *d)
{
    const unsigned most = d ? d->layout->entry_rows : ENTRY_ROWS;
    unsigned rows = 0, drawn = 0;
    if (model->role != PARTY_ENTITY || !model->entry)
        return 0;
    const char *end = model->entry + strlen(model->entry), *first = end;
    while (first > model->entry) {
        const char *start = first == end ? end : first - 1;
        while (start > model->entry && start[-1] != '\n')
            start--;
        unsigned more = entry_line(start, columns, most, NULL, 0);
        if (rows && rows + more > most)
            break;
        rows += more;
        first = start;
    }
    for (; d && drawn < rows; first = strchr(first, '\n') + 1) {
        drawn += entry_line(first, columns, rows - drawn, d, d->layout->entry_row + drawn);
        if (!strchr(first, '\n'))
            break;
    }
    if (d && rows)
        frame_string(d->frame, d->layout->entry_row, 1, columns, say_program_news, ROLE_TEXT);
    return rows;
}

void draw_scene(const struct draw_scene *scene, unsigned rows, unsigned columns,
                struct layout *layout, struct frame *frame)
{
    const struct screen_model *model = scene->model;
    const struct drawing d = {model, scene->view, layout, frame};
    struct notice notice[NOTICES], message;
    unsigned notices;
    struct layout_wish wish = {.sides = model->sides,
                               .only = view_side(scene->view, model),
                               .page_columns = page_style(model->side[SIDE_LEFT].page)->columns,
                               .lower = lower_rows(model),
                               .clock = model->remaining_us != UINT64_MAX,
                               .entry = entry_rows(model, columns, NULL),
                               .form = model->form ? form_rows(model->form) : 0};

    view_meet(scene->view, model);
    notices = notice_list(model, scene->view, notice);
    frame_resize(frame, rows, columns);
    wish.rows = frame->rows;
    wish.columns = frame->columns;
    layout_compute(layout, &wish);
    if (layout->fit == LAYOUT_NOTHING) {
        draw_too_small(&d);
        return;
    }
    /* Computed again: the message depends on the layout's fit, and takes rows. */
    message_text(scene, layout->fit, layout->need_columns, message.text);
    wish.notices = notice_rows(notice, notices, frame->columns - 2);
    wish.message = notice_rows(&message, 1, frame->columns - 2);
    layout_compute(layout, &wish);

    view_follow(scene->view, model, layout_room(layout));
    draw_top(&d);
    for (enum side side = 0; side < model->sides; side++) {
        if (layout->side[side].shown)
            draw_side(&d, side);
    }
    entry_rows(model, columns, &d);
    draw_divider(&d);
    draw_notices(&d, notice, notices);
    rows = layout->message_row;
    draw_lines(&d, &rows, layout->keys_row, message.text, ROLE_TEXT);
    draw_keys(&d, scene->kiosk);
    if (model->form)
        form_draw(model->form, frame, layout->form_row, layout->form_rows);
    if (scene->dialog->kind != DIALOG_NONE)
        dialog_draw(scene->dialog, frame);
}

void draw_newest(const struct draw_scene *scene, const struct layout *layout, enum side side,
                 unsigned pane, struct frame *frame)
{
    const struct drawing d = {scene->model, scene->view, layout, frame};
    const struct view_rows rows = view_rows(scene->model, side, pane);
    unsigned row = layout->pane[pane].row + shorter(rows.rows, layout->pane[pane].rows) - 1;
    if (layout->pane[pane].rows == 0)
        return;
    frame_fill(frame, row, layout->side[side].text_column, rows.style->columns, ' ', ROLE_TEXT);
    draw_pane_row(&d, side, pane, &rows, rows.rows - 1, row);
}
