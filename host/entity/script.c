#include "entity/script.h"

#include "base/file.h"
#include "base/growing.h"
#include "base/time.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT_SIZE_MAX  (1u << 20) /* bytes of a file */
#define SCRIPT_MS_MAX    3600000u
#define PACE_DEFAULT_MS  100u
#define AWAIT_DEFAULT_MS 30000u

enum step_kind { STEP_KEY, STEP_WAIT, STEP_AWAIT, STEP_BALLOT };

struct step {
    uint32_t kind;
    uint32_t ms; /* STEP_KEY: time since the key before; STEP_WAIT: duration; STEP_AWAIT: silence */
    uint32_t
        other; /* STEP_KEY: code point; STEP_AWAIT: longest wait in ms; STEP_BALLOT: offset of the
                * text */
};

struct script {
    struct step *steps;
    size_t count, room;
    char *texts; /* texts of ballots, each with its NUL */
    size_t texts_length;
    size_t at;
    uint64_t keys;
    uint64_t began_us; /* start of the step at `at`; BL_NEVER before the first call */
    uint64_t typed_us; /* time of the key before; 0: none */
    uint64_t late_us;  /* how late the key before was */
};

/* The parser's state. */
struct parse {
    struct script *script;
    const char *name;
    unsigned line;
    uint32_t pace_ms;
    struct bl_diag *diag;
};

static enum bl_status wrong(const struct parse *parse, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static enum bl_status wrong(const struct parse *parse, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return bl_fail(parse->diag, BL_DATA, "%s:%u: %s", parse->name, parse->line, text);
}

static enum bl_status add_step(const struct parse *parse, uint32_t kind, uint32_t ms,
                               uint32_t other)
{
    struct script *script = parse->script;
    struct step *steps = growing_array(script->steps, script->count, &script->room, sizeof *steps);
    if (!steps)
        return bl_fail(parse->diag, BL_NOMEM, "%s: no memory for the script", parse->name);
    script->steps = steps;
    script->steps[script->count++] = (struct step){kind, ms, other};
    script->keys += kind == STEP_KEY;
    return BL_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Takes the next word of a line, and returns its length; 0: none is left. */
static size_t next_word(const char **at, const char *end, const char **word)
{
    const char *p = *at;
    while (p < end && is_blank(*p))
        p++;
    *word = p;
    while (p < end && !is_blank(*p))
        p++;
    *at = p;
    return (size_t)(p - *word);
}

static bool word_is(const char *word, size_t length, const char *text)
{
    return length == strlen(text) && memcmp(word, text, length) == 0;
}

/* The shown length of a wrong word. */
static int shown(size_t length)
{
    return length > 40 ? 40 : (int)length;
}

static enum bl_status parse_ms(const struct parse *parse, const char *word, size_t length,
                               uint32_t *ms)
{
    uint32_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' || value > SCRIPT_MS_MAX)
            return wrong(parse, "\"%.*s\" is no number of milliseconds: expected 0 to %u",
                         shown(length), word, SCRIPT_MS_MAX);
        value = value * 10 + (uint32_t)(word[i] - '0');
    }
    if (length == 0)
        return wrong(parse, "missing a number of milliseconds, 0 to %u", SCRIPT_MS_MAX);
    if (value > SCRIPT_MS_MAX)
        return wrong(parse, "%.*s ms is too long: expected 0 to %u", shown(length), word,
                     SCRIPT_MS_MAX);
    *ms = value;
    return BL_OK;
}

/* Parses the escape after a backslash. Returns the number of bytes taken; 0: an error, with its
 * message. */
static size_t parse_escape(const struct parse *parse, const char *text, size_t length,
                           uint32_t *point, enum bl_status *status)
{
    static const char letters[] = "nbt\\\"";
    static const uint32_t points[] = {KEY_RETURN, KEY_BACKSPACE, KEY_TAB, '\\', '"'};
    size_t i = 0;
    *point = 0;
    if (length && text[0] != '\0') {
        const char *found = strchr(letters, text[0]);
        if (found) {
            *point = points[found - letters];
            return 1;
        }
    }
    if (length > 2 && text[0] == 'u' && text[1] == '{') {
        for (i = 2; i < length && i < 8; i++) {
            char c = text[i];
            if (c >= '0' && c <= '9')
                *point = *point << 4 | (uint32_t)(c - '0');
            else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
                *point = *point << 4 | (uint32_t)((c | 32) - 'a' + 10);
            else
                break;
        }
        if (i > 2 && i < length && text[i] == '}')
            return i + 1;
    }
    *status = wrong(parse, "\"\\%.*s\" is no escape: expected \\n \\b \\t \\\\ \\\" or \\u{HEX}",
                    length ? 1 : 0, text);
    return 0;
}

static enum bl_status add_key(const struct parse *parse, uint32_t point)
{
    if (!key_is_key(point))
        return wrong(parse, "U+%04X is no key: expected printable Unicode, \\n, \\b or \\t", point);
    return add_step(parse, STEP_KEY, parse->pace_ms, point);
}

static enum bl_status parse_type(const struct parse *parse, const char *text, const char *end)
{
    enum bl_status status = BL_OK;
    bool quoted = false;
    while (text < end && is_blank(*text))
        text++;
    while (end > text && is_blank(end[-1]))
        end--;
    if (text < end && *text == '"') {
        quoted = true;
        text++;
    }
    if (text == end)
        return wrong(parse, quoted ? "missing the closing quote: expected type \"TEXT\""
                                   : "nothing to type: expected type TEXT or type \"TEXT\"");
    while (text < end) {
        uint32_t point;
        size_t taken;
        if (quoted && *text == '"') {
            if (text + 1 != end)
                return wrong(parse, "there is text after the closing quote; "
                                    "a quote inside is written \\\"");
            return BL_OK;
        }
        if (*text == '\\') {
            text++;
            taken = parse_escape(parse, text, (size_t)(end - text), &point, &status);
            if (taken == 0)
                return status;
        } else {
            taken = utf8_decode((const uint8_t *)text, (size_t)(end - text), &point);
            if (taken == 0)
                return wrong(parse, "the byte 0x%02X is no UTF-8; save the file as UTF-8",
                             (unsigned)(unsigned char)*text);
        }
        text += taken;
        status = add_key(parse, point);
        if (status)
            return status;
    }
    return quoted ? wrong(parse, "missing the closing quote: expected type \"TEXT\"") : BL_OK;
}

static enum bl_status parse_key(const struct parse *parse, const char *word, size_t length)
{
    static const struct {
        const char *name;
        uint32_t point;
    } names[] = {
        {"Return", KEY_RETURN}, {"BackSpace", KEY_BACKSPACE}, {"Tab", KEY_TAB}, {"space", ' '}};
    uint32_t point;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (word_is(word, length, names[i].name))
            return add_key(parse, names[i].point);
    }
    if (length && utf8_decode((const uint8_t *)word, length, &point) == length)
        return add_key(parse, point);
    return wrong(parse,
                 "\"%.*s\" is no key: expected Return, BackSpace, Tab, space or one character",
                 shown(length), word);
}

