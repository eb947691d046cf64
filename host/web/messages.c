#define SAY_ROWS
#include "base/message.h"

extern const struct message web_messages[];
const struct message web_messages[] = {
#include "web/messages.h"
    {0}};
