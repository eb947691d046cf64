/* A screen's contents as cells. All drawing fills a frame, and the cells that differ from the last
 * frame are sent to the terminal. Pure. */
#ifndef TERMINAL_FRAME_H
#define TERMINAL_FRAME_H

#include "session/page.h"

/* The used rows and columns of a larger terminal. */
#define FRAME_ROWS    150
#define FRAME_COLUMNS 400

/* The purpose of a cell; palette.h has the colours of each role. */
enum role {
    ROLE_TEXT,
    ROLE_WAITING, /* a waiting key: it has no place in the order yet */
    ROLE_STRONG,
    ROLE_RULE, /* horizontal lines, and less important words in them */
    ROLE_BAR,  /* ROLE_BAR to ROLE_BAR_BAD: the head of the side that receives typing */
    ROLE_BAR_GOOD,
    ROLE_BAR_SOON,
    ROLE_BAR_BAD,
    ROLE_GOOD,
    ROLE_SOON,
    ROLE_BAD,
    ROLE_TIME,
    ROLE_ALARM, /* a person has to act; fills the rows of a notice */
    ROLE_CALL,  /* a notice over the whole width: a steward was called */
    ROLE_BOX,
    ROLE_INK, /* from here to ROLE_INK_LAST: typed text in one of the style's colours */
    ROLE_INK_LAST = ROLE_INK + STYLE_COLOURS - 2,
    ROLES
};

/* One cell: sixteen bytes without padding, for memcmp(). */
struct frame_cell {
    uint32_t point;
    uint32_t mark[PAGE_MARKS];
    uint8_t width; /* the character's columns, 1 or 2; 0 in the second cell of a wide character */
    uint8_t role;
    uint16_t zero;
};

struct frame {
    unsigned rows, columns;
    bool cursor; /* the cursor is shown */
    unsigned cursor_row, cursor_column;
    bool touched[FRAME_ROWS]; /* the rows that were written since the frame was last painted */
    struct frame_cell cell[FRAME_ROWS * FRAME_COLUMNS];
};

/* Sets the size, at most FRAME_ROWS by FRAME_COLUMNS, and clears the frame. */
void frame_resize(struct frame *frame, unsigned rows, unsigned columns);

/* The cells of a row. */
struct frame_cell *frame_row(struct frame *frame, unsigned row);

/* Fills `width` columns with one character. This function and those below write nothing beyond the
 * frame's edges. */
void frame_fill(struct frame *frame, unsigned row, unsigned column, unsigned width, uint32_t point,
                enum role role);

/* Writes `length` bytes of text into at most `width` columns. Replaces bytes that are not printable
 * UTF-8 by '?', and omits marks without a width. Returns the columns used. */
unsigned frame_text(struct frame *frame, unsigned row, unsigned column, unsigned width,
                    const char *text, size_t length, enum role role);

unsigned frame_string(struct frame *frame, unsigned row, unsigned column, unsigned width,
                      const char *text, enum role role);

/* The columns that frame_string() uses. */
unsigned frame_string_columns(const char *text);

/* Writes a page's row into at most `width` columns. Returns the columns used. */
unsigned frame_page_row(struct frame *frame, unsigned row, unsigned column, unsigned width,
                        const struct page_row *cells, enum role role);

#endif
