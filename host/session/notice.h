/* The warnings across the full width of a screen, such as about an unreachable partner. Words only,
 * without colour. Pure. */
#ifndef SESSION_NOTICE_H
#define SESSION_NOTICE_H

#include "session/view.h"

#define NOTICES     7
#define NOTICE_TEXT 320

enum notice_grade {
    NOTICE_SOON,  /* will probably pass */
    NOTICE_ALARM, /* a person must act */
    NOTICE_CALL   /* a steward was called */
};

struct notice {
    enum notice_grade grade;
    char text[NOTICE_TEXT];
};

/* Writes the model's warnings, the gravest first. Returns their number. */
unsigned notice_list(const struct screen_model *model, const struct view *view,
                     struct notice notice[NOTICES]);

/* The number of rows that the warnings take, in lines of at most `columns`. */
unsigned notice_rows(const struct notice *notice, unsigned count, unsigned columns);

/* The length in bytes of the text's first line of at most `columns`, cut at a blank if there is
 * one. *next: the beginning of the next line; NULL: that was the last. */
size_t notice_line(const char *text, unsigned columns, const char **next);

#endif
