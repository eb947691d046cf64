/* Which Entries come into the final round: each clause under its rule's number, and random
 * registers against a slow second implementation that counts instead of sorting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "contest/selection.h"
#include "tests/support/random.h"
#include "tests/support/rules.h"

static struct ruleset ruleset;
static struct selection_input input;
static struct selection_rank rank[SELECTION_RANKS_MAX];
static struct selection selection;
static struct bl_diag diag;
static char said[16384]; /* "[RULE] TEXT" of all steps */

static void say(void *ctx, const char *rule, const char *text)
{
    (void)ctx;
    size_t length = strlen(said);
    snprintf(said + length, sizeof said - length, "[%s] %s\n", rule, text);
}

static void begin(const char *rules, unsigned entries)
{
    rules_load(&ruleset, rules);
    memset(&input, 0, sizeof input);
    input.ruleset = &ruleset;
    input.entries = entries;
    input.rank = rank;
}

static void choose(void)
{
    said[0] = '\0';
    if (selection_make(&selection, &input, say, NULL, &diag))
        fail_msg("%s", diag.text);
}

static void assert_said(const char *text)
{
    if (!strstr(said, text))
        fail_msg("'%s' is not in\n%s", text, said);
}

static unsigned count(enum selection_stage stage)
{
    unsigned found = 0;
    for (unsigned i = 0; i < input.entries; i++)
        found += selection.stage[i] == stage;
    return found;
}

/* Scores that fall with the Entry's number. */
static void score(struct fraction *score)
{
    for (unsigned i = 0; i < input.entries; i++)
        score[i] = (struct fraction){100 - (int64_t)i, 1};
}

static void test_no_entry_1996_r5_2003_r55_2004_A1_2009_1(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *next;
    } each[] = {{"loebner-1996", "makes it 4000"},
                {"loebner-2003", "makes it 4000"},
                {"loebner-2004", "makes it 4000"},
                {"loebner-2009", "makes it 6000"},
                {"longbet-2002", "no compliant Entry"}};
    for (unsigned i = 0; i < sizeof each / sizeof each[0]; i++) {
        begin(each[i].rules, 2);
        input.out[0] = input.out[1] = true;
        choose();
        assert_int_equal(selection.outcome, SELECTION_NO_ENTRY);
        assert_int_equal(selection.finalists, 0);
        assert_said(each[i].next);
    }
}

static void test_one_entry_1996_r5_2003_r3_2004_A8_2(void **state)
{
    (void)state;
    static const char *const wins[] = {"loebner-1996", "loebner-2003", "loebner-2004"};
    for (unsigned i = 0; i < 3; i++) {
        begin(wins[i], 3);
        input.out[0] = input.out[2] = true;
        choose();
        assert_int_equal(selection.outcome, SELECTION_ONLY_ONE);
        assert_int_equal(selection.stage[1], STAGE_FINAL);
        assert_said("E2 is the only compliant Entry");
    }
    begin("loebner-2009", 1); /* its rules do not say that a single one wins */
    choose();
    assert_int_equal(selection.outcome, SELECTION_FINAL);
}

static void test_1996_r13_no_more_than_eight(void **state)
{
    (void)state;
    begin("loebner-1996", 8);
    choose();
    assert_int_equal(selection.finalists, 8);
    begin("loebner-1996", 9);
    choose();
    assert_int_equal(selection.outcome, SELECTION_WANTS_CHOICE);
    assert_said("[1996 r13] 9 Entries, and no more than 8");
    for (unsigned i = 0; i < 9; i++)
        input.chosen[i] = true;
    assert_int_equal(selection_make(&selection, &input, NULL, NULL, &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "9 are chosen, and 8 is the most (1996 r13)"));
    input.chosen[4] = false;
    choose();
    assert_int_equal(selection.outcome, SELECTION_FINAL);
    assert_int_equal(selection.stage[4], STAGE_COMPLIANT);
    assert_int_equal(selection.stage[8], STAGE_FINAL);
}

