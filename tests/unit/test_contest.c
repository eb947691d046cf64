/* A contest out of its acts, and their file: what is refused and why, the chain of hashes, and that
 * nothing is lost or counted twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <sqlite3.h>

#include "contest/contest.h"
#include "contest/rulesets.h"
#include "contest/store.h"
#include "tests/support/random.h"

static struct contest *contest;
static struct bl_diag diag;
static int64_t number;

static enum bl_status apply(const char *kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static enum bl_status apply(const char *kind, const char *format, ...)
{
    static char body[ACT_BODY_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(body, sizeof body, format, args);
    va_end(args);
    number++;
    const struct act act = {.number = number, .author = "test", .kind = kind, .body = body};
    diag.text[0] = '\0';
    return contest_apply(contest, &act, &diag);
}

#define TAKEN(...)                                                                                 \
    do {                                                                                           \
        if (apply(__VA_ARGS__))                                                                    \
            fail_msg("refused: %s", diag.text);                                                    \
    } while (0)
#define REFUSED(said, ...)                                                                         \
    do {                                                                                           \
        assert_int_equal(apply(__VA_ARGS__), BL_DATA);                                             \
        if (!strstr(diag.text, said))                                                              \
            fail_msg("'%s' does not say '%s'", diag.text, said);                                   \
    } while (0)

/* The first act: the ruleset's text as a JSON string. */
static void begin(const char *ruleset)
{
    contest_destroy(contest);
    contest = contest_create();
    number = 0;
    for (const struct ruleset_text *at = ruleset_texts; at->name; at++) {
        if (strcmp(at->name, ruleset) != 0)
            continue;
        json_t *body = json_pack("{s:s,s:s}", "name", "A contest", "ruleset", at->text);
        char *text = json_dumps(body, 0);
        TAKEN("contest", "%s", text);
        free(text);
        json_decref(body);
    }
    assert_int_equal(contest->ruleset.format, 1);
}

static void people(unsigned judges, unsigned entries, unsigned confederates)
{
    for (unsigned i = 1; i <= judges; i++)
        TAKEN("person", "{\"role\":\"judge\",\"name\":\"Judge %u\"}", i);
    for (unsigned i = 1; i <= entries; i++)
        TAKEN("person",
              "{\"role\":\"entry\",\"name\":\"Entry %u\",\"submitter\":\"Author %u\","
              "\"rights\":true,\"receipt\":true}",
              i, i);
    for (unsigned i = 1; i <= confederates; i++)
        TAKEN("person", "{\"role\":\"confederate\",\"name\":\"Confederate %u\"}", i);
}

static void draw(void)
{
    static const uint8_t seed[CONTEST_SEED] = {1};
    uint8_t commitment[ACT_HASH_BYTES];
    char hex[2 * ACT_HASH_BYTES + 1];
    contest_commit(seed, sizeof seed, commitment);
    for (unsigned i = 0; i < sizeof commitment; i++)
        sprintf(hex + 2 * i, "%02x", commitment[i]);
    REFUSED("the commitment comes before", "seed", "{\"seed\":\"01%062d\"}", 0);
    TAKEN("commit", "{\"commitment\":\"%s\"}", hex);
    REFUSED("cannot be changed", "commit", "{\"commitment\":\"%s\"}", hex);
    REFUSED("not the one that was committed to", "seed", "{\"seed\":\"02%062d\"}", 0);
    TAKEN("seed", "{\"seed\":\"01%062d\"}", 0);
}

static void test_2004_from_the_first_act_to_the_result(void **state)
{
    (void)state;
    struct result_input input;
    static struct result result;
    begin("loebner-2004");
    people(2, 2, 2);
    REFUSED("round 1 cannot begin", "begin", "{\"round\":1}");
    TAKEN("schedule", "{\"rounds\":[[[1,1,1]],[[2,2,1]],[[1,2,2]],[[2,1,2]]]}");
    REFUSED("the sides are not drawn yet", "begin", "{\"round\":1}");
    draw();
    REFUSED("round 2 cannot begin", "begin", "{\"round\":2}");
    REFUSED("round 1 has not begun", "ballot",
            "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[60,40]}");
    for (unsigned r = 1; r <= 4; r++)
        TAKEN("begin", "{\"round\":%u}", r);
    TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[60,40]}");
    REFUSED("ties are forbidden", "ballot",
            "{\"judge\":2,\"entry\":2,\"confederate\":1,\"points\":[50,50]}");
    REFUSED("voted on this session already", "ballot",
            "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[70,30]}");
    REFUSED("no session with these two", "ballot",
            "{\"judge\":1,\"entry\":1,\"confederate\":2,\"points\":[70,30]}");
    TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[70,30],"
                    "\"correction\":true}");
    TAKEN("seal", "{\"round\":1}");
    REFUSED("round 1 is sealed", "ballot",
            "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[80,20],\"correction\":true}");
    TAKEN("ballot", "{\"judge\":2,\"entry\":2,\"confederate\":1,\"points\":[30,70]}");
    TAKEN("ballot", "{\"judge\":2,\"entry\":1,\"confederate\":2,\"points\":[51,49]}");
    contest_result_input(contest, &input);
    assert_int_equal(input.ballots, 3);
    assert_int_equal(input.ballots_wanted, 4);
    result_make(&result, &input, NULL, NULL);
    assert_int_equal(result.outcome, RESULT_WON);
    assert_int_equal(result.winner, 0);
    assert_true(result.silver);
    assert_int_equal(result.ballots_missing, 1);
    TAKEN("seal", "{}");
    REFUSED("sealed", "ballot", "{\"judge\":1,\"entry\":2,\"confederate\":2,\"points\":[51,49]}");
}

