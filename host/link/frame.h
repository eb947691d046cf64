/* Frames on a byte stream: COBS between zero bytes (Cheshire & Baker, IEEE/ACM ToN 7(2), 1999),
 * ended by a CRC-32C whose seed is the connection's. Every byte is complemented before the
 * stuffing. Our contents have many zeros (the upper bytes of times and counters) and hardly ever a
 * 0xFF, so after the complement a short frame is one COBS block, whose first code byte tells its
 * length. Pure. */
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

/* The greatest content of a frame on a line of this speed. Such a frame takes at most 64 bytes or
 * 20 ms, whichever is more, so a key never waits long for one. baud 0: unpaced. */
size_t frame_room(uint32_t baud);

/* Appends the checksum to a frame of length bytes; the buffer needs FRAME_CRC bytes more. Returns
 * the new length. */
size_t frame_seal(uint8_t *frame, size_t length, uint32_t seed);

/* The length without the checksum if the checksum is right and the frame has contents, else 0. */
size_t frame_open(const uint8_t *frame, size_t length, uint32_t seed);

/* Writes delimiter, COBS of the frame, delimiter. out must have FRAME_STUFFED(length).
 * Returns the bytes written. */
size_t frame_stuff(const uint8_t *frame, size_t length, uint8_t *out);

/* The state of a receiver between two bytes. Zeroed is the start. */
struct frame_reader {
    uint8_t frame[FRAME_MAX];
    uint16_t length;
    uint8_t code;   /* length of the COBS block being read, 0 before the first */
    uint8_t left;   /* bytes of the block still to come */
    uint8_t bad;    /* the frame is damaged; bytes are skipped up to the delimiter */
    uint8_t ended;  /* the last byte ended a frame or a fault: the next byte begins anew */
    uint8_t zeros;  /* delimiters in a row */
    uint8_t asked;  /* tests of the frame for completeness */
    uint8_t early;  /* the frame was taken before its delimiter, which must come next */
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
 * The delimiter then ends the frame without a report. If other bytes follow, the checksum was right
 * by chance or the delimiter is damaged; then these bytes and the taken ones are judged as one
 * frame. */
void frame_take(struct frame_reader *reader);

/* The line has been silent for longer than a frame can pause (FRAME_PAUSE_US): drops the bytes of
 * an unfinished frame. Returns their number. */
#define FRAME_PAUSE_US 200000u
size_t frame_abandon(struct frame_reader *reader);

/* The fewest bytes that must still come before a frame can be whole, without its delimiter: 0
 * between frames, in damaged ones and before the delimiter of a taken one. Exact for a frame of one
 * block after its code byte. */
size_t frame_missing(const struct frame_reader *reader);

#endif
