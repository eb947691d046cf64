/* In the place of host/cli/table.c: the commands that a venue's day needs. */
#include "booth/say.h"
#include "command/command.h"

extern const struct command command_booth, command_judge, command_entity, command_contest,
    command_key;

const struct command *const commands[] = {&command_booth,   &command_judge, &command_entity,
                                          &command_contest, &command_key,   NULL};
const struct message_room *const command_messages = message_rooms;
const char *const command_users[] = {"All", "All", "All", "The manager", "All"};
