/* Storms on the core of the firmware, compiled for this computer: see tests/sim/controller/storm.h.
 * SOAK in the environment makes them long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/sim/controller/storm.h"

static void test_schedules(void **state)
{
    struct dice dice = dice_make(dice_seed("schedules"));
    unsigned ended = 0, count = getenv("SOAK") ? 1000 : 100;

    (void)state;
    for (unsigned i = 0; i < count; i++)
        ended += storm_session(&dice);
    print_message("# %u of %u sessions came to their end\n", ended, count);
    assert_true(ended > count / 2);
}

static void test_sentences(void **state)
{
    struct dice dice = dice_make(dice_seed("sentences"));

    (void)state;
    storm_sentences(&dice, getenv("SOAK") ? 1000000 : 200000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_sentences),
    };

    return cmocka_run_group_tests_name("watchdog_storm", tests, NULL, NULL);
}
