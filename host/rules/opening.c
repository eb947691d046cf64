#include "rules/opening.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Takes the next code point, with ASCII and Latin-1 in lower case; 0 at the end. A byte of invalid
 * UTF-8 counts as U+FFFD. */
static uint32_t next(const char **at)
{
    uint32_t point;
    size_t taken = utf8_decode((const uint8_t *)*at, strnlen(*at, UTF8_MAX), &point);
    if (**at == '\0')
        return 0;
    if (taken == 0) {
        point = 0xFFFD;
        taken = 1;
    }
    *at += taken;
    if ((point >= 'A' && point <= 'Z') || (point >= 0xC0 && point <= 0xDE && point != 0xD7))
        point += 0x20;
    return point;
}

static bool is_blank(uint32_t point)
{
    return point == ' ' || point == '\t' || point == '\r' || point == '\n' || point == 0xA0;
}

static bool is_letter(uint32_t point)
{
    return (point >= 'a' && point <= 'z') || (point >= '0' && point <= '9') || point >= 0xC0;
}

static uint32_t next_sign(const char **at)
{
    uint32_t point;
    do
        point = next(at);
    while (is_blank(point));
    return point;
}

/* Returns the rest of `said` after the words in text[0..length); NULL: the words differ. */
static const char *skip_words(const char *said, const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    while (at < end) {
        const char *before = at;
        uint32_t wanted = next_sign(&at);
        if (before >= end || at > end || wanted == 0)
            break;
        if (next_sign(&said) != wanted)
            return NULL;
    }
    return said;
}

/* Finds the X that stands alone; NULL: none. */
static const char *find_x(const char *opening)
{
    for (const char *at = opening; (at = strchr(at, 'X')); at++) {
        bool before = at == opening || is_blank((uint8_t)at[-1]);
        if (before && (at[1] == '\0' || strchr(" ,.;:!?", at[1])))
            return at;
    }
    return NULL;
}

void opening_words(const char *opening, const char *name, char *out, size_t size)
{
    const char *x = find_x(opening);
    if (x)
        snprintf(out, size, "%.*s%s%s", (int)(x - opening), opening, name, x + 1);
    else
        snprintf(out, size, "%s", opening);
}

static size_t length_without_stop(const char *text)
{
    size_t length = strlen(text);
    while (length && (is_blank((uint8_t)text[length - 1]) || text[length - 1] == '.'))
        length--;
    return length;
}

static bool ends_here(const char *said)
{
    return !is_letter(next(&said));
}

static bool is_same(const char *a, const char *b)
{
    uint32_t x;
    do {
        x = next_sign(&a);
        if (x != next_sign(&b))
            return false;
    } while (x);
    return true;
}

static void keep_name(const char *from, const char *to, char name[OPENING_NAME_MAX])
{
    while (from < to && is_blank((uint8_t)*from))
        from++;
    while (to > from && is_blank((uint8_t)to[-1]))
        to--;
    size_t length = (size_t)(to - from);
    memcpy(name, from, length);
    name[length] = '\0';
}

static bool is_approved(const char *name, const char *const *approved, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (is_same(name, approved[i]))
            return true;
    return count == 0;
}

enum opening_verdict opening_check(const char *opening, const char *const *approved, unsigned count,
                                   const char *said, char name[OPENING_NAME_MAX])
{
    const char *x = find_x(opening), *at = said, *rest;
    name[0] = '\0';
    if (next_sign(&at) == 0)
        return OPENING_NOTHING;
    if (!x) {
        rest = skip_words(said, opening, length_without_stop(opening));
        return rest && ends_here(rest) ? OPENING_HELD : OPENING_OTHER;
    }
    rest = skip_words(said, opening, (size_t)(x - opening));
    if (!rest)
        return OPENING_OTHER;
    at = rest;
    while (next(&at) && at - rest < OPENING_NAME_MAX) { /* the shortest name that matches */
        const char *after = skip_words(at, x + 1, length_without_stop(x + 1));
        if (!after || !ends_here(after))
            continue;
        keep_name(rest, at, name);
        if (name[0])
            return is_approved(name, approved, count) ? OPENING_HELD : OPENING_NAME;
    }
    name[0] = '\0';
    return OPENING_OTHER;
}