static void test_what_entrants_must_bring(void **state)
{
    (void)state;
    begin("loebner-2009");
    REFUSED("2003 r14, 2009 §1", "person", "{\"role\":\"entry\",\"name\":\"E\",\"receipt\":true}");
    REFUSED("receipt", "person", "{\"role\":\"entry\",\"name\":\"E\",\"rights\":true}");
    REFUSED("guardian", "person",
            "{\"role\":\"entry\",\"name\":\"E\",\"rights\":true,\"receipt\":true,\"age\":17}");
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"E\",\"submitter\":\"A\",\"rights\":true,"
                    "\"receipt\":true,\"age\":17,\"guardian\":true}");
    REFUSED("'submitter' is wanted", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"rights\":true,\"receipt\":true}");
    REFUSED("'age' is wanted", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"C\",\"rights\":true,"
            "\"receipt\":true,\"age\":\"17\"}");
    REFUSED("A has an Entry already", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"A\",\"rights\":true,"
            "\"receipt\":true}");
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"Ours\",\"own\":true}");
    REFUSED("a has part in entry 1", "person", "{\"role\":\"judge\",\"name\":\"a\"}");
    TAKEN("person", "{\"role\":\"judge\",\"name\":\"B\"}");
    REFUSED("B is judge 1 already", "person", "{\"role\":\"confederate\",\"name\":\"B\"}");
    REFUSED("B has part in judge 1", "person",
            "{\"role\":\"entry\",\"name\":\"G\",\"submitter\":\"B\",\"rights\":true,"
            "\"receipt\":true}");
    REFUSED("control character", "person", "{\"role\":\"judge\",\"name\":\"x\\u001by\"}");
    REFUSED("a text", "person", "{\"role\":\"judge\"}");
    REFUSED("judge, entry or confederate", "person", "{\"role\":\"referee\",\"name\":\"x\"}");
}

#define SENT "\"rights\":true,\"receipt\":true}"

/* 2009 §1: no person may be affiliated with more than one entry; options A, B and C. */
static void test_2009_1_teams_and_how_it_was_submitted(void **state)
{
    (void)state;
    begin("loebner-2009");
    TAKEN("person",
          "{\"role\":\"entry\",\"name\":\"E\",\"submitter\":\"A\",\"team\":[\"B\",\"C\"]," SENT);
    REFUSED("b has an Entry already", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"b\"," SENT);
    REFUSED("C has an Entry already", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"D\",\"team\":[\"C\"]," SENT);
    assert_int_equal(contest->associates, 2); /* a refused act leaves nothing */
    REFUSED("C has part in entry 1", "person", "{\"role\":\"judge\",\"name\":\"C\"}");
    REFUSED("date of appearance", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"D\",\"how\":\"installs\"," SENT);
    REFUSED("courier, installs or brings", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"D\",\"how\":\"mail\"," SENT);
    REFUSED("a receipt with a time stamp", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"D\",\"how\":\"courier\","
            "\"rights\":true}");
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"D\",\"how\":\"brings\","
                    "\"received_us\":1239098400000000,\"rights\":true}");
    REFUSED("a list of names", "person",
            "{\"role\":\"entry\",\"name\":\"G\",\"submitter\":\"X\",\"team\":\"Y\"," SENT);
}