/* A venue's own rules may name no numbers: then there is room for all. */
static void test_rules_without_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *said;
    } of[] = {
        {"loebner-1996", "finalists: E1, E2, E3, E4, E5, E6, E7, E8, E9"},
        {"loebner-2003", "40 Entries: all go to the final round"},
        {"loebner-2004", "40 Entries: all are in the Final Four round"},
        {"loebner-2009", "40 Entries: all go to the final round"},
    };
    for (unsigned i = 0; i < sizeof of / sizeof of[0]; i++) {
        begin(of[i].rules, 40);
        ruleset.entries_most = ruleset.screened_most = 0;
        choose();
        assert_said(of[i].said);
        assert_int_equal(selection.outcome, SELECTION_FINAL);
        assert_int_equal(selection.finalists, 40);
    }
    /* All are screened, and four go on. */
    static const char *const cut[] = {"loebner-2004", "loebner-2009"};
    for (unsigned i = 0; i < sizeof cut / sizeof cut[0]; i++) {
        begin(cut[i], 40);
        ruleset.screened_most = 0;
        choose();
        assert_int_equal(selection.outcome, SELECTION_WANTS_SCREENING);
        assert_int_equal(count(STAGE_SCREENED), 40);
    }
}

static void test_long_bet_II_2_one_computer(void **state)
{
    (void)state;
    begin("longbet-2002", 2);
    choose();
    assert_int_equal(selection.outcome, SELECTION_WANTS_CHOICE);
    input.chosen[1] = true;
    choose();
    assert_int_equal(selection.finalists, 1);
    assert_int_equal(selection.stage[1], STAGE_FINAL);
}

static void test_2004_A8_3_two_to_four(void **state)
{
    (void)state;
    for (unsigned n = 2; n <= 4; n++) {
        begin("loebner-2004", n);
        choose();
        assert_int_equal(selection.outcome, SELECTION_FINAL);
        assert_int_equal(selection.finalists, n);
        assert_said("[2004 A8.3]");
    }
}

static void test_2004_A8_4_five_to_eight(void **state)
{
    (void)state;
    for (unsigned n = 5; n <= 8; n++) {
        begin("loebner-2004", n);
        choose();
        assert_int_equal(selection.outcome, SELECTION_WANTS_PRELIM);
        assert_int_equal(count(STAGE_PRELIM), n);
        score(input.prelim);
        choose();
        assert_int_equal(selection.finalists, 4);
        assert_said("[2004 A8.4] finalists: E1, E2, E3, E4");
    }
    input.prelim[4] = input.prelim[3]; /* two for the fourth place */
    choose();
    assert_int_equal(selection.outcome, SELECTION_WANTS_CHOICE);
    assert_said("[2004 A8.4] E4, E5 are equal, and there is room for 1 of them");
    input.chosen[4] = true;
    choose();
    assert_said("finalists: E1, E2, E3, E5");
}

static void test_2004_A8_5_A9_nine_to_thirty_two(void **state)
{
    (void)state;
    for (unsigned n = 9; n <= 32; n += 23) {
        begin("loebner-2004", n);
        choose();
        assert_int_equal(selection.outcome, SELECTION_WANTS_SCREENING);
        assert_int_equal(count(STAGE_SCREENED), n);
        score(input.screening);
        choose();
        assert_int_equal(selection.outcome, SELECTION_WANTS_PRELIM);
        assert_int_equal(count(STAGE_PRELIM), 8);
        assert_int_equal(count(STAGE_SCREENED), n - 8);
        score(input.prelim);
        choose();
        assert_int_equal(selection.finalists, 4);
        assert_int_equal(count(STAGE_PRELIM), 4);
    }
}

static void test_2004_A10_more_than_thirty_two(void **state)
{
    (void)state;
    begin("loebner-2004", 40);
    for (unsigned i = 0; i < 40; i++)
        input.received_us[i] = 1000 - i; /* the last one registered came first */
    choose();
    assert_int_equal(count(STAGE_SCREENED), 32);
    assert_int_equal(selection.stage[7], STAGE_COMPLIANT);
    assert_int_equal(selection.stage[8], STAGE_SCREENED);
    input.invited[0] = true; /* of outstanding merit */
    choose();
    assert_int_equal(count(STAGE_SCREENED), 33);
    assert_said("[2004 A10] invited for outstanding merit: E1");
    for (unsigned i = 0; i < 40; i++) /* without time stamps: as they were registered */
        input.received_us[i] = 0;
    input.invited[0] = false;
    choose();
    assert_int_equal(selection.stage[31], STAGE_SCREENED);
    assert_int_equal(selection.stage[32], STAGE_COMPLIANT);
}

