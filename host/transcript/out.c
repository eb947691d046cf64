#include "transcript/out.h"

#include "base/utf8.h"
#include "session/event.h"

#include <string.h>

void out_bytes(const struct out *out, const char *bytes, size_t length)
{
    if (length)
        out->write(out->ctx, bytes, length);
}

void out_text(const struct out *out, const char *text)
{
    out_bytes(out, text, strlen(text));
}

void out_parts(const struct out *out, const char *const *parts)
{
    while (*parts)
        out_text(out, *parts++);
}

void out_number(const struct out *out, uint64_t number, unsigned digits)
{
    char text[20];
    unsigned at = sizeof text;
    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (at > 0 && (number || sizeof text - at < digits));
    out_bytes(out, text + at, sizeof text - at);
}

void out_point(const struct out *out, uint32_t point)
{
    uint8_t bytes[UTF8_MAX];
    if (!key_is_key(point) || point < 0x20)
        point = 0xFFFD;
    out_bytes(out, (const char *)bytes, utf8_encode(point, bytes));
}

void out_line(const struct out *out, const char *text)
{
    size_t length = strlen(text), taken;
    for (; length; text += taken, length -= taken) {
        uint32_t point;
        taken = utf8_decode((const uint8_t *)text, length, &point);
        if (taken && utf8_is_plain(point))
            out_bytes(out, text, taken);
        else
            out_bytes(out, "?", 1);
        taken += taken == 0;
    }
}

void out_json(const struct out *out, const char *bytes, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        char escape[] = "\\u0000";
        if (c == '"' || c == '\\') {
            escape[1] = (char)c;
            out_bytes(out, escape, 2);
        } else if (c < 0x20 || c == 0x7F) {
            escape[4] = digits[c >> 4];
            escape[5] = digits[c & 15];
            out_bytes(out, escape, 6);
        } else {
            out_bytes(out, bytes + i, 1);
        }
    }
}
