#include "session/style.h"

#include "base/utf8.h"
#include "session/page.h"

#include <stdio.h>
#include <string.h>

/* Longest field of a style: its name, '=', quotes and a label. */
#define FIELD_MAX (16 + STYLE_LABEL_MAX)

void style_default(struct style *style)
{
    memset(style, 0, sizeof *style);
    snprintf(style->name, sizeof style->name, "split");
    style->columns = 38;
    snprintf(style->label[PARTY_JUDGE], sizeof style->label[0], "Judge");
    snprintf(style->label[PARTY_ENTITY], sizeof style->label[0], "Entity");
}

/* Cuts the next field off *at into field, without its quotes. False at the end of the line;
 * an overlong or unfinished field sets *bad. */
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

static bool label_is_good(const char *label)
{
    size_t length = strlen(label);
    if (length == 0 || length > STYLE_LABEL_MAX)
        return false;
    for (size_t at = 0; at < length;) {
        uint32_t point;
        size_t taken = utf8_decode((const uint8_t *)label + at, length - at, &point);
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
        return bl_fail(diag, BL_DATA, "style: columns=%s is not a number from %d to %d", value,
                       STYLE_COLUMNS_MIN, STYLE_COLUMNS_MAX);
    style->columns = (uint8_t)columns;
    return BL_OK;
}

static enum bl_status field_parse(struct style *style, const char *field, struct bl_diag *diag)
{
    static const char *const label[PARTIES] = {"label.judge=", "label.entity="};
    for (enum party party = 0; party < PARTIES; party++) {
        size_t length = strlen(label[party]);
        if (strncmp(field, label[party], length) != 0)
            continue;
        if (!label_is_good(field + length))
            return bl_fail(diag, BL_DATA,
                           "style: %s is not one line of 1 to %d bytes of printable UTF-8", field,
                           STYLE_LABEL_MAX);
        snprintf(style->label[party], sizeof style->label[party], "%s", field + length);
        return BL_OK;
    }
    if (strncmp(field, "columns=", 8) == 0)
        return columns_parse(style, field + 8, diag);
    if (strcmp(field, "backspace=line") == 0 || strcmp(field, "backspace=page") == 0) {
        style->backspace_over_return = strcmp(field, "backspace=page") == 0;
        return BL_OK;
    }
    if (strncmp(field, "backspace=", 10) == 0)
        return bl_fail(diag, BL_DATA,
                       "style: %s: it is backspace=line or backspace=page (over a Return)", field);
    return bl_fail(
        diag, BL_DATA,
        "style: there is no field '%s'; fields are columns=, backspace=, label.judge= and "
        "label.entity=",
        field);
}

enum bl_status style_parse(struct style *style, const char *line, struct bl_diag *diag)
{
    char field[FIELD_MAX + 1];
    struct style parsed;
    bool bad = false;
    enum bl_status status = BL_OK;
    style_default(&parsed);
    if (!field_next(&line, field, &bad) || bad || strcmp(field, parsed.name) != 0)
        return bl_fail(diag, BL_DATA,
                       "style: it begins with the name of a style, which is 'split'");
    while (status == BL_OK && field_next(&line, field, &bad)) {
        if (bad)
            return bl_fail(diag, BL_DATA,
                           "style: the field '%s' is too long, or its quote is not closed", field);
        status = field_parse(&parsed, field, diag);
    }
    if (status == BL_OK)
        *style = parsed;
    return status;
}

void style_format(const struct style *style, char line[STYLE_MAX + 1])
{
    const char *quote[PARTIES];
    for (enum party party = 0; party < PARTIES; party++)
        quote[party] = strchr(style->label[party], ' ') ? "\"" : "";
    snprintf(line, STYLE_MAX + 1,
             "%s columns=%u backspace=%s label.judge=%s%s%s label.entity=%s%s%s", style->name,
             style->columns, style->backspace_over_return ? "page" : "line", quote[PARTY_JUDGE],
             style->label[PARTY_JUDGE], quote[PARTY_JUDGE], quote[PARTY_ENTITY],
             style->label[PARTY_ENTITY], quote[PARTY_ENTITY]);
}
