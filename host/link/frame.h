/* Frames on a byte stream: COBS between zero bytes (Cheshire & Baker, IEEE/ACM ToN 7(2), 1999),
 * with a CRC-32C at the end whose seed is the connection's. Every byte is complemented before the
 * stuffing: our contents are full of zeros (the upper bytes of times and counters) and hold a 0xFF
 * almost never, so a short frame is one COBS block and its first code byte tells where it ends.
 * Pure. */
#ifndef LINK_FRAME_H
#define LINK_FRAME_H

#include <stddef.h>
#include <stdint.h>

#define FRAME_CRC 4
/* Least and greatest content of a frame on any medium, checksum included. */
#define FRAME_LEAST (2 + FRAME_CRC)
#define FRAME_MAX   1400
/* The most bytes of COBS and two delimiters for n bytes. */
#define FRAME_STUFFED(n) ((n) + (n) / 254 + 1 + 2)

/* The greatest content of a frame on a line of the speed: such a frame takes at most 64 bytes or 20
 * ms, whichever is more, so a key never waits long for one. baud 0: unpaced. */
size_t frame_room(uint32_t baud);

/* Appends the checksum to a frame of length bytes; the buffer must have FRAME_CRC more. Returns the
 * new length. */
size_t frame_seal(uint8_t *frame, size_t length, uint32_t seed);

/* The length without the checksum if right and behind something, else 0. */
size_t frame_open(const uint8_t *frame, size_t length, uint32_t seed);

/* Writes delimiter, COBS of the frame, delimiter. out must have FRAME_STUFFED(length).
 * Returns the bytes written. */
size_t frame_stuff(const uint8_t *frame, size_t length, uint8_t *out);

/* A receiver between two bytes. Zeroed is the start. */
struct frame_reader {
    uint8_t frame[FRAME_MAX];
    uint16_t length;
    uint8_t code;   /* of the COBS block being read, 0 before the first */
    uint8_t left;   /* its bytes still to come */
    uint8_t bad;    /* the frame is damaged; wait for the delimiter */
    uint8_t ended;  /* the last byte ended something: the next one begins anew */
    uint8_t zeros;  /* delimiters in a row */
    uint8_t asked;  /* times the frame was thought to be whole */
    uint8_t early;  /* taken before its delimiter, which must come next */
    uint32_t taken; /* bytes since the delimiter */
};

enum frame_step {
    FRAME_MORE,    /* nothing yet */
    FRAME_MAYBE,   /* frame[0..length) is a frame if its checksum is right: then frame_take() it */
    FRAME_WHOLE,   /* frame[0..length) holds a frame, its checksum not yet judged */
    FRAME_GARBAGE, /* bytes of no frame; `taken` says how many */
};

/* Feeds one byte, in any split of the stream. The frame stays until the next call. */
enum frame_step frame_feed(struct frame_reader *reader, uint8_t byte);

/* Takes the frame after FRAME_MAYBE, before its delimiter, which takes a key 87 us at 115,200 baud.
 * The delimiter then ends it in silence. Should other bytes follow, so the checksum was right by
 * chance or the delimiter is damaged, then they and the bytes taken are judged as one frame. */
void frame_take(struct frame_reader *reader);

/* The line has been silent for longer than a frame can pause (FRAME_PAUSE_US): the bytes of an
 * unfinished one are dropped. Returns their number. */
#define FRAME_PAUSE_US 200000u
size_t frame_abandon(struct frame_reader *reader);

/* The fewest bytes that must still come before a frame can be whole, its delimiter not counted: 0
 * between frames, in damaged ones and before the delimiter of one that was taken. Exact for a frame
 * of one block after the code byte. */
size_t frame_missing(const struct frame_reader *reader);

#endif
