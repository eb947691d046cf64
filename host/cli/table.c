/* The subcommands, in the order of the help: a line for each. Command X is command_X, in a file of
 * its own. */
#include "cli/command.h"

#include <stddef.h>

/* clang-format off */
#define EACH_COMMAND(_) \
    _(demo) \
    _(journal) \
    _(transcript) \
    _(contest) \
    _(validate) \
    _(replay) \
    _(booth) \
    _(judge) \
    _(lpp_judge) \
    _(entity) \
    _(line) \
    _(key) \
    _(tap) \
    _(check) \
    _(ports) \
    _(controller) \
    _(keeper) \
    _(help) \
    _(version)
/* clang-format on */

#define DECLARE(name) extern const struct command command_##name;
EACH_COMMAND(DECLARE)

#define ROW(name) &command_##name,
const struct command *const commands[] = {EACH_COMMAND(ROW) NULL};
