#include "session/page.h"

#include <sodium/crypto_shorthash.h>
#include <stdlib.h>
#include <string.h>

#define TAB_COLUMNS 8

/* Points in a row, for each of its columns. More marks than this begin a new row, so that no row
 * costs more than its columns allow, whatever is typed. */
#define ROW_POINTS     4
#define ROW_POINTS_MAX (ROW_POINTS * STYLE_COLUMNS_MAX + 1) /* and its Return */

/* Points are kept as they were typed, Returns and Tabs included, each with the column after it, so
 * that taking one back needs no new layout. first, end and start count for ever; a ring's index is
 * their remainder. */
struct pane {
    uint32_t point[PAGE_POINTS]; /* scalar value, and the column after it from bit COLUMN_SHIFT */
    uint64_t first, end;
    uint64_t start[PAGE_ROWS]; /* of each row, its first point */
    uint64_t row_first, row_end;
    uint64_t changes;
};

#define COLUMN_SHIFT 24
#define POINT_MASK   ((1u << COLUMN_SHIFT) - 1)

struct page {
    struct style style;
    struct pane pane[PARTIES];
};

static uint32_t pane_point(const struct pane *pane, uint64_t at)
{
    return pane->point[at % PAGE_POINTS] & POINT_MASK;
}

static unsigned pane_column_after(const struct pane *pane, uint64_t at)
{
    return pane->point[at % PAGE_POINTS] >> COLUMN_SHIFT;
}

static uint64_t pane_row_start(const struct pane *pane, uint64_t row)
{
    return row < pane->row_end ? pane->start[row % PAGE_ROWS] : pane->end;
}

/* Column where the pane's next key will stand, if it fits there. */
static unsigned pane_column(const struct pane *pane)
{
    bool empty = pane_row_start(pane, pane->row_end - 1) == pane->end;
    return empty ? 0 : pane_column_after(pane, pane->end - 1);
}

static void pane_drop_row(struct pane *pane)
{
    pane->row_first++;
    pane->first = pane_row_start(pane, pane->row_first);
}

static void pane_add_row(struct pane *pane)
{
    if (pane->row_end - pane->row_first == PAGE_ROWS)
        pane_drop_row(pane);
    pane->start[pane->row_end++ % PAGE_ROWS] = pane->end;
}

static void pane_add_point(struct pane *pane, uint32_t point, unsigned column_after)
{
    while (pane->end - pane->first >= PAGE_POINTS)
        pane_drop_row(pane);
    pane->point[pane->end++ % PAGE_POINTS] = point | column_after << COLUMN_SHIFT;
}

/* The rules of wrapping: the column after a point that comes at column of a row that holds points
 * already; 0 if it has to begin a new row. */
static unsigned column_after(const struct style *style, unsigned column, uint64_t points,
                             uint32_t point)
{
    unsigned width;
    if (points >= (uint64_t)style->columns * ROW_POINTS)
        return 0;
    if (point == KEY_TAB) {
        unsigned stop = (column / TAB_COLUMNS + 1) * TAB_COLUMNS;
        if (column >= style->columns)
            return 0;
        return stop < style->columns ? stop : style->columns;
    }
    width = point_width(point);
    if (width == 0)
        return column ? column : 1;
    return column + width <= style->columns ? column + width : 0;
}

static void pane_type(struct pane *pane, const struct style *style, uint32_t point)
{
    uint64_t points = pane->end - pane_row_start(pane, pane->row_end - 1);
    unsigned after = column_after(style, pane_column(pane), points, point);
    if (after == 0) {
        pane_add_row(pane);
        after = column_after(style, 0, 0, point);
    }
    pane_add_point(pane, point, after);
}

static void pane_take_back(struct pane *pane, const struct style *style)
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

static void pane_clear(struct pane *pane)
{
    pane->first = pane->end = 0;
    pane->row_first = pane->row_end = 0;
    pane->changes += 2;
    pane_add_row(pane);
}

