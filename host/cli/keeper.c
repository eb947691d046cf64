/* "boothlink keeper": the process that holds an Entry. `boothlink entity` starts it. */
#include "entity/keeper.h"

#include "cli/command.h"

static int keeper_run(const struct command *command, int argc, char **argv)
{
    (void)command;
    return keeper_main(argc, argv);
}

const struct command command_keeper = {
    .name = "keeper",
    .synopsis = "",
    .help = "hold an Entry while its terminal is started again",
    .text = "Started by `boothlink entity`, not by hand.",
    .hidden = true,
    .run = keeper_run,
};
