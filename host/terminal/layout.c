#include "terminal/layout.h"

#include <string.h>

/* The large clock: its five rows and a blank row below, and the least size of a screen that has
 * it. */
#define CLOCK_ROWS      6
#define CLOCK_FROM_ROWS 32
#define CLOCK_COLUMNS   40

/* One row each for the top, the heads, two labels, two panes, the advice and the keys. */
#define LEAST_ROWS 8

/* The columns of a side: the page's columns, and one for the cursor after a full row. */
static unsigned side_columns(const struct layout_wish *wish)
{
    return wish->page_columns + 1;
}

/* The columns of two sides, with a divider and a blank after the divider. */
static unsigned two_columns(const struct layout_wish *wish)
{
    return 2 * side_columns(wish) + 2;
}

static void place_side(struct layout *layout, const struct layout_wish *wish, enum side side,
                       unsigned column, unsigned width)
{
    layout->side[side].shown = true;
    layout->side[side].column = column;
    layout->side[side].width = width;
    layout->side[side].text_column = column + (width - side_columns(wish) + 1) / 2;
    if (layout->side[side].text_column + side_columns(wish) > layout->columns)
        layout->side[side].text_column = layout->columns - side_columns(wish);
}

static void place_columns(struct layout *layout, const struct layout_wish *wish)
{
    if (wish->sides == 1) {
        place_side(layout, wish, SIDE_LEFT, 0, wish->columns);
    } else if (layout->fit == LAYOUT_ONE) {
        place_side(layout, wish, wish->only, 0, wish->columns);
    } else {
        unsigned half = (wish->columns - 1) / 2;
        layout->divider_column = half;
        place_side(layout, wish, SIDE_LEFT, 0, half);
        place_side(layout, wish, SIDE_RIGHT, half + 1, wish->columns - half - 1);
    }
}

/* Takes at most `rows` rows from the body and leaves each pane at least one. Returns the rows
 * taken. */
static unsigned take(unsigned rows, unsigned *body)
{
    if (rows > *body - PANES)
        rows = *body - PANES;
    *body -= rows;
    return rows;
}

/* Divides the body's rows between the two panes, and places the panes' labels. */
static void place_panes(struct layout *layout, unsigned lower, unsigned row, unsigned body)
{
    unsigned rows = lower < body / 2 ? lower : body / 2;
    if (lower == 0)
        body++; /* a missing lower pane's label row goes to the upper pane */
    layout->pane[PANE_UPPER].label_row = row;
    layout->pane[PANE_UPPER].row = row + 1;
    layout->pane[PANE_UPPER].rows = body - rows;
    layout->pane[PANE_LOWER].label_row = row + 1 + body - rows;
    layout->pane[PANE_LOWER].row = row + 2 + body - rows;
    layout->pane[PANE_LOWER].rows = rows;
}

/* The rows reserved for warnings and advice. With a ballot, which takes many rows, one row. */
static unsigned kept_rows(const struct layout_wish *wish)
{
    if (wish->form > 0 || wish->rows < LAYOUT_WANT_ROWS)
        return 1;
    return wish->rows < CLOCK_FROM_ROWS ? 3 : 5;
}

static void place_rows(struct layout *layout, const struct layout_wish *wish)
{
    unsigned row, body, kept = kept_rows(wish), said = wish->notices + wish->message;
    if (wish->clock && wish->rows >= CLOCK_FROM_ROWS && wish->columns >= CLOCK_COLUMNS)
        layout->clock_rows = CLOCK_ROWS;
    layout->top_row = 0;
    layout->head_row = layout->clock_rows ? layout->clock_rows : 1;
    row = layout->head_row + 1;
    if (wish->entry && wish->rows > LEAST_ROWS) { /* news leave each pane two rows, if they can */
        unsigned spare = wish->rows - LEAST_ROWS;
        spare = spare > PANES ? spare - PANES : 1;
        layout->entry_row = row;
        layout->entry_rows = wish->entry < spare ? wish->entry : spare;
        row += layout->entry_rows;
    }

    layout->keys_row = wish->rows - 1;
    body = layout->keys_row - row - PANES; /* the labels' rows are not part of the body */
    layout->message_rows = take(wish->message, &body);
    layout->form_rows = take(wish->form, &body);
    layout->notice_rows = take(wish->notices + (said < kept ? kept - said : 0), &body);
    layout->message_row = layout->keys_row - layout->message_rows;
    layout->form_row = layout->message_row - layout->form_rows;
    layout->notice_row = layout->form_row - layout->notice_rows;

    place_panes(layout, wish->lower, row, body);
}

void layout_compute(struct layout *layout, const struct layout_wish *wish)
{
    memset(layout, 0, sizeof *layout);
    layout->rows = wish->rows;
    layout->columns = wish->columns;
    layout->need_rows = LAYOUT_WANT_ROWS;
    layout->need_columns = wish->sides == 2 ? two_columns(wish) : side_columns(wish);
    if (wish->rows < LEAST_ROWS || wish->columns < side_columns(wish))
        layout->fit = LAYOUT_NOTHING;
    else if (wish->sides == 2 && wish->columns < two_columns(wish))
        layout->fit = LAYOUT_ONE;
    if (layout->fit == LAYOUT_NOTHING)
        return;
    place_columns(layout, wish);
    place_rows(layout, wish);
}

struct view_room layout_room(const struct layout *layout)
{
    struct view_room room;
    for (unsigned pane = 0; pane < PANES; pane++)
        room.rows[pane] = layout->pane[pane].rows;
    return room;
}
