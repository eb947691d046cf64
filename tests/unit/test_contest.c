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
#include <sodium/crypto_shorthash.h>
#include <sqlite3.h>

#include "contest/contest.h"
#include "contest/plan.h"
#include "rules/rulesets.h"
#include "contest/store.h"
#include "contest/ballot_act.h"
#include "contest/draw.h"
#include "contest/result_json.h"
#include "tests/support/acts.h"
#include "tests/support/random.h"

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
    REFUSED("the final round has begun", "deliver", "{\"entry\":2,\"what\":\"c\",\"comms\":true}");
    assert_false(contest->person[CONTEST_ENTRY][1].late);
    TAKEN("deliver", "{\"entry\":2,\"what\":\"c\",\"comms\":true,\"why\":\"it was broken\"}");
    assert_true(contest->person[CONTEST_ENTRY][1].late);
    assert_string_equal(contest->person[CONTEST_ENTRY][1].late_why, "it was broken");
    TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[60,40]}");
    REFUSED("is a tie", "ballot", "{\"judge\":2,\"entry\":2,\"confederate\":1,\"points\":[50,50]}");
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
    /* One ballot could still change it: nobody has won, and no medal is spoken of. */
    assert_int_equal(result.outcome, RESULT_PROVISIONAL);
    assert_int_equal(result.winner, -1);
    assert_int_equal(result.leader, 0);
    assert_false(result.silver || result.medal);
    assert_int_equal(result.ballots_missing, 1);
    assert_int_equal(contest_missing(contest, 4), 1);
    assert_int_equal(contest_missing(contest, 2), 0);
    TAKEN("seal", "{}");
    /* Now it will never come. */
    contest_result_input(contest, &input);
    result_make(&result, &input, NULL, NULL);
    assert_int_equal(result.outcome, RESULT_WON);
    assert_int_equal(result.winner, 0);
    assert_true(result.silver && result.medal);
    assert_int_equal(result.ballots_missing, 1);
    REFUSED("sealed", "ballot", "{\"judge\":1,\"entry\":2,\"confederate\":2,\"points\":[51,49]}");
}

/* Of a judge and an Entry, from 0. */
static const struct meeting *meeting_of(uint8_t judge, uint8_t entry)
{
    return contest_meeting(contest, &(struct ballot){.judge = judge, .entry = entry});
}

/* What goes wrong on the day is mended by acts of their own, each with its reason. */
static void test_what_goes_wrong_is_mended(void **state)
{
    (void)state;
    begin("loebner-2004");
    people(2, 2, 2);
    TAKEN("schedule", "{\"rounds\":[[[1,1,1],[2,2,2]],[[1,2,2],[2,1,1]]]}");
    draw();
    REFUSED("no round of this trial has begun", "undo", "{\"what\":\"begin\",\"why\":\"x\"}");
    TAKEN("begin", "{\"round\":1,\"present\":true}");
    REFUSED("'why': expected", "undo", "{\"what\":\"begin\"}");
    TAKEN("undo", "{\"what\":\"begin\",\"why\":\"the hall was not ready\"}");
    assert_int_equal(contest->begun, 0);
    TAKEN("begin", "{\"round\":1,\"present\":true}");
    TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[40,60]}");
    REFUSED("round 1 has a ballot", "undo", "{\"what\":\"begin\",\"why\":\"x\"}");
    TAKEN("seal", "{\"round\":1}");
    REFUSED("is sealed", "ballot",
            "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[30,70],\"correction\":true}");
    TAKEN("undo", "{\"what\":\"seal\",\"why\":\"a slip\"}");
    TAKEN("ballot",
          "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[30,70],\"correction\":true}");
    REFUSED("no round is sealed", "undo", "{\"what\":\"seal\",\"why\":\"x\"}");

    TAKEN("withdraw", "{\"role\":\"judge\",\"number\":2,\"why\":\"ill\"}");
    REFUSED("judge 2 is withdrawn", "begin", "{\"round\":2,\"present\":true}");
    assert_non_null(strstr(diag.text, "contest schedule makes the rounds to come anew"));
    REFUSED("undo the withdrawal first", "substitute",
            "{\"role\":\"judge\",\"number\":2,\"name\":\"Someone\",\"why\":\"ill\"}");
    TAKEN("undo", "{\"what\":\"withdraw\",\"role\":\"judge\",\"number\":2,\"why\":\"well\"}");
    REFUSED("judge 2 is not withdrawn", "undo",
            "{\"what\":\"withdraw\",\"role\":\"judge\",\"number\":2,\"why\":\"x\"}");

    char was[CONTEST_NAME_MAX];
    strcpy(was, contest->person[CONTEST_JUDGE][1].name);
    TAKEN("substitute", "{\"role\":\"judge\",\"number\":2,\"name\":\"Someone\",\"why\":\"ill\"}");
    assert_string_equal(contest->person[CONTEST_JUDGE][1].name, "Someone");
    assert_int_equal(contest->sitters, 1);
    assert_string_equal(contest->sitter[0].name, was);
    assert_int_equal(contest->sitter[0].rounds, 1);
    REFUSED("is judge 2 already", "rename",
            "{\"role\":\"confederate\",\"number\":1,\"name\":\"Someone\",\"why\":\"x\"}");
    REFUSED("only a judge or a confederate", "substitute",
            "{\"role\":\"entry\",\"number\":1,\"name\":\"Other\",\"why\":\"x\"}");
    TAKEN("rename", "{\"role\":\"judge\",\"number\":2,\"name\":\"Some One\",\"why\":\"misspelt\"}");
    assert_string_equal(contest->person[CONTEST_JUDGE][1].name, "Some One");
    TAKEN("begin", "{\"round\":2,\"present\":true}");
    REFUSED("no round is to come", "substitute",
            "{\"role\":\"judge\",\"number\":1,\"name\":\"Late\",\"why\":\"x\"}");
    REFUSED("round 1 is not the last", "substitute",
            "{\"role\":\"judge\",\"number\":1,\"name\":\"Late\",\"why\":\"x\",\"round\":1}");

    /* Who leaves after sessions were held does not hide that their ballots are missing; of the
     * round that was running none is waited for. */
    assert_int_equal(contest_missing(contest, 2), 3);
    TAKEN("withdraw", "{\"role\":\"judge\",\"number\":2,\"why\":\"ill\"}");
    assert_int_equal(contest_missing(contest, 2), 2);
    TAKEN("disqualify", "{\"entry\":2,\"why\":\"x\",\"organiser\":true}");
    TAKEN("undo", "{\"what\":\"disqualify\",\"entry\":2,\"why\":\"a mistake\"}");
    assert_false(contest->disqualified[1]);
}

/* An undone beginning leaves nothing behind: who took a place since sits there from the first. */
static void test_a_substitute_after_an_undone_beginning(void **state)
{
    (void)state;
    struct result_input input;
    begin("loebner-2004");
    people(2, 2, 2);
    REFUSED("no round is scheduled yet", "substitute",
            "{\"role\":\"judge\",\"number\":1,\"name\":\"Bob\",\"why\":\"ill\"}");
    TAKEN("schedule", "{\"rounds\":[[[1,1,1],[2,2,2]],[[1,2,2],[2,1,1]]]}");
    draw();
    TAKEN("begin", "{\"round\":1}");
    TAKEN("substitute", "{\"role\":\"judge\",\"number\":1,\"name\":\"Bob\",\"why\":\"ill\"}");
    TAKEN("undo", "{\"what\":\"begin\",\"why\":\"the hall was not ready\"}");
    TAKEN("begin", "{\"round\":1}");
    TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[40,60]}");
    contest_result_input(contest, &input);
    assert_true(input.seated);
    assert_int_equal(input.seat[0].judge, 0);
}

