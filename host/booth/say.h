/* The messages of all rooms that speak to people. */
#ifndef BOOTH_SAY_H
#define BOOTH_SAY_H

#include "base/message.h"

/* The last room has a NULL name. */
extern const struct message_room message_rooms[];

/* A message's form for a reader who has called the steward, without the request to call. A second
 * call would take the first one back. Any other text is returned unchanged. */
const char *message_called(const char *text);

#endif
