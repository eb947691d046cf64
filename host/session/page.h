/* A page: what both terminals of a line show. It is a function of the ordered key events and of its
 * style, and of nothing else, so equal events give equal pages. Pure; bounded: the oldest rows go
 * when a pane holds PAGE_ROWS, alike at both ends. */
#ifndef SESSION_PAGE_H
#define SESSION_PAGE_H

#include "session/style.h"

#define PAGE_ROWS   4096  /* rows that a pane remembers, for scrolling back */
#define PAGE_POINTS 65536 /* code points that it remembers */
#define PAGE_MARKS  2     /* combining marks that a cell shows */
#define DIGEST_SIZE 8

struct page_cell {
    uint32_t point; /* what stands there, never a control */
    uint32_t mark[PAGE_MARKS]; /* 0 if none */
    uint8_t width;  /* columns: 1 or 2 */
};

struct page_row {
    struct page_cell cell[STYLE_COLUMNS_MAX];
    unsigned cells;
    unsigned columns; /* taken by the cells */
};

struct page;

/* NULL: no memory. Nothing is allocated afterwards. */
struct page *page_create(const struct style *style);
void page_destroy(struct page *page);
void page_clear(struct page *page);

/* Applies the next event of the order. */
void page_apply(struct page *page, const struct key_event *event);

const struct style *page_style(const struct page *page);

/* Rows of a party's pane, at least 1: the last is where its next key will stand. */
unsigned page_rows(const struct page *page, enum party party);

/* Row number row, from 0. The last row's columns say where the cursor stands. */
void page_row(const struct page *page, enum party party, unsigned row, struct page_row *out);

/* SipHash-2-4 of all that the page remembers. */
void page_digest(const struct page *page, uint8_t digest[DIGEST_SIZE]);

/* Lays out text that is not placed, as if it followed the pane's last row, from its column on; for an
 * entity's own keys that wait for their place. Returns the rows written, at most room. */
unsigned page_preview(const struct page *page, enum party party, const uint32_t *points,
                      size_t count, struct page_row *out, unsigned room);

/* Columns that a code point takes: 0 (a mark), 1 or 2. From our own table (Unicode 14
 * EastAsianWidth and categories), so that both ends agree whatever their C library says. */
unsigned point_width(uint32_t point);

#endif
