/* A snapshot of a terminal's screen as a judge sees it, and the difference of two snapshots. Pure.
 * Cells that look equal are equal: an unwritten cell is a blank, reverse video exchanges the
 * colours, and a blank has only a background colour. Source: 2004 A6c, "mimic the appearance and
 * behavior of the matching Computer Entity". */
#ifndef VALIDATE_PICTURE_H
#define VALIDATE_PICTURE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PICTURE_CHARS    4 /* code points in a cell: a letter and its combining marks */
#define PICTURE_SIDE_MAX 500
#define PICTURE_DEFAULT  (UINT32_C(1) << 24) /* the default colour of the terminal */
#define PICTURE_TITLE    160
#define PICTURE_CELLS    8 /* differing cells that are kept */

enum picture_look {
    LOOK_BOLD = 1,
    LOOK_UNDERLINE = 2,
    LOOK_ITALIC = 4,
    LOOK_BLINK = 8,
    LOOK_STRIKE = 16
};

struct picture_cell {
    uint32_t chars[PICTURE_CHARS]; /* a shorter cell ends with 0; a blank is a space */
    uint32_t fg, bg;               /* 0xRRGGBB or PICTURE_DEFAULT */
    uint8_t width;                 /* 0: the second half of a wide character */
    uint8_t look;                  /* enum picture_look */
};

struct picture {
    unsigned rows, columns;
    unsigned cursor_row, cursor_column; /* from 0 */
    bool cursor_shown, cursor_blinks;
    uint8_t cursor_shape;
    unsigned bells;            /* number since the start */
    char title[PICTURE_TITLE]; /* UTF-8, truncated if longer */
    struct picture_cell cells[];
};

/* An empty picture; NULL if out of memory, or for a side of 0 or above PICTURE_SIDE_MAX. */
struct picture *picture_create(unsigned rows, unsigned columns);
struct picture *picture_copy(const struct picture *picture);
void picture_destroy(struct picture *picture);

const struct picture_cell *picture_at(const struct picture *picture, unsigned row, unsigned column);

/* Normalises a cell, so that cells of equal looks are equal. reverse: the colours are exchanged;
 * exchanged default colours become two special colours. */
void picture_settle(struct picture_cell *cell, bool reverse);

/* Cells that are not compared: rectangles, bounds included, counted from 0; and single cells. */
#define PICTURE_MASKS 16
struct picture_mask {
    uint8_t *cells;   /* per cell, row by row; not 0: masked. NULL: none. The caller's */
    unsigned columns; /* of `cells` */
    unsigned count;
    struct picture_area {
        unsigned top, left, bottom, right;
    } areas[PICTURE_MASKS];
};

/* Adds "ROW,COLUMN" or "ROW,COLUMN-ROW,COLUMN", counted from 1. BL_USAGE if the text is invalid or
 * there is no room. */
enum bl_status picture_mask_add(struct picture_mask *mask, const char *text, struct bl_diag *diag);
bool picture_masked(const struct picture_mask *mask, unsigned row, unsigned column);

/* The differences of two pictures of the same size. Colours are compared where the text is
 * equal. */
struct picture_difference {
    unsigned text, colours; /* cells */
    bool cursor, title, bells;
    struct picture_place {
        uint16_t row, column;
    } text_at[PICTURE_CELLS], colours_at[PICTURE_CELLS]; /* the first ones */
};

/* True if there is a difference. mask may be NULL. Pictures of different sizes differ in every
 * cell. */
bool picture_compare(const struct picture *a, const struct picture *b,
                     const struct picture_mask *mask, struct picture_difference *difference);

/* True if all unmasked cells have the same text. Faster than picture_compare(). */
bool picture_same_text(const struct picture *a, const struct picture *b,
                       const struct picture_mask *mask);

/* Masks the cells whose text differs; mask->cells must have room for all cells. */
void picture_mask_text(struct picture_mask *mask, const struct picture *a, const struct picture *b);

size_t picture_cell_text(const struct picture_cell *cell, char out[4 * PICTURE_CHARS]);

/* Writes the text of a row in UTF-8, terminated, without trailing blanks; returns its length. */
#define PICTURE_ROW (PICTURE_SIDE_MAX * 4 * PICTURE_CHARS + 1)
size_t picture_row_text(const struct picture *picture, unsigned row, char out[PICTURE_ROW]);

/* Prints two pictures of one size side by side, a line for each row up to the last one with text.
 * The separator is '|'; for a row with a difference '!'. `line` gets one line at a time, without a
 * newline. */
void picture_beside(const struct picture *a, const struct picture *b,
                    const struct picture_mask *mask, void (*line)(void *ctx, const char *text),
                    void *ctx);

#endif