/* Whoever was gone when a round was played has no session in it. */
static void test_what_was_held(void **state)
{
    (void)state;
    begin("loebner-2004");
    people(2, 2, 2);
    TAKEN("schedule", "{\"rounds\":[[[1,1,1],[2,2,2]],[[1,2,2],[2,1,1]]]}");
    draw();
    TAKEN("begin", "{\"round\":1}");
    TAKEN("ballot", "{\"judge\":2,\"entry\":2,\"confederate\":2,\"points\":[40,60]}");
    TAKEN("begin", "{\"round\":2}");
    TAKEN("withdraw", "{\"role\":\"entry\",\"number\":2,\"why\":\"broken\"}");
    assert_true(contest_was_held(contest, meeting_of(0, 0)));
    assert_true(contest_was_held(contest, meeting_of(1, 1)));
    assert_false(contest_was_held(contest, meeting_of(0, 1)));
    assert_true(contest_was_held(contest, meeting_of(1, 0)));
}

/* A hostile file: more rounds than there is room for, with nobody in them. */
static void test_rounds_without_end(void **state)
{
    (void)state;
    static const unsigned counts[] = {SCHEDULE_MEETINGS_MAX + 1, 20000, 0};
    static char rounds[3 * 20000 + 1];
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        char *at = rounds;
        for (unsigned r = 0; r < (counts[i] ? counts[i] : SCHEDULE_MEETINGS_MAX); r++)
            at += sprintf(at, "%s[]", r ? "," : "");
        begin("longbet-2002");
        people(1, 1, 1);
        if (counts[i])
            REFUSED("more than 16384 rounds", "schedule", "{\"rounds\":[%s],\"order_from\":1}",
                    rounds);
        else
            TAKEN("schedule", "{\"rounds\":[%s],\"order_from\":1}", rounds);
    }
}

static void test_referees_limit_where_the_rules_let_them(void **state)
{
    (void)state;
    static const struct {
        const char *name, *rule; /* NULL: none */
    } rules[] = {{"loebner-1996", "1996 r15"},
                 {"loebner-2003", "2003 r53"},
                 {"loebner-2004", NULL},
                 {"loebner-2009", NULL},
                 {"longbet-2002", NULL}};
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        begin(rules[i].name);
        if (!rules[i].rule) {
            REFUSED("have none by which a referee", "limit",
                    "{\"role\":\"confederate\",\"number\":1,\"text\":\"no names\",\"why\":\"x\"}");
            assert_non_null(strstr(diag.text, rules[i].name));
            continue;
        }
        people(2, 2, 2);
        assert_string_equal(ruleset_rule(&contest->ruleset, "session", "referees-limit", 0).text,
                            rules[i].rule);
        TAKEN("limit",
              "{\"role\":\"confederate\",\"number\":1,\"text\":\"no names\",\"why\":\"x\"}");
        TAKEN("limit",
              "{\"role\":\"confederate\",\"number\":2,\"text\":\"no jokes\",\"why\":\"y\"}");
        TAKEN("limit",
              "{\"role\":\"confederate\",\"number\":2,\"text\":\"no puns\",\"why\":\"z\"}");
        assert_string_equal(contest->limit[0], "no names");
        assert_string_equal(contest->limit[1], "no puns");
        assert_string_equal(contest->limit_why[1], "z");
        REFUSED("'why': expected", "limit",
                "{\"role\":\"confederate\",\"number\":1,\"text\":\"no names\"}");
        REFUSED("'text': expected", "limit",
                "{\"role\":\"confederate\",\"number\":1,\"why\":\"x\"}");
        REFUSED("'text' has a semicolon", "limit",
                "{\"role\":\"confederate\",\"number\":1,\"text\":\"a;b\",\"why\":\"x\"}");
        REFUSED("only a confederate", "limit",
                "{\"role\":\"judge\",\"number\":1,\"text\":\"a\",\"why\":\"x\"}");
        REFUSED("there is no confederate 3", "limit",
                "{\"role\":\"confederate\",\"number\":3,\"text\":\"a\",\"why\":\"x\"}");
        TAKEN("undo",
              "{\"what\":\"limit\",\"role\":\"confederate\",\"number\":1,\"why\":\"enough\"}");
        assert_string_equal(contest->limit[0], "");
        assert_string_equal(contest->limit[1], "no puns");
        REFUSED("confederate 1 is not limited", "undo",
                "{\"what\":\"limit\",\"role\":\"confederate\",\"number\":1,\"why\":\"x\"}");
        TAKEN("schedule", "{\"rounds\":[[[1,1,0],[2,2,0]]]}");
        TAKEN("substitute",
              "{\"role\":\"confederate\",\"number\":2,\"name\":\"Other\",\"why\":\"ill\"}");
        assert_string_equal(contest->limit[1], ""); /* another person */
        TAKEN("withdraw", "{\"role\":\"confederate\",\"number\":2,\"why\":\"ill\"}");
        REFUSED("confederate 2 is withdrawn", "limit",
                "{\"role\":\"confederate\",\"number\":2,\"text\":\"a\",\"why\":\"x\"}");
    }
}

/* A large contest may need many exclusions and repeats; each limit is told in its own words. */
static void test_many_mends(void **state)
{
    (void)state;
    begin("loebner-2004");
    people(2, 2, 2);
    struct schedule *s = &contest->schedule;
    for (unsigned i = 0; i < 800; i++)
        s->meeting[s->count++] = (struct meeting){(uint16_t)(i / 2), i % 2, (i + i / 2) % 2, i % 2};
    s->rounds = contest->begun = 400;
    contest->drawn = true;
    for (unsigned i = 1; i <= 257; i++)
        TAKEN("exclude", "{\"round\":%u,\"judge\":1,\"why\":\"knew each other\"}", i);
    for (unsigned i = 1; i <= 70; i++)
        TAKEN("repeat", "{\"round\":%u,\"judge\":2,\"why\":\"a cable\"}", i);
    assert_int_equal(contest->excludeds, 257);
    assert_true(contest_is_spoiled(contest, "r70-j2"));
    assert_false(contest_is_spoiled(contest, "r71-j2"));
    contest->spoileds = CONTEST_SPOILED;
    REFUSED("sessions were repeated 4096 times already", "repeat",
            "{\"round\":80,\"judge\":2,\"why\":\"x\"}");
    contest->repeats = CONTEST_REPEATS;
    REFUSED("1024 sessions were repeated already", "repeat",
            "{\"round\":80,\"judge\":2,\"why\":\"x\"}");
    contest->excludeds = CONTEST_EXCLUDED;
    REFUSED("4096 sessions are excluded already", "exclude",
            "{\"round\":380,\"judge\":1,\"why\":\"x\"}");
}

static void test_a_spoiled_session_is_repeated(void **state)
{
    (void)state;
    char name[CONTEST_SESSION_MAX];
    begin("loebner-2004");
    people(2, 2, 2);
    TAKEN("schedule", "{\"rounds\":[[[1,1,1],[2,2,2]],[[1,2,2],[2,1,1]]]}");
    draw();
    REFUSED("it has not begun", "repeat", "{\"round\":1,\"judge\":1,\"why\":\"x\"}");
    TAKEN("begin", "{\"round\":1}");
    TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[40,60]}");
    TAKEN("ballot", "{\"judge\":2,\"entry\":2,\"confederate\":2,\"points\":[20,80]}");
    REFUSED("'why': expected", "repeat", "{\"round\":1,\"judge\":1}");
    TAKEN("repeat", "{\"round\":1,\"judge\":1,\"why\":\"a cable\"}");
    const struct meeting *meeting = meeting_of(0, 0);
    contest_session(contest, meeting, name);
    assert_string_equal(name, "r1-j1-2");
    assert_true(contest_is_spoiled(contest, "r1-j1"));
    assert_false(contest_is_spoiled(contest, "r1-j1-2"));
    assert_null(contest_ballot_of(contest, meeting));
    assert_int_equal(contest_missing(contest, 1), 1);
    assert_null(contest_find_session(contest, "r1-j1", &diag));
    assert_non_null(strstr(diag.text, "the one that does is r1-j1-2"));
    assert_ptr_equal(contest_find_session(contest, "r1-j1-2", &diag), meeting);
    assert_null(contest_find_session(contest, "r1-j2-2", &diag));

    /* The repeat alone counts, and may be spoiled too. */
    TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[10,90]}");
    assert_int_equal(contest_ballot_of(contest, meeting)->entry_points, 10);
    assert_int_equal(contest->ballots, 2);
    TAKEN("repeat", "{\"round\":1,\"judge\":1,\"why\":\"a fire alarm\"}");
    contest_session(contest, meeting, name);
    assert_string_equal(name, "r1-j1-3");
    assert_true(contest_is_spoiled(contest, "r1-j1-2"));
    TAKEN("seal", "{\"round\":1}");
    REFUSED("round 1 is sealed", "repeat", "{\"round\":1,\"judge\":2,\"why\":\"x\"}");
}

