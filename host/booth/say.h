/* The messages of all rooms that speak to people. */
#ifndef BOOTH_SAY_H
#define BOOTH_SAY_H

#include "base/message.h"

/* Ends with a NULL name. */
extern const struct message_room message_rooms[];

/* A message as its reader gets it who has called the steward: whoever has called is not asked to
 * call again, which would take the call back. Any other text is returned as it is. */
const char *message_called(const char *text);

#endif
