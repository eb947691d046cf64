/* The frame around the link's frames on Ethernet: the line, the sender and the true length, since
 * short frames are padded on the way. The frame is neither encrypted nor authenticated; the link's
 * frame inside may be. Pure.
 *
 * After the addresses and the EtherType 0x88B5 (IEEE 802, Local Experimental 1), big-endian:
 *
 *   14  'B' 'L'         against other experiments
 *   16  version         1
 *   17  kind and role   kind in the low four bits, role in the next two
 *   18  length          of the payload, 2 bytes
 *   20  line            its name, 12 bytes, zeros behind it
 *   32  instance        drawn by each end when it opens the line, 4 bytes
 *   36  number          of the frame among all of its instance, 4 bytes
 *   40  payload */
#ifndef LINK_ETHER_FRAME_H
#define LINK_ETHER_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ETHER_TYPE        0x88B5
#define ETHER_VERSION     1
#define ETHER_LINE_MAX    12
#define ETHER_HEAD        40 /* bytes before the payload */
#define ETHER_LINE_AT     20
#define ETHER_PAYLOAD_MAX 1400
#define ETHER_FRAME_MAX   (ETHER_HEAD + ETHER_PAYLOAD_MAX)
#define ETHER_TEXT_MAX    18 /* length of an address as text, with its end */

struct ether_address {
    uint8_t byte[6];
};

extern const struct ether_address ether_everybody;

enum ether_kind {
    ETHER_DATA = 1,  /* a frame of the link */
    ETHER_TAKEN = 2, /* for an end that tries to join: this line already has two ends. No payload */
};

struct ether_frame {
    struct ether_address to, from;
    enum ether_kind kind;
    unsigned role;
    char line[ETHER_LINE_MAX + 1]; /* name, then zeros */
    uint32_t instance, number;
    const uint8_t *payload; /* points into the read bytes */
    size_t length;
};

enum ether_sort {
    ETHER_OURS,
    ETHER_FOREIGN, /* a frame of no line */
    ETHER_VERSIONS /* a frame of a line, from another version of the program */
};

/* A line's name is 1 to ETHER_LINE_MAX letters, digits, '.', '_' or '-'. */
bool ether_line_good(const char *name);

/* Decodes a frame. *frame is written for ETHER_OURS only. */
enum ether_sort ether_frame_read(struct ether_frame *frame, const uint8_t *bytes, size_t length);

/* Encodes a frame into out, which has ETHER_FRAME_MAX bytes. Returns the length. payload may
 * already be in out, at ETHER_HEAD. */
size_t ether_frame_write(const struct ether_frame *frame, uint8_t *out);

bool ether_same(const struct ether_address *a, const struct ether_address *b);

/* The usual text of an address, "02:00:00:ab:cd:ef". Returns text. */
const char *ether_text(const struct ether_address *address, char text[ETHER_TEXT_MAX]);

#endif
