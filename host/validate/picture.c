#include "validate/picture.h"

#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The terminal's own colours, exchanged; different from both. */
#define EXCHANGED_FG (PICTURE_DEFAULT | 1)
#define EXCHANGED_BG (PICTURE_DEFAULT | 2)

static size_t size_of(unsigned rows, unsigned columns)
{
    return sizeof(struct picture) + (size_t)rows * columns * sizeof(struct picture_cell);
}

struct picture *picture_create(unsigned rows, unsigned columns)
{
    struct picture *picture;
    if (!rows || !columns || rows > PICTURE_SIDE_MAX || columns > PICTURE_SIDE_MAX)
        return NULL;
    picture = calloc(1, size_of(rows, columns));
    if (!picture)
        return NULL;
    picture->rows = rows;
    picture->columns = columns;
    picture->cursor_shown = true;
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        picture->cells[i] = (struct picture_cell){
            .chars = {' '}, .fg = PICTURE_DEFAULT, .bg = PICTURE_DEFAULT, .width = 1};
    return picture;
}

struct picture *picture_copy(const struct picture *picture)
{
    size_t size = size_of(picture->rows, picture->columns);
    struct picture *copy = malloc(size);
    if (copy)
        memcpy(copy, picture, size);
    return copy;
}

void picture_destroy(struct picture *picture)
{
    free(picture);
}

const struct picture_cell *picture_at(const struct picture *picture, unsigned row, unsigned column)
{
    return &picture->cells[(size_t)row * picture->columns + column];
}

void picture_settle(struct picture_cell *cell, bool reverse)
{
    if (reverse) {
        uint32_t fg = cell->fg;
        cell->fg = cell->bg == PICTURE_DEFAULT ? EXCHANGED_FG : cell->bg;
        cell->bg = fg == PICTURE_DEFAULT ? EXCHANGED_BG : fg;
    }
    if (!cell->chars[0])
        cell->chars[0] = ' ';
    if (cell->chars[0] == ' ' && !cell->chars[1]) {
        cell->look &= LOOK_UNDERLINE | LOOK_STRIKE;
        if (!cell->look)
            cell->fg = PICTURE_DEFAULT;
    }
}

/* Parses a number from 1, up to the given character. */
static bool number_take(const char **text, char after, unsigned *number)
{
    char *end;
    unsigned long value = strtoul(*text, &end, 10);
    if (**text < '0' || **text > '9' || value < 1 || value > PICTURE_SIDE_MAX || *end != after)
        return false;
    *number = (unsigned)value - 1;
    *text = after ? end + 1 : end;
    return true;
}

enum bl_status picture_mask_add(struct picture_mask *mask, const char *text, struct bl_diag *diag)
{
    struct picture_area area;
    const char *at = text;
    bool one = !strchr(text, '-');
    bool good = number_take(&at, ',', &area.top) && number_take(&at, one ? '\0' : '-', &area.left);
    area.bottom = area.top;
    area.right = area.left;
    if (good && !one)
        good = number_take(&at, ',', &area.bottom) && number_take(&at, '\0', &area.right);
    if (!good || area.bottom < area.top || area.right < area.left)
        return bl_fail(diag, BL_USAGE,
                       "--mask %s: a mask is ROW,COLUMN or ROW,COLUMN-ROW,COLUMN, from 1,1 at the "
                       "top left",
                       text);
    if (mask->count == PICTURE_MASKS)
        return bl_fail(diag, BL_USAGE, "--mask %s: there are at most %d masks", text,
                       PICTURE_MASKS);
    mask->areas[mask->count++] = area;
    return BL_OK;
}

bool picture_masked(const struct picture_mask *mask, unsigned row, unsigned column)
{
    if (mask && mask->cells && mask->cells[(size_t)row * mask->columns + column])
        return true;
    for (unsigned i = 0; mask && i < mask->count; i++) {
        const struct picture_area *area = &mask->areas[i];
        if (row >= area->top && row <= area->bottom && column >= area->left &&
            column <= area->right)
            return true;
    }
    return false;
}

static bool text_equal(const struct picture_cell *a, const struct picture_cell *b)
{
    return a->width == b->width && memcmp(a->chars, b->chars, sizeof a->chars) == 0;
}

static bool colours_equal(const struct picture_cell *a, const struct picture_cell *b)
{
    return a->fg == b->fg && a->bg == b->bg && a->look == b->look;
}

static bool cursor_equal(const struct picture *a, const struct picture *b)
{
    if (!a->cursor_shown && !b->cursor_shown)
        return true;
    return a->cursor_shown == b->cursor_shown && a->cursor_row == b->cursor_row &&
           a->cursor_column == b->cursor_column && a->cursor_shape == b->cursor_shape &&
           a->cursor_blinks == b->cursor_blinks;
}