static enum bl_status add_ballot(const struct parse *parse, const char *text, const char *end)
{
    struct script *script = parse->script;
    size_t at = script->texts_length, length;
    char *texts;
    while (text < end && is_blank(*text))
        text++;
    while (end > text && is_blank(end[-1]))
        end--;
    length = (size_t)(end - text);
    if (length == 0 || memchr(text, '\0', length))
        return wrong(parse, "missing a ballot, such as ballot left 60 right 40");
    texts = realloc(script->texts, at + length + 1);
    if (!texts)
        return bl_fail(parse->diag, BL_NOMEM, "%s: no memory for the script", parse->name);
    script->texts = texts;
    memcpy(texts + at, text, length);
    texts[at + length] = '\0';
    script->texts_length += length + 1;
    return add_step(parse, STEP_BALLOT, 0, (uint32_t)at);
}

static enum bl_status parse_line(struct parse *parse, const char *at, const char *end)
{
    const char *verb, *word;
    size_t verb_length = next_word(&at, end, &verb), length;
    uint32_t ms, max = AWAIT_DEFAULT_MS;
    enum bl_status status;

    if (verb_length == 0 || *verb == '#')
        return BL_OK;
    if (word_is(verb, verb_length, "type"))
        return parse_type(parse, at, end);
    if (word_is(verb, verb_length, "ballot"))
        return add_ballot(parse, at, end);

    length = next_word(&at, end, &word);
    if (word_is(verb, verb_length, "key")) {
        status = parse_key(parse, word, length);
    } else if (word_is(verb, verb_length, "pace")) {
        status = parse_ms(parse, word, length, &parse->pace_ms);
    } else if (word_is(verb, verb_length, "wait")) {
        status = parse_ms(parse, word, length, &ms);
        if (!status)
            status = add_step(parse, STEP_WAIT, ms, 0);
    } else if (word_is(verb, verb_length, "await-turn")) {
        status = parse_ms(parse, word, length, &ms);
        length = next_word(&at, end, &word);
        if (!status && length)
            status = parse_ms(parse, word, length, &max);
        if (!status)
            status = add_step(parse, STEP_AWAIT, ms, max);
    } else {
        return wrong(parse,
                     "\"%.*s\" is no command: expected pace, type, wait, await-turn, key or ballot",
                     shown(verb_length), verb);
    }
    length = next_word(&at, end, &word);
    if (!status && length)
        status = wrong(parse, "\"%.*s\" is too much; end the line before it", shown(length), word);
    return status;
}