static void test_2009_1_the_first_sixteen(void **state)
{
    (void)state;
    begin("loebner-2009", 20);
    for (unsigned i = 0; i < 20; i++)
        input.received_us[i] = 1000 - i;
    input.out[19] = true; /* not compliant: it takes no place */
    choose();
    assert_int_equal(selection.outcome, SELECTION_WANTS_SCREENING);
    assert_int_equal(count(STAGE_SCREENED), 16);
    assert_int_equal(selection.stage[2], STAGE_COMPLIANT);
    assert_int_equal(selection.stage[3], STAGE_SCREENED);
    assert_said("[2009 §1] 19 compliant Entries: the 16");
    input.received_us[2] = input.received_us[3]; /* at the same instant */
    choose();
    assert_int_equal(selection.outcome, SELECTION_WANTS_CHOICE);
}

static void test_2009_4_the_four_highest_scores(void **state)
{
    (void)state;
    begin("loebner-2009", 4);
    choose();
    assert_int_equal(selection.finalists, 4);
    begin("loebner-2009", 6);
    score(input.screening);
    input.screening[5] = (struct fraction){201, 2}; /* 100.5 */
    choose();
    assert_said("[2009 §4] finalists: E6, E1, E2, E3");
}

/* Equal time stamps and equal scores: a choice for each cut, for one could not settle both. */
static void test_2009_1_4_a_choice_for_each_cut(void **state)
{
    (void)state;
    begin("loebner-2009", 18);
    for (unsigned i = 0; i < 18; i++) {
        input.received_us[i] = 1;
        input.screening[i] = (struct fraction){100, 1};
        input.chosen[i] = i < 16;
    }
    choose();
    assert_int_equal(selection.outcome, SELECTION_WANTS_CHOICE);
    assert_true(selection.final_choice);
    for (unsigned i = 12; i < 16; i++)
        input.chosen_final[i] = true;
    choose();
    assert_int_equal(selection.outcome, SELECTION_FINAL);
    assert_said("[2009 §4] finalists: E13, E14, E15, E16");
    input.chosen[0] = false;
    choose();
    assert_int_equal(selection.outcome, SELECTION_WANTS_CHOICE);
    assert_false(selection.final_choice);
}

/* Every judge ranks `length` Entries, beginning with the one after the judge before him. */
static void rank_round(unsigned judges, unsigned length)
{
    input.ranks = 0;
    for (unsigned j = 0; j < judges; j++)
        for (unsigned k = 0; k < length; k++)
            rank[input.ranks++] = (struct selection_rank){
                (uint8_t)j, (uint8_t)((j * length + k) % input.entries), (uint8_t)(k + 1)};
}

static void test_2003_r32_eight_go_on(void **state)
{
    (void)state;
    begin("loebner-2003", 8);
    choose();
    assert_int_equal(selection.finalists, 8);
    assert_said("[2003 r32] 8 Entries: all go");
    begin("loebner-2003", 9);
    choose();
    assert_int_equal(selection.outcome, SELECTION_WANTS_PRELIM);
}

static void refuse(const char *text)
{
    assert_int_equal(selection_make(&selection, &input, NULL, NULL, &diag), BL_DATA);
    if (!strstr(diag.text, text))
        fail_msg("'%s' does not say '%s'", diag.text, text);
}

static void test_2003_r36_after_judging_is_complete(void **state)
{
    (void)state;
    begin("loebner-2003", 9);
    rank_round(4, 9);
    input.lists_missing = true;
    choose();
    assert_int_equal(selection.outcome, SELECTION_WANTS_PRELIM);
    assert_said("[2003 r34] lists of judges who were allotted Entries are missing");
    input.lists_missing = false;
    choose();
    assert_int_not_equal(selection.outcome, SELECTION_WANTS_PRELIM);
}

