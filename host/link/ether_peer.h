/* The other end of a line on Ethernet, where any machine may send anything. While an end has no
 * peer, it sends to all addresses. The sender that proves to belong to the connection becomes the
 * peer, and only the peer's address is heard until the connection ends. Nothing here is secure by
 * itself: the link verifies each frame. With a peer on a line with a secret, every sealed frame but
 * our own is passed to the link, since address and number are outside the seal, and an attacker who
 * changes them on the way must not silence the peer. Pure. */
#ifndef LINK_ETHER_PEER_H
#define LINK_ETHER_PEER_H

#include "link/ether_frame.h"
#include "link/core.h"

struct ether_peer {
    enum link_role role;
    bool sealed; /* the line has a secret */
    uint32_t instance;
    char line[ETHER_LINE_MAX + 1];
    bool known;
    struct ether_address address;
    uint32_t peer_instance, newest; /* number of the newest frame that the link took */
    uint8_t seen;                   /* bit i: frame newest - i was taken */
    uint64_t refused_us, noticed_us, proved_us;
};

enum ether_verdict {
    ETHER_TAKE,   /* the frame is for the link */
    ETHER_IGNORE, /* the frame is not for the link */
    ETHER_REFUSE, /* the frame is not for the link, and its sender is to get ETHER_TAKEN */
};

/* instance is a random number from the caller, not 0. */
void ether_peer_init(struct ether_peer *peer, enum link_role role, uint32_t instance,
                     const char *line, bool sealed);

/* Judges a frame of the line. notice gets a line where a person should know, else ""; at most one
 * such line and four ETHER_REFUSE a second. */
enum ether_verdict ether_peer_hear(struct ether_peer *peer, uint64_t now_us,
                                   const struct ether_frame *frame, char notice[LINK_REASON_MAX]);

/* Takes note of a frame of another version of the protocol. True if a person should be told; never
 * while there is a connection, whose peer has our version. */
bool ether_peer_versions(struct ether_peer *peer, uint64_t now_us);

/* The link has verified that the frame belongs to its connection. */
void ether_peer_proved(struct ether_peer *peer, uint64_t now_us, const struct ether_frame *frame);

/* The connection has ended. */
void ether_peer_lost(struct ether_peer *peer);

/* The address to send to: the peer's, or the broadcast address. After half a second without a
 * verified frame it is the broadcast address, too: the peer's address may be false, or the peer may
 * have another card now. */
const struct ether_address *ether_peer_address(const struct ether_peer *peer, uint64_t now_us);

#endif
