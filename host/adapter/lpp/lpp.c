/* boothlink-lpp: makes and removes the directories of an Entry that speaks LPP. An entity's
 * terminal starts it with two descriptors and no arguments (entity/lpp_task.h). It ends with its
 * terminal. */
#include "base/status.h"
#include "entity/lpp_task.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 1)
        return lpp_task_serve();
    fputs("boothlink-lpp: expected to be started by boothlink entity --lpp\n", stderr);
    return bl_status_exit(BL_USAGE);
}
