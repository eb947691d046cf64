/* The peer at the other end of a line on Ethernet, where anybody may send anything. Without a peer
 * yet an end calls to all; the peer is the sender that then proves to be of the connection, and
 * only its address is heard until the connection ends. Nothing here is secure by itself: the link
 * judges each frame. While there is a peer on a line with a secret, every sealed frame but our own
 * goes there, for address and number are outside the seal, and an attacker who changes them on the
 * way must not silence the peer. Pure. */
#ifndef LINK_ETHER_PEER_H
#define LINK_ETHER_PEER_H

#include "link/ether_frame.h"
#include "link/link.h"

/* So many frames may overtake one; a later one is dropped, and sent again by the link: the link's
 * own numbers run over, and would take a frame held back for long for a new one. */
#define ETHER_OVERTAKE 3

struct ether_peer {
    enum link_role role;
    bool sealed; /* the line has a secret */
    uint32_t instance;
    char line[ETHER_LINE_MAX + 1];
    bool known;
    struct ether_address address;
    uint32_t peer_instance, newest; /* number of its newest frame the link took */
    uint8_t seen;                   /* bit i: newest - i was taken */
    uint64_t refused_us, noticed_us, proved_us;
};

enum ether_verdict {
    ETHER_TAKE,   /* for the link */
    ETHER_IGNORE, /* it is not */
    ETHER_REFUSE, /* it is not, and its sender is to be told by ETHER_TAKEN */
};

/* instance is drawn by the caller, not 0. */
void ether_peer_init(struct ether_peer *peer, enum link_role role, uint32_t instance,
                     const char *line, bool sealed);

/* Judges a frame of the line. Where a person should know, notice gets a line, else ""; such lines
 * come at most once a second, and ETHER_REFUSE four times. */
enum ether_verdict ether_peer_hear(struct ether_peer *peer, uint64_t now_us,
                                   const struct ether_frame *frame, char notice[LINK_REASON_MAX]);

/* A frame of another version of the protocol came: whether a person should be told. Not while there
 * is a connection, whose peer it cannot be. */
bool ether_peer_versions(struct ether_peer *peer, uint64_t now_us);

/* The link has found the taken frame to belong to its connection. */
void ether_peer_proved(struct ether_peer *peer, uint64_t now_us, const struct ether_frame *frame);

/* The connection has ended. */
void ether_peer_lost(struct ether_peer *peer);

/* The address to send to: the peer's, or everybody's. Everybody's also after half a second without
 * proof: the address may be wrong, by somebody's doing, or the peer's card another one now. */
const struct ether_address *ether_peer_address(const struct ether_peer *peer, uint64_t now_us);

#endif
