/* Results: a test for each clause that awards or decides, named by its rule. These are
 *
 * 1996: the announcement, r4, r5. 2003: r3, r47, r48, r49, r50, r54, r55, r56, r58, r59, r60, r61;
 * r8 and r43 are in test_contest.c. 2004: A1, A2, A8.2, B1, B2, B3, B4; A15 is in test_ballot.c.
 * 2009: the introduction, §1, §3b. Long bet: II ¶3, ¶4, ¶13, ¶14, ¶15, ¶16. Gold (1996 r6, 2003
 * r57) is for audio and video, which these contests do not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contest/result.h"
#include "tests/support/rules.h"

#define BALLOTS_MAX 512

static struct ruleset rules;
static struct ballot ballots[BALLOTS_MAX];
static struct ranking rankings[BALLOTS_MAX];
static struct result_input input;
static struct result result;
static char steps[16384];

static void on_step(void *ctx, const char *rule, const char *text)
{
    (void)ctx;
    size_t length = strlen(steps);
    snprintf(steps + length, sizeof steps - length, "[%s] %s\n", rule, text);
}

static void start(const char *name, unsigned entries, unsigned confederates)
{
    rules_load(&rules, name);
    input = (struct result_input){
        .ruleset = &rules,
        .entries = entries,
        .confederates = confederates,
        .ballot = ballots,
        .ranking = rankings,
    };
}

static void judge(void)
{
    steps[0] = '\0';
    result_make(&result, &input, on_step, NULL);
}

static void said(const char *text)
{
    if (!strstr(steps, text))
        fail_msg("'%s' is not in the steps:\n%s", text, steps);
}

static unsigned place_of(unsigned candidate)
{
    for (unsigned i = 0; i < result.count; i++)
        if (result.standing[i].candidate == candidate)
            return result.standing[i].place;
    fail();
    return 0;
}

/* 2004: the points of each Entry from each judge. */
static void points(unsigned judges, const int16_t *of)
{
    for (unsigned j = 0; j < judges; j++)
        for (unsigned e = 0; e < input.entries; e++)
            ballots[input.ballots++] = (struct ballot){
                .judge = (uint8_t)j,
                .entry = (uint8_t)e,
                .confederate = (uint8_t)((j + e) % input.confederates),
                .entry_points = of[j * input.entries + e],
                .confederate_points = (int16_t)(100 - of[j * input.entries + e]),
            };
    input.ballots_wanted = input.ballots;
}

/* Rates have no winner, and count confederates like Entries. */
static void test_rates_have_no_winner(void **state)
{
    (void)state;
    start("loebner-2009", 1, 1);
    rules.scoring = SCORING_RATES;
    for (unsigned j = 0; j < 4; j++)
        ballots[input.ballots++] = (struct ballot){.judge = (uint8_t)j, .entry_human = j > 0};
    input.ballots_wanted = 5;
    judge();
    assert_int_equal(result.outcome, RESULT_PROVISIONAL);
    input.ballots_wanted = 4;
    judge();
    assert_int_equal(result.outcome, RESULT_COUNTED);
    assert_int_equal(result.winner, -1);
    assert_int_equal(result.count, 2);
    assert_int_equal(place_of(0), 0);
    /* By hand: (2 p n + z² ± z √(z² + 4 n p q)) / 2 (n + z²) with n = 4, p = 3/4, z = 1.95996. */
    said("E1: taken for the human 3 of 4 times, 75.0 %; within 95 %: Wilson 30.1 to 95.4, exact "
         "19.4 to 99.4\n");
    said("C1: taken for the human 1 of 4 times, 25.0 %; within 95 %: Wilson 4.6 to 69.9, exact 0.6 "
         "to 80.6\n");
    assert_null(strstr(steps, "wins"));
}