/* Who sits left, a bit for each of the rounds to come. */
static unsigned sides(void)
{
    unsigned left = 0;
    for (unsigned i = 0; i < contest->schedule.count; i++)
        if (contest->schedule.meeting[i].round >= contest->begun)
            left = left << 1 | contest_entry_left(contest, &contest->schedule.meeting[i]);
    return left;
}

/* A schedule that is made when the key is known would choose who sits where: it waits for another
 * draw, of another seed and another public value. What was held stays as it was. */
static void test_a_schedule_after_the_draw_is_drawn_anew(void **state)
{
    uint8_t seed[CONTEST_SEED] = {1}, commitment[ACT_HASH_BYTES];
    char first[2 * ACT_HASH_BYTES + 1], second[2 * ACT_HASH_BYTES + 1], text[DRAW_PROOF_MAX];
    unsigned from, to, left;
    (void)state;
    contest_commit(seed, sizeof seed, commitment);
    contest_hex(commitment, sizeof commitment, first);
    seed[0] = 2;
    contest_commit(seed, sizeof seed, commitment);
    contest_hex(commitment, sizeof commitment, second);
    begin("loebner-2004");
    people(2, 4, 4);
    TAKEN("commit", "{\"commitment\":\"%s\",\"draw\":2,\"public\":\"5 June\"}", first);
    TAKEN("schedule", "{\"rounds\":[[[1,1,1],[2,2,2]],[[1,2,1],[2,1,2]]]}");
    TAKEN("seed", "{\"seed\":\"01%062d\",\"value\":\"7\",\"by\":\"N\"}", 0);
    TAKEN("begin", "{\"round\":1}");
    left = contest_entry_left(contest, &contest->schedule.meeting[0]);
    TAKEN("schedule", "{\"rounds\":[[[1,3,1],[2,4,2]],[[1,4,1],[2,3,2]],[[1,2,3],[2,1,4]]],"
                      "\"anew\":true}");
    assert_true(contest->undrawn);
    REFUSED("are not drawn anew", "begin", "{\"round\":2}");
    REFUSED("known by now: name another one", "commit",
            "{\"commitment\":\"%s\",\"draw\":2,\"public\":\"5 June\"}", second);
    REFUSED("name another one", "commit", "{\"commitment\":\"%s\",\"draw\":2}", second);
    REFUSED("the commitment comes before", "seed", "{\"seed\":\"01%062d\",\"value\":\"7\"}", 0);
    TAKEN("commit", "{\"commitment\":\"%s\",\"draw\":2,\"public\":\"12 June\"}", second);
    TAKEN("seed", "{\"seed\":\"02%062d\",\"value\":\"8\",\"by\":\"N\"}", 0);
    assert_int_equal(contest_entry_left(contest, &contest->schedule.meeting[0]), left);
    unsigned drawn = sides();
    TAKEN("begin", "{\"round\":2}");
    assert_int_equal(contest->draws, 2);
    assert_true(draw_rounds(contest, 0, &from, &to));
    assert_int_equal(from, 0);
    assert_int_equal(to, 1);
    assert_true(draw_rounds(contest, 1, &from, &to));
    assert_int_equal(from, 1);
    assert_int_equal(to, 4);
    draw_tell(&contest->past[1], text);
    assert_non_null(strstr(text, "knows that nobody chose"));
    /* The first seed alone would have given other sides. */
    memcpy(contest->past[1].seed, contest->past[0].seed, CONTEST_SEED);
    contest->begun = 1;
    assert_int_not_equal(sides(), drawn);
    /* An old contest's goes on under the key that was known, and is not called proven. */
    begin("loebner-2004");
    people(2, 4, 4);
    TAKEN("commit", "{\"commitment\":\"%s\"}", first);
    TAKEN("schedule", "{\"rounds\":[[[1,1,1],[2,2,2]]]}");
    TAKEN("seed", "{\"seed\":\"01%062d\"}", 0);
    TAKEN("begin", "{\"round\":1}");
    draw_tell(&contest->past[0], text);
    assert_non_null(strstr(text, "is proven to nobody"));
    TAKEN("schedule", "{\"rounds\":[[[1,3,1],[2,4,2]]]}");
    TAKEN("begin", "{\"round\":2}");
    draw_tell(&contest->past[1], text);
    assert_non_null(strstr(text, "nothing is proven to anybody"));
}

