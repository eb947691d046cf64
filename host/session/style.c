#include "session/style.h"

#include "base/utf8.h"
#include "session/messages.h"
#include "session/page.h"

#include <stdio.h>
#include <string.h>

/* Most bytes of a style's field: its name, '=', quotes and a label. */
#define FIELD_MAX (16 + STYLE_LABEL_MAX)

static const struct {
    const char *name;
    uint8_t columns_before; /* columns of a recorded line without columns= */
    uint8_t returns;
    const char *label[PARTIES], *prompt[PARTIES];
} forms[STYLE_FORMS] = {
    [STYLE_SPLIT] = {"split", 38, 0, {"Judge", "Entity"}, {"", ""}},
    /* 1996 spec 1b to 1d */
    [STYLE_SCROLL] = {"scroll", 78, 2, {"Judge", "Entity"}, {">", ""}},
    /* 2003 r46: "the conversational partner" */
    [STYLE_WEB] = {"web", 78, 1, {"Judge", "Partner"}, {"", ""}},
};

static const char *const party_names[PARTIES] = {"judge", "entity"};

static const char *const colour_names[STYLE_COLOURS] = {
    "none", "red", "green", "yellow", "blue", "magenta", "cyan",
};

void style_begin(struct style *style, enum style_form form, unsigned sides)
{
    memset(style, 0, sizeof *style);
    style->form = (uint8_t)form;
    style->columns = sides == 1 ? STYLE_COLUMNS_ONE : STYLE_COLUMNS_TWO;
    style->whole_words = true;
    style->own_field = form == STYLE_WEB;
    for (enum party party = 0; party < PARTIES; party++) {
        snprintf(style->label[party], sizeof style->label[0], "%s", forms[form].label[party]);
        snprintf(style->prompt[party], sizeof style->prompt[0], "%s", forms[form].prompt[party]);
    }
}

void style_default(struct style *style)
{
    style_begin(style, STYLE_SPLIT, SIDES);
}

const char *style_name(const struct style *style)
{
    return forms[style->form].name;
}

unsigned style_returns(const struct style *style)
{
    return forms[style->form].returns;
}

static unsigned text_columns(const char *text)
{
    size_t length = strlen(text);
    unsigned columns = 0;
    for (size_t at = 0, taken; at < length; at += taken) {
        uint32_t point;
        taken = utf8_decode((const uint8_t *)text + at, length - at, &point);
        if (taken == 0)
            break;
        columns += point_width(point);
    }
    return columns;
}

void style_lead_text(const struct style *style, enum party party, char text[STYLE_LEAD_MAX + 1])
{
    text[0] = '\0';
    if (style->form == STYLE_SCROLL)
        snprintf(text, STYLE_LEAD_MAX + 1, "%s", style->prompt[party]);
    else if (style->form == STYLE_WEB)
        snprintf(text, STYLE_LEAD_MAX + 1, "%s: ", style->label[party]);
}

unsigned style_lead(const struct style *style, enum party party)
{
    unsigned judge, entity;
    if (style->form == STYLE_SCROLL)
        return text_columns(style->prompt[party]);
    if (style->form != STYLE_WEB)
        return 0;
    /* Both parties' texts begin at the same column. */
    judge = text_columns(style->label[PARTY_JUDGE]);
    entity = text_columns(style->label[PARTY_ENTITY]);
    return (judge > entity ? judge : entity) + 2;
}

/* Takes the next field, without its quotes, and moves *at past it. False at the end of the line.
 * *bad is set by a field that is too long or has no closing quote. */
static bool field_next(const char **at, char field[FIELD_MAX + 1], bool *bad)
{
    bool quoted = false;
    size_t length = 0;
    const char *p = *at + strspn(*at, " ");
    if (!*p)
        return false;
    for (; *p && (quoted || *p != ' '); p++) {
        if (*p == '"') {
            quoted = !quoted;
        } else if (length < FIELD_MAX) {
            field[length++] = *p;
        } else {
            *bad = true;
        }
    }
    field[length] = '\0';
    *at = p;
    *bad = *bad || quoted;
    return true;
}

/* True if the words are printable, without combining marks, and not too long. */
static bool words_are_good(const char *words, size_t most)
{
    size_t length = strlen(words);
    if (length > most)
        return false;
    for (size_t at = 0; at < length;) {
        uint32_t point;
        size_t taken = utf8_decode((const uint8_t *)words + at, length - at, &point);
        if (taken == 0 || point < 0x20 || !key_is_key(point) || point_width(point) == 0)
            return false;
        at += taken;
    }
    return true;
}