static void test_2003_r34_three_judges_and_ten_entries(void **state)
{
    (void)state;
    begin("loebner-2003", 12);
    rank_round(3, 11);
    refuse("11 Entries; 10 is the most (2003 r34)");
    rank_round(2, 6);
    refuse("E1 has 1 preliminary judges; 3 is the least (2003 r34)");
    rank_round(6, 6);
    choose();
    rank[0].rank = 2;
    refuse("rank 2 is out of range, or is given twice");
    rank[0].rank = 7;
    refuse("ranks 1 to 6, each once");
    rank[0] = rank[1];
    refuse("there is no E2, or it is ranked twice");
}

/* Who leaves after the lists are in is passed over; the others keep their ranks, and whoever is
 * next goes on. */
static void test_2003_r36_an_entry_that_leaves(void **state)
{
    (void)state;
    begin("loebner-2003", 10);
    rank_round(3, 10);
    choose();
    assert_said("in reserve: E9, E10");
    input.out[1] = true;
    choose();
    assert_int_equal(selection.outcome, SELECTION_FINAL);
    assert_said("[2003 r36] E3: mean rank 9/3");
    assert_said("[2003 r36] finalists: E1, E3, E4, E5, E6, E7, E8, E9");
    input.out[2] = true;
    choose();
    assert_said("[2003 r32] 8 Entries: all go to the final round");
}

static void test_2003_r36_lists_of_any_length(void **state)
{
    (void)state;
    begin("loebner-2003", 9);
    rank_round(3, 9);
    rank[input.ranks++] = (struct selection_rank){3, 0, 1};
    choose();
    assert_said("[2003 r36] the lists have 1 to 9 Entries, and the rule takes the means");
    assert_said("[2003 r36] E1: mean rank 4/4");
}

static void test_2003_r36_means_and_reserves(void **state)
{
    (void)state;
    begin("loebner-2003", 10);
    input.ranks = 0;
    for (uint8_t j = 0; j < 3; j++)
        for (uint8_t e = 0; e < 10; e++)
            rank[input.ranks++] = (struct selection_rank){j, e, (uint8_t)(10 - e)};
    choose();
    assert_int_equal(selection.finalists, 8);
    assert_said("[2003 r36] finalists: E10, E9, E8, E7, E6, E5, E4, E3");
    assert_said("[2003 r36] in reserve: E2, E1");
    assert_int_equal(count(STAGE_RESERVE), 2);
}

static void test_2003_r37_the_panel_decides(void **state)
{
    (void)state;
    begin("loebner-2003", 9);
    rank_round(3, 9);
    rank[26].rank = 8; /* E8 and E9: 8 + 8 + 9 and 9 + 9 + 8 */
    rank[25].rank = 9;
    choose();
    assert_int_equal(selection.outcome, SELECTION_FINAL);
    rank[8 + 9].rank = 8; /* and now 8 + 9 + 9 and 9 + 8 + 8: E9 goes on */
    rank[7 + 9].rank = 9;
    choose();
    assert_int_equal(selection.stage[8], STAGE_FINAL);
    begin("loebner-2003", 10);
    rank_round(4, 10); /* equal means of E8 and E9 by two judges each way */
    for (unsigned j = 0; j < 2; j++) {
        rank[10 * j + 7].rank = 9;
        rank[10 * j + 8].rank = 8;
    }
    choose();
    assert_int_equal(selection.outcome, SELECTION_WANTS_CHOICE);
    assert_said("[2003 r37] E8, E9 are equal");
    input.chosen[8] = true;
    choose();
    assert_int_equal(selection.stage[8], STAGE_FINAL);
    assert_int_equal(selection.stage[7], STAGE_RESERVE);
}

