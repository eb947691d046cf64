#include "session/pane.h"

#define TAB_COLUMNS 8

#define COLUMN_SHIFT 24
#define POINT_MASK   ((1u << COLUMN_SHIFT) - 1)

uint32_t pane_point(const struct pane *pane, uint64_t at)
{
    return pane->point[at % PAGE_POINTS] & POINT_MASK;
}

unsigned pane_column_after(const struct pane *pane, uint64_t at)
{
    return pane->point[at % PAGE_POINTS] >> COLUMN_SHIFT;
}

uint64_t pane_row_start(const struct pane *pane, uint64_t row)
{
    return row < pane->row_end ? pane->start[row % PAGE_ROWS] : pane->end;
}

unsigned pane_row_mark(const struct pane *pane, uint64_t row)
{
    return pane->mark[row % PAGE_ROWS];
}

uint64_t pane_points(const struct pane *pane)
{
    return pane->end - pane_row_start(pane, pane->row_end - 1);
}

static unsigned pane_lead(const struct pane *pane, const struct style *style)
{
    return style_lead(style, (enum party)(pane_row_mark(pane, pane->row_end - 1) & ROW_PARTY));
}

unsigned pane_column(const struct pane *pane, const struct style *style)
{
    return pane_points(pane) ? pane_column_after(pane, pane->end - 1) : pane_lead(pane, style);
}

static void pane_drop_row(struct pane *pane)
{
    pane->row_first++;
    pane->first = pane_row_start(pane, pane->row_first);
}

void pane_add_row(struct pane *pane, unsigned mark)
{
    if (pane->row_end - pane->row_first == PAGE_ROWS)
        pane_drop_row(pane);
    pane->mark[pane->row_end % PAGE_ROWS] = (uint8_t)mark;
    pane->start[pane->row_end++ % PAGE_ROWS] = pane->end;
}

void pane_add_point(struct pane *pane, uint32_t point, unsigned column_after)
{
    while (pane->end - pane->first >= PAGE_POINTS)
        pane_drop_row(pane);
    pane->point[pane->end++ % PAGE_POINTS] = point | column_after << COLUMN_SHIFT;
}

unsigned pane_column_of(const struct style *style, unsigned lead, unsigned column, uint64_t points,
                        uint32_t point)
{
    unsigned width;
    if (points >= (uint64_t)style->columns * ROW_POINTS)
        return 0;
    if (point == KEY_TAB) {
        unsigned stop = lead + ((column - lead) / TAB_COLUMNS + 1) * TAB_COLUMNS;
        if (column >= style->columns)
            return 0;
        return stop < style->columns ? stop : style->columns;
    }
    width = point_width(point);
    if (width == 0)
        return points ? column : column + 1;
    if (style->whole_words && point == ' ')
        return column < style->columns + ROW_HANGS ? column + 1 : 0;
    return column + width <= style->columns ? column + width : 0;
}

bool pane_is_blank(uint32_t point)
{
    return point == ' ' || point == KEY_TAB;
}

bool pane_is_word(uint32_t point)
{
    return point_width(point) == 2;
}

uint64_t pane_word(const struct pane *pane, uint32_t point)
{
    uint64_t start = pane_row_start(pane, pane->row_end - 1), word = pane->end;
    if (pane_is_word(point) || pane_is_blank(point))
        return word;
    for (uint64_t at = pane->end; at > start;) {
        uint32_t before = pane_point(pane, --at);
        if (pane_is_blank(before) || pane_is_word(before))
            return word;
        if (at == start || point_width(before) > 0)
            word = at;
    }
    return word;
}

/* Lays out anew the points from number `at` on, from `column` of a row with `points` points before
 * them. False, without a change: not all points fit. */
static bool lay_out(struct pane *pane, const struct style *style, unsigned lead, uint64_t at,
                    unsigned column, uint64_t points)
{
    unsigned after = column;
    for (uint64_t i = at, n = points; i < pane->end; i++, n++) {
        after = pane_column_of(style, lead, after, n, pane_point(pane, i));
        if (after == 0)
            return false;
    }
    for (uint64_t n = points; at < pane->end; at++, n++) {
        uint32_t point = pane_point(pane, at);
        column = pane_column_of(style, lead, column, n, point);
        pane->point[at % PAGE_POINTS] = point | column << COLUMN_SHIFT;
    }
    return true;
}

bool pane_type(struct pane *pane, const struct style *style, uint32_t point)
{
    unsigned lead = pane_lead(pane, style);
    unsigned after =
        pane_column_of(style, lead, pane_column(pane, style), pane_points(pane), point);
    bool moves = false;
    if (after == 0) {
        uint64_t word = pane->end;
        if (style->whole_words)
            word = pane_word(pane, point);
        if (word == pane_row_start(pane, pane->row_end - 1))
            word = pane->end; /* a word longer than a row is cut */
        moves = word < pane->end;
        pane_add_row(pane, pane_row_mark(pane, pane->row_end - 1) & ROW_PARTY);
        pane->start[(pane->row_end - 1) % PAGE_ROWS] = word;
        lay_out(pane, style, lead, word, lead, 0);
        after = pane_column_of(style, lead, pane_column(pane, style), pane_points(pane), point);
    }
    pane_add_point(pane, point, after);
    return moves;
}

/* Moves the last row's word back to the row before, if the word fits there. */
static bool move_back(struct pane *pane, const struct style *style)
{
    uint64_t row = pane->row_end - 1, start = pane_row_start(pane, row), before;
    if (row == pane->row_first || start <= pane->first || pane_point(pane, start - 1) == KEY_RETURN)
        return false;
    before = pane_row_start(pane, row - 1);
    if (!lay_out(pane, style, pane_lead(pane, style), start, pane_column_after(pane, start - 1),
                 start - before))
        return false;
    pane->row_end--;
    return true;
}

bool pane_take_back(struct pane *pane, const struct style *style)
{
    uint64_t start = pane_row_start(pane, pane->row_end - 1);
    if (pane->end == pane->first)
        return false;
    if (start == pane->end) {
        if (!style->backspace_over_return)
            return false;
        pane->row_end--;
        pane->end--;
        return false;
    }
    pane->end--;
    if (start < pane->end)
        return style->whole_words && move_back(pane, style);
    /* An emptied row is removed, unless a Return or the pane's beginning made it. */
    if (start > pane->first && pane_point(pane, start - 1) != KEY_RETURN)
        pane->row_end--;
    return false;
}

void pane_clear(struct pane *pane)
{
    pane->first = pane->end = 0;
    pane->row_first = pane->row_end = 0;
}

void pane_add_rows(struct pane *pane, const struct pane *from)
{
    for (uint64_t row = from->row_first; row < from->row_end; row++) {
        uint64_t end = pane_row_start(from, row + 1);
        pane_add_row(pane, pane_row_mark(from, row));
        for (uint64_t at = pane_row_start(from, row); at < end; at++)
            pane_add_point(pane, pane_point(from, at), pane_column_after(from, at));
    }
}
