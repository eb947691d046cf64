/* The pages of the manual that are no commands: formats of files, and guides. The build puts them
 * into the program, so they can be read before anything is installed. */
#ifndef BASE_MANUAL_PAGE_H
#define BASE_MANUAL_PAGE_H

#include "base/built_text.h"

#include <stdio.h>

/* By name, such as "boothlink-lpp.5"; in man(7), as in host/share/man. */
extern const struct built_text manual_pages[];

/* The page asked for as lpp, lpp.5, boothlink-lpp, boothlink-lpp.5 or boothlink-lpp(5); NULL if
 * there is none. */
const struct built_text *manual_page_find(const char *word);

/* Its short name, "lpp"; and what it is about, for lists. Both in out, which is returned. */
#define MANUAL_LINE_MAX 200
const char *manual_page_topic(const struct built_text *page, char out[MANUAL_LINE_MAX]);
const char *manual_page_title(const struct built_text *page, char out[MANUAL_LINE_MAX]);

/* Prints it as plain text of at most 80 columns. Knows the requests that our pages use, and no
 * others; tests/system/help.sh compares it with a real formatter. */
void manual_page_print(const struct built_text *page, FILE *out);

#endif
