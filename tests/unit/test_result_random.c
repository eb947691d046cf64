/* Results of random contests under each of the five rulesets, with ties, withdrawals, missing
 * ballots, one Entry and none, against a second implementation: slow, simple, and sharing nothing
 * with the first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contest/result.h"
#include "tests/support/random.h"
#include "tests/support/rules.h"

#define BALLOTS_MAX 512
#define MOST        9 /* Entries and confederates */

static struct ruleset rules;
static struct ballot ballots[BALLOTS_MAX];
static struct ranking rankings[BALLOTS_MAX];
static struct result_input input;
static struct result result;
static char steps[1 << 16];

static void on_step(void *ctx, const char *rule, const char *text)
{
    (void)ctx;
    size_t length = strlen(steps);
    /* Whatever is cited is of these rules, and of no others. */
    if (strcmp(rule, "manager") != 0 && strcmp(rule, "selection") != 0 &&
        (strncmp(rule, rules.cite, strlen(rules.cite)) != 0 ||
         strlen(rule) < strlen(rules.cite) + 3))
        fail_msg("%s cites '%s': %s", rules.name, rule, text);
    snprintf(steps + length, sizeof steps - length, "[%s] %s\n", rule, text);
}

/* The expected answer. */
static enum result_outcome outcome;
static int winner, leader, most_human;
static bool silver, medal, judged; /* judged: the rules of no Entry and one did not settle it */
static unsigned place[MOST];

static double times_human(unsigned e)
{
    double sum = 0;
    for (unsigned i = 0; i < input.ballots; i++)
        if (ballots[i].entry == e)
            sum += rules.ballot == BALLOT_POINTS ? ballots[i].entry_points > 50
                                                 : ballots[i].entry_human;
    return sum;
}

/* Below all others where there is none. The values are such that doubles tell them apart. */
static double mean_rating(unsigned candidate)
{
    double sum = 0, count = 0;
    for (unsigned i = 0; i < input.ballots; i++) {
        sum += ballots[i].entry == candidate ? ballots[i].rating : 0;
        count += ballots[i].entry == candidate;
    }
    return count > 0 ? sum / count : -1;
}

/* Somebody replaced has a number that nobody on a place has. */
#define PEOPLE (2 * MOST)
static unsigned person_of(unsigned i, bool is_judge)
{
    unsigned column = is_judge                                  ? ballots[i].judge
                      : ballots[i].confederate != PERSON_NOBODY ? ballots[i].confederate
                                                                : ballots[i].entry - input.entries;
    unsigned said = is_judge ? input.seat[i].judge : input.seat[i].confederate;
    return !input.seated                 ? column
           : said >= SCHEDULE_PEOPLE_MAX ? said - SCHEDULE_PEOPLE_MAX + MOST
                                         : said;
}

/* Of one person who was met alone, as confederate. */
static double mean_of(unsigned person)
{
    double sum = 0, met = 0;
    for (unsigned i = 0; i < input.ballots; i++)
        if (ballots[i].entry >= input.entries && person_of(i, false) == person) {
            sum += ballots[i].rating;
            met++;
        }
    return met > 0 ? sum / met : -1;
}

static double mean_rank(unsigned candidate)
{
    double sum = 0, count = 0;
    for (unsigned i = 0; i < input.rankings; i++) {
        sum += rankings[i].candidate == candidate ? rankings[i].rank : 0;
        count += rankings[i].candidate == candidate;
    }
    return count > 0 ? sum / count : -1;
}

static double all_points(unsigned e)
{
    double sum = 0;
    for (unsigned i = 0; i < input.ballots; i++)
        sum += ballots[i].entry == e ? ballots[i].entry_points : 0;
    return sum;
}

static double prelim_score(unsigned e)
{
    return input.prelim[e].denominator
               ? (double)input.prelim[e].numerator / (double)input.prelim[e].denominator
               : -1;
}

/* Leaves in `in` only those with the highest value; none is left out if one has none and that
 * matters. */
static void keep_best(bool in[MOST], double (*value)(unsigned), bool all_must_have)
{
    double best = -2;
    for (unsigned e = 0; e < input.entries; e++)
        if (in[e] && all_must_have && value(e) < 0)
            return;
    for (unsigned e = 0; e < input.entries; e++)
        best = in[e] && value(e) > best ? value(e) : best;
    for (unsigned e = 0; e < input.entries; e++)
        in[e] = in[e] && value(e) > best - 1e-9;
}

