/* The frames of the protocol, for their makers, for listeners and for tests.
 *
 * A frame before its checksum:
 *   HELLO  type 'B' 'L' version role boot:4 id:4 seen:4     (role has a flag: a challenge)
 *   DATA   type ack number [n bitmap:n] payload
 *   ACK    type ack [n bitmap:n]
 *   BYE    type ack [why]                               (why: enum bye, if not BYE_CLOSED)
 * The type's byte has flags in its upper bits. ack is the number of the next expected frame; the
 * bitmap tells the later frames that are here already: bit i for ack + 1 + i. */
#ifndef LINK_CORE_FRAME_H
#define LINK_CORE_FRAME_H

#include "link/frame.h"

enum {
    TYPE_HELLO = 1,
    TYPE_DATA = 2,
    TYPE_ACK = 3,
    TYPE_BYE = 4,
    TYPE_MASK = 0x07,
    FLAG_BITMAP = 0x08,
    FLAG_PIECES = 0x10, /* the payload is in pieces: more than one record alone */
};

enum { DATA_HEAD = 3, HELLO_LENGTH = 17, HELLO_ID = 9 }; /* offset of the id */

#define HELLO_SEED 0x424C3031u /* for the checksum of a hello, which belongs to no connection */

/* Seal and open a frame. The seed is that of the connection and the direction. Frames of an older
 * connection, or returned by a mirror, fail. */
uint32_t core_seed(uint32_t from, uint32_t to);
size_t core_seal(uint8_t *frame, size_t length, uint32_t seed);
size_t core_open(const uint8_t *frame, size_t length, uint32_t seed);

#endif