/* Who is ineligible in 2003, and families with them. */
static void test_2003_r10_r41_r52_interests(void **state)
{
    (void)state;
    begin("loebner-2003");
    TAKEN("person", "{\"role\":\"organiser\",\"name\":\"Olga\",\"family\":[\"Otto\"]}");
    TAKEN("person", "{\"role\":\"preliminary\",\"name\":\"Paul\"}");
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"E\",\"submitter\":\"Ann\",\"team\":[\"Bob\"],"
                    "\"family\":[\"Carl\"],\"rights\":true}");
    REFUSED("(2003 r10)", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"Olga\",\"rights\":true}");
    REFUSED("Otto: families and immediate associates of organiser 1", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"Otto\",\"rights\":true}");
    REFUSED("(2003 r41)", "person", "{\"role\":\"judge\",\"name\":\"Paul\"}");
    REFUSED("(2003 r52)", "person", "{\"role\":\"confederate\",\"name\":\"Paul\"}");
    REFUSED("(2003 r41)", "person", "{\"role\":\"judge\",\"name\":\"Olga\"}");
    REFUSED("(2003 r52)", "person", "{\"role\":\"confederate\",\"name\":\"Otto\"}");
    REFUSED("Bob has part in entry 1", "person", "{\"role\":\"judge\",\"name\":\"Bob\"}");
    REFUSED("families", "person", "{\"role\":\"confederate\",\"name\":\"Carl\"}");
    REFUSED("families", "person", "{\"role\":\"judge\",\"name\":\"Dora\",\"family\":[\"Ann\"]}");
    TAKEN("person", "{\"role\":\"judge\",\"name\":\"Dora\",\"family\":[\"Eve\"]}");
    TAKEN("person", "{\"role\":\"confederate\",\"name\":\"Eve\"}"); /* no rule is against it */
    REFUSED("r14", "person", "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"Fred\"}");
    REFUSED(
        "r9", "person",
        "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"Fred\",\"age\":17,\"rights\":true}");
    REFUSED("r9", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"Ann\",\"rights\":true}");
    begin("loebner-2004"); /* which has no such rules in writing */
    TAKEN("person", "{\"role\":\"organiser\",\"name\":\"Olga\"}");
    TAKEN("person", "{\"role\":\"judge\",\"name\":\"Olga\"}");
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"E\",\"submitter\":\"Ann\"}");
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"Ann\"}");
    REFUSED("Ann has part in entry 1", "person", "{\"role\":\"confederate\",\"name\":\"Ann\"}");
}

/* 2009 §3a, 2004 A2, 2003 r13: the organiser's own Entries bring nothing, and know it. */
static void test_the_organisers_own_entries(void **state)
{
    (void)state;
    static const char *const names[] = {"loebner-2009", "loebner-2004", "loebner-2003"};
    for (unsigned i = 0; i < 3; i++) {
        struct result_input input;
        begin(names[i]);
        for (unsigned e = 0; e < 2; e++)
            TAKEN("person", "{\"role\":\"entry\",\"name\":\"Open %u\",\"own\":true}", e);
        contest_result_input(contest, &input);
        assert_true(input.own[0] && input.own[1]);
    }
}

static void test_long_bet_II_7_foils_unknown(void **state)
{
    (void)state;
    begin("longbet-2002");
    REFUSED("(long bet II ¶7)", "person", "{\"role\":\"confederate\",\"name\":\"F\"}");
    TAKEN("person", "{\"role\":\"confederate\",\"name\":\"F\",\"unknown\":true}");
}

static void entrants(unsigned count)
{
    for (unsigned i = 1; i <= count; i++)
        TAKEN("person",
              "{\"role\":\"entry\",\"name\":\"Entry %u\",\"submitter\":\"Author %u\","
              "\"received_us\":%u," SENT,
              i, i, i);
}

static enum selection_outcome selected(struct selection *selection)
{
    struct selection_input input;
    contest_selection_input(contest, &input);
    assert_int_equal(selection_make(selection, &input, NULL, NULL, &diag), BL_OK);
    return selection->outcome;
}

