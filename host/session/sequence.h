/* The one order of a line: its placed key events, numbered from 1. Pure; bounded; all memory is
 * allocated at once (the system commits used pages only). */
#ifndef SESSION_SEQUENCE_H
#define SESSION_SEQUENCE_H

#include "session/event.h"

#define SEQUENCE_MAX (4u << 20) /* keys: 14 minutes of the greatest flood, months of typing */

struct sequence {
    struct key_event *event; /* number n is event[n - 1] */
    uint64_t count;
    uint64_t by[PARTIES]; /* count of keys by each party */
};

/* false: no memory. */
bool sequence_init(struct sequence *sequence);
void sequence_free(struct sequence *sequence);
void sequence_clear(struct sequence *sequence);

/* false: full. */
bool sequence_append(struct sequence *sequence, const struct key_event *event);

/* A hash over events 1 to n, each chained to those before, so two ends with the same value have the
 * same n events. SipHash-2-4. */
uint64_t sequence_chain(const struct sequence *sequence, uint64_t n);

/* The longest run from event number `first` on, of one party and one time, within room bytes of
 * UTF-8. Writes its text and returns the number of keys, 0 if there are none. */
unsigned sequence_run(const struct sequence *sequence, uint64_t first, uint8_t *text, size_t room,
                      size_t *length);

#endif
