/* The warnings across the full width of a screen: an unreachable partner, a steward called. Pure;
 * words only, so nothing depends on colour. */
#ifndef SESSION_NOTICE_H
#define SESSION_NOTICE_H

#include "session/view.h"

#define NOTICES     7
#define NOTICE_TEXT 320

enum notice_grade {
    NOTICE_SOON,  /* it should pass */
    NOTICE_ALARM, /* something needs a person */
    NOTICE_CALL   /* a steward was called */
};

struct notice {
    enum notice_grade grade;
    char text[NOTICE_TEXT];
};

/* Writes the warnings of the model, the gravest first. Returns their number. */
unsigned notice_list(const struct screen_model *model, const struct view *view,
                     struct notice notice[NOTICES]);

/* The warnings' number of rows, in lines of at most `columns`. */
unsigned notice_rows(const struct notice *notice, unsigned count, unsigned columns);

/* The part of text that fits a line of `columns`, cut at a blank if there is one. Returns its
 * bytes; *next: the beginning of the next line, NULL after the last. */
size_t notice_line(const char *text, unsigned columns, const char **next);

#endif