/* The lists of the preliminary judges, the finalists, a reserve for one who is lost. */
static void test_2003_r34_r36_the_preliminary_round_in_acts(void **state)
{
    (void)state;
    struct selection selection;
    struct result_input input;
    begin("loebner-2003");
    entrants(10);
    assert_int_equal(selected(&selection), SELECTION_WANTS_PRELIM);
    REFUSED("no preliminary judge 1", "list", "{\"judge\":1,\"entries\":[1,2]}");
    for (unsigned i = 1; i <= 3; i++)
        TAKEN("person", "{\"role\":\"preliminary\",\"name\":\"Panel %u\"}", i);
    REFUSED("(2003 r34)", "list", "{\"judge\":1,\"entries\":[1,2,3,4,5,6,7,8,9,10,10]}");
    REFUSED("each once", "list", "{\"judge\":1,\"entries\":[1,2,2]}");
    REFUSED("(2003 r34)", "prelim", "{\"entry\":1,\"numerator\":7,\"denominator\":2}");
    for (unsigned i = 1; i <= 3; i++)
        TAKEN("list", "{\"judge\":%u,\"entries\":[10,9,8,7,6,5,4,3,2,1]}", i);
    REFUSED("ranked already", "list", "{\"judge\":2,\"entries\":[1,2,3,4,5,6,7,8,9,10]}");
    TAKEN("list", "{\"judge\":2,\"entries\":[10,9,8,7,6,5,4,3,1,2],\"correction\":true}");
    assert_int_equal(contest->prelim_ranks, 30);
    assert_int_equal(selected(&selection), SELECTION_FINAL);
    assert_int_equal(selection.stage[1], STAGE_RESERVE);
    REFUSED("8 whom the rules select", "final", "{\"entries\":[1,2,3,4,5,6,7,8]}");
    REFUSED("8 whom the rules select", "final", "{\"entries\":[3,4,5,6,7,8,9,9]}");
    TAKEN("final", "{\"entries\":[3,4,5,6,7,8,9,10]}");
    TAKEN("lose", "{\"entry\":10,\"why\":\"not adapted (r16)\"}");
    REFUSED("lost already", "lose", "{\"entry\":10,\"why\":\"x\"}");
    TAKEN("final", "{\"entries\":[2,3,4,5,6,7,8,9]}");
    contest_result_input(contest, &input);
    assert_true(input.not_final[0] && input.not_final[9] && !input.not_final[1]);
    TAKEN("lose", "{\"entry\":10,\"why\":\"it was adapted after all\",\"undo\":true}");
    REFUSED("not lost already", "lose", "{\"entry\":10,\"why\":\"x\",\"undo\":true}");
    TAKEN("person", "{\"role\":\"judge\",\"name\":\"J\"}");
    REFUSED("not in the final round", "schedule", "{\"rounds\":[[[1,1]]]}");
    TAKEN("schedule", "{\"rounds\":[[[1,2]]]}");
    TAKEN("begin", "{\"round\":1}");
    REFUSED("has begun", "lose", "{\"entry\":9,\"why\":\"x\"}");
    REFUSED("has begun", "final", "{\"entries\":[3,4,5,6,7,8,9,10]}");
}

/* 2004 A9, A10, and A8.4, whose lists are scores. */
static void test_2004_A10_invitation_and_scores_in_acts(void **state)
{
    (void)state;
    struct selection selection;
    begin("loebner-2004");
    entrants(34);
    TAKEN("invite", "{\"entry\":34,\"why\":\"outstanding merit\"}");
    REFUSED("'why' is wanted", "invite", "{\"entry\":33}");
    REFUSED("no lists", "list", "{\"judge\":1,\"entries\":[1]}");
    REFUSED("not come to the finalists", "final", "{\"entries\":[1]}");
    for (unsigned e = 1; e <= 34; e++)
        if (e != 33)
            TAKEN("screened", "{\"entry\":%u,\"points\":%u}", e, e);
    assert_int_equal(selected(&selection), SELECTION_WANTS_PRELIM);
    assert_int_equal(selection.stage[32], STAGE_COMPLIANT);
    assert_int_equal(selection.stage[33], STAGE_PRELIM);
    for (unsigned e = 25; e <= 34; e++)
        TAKEN("prelim", "{\"entry\":%u,\"numerator\":%u,\"denominator\":3}", e, e == 34 ? 29 : e);
    assert_int_equal(selected(&selection), SELECTION_WANTS_CHOICE); /* E29 and E34 are equal */
    TAKEN("choose", "{\"entry\":34,\"why\":\"the organiser's choice\"}");
    assert_int_equal(selected(&selection), SELECTION_FINAL);
    TAKEN("final", "{\"entries\":[34,32,31,30]}");
}

