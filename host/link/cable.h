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

/* What was seen at the two ends; the first is this one. Where a driver was not tried, or an end not
 * asked, its bit in `known` is clear and in `from` means nothing. */
struct cable_seen {
    struct cable_end end[2];
    uint8_t known[2];
    bool box;      /* the controller's box is in it */
    bool box_far;  /* and this is the entity's end */
    bool moving;   /* the other end moves its outputs, it is not known which when, */
    uint8_t moved; /* and these inputs here follow (LEVEL_ bits) */
};

/* Which cables look like this: writes at most `room`, returns how many there are. Good ones first,
 * and turned round they count too. None if nothing is known. */
size_t cable_match(const struct cable_seen *seen, const struct cable **out, size_t room);

/* Which of that cable's ends, 'a' or 'b', is this one, of a cable that looks like it; 0: both
 * would. */
char cable_here(const struct cable *cable, const struct cable_seen *seen);

/* The good cable that differs from it in the fewest wires; and those wires. wire[] are lines such
 * as "pin 7 (RTS) here to pin 8 (CTS) there: missing". */
struct cable_difference {
    const struct cable *cable;
    size_t wires;
    char wire[8][80];
};
void cable_nearest(const struct cable_seen *seen, struct cable_difference *out);

/* A picture of it, lines of at most 72 columns ended by newlines. Returns the length. */
size_t cable_draw(const struct cable_seen *seen, char *text, size_t size);

/* What the levels of the inputs, one for each of the four settings of two outputs (LEVEL_RTS and
 * LEVEL_DTR being 1 in the index), tell: the bits rts and dtr for those that an input follows. Adds
 * them to end->from. */
void cable_follow(struct cable_end *end, const uint8_t inputs[4], uint8_t rts, uint8_t dtr);

#endif
