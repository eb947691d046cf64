/* A table of the null-modem cables in wiring/cables.txt, followed by the pairs of 1:1 cables with
 * the controller's box between them, in wiring/box.txt. Pure data. */
#ifndef BASE_CABLES_H
#define BASE_CABLES_H

#include <stdbool.h>
#include <stdint.h>

/* Bits for the sources of an input's level, as seen from the input's end. */
#define CABLE_OWN_TX   0x01
#define CABLE_PEER_TX  0x02
#define CABLE_OWN_RTS  0x04
#define CABLE_PEER_RTS 0x08
#define CABLE_OWN_DTR  0x10
#define CABLE_PEER_DTR 0x20
#define CABLE_OWN      (CABLE_OWN_TX | CABLE_OWN_RTS | CABLE_OWN_DTR)
#define CABLE_PEER     (CABLE_PEER_TX | CABLE_PEER_RTS | CABLE_PEER_DTR)

enum cable_input { CABLE_RX, CABLE_CTS, CABLE_DSR, CABLE_DCD, CABLE_RI, CABLE_INPUTS };

struct cable_end {
    uint8_t from[CABLE_INPUTS]; /* CABLE_OWN_ and CABLE_PEER_ bits of each input */
};

struct cable {
    const char *name, *words;
    const char *cure; /* the remedy; NULL for a good cable or a harmless fault */
    bool box;         /* through the controller's box; end 0 is at the judge's machine */
    struct cable_end end[2];
};

/* All cables; the first is a full cable, a NULL name ends the table. */
extern const struct cable cables[];

#endif
