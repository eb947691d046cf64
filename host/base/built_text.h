/* A file the build puts into the program, so nothing need be installed for it. Tables of them are
 * made by tools/texts.sh, and end with a NULL name. */
#ifndef BASE_BUILT_TEXT_H
#define BASE_BUILT_TEXT_H

struct built_text {
    const char *name; /* the file's, or less: see the table's header */
    const char *text; /* the whole file */
};

#endif
