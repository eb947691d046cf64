/* The table of the cables between two machines: first the null-modem cables of wiring/cables.txt,
 * then the pairs of 1:1 cables of wiring/box.txt, with the controller's box between them. Pure
 * data. */
#ifndef BASE_CABLES_H
#define BASE_CABLES_H

#include <stdbool.h>
#include <stdint.h>

/* One bit for each output that may drive an input. OWN outputs are at the input's end of the cable,
 * PEER outputs at the other end. */
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
    uint8_t from[CABLE_INPUTS]; /* the outputs that drive each input, as bits */
};

struct cable {
    const char *name, *words;
    const char *cure; /* the remedy for the cable's fault; NULL for a good cable or a harmless
                       * fault */
    bool box;         /* the cable passes through the controller's box; its end 0 is at the judge's
                       * machine */
    struct cable_end end[2];
};

/* All cables. The first row is a null-modem cable with all its wires; a NULL name ends the
 * table. */
extern const struct cable cables[];

#endif
