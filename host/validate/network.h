/* Observes an Entry's attempts on the network. In the sandbox all routes and the resolver lead to a
 * TUN device whose other end is here. Each datagram is noted and answered as if there were no
 * network. Sources: RFC 791, 792, 768, 1035, 4443, 8200. */
#ifndef VALIDATE_NETWORK_H
#define VALIDATE_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#define NETWORK_NOTES 32
#define NETWORK_TEXT  300

/* One attempt and its count. */
struct network_note {
    char text[NETWORK_TEXT]; /* "look-up of www.example.org", "TCP to 192.0.2.1 port 80" */
    unsigned count;
};

/* Zeroed at the start. Attempts beyond the end of a list are only counted. */
struct network {
    struct network_note frame[NETWORK_NOTES], lookup[NETWORK_NOTES];
    unsigned frames, lookups;         /* rows in use */
    unsigned frames_all, lookups_all; /* all datagrams; a look-up counts in both */
};

#define NETWORK_FRAME_MAX 2048

/* Takes a datagram from the sandbox and writes the answer. Returns the answer's length; 0: none.
 * Pure; any bytes are allowed. */
size_t network_take(struct network *network, const uint8_t *frame, size_t length,
                    uint8_t answer[NETWORK_FRAME_MAX]);

/* Adds the notes of `other`. */
void network_merge(struct network *network, const struct network *other);

#endif