static unsigned count(const bool in[MOST])
{
    unsigned sum = 0;
    for (unsigned e = 0; e < input.entries; e++)
        sum += in[e];
    return sum;
}

/* The last decision of the judges, or of coins, on just these; or one that chose one of these among
 * these and others. */
static const struct result_decision *decided(const bool in[MOST], bool coin)
{
    const struct result_decision *found = NULL;
    for (unsigned i = 0; i < input.decisions; i++) {
        const struct result_decision *d = &input.decision[i];
        bool same = true, within = true;
        for (unsigned e = 0; e < MOST; e++) {
            bool among = (d->among & (1u << e)) != 0;
            same = same && among == in[e];
            within = within && (among || !in[e]);
        }
        if (d->coin == coin && (d->chosen ? within && in[d->chosen - 1] : same))
            found = d;
    }
    return found;
}

/* The ways of each ruleset to break a tie for a place. */
static void break_tie(bool in[MOST], unsigned at)
{
    if (count(in) < 2)
        return;
    if (rules.scoring == SCORING_COLUMNS) { /* 2004 B3, B4 */
        keep_best(in, all_points, false);
        if (count(in) > 1)
            keep_best(in, prelim_score, true);
    } else if (rules.scoring == SCORING_VOTES) { /* 2009 §3b */
        bool awaited = false;
        for (unsigned e = 0; e < input.entries; e++)
            awaited = awaited || (in[e] && input.rank_awaited[e]);
        if (!awaited || input.closed)
            keep_best(in, mean_rank, true);
    } else if (rules.scoring == SCORING_MEANS) { /* 2003 r50 */
        const struct result_decision *judges = decided(in, false), *coin = decided(in, true);
        unsigned chosen = judges ? judges->chosen : input.conferred[at - 1];
        bool split = judges ? !chosen : input.split[at - 1];
        if (!(chosen && in[chosen - 1]) && coin)
            chosen = coin->chosen;
        if (chosen && in[chosen - 1]) {
            memset(in, 0, MOST * sizeof in[0]);
            in[chosen - 1] = true;
        } else if (input.coin_tossed &&
                   (split ||
                    !input.coin_waits)) { /* whoever it fell for: it must be one of these */
            unsigned alone = 0;
            for (unsigned i = 0; i < result.count; i++) {
                unsigned c = result.standing[i].candidate;
                if (c < input.entries && result.standing[i].place == at) {
                    assert_true(in[c]);
                    memset(in, 0, MOST * sizeof in[0]);
                    in[c] = true;
                    alone++;
                }
            }
            assert_int_equal(alone, 1);
        }
    }
}

/* 2004 B2: two different judges over two different confederates, by all ways to choose two. */
static bool two_and_two(unsigned e)
{
    unsigned beaten[PEOPLE][PEOPLE] = {{0}}, found = 0; /* by judge and confederate */
    for (unsigned i = 0; i < input.ballots; i++)
        if (ballots[i].entry == e && ballots[i].entry_points > 50)
            beaten[person_of(i, true)][person_of(i, false)]++;
    for (unsigned j = 0; j < PEOPLE; j++)
        for (unsigned k = j + 1; k < PEOPLE; k++)
            for (unsigned c = 0; c < PEOPLE; c++)
                for (unsigned d = 0; d < PEOPLE; d++)
                    found += c != d && beaten[j][c] && beaten[k][d];
    return found > 0;
}

