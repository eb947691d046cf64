#include "base/utf8.h"

#include <string.h>

enum utf8_step utf8_feed(struct utf8_decoder *d, uint8_t byte, uint32_t *point)
{
    if (d->need == 0) {
        if (byte < 0x80) {
            *point = byte;
            return UTF8_POINT;
        }
        d->low = 0x80;
        d->high = 0xBF;
        if (byte >= 0xC2 && byte <= 0xDF) {
            d->need = 1;
            d->point = byte & 0x1F;
        } else if (byte >= 0xE0 && byte <= 0xEF) {
            d->need = 2;
            d->point = byte & 0x0F;
            if (byte == 0xE0)
                d->low = 0xA0; /* a smaller next byte: an overlong form */
            else if (byte == 0xED)
                d->high = 0x9F; /* a greater next byte: a surrogate */
        } else if (byte >= 0xF0 && byte <= 0xF4) {
            d->need = 3;
            d->point = byte & 0x07;
            if (byte == 0xF0)
                d->low = 0x90; /* a smaller next byte: an overlong form */
            else if (byte == 0xF4)
                d->high = 0x8F; /* a greater next byte: above U+10FFFF */
        } else {
            return UTF8_BAD;
        }
        return UTF8_MORE;
    }
    if (byte < d->low || byte > d->high) {
        d->need = 0;
        return UTF8_AGAIN;
    }
    d->low = 0x80;
    d->high = 0xBF;
    d->point = d->point << 6 | (byte & 0x3F);
    if (--d->need)
        return UTF8_MORE;
    *point = d->point;
    return UTF8_POINT;
}

size_t utf8_encode(uint32_t point, uint8_t out[UTF8_MAX])
{
    if (point < 0x80) {
        out[0] = (uint8_t)point;
        return 1;
    }
    if (point < 0x800) {
        out[0] = (uint8_t)(0xC0 | point >> 6);
        out[1] = (uint8_t)(0x80 | (point & 0x3F));
        return 2;
    }
    if (point >= 0xD800 && point <= 0xDFFF)
        return 0;
    if (point < 0x10000) {
        out[0] = (uint8_t)(0xE0 | point >> 12);
        out[1] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
        out[2] = (uint8_t)(0x80 | (point & 0x3F));
        return 3;
    }
    if (point > 0x10FFFF)
        return 0;
    out[0] = (uint8_t)(0xF0 | point >> 18);
    out[1] = (uint8_t)(0x80 | (point >> 12 & 0x3F));
    out[2] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
    out[3] = (uint8_t)(0x80 | (point & 0x3F));
    return 4;
}

size_t utf8_decode(const uint8_t *text, size_t length, uint32_t *point)
{
    struct utf8_decoder d = {0};
    for (size_t i = 0; i < length && i < UTF8_MAX; i++) {
        switch (utf8_feed(&d, text[i], point)) {
        case UTF8_POINT:
            return i + 1;
        case UTF8_MORE:
            break;
        case UTF8_BAD:
        case UTF8_AGAIN:
            return 0;
        }
    }
    return 0;
}

bool utf8_is_plain(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},       {0x61C, 0x61C},   {0x180E, 0x180E},
        {0x200B, 0x200B}, {0x200E, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
        {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF},
    };
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (point >= hidden[i].first && point <= hidden[i].last)
            return false;
    return true;
}

size_t utf8_plain(char *out, size_t size, const char *text, size_t length)
{
    size_t at = 0;
    for (size_t i = 0; i < length;) {
        uint32_t point;
        size_t taken = utf8_decode((const uint8_t *)text + i, length - i, &point);
        bool plain = taken && utf8_is_plain(point);
        size_t written = plain ? taken : 1;
        if (at + written >= size)
            break;
        if (plain)
            memmove(out + at, text + i, taken);
        else
            out[at] = '?';
        at += written;
        i += taken ? taken : 1;
    }
    out[at] = '\0';
    return at;
}
