/* A page style as data: everything that decides what a page looks like, the same at both ends of a
 * line. Source: design, "Page styles"; 2004 A6c, 2003 r29. */
#ifndef SESSION_STYLE_H
#define SESSION_STYLE_H

#include "base/status.h"
#include "session/event.h"

#define STYLE_COLUMNS_MIN 20
#define STYLE_COLUMNS_MAX 120
#define STYLE_LABEL_MAX   24

struct style {
    char name[12];              /* "split" */
    uint8_t columns;            /* of each pane, 38 by default: two sides in 80 columns */
    bool backspace_over_return; /* may BackSpace take back one's own Return? */
    char label[PARTIES]
              [STYLE_LABEL_MAX + 1]; /* heads of the panes, the same for a human and a program */
};

/* The split style: the other party above, the judge below. */
void style_default(struct style *style);

/* "split columns=38 backspace=line label.judge=Judge label.entity=Entity", every field optional;
 * values with blanks stand in double quotes. BL_DATA names the field and what would be right. */
enum bl_status style_parse(struct style *style, const char *line, struct bl_diag *diag);

/* Writes it in that form, at most STYLE_MAX bytes and a NUL. */
void style_format(const struct style *style, char line[STYLE_MAX + 1]);

#endif