static void slow_ranked(void)
{
    bool left[MOST] = {false};
    unsigned at = 1, compliant = 0, only = 0;
    for (unsigned e = 0; e < input.entries; e++) {
        left[e] = !input.disqualified[e] && !input.withdrawn[e];
        compliant += left[e];
        only = left[e] ? e : only;
        left[e] = left[e] && !input.not_final[e];
    }
    outcome = RESULT_NO_ENTRY;
    if (compliant == 1 && input.ballots == 0 && rules.single_entry_wins == WORD_YES) {
        outcome = RESULT_ONLY_ONE; /* 1996 r5, 2003 r3, 2004 A8.2 */
        winner = (int)only;
        medal = !input.own[winner] || rules.own_entry != OWN_SILVER_ONLY;
        return;
    }
    if (compliant == 0)
        return;
    judged = true;
    while (count(left)) {
        bool in[MOST];
        unsigned equal;
        memcpy(in, left, sizeof in);
        keep_best(in,
                  rules.scoring == SCORING_COLUMNS || rules.scoring == SCORING_VOTES ? times_human
                                                                                     : mean_rating,
                  false);
        if (at <= (unsigned)rules.awarded)
            break_tie(in, at);
        equal = count(in);
        for (unsigned e = 0; e < input.entries; e++) {
            place[e] = in[e] ? at : place[e];
            left[e] = left[e] && !in[e];
            if (in[e] && at == 1) {
                outcome = equal == 1 ? RESULT_WON : RESULT_TIED;
                winner = equal == 1 ? (int)e : -1;
            }
        }
        at += equal;
    }
    if (!input.closed && (input.ballots == 0 || input.ballots != input.ballots_wanted)) {
        outcome = RESULT_PROVISIONAL;
        leader = input.ballots ? winner : -1;
        winner = -1;
        judged = false;
    }
    if (winner < 0)
        return;
    if (rules.scoring == SCORING_COLUMNS) /* 2004 B2 */
        silver = two_and_two((unsigned)winner);
    else if (rules.scoring == SCORING_MEANS) { /* 2003 r48 */
        silver = true;
        for (unsigned c = 0; c < PEOPLE; c++)
            if (mean_of(c) > mean_rating((unsigned)winner) + 1e-9)
                silver = false;
    }
    medal = silver || !input.own[winner] || rules.own_entry != OWN_SILVER_ONLY; /* 2003 r60 */
}

/* 1996, announcement: one confederate above all others. */
static void slow_most_human(void)
{
    double best = -1;
    for (unsigned c = 0; c < PEOPLE; c++) {
        double mean = mean_of(c);
        if (mean < 0)
            continue;
        if (mean > best + 1e-9)
            most_human = (int)(c < MOST ? c : c - MOST + SCHEDULE_PEOPLE_MAX);
        else if (mean > best - 1e-9)
            most_human = -1;
        best = mean > best ? mean : best;
    }
}

static double median_rank(unsigned trial, unsigned candidate)
{
    unsigned at[8] = {0}, sum = 0, seen = 0;
    double low = -1, high = -1;
    for (unsigned i = 0; i < input.rankings; i++)
        if (rankings[i].trial == trial && rankings[i].candidate == candidate) {
            at[rankings[i].rank]++;
            sum++;
        }
    for (unsigned r = 0; r < 8; r++)
        for (unsigned k = 0; k < at[r]; k++, seen++) {
            low = seen == (sum - 1) / 2 ? r : low;
            high = seen == sum / 2 ? r : high;
        }
    return sum ? (low + high) / 2 : -1;
}

/* Whether three judges have a ballot and a rank on each of the four. */
static bool is_complete(unsigned trial)
{
    unsigned judges = 0;
    for (unsigned j = 0; j < 3; j++) {
        unsigned pairs = 0;
        for (unsigned i = 0; i < input.ballots; i++)
            for (unsigned k = 0; k < input.rankings; k++)
                pairs += ballots[i].trial == trial && ballots[i].judge == j &&
                         rankings[k].trial == trial && rankings[k].judge == j &&
                         rankings[k].candidate == ballots[i].entry;
        judges += pairs == 4;
    }
    return judges == 3;
}

/* Long bet II ¶4, ¶8, ¶13 to ¶15; and the number of trials that is not printed. */
static void slow_long_bet(void)
{
    unsigned finished = 0, passed = 0;
    for (unsigned t = 0; t < input.trials; t++) {
        unsigned humans = 0, foils = 0, given = 0, ranked = 0;
        for (unsigned i = 0; i < input.ballots; i++) {
            given += ballots[i].trial == t;
            humans += ballots[i].trial == t && ballots[i].entry == 0 && ballots[i].entry_human;
        }
        for (unsigned i = 0; i < input.rankings; i++)
            ranked += rankings[i].trial == t;
        for (unsigned c = 1; c <= input.confederates; c++)
            foils += median_rank(t, 0) >= 0 && median_rank(t, c) >= 0 &&
                     median_rank(t, 0) >= median_rank(t, c);
        assert_int_equal(result.trial[t].humans, humans);
        assert_int_equal(result.trial[t].foils, foils);
        if (given == input.trial_wanted[t] && ranked == given && is_complete(t)) {
            finished++;
            passed += humans >= 2 && foils >= 2;
        }
    }
    outcome = RESULT_OPEN;
    if (finished >= 3 && rules.trials_needed)
        outcome = passed >= (unsigned)rules.trials_needed ? RESULT_PASSED : RESULT_FAILED;
    else if (finished >= 3 && (passed == 0 || passed == finished))
        outcome = passed ? RESULT_PASSED : RESULT_FAILED;
}

