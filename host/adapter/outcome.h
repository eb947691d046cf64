/* Reports an adapter's events for the record, on the socket of entity/apart_told.h. Without the
 * socket, writes lines "outcome: ..." to standard error. */
#ifndef ADAPTER_OUTCOME_H
#define ADAPTER_OUTCOME_H

#include "entity/apart_told.h"

/* Closes all descriptors except those below `kept`, the socket if there is one, and `port` (0:
 * none), whose number is the next. Child processes do not inherit the socket. */
void outcome_begin(unsigned kept, unsigned port);

/* Reports `count` events in one line of at most NOTE_MAX bytes; "..." ends a truncated line. */
void outcome_tell(enum apart_news news, uint32_t count, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sends a packet; blocks until there is room. False: the other end is lost. */
bool outcome_send(const struct apart_said *said);

#endif
