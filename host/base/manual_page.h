/* The manual pages of file formats and guides, built into the program. */
#ifndef BASE_MANUAL_PAGE_H
#define BASE_MANUAL_PAGE_H

#include "base/built_text.h"

#include <stdio.h>

/* The pages, whose names are such as "boothlink-lpp.5", and whose texts are the man(7) sources in
 * host/share/man. */
extern const struct built_text manual_pages[];

/* Finds a page by its name: lpp, lpp.5, boothlink-lpp, boothlink-lpp.5 and boothlink-lpp(5) all
 * name one page. NULL if there is no such page. */
const struct built_text *manual_page_find(const char *word);

/* Write a page's short name, such as "lpp", or the page's description to `out` and return `out`:
 * for lists of pages. */
#define MANUAL_LINE_MAX 200
const char *manual_page_topic(const struct built_text *page, char out[MANUAL_LINE_MAX]);
const char *manual_page_title(const struct built_text *page, char out[MANUAL_LINE_MAX]);

/* Prints a page as plain text of 80 columns. Supports the man(7) requests that boothlink's pages
 * use. */
void manual_page_print(const struct built_text *page, FILE *out);

#endif
