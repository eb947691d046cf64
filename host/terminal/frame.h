/* A screen's contents as cells. Everything is drawn here first, so drawing can be tested, and only
 * differences to the last frame are sent to the terminal. Pure. */
#ifndef TERMINAL_FRAME_H
#define TERMINAL_FRAME_H

#include "session/page.h"

/* Of a larger terminal only this part is used. */
#define FRAME_ROWS    150
#define FRAME_COLUMNS 400

/* The purpose of a cell; palette.h has its colours. No role differs only by colour. */
enum role {
    ROLE_TEXT,
    ROLE_WAITING, /* a key that is not placed yet */
    ROLE_STRONG,
    ROLE_RULE, /* lines, and less important words in them */
    ROLE_BAR,  /* the head of the side that receives typing; also the next three */
    ROLE_BAR_GOOD,
    ROLE_BAR_SOON,
    ROLE_BAR_BAD,
    ROLE_GOOD,
    ROLE_SOON,
    ROLE_BAD,
    ROLE_TIME,
    ROLE_ALARM, /* a person has to act; a notice fills its rows with it, a board's text does not */
    ROLE_CALL,  /* over the whole width: a steward was called */
    ROLE_BOX,
    ROLE_INK, /* typed text in the style's colour: STYLE_RED and so on */
    ROLE_INK_LAST = ROLE_INK + STYLE_COLOURS - 2,
    ROLES
};

/* Sixteen bytes without padding, so rows can be compared as memory. */
struct frame_cell {
    uint32_t point;
    uint32_t mark[PAGE_MARKS];
    uint8_t width; /* columns: 1 or 2; 0 for the second half of a wide character */
    uint8_t role;
    uint16_t zero;
};

struct frame {
    unsigned rows, columns;
    bool cursor; /* the cursor is shown */
    unsigned cursor_row, cursor_column;
    bool touched[FRAME_ROWS]; /* rows written since the frame was last painted */
    struct frame_cell cell[FRAME_ROWS * FRAME_COLUMNS];
};

/* Sets the size, at most FRAME_ROWS by FRAME_COLUMNS, and clears the frame. */
void frame_resize(struct frame *frame, unsigned rows, unsigned columns);

/* The cells of a row. */
struct frame_cell *frame_row(struct frame *frame, unsigned row);

/* Fills `width` columns with one character. All writing is clipped at the frame's edges. */
void frame_fill(struct frame *frame, unsigned row, unsigned column, unsigned width, uint32_t point,
                enum role role);

/* Writes `length` bytes of text into at most `width` columns; '?' replaces bytes that are not
 * printable UTF-8. Returns the columns used. */
unsigned frame_text(struct frame *frame, unsigned row, unsigned column, unsigned width,
                    const char *text, size_t length, enum role role);

/* As frame_text(), for a C string. */
unsigned frame_string(struct frame *frame, unsigned row, unsigned column, unsigned width,
                      const char *text, enum role role);

/* The columns that frame_string() uses. */
unsigned frame_string_columns(const char *text);

/* Writes a page's row into at most `width` columns. Returns the columns used. */
unsigned frame_page_row(struct frame *frame, unsigned row, unsigned column, unsigned width,
                        const struct page_row *cells, enum role role);

#endif
