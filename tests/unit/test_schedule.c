/* Schedules: the printed tables, the fewest rounds, unequal numbers and what is left of a contest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "rules/schedule.h"
#include "tests/support/least.h"
#include "tests/support/random.h"

static struct schedule schedule;
static struct schedule_need need;
static struct schedule_bound bound;
static struct bl_diag diag;

static void assert_each_once(const unsigned range[2])
{
    assert_int_equal(range[0], 1);
    assert_int_equal(range[1], 1);
}

static void solve(const struct schedule *printed)
{
    if (schedule_make(&schedule, &need, printed, &bound, &diag))
        fail_msg("%u %u %u: %s", need.judges, need.entries, need.confederates, diag.text);
}

static void need_all(unsigned judges, unsigned entries, unsigned confederates)
{
    schedule_need_all(&need, judges, entries, confederates, false);
}

static void test_equal_numbers(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= SCHEDULE_ENTRIES_MAX; n++) {
        struct schedule_quality quality;
        need_all(n, n, n);
        solve(NULL);
        assert_int_equal(bound.way, SCHEDULE_SQUARE);
        assert_true(bound.best);
        assert_int_equal(schedule.rounds, n == 2 ? 4 : n == 6 ? 7 : n);
        assert_int_equal(schedule.count, n * n);
        schedule_measure(&schedule, &quality);
        assert_int_equal(quality.booked_twice, 0);
        assert_each_once(quality.judge_entry);
        assert_each_once(quality.judge_confederate);
        assert_each_once(quality.entry_confederate);
        assert_true(quality.waits == 0 || n == 2 || n == 6);
    }
    need_all(0, 0, 0);
    assert_int_equal(schedule_make(&schedule, &need, NULL, &bound, &diag), BL_DATA);
    need.judges = need.entries = need.confederates = SCHEDULE_ENTRIES_MAX + 1;
    assert_int_equal(schedule_make(&schedule, &need, NULL, &bound, &diag), BL_DATA);
}

static void add_rounds(const char *const *row, unsigned count)
{
    memset(&schedule, 0, sizeof schedule);
    for (unsigned i = 0; i < count; i++)
        if (schedule_add_round(&schedule, row[i], &diag))
            fail_msg("%s", diag.text);
}

/* 2009 §3b, as printed. */
static const char *const rounds_2009[] = {
    "J1E1C1 J2E3C2", "J4E1C2 J3E3C1 J2E4C3", "J3E1C3 J4E3C4 J1E2C2", "J2E1C4 J3E4C2",
    "J2E2C1 J1E3C3", "J1E4C4 J4E2C3",        "J4E4C1 J3E2C4",
};

static void test_printed_rows_are_read(void **state)
{
    (void)state;
    struct schedule_quality quality;
    add_rounds(rounds_2009, 7);
    assert_int_equal(schedule.rounds, 7);
    assert_int_equal(schedule.count, 16);
    assert_int_equal(schedule.judges, 4);
    schedule_measure(&schedule, &quality);
    assert_int_equal(quality.booked_twice, 0);
    assert_each_once(quality.judge_entry);
    assert_each_once(quality.judge_confederate);
    assert_each_once(quality.entry_confederate);
}

static void expect_fault(const char *row, const char *said)
{
    memset(&schedule, 0, sizeof schedule);
    assert_int_equal(schedule_add_round(&schedule, row, &diag), BL_DATA);
    if (!strstr(diag.text, said))
        fail_msg("'%s' does not say '%s'", diag.text, said);
}

static void test_faults_are_named(void **state)
{
    (void)state;
    expect_fault("", "without a meeting");
    expect_fault("J1E1C1 J2E1C2", "'J2E1C2': somebody");
    expect_fault("J1E1C1 J1E2C2", "'J1E2C2': somebody");
    expect_fault("J1E1C1 J2E2C1", "'J2E2C1': somebody");
    expect_fault("J1E1", "'J1E1': expected a meeting such as");
    expect_fault("J1E1C1x", "'J1E1C1x'");
    expect_fault("J0E1C1", "'J0E1C1'");
    expect_fault("J1E65C1", "'J1E65C1'");
    expect_fault("J99999999999999999999E1C1", "a meeting such as");
    expect_fault("E1J1C1", "'E1J1C1'");
}

