#include "adapter/engine_io.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

#define BINARY_TEXT   0   /* first byte of a text packet in a binary payload */
#define BINARY_END    255 /* ends the length */
#define LENGTH_DIGITS 7   /* most digits of a length */

bool engine_packet_read(uint8_t *bytes, size_t length, struct engine_packet *packet)
{
    if (length == 0 || bytes[0] < ENGINE_OPEN || bytes[0] > ENGINE_NOOP)
        return false;
    *packet = (struct engine_packet){(enum engine_type)bytes[0], bytes + 1, length - 1};
    return true;
}

static bool is_utf8(const uint8_t *text, size_t length)
{
    uint32_t point;
    while (length > 0) {
        size_t taken = utf8_decode(text, length, &point);
        if (taken == 0)
            return false;
        text += taken;
        length -= taken;
    }
    return true;
}

/* Decodes text that is UTF-8 of UTF-8 once. Other text stays unchanged. Returns the length. */
static size_t decode_twice(uint8_t *text, size_t length)
{
    uint8_t *out = text;
    bool wide = false;
    uint32_t point;
    for (size_t at = 0; at < length;) { /* first checks that the result is UTF-8 */
        size_t taken = utf8_decode(text + at, length - at, &point);
        if (taken == 0 || point > 0xFF)
            return length;
        wide = wide || point > 0x7F;
        at += taken;
    }
    if (!wide)
        return length;
    struct utf8_decoder decoder = {0};
    for (size_t at = 0; at < length;) {
        uint32_t whole;
        at += utf8_decode(text + at, length - at, &point);
        enum utf8_step step = utf8_feed(&decoder, (uint8_t)point, &whole);
        if (step == UTF8_BAD || step == UTF8_AGAIN || (at == length && step != UTF8_POINT))
            return length;
    }
    for (size_t at = 0; at < length;) {
        at += utf8_decode(text + at, length - at, &point);
        *out++ = (uint8_t)point;
    }
    return (size_t)(out - text);
}

/* The number of bytes that `units` UTF-16 units take; SIZE_MAX: the text is shorter. */
static size_t bytes_of(const uint8_t *text, size_t length, size_t units)
{
    size_t at = 0;
    while (units > 0) {
        uint32_t point;
        size_t taken = utf8_decode(text + at, length - at, &point);
        size_t wide = point > 0xFFFF ? 2 : 1;
        if (taken == 0 || wide > units)
            return SIZE_MAX;
        at += taken;
        units -= wide;
    }
    return at;
}

static enum engine_next take(struct engine_payload *payload, size_t length,
                             struct engine_packet *packet)
{
    uint8_t *bytes = payload->at;
    if (length > payload->left)
        return ENGINE_BAD;
    payload->at += length;
    payload->left -= length;
    if (!is_utf8(bytes, length) || !engine_packet_read(bytes, length, packet))
        return ENGINE_BAD;
    return ENGINE_PACKET;
}

/* Reads the length before a packet, up to `end`; `zero` is its digit 0. */
static bool take_length(struct engine_payload *payload, uint8_t zero, uint8_t end, size_t *length)
{
    *length = 0;
    for (unsigned digits = 0; payload->left > 0 && digits <= LENGTH_DIGITS; digits++) {
        unsigned digit = *payload->at - zero;
        bool over = *payload->at == end;
        payload->at++;
        payload->left--;
        if (over)
            return digits > 0;
        if (digit > 9)
            return false;
        *length = *length * 10 + digit;
    }
    return false;
}

enum engine_next engine_payload_next(struct engine_payload *payload, struct engine_packet *packet)
{
    size_t length;
    if (payload->left == 0)
        return ENGINE_END;
    if (payload->binary) {
        if (*payload->at != BINARY_TEXT)
            return ENGINE_BAD;
        payload->at++;
        payload->left--;
        return take_length(payload, 0, BINARY_END, &length) ? take(payload, length, packet)
                                                            : ENGINE_BAD;
    }
    if (!take_length(payload, '0', ':', &length))
        return ENGINE_BAD;
    length = bytes_of(payload->at, payload->left, length);
    enum engine_next next = length == SIZE_MAX ? ENGINE_BAD : take(payload, length, packet);
    if (next == ENGINE_PACKET)
        packet->length = decode_twice(packet->data, packet->length);
    return next;
}

size_t engine_payload_add(uint8_t *out, size_t used, size_t room, bool binary, const char *packet,
                          size_t length)
{
    char head[LENGTH_DIGITS + 16];
    int digits = snprintf(head, sizeof head, "%zu", length);
    size_t before = (size_t)digits + 1 + binary;
    if (before > room - used || length > room - used - before)
        return 0;
    uint8_t *at = out + used;
    if (binary)
        *at++ = BINARY_TEXT;
    for (int i = 0; i < digits; i++)
        *at++ = (uint8_t)(binary ? head[i] - '0' : head[i]);
    *at++ = binary ? BINARY_END : ':';
    memcpy(at, packet, length);
    return before + length;
}

bool engine_query(const char *query, const char *name, char *value, size_t room)
{
    size_t length = strlen(name);
    for (const char *at = query; *at;) {
        size_t part = strcspn(at, "&");
        if (part > length && strncmp(at, name, length) == 0 && at[length] == '=') {
            size_t size = part - length - 1;
            if (size >= room)
                return false;
            memcpy(value, at + length + 1, size);
            value[size] = '\0';
            return true;
        }
        at += part + (at[part] == '&');
    }
    return false;
}

bool socket_packet_read(const uint8_t *data, size_t length, struct socket_packet *packet)
{
    const char *at = (const char *)data, *end = at + length;
    if (length == 0 || *at < SOCKET_CONNECT || *at > SOCKET_ERROR)
        return false;
    *packet = (struct socket_packet){.kind = (enum socket_kind) * at++};
    if (at < end && *at == '/') {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        packet->elsewhere = stop - at > 1 && at[1] != '?';
        at = comma ? comma + 1 : end;
    }
    while (at < end && *at >= '0' && *at <= '9') /* the number of an acknowledgement, not used */
        at++;
    packet->json = at;
    packet->length = (size_t)(end - at);
    return true;
}
