/* Computes the layout of a screen of a given size. Pure. A screen has, from the top: the segment
 * and the time; a head for each side; the Entry's news; the upper pane and the lower pane;
 * warnings; the ballot; advice; the keys. Some rows are reserved for warnings and advice, so that a
 * short warning does not move the page. */
#ifndef TERMINAL_LAYOUT_H
#define TERMINAL_LAYOUT_H

#include "session/view.h"

#include <limits.h>

#define LAYOUT_WANT_ROWS 24
#define LAYOUT_HALF      UINT_MAX

enum layout_fit {
    LAYOUT_ALL,    /* all sides are shown */
    LAYOUT_ONE,    /* two sides do not fit: only the side `only` is shown */
    LAYOUT_NOTHING /* not even one side fits: only the required size is shown */
};

/* The parts to be shown. */
struct layout_wish {
    unsigned rows, columns; /* the terminal's size */
    unsigned sides;         /* 1 or 2 */
    enum side only;         /* the side to show if two do not fit */
    unsigned page_columns;  /* the columns of each pane, which the style tells */
    unsigned lower;         /* rows for the lower pane; LAYOUT_HALF: half of both panes' rows; 0: no
                             * lower pane */
    bool clock;             /* there is a time to show */
    unsigned entry;         /* lines about the Entry */
    unsigned notices;       /* rows for warnings */
    unsigned form;          /* rows for the ballot */
    unsigned message;       /* rows for advice */
};

struct layout {
    enum layout_fit fit;
    unsigned rows, columns;
    unsigned need_rows, need_columns; /* the size that is required to show all sides */
    unsigned clock_rows;              /* rows of the large clock; 0: the time is in top_row */
    unsigned top_row;                 /* the row of the segment, and of the time if there is no
                                       * large clock */
    unsigned head_row;
    unsigned entry_row, entry_rows; /* 0: none */
    struct {
        unsigned label_row, row, rows;
    } pane[PANES]; /* a missing pane has no rows */
    struct {
        bool shown;
        unsigned column, width; /* the columns of the whole side */
        unsigned text_column;   /* the first column of the page */
    } side[SIDES];
    unsigned divider_column; /* the column between the sides; 0: there is none */
    unsigned notice_row, notice_rows;
    unsigned form_row, form_rows;
    unsigned message_row, message_rows, keys_row;
};

void layout_compute(struct layout *layout, const struct layout_wish *wish);

/* The rows and columns that the layout has for each pane. */
struct view_room layout_room(const struct layout *layout);

#endif
