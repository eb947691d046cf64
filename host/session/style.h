/* A page style as data: the whole look of a page, the same at both ends of a line, and the same for
 * a human and a program. Source: DESIGN.md, "Page styles"; 1996 spec 1, 2003 r29, 2004 A6c. */
#ifndef SESSION_STYLE_H
#define SESSION_STYLE_H

#include "base/status.h"
#include "session/event.h"

#define STYLE_COLUMNS_MIN 20
#define STYLE_COLUMNS_MAX 120
#define STYLE_LABEL_MAX   24
#define STYLE_PROMPT_MAX  6
#define STYLE_TEXT_MIN    10 /* columns left for typed text */
#define STYLE_COLUMNS_ONE 78 /* one entity met at a time, unless the style says otherwise */
#define STYLE_COLUMNS_TWO 38 /* two sides in a terminal of 80 */

enum style_form {
    STYLE_SPLIT,  /* a pane for each party: 2009 to 2013 */
    STYLE_SCROLL, /* one column; a line goes up when its Return comes: 1996 spec 1 */
    STYLE_WEB,    /* a document of sent messages, and a field to type in: 2003 r29 */
    STYLE_FORMS
};

/* The colour of typed text; STYLE_COLOUR_NONE: the terminal's own. */
enum style_colour {
    STYLE_COLOUR_NONE,
    STYLE_RED,
    STYLE_GREEN,
    STYLE_YELLOW,
    STYLE_BLUE,
    STYLE_MAGENTA,
    STYLE_CYAN,
    STYLE_COLOURS
};

/* A style is zeroed before its fields are set: equal styles are equal as memory. */
struct style {
    uint8_t form;    /* enum style_form */
    uint8_t columns; /* columns of the page, see style_begin */
    bool
        backspace_over_return; /* true: BackSpace may take back the typist's own Return. STYLE_SPLIT
                                * only */
    bool whole_words;          /* a word without room begins the next row; else it is cut */
    bool own_field;            /* STYLE_WEB: unsent text is only on its writer's screen */
    uint8_t colour[PARTIES];   /* enum style_colour */
    char label[PARTIES][STYLE_LABEL_MAX + 1];   /* labels: the same for a human and a program */
    char prompt[PARTIES][STYLE_PROMPT_MAX + 1]; /* before each line: STYLE_SCROLL only */
};

/* The form with its default fields, for a judge with one or two sides. Rows wrap at words; "web"
 * hides the other party's unsent text. */
void style_begin(struct style *style, enum style_form form, unsigned sides);

/* The split style, for two sides. */
void style_default(struct style *style);

/* Reads a style as people write it: "split columns=38 backspace=line wrap=words label.judge=Judge
 * label.entity=Entity colour.judge=green": the form first, every field optional, in any order;
 * values with blanks stand in double quotes. "scroll" also has prompt.judge= and prompt.entity=,
 * "web" fields=own or fields=both. BL_DATA names the field and the right form. */
enum bl_status style_parse(struct style *style, const char *line, unsigned sides,
                           struct bl_diag *diag);

/* Reads a line of style_format's, of the present version or an older one. Without wrap= words are
 * cut, as pages of older versions did; "web" without fields= shows both fields. */
enum bl_status style_read(struct style *style, const char *line, struct bl_diag *diag);

/* True if a session with the recorded style `record` may continue where `wanted` is asked for: they
 * are equal, except that an older version may have cut words, in any number of columns, or shown
 * both fields of "web". */
bool style_was(const struct style *record, const struct style *wanted);

/* Writes a style in the same form, with one spelling for each style, at most STYLE_MAX bytes and a
 * NUL. */
void style_format(const struct style *style, char line[STYLE_MAX + 1]);

/* "split", "scroll" or "web". */
const char *style_name(const struct style *style);

/* The number of Returns in a row at a turn's end; 0 on a page without turns. */
unsigned style_returns(const struct style *style);

/* The text before the first row of a party's line, and the columns before each row. */
#define STYLE_LEAD_MAX (STYLE_LABEL_MAX + 3)
void style_lead_text(const struct style *style, enum party party, char text[STYLE_LEAD_MAX + 1]);
unsigned style_lead(const struct style *style, enum party party);

#endif