static void cast(struct dice *dice, unsigned judge, unsigned candidate, unsigned trial, bool pairs)
{
    struct ballot *b = &ballots[input.ballots++];
    *b = (struct ballot){
        .judge = (uint8_t)judge,
        .trial = (uint8_t)trial,
        .entry = (uint8_t)candidate,
        .confederate = pairs ? (uint8_t)((judge + candidate) % input.confederates) : PERSON_NOBODY,
        .entry_points = (int16_t)(45 + 10 * dice_below(dice, 2)),
        .entry_human = dice_below(dice, 3) == 0,
        .rating = (int32_t)(500 * dice_below(dice, 5)),
    };
    b->confederate_points = (int16_t)(100 - b->entry_points);
}

static void give_rank(unsigned judge, unsigned candidate, unsigned trial, unsigned rank)
{
    rankings[input.rankings++] = (struct ranking){
        .judge = (uint8_t)judge,
        .candidate = (uint8_t)candidate,
        .rank = (uint8_t)rank,
        .trial = (uint8_t)trial,
    };
}

/* Who sat there: who does now, who sits elsewhere now, or who sits nowhere any more. */
static person_number somebody(struct dice *dice, unsigned column, unsigned of)
{
    if (dice_below(dice, 2))
        return (uint8_t)column;
    return (person_number)(dice_below(dice, of) + (dice_below(dice, 2) ? SCHEDULE_PEOPLE_MAX : 0));
}

static void random_ranked(struct dice *dice)
{
    unsigned judges = 1 + (unsigned)dice_below(dice, 5);
    bool pairs = rules.pairing == PAIRING_PAIRS;
    unsigned missing = (unsigned)dice_below(dice, 4); /* of twelve */
    input.entries = (unsigned)dice_below(dice, 5);
    input.confederates = 1 + (unsigned)dice_below(dice, 4);
    for (unsigned j = 0; j < judges; j++) {
        unsigned ranked = 0;
        for (unsigned c = 0; c < input.entries + (pairs ? 0 : input.confederates); c++) {
            input.ballots_wanted++;
            if (dice_below(dice, 12) < missing || dice_below(dice, 64) == 0)
                continue;
            cast(dice, j, c, 0, pairs);
            const struct ballot *b = &ballots[input.ballots - 1];
            if (rules.ranks == RANKS_NON_HUMAN && missing < 3)
                give_rank(j, b->entry_human ? input.entries + b->confederate : c, 0, ++ranked);
        }
    }
    if (dice_below(dice, 6) == 0)
        input.ballots = input.rankings = 0;
    for (unsigned e = 0; e < input.entries; e++) {
        input.disqualified[e] = dice_below(dice, 10) == 0;
        input.withdrawn[e] = dice_below(dice, 10) == 0;
        input.not_final[e] = dice_below(dice, 10) == 0;
        input.own[e] = dice_below(dice, 10) == 0;
        input.rank_awaited[e] = dice_below(dice, 5) == 0;
        if (dice_below(dice, 3))
            input.prelim[e] = (struct fraction){(int64_t)dice_below(dice, 3), 2};
        input.conferred[e] =
            dice_below(dice, 2) ? (uint8_t)(1 + dice_below(dice, input.entries)) : 0;
    }
    for (unsigned p = 0; p < MOST; p++)
        input.split[p] = dice_below(dice, 2);
    for (unsigned i = 0; input.entries && i < dice_below(dice, 6); i++) {
        struct result_decision *d = &input.decision[input.decisions++];
        d->coin = dice_below(dice, 2);
        d->chosen =
            (uint8_t)(dice_below(dice, 3) || d->coin ? 1 + dice_below(dice, input.entries) : 0);
        d->among = dice_below(dice, 1u << input.entries);
        if (d->chosen)
            d->among |= 1u << (d->chosen - 1);
    }
    input.coin_waits = dice_below(dice, 2);
    input.seated = dice_below(dice, 2);
    for (unsigned i = 0; i < MOST; i++)
        input.replaced[i] = "Somebody";
    for (unsigned i = 0; input.seated && i < input.ballots; i++) {
        const struct ballot *b = &ballots[i];
        unsigned confederate =
            b->confederate != PERSON_NOBODY ? b->confederate : b->entry - input.entries;
        bool human = b->confederate != PERSON_NOBODY || b->entry >= input.entries;
        input.seat[i].judge = somebody(dice, b->judge, 4);
        input.seat[i].confederate =
            human ? somebody(dice, confederate, input.confederates) : PERSON_NOBODY;
    }
    input.closed = dice_below(dice, 2);
    input.coin_tossed = dice_below(dice, 2);
    input.coin[3] = (uint8_t)dice_below(dice, 256);
}