static void place_keep(struct picture_place *places, unsigned count, unsigned row, unsigned column)
{
    if (count < PICTURE_CELLS)
        places[count] = (struct picture_place){(uint16_t)row, (uint16_t)column};
}

static void cell_compare(const struct picture *a, const struct picture *b, unsigned row,
                         unsigned column, struct picture_difference *difference)
{
    const struct picture_cell *x = picture_at(a, row, column), *y = picture_at(b, row, column);
    if (!text_equal(x, y))
        place_keep(difference->text_at, difference->text++, row, column);
    else if (!colours_equal(x, y))
        place_keep(difference->colours_at, difference->colours++, row, column);
}

bool picture_compare(const struct picture *a, const struct picture *b,
                     const struct picture_mask *mask, struct picture_difference *difference)
{
    *difference = (struct picture_difference){0};
    if (a->rows != b->rows || a->columns != b->columns) {
        difference->text = a->rows * a->columns;
        return true;
    }
    for (unsigned row = 0; row < a->rows; row++) {
        for (unsigned column = 0; column < a->columns; column++) {
            if (!picture_masked(mask, row, column))
                cell_compare(a, b, row, column, difference);
        }
    }
    difference->cursor = !cursor_equal(a, b);
    difference->title = strcmp(a->title, b->title) != 0;
    difference->bells = a->bells != b->bells;
    return difference->text || difference->colours || difference->cursor || difference->title ||
           difference->bells;
}

void picture_mask_text(struct picture_mask *mask, const struct picture *a, const struct picture *b)
{
    for (size_t i = 0; i < (size_t)a->rows * a->columns; i++)
        if (!text_equal(&a->cells[i], &b->cells[i]))
            mask->cells[i] = 1;
}

bool picture_same_text(const struct picture *a, const struct picture *b,
                       const struct picture_mask *mask)
{
    if (a->rows != b->rows || a->columns != b->columns)
        return false;
    for (unsigned row = 0; row < a->rows; row++) {
        for (unsigned column = 0; column < a->columns; column++) {
            if (!text_equal(picture_at(a, row, column), picture_at(b, row, column)) &&
                !picture_masked(mask, row, column))
                return false;
        }
    }
    return true;
}

size_t picture_cell_text(const struct picture_cell *cell, char out[4 * PICTURE_CHARS])
{
    size_t length = 0;
    for (unsigned i = 0; i < PICTURE_CHARS && cell->chars[i]; i++)
        length += utf8_encode(cell->chars[i], (uint8_t *)out + length);
    if (!length)
        out[length++] = ' ';
    return length;
}

static unsigned row_length(const struct picture *picture, unsigned row)
{
    unsigned length = picture->columns;
    while (length > 0 && picture_at(picture, row, length - 1)->chars[0] == ' ')
        length--;
    return length;
}

static size_t row_put(char *out, const struct picture *picture, unsigned row, unsigned columns)
{
    size_t length = 0;
    for (unsigned column = 0; column < columns; column++) {
        const struct picture_cell *cell = picture_at(picture, row, column);
        if (cell->width)
            length += picture_cell_text(cell, out + length);
    }
    return length;
}

size_t picture_row_text(const struct picture *picture, unsigned row, char out[PICTURE_ROW])
{
    size_t length = row_put(out, picture, row, row_length(picture, row));
    out[length] = '\0';
    return length;
}

static bool row_differs(const struct picture *a, const struct picture *b,
                        const struct picture_mask *mask, unsigned row)
{
    for (unsigned column = 0; column < a->columns; column++) {
        const struct picture_cell *x = picture_at(a, row, column), *y = picture_at(b, row, column);
        if (!(text_equal(x, y) && colours_equal(x, y)) && !picture_masked(mask, row, column))
            return true;
    }
    return !cursor_equal(a, b) && (a->cursor_row == row || b->cursor_row == row);
}

void picture_beside(const struct picture *a, const struct picture *b,
                    const struct picture_mask *mask, void (*line)(void *ctx, const char *text),
                    void *ctx)
{
    static char text[2 * PICTURE_SIDE_MAX * 4 * PICTURE_CHARS + 8];
    unsigned width = 20, last = 0;
    if (a->rows != b->rows || a->columns != b->columns)
        return;
    for (unsigned row = 0; row < a->rows; row++) {
        unsigned one = row_length(a, row), other = row_length(b, row);
        if (one > width)
            width = one;
        if (one || other)
            last = row + 1;
    }
    for (unsigned row = 0; row < last; row++) {
        size_t length = row_put(text, a, row, width < a->columns ? width : a->columns);
        length += (size_t)sprintf(text + length, " %c ", row_differs(a, b, mask, row) ? '!' : '|');
        length += row_put(text + length, b, row, row_length(b, row));
        text[length] = '\0';
        line(ctx, text);
    }
}