/* Long bet II ¶4: the same judges and candidates in three trials, joined. */
static void test_long_bet_II_4_three_trials(void **state)
{
    (void)state;
    static struct result result;
    struct result_input input;
    begin("longbet-2002");
    for (unsigned i = 1; i <= 3; i++)
        TAKEN("person", "{\"role\":\"judge\",\"name\":\"Judge %u\"}", i);
    for (unsigned i = 1; i <= 3; i++)
        TAKEN("person", "{\"role\":\"confederate\",\"name\":\"Foil %u\",\"unknown\":true}", i);
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"Computer\"}");
    REFUSED("trial 1 is not over", "trial", "{}");
    for (unsigned t = 0; t < 3; t++) {
        TAKEN("schedule",
              "{\"rounds\":[[[1,1],[2,2],[3,3]],[[1,2],[2,3],[3,4]],[[1,3],[2,4],[3,1]],"
              "[[1,4],[2,1],[3,2]]]}");
        assert_int_equal(contest->schedule.rounds, 4 * (t + 1));
        for (unsigned r = 1; r <= 4; r++) {
            REFUSED("is not over", "trial", "{}");
            TAKEN("begin", "{\"round\":%u}", 4 * t + r);
        }
        for (unsigned j = 1; j <= 3; j++) {
            for (unsigned c = 1; c <= 4; c++) /* two trials are passed */
                TAKEN("ballot", "{\"judge\":%u,\"candidate\":%u,\"human\":%s}", j, c,
                      c == 1 && (j == 3 || t == 1) ? "false" : "true");
            REFUSED("voted on this session already", "ballot",
                    "{\"judge\":%u,\"candidate\":1,\"human\":true}", j);
            TAKEN("ranks", "{\"judge\":%u,\"ranks\":[[1,3],[2,4],[3,1],[4,2]]}", j);
            REFUSED("ranked already", "ranks", "{\"judge\":%u,\"ranks\":[[1,4],[2,3],[3,1],[4,2]]}",
                    j);
        }
        contest_result_input(contest, &input);
        result_make(&result, &input, NULL, NULL);
        assert_int_equal(result.trials, t + 1);
        assert_int_equal(result.ballots_missing, 0);
        assert_int_equal(result.outcome, RESULT_OPEN);
        assert_int_equal(result.trial[t].humans, t == 1 ? 0 : 2);
        assert_int_equal(result.trial[t].foils, 2);
        if (t < 2)
            TAKEN("trial", "{}");
    }
    /* A correction to an earlier trial says which. */
    for (unsigned j = 1; j <= 2; j++)
        TAKEN("ballot",
              "{\"judge\":%u,\"candidate\":1,\"human\":true,\"trial\":2,\"correction\":true}", j);
    REFUSED("'trial' is wanted", "ballot",
            "{\"judge\":1,\"candidate\":1,\"human\":true,\"trial\":4,\"correction\":true}");
    contest_result_input(contest, &input);
    result_make(&result, &input, NULL, NULL);
    assert_int_equal(result.outcome, RESULT_PASSED);
    TAKEN("seal", "{}");
    REFUSED("sealed", "trial", "{}");
    begin("loebner-2003");
    REFUSED("no trials", "trial", "{}");
}

static void test_a_reschedule_keeps_what_has_begun(void **state)
{
    (void)state;
    static struct schedule_need need;
    struct result_input input;
    begin("loebner-2004");
    people(2, 3, 2);
    TAKEN("schedule", "{\"rounds\":[[[1,1,1],[2,2,2]],[[1,2,2],[2,3,1]],[[1,3,1],[2,1,2]]]}");
    draw();
    TAKEN("begin", "{\"round\":1}");
    TAKEN("withdraw", "{\"role\":\"entry\",\"number\":3,\"why\":\"broken\"}");
    REFUSED("withdrawn already", "withdraw",
            "{\"role\":\"entry\",\"number\":3,\"why\":\"broken\"}");
    REFUSED("there is no entry 4", "withdraw", "{\"role\":\"entry\",\"number\":4,\"why\":\"x\"}");
    TAKEN("conflict", "{\"role\":\"judge\",\"number\":2,\"with_role\":\"entry\",\"with_number\":1,"
                      "\"why\":\"brothers\"}");
    contest_need(contest, &need);
    assert_false(need.entry_for_judge[0][0]); /* has met */
    assert_true(need.entry_for_judge[0][1]);
    assert_false(need.entry_for_judge[0][2]); /* withdrawn */
    assert_false(need.entry_for_judge[1][0]); /* conflict */
    assert_int_equal(need.judge_met[0][0], 1);
    contest_result_input(contest, &input);
    assert_true(input.withdrawn[2]);
    assert_int_equal(input.ballots_wanted, 4); /* none is waited for from its two sessions */
    REFUSED("judge 1 has met this entity in round 1", "schedule", "{\"rounds\":[[[1,1,2]]]}");
    REFUSED("booked twice", "schedule", "{\"rounds\":[[[1,2,1],[1,2,2]]]}");
    REFUSED("who are registered", "schedule", "{\"rounds\":[[[3,1,1]]]}");
    REFUSED("entry 3 is withdrawn", "schedule", "{\"rounds\":[[[1,3,1]]]}");
    REFUSED("judge 2 and entry 1 may not meet", "schedule", "{\"rounds\":[[[2,1,1]]]}");
    TAKEN("conflict", "{\"role\":\"confederate\",\"number\":1,\"with_role\":\"judge\","
                      "\"with_number\":1,\"why\":\"sisters\"}");
    contest_need(contest, &need);
    assert_true(need.apart_judge[0][0]);
    assert_false(need.apart_judge[1][0] || need.apart_judge[0][1] || need.apart_entry[0][0]);
    REFUSED("judge 1 and confederate 1 may not meet", "schedule", "{\"rounds\":[[[1,2,1]]]}");
    TAKEN("schedule", "{\"rounds\":[[[1,2,2]]]}");
    assert_int_equal(contest->schedule.rounds, 2);
    assert_int_equal(contest->schedule.count, 3);
}

