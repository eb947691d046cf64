/* Compares the observed signals of a line with the null-modem cables of base/cables.h and names
 * those that fit. Pure. */
#ifndef LINK_CABLE_H
#define LINK_CABLE_H

#include "base/cables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Levels of the modem lines, as bits. */
enum {
    LEVEL_CTS = 1,
    LEVEL_DSR = 2,
    LEVEL_DCD = 4,
    LEVEL_RI = 8,
    LEVEL_RTS = 1,
    LEVEL_DTR = 2,
};

/* The observations at both ends; end[0] is this end. known[] has a bit for each output that was
 * switched and observed at that end. If the bit is clear, the same bit in end[].from has no
 * meaning. */
struct cable_seen {
    struct cable_end end[2];
    uint8_t known[2];
    bool box;      /* the controller's box is in the line */
    bool box_far;  /* this end is the entity's, at the box's far side; only used with `box` */
    bool moving;   /* the other end switches its outputs, at times that this end does not know */
    uint8_t moved; /* inputs of this end that changed during the calls (LEVEL_ bits) */
};

/* Finds the cables that fit the observations in either direction. Writes at most `room` cables, the
 * good ones first. Returns the number of all that fit; 0: also if nothing is known. */
size_t cable_match(const struct cable_seen *seen, const struct cable **out, size_t room);

/* The local end, 'a' or 'b', of a cable that cable_match() found; 0: the cable fits in both
 * directions. */
char cable_here(const struct cable *cable, const struct cable_seen *seen);

/* The good cable with the fewest differing wires, and these wires. A wire is a line such as "pin 7
 * (RTS) here to pin 8 (CTS) there: missing". */
struct cable_difference {
    const struct cable *cable;
    size_t wires;
    char wire[8][80];
};
void cable_nearest(const struct cable_seen *seen, struct cable_difference *out);

/* Draws the cable in lines of at most 72 columns, each ended by a newline. Returns the length. */
size_t cable_draw(const struct cable_seen *seen, char *text, size_t size);

/* Adds `rts` or `dtr` to end->from for each input that follows an output. inputs[s] are the input
 * levels while the two outputs are set to s (LEVEL_RTS and LEVEL_DTR bits). */
void cable_follow(struct cable_end *end, const uint8_t inputs[4], uint8_t rts, uint8_t dtr);

#endif