static void test_a_lost_seed(void **state)
{
    (void)state;
    char hex[2 * ACT_HASH_BYTES + 1];
    uint8_t commitment[ACT_HASH_BYTES] = {1};
    begin("loebner-2004");
    contest_hex(commitment, sizeof commitment, hex);
    TAKEN("commit", "{\"commitment\":\"%s\"}", hex);
    REFUSED("cannot be changed", "commit", "{\"commitment\":\"%s\"}", hex);
    REFUSED("'why': expected", "commit", "{\"commitment\":\"%s\",\"lost\":true}", hex);
    commitment[0] = 2;
    contest_hex(commitment, sizeof commitment, hex);
    TAKEN("commit", "{\"commitment\":\"%s\",\"lost\":true,\"why\":\"the disk\"}", hex);
    assert_memory_equal(contest->commitment, commitment, sizeof commitment);
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

static void test_2003_r8_r43_r50_majorities(void **state)
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

/* A majority is one of the judges who are there; a panel's is two of three. */
static void test_2003_r38_r43_r50_who_votes(void **state)
{
    (void)state;
    begin("loebner-2003");
    people(5, 3, 1);
    for (unsigned j = 4; j <= 5; j++)
        TAKEN("withdraw", "{\"role\":\"judge\",\"number\":%u}", j);
    REFUSED("'judges': expected 3", "disqualify",
            "{\"entry\":1,\"why\":\"x\",\"for\":3,\"against\":2,\"judges\":5}");
    REFUSED("1 of 3 judges are no majority (2003 r43)", "disqualify",
            "{\"entry\":1,\"why\":\"x\",\"for\":1,\"against\":1,\"judges\":3}");
    TAKEN("disqualify", "{\"entry\":1,\"why\":\"x\",\"for\":2,\"against\":1,\"judges\":3}");
    TAKEN("confer", "{\"entry\":2,\"for\":2,\"against\":1,\"judges\":3,\"majority\":true}");
    REFUSED("2 of 5 judges are no majority", "disqualify", /* as old contests count */
            "{\"entry\":2,\"why\":\"x\",\"for\":2,\"against\":1}");
    REFUSED("4 votes: there are 3 judges", "disqualify",
            "{\"entry\":2,\"why\":\"x\",\"for\":3,\"against\":1,\"panel\":true}");
    REFUSED("no majority (2003 r38)", "disqualify",
            "{\"entry\":2,\"why\":\"x\",\"for\":1,\"against\":2,\"panel\":true}");
    TAKEN("disqualify", "{\"entry\":2,\"why\":\"x\",\"for\":2,\"against\":1,\"panel\":true}");
    begin("loebner-2004");
    people(5, 2, 2);
    REFUSED("'panel': these rules have none", "disqualify",
            "{\"entry\":2,\"why\":\"x\",\"for\":2,\"against\":1,\"panel\":true}");
}

static const char *session_of(const struct meeting *meeting, bool further)
{
    static char name[CONTEST_SESSION_MAX];
    (further ? contest_further_session : contest_session)(contest, meeting, name);
    return name;
}

/* "Judges will have one or more opportunities": 1996 r14, 2003 r42. The last rating counts. */
static void test_2003_r42_further_session(void **state)
{
    (void)state;
    begin("loebner-2003");
    people(2, 2, 1);
    TAKEN("schedule", "{\"rounds\":[[[1,1],[2,2]],[[1,2],[2,3]],[[1,3],[2,1]]]}");
    const struct meeting *meeting = &contest->schedule.meeting[0];
    TAKEN("begin", "{\"round\":1}");
    REFUSED("no ballot yet", "repeat",
            "{\"round\":1,\"judge\":1,\"further\":true,\"why\":\"asked\"}");
    TAKEN("ballot", "{\"judge\":1,\"candidate\":1,\"rating\":\"2\"}");
    TAKEN("repeat", "{\"round\":1,\"judge\":1,\"further\":true,\"why\":\"asked\"}");
    REFUSED("r1-j1-2 is to be held as a further session already", "repeat",
            "{\"round\":1,\"judge\":1,\"why\":\"x\"}");
    assert_string_equal(session_of(meeting, false), "r1-j1"); /* counts until the other's ballot */
    assert_string_equal(session_of(meeting, true), "r1-j1-2");
    assert_int_equal(contest_missing(contest, 1), 1); /* J2's alone */
    assert_false(contest_is_spoiled(contest, "r1-j1"));
    assert_ptr_equal(contest_find_session(contest, "r1-j1", &diag), meeting);
    assert_ptr_equal(contest_find_session(contest, "r1-j1-2", &diag), meeting);
    assert_int_equal(contest->ballot[0].rating, 2000);
    TAKEN("ballot", "{\"judge\":1,\"candidate\":1,\"rating\":\"3\",\"correction\":true}");
    assert_true(contest_has_further(contest, meeting)); /* the first session's, corrected */
    TAKEN("ballot", "{\"judge\":1,\"candidate\":1,\"rating\":\"4\",\"further\":true}");
    assert_int_equal(contest->ballots, 1);
    assert_int_equal(contest->ballot[0].rating, 4000);
    assert_string_equal(session_of(meeting, false), "r1-j1-2");
    assert_true(contest_is_spoiled(contest, "r1-j1"));
    assert_false(contest_has_further(contest, meeting));
    REFUSED("no further session of these two", "ballot",
            "{\"judge\":1,\"candidate\":1,\"rating\":\"4\",\"further\":true}");
    /* Once more; but the judge is replaced before it is held, and it lapses. */
    TAKEN("repeat", "{\"round\":1,\"judge\":1,\"further\":true,\"why\":\"asked\"}");
    assert_string_equal(session_of(meeting, true), "r1-j1-3");
    TAKEN("substitute", "{\"role\":\"judge\",\"number\":1,\"name\":\"Sub\",\"why\":\"ill\"}");
    assert_false(contest_has_further(contest, meeting));
    REFUSED("was replaced since", "repeat",
            "{\"round\":1,\"judge\":1,\"further\":true,\"why\":\"asked\"}");
    assert_int_equal(contest->ballot[0].rating, 4000);
    /* Whoever held it comes back, and may have another. */
    TAKEN("substitute", "{\"role\":\"judge\",\"number\":1,\"name\":\"Judge 1\",\"why\":\"well\"}");
    assert_false(contest_has_further(contest, meeting)); /* what has lapsed stays so */
    TAKEN("repeat", "{\"round\":1,\"judge\":1,\"further\":true,\"why\":\"asked\"}");
    assert_string_equal(session_of(meeting, true), "r1-j1-3");
    /* Sealed, it is not held any more, nor does its ballot count. */
    TAKEN("ballot", "{\"judge\":2,\"candidate\":2,\"rating\":\"1\"}");
    TAKEN("repeat", "{\"round\":1,\"judge\":2,\"further\":true,\"why\":\"asked\"}");
    TAKEN("seal", "{\"round\":1}");
    REFUSED("round 1 is sealed", "ballot",
            "{\"judge\":2,\"candidate\":2,\"rating\":\"4\",\"further\":true}");
    begin("loebner-2004");
    people(2, 2, 2);
    TAKEN("schedule", "{\"rounds\":[[[1,1,1],[2,2,2]]]}");
    draw();
    TAKEN("begin", "{\"round\":1}");
    REFUSED("know no further session", "repeat",
            "{\"round\":1,\"judge\":1,\"further\":true,\"why\":\"x\"}");
}

static void test_2003_r50_conference_then_coin(void **state)
{
    static const char commitment[] =
        "\"commitment\":\"0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8\"";
    (void)state;
    begin("loebner-2003");
    people(5, 2, 1);
    REFUSED("the judges confer first", "coin", "{%s,\"after_conference\":true}", commitment);
    REFUSED("'majority' says otherwise", "confer",
            "{\"entry\":2,\"for\":2,\"against\":3,\"majority\":true}");
    REFUSED("there are 5 judges", "confer",
            "{\"entry\":2,\"for\":4,\"against\":2,\"majority\":true}");
    TAKEN("confer", "{\"entry\":2,\"for\":2,\"against\":3,\"majority\":false}");
    assert_int_equal(contest->conferred[0], 0);
    assert_true(contest->split[0]);
    /* They may confer again, until the coin is tossed. */
    TAKEN("confer", "{\"entry\":2,\"for\":3,\"against\":2,\"majority\":true}");
    assert_false(contest->split[0]);
    REFUSED("the judges confer first", "coin", "{%s,\"after_conference\":true}", commitment);
    TAKEN("confer", "{\"entry\":1,\"for\":2,\"against\":2,\"majority\":false}");
    TAKEN("coin", "{%s,\"after_conference\":true}", commitment);
    assert_true(contest->coin_waits);
    contest->coin_tossed = true;
    REFUSED("it has the last word (2003 r50)", "confer",
            "{\"entry\":2,\"for\":5,\"against\":0,\"majority\":true}");
    begin("loebner-2003"); /* what old contests hold is still read */
    people(5, 2, 1);
    TAKEN("coin", "{%s}", commitment);
    assert_false(contest->coin_waits);
    begin("loebner-2004");
    people(2, 2, 2);
    REFUSED("no coin is among them", "coin", "{%s,\"after_conference\":true}", commitment);
    REFUSED("no conference of the judges is among them", "confer",
            "{\"entry\":2,\"for\":2,\"against\":0,\"majority\":true}");
}

/* A coin about the dispute of that number, of a seed that gives the answer wanted. */
static void toss_about(unsigned dispute, bool yes)
{
    char seed[2 * RESULT_SEED_BYTES + 1], hex[2 * ACT_HASH_BYTES + 1];
    uint8_t bytes[RESULT_SEED_BYTES] = {0}, commitment[ACT_HASH_BYTES], hash[8];
    const uint8_t lots[] = {1, 2};
    do {
        bytes[0]++;
        crypto_shorthash(hash, lots, sizeof lots, bytes);
    } while ((hash[7] % 2 == 0) != yes);
    contest_commit(bytes, sizeof bytes, commitment);
    contest_hex(commitment, sizeof commitment, hex);
    contest_hex(bytes, sizeof bytes, seed);
    TAKEN("coin", "{\"commitment\":\"%s\",\"after_conference\":true,\"dispute\":%u}", hex, dispute);
    TAKEN("coin", "{\"seed\":\"%s\"}", seed);
}

/* "In the case of tied places, disqualification or any other matter of dispute ..." */
static void test_2003_r50_other_disputes(void **state)
{
    static const char coin[] =
        "{\"commitment\":\"0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787fa"
        "ab45cdf12fe3a8\",\"after_conference\":true,\"dispute\":%d}";
    (void)state;
    begin("loebner-2003");
    people(4, 3, 1);
    REFUSED("contest dispute lets a coin decide it (2003 r50)", "disqualify",
            "{\"entry\":2,\"for\":2,\"against\":2,\"judges\":4,\"why\":\"x\"}");
    REFUSED("expected the number of one", "coin", coin, 1);
    TAKEN("dispute", "{\"matter\":\"Does r1-j1 count?\",\"for\":3,\"against\":1,\"judges\":4}");
    TAKEN("dispute", "{\"matter\":\"And r1-j2?\",\"for\":0,\"against\":3,\"judges\":4}");
    assert_int_equal(contest->dispute[0].answer, DISPUTE_YES);
    assert_int_equal(contest->dispute[1].answer, DISPUTE_NO);
    assert_int_equal(contest_open_dispute(contest), 0);
    REFUSED("expected the number of one", "coin", coin, 2);
    REFUSED("there are 4 judges", "dispute",
            "{\"matter\":\"x\",\"for\":3,\"against\":2,\"judges\":4}");
    REFUSED("Entry", "dispute",
            "{\"matter\":\"x\",\"entry\":4,\"for\":2,\"against\":2,\"judges\":4}");
    /* Two of four are a majority neither way: the coin. Once it says no, once yes. */
    for (unsigned i = 3; i <= 4; i++) {
        TAKEN("dispute",
              "{\"matter\":\"Is E2 compliant?\",\"entry\":2,\"for\":2,\"against\":2,\"judges\":4}");
        assert_int_equal(contest_open_dispute(contest), i);
        assert_false(contest->disqualified[1]);
        toss_about(i, i == 4);
        assert_int_equal(contest->dispute[i - 1].answer, i == 4 ? DISPUTE_YES : DISPUTE_NO);
        assert_true(contest->dispute[i - 1].coin);
        assert_int_equal(contest->disqualified[1], i == 4);
        assert_int_equal(contest_open_dispute(contest), 0);
    }
    TAKEN("dispute", "{\"matter\":\"E3?\",\"entry\":3,\"for\":3,\"against\":0,\"judges\":4}");
    assert_true(contest->disqualified[2]);
    /* More votes than a byte holds. */
    begin("loebner-2003");
    people(3, 3, 1);
    contest->people[CONTEST_JUDGE] = SCHEDULE_PEOPLE_MAX;
    TAKEN("dispute", "{\"matter\":\"And r2?\",\"for\":700,\"against\":299,\"judges\":999}");
    assert_int_equal(contest->dispute[0].votes_for, 700);
    assert_int_equal(contest->dispute[0].votes_against, 299);
    begin("loebner-2004");
    people(2, 2, 2);
    REFUSED("have none by which the judges and a coin", "dispute",
            "{\"matter\":\"x\",\"for\":1,\"against\":1,\"judges\":2}");
}

/* The Entry that wins, from 1; 0: nobody, or it is not decided. */
static int winner(void)
{
    struct result_input *input = malloc(sizeof *input);
    static struct result result;
    assert_non_null(input);
    contest_result_input(contest, input);
    result_make(&result, input, NULL, NULL);
    free(input);
    return result.winner + 1;
}

/* E1 is best, E2 and E3 are equal behind it, and E4 is last. */
static void begin_second_place(void)
{
    begin("loebner-2003");
    people(1, 4, 1);
    TAKEN("schedule", "{\"rounds\":[[[1,1]],[[1,2]],[[1,3]],[[1,4]],[[1,5]]]}");
    for (int c = 1; c <= 5; c++) {
        TAKEN("begin", "{\"round\":%d}", c);
        TAKEN("ballot", "{\"judge\":1,\"candidate\":%d,\"rating\":\"%d\"}", c,
              c == 1   ? 4
              : c == 4 ? 1
                       : 3);
    }
}

/* What the judges or the coin decide is about Entries, and holds for them in whatever place. */
static void test_2003_r50_r59_decisions_are_about_entries(void **state)
{
    uint8_t seed[RESULT_SEED_BYTES] = {0}, commitment[ACT_HASH_BYTES];
    char hex[2 * ACT_HASH_BYTES + 1];
    (void)state;
    begin_second_place();
    TAKEN("confer", "{\"entry\":3,\"for\":1,\"against\":0,\"judges\":1,\"place\":2,"
                    "\"majority\":true,\"among\":[2,3]}");
    assert_int_equal(winner(), 1);
    TAKEN("disqualify", "{\"entry\":1,\"why\":\"r59\",\"organiser\":true}");
    assert_int_equal(winner(), 3);
    TAKEN("disqualify", "{\"entry\":3,\"why\":\"r59\",\"organiser\":true}");
    assert_int_equal(winner(), 2);

    begin_second_place();
    REFUSED("'among': expected two", "confer",
            "{\"entry\":2,\"for\":1,\"against\":0,\"majority\":true,\"among\":[2,2]}");
    REFUSED("expected one of those", "confer",
            "{\"entry\":4,\"for\":1,\"against\":0,\"majority\":true,\"among\":[2,3]}");
    contest_commit(seed, sizeof seed, commitment);
    contest_hex(commitment, sizeof commitment, hex);
    REFUSED("the judges confer first", "coin",
            "{\"commitment\":\"%s\",\"after_conference\":true,\"among\":[2,3]}", hex);
    TAKEN("confer", "{\"entry\":3,\"for\":0,\"against\":1,\"judges\":1,\"place\":2,"
                    "\"majority\":false,\"among\":[2,3]}");
    REFUSED("the judges confer first", "coin",
            "{\"commitment\":\"%s\",\"after_conference\":true,\"among\":[2,3,4]}", hex);
    TAKEN("coin", "{\"commitment\":\"%s\",\"after_conference\":true,\"among\":[2,3]}", hex);
    TAKEN("coin", "{\"seed\":\"00000000000000000000000000000000\"}");
    REFUSED("it has the last word (2003 r50)", "confer",
            "{\"entry\":2,\"for\":1,\"against\":0,\"majority\":true,\"among\":[2,3]}");
    assert_int_equal(winner(), 1);
    TAKEN("disqualify", "{\"entry\":1,\"why\":\"r59\",\"organiser\":true}");
    int tossed = winner();
    assert_true(tossed == 2 || tossed == 3);
    /* One more is equal now: that is another question, for the judges and for another coin. */
    TAKEN("ballot", "{\"judge\":1,\"candidate\":4,\"rating\":\"3\",\"correction\":true}");
    assert_int_equal(winner(), 0);
    TAKEN("confer", "{\"entry\":2,\"for\":0,\"against\":1,\"judges\":1,"
                    "\"majority\":false,\"among\":[2,3,4]}");
    assert_int_equal(winner(), 0);
    memset(seed, 0x11, sizeof seed);
    contest_commit(seed, sizeof seed, commitment);
    contest_hex(commitment, sizeof commitment, hex);
    TAKEN("coin", "{\"commitment\":\"%s\",\"after_conference\":true,\"among\":[2,3,4]}", hex);
    TAKEN("coin", "{\"seed\":\"11111111111111111111111111111111\"}");
    assert_true(winner() >= 2);
}

/* 2004 B2 counts people: twice over one confederate is not enough, unless somebody else sat there
 * the second time. The column of votes is the same. */
static void test_2004_B2_counts_people(void **state)
{
    struct result_input *input = malloc(sizeof *input);
    static struct result result;
    (void)state;
    for (unsigned other = 0; other < 2; other++) {
        begin("loebner-2004");
        people(2, 1, 1);
        TAKEN("schedule", "{\"rounds\":[[[1,1,1]],[[2,1,1]]]}");
        draw();
        TAKEN("begin", "{\"round\":1}");
        TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[60,40]}");
        if (other)
            TAKEN("substitute", "{\"role\":\"confederate\",\"number\":1,\"name\":\"Another\","
                                "\"why\":\"ill\"}");
        TAKEN("begin", "{\"round\":2}");
        TAKEN("ballot", "{\"judge\":2,\"entry\":1,\"confederate\":1,\"points\":[60,40]}");
        contest_result_input(contest, input);
        result_make(&result, input, NULL, NULL);
        assert_int_equal(result.outcome, RESULT_WON);
        assert_int_equal(result.standing[0].wins, 2);
        assert_int_equal(result.silver, other);
    }
    free(input);
}