static void test_majorities(void **state)
{
    (void)state;
    begin("loebner-2003");
    people(5, 2, 1);
    REFUSED("no majority (2003 r43)", "disqualify",
            "{\"entry\":1,\"why\":\"x\",\"for\":2,\"against\":3}");
    TAKEN("disqualify", "{\"entry\":1,\"why\":\"x\",\"for\":3,\"against\":2}");
    assert_true(contest->disqualified[0]);
    REFUSED("no majority (2003 r50)", "confer", "{\"entry\":2,\"for\":2,\"against\":2}");
    TAKEN("confer", "{\"entry\":2,\"for\":5,\"against\":0}");
    assert_int_equal(contest->conferred[0], 2);
    TAKEN("confer", "{\"entry\":1,\"for\":5,\"against\":0,\"place\":2}");
    assert_int_equal(contest->conferred[0], 2);
    assert_int_equal(contest->conferred[1], 1);
    TAKEN("disqualify", "{\"entry\":2,\"why\":\"r59\",\"organiser\":true}");
    assert_true(contest->disqualified[1]);
}

static void test_2009_ranks(void **state)
{
    (void)state;
    begin("loebner-2009");
    people(1, 3, 2);
    TAKEN("schedule", "{\"rounds\":[[[1,1,1]],[[1,2,2]],[[1,3,1]]]}");
    draw();
    TAKEN("begin", "{\"round\":1}");
    TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"human\":true}");
    REFUSED("after the last session", "ranks", "{\"judge\":1,\"ranks\":[[4,1]]}");
    TAKEN("begin", "{\"round\":2}");
    TAKEN("begin", "{\"round\":3}");
    TAKEN("ballot", "{\"judge\":1,\"entry\":2,\"confederate\":2,\"human\":false}");
    TAKEN("ballot", "{\"judge\":1,\"entry\":3,\"confederate\":1,\"human\":true}");
    REFUSED("2 are wanted", "ranks", "{\"judge\":1,\"ranks\":[[4,1],[2,2],[4,3]]}");
    TAKEN("ranks", "{\"judge\":1,\"ranks\":[[4,1],[2,2]]}"); /* confederate 1 twice non-human */
    REFUSED("ranked already", "ranks", "{\"judge\":1,\"ranks\":[[4,2],[2,1]]}");
    TAKEN("ranks", "{\"judge\":1,\"ranks\":[[4,2],[2,1]],\"correction\":true}");
    assert_int_equal(contest->rankings, 2);
    assert_int_equal(contest->ranking[0].rank, 2);
    /* He takes Entry 2 for the human after all: ranks of what he judged non-human are asked again.
     */
    TAKEN("ballot", "{\"judge\":1,\"entry\":2,\"confederate\":2,\"human\":true,"
                    "\"correction\":true}");
    assert_int_equal(contest->rankings, 0);
    TAKEN("ranks", "{\"judge\":1,\"ranks\":[[4,1],[5,2]]}");
    TAKEN("seal", "{}");
    REFUSED("sealed", "ranks", "{\"judge\":1,\"ranks\":[[4,2],[5,1]],\"correction\":true}");
}

static void test_2003_ratings(void **state)
{
    (void)state;
    begin("loebner-2003");
    people(1, 1, 1);
    TAKEN("schedule", "{\"rounds\":[[[1,1]],[[1,2]]]}");
    TAKEN("begin", "{\"round\":1}");
    TAKEN("begin", "{\"round\":2}");
    static const char *const wrong[] = {"",    ".5",          "5.1",    "-1",
                                        "1e3", "99999999999", "3.2525", "3.2x"};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        REFUSED("rating", "ballot", "{\"judge\":1,\"candidate\":1,\"rating\":\"%s\"}", wrong[i]);
    TAKEN("ballot", "{\"judge\":1,\"candidate\":1,\"rating\":\"3.25\"}");
    assert_int_equal(contest->ballot[0].rating, 3250);
    /* With a comma, as at the terminal. */
    TAKEN("ballot", "{\"judge\":1,\"candidate\":2,\"rating\":\"4,5\"}");
    assert_int_equal(contest->ballot[1].rating, 4500);
    TAKEN("ballot", "{\"judge\":1,\"candidate\":2,\"rating\":\"5\",\"correction\":true}");
    assert_int_equal(contest->ballot[1].rating, 5000);
}

