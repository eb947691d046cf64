#define SAY_ROWS
#include "base/message.h"

extern const struct message screen_messages[];
const struct message screen_messages[] = {
#include "screen/messages.h"
    {0}};