/* 2003 r48 compares people. Whoever holds a session again counts for it, not whoever sat there in
 * its round; and nothing is waited for from somebody who has left by then. */
static void test_2003_r48_a_session_held_again_by_another(void **state)
{
    struct result_input *input = malloc(sizeof *input);
    static struct result result;
    (void)state;
    for (unsigned before = 0; before < 2;
         before++) { /* the substitute, or the repeat, comes first */
        begin("loebner-2003");
        people(2, 1, 1);
        TAKEN("schedule", "{\"rounds\":[[[1,2],[2,1]],[[2,2],[1,1]]]}");
        TAKEN("begin", "{\"round\":1}");
        TAKEN("ballot", "{\"judge\":1,\"candidate\":2,\"rating\":\"5\"}");
        TAKEN("ballot", "{\"judge\":2,\"candidate\":1,\"rating\":\"3\"}");
        if (!before)
            TAKEN("repeat", "{\"round\":1,\"judge\":1,\"why\":\"C1 fell ill\"}");
        TAKEN("substitute", "{\"role\":\"confederate\",\"number\":1,\"name\":\"Another\","
                            "\"why\":\"ill\"}");
        if (before)
            TAKEN("repeat", "{\"round\":1,\"judge\":1,\"why\":\"C1 fell ill\"}");
        TAKEN("ballot", "{\"judge\":1,\"candidate\":2,\"rating\":\"1\"}");
        TAKEN("begin", "{\"round\":2}");
        TAKEN("ballot", "{\"judge\":2,\"candidate\":2,\"rating\":\"4\"}");
        TAKEN("ballot", "{\"judge\":1,\"candidate\":1,\"rating\":\"3\"}");
        contest_result_input(contest, input);
        result_make(&result, input, NULL, NULL);
        assert_int_equal(result.outcome, RESULT_WON);
        assert_true(result.silver); /* Another has 2.5 */
    }
    /* With the ballot it is settled who held it: a later substitute changes nothing. */
    begin("loebner-2003");
    people(2, 1, 1);
    TAKEN("schedule", "{\"rounds\":[[[1,2],[2,1]],[[2,2],[1,1]]]}");
    TAKEN("begin", "{\"round\":1}");
    TAKEN("repeat", "{\"round\":1,\"judge\":1,\"why\":\"a cable\"}");
    TAKEN("ballot", "{\"judge\":1,\"candidate\":2,\"rating\":\"5\"}");
    TAKEN("substitute", "{\"role\":\"confederate\",\"number\":1,\"name\":\"Another\","
                        "\"why\":\"ill\"}");
    contest_result_input(contest, input);
    assert_true(input->seat[0].confederate >= SCHEDULE_PEOPLE_MAX);
    TAKEN("begin", "{\"round\":2}");
    TAKEN("withdraw", "{\"role\":\"judge\",\"number\":1}");
    assert_int_equal(contest_missing(contest, 2), 2); /* judge 2's */
    TAKEN("repeat", "{\"round\":1,\"judge\":1,\"why\":\"a fire alarm\"}");
    assert_int_equal(contest_missing(contest, 2), 2);
    free(input);
}