/* Whatever the bytes of an act, it is taken or refused with a line, and a refused one changes
 * nothing. */
static void test_damaged_acts(void **state)
{
    (void)state;
    static const char *const samples[][2] = {
        {"person", "{\"role\":\"entry\",\"name\":\"E\",\"submitter\":\"S\",\"age\":3}"},
        {"schedule", "{\"rounds\":[[[1,1,1],[2,2,2]],[[1,2,1],[2,1,2]]]}"},
        {"ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[60,40]}"},
        {"ranks", "{\"judge\":1,\"ranks\":[[1,1],[2,2]]}"},
        {"withdraw", "{\"role\":\"judge\",\"number\":1,\"why\":\"ill\"}"},
        {"begin", "{\"round\":1}"},
    };
    struct dice dice = dice_make(dice_seed("damaged acts"));
    begin("loebner-2004");
    people(2, 2, 2);
    struct contest *before = malloc(sizeof *before);
    for (unsigned i = 0; i < 6000; i++) {
        const char *const *sample = samples[dice_below(&dice, sizeof samples / sizeof samples[0])];
        char body[256];
        snprintf(body, sizeof body, "%s", sample[1]);
        for (uint64_t k = dice_below(&dice, 4); k; k--)
            body[dice_below(&dice, strlen(body))] = (char)(32 + dice_below(&dice, 95));
        memcpy(before, contest, sizeof *before);
        if (apply(sample[0], "%s", body)) {
            assert_true(diag.text[0]);
            assert_memory_equal(before, contest, sizeof *before);
        }
        if (contest->people[CONTEST_ENTRY] > 60)
            begin("loebner-2004"), people(2, 2, 2);
    }
    free(before);
}

/* The file. */

static char path[256];

static enum bl_status take(void *ctx, const struct act *act, struct bl_diag *why)
{
    return contest_apply(ctx, act, why);
}

static enum bl_status check(void *ctx, const struct act *act, struct bl_diag *why)
{
    return contest_check(ctx, act, why);
}

static enum bl_status append(struct store *store, const char *kind, const char *body)
{
    struct act act = {.at_us = 1000, .author = "test", .kind = kind, .body = body};
    enum bl_status status = store_append(store, contest->acts, &act, take, check, contest, &diag);
    return status == BL_OK ? contest_apply(contest, &act, &diag) : status;
}

static struct store *make_store(void)
{
    struct store *store;
    json_t *body = json_pack("{s:s,s:s}", "name", "A", "ruleset", ruleset_texts[0].text);
    char *text = json_dumps(body, 0);
    snprintf(path, sizeof path, "%s/contest.%d.db", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp",
             (int)getpid());
    unlink(path);
    contest_destroy(contest);
    contest = contest_create();
    assert_int_equal(store_create(&store, path, &diag), BL_OK);
    assert_int_equal(append(store, "contest", text), BL_OK);
    free(text);
    json_decref(body);
    return store;
}

static void test_the_file_gives_the_same_contest(void **state)
{
    (void)state;
    struct store *store = make_store(), *again;
    struct contest *other = contest_create();
    for (unsigned i = 0; i < 20; i++) {
        char body[80];
        snprintf(body, sizeof body, "{\"role\":\"judge\",\"name\":\"J %u\"}", i);
        assert_int_equal(append(store, "person", body), BL_OK);
    }
    assert_int_equal(append(store, "person", "{\"role\":\"judge\",\"name\":\"J 3\"}"), BL_DATA);
    store_close(store);
    assert_int_equal(store_create(&again, path, &diag), BL_USAGE);
    assert_int_equal(store_open(&again, path, &diag), BL_OK);
    assert_int_equal(store_read(again, 0, take, other, &diag), BL_OK);
    assert_int_equal(other->people[CONTEST_JUDGE], 20);
    assert_memory_equal(other, contest, sizeof *other);
    store_close(again);
    contest_destroy(other);
    unlink(path);
}