static enum bl_status columns_parse(struct style *style, const char *value, struct bl_diag *diag)
{
    unsigned columns = 0;
    size_t digits = strspn(value, "0123456789");
    if (digits >= 1 && digits <= 3 && !value[digits])
        sscanf(value, "%3u", &columns);
    if (columns < STYLE_COLUMNS_MIN || columns > STYLE_COLUMNS_MAX)
        return bl_fail(diag, BL_DATA, say_fail_style_columns_expected_a_number_from, value,
                       STYLE_COLUMNS_MIN, STYLE_COLUMNS_MAX);
    style->columns = (uint8_t)columns;
    return BL_OK;
}

static enum bl_status colour_parse(struct style *style, enum party party, const char *value,
                                   struct bl_diag *diag)
{
    for (unsigned i = 0; i < STYLE_COLOURS; i++) {
        if (strcmp(value, colour_names[i]) == 0) {
            style->colour[party] = (uint8_t)i;
            return BL_OK;
        }
    }
    return bl_fail(diag, BL_DATA, say_fail_style_colour_expected_none_red_green, party_names[party],
                   value);
}

static enum bl_status backspace_parse(struct style *style, const char *value, struct bl_diag *diag)
{
    style->backspace_over_return = strcmp(value, "page") == 0;
    if (!style->backspace_over_return && strcmp(value, "line") != 0)
        return bl_fail(diag, BL_DATA, say_fail_style_backspace_expected_backspace_line_or, value);
    if (style->backspace_over_return && style->form != STYLE_SPLIT)
        return bl_fail(diag, BL_DATA, say_fail_style_backspace_page_a_page_of, style_name(style));
    return BL_OK;
}

static enum bl_status wrap_parse(struct style *style, const char *value, struct bl_diag *diag)
{
    style->whole_words = strcmp(value, "words") == 0;
    if (!style->whole_words && strcmp(value, "letters") != 0)
        return bl_fail(diag, BL_DATA, say_fail_style_wrap_expected_wrap_words_or, value);
    return BL_OK;
}

static enum bl_status fields_shown_parse(struct style *style, const char *value,
                                         struct bl_diag *diag)
{
    style->own_field = strcmp(value, "own") == 0;
    if (!style->own_field && strcmp(value, "both") != 0)
        return bl_fail(diag, BL_DATA, say_fail_style_fields_expected_fields_own_or, value);
    return BL_OK;
}

/* Clears the whole field first, because styles are compared as memory. */
static void set_words(char *field, size_t size, const char *value)
{
    memset(field, 0, size);
    memcpy(field, value, strlen(value));
}

/* Parses a field of a party, such as "label.judge=". *known is set if the field is of this kind. */
static enum bl_status party_field_parse(struct style *style, const char *field, bool *known,
                                        struct bl_diag *diag)
{
    for (enum party party = 0; party < PARTIES; party++) {
        size_t word = strcspn(field, "."), name = strlen(party_names[party]);
        const char *value = field + word + 1 + name + 1;
        if (field[word] != '.' || strncmp(field + word + 1, party_names[party], name) != 0 ||
            field[word + 1 + name] != '=')
            continue;
        *known = true;
        if (word == 6 && strncmp(field, "colour", word) == 0)
            return colour_parse(style, party, value, diag);
        if (word == 5 && strncmp(field, "label", word) == 0) {
            if (!*value || !words_are_good(value, STYLE_LABEL_MAX))
                return bl_fail(diag, BL_DATA, say_fail_style_is_not_one_line_of, field,
                               STYLE_LABEL_MAX);
            set_words(style->label[party], sizeof style->label[party], value);
            return BL_OK;
        }
        if (word == 6 && strncmp(field, "prompt", word) == 0 && style->form == STYLE_SCROLL) {
            if (!words_are_good(value, STYLE_PROMPT_MAX))
                return bl_fail(diag, BL_DATA, say_fail_style_is_not_to_bytes_of, field,
                               STYLE_PROMPT_MAX);
            set_words(style->prompt[party], sizeof style->prompt[party], value);
            return BL_OK;
        }
        *known = false;
    }
    return BL_OK;
}

static enum bl_status field_parse(struct style *style, const char *field, struct bl_diag *diag)
{
    bool known = false;
    enum bl_status status = party_field_parse(style, field, &known, diag);
    if (known || status)
        return status;
    if (strncmp(field, "columns=", 8) == 0)
        return columns_parse(style, field + 8, diag);
    if (strncmp(field, "backspace=", 10) == 0)
        return backspace_parse(style, field + 10, diag);
    if (strncmp(field, "wrap=", 5) == 0)
        return wrap_parse(style, field + 5, diag);
    if (strncmp(field, "fields=", 7) == 0 && style->form == STYLE_WEB)
        return fields_shown_parse(style, field + 7, diag);
    return bl_fail(diag, BL_DATA, say_fail_style_there_is_no_field_the, field, style_name(style),
                   style->form == STYLE_SCROLL ? "prompt.judge=, prompt.entity=, "
                   : style->form == STYLE_WEB  ? "fields=, "
                                               : "");
}

