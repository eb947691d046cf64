/* An adapter's word for the record, on the socket of entity/apart_told.h; or, where nobody has
 * given it one, as lines "outcome: ..." on standard error, for the person who has started it. */
#ifndef ADAPTER_OUTCOME_H
#define ADAPTER_OUTCOME_H

#include "entity/apart_told.h"

/* Closes all descriptors but those below `kept`, the socket, if there is one, and `port` behind it,
 * 0: none. The socket is this process's alone. */
void outcome_begin(unsigned kept, unsigned port);

/* One line, of that many such events, of at most NOTE_MAX bytes; "..." ends a longer one. */
void outcome_tell(enum apart_news news, uint32_t count, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sends a packet, and waits for room. False: the other end is gone. */
bool outcome_send(const struct apart_said *said);

#endif