/* The long runs do more of what is the same for each case. */
static unsigned times(unsigned count)
{
    return getenv("SOAK") ? 20 * count : count;
}

/* Nobody is in two places, or with somebody whom he may not meet, and all that can meet meet once:
 * a look at an answer that shares no code with what made it. */
static void check_answer(unsigned number)
{
    unsigned met[SCHEDULE_ENTRIES_MAX][SCHEDULE_ENTRIES_MAX] = {{0}}, unmet = 0;
    for (unsigned a = 0; a < schedule.count; a++) {
        const struct meeting *x = &schedule.meeting[a];
        assert_true(x->round < schedule.rounds && x->confederate < need.confederates);
        assert_true(a == 0 || schedule.meeting[a - 1].round <= x->round);
        assert_false(need.absent[x->confederate] || need.apart_judge[x->judge][x->confederate] ||
                     need.apart_entry[x->entry][x->confederate]);
        met[x->judge][x->entry]++;
        for (unsigned b = a; b-- && schedule.meeting[b].round == x->round;) {
            const struct meeting *y = &schedule.meeting[b];
            if (x->judge == y->judge || x->entry == y->entry || x->confederate == y->confederate)
                fail_msg("case %u: somebody twice in round %u", number, x->round);
        }
    }
    for (unsigned j = 0; j < need.judges; j++) {
        for (unsigned e = 0; e < need.entries; e++) {
            bool can = false;
            for (unsigned c = 0; c < need.confederates; c++)
                can =
                    can || (!need.absent[c] && !need.apart_judge[j][c] && !need.apart_entry[e][c]);
            assert_int_equal(met[j][e], need.entry_for_judge[j][e] && can);
            unmet += need.entry_for_judge[j][e] && !can;
        }
    }
    assert_int_equal(bound.unmet, unmet);
    assert_int_equal(bound.waits, schedule_waits(&schedule));
    assert_true(bound.rounds_least <= schedule.rounds && bound.missing_least <= bound.missing);
}

/* Five Entries are registered, and four of them play: 2004 and 2009 as printed, with no pair left
 * out and none met twice; and from squares. */
static void test_who_plays_is_numbered_first(void **state)
{
    (void)state;
    static struct schedule printed;
    struct schedule_quality quality;
    add_rounds(rounds_2009, 7);
    printed = schedule;
    for (unsigned out = 0; out < 5; out++) {
        for (unsigned optimal = 0; optimal < 2; optimal++) {
            need_all(4, 5, 4);
            for (unsigned j = 0; j < 4; j++)
                need.entry_for_judge[j][out] = false;
            solve(optimal ? NULL : &printed);
            check_answer(out);
            assert_int_equal(bound.way, optimal ? SCHEDULE_SQUARE : SCHEDULE_PRINTED);
            assert_int_equal(schedule.rounds, optimal ? 4 : 7);
            assert_int_equal(schedule.count, 16);
            for (unsigned i = 0; i < schedule.count; i++) /* one number less, to measure */
                schedule.meeting[i].entry -= schedule.meeting[i].entry > out;
            schedule.entries = 4;
            schedule_measure(&schedule, &quality);
            assert_each_once(quality.judge_entry);
            assert_each_once(quality.judge_confederate);
            assert_each_once(quality.entry_confederate);
        }
    }
}

static unsigned loads_apart(void)
{
    unsigned load[SCHEDULE_ENTRIES_MAX] = {0}, least, most;
    for (unsigned i = 0; i < schedule.count; i++)
        load[schedule.meeting[i].confederate]++;
    least = most = load[0];
    for (unsigned c = 1; c < schedule.confederates; c++) {
        least = load[c] < least ? load[c] : least;
        most = load[c] > most ? load[c] : most;
    }
    return most - least;
}

/* Near-equal numbers: in the least number of rounds no pair meets twice, and the numbers of
 * meetings differ by one at most. */
