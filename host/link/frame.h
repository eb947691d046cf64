/* Frames on a byte stream: COBS between zero bytes (Cheshire & Baker, IEEE/ACM ToN 7(2), 1999), with a
 * CRC-32C at the end whose seed is the connection's. Pure. */
#ifndef LINK_FRAME_H
#define LINK_FRAME_H

#include <stddef.h>
#include <stdint.h>

#define FRAME_CRC 4
/* Greatest content, checksum included, that is ever put in a frame on any medium. */
#define FRAME_MAX 1400
/* Bytes that COBS and two delimiters add to n bytes. */
#define FRAME_STUFFED(n) ((n) + (n) / 254 + 1 + 2)

/* Appends the checksum to a frame of length bytes; the buffer must have FRAME_CRC more. Returns the
 * new length. */
size_t frame_seal(uint8_t *frame, size_t length, uint32_t seed);

/* The length without the checksum if it is right, else 0. */
size_t frame_open(const uint8_t *frame, size_t length, uint32_t seed);

/* Writes delimiter, COBS of the frame, delimiter. out must have FRAME_STUFFED(length).
 * Returns the bytes written. */
size_t frame_stuff(const uint8_t *frame, size_t length, uint8_t *out);

/* A receiver between two bytes. Zeroed is the start. */
struct frame_reader {
    uint8_t frame[FRAME_MAX];
    uint16_t length;
    uint8_t code;    /* of the COBS block being read, 0 before the first */
    uint8_t left;    /* bytes still to come in it */
    uint8_t bad;     /* this frame is damaged; wait for the delimiter */
    uint32_t taken;  /* bytes since the delimiter */
};

enum frame_step {
    FRAME_MORE,    /* nothing yet */
    FRAME_WHOLE,   /* frame[0..length) holds a frame, its checksum not yet judged */
    FRAME_GARBAGE, /* a delimiter ended bytes that were no frame; `taken` says how many */
};

/* Feeds one byte, in any split of the stream. The frame stays until the next call. */
enum frame_step frame_feed(struct frame_reader *reader, uint8_t byte);

/* The fewest bytes that must still come before a frame can end: 0 between frames. */
size_t frame_missing(const struct frame_reader *reader);

#endif