enum bl_status script_parse(struct script **out, const char *text, size_t length, const char *name,
                            struct bl_diag *diag)
{
    struct script *script = calloc(1, sizeof *script);
    struct parse parse = {.script = script, .name = name, .pace_ms = PACE_DEFAULT_MS, .diag = diag};
    const char *end = text + length;
    if (!script)
        return bl_fail(diag, BL_NOMEM, "%s: no memory for the script", name);
    script->began_us = BL_NEVER;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3; /* the byte order mark that some editors write */
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        enum bl_status status;
        parse.line++;
        if (stop > text && stop[-1] == '\r')
            stop--;
        status = parse_line(&parse, text, stop);
        if (status) {
            script_destroy(script);
            return status;
        }
        text = newline ? newline + 1 : end;
    }
    *out = script;
    return BL_OK;
}

enum bl_status script_load(struct script **out, const char *path, struct bl_diag *diag)
{
    char *text;
    size_t length;
    enum bl_status status = file_read(&text, &length, path, SCRIPT_SIZE_MAX, "a script", diag);
    if (status == BL_OK)
        status = script_parse(out, text, length, path, diag);
    free(text);
    return status;
}

void script_destroy(struct script *script)
{
    if (!script)
        return;
    free(script->steps);
    free(script->texts);
    free(script);
}

uint64_t script_keys(const struct script *script)
{
    return script->keys;
}

void script_skip(struct script *script, uint64_t keys)
{
    while (keys && script->at < script->count)
        keys -= script->steps[script->at++].kind == STEP_KEY;
}

/* The end of the present step; for a key, its due time. */
static uint64_t step_due(const struct script *script, uint64_t other_us)
{
    const struct step *step = &script->steps[script->at];
    uint64_t due = script->began_us, us = step->ms * UINT64_C(1000);
    switch ((enum step_kind)step->kind) {
    case STEP_KEY:
        /* A late timer does not slow the script down. Two keys are at least half the pace apart. */
        us -= script->late_us < us / 2 ? script->late_us : us / 2;
        if (script->typed_us && script->typed_us + us > due)
            due = script->typed_us + us;
        break;
    case STEP_WAIT:
        due += us;
        break;
    case STEP_BALLOT:
        break;
    case STEP_AWAIT:
        due += step->other * UINT64_C(1000);
        if (other_us > script->typed_us && other_us + us < due)
            due = other_us + us;
        break;
    }
    return due;
}

uint64_t script_due(struct script *script, uint64_t now_us, uint64_t other_us)
{
    if (script->began_us == BL_NEVER)
        script->began_us = now_us;
    while (script->at < script->count) {
        uint64_t due = step_due(script, other_us);
        uint32_t kind = script->steps[script->at].kind;
        if (kind == STEP_KEY || kind == STEP_BALLOT || due > now_us)
            return due > now_us ? due : now_us;
        /* The silence may have been complete before the step began. The next step then begins no
         * earlier. */
        if (due > script->began_us)
            script->began_us = due;
        script->at++;
    }
    return BL_NEVER;
}

uint32_t script_key(struct script *script, uint64_t now_us, uint64_t other_us)
{
    if (script_due(script, now_us, other_us) > now_us || script->steps[script->at].kind != STEP_KEY)
        return 0;
    return script->steps[script->at].other;
}

void script_typed(struct script *script, uint64_t now_us)
{
    uint64_t due;
    if (script->at >= script->count || script->steps[script->at].kind != STEP_KEY)
        return;
    due = step_due(script, 0);
    script->late_us = now_us > due ? now_us - due : 0;
    script->typed_us = now_us;
    script->began_us = now_us;
    script->at++;
}

const char *script_ballot(struct script *script, uint64_t now_us, uint64_t other_us)
{
    const struct step *step;
    if (script_due(script, now_us, other_us) > now_us)
        return NULL;
    step = &script->steps[script->at];
    if (step->kind != STEP_BALLOT)
        return NULL;
    script->began_us = now_us;
    script->at++;
    return script->texts + step->other;
}

void script_cut(struct script *script)
{
    bool keys = false;
    for (size_t at = script->at; at < script->count; at++) {
        keys = keys || script->steps[at].kind == STEP_KEY;
        if (script->steps[at].kind != STEP_BALLOT)
            continue;
        if (keys)
            script->at = at;
        return;
    }
}

void script_ballots(const struct script *script, void (*ballot)(void *ctx, const char *text),
                    void *ctx)
{
    for (size_t at = 0; at < script->count; at++)
        if (script->steps[at].kind == STEP_BALLOT)
            ballot(ctx, script->texts + script->steps[at].other);
}

bool script_has_ballot(const struct script *script)
{
    return script->texts_length > 0;
}

bool script_done(const struct script *script)
{
    return script->at >= script->count;
}