static void test_near_equal_numbers(void **state)
{
    (void)state;
    static const unsigned sizes[][4] = {{4, 4, 5, 4}, {4, 5, 5, 5}, {5, 4, 5, 5},
                                        {3, 4, 4, 4}, {9, 8, 9, 9}, {16, 15, 16, 16}};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct schedule_quality quality;
        need_all(sizes[i][0], sizes[i][1], sizes[i][2]);
        solve(NULL);
        check_answer(i);
        assert_int_equal(schedule.rounds, sizes[i][3]);
        assert_int_equal(bound.uneven, 0);
        assert_true(bound.best);
        schedule_measure(&schedule, &quality);
        assert_int_equal(quality.judge_confederate[1], 1);
        assert_int_equal(quality.entry_confederate[1], 1);
        assert_true(loads_apart() <= 1);
    }
    need_all(3, 3, 6); /* nobody of the six is left without a meeting */
    solve(NULL);
    check_answer(336);
    assert_int_equal(schedule.rounds, 3);
    assert_int_equal(loads_apart(), 1);
}

static void random_need(struct dice *dice, unsigned most)
{
    need_all(1 + (unsigned)dice_below(dice, most), 1 + (unsigned)dice_below(dice, most),
             1 + (unsigned)dice_below(dice, most));
    if (dice_below(dice, 2)) /* an Entry is withdrawn */
        for (unsigned j = 0, e = (unsigned)dice_below(dice, need.entries); j < need.judges; j++)
            need.entry_for_judge[j][e] = need.entries == 1;
    if (need.confederates > 1 && dice_below(dice, 2))
        need.absent[dice_below(dice, need.confederates)] = true;
}

static void random_conflicts(struct dice *dice, unsigned most)
{
    for (uint64_t k = dice_below(dice, most + 1); k; k--) {
        unsigned with = (unsigned)dice_below(dice, need.confederates);
        if (dice_below(dice, 2))
            need.apart_judge[dice_below(dice, need.judges)][with] = true;
        else
            need.apart_entry[dice_below(dice, need.entries)][with] = true;
    }
}

/* Some pairs have met already, each in a round of its own. */
static void random_past(struct dice *dice, unsigned most)
{
    for (uint64_t k = dice_below(dice, most + 1); k; k--) {
        unsigned j = (unsigned)dice_below(dice, need.judges);
        unsigned e = (unsigned)dice_below(dice, need.entries);
        unsigned c = (unsigned)dice_below(dice, need.confederates);
        if (!need.entry_for_judge[j][e])
            continue;
        need.entry_for_judge[j][e] = false;
        need.judge_met[j][c]++;
        need.entry_met[e][c]++;
        need.load[c]++;
    }
}

static void assert_optimum(unsigned number, const struct least *least)
{
    struct least found = least_measure(&schedule, &need);
    assert_int_equal(found.missing, bound.missing);
    assert_int_equal(found.uneven, bound.uneven);
    if (found.missing != least->missing || found.rounds != least->rounds ||
        found.uneven != least->uneven)
        fail_msg("case %u: missing %u, rounds %u, uneven %u; the best: %u, %u, %u", number,
                 found.missing, found.rounds, found.uneven, least->missing, least->rounds,
                 least->uneven);
    assert_true(bound.missing_least <= least->missing && bound.rounds_least <= least->rounds);
}

/* Wishes, then rounds, then evenness: all sizes up to 4 of each, and then with people absent, kept
 * apart and some pairs met already. */
static void test_nothing_is_better(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("nothing is better"));
    unsigned compared = 0, given_up = 0, more = times(150);
    for (unsigned i = 0; i < 64 + more; i++) {
        struct least least;
        need_all(i / 16 % 4 + 1, i / 4 % 4 + 1, i % 4 + 1);
        if (i >= 64) {
            random_need(&dice, 4);
            random_conflicts(&dice, 4);
            random_past(&dice, 6);
        }
        if (schedule_make(&schedule, &need, NULL, &bound, &diag)) {
            assert_true(strstr(diag.text, "kept apart") || strstr(diag.text, "nobody is left"));
            continue;
        }
        check_answer(i);
        if (!least_find(&least, &need)) {
            given_up++;
            continue;
        }
        assert_optimum(i, &least);
        compared++;
    }
    print_message("# compared with brute force: %u, given up: %u\n", compared, given_up);
    assert_true(compared > more / 2 && given_up * 10 < compared);
}

