/* A page, as shown by both terminals of a line. A page is a function of the ordered key events and
 * of its style, and of nothing else, so equal events give equal pages. Pure; bounded: the oldest
 * rows go when a pane holds PAGE_ROWS or PAGE_POINTS, alike at both ends.
 *
 * A page has one pane or two. In the split style each party types in its own. In the scroll style
 * there is one: above, the lines ended by a Return, in the order of their Returns; below, the line
 * the entity is at, then the judge's. The party just given the turn, by the style's number of
 * Returns, has an empty line there; the judge's prompt comes again when the entity has ended a
 * line. In the web style the upper pane has the messages sent; a Return sends, and nothing empty is
 * sent. The lower pane has a field for each party, the entity's first. If the style says so, a
 * screen has its own party's field alone.
 *
 * Rows wrap at words: a word that does not fit begins the next row, also one that is still typed,
 * and goes back when BackSpace has made it fit again. Words are the text between blanks, and each
 * wide character; one longer than a row is cut. Up to two blanks after a full row stand beyond its
 * end, unseen. By an older style rows wrap at letters: then a character begins the next row where
 * it does not fit, a blank too. A wide one never stands across two rows. A Tab goes to the next
 * multiple of 8 columns after the label or prompt, or to the end of the row. A mark joins the cell
 * before and never wraps; PAGE_BASE is under a mark at the start of a row. BackSpace takes back the
 * party's last key (a mark is a key), never a Return unless the style says so, and never the other
 * party's. Code points of no key are ignored. Source: DESIGN.md, "Page styles"; 1996 spec 1a to
 * 1d. */
#ifndef SESSION_PAGE_H
#define SESSION_PAGE_H

#include "session/style.h"

#define PAGE_ROWS   4096    /* rows a pane remembers, for scrolling back */
#define PAGE_POINTS 65536   /* remembered code points */
#define PAGE_MARKS  2       /* combining marks a cell shows; more are remembered */
#define PAGE_BASE   0x25CCu /* dotted circle: the base of a mark behind nothing */
#define DIGEST_SIZE 8

struct page_cell {
    uint32_t point;            /* the character, never a control */
    uint32_t mark[PAGE_MARKS]; /* 0 if none */
    uint8_t width;             /* columns: 1 or 2 */
};

struct page_row {
    struct page_cell cell[STYLE_COLUMNS_MAX];
    unsigned cells;
    unsigned columns; /* taken by the cells */
    enum party party; /* the party of its keys */
};

/* In the split style a pane has the number of its party. */
enum page_pane { PANE_LOWER = PARTY_JUDGE, PANE_UPPER = PARTY_ENTITY, PANES = 2 };

struct page;

/* NULL: no memory. Nothing is allocated afterwards. */
struct page *page_create(const struct style *style);
void page_destroy(struct page *page);
/* Empties the page, and gives it a style, in place: a screen may still draw it. */
void page_begin(struct page *page, const struct style *style);
void page_clear(struct page *page);

/* Applies the next event of the order. */
void page_apply(struct page *page, const struct key_event *event);

const struct style *page_style(const struct page *page);

/* True if the page has the style that style_read() reads from `line`. */
bool page_has_style(const struct page *page, const char *line);

/* True if the page has the pane; every page has the upper one. */
bool page_has(const struct page *page, unsigned pane);

/* A pane's heading, for the line above the pane. */
const char *page_head(const struct page *page, unsigned pane);

/* Rows of a pane, at least 1; of one the page does not have, 0. A key stands in the last row of its
 * party's line, or begins another, with its word, if it does not fit there: a row wraps when the
 * next key comes, not when it is full. */
unsigned page_rows(const struct page *page, unsigned pane);

/* The rows of a pane on a party's screen. */
struct page_part {
    unsigned first, rows;
};
struct page_part page_part(const struct page *page, unsigned pane, enum party viewer);

/* The place of a party's next key. */
struct page_place {
    enum page_pane pane;
    unsigned row;
    bool shown; /* false: the row is not there yet; it will be put before the row of this number */
};
struct page_place page_place(const struct page *page, enum party party);

/* The number of rows dropped because the pane was full. page_dropped + row is a row's number for
 * good once its line is ended. */
uint64_t page_dropped(const struct page *page, unsigned pane);

/* Counts the changes of a pane, from any beginning: one more for each key, several more when the
 * page was emptied or more than one row changed. Between two counts differing by one, with the same
 * rows and none dropped, no row but the last has changed. */
uint64_t page_changes(const struct page *page, unsigned pane);

/* page_rows(), page_dropped() and page_changes() of all panes. */
struct page_extent {
    unsigned rows;
    uint64_t dropped, changes;
};
void page_extents(const struct page *page, struct page_extent extent[PANES]);

/* Row number row, from 0; an empty row beyond the last. The last row's columns say where the cursor
 * stands: after its last column when it is full. */
void page_row(const struct page *page, unsigned pane, unsigned row, struct page_row *out);

/* SipHash-2-4 of the style, of all rows kept and of the turn. */
void page_digest(const struct page *page, uint8_t digest[DIGEST_SIZE]);

/* Lays out a party's keys that wait for their positions, as if they followed its placed text. Row 0
 * continues the row of page_place(), if that is shown: its cells are those of the waiting keys
 * alone, its columns count from the pane's first as ever. Returns the number of rows from row 0 on,
 * at least 1, and writes those of [first, first + room) that exist. A BackSpace into placed text is
 * shown as PAGE_TAKES_BACK; a mark on placed text is not shown. Keys beyond PAGE_PREVIEW are left
 * out. */
#define PAGE_PREVIEW    1024
#define PAGE_TAKES_BACK 0x2190u /* an arrow to the left */
unsigned page_preview(const struct page *page, enum party party, const uint32_t *points,
                      size_t count, unsigned first, struct page_row *out, unsigned room);

/* True if the message that the party is typing, placed or among the keys waiting for their place,
 * has `most` characters: BackSpace and Return alone are left. A message ends with a Return; a
 * character is every key that a BackSpace would take back. most 0: no limit. */
bool page_message_is_full(const struct page *page, enum party party, const uint32_t *waiting,
                          size_t count, size_t most);

/* The party of the latest Return, and the time of its placing by the judge's clock. False: no
 * Return. */
bool page_returned(const struct page *page, enum party *party, uint64_t *posted_us);

/* A code point's columns: 0 (a mark), 1 or 2. From our own table (Unicode 14 EastAsianWidth and
 * categories), so both ends agree whatever their C library says. */
unsigned point_width(uint32_t point);

#endif
