/* UTF-8 (RFC 3629), byte by byte, as no reader here waits for a line. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_MAX 4

/* A decoder's state between two bytes; zeroed at the start. */
struct utf8_decoder {
    uint32_t point; /* the bits received so far */
    uint8_t need;   /* continuation bytes still missing */
    uint8_t low;    /* the least and the greatest legal next byte */
    uint8_t high;
};

enum utf8_step {
    UTF8_MORE,  /* the sequence is not complete */
    UTF8_POINT, /* *point is a scalar value */
    UTF8_BAD,   /* an illegal sequence ended with this byte */
    UTF8_AGAIN, /* an illegal sequence ended before this byte; feed the byte again */
};

/* Feeds one byte. After UTF8_BAD and UTF8_AGAIN the decoder is reset. */
enum utf8_step utf8_feed(struct utf8_decoder *decoder, uint8_t byte, uint32_t *point);

/* Writes the 1 to 4 bytes of a scalar value and returns their number;
 * 0 if point is a surrogate or above 0x10FFFF. Not terminated. */
size_t utf8_encode(uint32_t point, uint8_t out[UTF8_MAX]);

/* Decodes the first scalar value of text. Returns the bytes taken; 0 for an empty text, or one that
 * does not begin with a complete legal sequence. */
size_t utf8_decode(const uint8_t *text, size_t length, uint32_t *point);

/* True if the point may be shown in one line of a terminal, a message or a table. Excluded are
 * controls, which terminals execute, line separators, and invisible points that change visible
 * ones: direction marks, which reverse a name, fillers, tags (Unicode 15, chapter 23.2 to 23.9; UTS
 * 39, 3.1). ZWJ and ZWNJ are allowed, as some scripts need them. */
bool utf8_is_plain(uint32_t point);

/* Copies foreign text as one line that may be shown; '?' replaces every character that is not plain
 * and every invalid byte. Writes at most size - 1 bytes, truncated at a character, and a NUL; size
 * is at least 1. out may be text itself. Returns the bytes written. */
size_t utf8_plain(char *out, size_t size, const char *text, size_t length);

#endif
