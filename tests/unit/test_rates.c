/* Rates: intervals and tests against sums in another order and precision, power against games that
 * a seed draws, and the long bet's odds against its own result for every order of ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "contest/odds.h"
#include "contest/rates.h"
#include "tests/support/rules.h"

#include <math.h>

static long double term(unsigned games, long double rate, unsigned n)
{
    return expl(lgammal(games + 1.0L) - lgammal(n + 1.0L) - lgammal(games - n + 1.0L) +
                n * logl(rate) + (games - n) * logl(1 - rate));
}

static long double tail(unsigned games, long double rate, unsigned from, unsigned to)
{
    long double sum = 0;
    for (unsigned n = from; n <= to && n <= games; n++)
        sum += term(games, rate, n);
    return sum;
}

/* The rate at which the tail is 2.5 %. */
static double bound(unsigned games, unsigned from, unsigned to, bool grows)
{
    long double low = 0, high = 1;
    for (unsigned i = 0; i < 60; i++) {
        long double rate = (low + high) / 2;
        if ((tail(games, rate, from, to) > 0.025L) == grows)
            high = rate;
        else
            low = rate;
    }
    return (double)low;
}

static void test_exact(void **state)
{
    static const unsigned games[] = {1, 2, 5, 12, 100, 999};
    (void)state;
    for (unsigned i = 0; i < sizeof games / sizeof *games; i++) {
        unsigned n = games[i];
        for (unsigned count = 0; count <= n; count += 1 + n / 13) {
            struct rate_interval exact = rate_exact(count, n), wilson = rate_wilson(count, n);
            assert_true(fabs(exact.low - (count ? bound(n, count, n, true) : 0)) < 1e-9);
            assert_true(fabs(exact.high - (count < n ? bound(n, 0, count, false) : 1)) < 1e-9);
            assert_true(exact.low <= wilson.low + 0.03 && wilson.high <= exact.high + 0.03);
            assert_true(wilson.low <= (double)count / n && (double)count / n <= wilson.high);
        }
    }
}

/* Both ends of the score interval are where the count lies 1.96 standard deviations off. */
static void test_wilson(void **state)
{
    (void)state;
    for (unsigned n = 1; n < 200; n += 7)
        for (unsigned count = 1; count < n; count++) {
            struct rate_interval wilson = rate_wilson(count, n);
            double ends[2] = {wilson.low, wilson.high};
            for (unsigned i = 0; i < 2; i++)
                assert_true(fabs(fabs(count - n * ends[i]) / sqrt(n * ends[i] * (1 - ends[i])) -
                                 1.959963984540054) < 1e-9);
        }
}

static void test_against_a_rate(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 60; n += 3)
        for (unsigned count = 0; count <= n; count++)
            for (double rate = 0.1; rate < 1; rate += 0.2) {
                long double own = term(n, (long double)rate, count), sum = 0;
                for (unsigned k = 0; k <= n; k++) {
                    long double other = term(n, (long double)rate, k);
                    sum += other <= own * (1 + 1e-9L) ? other : 0;
                }
                assert_true(fabs((double)sum - rate_test(count, n, rate)) < 1e-9);
            }
    assert_true(rate_test(5, 10, 0.5) == 1);
    assert_true(rate_test(3, 3, 1) == 1 && rate_test(2, 3, 1) == 0 && rate_test(0, 3, 0) == 1);
    assert_true(rate_test(RATES_GAMES_MAX, RATES_GAMES_MAX, 0.5) == 0);
}

static double drawn(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static void test_power(void **state)
{
    static const struct {
        unsigned games;
        double rate, other;
    } cases[] = {{50, 0.6, 0.5}, {210, 0.6, 0.5}, {30, 0.2, 0.5}, {20, 0.9, 0.75}};
    enum { RUNS = 5000 };
    uint64_t seed = 42;
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned told = 0;
        for (unsigned run = 0; run < RUNS; run++) {
            unsigned count = 0;
            for (unsigned g = 0; g < cases[i].games; g++)
                count += drawn(&seed) < cases[i].rate;
            told += rate_test(count, cases[i].games, cases[i].other) < 0.05 &&
                    (tail(cases[i].games, (long double)cases[i].other, count, cases[i].games) <=
                         0.025L ||
                     tail(cases[i].games, (long double)cases[i].other, 0, count) <= 0.025L);
        }
        double power = rate_power(cases[i].games, cases[i].rate, cases[i].other);
        /* Four standard deviations, and a seed: the same answer each time. */
        assert_true(fabs((double)told / RUNS - power) < 4 * sqrt(power * (1 - power) / RUNS));
    }
}

