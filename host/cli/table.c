/* The subcommands in the order of the help: a line for each, with its users. Command X is
 * command_X, in a file of its own. */
#include "booth/say.h"
#include "command/command.h"

#include <stddef.h>

/* clang-format off */
#define EACH_COMMAND(_) \
    _(demo, "Used most") \
    _(class, "Used most") \
    _(validate, "Used most") \
    _(booth, "Used most") \
    _(check, "Used most") \
    _(contest, "Used most") \
    _(judge, "At a judge's and an entity's machine") \
    _(entity, "At a judge's and an entity's machine") \
    _(line, "At a judge's and an entity's machine") \
    _(key, "At a judge's and an entity's machine") \
    _(ports, "Staff") \
    _(controller, "Staff") \
    _(tap, "Staff") \
    _(desk, "The manager") \
    _(transcript, "The manager") \
    _(replay, "The manager") \
    _(journal, "The manager") \
    _(lpp_judge, "Entrants") \
    _(keeper, "All") \
    _(help, "All") \
    _(version, "All")
/* clang-format on */

#define DECLARE(name, who) extern const struct command command_##name;
EACH_COMMAND(DECLARE)

#define ROW(name, who) &command_##name,
#define WHO(name, who) who,
const struct command *const commands[] = {EACH_COMMAND(ROW) NULL};
const struct message_room *const command_messages = message_rooms;
const char *const command_users[] = {EACH_COMMAND(WHO)};
