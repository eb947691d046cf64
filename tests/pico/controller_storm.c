/* The same on a Raspberry Pi Pico. */
#include "tests/chip/storm.h"

int main(void)
{
    return storm_run("pico_controller_storm", 20000);
}
