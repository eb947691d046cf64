#define SAY_ROWS
#include "booth/say.h"

#include <string.h>

static const struct message booth_messages[] = {
#include "booth/messages.h"
    {0}};

extern const struct message session_messages[], screen_messages[], terminal_messages[],
    web_messages[];

const struct message_room message_rooms[] = {
    {"session", session_messages},   {"booth", booth_messages}, {"screen", screen_messages},
    {"terminal", terminal_messages}, {"web", web_messages},     {0}};

const char *message_called(const char *text)
{
    for (const struct message_room *room = message_rooms; room->room; room++)
        for (const struct message *row = room->row; row->text; row++)
            if (row->called && strcmp(row->text, text) == 0)
                return row->called;
    return text;
}
