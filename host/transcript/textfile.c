#include "transcript/textfile.h"

#include "base/cp1252.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define CTRL_Z    0x1Au
#define BYTE_MARK 0xFEFFu

/* The unit at `at`, which must be before the end; an incomplete last unit is 0xFFFF. */
static uint32_t unit_at(const struct textfile *lines, const uint8_t *at)
{
    if (lines->unit == 1)
        return *at;
    if (lines->end - at < 2)
        return 0xFFFF;
    return lines->big ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

static const uint8_t *step(const struct textfile *lines, const uint8_t *at)
{
    return (size_t)(lines->end - at) < lines->unit ? lines->end : at + lines->unit;
}

static bool is_unit(const struct textfile *lines, const uint8_t *at, uint32_t unit)
{
    return at < lines->end && unit_at(lines, at) == unit;
}

/* Finds the end of the line at `at` and the start of the next; *end is TEXTFILE_ENDS if the line
 * has no end. A text converted twice from LF to CR LF has CR CR LF. */
static const uint8_t *find_end(const struct textfile *lines, const uint8_t *at,
                               const uint8_t **next, enum textfile_end *end)
{
    for (; at < lines->end; at = step(lines, at)) {
        const uint32_t unit = unit_at(lines, at);
        const uint8_t *second = step(lines, at), *third = step(lines, second);
        if (unit != '\n' && unit != '\r')
            continue;
        *next = second;
        *end = unit == '\n' ? TEXTFILE_LF : TEXTFILE_CR;
        if (unit == '\r' && is_unit(lines, second, '\n')) {
            *next = third;
            *end = TEXTFILE_CRLF;
        } else if (unit == '\r' && is_unit(lines, second, '\r') && is_unit(lines, third, '\n')) {
            *next = step(lines, third);
            *end = TEXTFILE_CRCRLF;
        }
        return at;
    }
    *next = lines->end;
    *end = TEXTFILE_ENDS;
    return lines->end;
}

/* Counts of a text beyond ASCII: weighed UTF-8 sequences, and other bytes. */
struct beyond {
    uint64_t sequences, others;
};

static struct beyond look(const uint8_t *bytes, const uint8_t *end)
{
    struct beyond beyond = {0, 0};
    while (bytes < end) {
        uint32_t point;
        const size_t taken = *bytes < 0x80 ? 1 : utf8_decode(bytes, (size_t)(end - bytes), &point);
        beyond.sequences += taken ? (taken - 1) * (taken - 1) : 0;
        beyond.others += taken == 0;
        bytes += taken ? taken : 1;
    }
    return beyond;
}

static bool is_utf16(const uint8_t *bytes, size_t length, bool *big)
{
    *big = length >= 2 && bytes[0] == 0xFE && bytes[1] == 0xFF;
    if (*big || (length >= 2 && bytes[0] == 0xFF && bytes[1] == 0xFE))
        return true;
    if (length < 4)
        return false;
    *big = !bytes[0] && bytes[1] && !bytes[2] && bytes[3];
    return *big || (bytes[0] && !bytes[1] && bytes[2] && !bytes[3]);
}

void textfile_begin(struct textfile *lines, const uint8_t *bytes, size_t length)
{
    *lines = (struct textfile){.at = bytes, .end = bytes + length, .unit = 1};
    if (is_utf16(bytes, length, &lines->big)) {
        lines->unit = 2;
        return;
    }
    for (const uint8_t *at = bytes, *next; at < lines->end; at = next) {
        enum textfile_end how;
        const uint8_t *end = find_end(lines, at, &next, &how);
        const bool marked = end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0;
        const struct beyond beyond = look(marked ? at + 3 : at, end);
        lines->sequences += beyond.sequences;
        lines->others += beyond.others;
        lines->utf8 += beyond.sequences && !beyond.others;
    }
}

void textfile_free(struct textfile *lines)
{
    free(lines->line);
    lines->line = NULL;
    lines->room = 0;
}

enum textfile_kind textfile_kind(const struct textfile *lines)
{
    if (lines->unit == 2)
        return TEXTFILE_UTF16;
    return lines->others && lines->others >= lines->sequences ? TEXTFILE_CP1252 : TEXTFILE_UTF8;
}

/* Decodes the next character of a line; U+FFFD for an invalid one. */
static const uint8_t *take_point(struct textfile *lines, const uint8_t *at, const uint8_t *end,
                                 uint32_t *point)
{
    size_t taken = 0;
    *point = unit_at(lines, at);
    if (lines->unit == 2) {
        const uint8_t *second = step(lines, at);
        const uint32_t low = second < end ? unit_at(lines, second) : 0;
        at = second;
        if (*point >= 0xD800 && *point < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
            *point = 0x10000u + ((*point - 0xD800u) << 10) + (low - 0xDC00u);
            return step(lines, second);
        }
        if ((*point < 0xD800 || *point > 0xDFFF) && *point != 0xFFFF)
            return at;
    } else if (*at < 0x80) {
        return at + 1;
    } else {
        if (!lines->foreign || textfile_kind(lines) == TEXTFILE_UTF8)
            taken = utf8_decode(at, (size_t)(end - at), point);
        if (taken)
            return at + taken;
        *point = cp1252_point(*at++);
        if (*point)
            return at;
    }
    lines->lost++;
    *point = TEXTFILE_LOST;
    return at;
}

/* Makes room for a line of `bytes` bytes: each takes up to three bytes of UTF-8, plus the NUL. */
static bool make_room(struct textfile *lines, size_t bytes)
{
    const size_t need = 3 * bytes + UTF8_MAX + 1;
    char *more;
    if (need <= lines->room)
        return true;
    more = realloc(lines->line, need > 2 * lines->room ? need : 2 * lines->room);
    if (!more) {
        lines->failed = true;
        return false;
    }
    lines->line = more;
    lines->room = need > 2 * lines->room ? need : 2 * lines->room;
    return true;
}

bool textfile_next(struct textfile *lines)
{
    const uint8_t *at = lines->at, *end, *next;
    enum textfile_end how;
    if (lines->at == lines->end || lines->failed)
        return false;
    end = find_end(lines, at, &next, &how);
    if (!make_room(lines, (size_t)(end - at)))
        return false;
    lines->at = next;
    lines->ended = how != TEXTFILE_ENDS;
    lines->foreign = lines->unit == 1 && look(at, end).others;
    lines->length = 0;
    lines->lost = 0;
    while (at < end) {
        uint32_t point;
        at = take_point(lines, at, end, &point);
        if (lines->length == 0 && (point == BYTE_MARK || point == CTRL_Z))
            continue;
        lines->length += utf8_encode(point, (uint8_t *)lines->line + lines->length);
    }
    while (!lines->ended && lines->length && lines->line[lines->length - 1] == CTRL_Z)
        lines->length--;
    lines->line[lines->length] = '\0';
    if (!lines->ended && lines->length == 0 && !lines->lost)
        return false; /* only a Ctrl-Z follows the last line */
    if (lines->ended)
        lines->ends[how]++;
    lines->number++;
    return true;
}

bool textfile_peek(const struct textfile *lines, unsigned after, const char *beginning)
{
    const uint8_t *at = lines->at;
    for (; after; after--) {
        enum textfile_end how;
        find_end(lines, at, &at, &how);
    }
    while (is_unit(lines, at, CTRL_Z))
        at = step(lines, at);
    for (; *beginning; beginning++, at = step(lines, at))
        if (!is_unit(lines, at, (uint8_t)*beginning))
            return false;
    return true;
}