static void test_2004_B1_highest_column_wins(void **state)
{
    (void)state;
    start("loebner-2004", 3, 3);
    points(3, (const int16_t[]){10, 51, 40, 10, 20, 49, 99, 1, 49});
    judge();
    /* E1 and E2 have one column each, E1 more points. */
    assert_int_equal(result.outcome, RESULT_WON);
    assert_int_equal(result.winner, 0);
    said("[2004 B1] E1: 1 of 3 judges gave it 51 points or more");
    said("[2004 B1] E3: 0 of 3 judges");
}

static void test_2004_B2_silver_at_two(void **state)
{
    (void)state;
    start("loebner-2004", 2, 2);
    points(2, (const int16_t[]){51, 10, 51, 10});
    judge();
    assert_true(result.silver);
    said("[2004 B2] its score is 2");
    said("[2004 B2] 25000 dollars");
    start("loebner-2004", 2, 2);
    points(2, (const int16_t[]){51, 10, 49, 10});
    judge();
    assert_false(result.silver);
    said("Bronze");
}

/* Two wins over one confederate, or by one judge, are not "two different Judges" and "two different
 * Confederates". */
static void test_2004_B2_two_different(void **state)
{
    (void)state;
    start("loebner-2004", 2, 2);
    points(2, (const int16_t[]){51, 10, 51, 10});
    ballots[2].confederate = ballots[0].confederate;
    judge();
    assert_int_equal(result.winner, 0);
    assert_int_equal(result.standing[0].wins, 2);
    assert_false(result.silver);
    said("[2004 B2] its score is 2: 2 or higher, but not by two different judges");
    said("Bronze");
    ballots[2].confederate = (uint8_t)(1 - ballots[0].confederate);
    ballots[2].judge = ballots[0].judge;
    judge();
    assert_false(result.silver);
    ballots[2].judge = (uint8_t)(ballots[0].judge + 1);
    judge();
    assert_true(result.silver);
}

static void test_2004_B3_ties_by_points(void **state)
{
    (void)state;
    start("loebner-2004", 2, 2);
    points(2, (const int16_t[]){51, 60, 20, 20});
    judge();
    assert_int_equal(result.winner, 1);
    said("[2004 B3] E1, E2 are equal for place 1");
}

static void test_2004_B4_then_by_the_prelim(void **state)
{
    (void)state;
    start("loebner-2004", 2, 2);
    points(2, (const int16_t[]){60, 60, 20, 20});
    judge();
    assert_int_equal(result.outcome, RESULT_TIED);
    assert_int_equal(result.winner, -1);
    said("[2004 B4] E1, E2 are equal for place 1; by the preliminary round, it cannot be decided");
    said("[manager] E1, E2 stay tied");
    input.prelim[0] = (struct fraction){7, 2};
    input.prelim[1] = (struct fraction){3, 1};
    judge();
    assert_int_equal(result.winner, 0);
}

static void test_2004_A1_A8_2_one_and_none(void **state)
{
    (void)state;
    start("loebner-2004", 1, 2);
    judge();
    assert_int_equal(result.outcome, RESULT_ONLY_ONE);
    assert_int_equal(result.winner, 0);
    start("loebner-2004", 0, 2);
    judge();
    assert_int_equal(result.outcome, RESULT_NO_ENTRY);
    said("2000 dollars is added to the next year's, which makes it 4000");
}

static void test_2004_A2_own_entry(void **state)
{
    (void)state;
    start("loebner-2004", 2, 2);
    points(2, (const int16_t[]){51, 10, 20, 20});
    input.own[0] = true;
    judge();
    said("[2004 A2]");
}

/* 2009: bit e of a judge's word is set where he took Entry e for the human. */
static void votes(unsigned judges, const unsigned *of)
{
    for (unsigned j = 0; j < judges; j++)
        for (unsigned e = 0; e < input.entries; e++)
            ballots[input.ballots++] = (struct ballot){
                .judge = (uint8_t)j,
                .entry = (uint8_t)e,
                .confederate = (uint8_t)((j + e) % input.confederates),
                .entry_human = of[j] >> e & 1,
            };
    input.ballots_wanted = input.ballots;
}

