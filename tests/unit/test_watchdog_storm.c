/* Storms on the core of the firmware, compiled for this computer: see tests/sim/controller/storm.h.
 */
#include "tests/sim/controller/storm.h"

int main(void)
{
    return storm_run("watchdog_storm", STORM_SENTENCES);
}