/* Above that: at most a round over the bound that is stated, unless people are kept apart. */
static void test_one_round_over_at_most(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("one round over at most"));
    for (unsigned i = 0; i < times(60); i++) {
        bool apart = i % 3 == 0;
        random_need(&dice, 4 + (unsigned)dice_below(&dice, 9));
        random_past(&dice, 20);
        if (apart)
            random_conflicts(&dice, 6);
        if (schedule_make(&schedule, &need, NULL, &bound, &diag))
            continue;
        check_answer(i);
        bool small = need.judges <= 4 && need.entries <= 4 && need.confederates <= 4;
        if (!apart && !small && schedule.rounds > bound.rounds_least + 1)
            fail_msg("case %u: %u rounds, %u at least", i, schedule.rounds, bound.rounds_least);
    }
}

static void test_who_may_not_meet(void **state)
{
    (void)state;
    /* One confederate for all, and he may not meet judge 1. */
    need_all(2, 2, 1);
    need.apart_judge[0][0] = true;
    solve(NULL);
    assert_int_equal(schedule.count, 2);
    assert_int_equal(bound.unmet, 2);
    assert_int_equal(bound.first_unmet[0], 0);
    assert_true(bound.apart);
    need.apart_judge[1][0] = true;
    assert_int_equal(schedule_make(&schedule, &need, NULL, &bound, &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "kept apart"));
}

/* More judges than the search takes. */
static void test_many_judges(void **state)
{
    (void)state;
    /* Judges, Entries, confederates; the fewest rounds. */
    static const unsigned sizes[][4] = {{999, 1, 1, 999},   {999, 4, 4, 999}, {999, 16, 20, 999},
                                        {300, 50, 64, 300}, {65, 64, 64, 65}, {100, 10, 5, 200},
                                        {999, 1, 64, 999}};
    struct dice dice = dice_make(dice_seed("many judges"));
    for (unsigned i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        const unsigned *size = sizes[i / 2];
        struct schedule_quality quality;
        unsigned pairs = size[0] * size[1];
        bool apart = i % 2;
        need_all(size[0], size[1], size[2]);
        for (unsigned k = 0; apart && k < size[0];
             k++) { /* some are kept apart, or need not meet */
            unsigned entry = dice_below(&dice, size[1]);
            if (size[2] > 1)
                need.apart_judge[k][dice_below(&dice, size[2])] = true;
            if (k % 3 == 0)
                need.entry_for_judge[k][entry] = false;
            pairs -= k % 3 == 0;
        }
        solve(NULL);
        assert_int_equal(bound.way, SCHEDULE_SOLVED);
        assert_int_equal(bound.unmet, 0);
        assert_int_equal(schedule.count, pairs);
        schedule_measure(&schedule, &quality);
        assert_int_equal(quality.booked_twice, 0);
        assert_int_equal(quality.judge_entry[1], 1);
        for (unsigned m = 0; m < schedule.count; m++) {
            const struct meeting *meeting = &schedule.meeting[m];
            assert_true(need.entry_for_judge[meeting->judge][meeting->entry]);
            assert_false(need.apart_judge[meeting->judge][meeting->confederate]);
        }
        if (apart) {
            assert_in_range(schedule.rounds, bound.rounds_least, bound.rounds_least * 5 / 4 + 2);
            continue;
        }
        /* With fewer confederates than Entries the diagonals overlap. */
        assert_in_range(schedule.rounds, size[3], size[2] < size[1] ? size[3] + 8 : size[3]);
        assert_int_equal(bound.rounds_least, size[3]);
        assert_in_range(quality.entry_confederate[1] - quality.entry_confederate[0], 0, 8);
        struct schedule_bound again = bound;
        schedule_wishes(&schedule, &need, &again);
        assert_int_equal(again.missing, bound.missing);
        assert_int_equal(again.uneven, bound.uneven);
    }
    need_all(999, 17, 20);
    assert_int_equal(schedule_make(&schedule, &need, NULL, &bound, &diag), BL_DATA);
    assert_string_equal(diag.text, "16983 meetings: a contest has 16384 at most");
    need_all(999, 4, 1);
    assert_int_equal(schedule_make(&schedule, &need, NULL, &bound, &diag), BL_DATA);
    assert_string_equal(diag.text, "3996 rounds: a contest has 1000 at most");
    schedule_need_all(&need, 999, 8, 8, true);
    solve(NULL);
    assert_int_equal(schedule.rounds, 999);
    assert_int_equal(schedule.count, 999 * 16);
}