static void rank(unsigned j, unsigned candidate, unsigned of)
{
    rankings[input.rankings++] =
        (struct ranking){.judge = (uint8_t)j, .candidate = (uint8_t)candidate, .rank = (uint8_t)of};
}

static void test_2009_3b_most_often_human(void **state)
{
    (void)state;
    start("loebner-2009", 4, 4);
    votes(4, (const unsigned[]){1, 1, 2, 4});
    judge();
    assert_int_equal(result.winner, 0);
    assert_false(result.silver);
    said("[2009 §3b] E1: 2 of 4 judges took it for the human");
}

static void test_2009_introduction_no_silver(void **state)
{
    (void)state;
    start("loebner-2009", 2, 2);
    votes(2, (const unsigned[]){1, 1}); /* all judges took it for the human */
    judge();
    assert_int_equal(result.winner, 0);
    assert_false(result.silver);
    said("3000 dollars come with the Bronze Medal");
}

static void test_2009_3b_ties_by_mean_rank(void **state)
{
    (void)state;
    start("loebner-2009", 4, 4);
    votes(2, (const unsigned[]){0, 0});
    rank(0, 0, 4), rank(0, 1, 3), rank(0, 2, 2), rank(0, 3, 1);
    rank(1, 0, 2), rank(1, 1, 4), rank(1, 2, 3), rank(1, 3, 1);
    judge();
    assert_int_equal(result.winner, 1); /* 7/2 against 6/2 */
    said("[2009 §3b] E1, E2, E3, E4 are equal for place 1");
}

/* Both were taken for the human by everybody, so nobody ranked them. */
static void test_2009_3b_a_tie_without_ranks_stays(void **state)
{
    (void)state;
    start("loebner-2009", 2, 2);
    votes(2, (const unsigned[]){3, 3});
    judge();
    assert_int_equal(result.outcome, RESULT_TIED);
    said("it cannot be decided yet");
}

static void test_2009_1_no_entry(void **state)
{
    (void)state;
    start("loebner-2009", 0, 4);
    judge();
    assert_int_equal(result.outcome, RESULT_NO_ENTRY);
    said("3000 dollars is added to the next year's, which makes it 6000");
    start("loebner-2012", 0, 4); /* whose rules say nothing of the next year */
    judge();
    said("[manager] no compliant Entry\n");
    start("loebner-2009", 1, 4); /* a contest of one is held */
    votes(1, (const unsigned[]){0});
    judge();
    assert_int_equal(result.outcome, RESULT_WON);
}

/* Ratings in hundredths: a row for each judge, Entries first. */
static void ratings(unsigned judges, const int *of)
{
    unsigned candidates = input.entries + input.confederates;
    for (unsigned j = 0; j < judges; j++)
        for (unsigned c = 0; c < candidates; c++)
            ballots[input.ballots++] = (struct ballot){
                .judge = (uint8_t)j,
                .entry = (uint8_t)c,
                .confederate = PERSON_NOBODY,
                .rating = of[j * candidates + c] * 10,
            };
    input.ballots_wanted = input.ballots;
}

