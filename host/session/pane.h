/* Rows of keys, as a page keeps them: bounded, the oldest rows go. For page.c alone.
 *
 * Points are kept as typed, Returns and Tabs included, each with the column after it, so taking
 * one back needs no new layout. first, end, start and the rows' numbers count for ever; a ring's
 * index is their remainder. */
#ifndef SESSION_PANE_H
#define SESSION_PANE_H

#include "session/page.h"

/* Points in a row, for each of its columns. More marks begin a new row, so no row costs more than
 * its columns allow, whatever is typed. */
#define ROW_POINTS     4
#define ROW_POINTS_MAX (ROW_POINTS * STYLE_COLUMNS_MAX + 1) /* code points of a row, and a Return */

/* Blanks that may stand beyond the end of a row, unseen, where rows wrap at words: two follow a
 * full stop, and no row is to begin with one of them. */
#define ROW_HANGS 2u

/* The party of a row, and a bit for the beginning of its line. */
#define ROW_PARTY 1u
#define ROW_FIRST 2u

struct pane {
    uint32_t point[PAGE_POINTS]; /* scalar value, and the column after it from bit COLUMN_SHIFT */
    uint64_t first, end;
    uint64_t start[PAGE_ROWS]; /* number of the first point of each row */
    uint8_t mark[PAGE_ROWS];   /* ROW_... */
    uint64_t row_first, row_end;
};

/* Empties the pane: it then has no row. */
void pane_clear(struct pane *pane);
void pane_add_row(struct pane *pane, unsigned mark);
void pane_add_point(struct pane *pane, uint32_t point, unsigned column_after);

/* Adds a point to the last row, or to a new row if it does not fit; then its word moves there too,
 * if rows wrap at words. Returns true if a word moved: the row before has changed, too. */
bool pane_type(struct pane *pane, const struct style *style, uint32_t point);

/* Takes the last point back, with a row made by the point alone. Returns true if a word moved back
 * to the row before. */
bool pane_take_back(struct pane *pane, const struct style *style);

/* Adds all rows of `from`. */
void pane_add_rows(struct pane *pane, const struct pane *from);

uint32_t pane_point(const struct pane *pane, uint64_t at);
unsigned pane_column_after(const struct pane *pane, uint64_t at);

/* First point of a row; of the row after the last: the end. */
uint64_t pane_row_start(const struct pane *pane, uint64_t row);
unsigned pane_row_mark(const struct pane *pane, uint64_t row);

/* The number of points in the last row, and the column of the next point if it fits there. */
uint64_t pane_points(const struct pane *pane);
unsigned pane_column(const struct pane *pane, const struct style *style);

/* The rules of wrapping. A point comes at `column` of a row that begins at column `lead` and holds
 * `points` already: returns the next column, or 0 if the point has to begin a new row. After a
 * hanging blank the column lies beyond the style's columns. */
unsigned pane_column_of(const struct style *style, unsigned lead, unsigned column, uint64_t points,
                        uint32_t point);

/* For rows wrapping at words: a blank stands between words; a wide point is a word by itself. Marks
 * belong to the point before them. */
bool pane_is_blank(uint32_t point);
bool pane_is_word(uint32_t point);

/* The beginning of the last row's last word, if the point would continue the word. If the point
 * begins a word or stands between words: the pane's end. */
uint64_t pane_word(const struct pane *pane, uint32_t point);

#endif
