/* The messages of all rooms that speak to people. */
#ifndef BOOTH_SAY_H
#define BOOTH_SAY_H

#include "base/message.h"

/* The last room has a NULL name. */
extern const struct message_room message_rooms[];

/* The form of a message for a reader who has called the steward already, without its request to
 * call: a second call would take the first one back. Any other text is returned unchanged. */
const char *message_called(const char *text);

#endif