/* Two who are equal for the reserve: it is said, and a panel may turn them round. */
static void test_2003_r36_r37_equals_in_reserve(void **state)
{
    (void)state;
    begin("loebner-2003", 10);
    rank_round(4, 10);
    for (unsigned i = 0; i < input.ranks; i++)
        if (rank[i].judge % 2 && rank[i].entry >= 8)
            rank[i].rank = (uint8_t)(19 - rank[i].rank);
    choose();
    assert_said("[2003 r37] E9, E10 are equal for the reserve");
    assert_said("[2003 r36] in reserve: E9, E10");
    input.lost[0] = true;
    choose();
    assert_said("E1 is lost: the reserve E9 takes its place");
    input.chosen[9] = true;
    choose();
    assert_null(strstr(said, "equal for the reserve"));
    assert_said("E1 is lost: the reserve E10 takes its place");
}

static void test_2003_r16_r22_a_lost_entry(void **state)
{
    (void)state;
    begin("loebner-2003", 10);
    rank_round(3, 10);
    input.lost[0] = input.lost[8] = true; /* a finalist, and the first reserve */
    choose();
    assert_said("[2003 r16] E1 is lost: the reserve E10 takes its place");
    assert_int_equal(selection.finalists, 8);
    assert_int_equal(count(STAGE_RESERVE), 0);
    assert_int_equal(selection.stage[0], STAGE_OUT);
    assert_int_equal(selection.more_confederates, 0);
    input.lost[1] = true;
    choose();
    assert_said("E2 is lost and no reserve is left: a further confederate takes its place");
    assert_int_equal(selection.finalists, 7);
    assert_int_equal(selection.more_confederates, 1);
}

static void test_2003_r34_allotment(void **state)
{
    (void)state;
    struct allotment allotment;
    for (unsigned entries = 1; entries <= 40; entries++) {
        for (unsigned judges = 0; judges <= 30; judges++) {
            unsigned load[SCHEDULE_ENTRIES_MAX] = {0}, least = 1000, most = 0;
            bool enough = judges >= 3 && judges * (entries < 10 ? entries : 10) >= 3 * entries;
            enum bl_status status = selection_allot(&allotment, entries, judges, 3, 10, &diag);
            assert_int_equal(status, enough ? BL_OK : BL_DATA);
            if (!enough) {
                assert_non_null(strstr(diag.text, "are too few"));
                continue;
            }
            assert_true(allotment.each <= 10);
            assert_true((allotment.each - 1) * judges < 3 * entries); /* no shorter one would do */
            for (unsigned j = 0; j < judges; j++) {
                uint64_t seen = 0;
                for (unsigned k = 0; k < allotment.each; k++) {
                    unsigned e = allotment.entry[j][k];
                    assert_false(seen >> e & 1);
                    seen |= UINT64_C(1) << e;
                    load[e]++;
                }
            }
            for (unsigned e = 0; e < entries; e++) {
                least = load[e] < least ? load[e] : least;
                most = load[e] > most ? load[e] : most;
            }
            assert_true(least >= 3 && most - least <= 1);
        }
    }
}

/* The second implementation: an Entry goes on for sure where fewer than `room` are as good, never
 * where `room` are better, and between these a choice is needed. */
enum fate { OUT, IN, UNDECIDED };

static void slow_fates(const bool *in, const double *value, unsigned room, enum fate *fate)
{
    for (unsigned i = 0; i < input.entries; i++) {
        unsigned better = 0, as_good = 0;
        for (unsigned k = 0; k < input.entries; k++) {
            better += in[k] && value[k] > value[i];
            as_good += in[k] && k != i && value[k] >= value[i];
        }
        fate[i] = !in[i] || better >= room ? OUT : as_good < room ? IN : UNDECIDED;
    }
}

/* True: the set is settled and holds those who go on. */
static bool slow_cut(bool *in, const double *value, unsigned room, const bool *choice)
{
    enum fate fate[SELECTION_ENTRIES_MAX];
    unsigned sure = 0, chosen = 0, open = 0;
    slow_fates(in, value, room, fate);
    for (unsigned i = 0; i < input.entries; i++) {
        sure += fate[i] == IN;
        open += fate[i] == UNDECIDED;
        chosen += fate[i] == UNDECIDED && choice[i];
    }
    if (open && sure + chosen != room)
        return false;
    for (unsigned i = 0; i < input.entries; i++)
        in[i] = fate[i] == IN || (fate[i] == UNDECIDED && choice[i]);
    return true;
}