struct page *page_create(const struct style *style)
{
    struct page *page = malloc(sizeof *page);
    if (!page)
        return NULL;
    for (enum party party = 0; party < PARTIES; party++)
        page->pane[party].changes = 0;
    page_begin(page, style);
    return page;
}

void page_destroy(struct page *page)
{
    free(page);
}

void page_begin(struct page *page, const struct style *style)
{
    page->style = *style;
    page_clear(page);
}

void page_clear(struct page *page)
{
    for (enum party party = 0; party < PARTIES; party++)
        pane_clear(&page->pane[party]);
}

void page_apply(struct page *page, const struct key_event *event)
{
    struct pane *pane;
    if (event->party >= PARTIES || !key_is_key(event->point))
        return;
    pane = &page->pane[event->party];
    pane->changes++;
    if (event->point == KEY_BACKSPACE) {
        pane_take_back(pane, &page->style);
    } else if (event->point == KEY_RETURN) {
        pane_add_point(pane, KEY_RETURN, 0);
        pane_add_row(pane);
    } else {
        pane_type(pane, &page->style, event->point);
    }
}

const struct style *page_style(const struct page *page)
{
    return &page->style;
}

unsigned page_rows(const struct page *page, enum party party)
{
    const struct pane *pane = &page->pane[party];
    return (unsigned)(pane->row_end - pane->row_first);
}

uint64_t page_dropped(const struct page *page, enum party party)
{
    return page->pane[party].row_first;
}

uint64_t page_changes(const struct page *page, enum party party)
{
    return page->pane[party].changes;
}

static void row_add_cell(struct page_row *row, uint32_t point, unsigned width)
{
    if (row->cells < STYLE_COLUMNS_MAX)
        row->cell[row->cells++] = (struct page_cell){.point = point, .width = (uint8_t)width};
}

static void row_add_mark(struct page_row *row, uint32_t point)
{
    struct page_cell *cell = &row->cell[row->cells - 1];
    for (unsigned i = 0; i < PAGE_MARKS; i++) {
        if (cell->mark[i] == 0) {
            cell->mark[i] = point;
            break;
        }
    }
}

/* Adds what a point shows when the column goes from before to after. */
static void row_add(struct page_row *row, uint32_t point, unsigned before, unsigned after)
{
    row->columns = after;
    if (point == KEY_TAB) {
        for (unsigned column = before; column < after; column++)
            row_add_cell(row, ' ', 1);
    } else if (before == after) {
        /* A mark on the cell before. In a preview that may be one that is placed: there the mark
         * shows when it is placed too. */
        if (row->cells > 0)
            row_add_mark(row, point);
    } else if (before == 0 && point_width(point) == 0) {
        row_add_cell(row, PAGE_BASE, 1);
        row_add_mark(row, point);
    } else {
        row_add_cell(row, point, after - before);
    }
}

void page_row(const struct page *page, enum party party, unsigned row, struct page_row *out)
{
    const struct pane *pane = &page->pane[party];
    uint64_t number = pane->row_first + row;
    uint64_t end = pane_row_start(pane, number + 1);
    unsigned column = 0;
    out->cells = 0;
    out->columns = 0;
    for (uint64_t at = pane_row_start(pane, number); at < end; at++) {
        uint32_t point = pane_point(pane, at);
        if (point == KEY_RETURN)
            break;
        row_add(out, point, column, pane_column_after(pane, at));
        column = pane_column_after(pane, at);
    }
}

/* One step of the chain: the hash of the hash so far and of the bytes that follow. */
static void digest_step(uint8_t digest[DIGEST_SIZE], uint8_t *bytes, size_t length)
{
    static const uint8_t
        key[crypto_shorthash_KEYBYTES]; /* no secret: it finds faults, not forgers */
    memcpy(bytes, digest, DIGEST_SIZE);
    crypto_shorthash(digest, bytes, length, key);
}

