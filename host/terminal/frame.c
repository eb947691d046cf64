#include "terminal/frame.h"

#include "base/utf8.h"

#include <string.h>

void frame_resize(struct frame *frame, unsigned rows, unsigned columns)
{
    frame->rows = rows < FRAME_ROWS ? rows : FRAME_ROWS;
    frame->columns = columns < FRAME_COLUMNS ? columns : FRAME_COLUMNS;
    frame->cursor = false;
    for (unsigned row = 0; row < frame->rows; row++)
        frame_fill(frame, row, 0, frame->columns, ' ', ROLE_TEXT);
}

struct frame_cell *frame_row(struct frame *frame, unsigned row)
{
    return &frame->cell[row * frame->columns];
}

/* The number of the `width` columns that are inside the frame. */
static unsigned inside(const struct frame *frame, unsigned row, unsigned column, unsigned width)
{
    if (row >= frame->rows || column >= frame->columns)
        return 0;
    return width < frame->columns - column ? width : frame->columns - column;
}

/* Prepares columns for writing. If half of a wide character is overwritten, its other half becomes
 * blank. */
static void touch(struct frame *frame, unsigned row, unsigned column, unsigned width)
{
    struct frame_cell *cell = frame_row(frame, row);
    unsigned end = column + width;
    frame->touched[row] = true;
    if (column > 0 && cell[column].width == 0)
        cell[column - 1] =
            (struct frame_cell){.point = ' ', .width = 1, .role = cell[column - 1].role};
    if (end < frame->columns && cell[end].width == 0)
        cell[end].width = 1;
}

void frame_fill(struct frame *frame, unsigned row, unsigned column, unsigned width, uint32_t point,
                enum role role)
{
    const struct frame_cell blank = {.point = point, .width = 1, .role = (uint8_t)role};
    width = inside(frame, row, column, width);
    if (width)
        touch(frame, row, column, width);
    for (unsigned i = 0; i < width; i++)
        frame_row(frame, row)[column + i] = blank;
}

/* Writes one character and returns its columns; 0: no room. */
static unsigned put(struct frame *frame, unsigned row, unsigned column, unsigned room,
                    const struct page_cell *from, enum role role)
{
    struct frame_cell *cell = frame_row(frame, row) + column;
    if (from->width > room)
        return 0;
    touch(frame, row, column, from->width);
    *cell = (struct frame_cell){.point = from->point, .width = from->width, .role = (uint8_t)role};
    memcpy(cell->mark, from->mark, sizeof cell->mark);
    if (from->width == 2)
        cell[1] = (struct frame_cell){.point = ' ', .width = 0, .role = (uint8_t)role};
    return from->width;
}

unsigned frame_text(struct frame *frame, unsigned row, unsigned column, unsigned width,
                    const char *text, size_t length, enum role role)
{
    unsigned used = 0;
    width = inside(frame, row, column, width);
    for (size_t at = 0; at < length && used < width;) {
        struct page_cell cell = {.point = '?', .width = 1};
        uint32_t point;
        unsigned taken;
        size_t bytes = utf8_decode((const uint8_t *)text + at, length - at, &point);
        at += bytes ? bytes : 1;
        if (bytes && point >= 0x20 && key_is_key(point)) {
            if (point_width(point) == 0)
                continue; /* marks without a cell are left out */
            cell.point = point;
            cell.width = (uint8_t)point_width(point);
        }
        taken = put(frame, row, column + used, width - used, &cell, role);
        if (taken == 0)
            break;
        used += taken;
    }
    return used;
}

unsigned frame_string(struct frame *frame, unsigned row, unsigned column, unsigned width,
                      const char *text, enum role role)
{
    return frame_text(frame, row, column, width, text, strlen(text), role);
}

unsigned frame_string_columns(const char *text)
{
    size_t length = strlen(text);
    unsigned columns = 0;
    for (size_t at = 0; at < length;) {
        uint32_t point;
        size_t bytes = utf8_decode((const uint8_t *)text + at, length - at, &point);
        at += bytes ? bytes : 1;
        columns += bytes && point >= 0x20 && key_is_key(point) ? point_width(point) : 1;
    }
    return columns;
}

unsigned frame_page_row(struct frame *frame, unsigned row, unsigned column, unsigned width,
                        const struct page_row *cells, enum role role)
{
    unsigned used = 0;
    width = inside(frame, row, column, width);
    for (unsigned i = 0; i < cells->cells; i++) {
        unsigned taken = put(frame, row, column + used, width - used, &cells->cell[i], role);
        if (taken == 0)
            break;
        used += taken;
    }
    return used;
}
