/* Ballots and ranks: what each ruleset takes, and the one line that says why not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/ballot.h"
#include "tests/support/rules.h"
#include "tests/support/plan.h"

static struct ruleset rules;
static struct schedule schedule;

static void use(const char *name)
{
    rules_load(&rules, name);
    schedule = rules.printed;
}

static void expect(const struct ballot *ballot, const struct ballot *cast, unsigned count,
                   const char *said)
{
    struct bl_diag diag = {""};
    enum bl_status status = ballot_check(ballot, &rules, &schedule, cast, count, &diag);
    assert_int_equal(status, said ? BL_DATA : BL_OK);
    if (said && !strstr(diag.text, said))
        fail_msg("'%s' does not say '%s'", diag.text, said);
}

static void test_2004_A15_points(void **state)
{
    (void)state;
    use("loebner-2004");
    struct ballot ballot = {.judge = 0, .entry = 0, .confederate = 0};
    static const struct {
        int16_t entry, confederate;
        const char *said;
    } rows[] = {
        {51, 49, NULL},          {0, 100, NULL},         {100, 0, NULL},
        {50, 50, "is a tie"},    {51, 50, "100 in all"}, {101, -1, "100 in all"},
        {-1, 101, "100 in all"}, {0, 0, "100 in all"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ballot.entry_points = rows[i].entry;
        ballot.confederate_points = rows[i].confederate;
        expect(&ballot, NULL, 0, rows[i].said);
    }
}

static void test_a_pair_not_seen_and_a_second_ballot(void **state)
{
    (void)state;
    use("loebner-2009");
    struct ballot ballot = {.judge = 0, .entry = 0, .confederate = 0};
    expect(&ballot, NULL, 0, NULL);
    expect(&ballot, &ballot, 1, "voted on this session already");
    ballot.confederate = 1; /* J1 meets E1 with C1 */
    expect(&ballot, NULL, 0, "judge 1 has no session");
    ballot.confederate = PERSON_NOBODY;
    expect(&ballot, NULL, 0, "judge 1 has no session");
}

static void test_2003_r46_scale(void **state)
{
    (void)state;
    use("loebner-2003");
    plan_all(&schedule, 5, 2, 1, true);
    struct ballot ballot = {.judge = 4, .entry = 2, .confederate = PERSON_NOBODY, .rating = 3250};
    expect(&ballot, NULL, 0, NULL);
    ballot.rating = 5000;
    expect(&ballot, NULL, 0, NULL);
    ballot.rating = 0; /* not accessible: it counts */
    expect(&ballot, NULL, 0, NULL);
    ballot.rating = 5001;
    expect(&ballot, NULL, 0, "from 0 to 5");
    ballot.rating = -1;
    expect(&ballot, NULL, 0, "from 0 to 5");
}

static void expect_ranks(const struct ranking *ranking, unsigned count, const struct ballot *cast,
                         unsigned ballots, unsigned entries, const char *said)
{
    struct bl_diag diag = {""};
    enum bl_status status = ranking_check(ranking, count, &rules, cast, ballots, entries, &diag);
    assert_int_equal(status, said ? BL_DATA : BL_OK);
    if (said && !strstr(diag.text, said))
        fail_msg("'%s' does not say '%s'", diag.text, said);
}

/* A judge who took two Entries for the human ranks two confederates with the other two Entries. */
static void test_2009_3b_ranks(void **state)
{
    (void)state;
    use("loebner-2009");
    const struct ballot cast[] = {
        {.judge = 0, .entry = 0, .confederate = 0, .entry_human = true},
        {.judge = 0, .entry = 1, .confederate = 1},
        {.judge = 0, .entry = 2, .confederate = 2, .entry_human = true},
        {.judge = 0, .entry = 3, .confederate = 3},
    };
    struct ranking ranking[] = {{0, 4, 4, 0}, {0, 1, 1, 0}, {0, 6, 3, 0}, {0, 3, 2, 0}};
    expect_ranks(ranking, 4, cast, 4, 4, NULL);
    expect_ranks(ranking, 3, cast, 4, 4, "3 ranks: expected 4");
    ranking[0].rank = 1;
    expect_ranks(ranking, 4, cast, 4, 4, "expected 1 to 4, each once");
    ranking[0].rank = 5;
    expect_ranks(ranking, 4, cast, 4, 4, "expected 1 to 4, each once");
    ranking[0] = (struct ranking){0, 0, 4, 0}; /* judged to be the human */
    expect_ranks(ranking, 4, cast, 4, 4, "not judged non-human");
    ranking[0] = (struct ranking){0, 6, 4, 0};
    expect_ranks(ranking, 4, cast, 4, 4, "has two ranks");
    ranking[0] = (struct ranking){1, 4, 4, 0};
    expect_ranks(ranking, 4, cast, 4, 4, "expected 0");
}

static void test_long_bet_II_14_ranks(void **state)
{
    (void)state;
    use("longbet-2002");
    struct ballot cast[4];
    struct ranking ranking[4];
    for (unsigned i = 0; i < 4; i++) {
        cast[i] = (struct ballot){.judge = 2, .entry = (uint8_t)i, .confederate = PERSON_NOBODY};
        ranking[i] = (struct ranking){2, (uint8_t)i, (uint8_t)(4 - i), 0};
    }
    expect_ranks(ranking, 4, cast, 4, 1, NULL);
    ranking[3].candidate = 5;
    expect_ranks(ranking, 4, cast, 4, 1, "not interviewed");
    ranking[3].candidate = 3;
    ranking[3].trial = 1;
    expect_ranks(ranking, 4, cast, 4, 1, "two trials");
}

static void test_no_ranks_are_asked_for(void **state)
{
    (void)state;
    use("loebner-2004");
    const struct ranking ranking = {0, 0, 1, 0};
    expect_ranks(&ranking, 1, NULL, 0, 4, "no ranks are asked for");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_2004_A15_points),
        cmocka_unit_test(test_a_pair_not_seen_and_a_second_ballot),
        cmocka_unit_test(test_2003_r46_scale),
        cmocka_unit_test(test_2009_3b_ranks),
        cmocka_unit_test(test_long_bet_II_14_ranks),
        cmocka_unit_test(test_no_ranks_are_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
