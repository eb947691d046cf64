/* A screen's contents as cells: all is drawn here first, and then on the terminal. Pure, so drawing
 * can be tested, and so that only the differences from the frame before are sent. */
#ifndef TERMINAL_FRAME_H
#define TERMINAL_FRAME_H

#include "session/page.h"

/* Larger terminals are used up to the size. */
#define FRAME_ROWS    150
#define FRAME_COLUMNS 400

/* The purpose of a cell; screen.c gives each its looks. None means anything by its colour alone. */
enum role {
    ROLE_TEXT,
    ROLE_WAITING, /* a key without its place */
    ROLE_STRONG,
    ROLE_RULE, /* lines, and words of little weight in them */
    ROLE_BAR,  /* the head of the side typed to; the next three likewise */
    ROLE_BAR_GOOD,
    ROLE_BAR_SOON,
    ROLE_BAR_BAD,
    ROLE_GOOD,
    ROLE_SOON,
    ROLE_BAD,
    ROLE_TIME,
    ROLE_ALARM, /* across the screen: something needs a person */
    ROLE_CALL,  /* across the screen: a steward was called */
    ROLE_BOX,
    ROLE_INK, /* typed text, in the style's colour: STYLE_RED and those after it likewise */
    ROLE_INK_LAST = ROLE_INK + STYLE_COLOURS - 2,
    ROLES
};

/* Sixteen bytes without padding, so rows are compared as memory. */
struct frame_cell {
    uint32_t point;
    uint32_t mark[PAGE_MARKS];
    uint8_t width; /* columns: 1 or 2; 0 for the second half of a wide one */
    uint8_t role;
    uint16_t zero;
};

struct frame {
    unsigned rows, columns;
    bool cursor; /* shown? */
    unsigned cursor_row, cursor_column;
    bool touched[FRAME_ROWS]; /* rows written to since the frame was last painted */
    struct frame_cell cell[FRAME_ROWS * FRAME_COLUMNS];
};

/* Gives it a size, at most FRAME_ROWS by FRAME_COLUMNS, and blanks it. */
void frame_resize(struct frame *frame, unsigned rows, unsigned columns);

/* A row's cells. */
struct frame_cell *frame_row(struct frame *frame, unsigned row);

/* All writing is cut at the frame's edges. Fills width columns with one character. */
void frame_fill(struct frame *frame, unsigned row, unsigned column, unsigned width, uint32_t point,
                enum role role);

/* Writes text of length bytes into at most width columns; bytes of no printable UTF-8 show as '?'.
 * Returns the columns written. */
unsigned frame_text(struct frame *frame, unsigned row, unsigned column, unsigned width,
                    const char *text, size_t length, enum role role);

/* The same for a whole string. */
unsigned frame_string(struct frame *frame, unsigned row, unsigned column, unsigned width,
                      const char *text, enum role role);

/* The columns of frame_string. */
unsigned frame_string_columns(const char *text);

/* Writes a page's row into at most width columns. Returns the columns written. */
unsigned frame_page_row(struct frame *frame, unsigned row, unsigned column, unsigned width,
                        const struct page_row *cells, enum role role);

#endif