/* With a ballot missing nobody wins anything, in no line. */
static void test_provisional_in_every_line(void **state)
{
    static const char *const names[] = {"loebner-1996", "loebner-2003", "loebner-2004",
                                        "loebner-2009"};
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        start(names[i], 2, 2);
        if (rules.pairing == PAIRING_PAIRS)
            points(2, (const int16_t[]){60, 10, 60, 10});
        else
            ratings(2, (const int[]){400, 100, 100, 100, 400, 100, 100, 100});
        for (unsigned b = 0; b < input.ballots; b++)
            ballots[b].entry_human = ballots[b].entry == 0;
        input.ballots_wanted = input.ballots + 1;
        judge();
        assert_int_equal(result.outcome, RESULT_PROVISIONAL);
        assert_int_equal(result.winner, -1);
        assert_int_equal(result.leader, 0);
        assert_false(result.silver || result.medal);
        assert_int_equal(result.most_human_human, -1);
        assert_null(strstr(steps, "wins"));
        assert_null(strstr(steps, "Medal"));
        assert_null(strstr(steps, "dollars"));
        assert_null(strstr(steps, "award"));
        assert_null(strstr(steps, "Most Human"));
        said("[manager] E1 leads so far; nothing is decided yet");
        input.ballots_wanted--;
        judge();
        assert_int_equal(result.outcome, RESULT_WON);
    }
}

static void test_2003_r47_means(void **state)
{
    (void)state;
    start("loebner-2003", 2, 1);
    ratings(3, (const int[]){325, 410, 500, 100, 0, 450, 100, 100, 400});
    judge();
    assert_int_equal(result.winner, 0); /* 525/3 against 510/3: the 0 counts, r46 */
    assert_int_equal(place_of(1), 2);
    said("[2003 r47] E1: mean rating 1.750, that is 5.250 / 3");
}

static void test_2003_r48_silver_if_no_confederate_is_above(void **state)
{
    (void)state;
    start("loebner-2003", 2, 2);
    ratings(1, (const int[]){400, 100, 400, 300});
    judge();
    assert_true(result.silver); /* equal placing is permitted */
    start("loebner-2003", 2, 2);
    ratings(1, (const int[]){400, 100, 401, 300});
    judge();
    assert_false(result.silver);
    said("[2003 r48] 1 confederate is ranked higher");
}

static void test_2003_r49_r54_r56_what_comes_with_the_medal(void **state)
{
    (void)state;
    start("loebner-2003", 2, 1);
    ratings(1, (const int[]){400, 300, 300});
    judge();
    said("[2003 r56] 25000 dollars");
    said("[2003 r49] the contest by text alone is discontinued");
    start("loebner-2003", 2, 1);
    ratings(1, (const int[]){200, 300, 400});
    judge();
    said("[2003 r54] 2000 dollars come with the Bronze Medal");
    assert_null(strstr(steps, "r49"));
}

static void test_2003_r50_confer_then_coin(void **state)
{
    (void)state;
    unsigned first = 0;
    start("loebner-2003", 2, 1);
    ratings(1, (const int[]){200, 200, 300});
    judge();
    assert_int_equal(result.outcome, RESULT_TIED);
    input.conferred[0] = 2;
    judge();
    assert_int_equal(result.winner, 1);
    input.conferred[0] = 0;
    input.coin_tossed = true;
    for (unsigned toss = 0; toss < 64; toss++) {
        input.coin[0] = (uint8_t)toss;
        judge();
        assert_int_equal(result.outcome, RESULT_WON);
        said("by the coin");
        first += result.winner == 0;
    }
    /* As it is now: before the conference the coin does not count, however it fell. */
    input.coin_waits = true;
    judge();
    assert_int_equal(result.outcome, RESULT_TIED);
    said("[2003 r50] E1, E2 are equal for place 1; by the coin, it cannot be decided yet");
    input.split[0] = true;
    judge();
    assert_int_equal(result.outcome, RESULT_WON);
    said("[2003 r50] E1, E2 are equal for place 1; the judges conferred, without a majority");
    assert_true(first > 8 && first < 56); /* both sides come up; the same for these seeds always */
}

/* Who stands where: "C1 E1 E2". */
static void stand(const char *wanted)
{
    char text[256] = "";
    for (unsigned i = 0; i < result.count; i++) {
        unsigned c = result.standing[i].candidate;
        bool entry = c < input.entries;
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%c%u", i ? " " : "", entry ? 'E' : 'C',
                 (entry ? c : c - input.entries) + 1);
    }
    assert_string_equal(text, wanted);
}

