/* Manual pages of file formats and guides, not of commands. The build puts them into the program,
 * so they can be read before an installation. */
#ifndef BASE_MANUAL_PAGE_H
#define BASE_MANUAL_PAGE_H

#include "base/built_text.h"

#include <stdio.h>

/* Named as "boothlink-lpp.5"; man(7) source, from host/share/man. */
extern const struct built_text manual_pages[];

/* Finds a page by lpp, lpp.5, boothlink-lpp, boothlink-lpp.5 or boothlink-lpp(5); NULL if
 * unknown. */
const struct built_text *manual_page_find(const char *word);

/* The short name, "lpp", and the description, for lists. Both write to `out` and return it. */
#define MANUAL_LINE_MAX 200
const char *manual_page_topic(const struct built_text *page, char out[MANUAL_LINE_MAX]);
const char *manual_page_title(const struct built_text *page, char out[MANUAL_LINE_MAX]);

/* Prints a page as plain text of at most 80 columns. Supports only the requests that our pages use;
 * tests/system/help.sh compares the result with a real formatter's. */
void manual_page_print(const struct built_text *page, FILE *out);

#endif
