/* The rows of keys of a page's pane. Bounded: the oldest rows are dropped.
 *
 * * Points are kept as typed, Returns and Tabs included, each with the column after it, so that no
 * new layout is needed when a point is taken back. first, end, start and the rows' numbers count
 * from the beginning of the page; a ring's index is their remainder. */
#ifndef SESSION_PANE_H
#define SESSION_PANE_H

#include "session/page.h"

/* Most code points in a row for each column, marks included. Further marks begin a new row. */
#define ROW_POINTS     4
#define ROW_POINTS_MAX (ROW_POINTS * STYLE_COLUMNS_MAX + 1) /* code points of a row, and a Return */

/* Most blanks that may stand unseen after the end of a row, where rows wrap at words: two, as after
 * a full stop. */
#define ROW_HANGS 2u

/* A row's mark: a bit for its party, and a bit for the first row of a line. */
#define ROW_PARTY 1u
#define ROW_FIRST 2u

struct pane {
    uint32_t point[PAGE_POINTS]; /* code point; from bit COLUMN_SHIFT the column after it */
    uint64_t first, end;
    uint64_t start[PAGE_ROWS]; /* number of each row's first point */
    uint8_t mark[PAGE_ROWS];   /* ROW_... */
    uint64_t row_first, row_end;
};

/* Empties the pane; no row is left. */
void pane_clear(struct pane *pane);
void pane_add_row(struct pane *pane, unsigned mark);
void pane_add_point(struct pane *pane, uint32_t point, unsigned column_after);

/* Adds a point to the last row, or to a new row if it does not fit. If rows wrap at words, the
 * point's word moves to the new row. True if a word moved, so the row before has changed, too. */
bool pane_type(struct pane *pane, const struct style *style, uint32_t point);

/* Takes the last point back, and its row if that is then empty. True if a word moved back to the
 * row before. */
bool pane_take_back(struct pane *pane, const struct style *style);

/* Adds all rows of `from`. */
void pane_add_rows(struct pane *pane, const struct pane *from);

uint32_t pane_point(const struct pane *pane, uint64_t at);
unsigned pane_column_after(const struct pane *pane, uint64_t at);

/* The number of a row's first point; for the row after the last, the pane's end. */
uint64_t pane_row_start(const struct pane *pane, uint64_t row);
unsigned pane_row_mark(const struct pane *pane, uint64_t row);

/* pane_points(): the number of points in the last row. pane_column(): the column of the next point,
 * if it fits in that row. */
uint64_t pane_points(const struct pane *pane);
unsigned pane_column(const struct pane *pane, const struct style *style);

/* The rules of wrapping. For a point at `column` of a row that begins at column `lead` and has
 * `points` points: returns the column after it, or 0 if the point has to begin a new row. After a
 * hanging blank the column lies beyond the style's columns. */
unsigned pane_column_of(const struct style *style, unsigned lead, unsigned column, uint64_t points,
                        uint32_t point);

/* For rows that wrap at words. pane_is_blank(): the point stands between words. pane_is_word(): the
 * point is a word by itself, being wide. Marks belong to the point before them. */
bool pane_is_blank(uint32_t point);
bool pane_is_word(uint32_t point);

/* The number of the first point of the last row's last word, if the point would continue that word;
 * otherwise the pane's end. */
uint64_t pane_word(const struct pane *pane, uint32_t point);

#endif