/* 2003 r47, r48: a confederate is a person, who is one wherever he sat, and by whichever name. */
static void test_2003_r48_a_person_is_one(void **state)
{
    struct result_input *input = malloc(sizeof *input);
    static struct result result;
    (void)state;
    for (unsigned renamed = 0; renamed < 2; renamed++) {
        begin("loebner-2003");
        people(2, 1, 2);
        TAKEN("schedule", "{\"rounds\":[[[1,3],[2,1]],[[1,2],[2,3]],[[1,1],[2,2]]]}");
        REFUSED(
            "sits on the place of confederate 2 already", "substitute",
            "{\"role\":\"confederate\",\"number\":2,\"name\":\"confederate  2\",\"why\":\"x\"}");
        TAKEN("begin", "{\"round\":1}");
        TAKEN("ballot", "{\"judge\":1,\"candidate\":3,\"rating\":\"5\"}");
        TAKEN("ballot", "{\"judge\":2,\"candidate\":1,\"rating\":\"3\"}");
        TAKEN("substitute",
              "{\"role\":\"confederate\",\"number\":2,\"name\":\"Bob\",\"why\":\"ill\"}");
        TAKEN("substitute", "{\"role\":\"confederate\",\"number\":1,\"name\":\"CONFEDERATE 2\","
                            "\"why\":\"ill\"}");
        if (renamed)
            TAKEN("rename",
                  "{\"role\":\"confederate\",\"number\":1,\"name\":\"Zoe\",\"why\":\"misspelt\"}");
        TAKEN("begin", "{\"round\":2}");
        TAKEN("ballot", "{\"judge\":1,\"candidate\":2,\"rating\":\"1\"}");
        TAKEN("ballot", "{\"judge\":2,\"candidate\":3,\"rating\":\"1\"}");
        TAKEN("begin", "{\"round\":3}");
        TAKEN("ballot", "{\"judge\":1,\"candidate\":1,\"rating\":\"3\"}");
        TAKEN("ballot", "{\"judge\":2,\"candidate\":2,\"rating\":\"3\"}");
        contest_result_input(contest, input);
        assert_int_equal(input->seat[0].confederate, 0);
        result_make(&result, input, NULL, NULL);
        assert_int_equal(result.outcome, RESULT_WON);
        assert_true(result.silver); /* 5, 1 and 3: nobody is above 3 */
    }
    free(input);
}

/* In contests of before somebody could be a substitute for himself, and is one all the same. */
static void test_2003_r48_his_own_substitute(void **state)
{
    struct result_input *input = malloc(sizeof *input);
    static struct result result;
    (void)state;
    begin("loebner-2003");
    people(2, 1, 1);
    TAKEN("schedule", "{\"rounds\":[[[1,2],[2,1]],[[2,2],[1,1]]]}");
    TAKEN("begin", "{\"round\":1}");
    TAKEN("ballot", "{\"judge\":1,\"candidate\":2,\"rating\":\"5\"}");
    TAKEN("ballot", "{\"judge\":2,\"candidate\":1,\"rating\":\"3\"}");
    number++;
    const struct act act = {
        .number = number,
        .author = "test",
        .at_us = acts_now_us,
        .kind = "substitute",
        .body = "{\"role\":\"confederate\",\"number\":1,\"name\":\"Confederate 1\",\"why\":\"x\"}",
    };
    assert_int_equal(contest_replay(contest, &act, &diag), BL_OK);
    TAKEN("begin", "{\"round\":2}");
    TAKEN("ballot", "{\"judge\":2,\"candidate\":2,\"rating\":\"1\"}");
    TAKEN("ballot", "{\"judge\":1,\"candidate\":1,\"rating\":\"3\"}");
    contest_result_input(contest, input);
    result_make(&result, input, NULL, NULL);
    assert_int_equal(result.outcome, RESULT_WON);
    assert_true(result.silver);
    free(input);
}

/* 2004 B2: a judge who comes back to another place is no other judge. */
static void test_2004_B2_a_judge_comes_back(void **state)
{
    struct result_input *input = malloc(sizeof *input);
    static struct result result;
    (void)state;
    for (unsigned other = 0; other < 2; other++) {
        begin("loebner-2004");
        people(2, 1, 2);
        TAKEN("schedule", "{\"rounds\":[[[1,1,1]],[[2,1,2]]]}");
        draw();
        TAKEN("begin", "{\"round\":1}");
        TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"points\":[60,40]}");
        TAKEN("substitute", "{\"role\":\"judge\",\"number\":1,\"name\":\"Bob\",\"why\":\"ill\"}");
        TAKEN("substitute", "{\"role\":\"judge\",\"number\":2,\"name\":\"%s\",\"why\":\"ill\"}",
              other ? "Another" : "judge 1");
        TAKEN("begin", "{\"round\":2}");
        TAKEN("ballot", "{\"judge\":2,\"entry\":1,\"confederate\":2,\"points\":[60,40]}");
        contest_result_input(contest, input);
        result_make(&result, input, NULL, NULL);
        assert_int_equal(result.outcome, RESULT_WON);
        assert_int_equal(result.silver, other);
    }
    free(input);
}

static void add_step(void *ctx, const char *rule, const char *text)
{
    json_array_append_new(ctx, json_pack("[s,s]", rule, text));
}

