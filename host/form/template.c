#include "form/template.h"

#include "form/document.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MARK "%%"

/* The end of the placeholder at `at`; NULL if none begins there. */
static const char *placeholder_end(const char *at)
{
    if (strncmp(at, MARK, 2) != 0)
        return NULL;
    const char *end = at + 2;
    while (isupper((unsigned char)*end) || isdigit((unsigned char)*end) || *end == '_')
        end++;
    return end > at + 2 && strncmp(end, MARK, 2) == 0 ? end + 2 : NULL;
}

static bool is_named(const char *at, const char *end, const char *name)
{
    return (size_t)(end - at) == strlen(name) + 4 && memcmp(at + 2, name, strlen(name)) == 0;
}

static enum bl_status name_take(struct template *t, const char *at, const char *end,
                                struct bl_diag *diag)
{
    int number = (int)t->parts - 1;
    if (is_named(at, end, "ANSWER")) {
        if (t->answer >= 0)
            return bl_fail(diag, BL_DATA, "%%%%ANSWER%%%% stands there twice: expected it once");
        t->answer = number;
    } else if (is_named(at, end, "JUDGE") && t->judge < 0) {
        t->judge = number;
    }
    return BL_OK;
}

/* Splits the canonical text at its placeholders. */
static enum bl_status split(struct template *t, struct bl_diag *diag)
{
    char *from = t->canonical, *at = from;
    for (;;) {
        const char *end = *at ? placeholder_end(at) : NULL;
        enum bl_status status;
        if (*at && !end) {
            at++;
            continue;
        }
        if (t->parts == TEMPLATE_PARTS)
            return bl_fail(diag, BL_DATA, "more than %d placeholders", TEMPLATE_PARTS - 1);
        t->part[t->parts++] =
            (struct template_part){.literal = from, .length = (size_t)(at - from)};
        if (!*at)
            break;
        status = name_take(t, at, end, diag);
        if (status)
            return status;
        at = from = t->canonical + (end - t->canonical);
    }
    return t->answer >= 0
               ? BL_OK
               : bl_fail(diag, BL_DATA,
                         "%%%%ANSWER%%%% is missing: it stands where the Entry's words are");
}

enum bl_status template_read(struct template **out, const char *text, struct bl_diag *diag)
{
    struct document *document;
    size_t length = strlen(text);
    bool whole = strcasestr(text, "<html") != NULL;
    enum bl_status status;
    *out = NULL;
    if (length > TEMPLATE_MAX)
        return bl_fail(diag, BL_DATA, "it has %zu byte%s, %d are the most", length, BL_S(length),
                       TEMPLATE_MAX);
    status = whole ? document_read(&document, text, length, "UTF-8", diag)
                   : document_read_piece(&document, text, length, diag);
    if (status)
        return status;
    *out = calloc(1, sizeof **out);
    if (*out) {
        **out = (struct template){
            .answer = -1, .judge = -1, .whole = whole, .canonical = document->text};
        document->text = NULL;
    }
    document_free(document);
    status = *out ? split(*out, diag) : bl_fail(diag, BL_NOMEM, "no memory for a template");
    if (status) {
        template_free(*out);
        *out = NULL;
    }
    return status;
}

void template_free(struct template *template)
{
    if (!template)
        return;
    free(template->canonical);
    free(template);
}

/* Removes blanks at the ends of a literal. A document need not have them beside a placeholder. */
static struct template_part trimmed(struct template_part part)
{
    while (part.length && part.literal[part.length - 1] == ' ')
        part.length--;
    while (part.length && *part.literal == ' ') {
        part.literal++;
        part.length--;
    }
    return part;
}

static const char *find(const char *at, const char *end, const struct template_part *part)
{
    return part->length == 0 ? at : memmem(at, (size_t)(end - at), part->literal, part->length);
}

struct gap {
    const char *from, *to;
};

/* Fits the parts in order from `at` on. `anchored`: the first part must be exactly there; t->whole:
 * the last part must be at the end. Returns the text after the last part; NULL: part *missing does
 * not occur. */