static unsigned slow_count(const bool *in)
{
    unsigned found = 0;
    for (unsigned i = 0; i < input.entries; i++)
        found += in[i];
    return found;
}

static bool slow_scores(const bool *in, const struct fraction *score, double *value)
{
    bool all = true;
    for (unsigned i = 0; i < input.entries; i++) {
        all = all && (!in[i] || score[i].denominator);
        value[i] =
            score[i].denominator ? (double)score[i].numerator / (double)score[i].denominator : 0;
    }
    return all;
}

static enum selection_outcome slow_2004_and_2009(bool *in, bool is_2004)
{
    double value[SELECTION_ENTRIES_MAX];
    unsigned n = slow_count(in), first = is_2004 ? 32 : 16;
    const bool *last = slow_count(input.chosen_final) ? input.chosen_final : input.chosen;
    if (n == 0)
        return SELECTION_NO_ENTRY;
    if (n == 1 && is_2004)
        return SELECTION_ONLY_ONE;
    if (n <= 4)
        return SELECTION_FINAL;
    if (n > first && !is_2004) { /* by time, of which two may have the same */
        for (unsigned i = 0; i < input.entries; i++)
            value[i] = -(double)input.received_us[i];
        if (!slow_cut(in, value, first, input.chosen))
            return SELECTION_WANTS_CHOICE;
    }
    if (n > first && is_2004) { /* by time, and of the same by number */
        bool kept[SELECTION_ENTRIES_MAX] = {false};
        for (unsigned i = 0; i < input.entries; i++) {
            unsigned earlier = 0;
            for (unsigned k = 0; k < input.entries; k++)
                earlier += in[k] && (input.received_us[k] < input.received_us[i] ||
                                     (k < i && input.received_us[k] == input.received_us[i]));
            kept[i] = in[i] && (earlier < first || input.invited[i]);
        }
        memcpy(in, kept, sizeof kept);
    }
    if (!is_2004 || slow_count(in) > 8) {
        if (!slow_scores(in, input.screening, value))
            return SELECTION_WANTS_SCREENING;
        if (!slow_cut(in, value, is_2004 ? 8 : 4, is_2004 ? input.chosen : last))
            return SELECTION_WANTS_CHOICE;
    }
    if (!is_2004)
        return SELECTION_FINAL;
    if (!slow_scores(in, input.prelim, value))
        return SELECTION_WANTS_PRELIM;
    return slow_cut(in, value, 4, last) ? SELECTION_FINAL : SELECTION_WANTS_CHOICE;
}

static void throw_scores(struct dice *dice, struct fraction *scores, bool all)
{
    for (unsigned i = 0; i < input.entries; i++)
        scores[i] =
            (struct fraction){(int64_t)dice_below(dice, 12),
                              all || dice_below(dice, 90) ? 1 + (int64_t)dice_below(dice, 2) : 0};
}

static void test_random_registers(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("registers"));
    unsigned seen[SELECTION_WANTS_CHOICE + 1] = {0};
    for (unsigned turn = 0; turn < 6000; turn++) {
        bool is_2004 = turn & 1, in[SELECTION_ENTRIES_MAX];
        enum selection_outcome wanted;
        begin(is_2004 ? "loebner-2004" : "loebner-2009", (unsigned)dice_below(&dice, 49));
        for (unsigned i = 0; i < input.entries; i++) {
            input.out[i] = dice_below(&dice, 5) == 0;
            in[i] = !input.out[i];
            input.received_us[i] = 1 + (int64_t)((i * 37 + turn) % (turn % 3 ? 64 : 9));
            input.invited[i] = dice_below(&dice, 10) == 0;
            input.chosen[i] = dice_below(&dice, 2) == 0;
            input.chosen_final[i] = turn % 5 && dice_below(&dice, 4) == 0;
        }
        throw_scores(&dice, input.screening, dice_below(&dice, 4) > 0);
        throw_scores(&dice, input.prelim, dice_below(&dice, 4) > 0);
        choose();
        wanted = slow_2004_and_2009(in, is_2004);
        assert_int_equal(selection.outcome, wanted);
        seen[wanted]++;
        if (wanted == SELECTION_FINAL)
            for (unsigned i = 0; i < input.entries; i++)
                assert_int_equal(selection.stage[i] == STAGE_FINAL, in[i]);
    }
    for (unsigned i = 1; i <= SELECTION_WANTS_CHOICE; i++)
        assert_true(seen[i] > 0); /* every outcome was tried */
}

