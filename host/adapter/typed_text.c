#include "adapter/typed_text.h"

#include "rules/characters.h"

#include <string.h>

void typed_text_begin(struct typed_text *text, bool as_is)
{
    memset(text, 0, sizeof *text);
    text->as_is = as_is;
    text->line_start = true;
}

static void push(struct typed_text *t, uint32_t point)
{
    if (point == ' ' && (t->count == 0 || t->key[t->count - 1] == ' '))
        return;
    if (t->count == TYPED_KEYS)
        t->cut = true;
    else
        t->key[t->count++] = point;
}

static void emit(struct typed_text *t, uint32_t point)
{
    const char *instead = t->as_is ? NULL : characters_instead(point);
    if (!instead)
        push(t, point);
    for (; instead && *instead; instead++)
        push(t, (uint8_t)*instead);
}

static bool is_word(uint32_t point)
{
    return (point >= '0' && point <= '9') || (point >= 'a' && point <= 'z') ||
           (point >= 'A' && point <= 'Z') || point >= 0xC0;
}

static bool is_blank(uint32_t point)
{
    return point == 0 || point == ' ' || point == '\n';
}

/* True if the held sign is markdown, by the characters around it. False: it belongs to the text. */
static bool is_sign(const struct typed_text *t, uint32_t sign, uint32_t next)
{
    switch (sign) {
    case '*': /* "2 * 3", "2*3" */
        return t->line_start || !(is_blank(t->last) == is_blank(next) &&
                                  (is_blank(next) || (t->last >= '0' && t->last <= '9' &&
                                                      next >= '0' && next <= '9')));
    case '_': /* snake_case */
        return !(is_word(t->last) && is_word(next));
    default: /* '#', '-', '>' at the start of a line */
        return t->line_start && (is_blank(next) || next == sign);
    }
}

static void decide(struct typed_text *t, uint32_t next)
{
    uint32_t sign = t->held;
    t->held = 0;
    if (!sign)
        return;
    if (!is_sign(t, sign, next)) {
        emit(t, sign);
        t->last = sign;
        t->line_start = false;
    }
}

/* True for C1 controls, U+FFFD, and numbers of no character. */
static bool is_nobodys(uint32_t point)
{
    return (point > 0x7F && point < 0xA0) || point == 0xFFFD ||
           (point >= 0xD800 && point < 0xE000) || point > 0x10FFFF;
}

static void take(struct typed_text *t, uint32_t point)
{
    if (is_nobodys(point))
        return;
    decide(t, point);
    if (point == '`' || point < ' ' || point == 0x7F) {
        if (point == '\n' || point == '\t') {
            push(t, ' ');
            t->last = point == '\n' ? 0 : ' ';
            t->line_start = t->line_start || point == '\n';
        }
        return;
    }
    if (point == '*' || point == '_' ||
        (t->line_start && (point == '#' || point == '-' || point == '>'))) {
        t->held = point;
        return;
    }
    emit(t, point);
    t->last = point;
    t->line_start = t->line_start && point == ' ';
}

static void take_tagged(struct typed_text *t, uint32_t point)
{
    const char *wanted = t->thinks ? "</think>" : "<think>";
    if (t->tag_length < strlen(wanted) && point == (uint8_t)wanted[t->tag_length]) {
        t->tag[t->tag_length++] = (char)point;
        if (t->tag_length < strlen(wanted))
            return;
        t->thinks = !t->thinks;
        t->tag_length = 0;
        return;
    }
    size_t held = t->tag_length;
    t->tag_length = 0;
    for (size_t i = 0; i < held && !t->thinks; i++)
        take(t, (uint8_t)t->tag[i]);
    if (held && point == '<')
        take_tagged(t, point);
    else if (!t->thinks)
        take(t, point);
}

void typed_text_feed(struct typed_text *t, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        uint8_t b = (uint8_t)bytes[i];
        if (t->need && (b & 0xC0) == 0x80) {
            t->point = t->point << 6 | (b & 0x3F);
            if (--t->need == 0)
                take_tagged(t, t->point);
            continue;
        }
        t->need = b >= 0xF0 ? 3 : b >= 0xE0 ? 2 : b >= 0xC0 ? 1 : 0;
        t->point = b & (0x3Fu >> t->need);
        if (b < 0x80)
            take_tagged(t, b);
    }
}

void typed_text_end(struct typed_text *t)
{
    for (size_t i = 0; i < t->tag_length && !t->thinks; i++)
        take(t, (uint8_t)t->tag[i]);
    t->tag_length = 0;
    decide(t, 0);
    while (t->count && t->key[t->count - 1] == ' ')
        t->count--;
}