static void test_2003_r47_one_ranking_of_all(void **state)
{
    (void)state;
    start("loebner-2003", 3, 3);
    ratings(1, (const int[]){200, 400, 300, 400, 500, 100});
    judge();
    stand("C2 E2 C1 E3 E1 C3");
    said("[2003 r58] E3 is in place 2 and gets a non-cash award");
    input.disqualified[1] = true;
    judge();
    stand("C2 C1 E3 E1 C3 E2");
}

static void test_the_values_that_break_a_tie_are_said(void **state)
{
    (void)state;
    start("loebner-2004", 2, 2);
    points(2, (const int16_t[]){60, 70, 40, 40});
    judge();
    said("[2004 B3] by the total of the points: E1 100, E2 110");
}

static void test_an_only_entry_of_the_organiser(void **state)
{
    (void)state;
    start("loebner-2003", 1, 1);
    input.own[0] = true;
    judge();
    assert_int_equal(result.outcome, RESULT_ONLY_ONE);
    said("[2003 r60]");
}

static void test_2003_r50_several_ties(void **state)
{
    (void)state;
    start("loebner-2003", 4, 1);
    ratings(1, (const int[]){200, 200, 100, 100, 300});
    input.conferred[0] = 2;
    input.conferred[2] = 4;
    judge();
    assert_int_equal(result.winner, 1);
    assert_int_equal(place_of(0), 2);
    assert_int_equal(place_of(3), 3);
    assert_int_equal(place_of(2), 4);
}

static void test_2003_r58_r59_places_and_successor(void **state)
{
    (void)state;
    start("loebner-2003", 4, 1);
    ratings(1, (const int[]){400, 300, 200, 100, 500});
    judge();
    assert_int_equal(place_of(0), 1);
    assert_int_equal(place_of(1), 2);
    assert_int_equal(place_of(2), 3);
    input.disqualified[0] = true;
    judge();
    assert_int_equal(result.winner, 1);
    assert_int_equal(place_of(0), 0);
    assert_int_equal(place_of(2), 2);
    said("[2003 r59] E1 is disqualified");
}

static void test_2003_r60_r61_open_source(void **state)
{
    (void)state;
    start("loebner-2003", 2, 1);
    ratings(1, (const int[]){400, 300, 500});
    input.own[0] = true;
    judge();
    said("[2003 r60]");
    assert_int_equal(result.outcome, RESULT_WON);
    assert_false(result.medal);
    assert_null(strstr(steps, "dollars come"));
    start("loebner-2003", 2, 1);
    ratings(1, (const int[]){500, 300, 400});
    input.own[0] = true;
    judge();
    said("[2003 r61]");
    assert_true(result.medal && result.silver);
}

static void test_2003_r3_r55_one_and_none(void **state)
{
    (void)state;
    start("loebner-2003", 1, 1);
    judge();
    assert_int_equal(result.outcome, RESULT_ONLY_ONE);
    start("loebner-2003", 0, 1);
    judge();
    assert_int_equal(result.outcome, RESULT_NO_ENTRY);
}

static void test_1996_announcement_r4_r5(void **state)
{
    (void)state;
    start("loebner-1996", 2, 2);
    ratings(2, (const int[]){500, 400, 900, 1000, 300, 500, 800, 600});
    judge();
    assert_int_equal(result.outcome, RESULT_WON);
    assert_int_equal(result.winner, 1);
    assert_int_equal(result.most_human_human, 0);
    start("loebner-1996", 2, 2);
    ratings(1, (const int[]){500, 400, 900, 900});
    judge();
    assert_int_equal(result.most_human_human, -1);
    said("several are the most human human");
    start("loebner-1996", 1, 2);
    judge();
    assert_int_equal(result.outcome, RESULT_ONLY_ONE);
}

/* The long bet: a trial more; who took the computer for a human, and all the ranks, the computer's
 * first. */
