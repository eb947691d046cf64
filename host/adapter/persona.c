#include "adapter/persona.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum setting_kind { SETTING_TEXT, SETTING_NUMBER, SETTING_REAL, SETTING_YES };

static const struct setting {
    const char *name;
    enum setting_kind kind;
    size_t offset;
    double least, most, scale;
} settings[] = {
    {"model", SETTING_TEXT, offsetof(struct persona, model), 0, 0, 0},
    {"opening", SETTING_TEXT, offsetof(struct persona, opening), 0, 0, 0},
    {"fallback", SETTING_TEXT, offsetof(struct persona, fallback), 0, 0, 0},
    {"temperature", SETTING_REAL, offsetof(struct persona, temperature), 0, 5, 1},
    {"seed", SETTING_NUMBER, offsetof(struct persona, seed), 0, 2147483647, 1},
    {"max-tokens", SETTING_NUMBER, offsetof(struct persona, max_tokens), 1, 100000, 1},
    {"timeout", SETTING_NUMBER, offsetof(struct persona, timeout_ms), 1, 600, 1000},
    {"retries", SETTING_NUMBER, offsetof(struct persona, retries), 0, 20, 1},
    {"gap", SETTING_NUMBER, offsetof(struct persona, gap_ms), 0, 2000, 1},
    {"stream", SETTING_YES, offsetof(struct persona, stream), 0, 0, 0},
    {"transliterate", SETTING_YES, offsetof(struct persona, transliterate), 0, 0, 0},
};

static enum bl_status setting_take(struct persona *p, const struct setting *s, const char *value,
                                   unsigned line, struct bl_diag *diag)
{
    char *at = (char *)p + s->offset, *rest;
    if (s->kind == SETTING_TEXT) {
        if (strlen(value) >= PERSONA_TEXT_MAX)
            return bl_fail(diag, BL_DATA, "line %u: %s: longer than %d bytes", line, s->name,
                           PERSONA_TEXT_MAX - 1);
        strcpy(at, value);
        return BL_OK;
    }
    if (s->kind == SETTING_YES) {
        if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
            return bl_fail(diag, BL_DATA, "line %u: %s: %.40s: expected yes or no", line, s->name,
                           value);
        *(bool *)at = *value == 'y';
        return BL_OK;
    }
    double number = strtod(value, &rest);
    if (rest == value || *rest || !(number >= s->least && number <= s->most))
        return bl_fail(diag, BL_DATA, "line %u: %s: %.40s: expected a number from %g to %g", line,
                       s->name, value, s->least, s->most);
    if (s->kind == SETTING_REAL)
        memcpy(at, &number, sizeof number);
    else
        *(unsigned *)(void *)at = (unsigned)(number * s->scale);
    return BL_OK;
}

static enum bl_status line_take(struct persona *p, char *line, unsigned number,
                                struct bl_diag *diag)
{
    char *colon = strchr(line, ':');
    if (!*line)
        return BL_OK;
    if (!colon)
        return bl_fail(diag, BL_DATA,
                       "line %u: %.40s: expected NAME: VALUE, or --- before the text", number,
                       line);
    *colon++ = '\0';
    colon += strspn(colon, " \t");
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(settings[i].name, line) == 0)
            return setting_take(p, &settings[i], colon, number, diag);
    return bl_fail(diag, BL_DATA,
                   "line %u: %.40s: there is no such setting; boothlink-entrant(7) lists them",
                   number, line);
}

enum bl_status persona_parse(struct persona *persona, char *text, struct bl_diag *diag)
{
    *persona = (struct persona){.text = text,
                                .temperature = -1,
                                .seed = -1,
                                .max_tokens = 300,
                                .timeout_ms = 30000,
                                .retries = 2,
                                .gap_ms = 90,
                                .stream = true,
                                .transliterate = true};
    if (strncmp(text, "---\n", 4) != 0 && strncmp(text, "---\r\n", 5) != 0)
        return BL_OK;
    unsigned number = 1;
    for (char *line = strchr(text, '\n') + 1, *next; line; line = next) {
        number++;
        next = strchr(line, '\n');
        if (!next)
            break;
        *next++ = '\0';
        line[strcspn(line, "\r")] = '\0';
        if (strcmp(line, "---") == 0) {
            persona->text = next;
            return BL_OK;
        }
        enum bl_status status = line_take(persona, line, number, diag);
        if (status)
            return status;
    }
    return bl_fail(diag, BL_DATA, "line %u: expected --- after the settings", number);
}

void persona_span(char out[PERSONA_SPAN], uint64_t seconds)
{
    bool long_one = seconds >= 120;
    uint64_t count = long_one ? seconds / 60 : seconds;
    snprintf(out, PERSONA_SPAN, "%llu %s%s", (unsigned long long)count,
             long_one ? "minute" : "second", count == 1 ? "" : "s");
}

bool persona_fill(const struct persona *persona, const struct persona_words *words, char *out,
                  size_t room)
{
    const struct {
        const char *name, *value;
    } rows[] = {
        {"{session}", words->session}, {"{now}", words->now}, {"{remaining}", words->remaining}};
    const size_t count = sizeof rows / sizeof rows[0];
    size_t used = 0, i;
    for (const char *at = persona->text; *at;) {
        for (i = 0; i < count && strncmp(at, rows[i].name, strlen(rows[i].name)) != 0; i++)
            ;
        const char *from = i < count ? rows[i].value : at;
        size_t length = i < count ? strlen(from) : 1;
        if (used + length >= room)
            return false;
        memcpy(out + used, from, length);
        used += length;
        at += i < count ? strlen(rows[i].name) : 1;
    }
    out[used] = '\0';
    return true;
}
