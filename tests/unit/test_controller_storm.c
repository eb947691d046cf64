/* Storms on the firmware's own ELF: see tests/sim/controller/storm.h. */
#include "tests/sim/controller/storm.h"

int main(void)
{
    return storm_run("controller_storm", 8000);
}
