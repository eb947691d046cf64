#include "link/ether_frame.h"

#include <stdio.h>
#include <string.h>

enum { KIND_MASK = 0x0F, ROLE_SHIFT = 4, ROLES = 3, PLACE_TYPE = 12, PLACE_MAGIC = 14 };

const struct ether_address ether_everybody = {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}};

static bool is_letter(char c)
{
    static const bool letter[256] = {
        ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true,
        ['.'] = true,         ['_'] = true,         ['-'] = true,
    };
    return letter[(uint8_t)c];
}

bool ether_line_good(const char *name)
{
    size_t n = 0;
    while (n <= ETHER_LINE_MAX && is_letter(name[n]))
        n++;
    return n > 0 && n <= ETHER_LINE_MAX && name[n] == '\0';
}

static uint32_t get32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Copies the name; false if the name is empty, or bytes follow its end. */
static bool get_line(const uint8_t *at, char line[ETHER_LINE_MAX + 1])
{
    size_t n = 0, end;
    while (n < ETHER_LINE_MAX && is_letter((char)at[n]))
        n++;
    for (end = n; end < ETHER_LINE_MAX; end++)
        if (at[end])
            return false;
    memcpy(line, at, ETHER_LINE_MAX);
    line[ETHER_LINE_MAX] = '\0';
    return n > 0;
}

enum ether_sort ether_frame_read(struct ether_frame *frame, const uint8_t *bytes, size_t length)
{
    struct ether_frame f;
    if (length < ETHER_HEAD || bytes[PLACE_TYPE] != ETHER_TYPE >> 8 ||
        bytes[PLACE_TYPE + 1] != (ETHER_TYPE & 0xFF) || bytes[PLACE_MAGIC] != 'B' ||
        bytes[PLACE_MAGIC + 1] != 'L')
        return ETHER_FOREIGN;
    if (bytes[16] != ETHER_VERSION)
        return ETHER_VERSIONS;
    memcpy(f.to.byte, bytes, sizeof f.to.byte);
    memcpy(f.from.byte, bytes + 6, sizeof f.from.byte);
    f.kind = (enum ether_kind)(bytes[17] & KIND_MASK);
    f.role = bytes[17] >> ROLE_SHIFT;
    f.length = (size_t)bytes[18] << 8 | bytes[19];
    f.instance = get32(bytes + 32);
    f.number = get32(bytes + 36);
    f.payload = bytes + ETHER_HEAD;
    if ((f.kind != ETHER_DATA && f.kind != ETHER_TAKEN) || f.role >= ROLES ||
        f.length > length - ETHER_HEAD || f.length > ETHER_PAYLOAD_MAX ||
        (f.kind == ETHER_TAKEN) != (f.length == 0) || !get_line(bytes + ETHER_LINE_AT, f.line) ||
        f.from.byte[0] & 1) /* no sender has a group's address */
        return ETHER_FOREIGN;
    *frame = f;
    return ETHER_OURS;
}

size_t ether_frame_write(const struct ether_frame *frame, uint8_t *out)
{
    memcpy(out, frame->to.byte, sizeof frame->to.byte);
    memcpy(out + 6, frame->from.byte, sizeof frame->from.byte);
    out[PLACE_TYPE] = ETHER_TYPE >> 8;
    out[PLACE_TYPE + 1] = ETHER_TYPE & 0xFF;
    out[PLACE_MAGIC] = 'B';
    out[PLACE_MAGIC + 1] = 'L';
    out[16] = ETHER_VERSION;
    out[17] = (uint8_t)(frame->kind | frame->role << ROLE_SHIFT);
    out[18] = (uint8_t)(frame->length >> 8);
    out[19] = (uint8_t)frame->length;
    memcpy(out + ETHER_LINE_AT, frame->line, ETHER_LINE_MAX);
    put32(out + 32, frame->instance);
    put32(out + 36, frame->number);
    if (frame->length && frame->payload != out + ETHER_HEAD)
        memcpy(out + ETHER_HEAD, frame->payload, frame->length);
    return ETHER_HEAD + frame->length;
}

bool ether_same(const struct ether_address *a, const struct ether_address *b)
{
    return memcmp(a->byte, b->byte, sizeof a->byte) == 0;
}

const char *ether_text(const struct ether_address *address, char text[ETHER_TEXT_MAX])
{
    const uint8_t *b = address->byte;
    snprintf(text, ETHER_TEXT_MAX, "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2], b[3], b[4],
             b[5]);
    return text;
}
