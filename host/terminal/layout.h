/* The layout of a terminal of a given size. Pure. From the top: the segment and its time; a head
 * for each side; an Entry's acts; the upper pane over the lower; warnings; the ballot; a line of
 * advice; the keys. Warnings and advice have rows kept for them, so the page stays in its place
 * when one comes. */
#ifndef TERMINAL_LAYOUT_H
#define TERMINAL_LAYOUT_H

#include "session/view.h"

#include <limits.h>

#define LAYOUT_WANT_ROWS 24
#define LAYOUT_HALF      UINT_MAX

enum layout_fit {
    LAYOUT_ALL,    /* every side is shown */
    LAYOUT_ONE,    /* two do not fit: the one typed to is shown */
    LAYOUT_NOTHING /* not even one fits: only the needed size is said */
};

/* The parts to be placed. */
struct layout_wish {
    unsigned rows, columns; /* of the terminal */
    unsigned sides;         /* 1 or 2 */
    enum side only;         /* the side to show if two do not fit */
    unsigned page_columns;  /* of each pane, from the style */
    unsigned lower;         /* rows the lower pane wants: LAYOUT_HALF, or 0 for no lower pane */
    bool clock;             /* there is a time to show */
    unsigned entry;         /* lines about the Entry */
    unsigned notices;       /* rows of warnings */
    unsigned form;          /* rows of the ballot */
    unsigned message;       /* rows of advice */
};

struct layout {
    enum layout_fit fit;
    unsigned rows, columns;
    unsigned need_rows, need_columns; /* for every side */
    unsigned clock_rows; /* of the large clock at the top; 0: the time stands in row 0 */
    unsigned top_row;    /* the segment, and the time if not large */
    unsigned head_row;
    unsigned entry_row, entry_rows; /* 0: none */
    struct {
        unsigned label_row, row, rows;
    } pane[PANES]; /* an absent one has no rows */
    struct {
        bool shown;
        unsigned column, width; /* of the side */
        unsigned text_column;   /* of its page */
    } side[SIDES];
    unsigned divider_column; /* between two sides; 0: none */
    unsigned notice_row, notice_rows;
    unsigned form_row, form_rows;
    unsigned message_row, message_rows, keys_row;
};

void layout_compute(struct layout *layout, const struct layout_wish *wish);

/* The room for each page. */
struct view_room layout_room(const struct layout *layout);

#endif