/* 1996, announcement: the award is a person's, who may have left since or sit elsewhere. */
static void test_1996_the_most_human_human_is_a_person(void **state)
{
    struct result_input *input = malloc(sizeof *input);
    static struct result result;
    (void)state;
    for (unsigned back = 0; back < 2; back++) {
        begin("loebner-1996");
        people(1, 2, 2);
        TAKEN("schedule", "{\"rounds\":[[[1,3]],[[1,4]],[[1,1]],[[1,2]]]}");
        for (unsigned r = 1; r <= 4; r++) {
            TAKEN("begin", "{\"round\":%u}", r);
            TAKEN("ballot", "{\"judge\":1,\"candidate\":%u,\"rating\":\"%u\"}",
                  r < 3 ? r + 2 : r - 2, 6 - r);
            if (r == 1)
                TAKEN("substitute", "{\"role\":\"confederate\",\"number\":1,\"name\":\"Another\","
                                    "\"why\":\"ill\"}");
            if (r == 2 && back)
                TAKEN("substitute", "{\"role\":\"confederate\",\"number\":2,"
                                    "\"name\":\"Confederate 1\",\"why\":\"ill\"}");
        }
        json_t *steps = json_array(), *json;
        contest_result_input(contest, input);
        result_make(&result, input, add_step, steps);
        json = result_json(contest, &result, steps);
        char *text = json_dumps(steps, 0);
        assert_string_equal(json_string_value(json_object_get(json, "most_human_human_name")),
                            "Confederate 1");
        assert_int_equal(json_integer_value(json_object_get(json, "most_human_human")),
                         back ? 2 : 0);
        if (!strstr(text, back ? "C2 is the Most" : "Confederate 1 is the Most"))
            fail_msg("%s", text);
        free(text);
        json_decref(json);
        json_decref(steps);
    }
    free(input);
}

/* In the last round somebody can still be replaced, for a session that has no ballot. */
static void test_a_substitute_in_the_last_round(void **state)
{
    struct result_input *input = malloc(sizeof *input);
    (void)state;
    begin("loebner-2003");
    people(2, 1, 1);
    TAKEN("schedule", "{\"rounds\":[[[1,2],[2,1]],[[2,2],[1,1]]]}");
    TAKEN("begin", "{\"round\":1}");
    TAKEN("ballot", "{\"judge\":1,\"candidate\":2,\"rating\":\"5\"}");
    TAKEN("begin", "{\"round\":2}");
    TAKEN("substitute", "{\"role\":\"confederate\",\"number\":1,\"name\":\"Another\","
                        "\"why\":\"ill\",\"round\":2}");
    TAKEN("ballot", "{\"judge\":2,\"candidate\":2,\"rating\":\"4\"}");
    contest_result_input(contest, input);
    assert_true(input->seat[0].confederate >= SCHEDULE_PEOPLE_MAX);
    assert_int_equal(input->seat[1].confederate, 0);
    REFUSED("without a ballot in it", "substitute",
            "{\"role\":\"confederate\",\"number\":1,\"name\":\"A third\",\"why\":\"ill\","
            "\"round\":2}");
    /* A session that is held again is one to come. */
    TAKEN("repeat", "{\"round\":2,\"judge\":2,\"why\":\"a cable\"}");
    TAKEN("substitute", "{\"role\":\"judge\",\"number\":2,\"name\":\"A third\",\"why\":\"ill\"}");
    REFUSED("no round is to come", "substitute",
            "{\"role\":\"judge\",\"number\":1,\"name\":\"A fourth\",\"why\":\"ill\"}");
    free(input);
}

/* 2009 §3a, 2004 B5: a late ballot is marked, and counts until the manager takes it back. Then it
 * is not waited for, and not taken as a late one again. */
static void test_2009_3a_a_late_ballot(void **state)
{
    static const char late[] =
        "{\"judge\":1,\"entry\":1,\"confederate\":1,\"human\":true,\"late\":true}";
    (void)state;
    begin("loebner-2009");
    people(1, 2, 1);
    TAKEN("schedule", "{\"rounds\":[[[1,1,1]],[[1,2,1]]]}");
    draw();
    TAKEN("begin", "{\"round\":1}");
    REFUSED("has given no ballot", "undo",
            "{\"what\":\"ballot\",\"round\":1,\"judge\":1,\"why\":\"late\"}");
    TAKEN("ballot", "%s", late);
    assert_true(contest->ballot[0].late);
    TAKEN("undo", "{\"what\":\"ballot\",\"round\":1,\"judge\":1,\"why\":\"too late\"}");
    assert_int_equal(contest->ballots, 0);
    assert_int_equal(contest_missing(contest, 1), 0);
    REFUSED("was taken back", "ballot", "%s", late);
    TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"human\":true}");
    assert_false(contest_is_taken_back(contest, &contest->schedule.meeting[0]));
    TAKEN("undo", "{\"what\":\"ballot\",\"round\":1,\"judge\":1,\"why\":\"a mistake\"}");
    assert_int_equal(contest_missing(contest, 1), 1); /* it was not late: another is waited for */
    TAKEN("ballot", "%s", late);
    TAKEN("seal", "{\"round\":1}");
    REFUSED("round 1 is sealed", "undo",
            "{\"what\":\"ballot\",\"round\":1,\"judge\":1,\"why\":\"late\"}");
}

static const struct result *result_now(void)
{
    static struct result_input input;
    static struct result result;
    contest_result_input(contest, &input);
    result_make(&result, &input, NULL, NULL);
    return &result;
}

/* An excluded session counts for nothing: neither its ballot nor ranks of it, given before or
 * afterwards; and nobody waits for it. Taken back, all of it counts but the ranks. */
static void test_an_excluded_session(void **state)
{
    static const char out[] = "{\"round\":1,\"judge\":1,\"why\":\"knew the other\"}";
    static const char back[] =
        "{\"what\":\"exclude\",\"round\":1,\"judge\":1,\"why\":\"a mistake\"}";
    (void)state;
    begin("loebner-2009");
    people(1, 2, 2);
    TAKEN("schedule", "{\"rounds\":[[[1,1,1]],[[1,2,2]]]}");
    draw();
    REFUSED("has not begun", "exclude", "%s", out);
    TAKEN("begin", "{\"round\":1}");
    REFUSED("'why': expected", "exclude", "{\"round\":1,\"judge\":1}");
    REFUSED("is not excluded", "undo", "%s", back);
    TAKEN("exclude", "%s", out);
    REFUSED("an excluded session: it was held", "undo", "{\"what\":\"begin\",\"why\":\"x\"}");
    REFUSED("r1-j1 is excluded", "exclude", "%s", out);
    REFUSED("r1-j1 is excluded", "repeat", "%s", out);
    assert_int_equal(contest_missing(contest, 1), 0);
    TAKEN("begin", "{\"round\":2}");
    TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"human\":true}");
    REFUSED("voted on this session already", "ballot",
            "{\"judge\":1,\"entry\":1,\"confederate\":1,\"human\":true}");
    TAKEN("ballot", "{\"judge\":1,\"entry\":2,\"confederate\":2,\"human\":false}");
    assert_int_equal(contest->ballots, 1);
    assert_int_equal(result_now()->winner, -1); /* neither has a vote, and the tie stays */
    REFUSED("2 ranks: expected 1", "ranks", "{\"judge\":1,\"ranks\":[[3,1],[2,2]]}");
    TAKEN("ranks", "{\"judge\":1,\"ranks\":[[2,1]]}");
    TAKEN("undo", "%s", back);
    assert_int_equal(contest->ballots, 2);
    assert_int_equal(contest->rankings, 0);
    assert_int_equal(result_now()->winner, 0);
    TAKEN("exclude", "%s", out);
    TAKEN("ballot", "{\"judge\":1,\"entry\":1,\"confederate\":1,\"human\":false,"
                    "\"correction\":true}");
    REFUSED("undo that first", "undo",
            "{\"what\":\"ballot\",\"round\":1,\"judge\":1,\"why\":\"x\"}");
    TAKEN("undo", "%s", back);
    assert_int_equal(result_now()->winner, -1);
    TAKEN("seal", "{}");
    REFUSED("the contest is sealed", "exclude", "%s", out);
}

/* 2009 §3b: while ranks of one of the equals are to come nobody wins by ranks; after the seal what
 * is there counts, and nobody waits for a judge who has left. */
