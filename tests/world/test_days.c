/* Whole days of a venue by their seeds. tests/soak/world.sh plays 300. */
#include "tests/world/day.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "rules/rulesets.h"

#include <inttypes.h>
#include <string.h>

#define DAYS    20
#define LESSONS 4 /* more days, by the rules of one */
#define SPARES  8 /* and with a spare machine in mid-session */

/* Seeds that failed once, with what was mended. */
static const struct regression {
    struct day_setup setup;
    const char *was;
} regressions[] = {
    {{.seed = 103, .rules = &day_rules[DAY_2009], .mishaps = 4, .only = UINT64_MAX, .plain = true},
     "verification counted the time in which a judge's terminal was away as open"},
    {{.seed = 31, .rules = &day_rules[DAY_2009], .mishaps = 4, .only = UINT64_MAX, .plain = true},
     "verification said of a key that came back that it was placed after the end"},
    {{.seed = 76, .rules = &day_rules[DAY_2004], .mishaps = 4, .only = UINT64_MAX, .plain = true},
     "the same, of a key on the left"},
    {{.seed = 6186, .mishaps = 2, .only = UINT64_MAX, .lines = UNCONTROLLED},
     "a terminal was killed at the end, its record went on a stick, and a power cut took the tail"},
    {{.seed = 1070, .mishaps = 2, .only = 1u << 2 | 1u << 26 | 1u << 28, .lines = UNCONTROLLED},
     "a judge's terminal that was killed behind the end left keys to one end alone"},
    {{.seed = 568, .mishaps = 2, .only = UINT64_MAX, .lines = CONTROLLED},
     "verification counted a pause as open: a controller had no power"},
};

static void test_regressions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof regressions / sizeof *regressions; i++) {
        struct day_result got;
        day_apart(&regressions[i].setup, &got);
        if (got.wrong[0])
            print_message("# %s: %s\n", regressions[i].was, got.wrong);
        assert_string_equal(got.wrong, "");
    }
}

static void test_days(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= DAYS + LESSONS; seed++) {
        /* Every fourth has no mishap. */
        struct day_setup setup = {.seed = seed, .mishaps = seed % 4, .only = UINT64_MAX};
        struct day_result got;
        if (seed > DAYS)
            setup.rules = &day_rules[DAY_CLASS];
        day_apart(&setup, &got);
        if (!got.wrong[0])
            continue;
        failed++;
        print_message("# build/tests/world/day --seed %" PRIu64 " --faults %u%s    %s\n", seed,
                      setup.mishaps, setup.rules ? " --ruleset class" : "", got.wrong);
    }
    assert_int_equal(failed, 0);
}

/* A judge's machine fails in mid-session, and a spare one takes the session over: with a
 * controller, which has stopped the clock meanwhile, and without. */
static void test_spares(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SPARES; seed++) {
        struct day_setup setup = {
            .seed = seed, .spare = true, .lines = seed % 2 ? CONTROLLED : UNCONTROLLED};
        struct day_result got;
        day_apart(&setup, &got);
        if (!got.wrong[0])
            continue;
        failed++;
        print_message("# build/tests/world/day --seed %" PRIu64
                      " --spare --lines %s --faults 0    %s\n",
                      seed, setup.lines == CONTROLLED ? "cut" : "free", got.wrong);
    }
    assert_int_equal(failed, 0);
}

static void test_same_seed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct day_setup setup = {.seed = seed, .mishaps = 2, .only = UINT64_MAX};
        struct day_result first, second;
        day_apart(&setup, &first);
        day_apart(&setup, &second);
        assert_int_equal(first.hash, second.hash);
        assert_true(first.sessions > 0 && first.keys > 0);
        setup.seed += 1000;
        day_apart(&setup, &second);
        assert_true(first.hash != second.hash);
    }
}

static void test_each_ruleset_has_days(void **state)
{
    (void)state;
    for (const struct built_text *text = ruleset_texts; text->name; text++) {
        unsigned i = 0;
        while (i < DAY_RULES && strcmp(day_rules[i].name, text->name) != 0)
            i++;
        if (i == DAY_RULES)
            print_message("# day_rules.c has no %s\n", text->name);
        assert_true(i < DAY_RULES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_seed),
                                       cmocka_unit_test(test_each_ruleset_has_days),
                                       cmocka_unit_test(test_regressions),
                                       cmocka_unit_test(test_days), cmocka_unit_test(test_spares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
