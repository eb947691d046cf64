/* A line in memory and in simulated time, for tests: real stuffed bytes, paced at a baud rate, in
 * both directions at once, with everything that goes wrong on a cable or a hub. Pure: the same seed
 * and the same calls give the same line. */
#ifndef SUPPORT_MEMORY_H
#define SUPPORT_MEMORY_H

#include "link/medium.h"

/* Chances, from 0 to 1. The last three are of whole frames, as on a hub. */
struct memory_faults {
    double bit_error;         /* of each bit */
    double lose, twice, late; /* late: overtaken by the next frames */
};

struct memory_wire;

/* baud 0: unpaced. NULL: no memory. */
struct memory_wire *memory_create(uint32_t baud, uint64_t seed);
void memory_destroy(struct memory_wire *wire);

/* Who is told what arrives at end 0 or 1: frame, early, garbage, and idle after a batch. None of
 * them may send. */
void memory_listen(struct memory_wire *wire, unsigned end, const struct medium_callbacks *callbacks,
                   void *ctx);

/* As of now. Bytes that are on their way through an unplugged cable are gone. */
void memory_faults(struct memory_wire *wire, const struct memory_faults *faults);
void memory_unplug(struct memory_wire *wire, uint64_t now_us, bool unplugged);
/* What this end sends comes back to it, as from a plug that joins pins 2 and 3. */
void memory_loop_back(struct memory_wire *wire, unsigned end, bool looped);
/* This end uses another speed. */
void memory_baud(struct memory_wire *wire, unsigned end, uint32_t baud);
/* This end's transmit wire is broken. */
void memory_mute(struct memory_wire *wire, unsigned end, bool mute);

/* As the medium's operations: see medium.h. */
void memory_describe(const struct memory_wire *wire, unsigned end, struct link_wire *out);
bool memory_ready(const struct memory_wire *wire, unsigned end, uint64_t now_us);
/* When the wire is ready at the latest. */
uint64_t memory_ready_us(const struct memory_wire *wire, unsigned end);
void memory_send(struct memory_wire *wire, unsigned end, uint64_t now_us, const uint8_t *frame,
                 size_t length);

/* When something arrives next at this end, UINT64_MAX if nothing is on its way. */
uint64_t memory_next_us(const struct memory_wire *wire, unsigned end);
/* Hands over all that has arrived by now. */
void memory_receive(struct memory_wire *wire, unsigned end, uint64_t now_us);

/* Bytes that this end has put on the wire. */
uint64_t memory_bytes(const struct memory_wire *wire, unsigned end);

#endif