static const char *fit(const struct template *t, const char *at, const char *end, bool anchored,
                       struct gap got[TEMPLATE_PARTS], struct template_part *missing)
{
    for (unsigned i = 0; i < t->parts; i++) {
        struct template_part part = trimmed(t->part[i]);
        bool last = i + 1 == t->parts;
        const char *there = find(at, end, &part);
        if (i == 0 && anchored && there != at)
            there = NULL;
        if (last && t->whole && there)
            there = (size_t)(end - at) >= part.length &&
                            memcmp(end - part.length, part.literal, part.length) == 0
                        ? end - part.length
                        : NULL;
        else if (last && !part.length && i)
            there = end;
        if (!there) {
            *missing = part;
            return NULL;
        }
        if (i)
            got[i - 1] = (struct gap){at, there};
        else
            got[TEMPLATE_PARTS - 1].from = there;
        at = there + part.length;
    }
    return at;
}

static void found_set(const struct template *t, const struct gap *got, struct template_found *found)
{
    found->answer = got[t->answer].from;
    found->answer_length = (size_t)(got[t->answer].to - got[t->answer].from);
    if (t->judge >= 0) {
        found->judge = got[t->judge].from;
        found->judge_length = (size_t)(got[t->judge].to - got[t->judge].from);
    }
}

/* Finds the last place where the template fits. False: none. */
static bool fit_last(const struct template *t, const char *document, struct template_found *found,
                     struct template_part *missing)
{
    const char *end = document + strlen(document), *at = document;
    struct gap got[TEMPLATE_PARTS];
    bool fits = false;
    while (at < end || !fits) {
        struct template_part none;
        const char *behind = fit(t, at, end, t->whole, got, fits ? &none : missing);
        if (!behind)
            break;
        fits = true;
        found_set(t, got, found);
        if (t->whole || behind == at)
            break;
        at = behind;
    }
    return fits;
}

/* The text directly before the answer, from its last tag on. */
static struct template_part before(struct template_part part)
{
    const char *tag;
    part = trimmed(part);
    tag = memrchr(part.literal, '<', part.length);
    if (tag) {
        part.length -= (size_t)(tag - part.literal);
        part.literal += tag - part.literal;
    }
    return part;
}

/* The text directly after the answer, to the end of its first tag. */
static struct template_part behind(struct template_part part)
{
    const char *tag;
    part = trimmed(part);
    tag = memchr(part.literal, '>', part.length);
    if (tag)
        part.length = (size_t)(tag - part.literal) + 1;
    return part;
}

enum template_fit template_match(const struct template *template, const char *document,
                                 struct template_found *found)
{
    struct template_part missing = {0}, unused;
    struct template near = {.parts = 2, .answer = 0, .judge = -1};
    *found = (struct template_found){0};
    if (fit_last(template, document, found, &missing))
        return TEMPLATE_FITS;
    found->differs = missing.literal;
    found->differs_length = missing.length;
    near.part[0] = before(template->part[template->answer]);
    near.part[1] = behind(template->part[template->answer + 1]);
    if (!near.part[0].length || !near.part[1].length)
        return TEMPLATE_NOT;
    return fit_last(&near, document, found, &unused) ? TEMPLATE_NEAR : TEMPLATE_NOT;
}

static size_t put(char *out, size_t used, const char *text, size_t length)
{
    if (out)
        memcpy(out + used, text, length);
    return used + length;
}

static size_t put_words(char *out, size_t used, const char *words)
{
    for (; *words; words++) {
        const char *as = *words == '<'   ? "&lt;"
                         : *words == '>' ? "&gt;"
                         : *words == '&' ? "&amp;"
                         : *words == '"' ? "&quot;"
                                         : NULL;
        used = as ? put(out, used, as, strlen(as)) : put(out, used, words, 1);
    }
    return used;
}

static size_t fill(const struct template *t, const char *answer, const char *judge, char *out)
{
    size_t used = 0;
    for (unsigned i = 0; i < t->parts; i++) {
        used = put(out, used, t->part[i].literal, t->part[i].length);
        if ((int)i == t->answer)
            used = put_words(out, used, answer);
        else if ((int)i == t->judge)
            used = put_words(out, used, judge);
    }
    return used;
}

char *template_fill(const struct template *template, const char *answer, const char *judge)
{
    size_t length = fill(template, answer, judge, NULL);
    char *out = malloc(length + 1);
    if (!out)
        return NULL;
    fill(template, answer, judge, out);
    out[length] = '\0';
    return out;
}
