/* The pages of the manual that are no commands: formats of files, and guides. The build puts them
 * into the program, so that they can be read before anything is installed. */
#ifndef BASE_MANUAL_PAGE_H
#define BASE_MANUAL_PAGE_H

#include <stdio.h>

struct manual_page {
    const char *name; /* "boothlink-lpp.5" */
    const char *text; /* in man(7), as in host/share/man */
};

/* By name; ends with a NULL name. */
extern const struct manual_page manual_pages[];

/* The page that is asked for as lpp, lpp.5, boothlink-lpp, boothlink-lpp.5 or boothlink-lpp(5);
 * NULL if there is none. */
const struct manual_page *manual_page_find(const char *word);

/* Its short name, "lpp"; and what it is about, for lists. Both in out, which is returned. */
#define MANUAL_LINE_MAX 200
const char *manual_page_topic(const struct manual_page *page, char out[MANUAL_LINE_MAX]);
const char *manual_page_title(const struct manual_page *page, char out[MANUAL_LINE_MAX]);

/* Prints it as plain text of at most 80 columns. Knows the requests that our pages use, and no
 * others; tests/system/help.sh compares it with a real formatter. */
void manual_page_print(const struct manual_page *page, FILE *out);

#endif
