/* Frames on a byte stream: COBS between zero bytes (Cheshire & Baker, IEEE/ACM ToN 7(2), 1999),
 * ended by a CRC-32C whose seed is the connection's. Every byte is complemented before the
 * stuffing. Our contents have many zeros (the upper bytes of times and counters) and few 0xFF.
 * After the complement a short frame is usually one COBS block, whose code byte gives its length.
 * Pure. */
#ifndef LINK_FRAME_H
#define LINK_FRAME_H

#include <stddef.h>
#include <stdint.h>

#define FRAME_CRC 4
/* Least and greatest content of a frame on any medium, checksum included. */
#define FRAME_LEAST (2 + FRAME_CRC)
#define FRAME_MAX   1400
/* Most bytes of COBS and two delimiters for n bytes. */
#define FRAME_STUFFED(n) ((n) + (n) / 254 + 1 + 2)

/* The greatest content of a frame on a line of this speed: 64 bytes, or a frame of 20 ms, whichever
 * is more. This limits a key's wait for another frame. baud 0: unpaced. */
size_t frame_room(uint32_t baud);

/* Appends the checksum to a frame of length bytes. The buffer has FRAME_CRC bytes more. Returns the
 * new length. */
size_t frame_seal(uint8_t *frame, size_t length, uint32_t seed);

/* The length without the checksum; 0: the checksum is wrong, or the frame is empty. */
size_t frame_open(const uint8_t *frame, size_t length, uint32_t seed);

/* Writes a delimiter, the COBS of the frame, and a delimiter. out has FRAME_STUFFED(length) bytes.
 * Returns the length. */
size_t frame_stuff(const uint8_t *frame, size_t length, uint8_t *out);

/* The state of a receiver between two bytes. All zeros at the start. */
struct frame_reader {
    uint8_t frame[FRAME_MAX];
    uint16_t length;
    uint8_t code;   /* length of the present COBS block; 0: before the first block */
    uint8_t left;   /* bytes of the block still to come */
    uint8_t bad;    /* the frame is damaged; bytes are skipped up to the delimiter */
    uint8_t ended;  /* the last byte ended a frame or a fault */
    uint8_t zeros;  /* delimiters in a row */
    uint8_t asked;  /* tests for completeness of this frame */
    uint8_t early;  /* the frame was taken before its delimiter, which must follow */
    uint32_t taken; /* bytes since the delimiter */
};

enum frame_step {
    FRAME_MORE,  /* nothing yet */
    FRAME_MAYBE, /* frame[0..length) is a frame if its checksum is right: call frame_take() then */
    FRAME_WHOLE, /* frame[0..length) is a frame whose checksum is not yet verified */
    FRAME_GARBAGE, /* bytes outside of frames; `taken` has their number */
};

/* Feeds one byte; the stream may be split anywhere. The frame stays until the next call. */
enum frame_step frame_feed(struct frame_reader *reader, uint8_t byte);

/* Takes the frame after FRAME_MAYBE, before its delimiter, which saves a key 87 us at 115,200 baud.
 * The delimiter then ends the frame without a report. If other bytes follow instead, these and the
 * taken bytes are judged as one frame. */
void frame_take(struct frame_reader *reader);

/* The line has been silent for FRAME_PAUSE_US, longer than a frame can pause. Drops the bytes of an
 * unfinished frame, and returns their number. */
#define FRAME_PAUSE_US 200000u
size_t frame_abandon(struct frame_reader *reader);

/* The fewest bytes still to come before a frame can be whole, without its delimiter. 0: between
 * frames, in a damaged frame, and before the delimiter of a taken one. */
size_t frame_missing(const struct frame_reader *reader);

#endif