static void random_long_bet(struct dice *dice)
{
    input.entries = 1;
    input.confederates = 3;
    input.trials = 1 + (unsigned)dice_below(dice, 5);
    rules.trials_needed = (int)dice_below(dice, 4);
    for (unsigned t = 0; t < input.trials; t++) {
        bool short_of = dice_below(dice, 6) == 0;
        unsigned no_judge = (unsigned)dice_below(dice, 24), no_one = (unsigned)dice_below(dice, 24);
        input.trial_wanted[t] = 0; /* who has left, is not waited for */
        for (unsigned j = 0; j < 3; j++) {
            unsigned first = (unsigned)dice_below(dice, 4), step = dice_below(dice, 2) ? 1 : 3;
            for (unsigned c = 0; c < 4; c++) {
                if (j == no_judge || c == no_one)
                    continue;
                input.trial_wanted[t]++;
                input.ballots_wanted++;
                if (short_of && dice_below(dice, 6) == 0)
                    continue;
                cast(dice, j, c, t, false);
                if (dice_below(dice, 3))
                    ballots[input.ballots - 1].entry_human = true;
                if (!short_of || dice_below(dice, 6))
                    give_rank(j, c, t, 1 + (first + step * c) % 4);
            }
        }
    }
}

static void compare(unsigned number)
{
    winner = leader = most_human = -1;
    silver = medal = judged = false;
    memset(place, 0, sizeof place);
    if (rules.scoring == SCORING_LONG_BET)
        slow_long_bet();
    else
        slow_ranked();
    if (rules.most_human_human == WORD_YES && judged)
        slow_most_human();
    if (result.outcome != outcome || result.winner != winner || result.silver != silver ||
        result.most_human_human != most_human || result.leader != leader || result.medal != medal)
        fail_msg("contest %u, %s: %d, E%d, silver %d, C%d; by the slow way %d, E%d, %d, C%d:\n%s",
                 number, rules.name, result.outcome, result.winner + 1, result.silver,
                 result.most_human_human + 1, outcome, winner + 1, silver, most_human + 1, steps);
    assert_int_equal(result.ballots_missing, input.ballots_wanted - input.ballots);
    for (unsigned k = 0; k < result.count; k++) {
        const struct result_standing *s = &result.standing[k];
        if (s->candidate < input.entries && outcome != RESULT_ONLY_ONE &&
            s->place != place[s->candidate])
            fail_msg("contest %u, %s: E%u has place %u, by the slow way %u:\n%s", number,
                     rules.name, s->candidate + 1U, s->place, place[s->candidate], steps);
    }
}

static void test_contests(const char *name)
{
    struct dice dice = dice_make(dice_seed(name));
    unsigned seen[RESULT_PROVISIONAL + 1] = {0};
    for (unsigned i = 0; i < 3000; i++) {
        rules_load(&rules, name);
        input = (struct result_input){.ruleset = &rules, .ballot = ballots, .ranking = rankings};
        if (rules.scoring == SCORING_LONG_BET)
            random_long_bet(&dice);
        else
            random_ranked(&dice);
        steps[0] = '\0';
        result_make(&result, &input, on_step, NULL);
        compare(i);
        seen[result.outcome]++;
    }
    if (rules.scoring == SCORING_LONG_BET) {
        assert_true(seen[RESULT_PASSED] && seen[RESULT_FAILED] && seen[RESULT_OPEN]);
        return;
    }
    assert_true(seen[RESULT_WON] && seen[RESULT_TIED] && seen[RESULT_NO_ENTRY]);
    assert_true(seen[RESULT_PROVISIONAL]);
    assert_true(seen[RESULT_ONLY_ONE] || rules.single_entry_wins != WORD_YES);
}

static void test_1996(void **state)
{
    (void)state;
    test_contests("loebner-1996");
}

static void test_2003(void **state)
{
    (void)state;
    test_contests("loebner-2003");
}

static void test_2004(void **state)
{
    (void)state;
    test_contests("loebner-2004");
}

static void test_2009(void **state)
{
    (void)state;
    test_contests("loebner-2009");
}

static void test_long_bet(void **state)
{
    (void)state;
    test_contests("longbet-2002");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_1996), cmocka_unit_test(test_2003),     cmocka_unit_test(test_2004),
        cmocka_unit_test(test_2009), cmocka_unit_test(test_long_bet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
