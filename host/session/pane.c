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
    return column + width <= style->columns ? column + width : 0;
}

void pane_type(struct pane *pane, const struct style *style, uint32_t point)
{
    unsigned lead = pane_lead(pane, style);
    unsigned after =
        pane_column_of(style, lead, pane_column(pane, style), pane_points(pane), point);
    if (after == 0) {
        pane_add_row(pane, pane_row_mark(pane, pane->row_end - 1) & ROW_PARTY);
        after = pane_column_of(style, lead, lead, 0, point);
    }
    pane_add_point(pane, point, after);
}

void pane_take_back(struct pane *pane, const struct style *style)
{
    uint64_t start = pane_row_start(pane, pane->row_end - 1);
    if (pane->end == pane->first)
        return;
    if (start == pane->end) {
        /* An empty last row follows a Return. */
        if (!style->backspace_over_return)
            return;
        pane->row_end--;
        pane->end--;
        return;
    }
    pane->end--;
    /* The row goes with its last key, unless a Return or the pane's beginning made it. */
    if (start == pane->end && start > pane->first && pane_point(pane, start - 1) != KEY_RETURN)
        pane->row_end--;
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
