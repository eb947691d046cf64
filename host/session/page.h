/* A page, as shown by both terminals of a line. A page is a function of the ordered key events and
 * of its style: equal events give equal pages. Pure. A pane that holds PAGE_ROWS or PAGE_POINTS
 * drops its oldest rows.
 *
 * * A page has one pane or two. In the split style each party types in its own pane. The scroll
 * style has one pane: above, the lines that a Return has ended, in the order of their Returns;
 * below, the entity's unended line, then the judge's. A party that has got the turn, by the style's
 * number of Returns, has an empty line there; the judge's prompt comes again when the entity has
 * ended a line. In the web style the upper pane has the sent messages; a Return sends a message
 * unless it is empty. The lower pane has a field for each party, the entity's first. With own_field
 * a screen shows only its own party's field.
 *
 * * Rows wrap at words: a word that does not fit begins the next row, even while it is typed, and
 * moves back when BackSpace has made it fit. Words are the text between blanks, and each wide
 * character; a word longer than a row is cut. Up to two blanks after a full row stand beyond the
 * row's end, unseen. In an older style rows wrap at letters: any character that does not fit begins
 * the next row. A Tab goes to the next multiple of 8 columns after the label or prompt, or to the
 * end of the row. A mark joins the cell before it; at the start of a row it stands on PAGE_BASE.
 * BackSpace takes back the party's last key (a mark is a key), but a Return only if the style says
 * so. Code points that are no keys are ignored. Source: DESIGN.md, "Page styles"; 1996 spec 1a to
 * 1d. */
#ifndef SESSION_PAGE_H
#define SESSION_PAGE_H

#include "session/style.h"

#define PAGE_ROWS   4096    /* most rows of a pane, for scrolling back */
#define PAGE_POINTS 65536   /* most code points of a pane */
#define PAGE_MARKS  2       /* combining marks that a cell shows; a pane remembers more */
#define PAGE_BASE   0x25CCu /* dotted circle: the base of a mark at the start of a row */
#define DIGEST_SIZE 8

struct page_cell {
    uint32_t point;            /* the character, never a control */
    uint32_t mark[PAGE_MARKS]; /* 0: none */
    uint8_t width;             /* columns: 1 or 2 */
};

struct page_row {
    struct page_cell cell[STYLE_COLUMNS_MAX];
    unsigned cells;
    unsigned columns; /* number of columns that the cells take */
    enum party party; /* the party of the row's keys */
};

/* In the split style a pane's number is its party's. */
enum page_pane { PANE_LOWER = PARTY_JUDGE, PANE_UPPER = PARTY_ENTITY, PANES = 2 };

struct page;

/* NULL: no memory. Nothing is allocated afterwards. */
struct page *page_create(const struct style *style);
void page_destroy(struct page *page);
/* Empties the page and sets its style. The page stays at its address. */
void page_begin(struct page *page, const struct style *style);
void page_clear(struct page *page);

/* Applies the next event of the order. */
void page_apply(struct page *page, const struct key_event *event);

const struct style *page_style(const struct page *page);

/* True if the page has the style that style_read() reads from `line`. */
bool page_has_style(const struct page *page, const char *line);

/* True if the page has the pane; every page has the upper pane. */
bool page_has(const struct page *page, unsigned pane);

/* The heading for the line above a pane. */
const char *page_head(const struct page *page, unsigned pane);

/* The number of a pane's rows, at least 1; 0: the page has no such pane. A full row wraps when the
 * next key comes. */
unsigned page_rows(const struct page *page, unsigned pane);

/* The rows of a pane on a party's screen. */
struct page_part {
    unsigned first, rows;
};
struct page_part page_part(const struct page *page, unsigned pane, enum party viewer);

/* The position of a party's next key on the page. */
struct page_place {
    enum page_pane pane;
    unsigned row;
    bool shown; /* false: the row does not exist yet; it will be put before the row of this
                 * number */
};
struct page_place page_place(const struct page *page, enum party party);

/* The number of rows that a full pane has dropped. page_dropped() + row is the lasting number of a
 * row whose line has ended. */
uint64_t page_dropped(const struct page *page, unsigned pane);

/* Counts the changes of a pane, from an arbitrary start: by one for a key, by more when the page
 * was emptied or more than one row changed. If the count has grown by one, with equal rows and none
 * dropped, only the last row has changed. */
uint64_t page_changes(const struct page *page, unsigned pane);

/* Writes page_rows(), page_dropped() and page_changes() of all panes. */
struct page_extent {
    unsigned rows;
    uint64_t dropped, changes;
};
void page_extents(const struct page *page, struct page_extent extent[PANES]);

/* Writes row `row`, from 0; an empty row beyond the last. The last row's columns give the cursor's
 * position. */
void page_row(const struct page *page, unsigned pane, unsigned row, struct page_row *out);

void page_digest(const struct page *page, uint8_t digest[DIGEST_SIZE]);

/* Lays out a party's waiting keys, as if they followed the party's placed text. If the row of
 * page_place() is shown, row 0 continues that row: the cells of row 0 are waiting keys only, and
 * its columns count from the pane's first. Returns the number of rows, at least 1, and writes those
 * of [first, first + room) that exist. A BackSpace into placed text is shown as PAGE_TAKES_BACK; a
 * mark on placed text is not shown. Keys beyond PAGE_PREVIEW are left out. */
#define PAGE_PREVIEW    1024
#define PAGE_TAKES_BACK 0x2190u /* a left arrow */
unsigned page_preview(const struct page *page, enum party party, const uint32_t *points,
                      size_t count, unsigned first, struct page_row *out, unsigned room);

/* True if the party's message, with its waiting keys, has `most` characters, so only BackSpace and
 * Return are left. A message ends with a Return. A character is a key that a BackSpace would take
 * back. most 0: no limit. */
bool page_message_is_full(const struct page *page, enum party party, const uint32_t *waiting,
                          size_t count, size_t most);

/* The party of the latest Return, and the time at which it was placed, by the judge's clock. False:
 * there is no Return. */
bool page_returned(const struct page *page, enum party *party, uint64_t *posted_us);

/* A code point's columns: 0 (a mark), 1 or 2. Our own table (Unicode 14 EastAsianWidth and
 * categories) is independent of the C library, so both ends agree. */
unsigned point_width(uint32_t point);

#endif
