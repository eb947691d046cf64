/* A page style as data: the look of a page, equal at both ends of a line. Source: DESIGN.md, "Page
 * styles"; 1996 spec 1, 2003 r29, 2004 A6c. */
#ifndef SESSION_STYLE_H
#define SESSION_STYLE_H

#include "base/status.h"
#include "session/event.h"

#define STYLE_COLUMNS_MIN 20
#define STYLE_COLUMNS_MAX 120
#define STYLE_LABEL_MAX   24
#define STYLE_PROMPT_MAX  6
#define STYLE_TEXT_MIN    10 /* least columns for typed text */
#define STYLE_COLUMNS_ONE 78 /* default for a judge with one side */
#define STYLE_COLUMNS_TWO 38 /* default for two sides, in a terminal of 80 columns */

enum style_form {
    STYLE_SPLIT,  /* a pane for each party: 2009 to 2013 */
    STYLE_SCROLL, /* one pane; a line moves up when its Return comes: 1996 spec 1 */
    STYLE_WEB,    /* a pane of sent messages, and fields to type in: 2003 r29 */
    STYLE_FORMS
};

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

/* All bytes are zeroed before the fields are set: equal styles have equal bytes. */
struct style {
    uint8_t form;               /* enum style_form */
    uint8_t columns;            /* number of the page's columns */
    bool backspace_over_return; /* BackSpace may take back the typist's own Return; STYLE_SPLIT
                                * only */
    bool whole_words;           /* a word that does not fit begins the next row; false: it is cut */
    bool own_field;             /* STYLE_WEB: only the writer's screen shows unsent text */
    uint8_t colour[PARTIES];    /* enum style_colour */
    char label[PARTIES][STYLE_LABEL_MAX + 1];   /* the parties' labels */
    char prompt[PARTIES][STYLE_PROMPT_MAX + 1]; /* text before each line; STYLE_SCROLL only */
};

/* Sets a form with its default fields, for a judge with one or two sides. Rows wrap at words; "web"
 * hides the other party's unsent text. */
void style_begin(struct style *style, enum style_form form, unsigned sides);

/* Sets the split style for two sides. */
void style_default(struct style *style);

/* Reads a style as people write it: "split columns=38 backspace=line wrap=words label.judge=Judge
 * label.entity=Entity colour.judge=green". The form comes first; the fields are optional, in any
 * order; values with blanks stand in double quotes. "scroll" also has prompt.judge= and
 * prompt.entity=, "web" fields=own or fields=both. BL_DATA names the field and its right form. */
enum bl_status style_parse(struct style *style, const char *line, unsigned sides,
                           struct bl_diag *diag);

/* Reads a line of style_format(), of this version or an older one. Without wrap= words are cut;
 * "web" without fields= shows both fields. */
enum bl_status style_read(struct style *style, const char *line, struct bl_diag *diag);

/* True if a session recorded with the style `record` may continue although `wanted` is asked for.
 * The styles are equal, except for differences of older versions: cut words, in any number of
 * columns, or both fields of "web" shown. */
bool style_was(const struct style *record, const struct style *wanted);

/* Writes a style for style_read(), with one spelling for each style. */
void style_format(const struct style *style, char line[STYLE_MAX + 1]);

const char *style_name(const struct style *style);

/* The number of successive Returns that end a turn; 0: a page without turns. */
unsigned style_returns(const struct style *style);

/* style_lead_text(): the text before the first row of a party's line. style_lead(): the columns
 * before each row of the line. */
#define STYLE_LEAD_MAX (STYLE_LABEL_MAX + 3)
void style_lead_text(const struct style *style, enum party party, char text[STYLE_LEAD_MAX + 1]);
unsigned style_lead(const struct style *style, enum party party);

#endif
