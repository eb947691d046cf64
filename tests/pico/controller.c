/* The same on a Raspberry Pi Pico. */
#include "tests/unit/test_controller.c"
