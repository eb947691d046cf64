#define SAY_ROWS
#include "base/message.h"

extern const struct message session_messages[];
const struct message session_messages[] = {
#include "session/messages.h"
    {0}};
