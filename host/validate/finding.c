#include "base/utf8.h"
#include "validate/validate_private.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* File names, keys and titles come from the program and may have bytes that control a terminal. */
static void text_set(char *out, size_t room, const char *format, va_list args)
{
    vsnprintf(out, room, format, args);
    utf8_plain(out, room, out, strlen(out));
}

void finding_verdict(struct finding *finding, enum verdict verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    finding->verdict = verdict;
    text_set(finding->what, sizeof finding->what, format, args);
    va_end(args);
}

void finding_text(char text[FINDING_TEXT], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_set(text, FINDING_TEXT, format, args);
    va_end(args);
}

void finding_clear(struct finding *finding)
{
    exhibit_free(&finding->exhibits);
    *finding = (struct finding){.check = finding->check,
                                .rule = finding->rule,
                                .broken = finding->broken,
                                .runs = finding->runs,
                                .failed = finding->failed};
}

void finding_evidence(struct finding *finding, const char *format, ...)
{
    size_t used = strlen(finding->evidence), room = sizeof finding->evidence - used;
    char *line = finding->evidence + used;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, room, format, args);
    va_end(args);
    if (n < 0 || (size_t)n + 1 >= room)
        line[0] = '\0'; /* complete lines only */
    else
        strcpy(line + utf8_plain(line, room, line, (size_t)n), "\n");
}

/* The longest form of a character, or of a run of blanks. */
enum { QUOTE_ROOM = sizeof "[18446744073709551615 blanks]" };

size_t quote(char *out, size_t room, const char *text, size_t length)
{
    size_t used = 0, at = 0;
    while (at < length && used + QUOTE_ROOM < room) {
        uint32_t point;
        size_t blanks = 0;
        size_t taken = utf8_decode((const uint8_t *)text + at, length - at, &point);
        while (at + blanks < length && text[at + blanks] == ' ')
            blanks++;
        if (blanks > 1) { /* nobody counts blanks by eye, and HTML shows a run as one */
            taken = blanks;
            used += (size_t)snprintf(out + used, room - used, "[%zu blanks]", blanks);
        } else if (taken && (point == '\n' || point == '\r')) {
            used += (size_t)snprintf(out + used, room - used, point == '\n' ? "\\n" : "\\r");
        } else if (taken && point >= 0x20 && point != 0x7F && !(point >= 0x80 && point < 0xA0)) {
            memcpy(out + used, text + at, taken);
            used += taken;
        } else {
            taken = 1;
            used += (size_t)snprintf(out + used, room - used, "\\x%02x", (unsigned char)text[at]);
        }
        at += taken;
    }
    out[used] = '\0';
    return at;
}

void quote_end(char *out, size_t room, const char *text, size_t length)
{
    const char *from = length > room ? text + length - room : text;
    const char *end = text + length;
    while (quote(out, room, from, (size_t)(end - from)) < (size_t)(end - from))
        do
            from++;
        while (from < end && ((unsigned char)*from & 0xC0) == 0x80); /* the rest of a character */
}

void finding_quote(struct finding *finding, const char *before, const char *text, size_t length,
                   size_t most)
{
    char line[FINDING_TEXT];
    bool cut = length > most;
    quote(line, sizeof line, text, cut ? most : length);
    finding_evidence(finding, "%s\"%s\"%s", before, line, cut ? " ..." : "");
}

void errors_end(const struct validate *v, char out[FINDING_TEXT])
{
    const char *errors = actor_errors(v->entry);
    quote_end(out, FINDING_TEXT, errors, strlen(errors));
}

void finding_errors(struct finding *f, const struct validate *v)
{
    char errors[FINDING_TEXT];
    errors_end(v, errors);
    if (errors[0])
        finding_evidence(f, STANDARD_ERROR "%s\"", errors);
}

/* Messages of languages for a missing file; the text after them varies. */
static const char *const missing_words[] = {"No such file or directory", "No such file",
                                            "No module named",           "Can't locate ",
                                            "cannot open shared object", "FileNotFoundException"};

bool errors_missing_file(const char *quoted, char out[FINDING_TEXT])
{
    const char *said = NULL, *from, *to, *place;
    for (size_t i = 0; i < sizeof missing_words / sizeof missing_words[0] && !said; i++)
        for (const char *at = quoted; (at = strstr(at, missing_words[i])); at++)
            said = at;
    if (!said)
        return false;
    from = said;
    while (from > quoted && !(from - quoted >= 2 && strncmp(from - 2, "\\n", 2) == 0))
        from--;
    to = strstr(said, "\\n");
    if (!to)
        to = said + strcspn(said, "\n"); /* in a finding's evidence: the end of its line */
    if (*to == '\n' && to[-1] == '"')
        to--;
    /* Perl appends the line number of its input. */
    place = strstr(said, " at ");
    if (place && place < to)
        to = place;
    snprintf(out, FINDING_TEXT, "%.*s", (int)(to - from), from);
    return true;
}

void validate_blame(struct validate *v, const char *id, const char *format, ...)
{
    va_list args;
    if (validate_blamed(v, id) || v->blames == BLAMES)
        return;
    struct blame *blame = &v->blame[v->blames];
    bool crash = strcmp(id, CRASH) == 0; /* another program may run by now */
    blame->id = id;
    memcpy(blame->during, crash ? v->ended_in : v->lived, sizeof blame->during);
    if (crash)
        memcpy(blame->errors, v->ended_errors, sizeof blame->errors);
    else if (v->entry)
        errors_end(v, blame->errors);
    va_start(args, format);
    vsnprintf(blame->came, sizeof blame->came, format, args);
    va_end(args);
    v->blames++;
}

const struct blame *validate_blamed(const struct validate *v, const char *id)
{
    for (unsigned i = 0; i < v->blames; i++)
        if (strcmp(v->blame[i].id, id) == 0)
            return &v->blame[i];
    return NULL;
}

uint32_t validate_random(const struct validate *v, unsigned n, uint32_t below)
{
    uint8_t key[crypto_generichash_KEYBYTES] = {0}, hash[crypto_generichash_BYTES];
    uint64_t value;
    const char *id = v->finding->check->id;
    memcpy(key, &v->options->seed, sizeof v->options->seed);
    memcpy(key + sizeof v->options->seed, &n, sizeof n);
    crypto_generichash(hash, sizeof hash, (const uint8_t *)id, strlen(id), key, sizeof key);
    memcpy(&value, hash, sizeof value);
    return below ? (uint32_t)(value % below) : 0;
}