static void trial(const bool *human, const uint8_t *ranks)
{
    uint8_t number = (uint8_t)input.trials++;
    for (unsigned j = 0; j < 3; j++) {
        for (unsigned c = 0; c < 4; c++) {
            ballots[input.ballots++] = (struct ballot){.judge = (uint8_t)j,
                                                       .trial = number,
                                                       .entry = (uint8_t)c,
                                                       .confederate = PERSON_NOBODY,
                                                       .entry_human = c || human[j]};
            rank(j, c, ranks[4 * j + c]);
            rankings[input.rankings - 1].trial = number;
        }
    }
    input.trial_wanted[number] = 12;
    input.ballots_wanted = input.ballots;
}

static const uint8_t high[] = {4, 1, 2, 3, 3, 1, 2, 4, 1, 2, 3, 4}; /* medians 3; 1, 2, 4 */
static const uint8_t low[] = {1, 2, 3, 4, 1, 4, 3, 2, 4, 3, 2, 1};  /* medians 1; 3, 3, 2 */
static const bool two[] = {true, true, false}, one[] = {true, false, false};

static void test_a_withdrawn_entry_has_no_place(void **state)
{
    (void)state;
    start("loebner-2004", 3, 3);
    points(3, (const int16_t[]){60, 40, 51, 60, 40, 40, 60, 51, 40});
    input.withdrawn[0] = true;
    judge();
    assert_int_equal(place_of(0), 0);
    assert_int_not_equal(result.winner, 0);
    said("[manager] E1 is withdrawn and has no place");
    start("loebner-2004", 2, 2); /* A8.2: one is left before anything was judged */
    input.withdrawn[1] = true;
    judge();
    assert_int_equal(result.outcome, RESULT_ONLY_ONE);
    assert_int_equal(result.winner, 0);
    input.withdrawn[0] = true;
    judge();
    assert_int_equal(result.outcome, RESULT_NO_ENTRY);
}

static void test_long_bet_II_13_determination(void **state)
{
    (void)state;
    start("longbet-2002", 1, 3);
    trial(two, high);
    trial(one, high);
    judge();
    assert_true(result.trial[0].determined && !result.trial[1].determined);
    said("[long bet II ¶13] trial 1: 2 judges took the computer for a human; two are needed: "
         "passed");
    said("[long bet II ¶13] trial 2: 1 judge took the computer for a human; two are needed: not "
         "passed");
}

static void test_long_bet_II_14_rank_order(void **state)
{
    (void)state;
    start("longbet-2002", 1, 3);
    trial(two, high);
    trial(two, low);
    judge();
    assert_true(result.trial[0].ranked && !result.trial[1].ranked);
    said("[long bet II ¶14] trial 1: at least that of 2 foils; two are needed: passed");
    said("[long bet II ¶14] trial 2: at least that of 0 foils; two are needed: not passed");
}

static void test_long_bet_II_15_both_tests(void **state)
{
    (void)state;
    start("longbet-2002", 1, 3);
    trial(two, high);
    trial(two, low);
    trial(one, high);
    judge();
    said("[long bet II ¶15] trial 1: both tests are needed: passed");
    said("[long bet II ¶15] trial 2: both tests are needed: not passed");
    said("[long bet II ¶15] trial 3: both tests are needed: not passed");
}

static void test_long_bet_II_4_three_trials_at_least(void **state)
{
    (void)state;
    start("longbet-2002", 1, 3);
    trial(two, high);
    trial(two, high);
    judge();
    assert_int_equal(result.outcome, RESULT_OPEN);
    said("[long bet II ¶4] 2 trials are finished, and a session has 3 at least: it is open");
    trial(two, high);
    judge();
    assert_int_equal(result.outcome, RESULT_PASSED);
    input.rankings--; /* II ¶14: a rank is missing */
    judge();
    assert_int_equal(result.outcome, RESULT_OPEN);
    said("[long bet II ¶5] trial 3 is not finished: missing are 1 ballot or rank");
}

