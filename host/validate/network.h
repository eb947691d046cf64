/* An Entry's attempts on the network. In its sandbox all routes, and its resolver, lead to a device
 * whose other end is here: each datagram is noted and answered as by an absent network, so a
 * program which can do without one goes on at once. Sources: RFC 791, 792, 768, 1035, 4443,
 * 8200. */
#ifndef VALIDATE_NETWORK_H
#define VALIDATE_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#define NETWORK_NOTES 32
#define NETWORK_TEXT  300

/* One try, and its number. */
struct network_note {
    char text[NETWORK_TEXT]; /* "look-up of www.example.org", "TCP to 192.0.2.1 port 80" */
    unsigned count;
};

/* Zeroed is the start. Attempts without room in a list are counted only. */
struct network {
    struct network_note frame[NETWORK_NOTES], lookup[NETWORK_NOTES];
    unsigned frames, lookups;         /* rows in use */
    unsigned frames_all, lookups_all; /* datagrams; a look-up is in both */
};

#define NETWORK_FRAME_MAX 2048

/* Takes a datagram from the sandbox. Writes the answer, 0 bytes if none, and returns its length.
 * Pure; any bytes are allowed. */
size_t network_take(struct network *network, const uint8_t *frame, size_t length,
                    uint8_t answer[NETWORK_FRAME_MAX]);

/* Adds another one's notes. */
void network_merge(struct network *network, const struct network *other);

#endif
