/* Records on their way into frames and out of them. A frame's payload is one whole record (alone),
 * or pieces, each after a prefix:
 *
 *   0nnnnnnn            a whole record of n bytes
 *   1flcnnnn nnnnnnnn   n bytes of a record; f: its first piece, l: its last, c: its class
 *
 * Pure. */
#ifndef LINK_QUEUE_H
#define LINK_QUEUE_H

#include "link/link.h"

/* Bytes of waiting records of one class; each record takes two bytes more. A power of two. */
#define QUEUE_BYTES 16384u

/* Waiting records of one class. All zeros: empty. */
struct record_queue {
    uint8_t bytes[QUEUE_BYTES];
    uint32_t head, used;
    uint32_t begun; /* number of bytes of the first record that are packed already */
};

/* Takes a copy; false if there is no room. */
bool queue_put(struct record_queue *queue, const uint8_t *record, size_t length);
bool queue_empty(const struct record_queue *queue);

struct payload {
    size_t length;
    bool alone;
    unsigned records; /* number of records that end in the payload */
};

/* Fills a payload of at most room bytes (at least 3) from a queue that is not empty. Further pieces
 * are added while the payload stays within fill bytes. */
struct payload queue_pack(struct record_queue *queue, enum link_class class, uint8_t *out,
                          size_t room, size_t fill);

/* Records that arrive in pieces, one of each class at a time. All zeros at the start. */
struct record_joiner {
    struct {
        uint8_t bytes[LINK_RECORD_MAX];
        size_t length;
        bool open;
    } part[2];
};

/* Hands over each record completed by a payload, in order, while hand() answers BL_OK. Any other
 * answer is returned. BL_DATA: not a payload of queue_pack. */
enum bl_status joiner_take(struct record_joiner *joiner, const uint8_t *payload, size_t length,
                           bool alone,
                           enum bl_status (*hand)(void *ctx, const uint8_t *record, size_t length),
                           void *ctx);

#endif