/* Takes out of the last trial what `judge` (3: all) said of `candidate` (4: all): one of them has
 * left, and nothing is waited for. */
static void leave(unsigned judge_gone, unsigned candidate)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < input.ballots; i++) {
        const struct ballot b = ballots[i];
        if (b.trial + 1U == input.trials && (judge_gone == 3 || b.judge == judge_gone) &&
            (candidate == 4 || b.entry == candidate))
            continue;
        rankings[kept] = rankings[i];
        ballots[kept++] = b;
    }
    input.trial_wanted[input.trials - 1] -= input.ballots - kept;
    input.ballots = input.rankings = input.ballots_wanted = kept;
}

/* I, II ¶8: three judges, three foils and the computer; whoever left makes a trial that does not
 * count, and not one that is passed. */
static void test_long_bet_II_8_somebody_is_gone(void **state)
{
    static const unsigned gone[][2] = {{2, 4}, {3, 1}, {3, 0}, {1, 3}};
    (void)state;
    for (unsigned i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        start("longbet-2002", 1, 3);
        for (unsigned t = 0; t < 3; t++)
            trial(two, high);
        judge();
        assert_int_equal(result.outcome, RESULT_PASSED);
        leave(gone[i][0], gone[i][1]);
        judge();
        assert_int_equal(result.outcome, RESULT_OPEN);
        assert_false(result.trial[2].finished);
        said("[long bet II ¶5] trial 3 cannot be finished: ");
        trial(two, high); /* takes its place */
        judge();
        assert_int_equal(result.outcome, RESULT_PASSED);
    }
    /* A fourth judge votes, and leaves before the ranks: three have judged all the same. */
    start("longbet-2002", 1, 3);
    for (unsigned t = 0; t < 3; t++)
        trial(two, high);
    for (unsigned c = 0; c < 4; c++)
        ballots[input.ballots++] = (struct ballot){
            .judge = 3, .trial = 2, .entry = (uint8_t)c, .confederate = PERSON_NOBODY};
    input.trial_wanted[2] += 4;
    input.ballots_wanted += 4;
    judge();
    said("[long bet II ¶5] trial 3 is not finished: missing are 4 ballots or ranks");
    input.judge_gone[3] = true;
    judge();
    assert_int_equal(result.outcome, RESULT_PASSED);
    /* One computer for a session: that of another does not count. */
    start("longbet-2002", 1, 3);
    for (unsigned t = 0; t < 3; t++)
        trial(two, high);
    input.disqualified[0] = true;
    judge();
    assert_int_equal(result.outcome, RESULT_NO_ENTRY);
    said("[manager] the computer is disqualified");
}

static void test_long_bet_II_16_who_wins_the_wager(void **state)
{
    (void)state;
    start("longbet-2002", 1, 3);
    for (unsigned i = 0; i < 3; i++)
        trial(two, high);
    judge();
    said("[long bet II ¶16] Ray Kurzweil wins the wager if this is before the end of 2029");
    start("longbet-2002", 1, 3);
    for (unsigned i = 0; i < 3; i++)
        trial(one, high);
    judge();
    said("[long bet II ¶16] another session may be called for; if none is passed before the end of "
         "2029 "
         "Mitchell Kapor wins");
    start("longbet-2002", 1, 3);
    for (unsigned i = 0; i < 3; i++)
        trial(two, high);
    input.voted_us = INT64_C(1893455999000000); /* the last second of 2029 */
    judge();
    said("[long bet II ¶16] the last vote was recorded on 2029-12-31, and a pass counts until "
         "2029-12-31: it came in time");
    input.voted_us += 1000000;
    judge();
    said("on 2030-01-01, and a pass counts until 2029-12-31: it came too late");
}

