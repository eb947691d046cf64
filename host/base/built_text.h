/* A file that the build puts into the program. tools/texts.sh makes tables of such files; a NULL
 * name ends a table. */
#ifndef BASE_BUILT_TEXT_H
#define BASE_BUILT_TEXT_H

struct built_text {
    const char *name; /* the file's name or a part of it: see the table's header */
    const char *text; /* the whole file */
};

#endif
