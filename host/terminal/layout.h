/* Computes the layout for a terminal's size. Pure. From the top: segment and time; a head for each
 * side; an Entry's news; the upper pane over the lower; warnings; the ballot; a line of advice; the
 * keys. Rows are reserved for warnings and advice, so the page does not move when one appears. */
#ifndef TERMINAL_LAYOUT_H
#define TERMINAL_LAYOUT_H

#include "session/view.h"

#include <limits.h>

#define LAYOUT_WANT_ROWS 24
#define LAYOUT_HALF      UINT_MAX

enum layout_fit {
    LAYOUT_ALL,    /* all sides are shown */
    LAYOUT_ONE,    /* two do not fit: only the side that receives typing is shown */
    LAYOUT_NOTHING /* not even one fits: only the required size is shown */
};

/* The requested parts. */
struct layout_wish {
    unsigned rows, columns; /* size of the terminal */
    unsigned sides;         /* 1 or 2 */
    enum side only;         /* the side shown if two do not fit */
    unsigned page_columns;  /* columns of each pane, by the style */
    unsigned lower;         /* rows for the lower pane: LAYOUT_HALF, or 0 for none */
    bool clock;             /* there is a time to show */
    unsigned entry;         /* lines about the Entry */
    unsigned notices;       /* rows of warnings */
    unsigned form;          /* rows of the ballot */
    unsigned message;       /* rows of advice */
};

struct layout {
    enum layout_fit fit;
    unsigned rows, columns;
    unsigned need_rows, need_columns; /* required for all sides */
    unsigned clock_rows;              /* rows of the large clock; 0: the time is in row 0 */
    unsigned top_row;                 /* row of the segment, and of a small time */
    unsigned head_row;
    unsigned entry_row, entry_rows; /* 0: none */
    struct {
        unsigned label_row, row, rows;
    } pane[PANES]; /* a missing pane has no rows */
    struct {
        bool shown;
        unsigned column, width; /* columns of the whole side */
        unsigned text_column;   /* first column of the page */
    } side[SIDES];
    unsigned divider_column; /* column between the sides; 0: none */
    unsigned notice_row, notice_rows;
    unsigned form_row, form_rows;
    unsigned message_row, message_rows, keys_row;
};

void layout_compute(struct layout *layout, const struct layout_wish *wish);

/* The space for each page. */
struct view_room layout_room(const struct layout *layout);

#endif