void page_digest(const struct page *page, uint8_t digest[DIGEST_SIZE])
{
    uint8_t bytes[DIGEST_SIZE + 4 * ROW_POINTS_MAX + STYLE_MAX + 1];
    char style[STYLE_MAX + 1];
    size_t length = DIGEST_SIZE;
    memset(digest, 0, DIGEST_SIZE);
    style_format(&page->style, style);
    memcpy(bytes + length, style, strlen(style));
    digest_step(digest, bytes, length + strlen(style));
    for (enum party party = 0; party < PARTIES; party++) {
        const struct pane *pane = &page->pane[party];
        for (uint64_t row = pane->row_first; row < pane->row_end; row++) {
            uint64_t end = pane_row_start(pane, row + 1);
            length = DIGEST_SIZE;
            for (uint64_t at = pane_row_start(pane, row); at < end; at++) {
                uint32_t point = pane_point(pane, at);
                bytes[length++] = (uint8_t)point;
                bytes[length++] = (uint8_t)(point >> 8);
                bytes[length++] = (uint8_t)(point >> 16);
                bytes[length++] = party;
            }
            digest_step(digest, bytes, length);
        }
    }
}

/* Which of the waiting keys will stand: those that no later BackSpace takes back. Returns the
 * number of BackSpaces that go on into what is placed. */
static size_t preview_standing(const struct style *style, const uint32_t *points, size_t count,
                               bool standing[PAGE_PREVIEW])
{
    size_t back = 0;
    for (size_t i = count; i-- > 0;) {
        standing[i] = false;
        if (points[i] == KEY_BACKSPACE) {
            back++;
        } else if (points[i] == KEY_RETURN && !style->backspace_over_return) {
            back = 0;
            standing[i] = true;
        } else if (back > 0) {
            back--;
        } else {
            standing[i] = key_is_key(points[i]);
        }
    }
    return back;
}

/* A layout in the making, of which only some rows are wanted. */
struct preview {
    const struct style *style;
    unsigned column, row;
    uint64_t points; /* in this row */
    unsigned first, room;
    struct page_row *out;
};

static void preview_row(struct preview *preview)
{
    if (preview->row >= preview->first && preview->row - preview->first < preview->room) {
        struct page_row *row = &preview->out[preview->row - preview->first];
        row->cells = 0;
        row->columns = preview->column;
    }
}

static void preview_next_row(struct preview *preview)
{
    preview->row++;
    preview->column = 0;
    preview->points = 0;
    preview_row(preview);
}

static void preview_add(struct preview *preview, uint32_t point)
{
    unsigned after;
    if (point == KEY_RETURN) {
        preview_next_row(preview);
        return;
    }
    after = column_after(preview->style, preview->column, preview->points, point);
    if (after == 0) {
        preview_next_row(preview);
        after = column_after(preview->style, 0, 0, point);
    }
    if (preview->row >= preview->first && preview->row - preview->first < preview->room)
        row_add(&preview->out[preview->row - preview->first], point, preview->column, after);
    preview->column = after;
    preview->points++;
}

unsigned page_preview(const struct page *page, enum party party, const uint32_t *points,
                      size_t count, unsigned first, struct page_row *out, unsigned room)
{
    const struct pane *pane = &page->pane[party];
    bool standing[PAGE_PREVIEW];
    struct preview preview = {.style = &page->style,
                              .column = pane_column(pane),
                              .points = pane->end - pane_row_start(pane, pane->row_end - 1),
                              .first = first,
                              .room = room,
                              .out = out};
    size_t back;
    if (count > PAGE_PREVIEW)
        count = PAGE_PREVIEW;
    back = preview_standing(&page->style, points, count, standing);
    preview_row(&preview);
    while (back-- > 0)
        preview_add(&preview, PAGE_TAKES_BACK);
    for (size_t i = 0; i < count; i++) {
        if (standing[i])
            preview_add(&preview, points[i]);
    }
    return preview.row + 1;
}
