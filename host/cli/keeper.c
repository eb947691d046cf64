/* "boothlink keeper": the process that holds an Entry. `boothlink entity` starts it, or systemd. */
#include "entity/keeper.h"

#include "command/command.h"

const struct command command_keeper = {
    .name = "keeper",
    .synopsis = "",
    .help = "hold an Entry while its terminal is started again",
    .text = "Started by `boothlink entity` or by systemd, not by hand.",
    .hidden = true,
    .main = keeper_main,
};
