/* Pacing: what is taken as a pace, and that keys never bunch up whatever the loop does. */
#include "entity/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void parses(void **state)
{
    static const struct {
        const char *text;
        uint32_t interval_us, spread_us;
    } good[] = {{"1", 1000, 0},
                {"110", 110000, 0},
                {"10000", 10000000, 0},
                {"110\xC2\xB1"
                 "30",
                 110000, 30000},
                {"110+-30", 110000, 30000},
                {"5+-5", 5000, 5000},
                {"5+-0", 5000, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct pace pace = {.next_us = 7};
        struct bl_diag diag = {{0}};
        assert_int_equal(pace_parse(&pace, good[i].text, &diag), BL_OK);
        assert_int_equal(pace.interval_us, good[i].interval_us);
        assert_int_equal(pace.spread_us, good[i].spread_us);
        assert_int_equal(pace.next_us, 0);
    }
}

static void refuses(void **state)
{
    static const char *const bad[] = {"",
                                      "0",
                                      "-1",
                                      "10001",
                                      "99999999999999999999",
                                      "12ms",
                                      "1.5",
                                      "5+-6",
                                      "5+-",
                                      "5+3",
                                      "+-3",
                                      " 5",
                                      "5 ",
                                      "5+-3 ",
                                      "5+-99999999999",
                                      "5\xC2",
                                      "abc",
                                      "5\xC2\xB1\xC2\xB1"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct pace pace = {.interval_us = 42};
        struct bl_diag diag = {{0}};
        assert_int_equal(pace_parse(&pace, bad[i], &diag), BL_DATA);
        assert_int_equal(pace.interval_us, 42);
        assert_int_equal(strncmp(diag.text, "pace \"", 6), 0);
    }
    struct bl_diag diag;
    struct pace pace;
    pace_parse(&pace, "5+-6", &diag);
    assert_non_null(strstr(diag.text, "may be at most"));
}

static void ends_of_the_spread(void **state)
{
    struct pace pace;
    (void)state;
    assert_int_equal(pace_parse(&pace, "100+-30", NULL), BL_OK);
    assert_int_equal(pace_due(&pace, 5000), 5000); /* the first key waits for nothing */
    pace_went(&pace, 5000, 0);
    assert_int_equal(pace_due(&pace, 6000), 5000 + 70000);
    pace_went(&pace, 5000, UINT32_MAX);
    assert_int_equal(pace_due(&pace, 6000), 5000 + 130000);
    assert_int_equal(pace_due(&pace, 999999), 999999); /* and a late one goes at once */
}

/* Keys wait in a queue while the loop comes late and stalls at random: no gap is ever shorter than
 * the interval less the deviation. */
static void never_bunches(void **state)
{
    const char *given = getenv("SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    (void)state;
    printf("# SEED=%u\n", seed);
    srandom(seed);
    for (unsigned round = 0; round < 200; round++) {
        uint32_t interval_us = 1000u * (1 + (uint32_t)random() % 1000);
        struct pace pace = {.interval_us = interval_us,
                            .spread_us = 1000u * ((uint32_t)random() % (interval_us / 1000 + 1))};
        uint64_t now = (uint64_t)random(), last = 0, total = 0;
        for (unsigned key = 0; key < 200; key++) {
            uint64_t due = pace_due(&pace, now);
            assert_true(due >= now);
            now = due + (random() % 4 ? 0 : (uint64_t)random() % 3000000);
            if (last) {
                assert_true(now - last >= pace.interval_us - pace.spread_us);
                assert_true(due - last <= pace.interval_us + pace.spread_us);
                total += due - last;
            }
            last = now;
            pace_went(&pace, now, (uint32_t)random() << 1 | (uint32_t)(random() & 1));
        }
        /* The mean is the interval: 199 gaps of uniform deviation stay well within a fifth of it.
         */
        assert_true(total / 199 > interval_us - interval_us / 5 &&
                    total / 199 < interval_us + interval_us / 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses),
        cmocka_unit_test(refuses),
        cmocka_unit_test(ends_of_the_spread),
        cmocka_unit_test(never_bunches),
    };
    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
