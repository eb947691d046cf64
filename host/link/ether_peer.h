/* The other end of a line on Ethernet, where any machine may send anything. An end without a peer
 * sends to all addresses. The sender that is proven to belong to the connection becomes the peer.
 * Until the connection ends, only frames from the peer's address are taken. On a line with a
 * secret, every sealed frame from another machine goes to the link: address and number are outside
 * the seal, and a forger of these must not silence the peer. The link verifies each frame. Pure. */
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
    uint32_t peer_instance, newest; /* newest: number of the newest frame taken by the link */
    uint8_t seen;                   /* bit i: frame newest - i was taken */
    uint64_t refused_us, noticed_us, proved_us;
};

enum ether_verdict {
    ETHER_TAKE,   /* the frame is for the link */
    ETHER_IGNORE, /* the frame is not for the link */
    ETHER_REFUSE, /* the frame is not for the link; its sender gets ETHER_TAKEN */
};

/* instance is a random number, not 0. */
void ether_peer_init(struct ether_peer *peer, enum link_role role, uint32_t instance,
                     const char *line, bool sealed);

/* Judges a frame of the line. notice gets a line for a person, or "". At most one such line and
 * four ETHER_REFUSE a second. */
enum ether_verdict ether_peer_hear(struct ether_peer *peer, uint64_t now_us,
                                   const struct ether_frame *frame, char notice[LINK_REASON_MAX]);

/* Notes a frame of another version of the protocol. True: a person should know. False during a
 * connection. */
bool ether_peer_versions(struct ether_peer *peer, uint64_t now_us);

/* The link has verified the frame: it belongs to the connection. */
void ether_peer_proved(struct ether_peer *peer, uint64_t now_us, const struct ether_frame *frame);

void ether_peer_lost(struct ether_peer *peer);

/* The address to send to: the peer's, or the broadcast address. After half a second without a
 * verified frame the broadcast address is used, since the peer may have another card. */
const struct ether_address *ether_peer_address(const struct ether_peer *peer, uint64_t now_us);

#endif