static void test_2009_3b_no_winner_while_ranks_are_missing(void **state)
{
    struct result_input *input = malloc(sizeof *input);
    static struct result result;
    (void)state;
    for (unsigned end = 0; end < 3; end++) {
        begin("loebner-2009");
        people(3, 2, 2);
        TAKEN("schedule", "{\"rounds\":[[[1,1,1],[2,2,2]],[[1,2,2],[2,1,1]],[[3,1,1]],[[3,2,2]]]}");
        draw();
        for (unsigned r = 1; r <= 4; r++)
            TAKEN("begin", "{\"round\":%u}", r);
        for (unsigned j = 1; j <= 3; j++)
            for (unsigned e = 1; e <= 2; e++)
                TAKEN("ballot", "{\"judge\":%u,\"entry\":%u,\"confederate\":%u,\"human\":%s}", j, e,
                      e, j != 3 && j != e ? "true" : "false");
        TAKEN("ranks", "{\"judge\":1,\"ranks\":[[1,2],[4,1]]}");
        TAKEN("ranks", "{\"judge\":3,\"ranks\":[[1,2],[2,1]]}");
        contest_result_input(contest, input);
        result_make(&result, input, NULL, NULL);
        assert_int_equal(result.outcome, RESULT_TIED); /* without J2's rank of E2 */
        assert_int_equal(result.winner, -1);
        if (end == 0)
            TAKEN("ranks", "{\"judge\":2,\"ranks\":[[2,2],[3,1]]}");
        else if (end == 1)
            TAKEN("seal", "{}");
        else
            TAKEN("withdraw", "{\"role\":\"judge\",\"number\":2}");
        contest_result_input(contest, input);
        result_make(&result, input, NULL, NULL);
        assert_int_equal(result.outcome, RESULT_WON);
        assert_int_equal(result.winner, 0);
    }
    free(input);
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
    REFUSED("expected 2", "ranks", "{\"judge\":1,\"ranks\":[[4,1],[2,2],[4,3]]}");
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

/* A list must have the Entries that were allotted, but for one that has left. */
static void test_2003_r34_an_allotted_entry_leaves(void **state)
{
    (void)state;
    begin("loebner-2003");
    people(0, 3, 0);
    for (unsigned i = 1; i <= 2; i++) {
        TAKEN("person", "{\"role\":\"preliminary\",\"name\":\"P%u\"}", i);
        TAKEN("allot", "{\"judge\":%u,\"entries\":[1,2,3]}", i);
    }
    TAKEN("person", "{\"role\":\"preliminary\",\"name\":\"P3\",\"chief\":true}");
    REFUSED("P3 is the chief judge already", "person",
            "{\"role\":\"preliminary\",\"name\":\"P4\",\"chief\":true}");
    REFUSED("one of the preliminary judges", "person",
            "{\"role\":\"organiser\",\"name\":\"P4\",\"chief\":true}");
    REFUSED("E2 is allotted", "list", "{\"judge\":1,\"entries\":[1,3]}");
    TAKEN("list", "{\"judge\":1,\"entries\":[1,2,3]}");
    TAKEN("withdraw", "{\"role\":\"entry\",\"number\":2}");
    TAKEN("list", "{\"judge\":2,\"entries\":[3,1]}");
    REFUSED("E3 is allotted", "list", "{\"judge\":2,\"entries\":[1],\"correction\":true}");
    TAKEN("lose", "{\"entry\":3,\"why\":\"no hardware\"}");
}

/* Where entities are met singly an Entry more moves the numbers of confederates: whom a judge has
 * met, and rated, stays the same. */
static void test_an_entry_that_comes_later(void **state)
{
    (void)state;
    for (unsigned moves = 0; moves < 2; moves++) {
        begin("loebner-2003");
        people(1, 1, 1);
        TAKEN("schedule", "{\"rounds\":[[[1,2]],[[1,1]]]}");
        TAKEN("begin", "{\"round\":1}");
        TAKEN("ballot", "{\"judge\":1,\"candidate\":2,\"rating\":\"5\"}");
        TAKEN("person",
              "{\"role\":\"entry\",\"name\":\"Late\",\"submitter\":\"S\",\"rights\":true%s}",
              moves ? ",\"moves\":true" : "");
        assert_int_equal(contest->schedule.meeting[0].entry, 1 + moves);
        assert_int_equal(contest->ballot[0].entry, 1 + moves); /* an old act moved none */
        if (moves)
            TAKEN("ballot", "{\"judge\":1,\"candidate\":3,\"rating\":\"4\","
                            "\"correction\":true}");
    }
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
    for (unsigned i = 0; i < 2000; i++) {
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
    return contest_replay(ctx, act, why);
}

static enum bl_status try_act(void *ctx, const struct act *act, struct bl_diag *why)
{
    return contest_apply(ctx, act, why);
}

static enum bl_status append(struct store *store, const char *kind, const char *body)
{
    struct act act = {.at_us = 1000, .author = "test", .kind = kind, .body = body};
    return store_append(store, contest->acts, &act, take, try_act, contest, &diag);
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

/* A writer holds the file for as long as its disk takes. */
static void test_a_reader_that_may_not_wait(void **state)
{
    (void)state;
    struct store *store = make_store();
    sqlite3 *writer;
    store_close(store);
    assert_int_equal(sqlite3_open(path, &writer), SQLITE_OK);
    assert_int_equal(sqlite3_exec(writer, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(store_open_now(&store, path, &diag), BL_BUSY);
    assert_null(store);
    assert_int_equal(sqlite3_exec(writer, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(store_open_now(&store, path, &diag), BL_OK);
    store_close(store);
    sqlite3_close(writer);
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
    assert_int_equal(store_create(&store, path, &diag), BL_OK); /* or without its first act */
    store_close(store);
    file = fopen(path, "we");
    fputs("somebody's", file);
    fclose(file);
    assert_int_equal(store_create(&store, path, &diag), BL_USAGE);
    assert_null(store);
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
        cmocka_unit_test(test_what_goes_wrong_is_mended),
        cmocka_unit_test(test_a_substitute_after_an_undone_beginning),
        cmocka_unit_test(test_what_was_held),
        cmocka_unit_test(test_rounds_without_end),
        cmocka_unit_test(test_referees_limit_where_the_rules_let_them),
        cmocka_unit_test(test_many_mends),
        cmocka_unit_test(test_a_spoiled_session_is_repeated),
        cmocka_unit_test(test_2003_r48_a_session_held_again_by_another),
        cmocka_unit_test(test_2003_r48_a_person_is_one),
        cmocka_unit_test(test_2003_r48_his_own_substitute),
        cmocka_unit_test(test_2004_B2_a_judge_comes_back),
        cmocka_unit_test(test_1996_the_most_human_human_is_a_person),
        cmocka_unit_test(test_a_substitute_in_the_last_round),
        cmocka_unit_test(test_2009_3a_a_late_ballot),
        cmocka_unit_test(test_an_excluded_session),
        cmocka_unit_test(test_a_lost_seed),
        cmocka_unit_test(test_a_schedule_after_the_draw_is_drawn_anew),
        cmocka_unit_test(test_a_reschedule_keeps_what_has_begun),
        cmocka_unit_test(test_2003_r8_r43_r50_majorities),
        cmocka_unit_test(test_2003_r38_r43_r50_who_votes),
        cmocka_unit_test(test_2003_r42_further_session),
        cmocka_unit_test(test_2003_r50_conference_then_coin),
        cmocka_unit_test(test_2003_r50_other_disputes),
        cmocka_unit_test(test_2003_r50_r59_decisions_are_about_entries),
        cmocka_unit_test(test_2004_B2_counts_people),
        cmocka_unit_test(test_2009_3b_no_winner_while_ranks_are_missing),
        cmocka_unit_test(test_2009_ranks),
        cmocka_unit_test(test_2003_ratings),
        cmocka_unit_test(test_an_entry_that_comes_later),
        cmocka_unit_test(test_2003_r34_an_allotted_entry_leaves),
        cmocka_unit_test(test_damaged_acts),
        cmocka_unit_test(test_the_file_gives_the_same_contest),
        cmocka_unit_test(test_two_programs_at_once),
        cmocka_unit_test(test_a_reader_that_may_not_wait),
        cmocka_unit_test(test_a_changed_file_is_found),
        cmocka_unit_test(test_acts_that_vanish_under_a_program),
        cmocka_unit_test(test_files_that_are_no_contest),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
