/* The order of a line: its placed key events, numbered from 1. Pure; bounded. All memory is
 * allocated at once. */
#ifndef SESSION_SEQUENCE_H
#define SESSION_SEQUENCE_H

#include "session/event.h"

#define SEQUENCE_MAX (4u << 20) /* most keys: 14 minutes of the greatest flood */

struct sequence {
    struct key_event *event; /* number n is event[n - 1] */
    uint64_t count;
    uint64_t by[PARTIES]; /* count of keys by each party */
};

/* False: no memory. */
bool sequence_init(struct sequence *sequence);
void sequence_free(struct sequence *sequence);
void sequence_clear(struct sequence *sequence);

/* False: the sequence is full. */
bool sequence_append(struct sequence *sequence, const struct key_event *event);

/* A chained hash (SipHash-2-4) over events 1 to n. Equal hashes mean equal events. */
uint64_t sequence_chain(const struct sequence *sequence, uint64_t n);

/* Writes the longest run of keys from number `first` on, of one party and one time, that fits
 * `room` bytes of UTF-8. Returns the number of keys; 0: none. */
unsigned sequence_run(const struct sequence *sequence, uint64_t first, uint8_t *text, size_t room,
                      size_t *length);

#endif
