/* The frames of the exchange between two ends that check their line.
 *
 * A frame before its checksum:  type role id:4 peer:4 number:2 body
 *   CALL    levels:1 and the end's facts of struct probe_self
 *   ASK     op:1 arguments        number counts the questions; a repeated one has the same
 *   ANSWER  op:1 arguments        number is the question's
 * peer is the id of the other end, 0 if it has not been heard. */
#ifndef LINK_PROBE_FRAME_H
#define LINK_PROBE_FRAME_H

#include "link/frame.h"

/* Seed of the checksum, different from a link's. */
#define PROBE_SEED 0x43484543u

enum { CALL = 0x51, ASK = 0x52, ANSWER = 0x53 };
enum { OP_SELF = 1, OP_LEVELS, OP_DRIVE, OP_RATE, OP_SYNC, OP_PING, OP_COUNT, OP_DONE };
enum { PROBE_BODY = 192 };

#endif