/* Not printed: what a session is whose trials differ. */
static void test_long_bet_II_3_what_the_committee_says(void **state)
{
    (void)state;
    start("longbet-2002", 1, 3);
    trial(one, high);
    trial(one, low);
    trial(two, low);
    judge();
    assert_int_equal(result.outcome, RESULT_FAILED);
    trial(two, high);
    trial(two, high);
    judge();
    assert_int_equal(result.outcome, RESULT_OPEN);
    said("[long bet II ¶3] 2 of 5 trials are passed, and the rules do not say");
    rules.trials_needed = 2;
    judge();
    assert_int_equal(result.outcome, RESULT_PASSED);
    rules.trials_needed = 3;
    judge();
    assert_int_equal(result.outcome, RESULT_FAILED);
    said("[long bet II ¶3] 2 of 5 trials are passed; the committee asks for 3");
    start("longbet-2002", 1, 3);
    for (unsigned t = 0; t < 3; t++)
        trial(two, high);
    rules.trials_needed = 4; /* all are passed, and more are asked for */
    judge();
    assert_int_equal(result.outcome, RESULT_FAILED);
}

static void test_missing_ballots_are_said(void **state)
{
    (void)state;
    start("loebner-2004", 2, 2);
    points(2, (const int16_t[]){51, 10, 20, 20});
    input.ballots_wanted = 5;
    judge();
    assert_int_equal(result.ballots_missing, 1);
    said("1 of 5 ballots is missing: this is provisional");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates_have_no_winner),
        cmocka_unit_test(test_2004_B1_highest_column_wins),
        cmocka_unit_test(test_2004_B2_silver_at_two),
        cmocka_unit_test(test_2004_B3_ties_by_points),
        cmocka_unit_test(test_2004_B4_then_by_the_prelim),
        cmocka_unit_test(test_2004_A1_A8_2_one_and_none),
        cmocka_unit_test(test_2004_A2_own_entry),
        cmocka_unit_test(test_2009_3b_most_often_human),
        cmocka_unit_test(test_2009_3b_ties_by_mean_rank),
        cmocka_unit_test(test_2009_3b_a_tie_without_ranks_stays),
        cmocka_unit_test(test_2009_1_no_entry),
        cmocka_unit_test(test_2003_r47_means),
        cmocka_unit_test(test_2003_r48_silver_if_no_confederate_is_above),
        cmocka_unit_test(test_2003_r49_r54_r56_what_comes_with_the_medal),
        cmocka_unit_test(test_2009_introduction_no_silver),
        cmocka_unit_test(test_long_bet_II_16_who_wins_the_wager),
        cmocka_unit_test(test_long_bet_II_8_somebody_is_gone),
        cmocka_unit_test(test_2003_r50_confer_then_coin),
        cmocka_unit_test(test_2004_B2_two_different),
        cmocka_unit_test(test_provisional_in_every_line),
        cmocka_unit_test(test_2003_r47_one_ranking_of_all),
        cmocka_unit_test(test_the_values_that_break_a_tie_are_said),
        cmocka_unit_test(test_an_only_entry_of_the_organiser),
        cmocka_unit_test(test_2003_r50_several_ties),
        cmocka_unit_test(test_2003_r58_r59_places_and_successor),
        cmocka_unit_test(test_2003_r60_r61_open_source),
        cmocka_unit_test(test_2003_r3_r55_one_and_none),
        cmocka_unit_test(test_1996_announcement_r4_r5),
        cmocka_unit_test(test_a_withdrawn_entry_has_no_place),
        cmocka_unit_test(test_long_bet_II_13_determination),
        cmocka_unit_test(test_long_bet_II_14_rank_order),
        cmocka_unit_test(test_long_bet_II_15_both_tests),
        cmocka_unit_test(test_long_bet_II_4_three_trials_at_least),
        cmocka_unit_test(test_long_bet_II_3_what_the_committee_says),
        cmocka_unit_test(test_missing_ballots_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
