/* Finds out which of the null-modem cables in base/cables.h a line has, by where signals came out.
 * Pure. */
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

/* The findings at the two ends; end[0] is this one. known[] has a bit for each output that was
 * tried and watched at that end; where it is clear, the same bit in end[].from means nothing. */
struct cable_seen {
    struct cable_end end[2];
    uint8_t known[2];
    bool box;      /* the controller's box is in it */
    bool box_far;  /* and this end is the entity's */
    bool moving;   /* the other end switches its outputs, but which one when is not known */
    uint8_t moved; /* then: the inputs here changing with them (LEVEL_ bits) */
};

/* Finds the cables looking like this, whichever way round they are plugged in: writes at most
 * `room` of them, the good ones first, and returns how many there are. None if nothing is known. */
size_t cable_match(const struct cable_seen *seen, const struct cable **out, size_t room);

/* The local end of a cable found by cable_match(): 'a' or 'b'; 0: the cable fits either way
 * round. */
char cable_here(const struct cable *cable, const struct cable_seen *seen);

/* The good cable with the fewest differing wires; and those wires. wire[] are lines such as "pin 7
 * (RTS) here to pin 8 (CTS) there: missing". */
struct cable_difference {
    const struct cable *cable;
    size_t wires;
    char wire[8][80];
};
void cable_nearest(const struct cable_seen *seen, struct cable_difference *out);

/* A picture, lines of at most 72 columns ended by newlines. Returns the length. */
size_t cable_draw(const struct cable_seen *seen, char *text, size_t size);

/* inputs[s] are the input levels seen with two outputs set to s (LEVEL_RTS and LEVEL_DTR bits). For
 * each input that follows an output, adds `rts` or `dtr` to its end->from. */
void cable_follow(struct cable_end *end, const uint8_t inputs[4], uint8_t rts, uint8_t dtr);

#endif
