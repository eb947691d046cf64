/* The warnings that a screen shows across its full width: a partner that cannot be reached, a
 * steward called. Pure; words only, so that nothing depends on colour. */
#ifndef TERMINAL_NOTICE_H
#define TERMINAL_NOTICE_H

#include "terminal/frame.h"
#include "terminal/view.h"

#define NOTICES     7
#define NOTICE_TEXT 320

struct notice {
    enum role role;
    char text[NOTICE_TEXT];
};

/* Writes the warnings of the model, the gravest first. Returns their number. */
unsigned notice_list(const struct screen_model *model, const struct view *view,
                     struct notice notice[NOTICES]);

/* Rows that they take when no line is longer than columns. */
unsigned notice_rows(const struct notice *notice, unsigned count, unsigned columns);

/* The part of text that a line of columns takes, cut between words where there is a blank.
 * Returns its bytes; *next is where the next line begins, NULL after the last. */
size_t notice_line(const char *text, unsigned columns, const char **next);

#endif
