#include "entity/prompt.h"

#include "base/utf8.h"
#include "late/pcre2.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH_MAX 512   /* characters of an expression */
#define CODE_MAX   16384 /* bytes of the compiled expression, which limit the cost of a key */
#define WORK_LEAST 1000  /* work numbers for pcre2_dfa_match(), and more for each byte of code */
#define WORK_MORE  2

static enum bl_status wrong(struct bl_diag *diag, const char *text, size_t at, const char *what)
{
    return bl_fail(diag, BL_USAGE, "strip-prompt \"%.60s\", character %u: %s", text,
                   (unsigned)at + 1, what);
}

static enum bl_status wrong_code(struct bl_diag *diag, const char *text, size_t at, int code)
{
    PCRE2_UCHAR32 said[120];
    char what[sizeof said / sizeof *said] = "no expression";
    int length = late_pcre2.get_error_message_32(code, said, sizeof said / sizeof *said);
    for (int i = 0; i <= length; i++) /* PCRE2's messages are ASCII */
        what[i] = (char)said[i];
    return wrong(diag, text, at, what);
}

/* Returns the position of the ']' that ends the set beginning at `at`. */
static size_t skip_set(const uint32_t *point, size_t length, size_t at)
{
    at += 1 + (at + 1 < length && point[at + 1] == '^');
    for (at += at < length && point[at] == ']'; at < length && point[at] != ']'; at++) {
        if (point[at] == '\\')
            at++;
        else if (point[at] == '[' && at + 1 < length && point[at + 1] == ':')
            for (at += 2; at < length && point[at] != ']';)
                at++;
    }
    return at;
}

/* Returns the position of a ^ or $ that a prompt may not have; `length`: none. A later ^ never
 * matches, and the text after a prompt, for $, has not come yet. */
static size_t find_anchor(const uint32_t *point, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (point[i] == '\\')
            i++;
        else if (point[i] == '[')
            i = skip_set(point, length, i);
        else if (point[i] == '$' || (point[i] == '^' && i > 0))
            return i;
    }
    return length;
}

/* Reads the code points of a text. False, with *at: the text is not UTF-8, or longer than
 * LENGTH_MAX. */
static bool read_points(const char *text, uint32_t *point, size_t *at)
{
    size_t left = strlen(text), taken;
    for (*at = 0; left; (*at)++, text += taken, left -= taken) {
        taken = utf8_decode((const uint8_t *)text, left, &point[*at]);
        if (taken == 0 || *at + 1 == LENGTH_MAX)
            return false;
    }
    return true;
}

enum bl_status prompt_parse(struct prompt *prompt, const char *text, struct bl_diag *diag)
{
    uint32_t point[LENGTH_MAX], references = 0;
    size_t length, at, size = 0;
    int code;
    enum bl_status loaded = late_load(&late_pcre2, diag);
    *prompt = (struct prompt){.code = NULL};
    if (loaded != BL_OK)
        return loaded;
    if (*text == '\0')
        return wrong(diag, text, 0, "nothing to strip; an example of an expression is \"> \"");
    if (!read_points(text, point, &length))
        return wrong(diag, text, length, "no UTF-8 here, or too long");
    at = find_anchor(point, length);
    if (at < length)
        return wrong(diag, text, at,
                     "^ may stand at the start alone, $ nowhere; \\^ and \\$ are "
                     "the characters");
    prompt->code = late_pcre2.compile_32(
        point, length, PCRE2_ANCHORED | PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &at, NULL);
    if (!prompt->code)
        return wrong_code(diag, text, at, code);
    late_pcre2.pattern_info_32(prompt->code, PCRE2_INFO_BACKREFMAX, &references);
    late_pcre2.pattern_info_32(prompt->code, PCRE2_INFO_SIZE, &size);
    if (references || size > CODE_MAX) {
        prompt_free(prompt);
        return wrong(diag, text, 0,
                     references ? "a prompt cannot refer back"
                                : "too long when its repetitions are written out");
    }
    prompt->room = (unsigned)(WORK_LEAST + WORK_MORE * size);
    prompt->work = malloc(prompt->room * sizeof *prompt->work);
    prompt->match = late_pcre2.match_data_create_32(1, NULL);
    if (prompt->work && prompt->match)
        return BL_OK;
    prompt_free(prompt);
    return bl_fail(diag, BL_NOMEM, "no memory for the expression of a prompt");
}

void prompt_free(struct prompt *prompt)
{
    if (!prompt->code)
        return;
    late_pcre2.match_data_free_32(prompt->match);
    late_pcre2.code_free_32(prompt->code);
    free(prompt->work);
    *prompt = (struct prompt){.code = NULL};
}

/* PCRE2's DFA matcher finds the longest match first, and reports whether more keys could change the
 * match. */
unsigned prompt_find(const struct prompt *prompt, const uint32_t *keys, unsigned count, bool *open)
{
    const size_t *span = late_pcre2.get_ovector_pointer_32(prompt->match);
    int found = late_pcre2.dfa_match_32(prompt->code, keys, count, 0,
                                        PCRE2_PARTIAL_HARD | PCRE2_NO_UTF_CHECK, prompt->match,
                                        NULL, prompt->work, prompt->room);
    *open = found == PCRE2_ERROR_PARTIAL;
    if (*open)
        found = late_pcre2.dfa_match_32(prompt->code, keys, count, 0, PCRE2_NO_UTF_CHECK,
                                        prompt->match, NULL, prompt->work, prompt->room);
    return found >= 0 ? (unsigned)span[1] : 0;
}
