/* UTF-8 (RFC 3629), byte by byte, because nothing here waits for a line. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_MAX 4

/* A decoder between two bytes. Zeroed is the start. */
struct utf8_decoder {
    uint32_t point; /* bits so far */
    uint8_t need;   /* continuation bytes still to come */
    uint8_t low;    /* least and greatest next byte that keep the sequence legal */
    uint8_t high;
};

enum utf8_step {
    UTF8_MORE,  /* the sequence is not complete */
    UTF8_POINT, /* *point is a scalar value */
    UTF8_BAD,   /* an illegal sequence ended; this byte was taken */
    UTF8_AGAIN, /* an illegal sequence ended before this byte: feed the byte again */
};

/* Feeds one byte. After UTF8_BAD and UTF8_AGAIN the decoder is at its start. */
enum utf8_step utf8_feed(struct utf8_decoder *decoder, uint8_t byte, uint32_t *point);

/* Writes the 1 to 4 bytes of a scalar value and returns their number;
 * 0 if point is a surrogate or above 0x10FFFF. Not terminated. */
size_t utf8_encode(uint32_t point, uint8_t out[UTF8_MAX]);

/* Decodes the first scalar value of text. Returns the bytes taken, 0 if length is 0
 * or if the text does not begin with a whole legal sequence. */
size_t utf8_decode(const uint8_t *text, size_t length, uint32_t *point);

/* True if the point may be shown as such, in one line of a terminal, a message or a table. Not
 * controls, which a terminal obeys, line separators, and unseen points that change the visible
 * ones: marks of direction, which turn a name around, fillers, tags (Unicode 15, chapter 23.2 to
 * 23.9; UTS 39, 3.1). ZWJ and ZWNJ, which some scripts spell with, may. */
bool utf8_is_plain(uint32_t point);

/* Copies text of somebody else as one line that may be shown: every character that is not plain,
 * and every byte that is no UTF-8, becomes '?'. Writes at most size - 1 bytes, cut at a character,
 * and a NUL; size is 1 at least. out may be text itself. Returns the bytes written. */
size_t utf8_plain(char *out, size_t size, const char *text, size_t length);

#endif
