#include "base/json.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put(struct json_text *out, const char *text, size_t length)
{
    if (length > out->room - out->length) {
        out->full = true;
        return;
    }
    memcpy(out->at + out->length, text, length);
    out->length += length;
}

void json_put(struct json_text *out, const char *text)
{
    put(out, text, strlen(text));
}

void json_number(struct json_text *out, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, number);
    json_put(out, text);
}

void json_point(struct json_text *out, uint32_t point)
{
    char text[8];
    uint8_t bytes[UTF8_MAX];
    if (point == '"' || point == '\\' || point < 0x20 || (point >= 0x7F && point < 0xA0) ||
        point == '<' || point == 0x2028 || point == 0x2029) {
        snprintf(text, sizeof text, "\\u%04x", (unsigned)point & 0xFFFF);
        json_put(out, text);
        return;
    }
    size_t length = utf8_encode(point, bytes);
    put(out, length ? (const char *)bytes : "?", length ? length : 1);
}

void json_string_of(struct json_text *out, const char *text)
{
    size_t left = text ? strlen(text) : 0;
    json_put(out, "\"");
    while (left > 0) {
        uint32_t point = '?';
        size_t length = utf8_decode((const uint8_t *)text, left, &point);
        json_point(out, length ? point : '?');
        text += length ? length : 1;
        left -= length ? length : 1;
    }
    json_put(out, "\"");
}

void json_comma(struct json_text *out)
{
    char last = out->length ? out->at[out->length - 1] : '{';
    if (last != '{' && last != '[' && last != ':')
        json_put(out, ",");
}

void json_name(struct json_text *out, const char *name)
{
    json_comma(out);
    json_put(out, "\"");
    json_put(out, name);
    json_put(out, "\":");
}

void json_field(struct json_text *out, const char *name, const char *text)
{
    json_name(out, name);
    json_string_of(out, text);
}

void json_field_number(struct json_text *out, const char *name, int64_t number)
{
    json_name(out, name);
    json_number(out, number);
}
