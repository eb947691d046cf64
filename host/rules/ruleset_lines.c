#include "rules/ruleset_lines.h"

#include "rules/rulesets.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LINE_MOST 1024

struct ini_reading {
    const char *at; /* the unread rest */
    int line;
    int section_length, key_length, value_length;
    const char *section, *key, *value;
};

enum bl_status ruleset_find(const struct built_text **found, const char *name, struct bl_diag *diag)
{
    char list[200] = "";
    for (const struct built_text *at = ruleset_texts; at->name; at++) {
        *found = at;
        if (strcmp(at->name, name) == 0)
            return BL_OK;
        if (strlen(list) + strlen(at->name) + 3 < sizeof list) {
            strcat(list, at == ruleset_texts ? "" : ", ");
            strcat(list, at->name);
        }
    }
    *found = NULL;
    return bl_fail(diag, BL_NOINPUT,
                   "there is no ruleset '%.40s': %s, or a file that ends with .ini", name, list);
}

/* The length without trailing blanks. */
static int trimmed(const char *text, size_t length)
{
    while (length && strchr(" \t\r", text[length - 1]))
        length--;
    return (int)length;
}

/* A value ends at a comment: a ; after a blank. */
static size_t value_length(const char *value, size_t length)
{
    for (size_t i = 1; i < length; i++)
        if (value[i] == ';' && strchr(" \t", value[i - 1]))
            return i;
    return length && *value == ';' ? 0 : length;
}

static bool read_field(struct ini_reading *r)
{
    while (*r->at) {
        const char *line = r->at + strspn(r->at, " \t");
        size_t length = strcspn(line, "\n");
        const char *equals = memchr(line, '=', length);
        r->at = line + length + (line[length] == '\n');
        r->line++;
        if (*line == '[' && memchr(line, ']', length)) {
            r->section = line;
            r->section_length = (int)strcspn(line, "]") + 1;
        } else if (length && equals && *line != ';' && *line != '#') {
            r->key = line;
            r->key_length = trimmed(line, (size_t)(equals - line));
            r->value = equals + 1 + strspn(equals + 1, " \t");
            length = (size_t)(line + length - r->value);
            r->value_length = trimmed(r->value, value_length(r->value, length));
            return true;
        }
    }
    return false;
}

static bool same(const char *a, int length, const char *b, int other)
{
    return length == other && memcmp(a, b, (size_t)length) == 0;
}

static bool find_field(const struct ini_reading *field, const char *text, struct ini_reading *found)
{
    *found = (struct ini_reading){.at = text, .section = ""};
    while (read_field(found))
        if (same(found->section, found->section_length, field->section, field->section_length) &&
            same(found->key, found->key_length, field->key, field->key_length))
            return true;
    return false;
}

unsigned ruleset_differences(const char *text, const char *name, const char *other,
                             const char *other_name, void (*tell)(void *ctx, const char *line),
                             void *ctx)
{
    struct ini_reading r = {.at = text, .section = ""}, found;
    char line[LINE_MOST];
    unsigned count = 0;
    while (read_field(&r)) {
        bool there = find_field(&r, other, &found);
        if (there && same(r.value, r.value_length, found.value, found.value_length))
            continue;
        int used =
            snprintf(line, sizeof line, "%.200s:%d: %.*s %.*s = %.*s", name, r.line,
                     r.section_length, r.section, r.key_length, r.key, r.value_length, r.value);
        if (used < LINE_MOST && there)
            snprintf(line + used, sizeof line - (size_t)used, "; in %s: %.*s", other_name,
                     found.value_length, found.value);
        else if (used < LINE_MOST)
            snprintf(line + used, sizeof line - (size_t)used, "; not in %s", other_name);
        tell(ctx, line);
        count++;
    }
    r = (struct ini_reading){.at = other, .section = ""};
    while (read_field(&r)) {
        if (find_field(&r, text, &found))
            continue;
        snprintf(line, sizeof line, "%.200s: no %.*s %.*s; in %s: %.*s", name, r.section_length,
                 r.section, r.key_length, r.key, other_name, r.value_length, r.value);
        tell(ctx, line);
        count++;
    }
    return count;
}