static void test_games(void **state)
{
    (void)state;
    unsigned games = rate_games(0.6, 0.5, 0.8);
    assert_true(rate_power(games - 1, 0.6, 0.5) < 0.8);
    for (unsigned n = games; n < 3000; n++)
        assert_true(rate_power(n, 0.6, 0.5) >= 0.8);
    assert_int_equal(rate_games(0.4, 0.5, 0.8), games);
    assert_int_equal(rate_games(0.5, 0.5, 0.8), 0);
    assert_int_equal(rate_games(0.51, 0.5, 0.8), 0);
}

/* Every order of ranks of three judges: as often as the odds say the long bet's result has its rank
 * order test passed. */
static void test_odds(void **state)
{
    static struct ruleset rules;
    static struct ballot ballots[12];
    static struct ranking rankings[12];
    static struct result_input input;
    static struct result result;
    unsigned all = 0, passed = 0;
    uint8_t order[24][4];
    struct odds odds;
    struct bl_diag diag;
    (void)state;
    rules_load(&rules, "longbet-2002");
    for (unsigned o = 0; o < 256; o++) {
        unsigned seen = 0;
        for (unsigned c = 0; c < 4; c++)
            seen |= 1U << (o >> 2 * c & 3);
        if (seen != 15)
            continue;
        for (unsigned c = 0; c < 4; c++)
            order[all][c] = (uint8_t)(o >> 2 * c & 3);
        all++;
    }
    assert_int_equal(all, 24);
    input = (struct result_input){
        .ruleset = &rules,
        .entries = 1,
        .confederates = 3,
        .ballot = ballots,
        .ballots = 12,
        .ballots_wanted = 12,
        .ranking = rankings,
        .rankings = 12,
        .trials = 1,
        .trial_wanted = {12},
    };
    for (unsigned o = 0; o < 24 * 24 * 24; o++) {
        const unsigned of[3] = {o % 24, o / 24 % 24, o / 576};
        for (unsigned j = 0; j < 3; j++)
            for (unsigned c = 0; c < 4; c++) {
                ballots[4 * j + c] = (struct ballot){.judge = (uint8_t)j,
                                                     .entry = (uint8_t)c,
                                                     .confederate = PERSON_NOBODY,
                                                     .entry_human = true};
                rankings[4 * j + c] = (struct ranking){
                    .judge = (uint8_t)j, .candidate = (uint8_t)c, .rank = order[of[j]][c] + 1};
            }
        result_make(&result, &input, NULL, NULL);
        passed += result.trial[0].ranked;
    }
    const struct odds_wanted wanted = {.judges = 3, .foils = 3, .trials = 3, .human = 0.67};
    assert_int_equal(odds_make(&odds, &wanted, &diag), BL_OK);
    assert_true(fabs(odds.ranked - passed / 13824.0) < 1e-12);
    assert_true(fabs(odds.determined - (3 * 0.67 * 0.67 * 0.33 + 0.67 * 0.67 * 0.67)) < 1e-12);
    assert_true(fabs(odds.trial - odds.determined * odds.ranked) < 1e-12);
    double not_passed = 1 - odds.trial;
    assert_true(fabs(odds.at_least[1] - (1 - not_passed * not_passed * not_passed)) < 1e-12);
    assert_true(fabs(odds.at_least[3] - odds.trial * odds.trial * odds.trial) < 1e-12);
    assert_true(fabs(odds.at_least[0] - 1) < 1e-12);
    const struct odds_wanted many = {.judges = 8, .foils = 7, .trials = 1, .human = 0.67};
    assert_int_equal(odds_make(&odds, &many, &diag), BL_DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),          cmocka_unit_test(test_wilson),
        cmocka_unit_test(test_against_a_rate), cmocka_unit_test(test_power),
        cmocka_unit_test(test_games),          cmocka_unit_test(test_odds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