/* The long bet's three judges and four candidates, and others. */
static void test_single(void **state)
{
    (void)state;
    static const unsigned sizes[][3] = {{3, 1, 3}, {1, 1, 0}, {5, 8, 2}, {9, 2, 1}, {64, 32, 32}};
    struct dice dice = dice_make(dice_seed("single"));
    for (unsigned i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        const unsigned *size = sizes[i / 2];
        unsigned judges = size[0], candidates = size[1] + size[2], degree = 0, pairs = 0;
        unsigned met[SCHEDULE_ENTRIES_MAX][SCHEDULE_ENTRIES_MAX] = {{0}};
        schedule_need_all(&need, judges, size[1], size[2], true);
        for (unsigned k = 0; i % 2 && k < judges; k++) /* some may not meet, or have met */
            need.entry_for_judge[k][dice_below(&dice, candidates)] = k == 0;
        solve(NULL);
        for (unsigned a = 0; a < schedule.count; a++) {
            const struct meeting *x = &schedule.meeting[a];
            assert_int_equal(met[x->judge][x->entry]++, 0);
            assert_int_equal(x->confederate, PERSON_NOBODY);
            for (unsigned b = 0; b < a; b++)
                assert_false(x->round == schedule.meeting[b].round &&
                             (x->judge == schedule.meeting[b].judge ||
                              x->entry == schedule.meeting[b].entry));
        }
        for (unsigned a = 0; a < SCHEDULE_ENTRIES_MAX; a++) {
            unsigned of_judge = 0, of_candidate = 0;
            for (unsigned b = 0; b < SCHEDULE_ENTRIES_MAX; b++) {
                assert_int_equal(met[a][b], need.entry_for_judge[a][b]);
                of_judge += met[a][b];
                of_candidate += met[b][a];
            }
            pairs += of_judge;
            degree = of_judge > degree ? of_judge : degree;
            degree = of_candidate > degree ? of_candidate : degree;
        }
        assert_int_equal(schedule.rounds, degree);
        assert_int_equal(schedule.count, pairs);
    }
    schedule_need_all(&need, 0, 1, 1, true);
    assert_int_equal(schedule_make(&schedule, &need, NULL, &bound, &diag), BL_DATA);
    schedule_need_all(&need, 1, 0, 0, true);
    assert_int_equal(schedule_make(&schedule, &need, NULL, &bound, &diag), BL_DATA);
    schedule_need_all(&need, 1, 64, 1, true);
    assert_int_equal(schedule_make(&schedule, &need, NULL, &bound, &diag), BL_DATA);
}

static void test_nobody_there(void **state)
{
    (void)state;
    need_all(0, 4, 4);
    assert_int_equal(schedule_make(&schedule, &need, NULL, &bound, &diag), BL_DATA);
    need_all(2, 2, 1);
    need.absent[0] = true;
    assert_int_equal(schedule_make(&schedule, &need, NULL, &bound, &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "there are 2, 2 and 0"));
}

/* The largest real events: 30 judges, 25 hidden people, 5 machines. And others. */
static void test_large_numbers(void **state)
{
    (void)state;
    static const unsigned sizes[][3] = {{30, 5, 25},  {30, 25, 5}, {20, 16, 9}, {24, 3, 7},
                                        {5, 32, 4},   {12, 12, 1}, {64, 3, 7},  {21, 22, 20},
                                        {63, 64, 64}, {64, 64, 7}, {64, 64, 63}};
    unsigned count = sizeof sizes / sizeof sizes[0];
    for (unsigned i = 0; i < (getenv("SOAK") ? count : count - 4); i++) {
        struct timespec before, after;
        need_all(sizes[i][0], sizes[i][1], sizes[i][2]);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
        solve(NULL);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
        check_answer(i);
        assert_true(schedule.rounds <= bound.rounds_least + 1);
        assert_int_equal(bound.missing, bound.missing_least);
        assert_true(after.tv_sec - before.tv_sec < 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_numbers),
        cmocka_unit_test(test_printed_rows_are_read),
        cmocka_unit_test(test_faults_are_named),
        cmocka_unit_test(test_who_plays_is_numbered_first),
        cmocka_unit_test(test_near_equal_numbers),
        cmocka_unit_test(test_nothing_is_better),
        cmocka_unit_test(test_one_round_over_at_most),
        cmocka_unit_test(test_who_may_not_meet),
        cmocka_unit_test(test_many_judges),
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_nobody_there),
        cmocka_unit_test(test_large_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