static void test_random_preliminary_rounds(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("preliminary rounds"));
    for (unsigned turn = 0; turn < 3000; turn++) {
        bool in[SELECTION_ENTRIES_MAX];
        double value[SELECTION_ENTRIES_MAX];
        unsigned judges = 3 + (unsigned)dice_below(&dice, 8);
        struct allotment allotment;
        begin("loebner-2003", 9 + (unsigned)dice_below(&dice, 10));
        while (selection_allot(&allotment, input.entries, judges, 3, 10, &diag))
            judges++;
        input.ranks = 0;
        for (unsigned j = 0; j < judges; j++) {
            for (unsigned k = allotment.each; k > 1; k--) { /* the judge's order */
                unsigned other = (unsigned)dice_below(&dice, k);
                uint8_t kept = allotment.entry[j][k - 1];
                allotment.entry[j][k - 1] = allotment.entry[j][other];
                allotment.entry[j][other] = kept;
            }
            for (unsigned k = 0; k < allotment.each; k++)
                rank[input.ranks++] =
                    (struct selection_rank){(uint8_t)j, allotment.entry[j][k], (uint8_t)(k + 1)};
        }
        for (unsigned i = 0; i < input.entries; i++) {
            double sum = 0, by = 0;
            for (unsigned r = 0; r < input.ranks; r++) {
                sum += rank[r].entry == i ? rank[r].rank : 0;
                by += rank[r].entry == i;
            }
            value[i] = -sum / by;
            in[i] = true;
            input.chosen[i] = dice_below(&dice, 2) == 0;
        }
        choose();
        bool settled = slow_cut(in, value, 8, input.chosen);
        assert_int_equal(selection.outcome, settled ? SELECTION_FINAL : SELECTION_WANTS_CHOICE);
        for (unsigned i = 0; settled && i < input.entries; i++)
            assert_int_equal(selection.stage[i] == STAGE_FINAL, in[i]);
        assert_true(!settled || count(STAGE_RESERVE) == (input.entries > 9 ? 2 : 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_entry_1996_r5_2003_r55_2004_A1_2009_1),
        cmocka_unit_test(test_one_entry_1996_r5_2003_r3_2004_A8_2),
        cmocka_unit_test(test_1996_r13_no_more_than_eight),
        cmocka_unit_test(test_rules_without_numbers),
        cmocka_unit_test(test_long_bet_II_2_one_computer),
        cmocka_unit_test(test_2004_A8_3_two_to_four),
        cmocka_unit_test(test_2004_A8_4_five_to_eight),
        cmocka_unit_test(test_2004_A8_5_A9_nine_to_thirty_two),
        cmocka_unit_test(test_2004_A10_more_than_thirty_two),
        cmocka_unit_test(test_2009_1_the_first_sixteen),
        cmocka_unit_test(test_2009_4_the_four_highest_scores),
        cmocka_unit_test(test_2009_1_4_a_choice_for_each_cut),
        cmocka_unit_test(test_2003_r32_eight_go_on),
        cmocka_unit_test(test_2003_r36_after_judging_is_complete),
        cmocka_unit_test(test_2003_r34_three_judges_and_ten_entries),
        cmocka_unit_test(test_2003_r34_allotment),
        cmocka_unit_test(test_2003_r36_lists_of_any_length),
        cmocka_unit_test(test_2003_r36_an_entry_that_leaves),
        cmocka_unit_test(test_2003_r36_means_and_reserves),
        cmocka_unit_test(test_2003_r37_the_panel_decides),
        cmocka_unit_test(test_2003_r16_r22_a_lost_entry),
        cmocka_unit_test(test_2003_r36_r37_equals_in_reserve),
        cmocka_unit_test(test_random_registers),
        cmocka_unit_test(test_random_preliminary_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
