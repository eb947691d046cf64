#define SAY_ROWS
#include "base/message.h"

extern const struct message terminal_messages[];
const struct message terminal_messages[] = {
#include "terminal/messages.h"
    {0}};
