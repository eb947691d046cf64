/* UTF-8 (RFC 3629). The decoder takes single bytes, as its callers show each key at once. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_MAX 4

/* A decoder's state between two bytes; the caller zeroes it at the start. */
struct utf8_decoder {
    uint32_t point; /* the bits of the character that were received so far */
    uint8_t need;   /* the number of missing continuation bytes */
    uint8_t low;    /* low and high: the least and the greatest legal next byte */
    uint8_t high;
};

enum utf8_step {
    UTF8_MORE,  /* the sequence is not complete */
    UTF8_POINT, /* *point is a scalar value */
    UTF8_BAD,   /* this byte ends an illegal sequence */
    UTF8_AGAIN, /* an illegal sequence ended before this byte, and the caller must feed the byte
                 * again */
};

/* Gives the decoder one byte. Resets the decoder after UTF8_BAD and UTF8_AGAIN. */
enum utf8_step utf8_feed(struct utf8_decoder *decoder, uint8_t byte, uint32_t *point);

/* Writes the 1 to 4 bytes of a scalar value, without a NUL, and returns their number; 0 if the
 * point is a surrogate or above 0x10FFFF. */
size_t utf8_encode(uint32_t point, uint8_t out[UTF8_MAX]);

/* Decodes the first scalar value of a text. Returns the number of its bytes; 0 if the text does not
 * begin with a complete legal sequence. */
size_t utf8_decode(const uint8_t *text, size_t length, uint32_t *point);

/* True if the point may be shown in one line of a terminal, a message or a table. False for
 * controls, line separators, and invisible points that change visible ones: direction marks,
 * fillers and tags (Unicode 15, chapter 23.2 to 23.9; UTS 39, 3.1). ZWJ and ZWNJ are allowed, since
 * some scripts need them. */
bool utf8_is_plain(uint32_t point);

/* Copies another program's text as one printable line. Each character that is not plain and each
 * invalid byte becomes '?'. Writes at most size - 1 bytes, ending with a whole character, and a
 * NUL; size is at least 1. `out` may be `text`. Returns the number of bytes without the NUL. */
size_t utf8_plain(char *out, size_t size, const char *text, size_t length);

#endif