static enum bl_status check_room(const struct style *style, struct bl_diag *diag)
{
    for (enum party party = 0; party < PARTIES; party++) {
        unsigned lead = style_lead(style, party);
        if (lead + STYLE_TEXT_MIN > style->columns)
            return bl_fail(diag, BL_DATA, say_fail_style_columns_leaves_less_than_after,
                           style->columns, STYLE_TEXT_MIN, lead, lead + STYLE_TEXT_MIN);
    }
    return BL_OK;
}

/* Parses the form at the line's beginning, and moves *line past it. */
static bool form_parse(const char **line, enum style_form *form)
{
    char field[FIELD_MAX + 1];
    bool bad = false;
    if (!field_next(line, field, &bad) || bad)
        return false;
    for (*form = 0; *form < STYLE_FORMS; (*form)++) {
        if (strcmp(field, forms[*form].name) == 0)
            return true;
    }
    return false;
}

/* Sets the fields that the line has; others stay. */
static enum bl_status fields_parse(struct style *style, const char *line, struct bl_diag *diag)
{
    char field[FIELD_MAX + 1];
    bool bad = false;
    enum bl_status status = BL_OK;
    while (status == BL_OK && field_next(&line, field, &bad)) {
        if (bad)
            return bl_fail(diag, BL_DATA, say_fail_style_the_field_is_too_long, field);
        status = field_parse(style, field, diag);
    }
    return status == BL_OK ? check_room(style, diag) : status;
}

static enum bl_status no_form(struct bl_diag *diag)
{
    return bl_fail(diag, BL_DATA, say_fail_style_it_begins_with_the_name);
}

enum bl_status style_parse(struct style *style, const char *line, unsigned sides,
                           struct bl_diag *diag)
{
    struct style parsed;
    enum style_form form;
    enum bl_status status;
    if (!form_parse(&line, &form))
        return no_form(diag);
    style_begin(&parsed, form, sides);
    status = fields_parse(&parsed, line, diag);
    if (status == BL_OK)
        *style = parsed;
    return status;
}

enum bl_status style_read(struct style *style, const char *line, struct bl_diag *diag)
{
    struct style parsed;
    enum style_form form;
    enum bl_status status;
    if (!form_parse(&line, &form))
        return no_form(diag);
    style_begin(&parsed, form, SIDES);
    parsed.columns = forms[form].columns_before;
    parsed.whole_words = false;
    parsed.own_field = false;
    status = fields_parse(&parsed, line, diag);
    if (status == BL_OK)
        *style = parsed;
    return status;
}

bool style_was(const struct style *record, const struct style *wanted)
{
    struct style before = *wanted;
    if (!record->whole_words) {
        before.columns = record->columns;
        before.whole_words = false;
    }
    if (!record->own_field)
        before.own_field = false;
    return memcmp(record, &before, sizeof before) == 0;
}

static void add_field(char line[STYLE_MAX + 1], const char *name, enum party party,
                      const char *value)
{
    const char *quote = *value && !strchr(value, ' ') ? "" : "\"";
    size_t at = strlen(line);
    snprintf(line + at, STYLE_MAX + 1 - at, " %s.%s=%s%s%s", name, party_names[party], quote, value,
             quote);
}

void style_format(const struct style *style, char line[STYLE_MAX + 1])
{
    const char *fields = style->own_field ? " fields=own" : "";
    const char *back = style->backspace_over_return ? " backspace=page" : " backspace=line";
    /* Digests of pages include this line, so the line of a style that cuts words must never change.
     * Other styles leave out defaults, because all fields together have no room. */
    if (style->whole_words)
        snprintf(line, STYLE_MAX + 1, "%s columns=%u wrap=words%s%s", style_name(style),
                 style->columns, style->backspace_over_return ? back : "", fields);
    else
        snprintf(line, STYLE_MAX + 1, "%s columns=%u%s%s", style_name(style), style->columns, back,
                 fields);
    for (enum party party = 0; party < PARTIES; party++)
        add_field(line, "label", party, style->label[party]);
    for (enum party party = 0; party < PARTIES; party++) {
        if (style->form == STYLE_SCROLL)
            add_field(line, "prompt", party, style->prompt[party]);
    }
    for (enum party party = 0; party < PARTIES; party++) {
        if (style->colour[party])
            add_field(line, "colour", party, colour_names[style->colour[party]]);
    }
}