/* Two programs at one contest: each knows the other's acts before its own is looked at. */
static void test_two_programs_at_once(void **state)
{
    (void)state;
    struct store *a = make_store(), *b;
    struct contest *first = contest;
    assert_int_equal(store_open(&b, path, &diag), BL_OK);
    contest = contest_create();
    assert_int_equal(append(b, "person", "{\"role\":\"judge\",\"name\":\"A\"}"), BL_OK);
    struct contest *second = contest;
    contest = first;
    assert_int_equal(append(a, "person", "{\"role\":\"judge\",\"name\":\"A\"}"), BL_DATA);
    assert_non_null(strstr(diag.text, "A is judge 1 already"));
    assert_int_equal(append(a, "person", "{\"role\":\"judge\",\"name\":\"B\"}"), BL_OK);
    assert_int_equal(contest->people[CONTEST_JUDGE], 2);
    contest_destroy(second);
    store_close(a);
    store_close(b);
    unlink(path);
}

static void test_a_changed_file_is_found(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE act SET body = '{\"role\":\"judge\",\"name\":\"X\"}' WHERE number = 2",
        "DELETE FROM act WHERE number = 2",
        "DELETE FROM act WHERE number = 1",
        "DELETE FROM act WHERE number < 3",
        "UPDATE act SET at_us = 5 WHERE number = 3",
        "UPDATE act SET hash = x'00' WHERE number = 3",
    };
    for (unsigned i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct store *store = make_store();
        struct contest *other = contest_create();
        sqlite3 *db;
        assert_int_equal(append(store, "person", "{\"role\":\"judge\",\"name\":\"A\"}"), BL_OK);
        assert_int_equal(append(store, "person", "{\"role\":\"judge\",\"name\":\"B\"}"), BL_OK);
        store_close(store);
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_not_equal(sqlite3_exec(db, changes[i], NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(
            sqlite3_exec(db, "DROP TRIGGER act_stays; DROP TRIGGER act_remains", NULL, NULL, NULL),
            SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, changes[i], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        assert_int_equal(store_open(&store, path, &diag), BL_OK);
        assert_int_equal(store_read(store, 0, take, other, &diag), BL_DATA);
        assert_non_null(strstr(diag.text, "act "));
        assert_non_null(strstr(diag.text, path));
        store_close(store);
        contest_destroy(other);
        unlink(path);
    }
}

static void test_acts_that_vanish_under_a_program(void **state)
{
    (void)state;
    struct store *store = make_store();
    sqlite3 *db;
    assert_int_equal(append(store, "person", "{\"role\":\"judge\",\"name\":\"A\"}"), BL_OK);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "DROP TRIGGER act_remains; DELETE FROM act", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(append(store, "person", "{\"role\":\"judge\",\"name\":\"B\"}"), BL_DATA);
    assert_non_null(strstr(diag.text, "act 2 is gone"));
    store_close(store);
    unlink(path);
}

static void test_files_that_are_no_contest(void **state)
{
    (void)state;
    struct store *store = make_store();
    store_close(store);
    FILE *file = fopen(path, "we");
    fputs("this is no database, but it is long enough to look like one, maybe", file);
    fclose(file);
    assert_int_equal(store_open(&store, path, &diag), BL_DATA);
    assert_null(store);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(store_open(&store, path, &diag), BL_DATA);
    assert_int_equal(store_create(&store, path, &diag), BL_OK); /* it was left empty by a crash */
    store_close(store);
    assert_int_equal(store_create(&store, path, &diag), BL_USAGE);
    unlink(path);
    assert_int_equal(store_open(&store, path, &diag), BL_NOINPUT);
    assert_int_equal(store_create(&store, "/nowhere/at/all.db", &diag), BL_NOINPUT);
}

static int finish(void **state)
{
    (void)state;
    contest_destroy(contest);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_2004_from_the_first_act_to_the_result),
        cmocka_unit_test(test_what_entrants_must_bring),
        cmocka_unit_test(test_2009_1_teams_and_how_it_was_submitted),
        cmocka_unit_test(test_2003_r10_r41_r52_interests),
        cmocka_unit_test(test_the_organisers_own_entries),
        cmocka_unit_test(test_long_bet_II_7_foils_unknown),
        cmocka_unit_test(test_2003_r34_r36_the_preliminary_round_in_acts),
        cmocka_unit_test(test_2004_A10_invitation_and_scores_in_acts),
        cmocka_unit_test(test_long_bet_II_4_three_trials),
        cmocka_unit_test(test_a_reschedule_keeps_what_has_begun),
        cmocka_unit_test(test_majorities),
        cmocka_unit_test(test_2009_ranks),
        cmocka_unit_test(test_2003_ratings),
        cmocka_unit_test(test_damaged_acts),
        cmocka_unit_test(test_the_file_gives_the_same_contest),
        cmocka_unit_test(test_two_programs_at_once),
        cmocka_unit_test(test_a_changed_file_is_found),
        cmocka_unit_test(test_acts_that_vanish_under_a_program),
        cmocka_unit_test(test_files_that_are_no_contest),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
