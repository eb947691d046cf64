/* The register and what comes before the final round, out of their acts: who may take part and what
 * he must bring, the preliminary round, invitations and choices, the finalists; and the trials of
 * the long bet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/name.h"
#include "contest/bulk.h"
#include "contest/people.h"
#include "tests/support/acts.h"
#include "tests/support/random.h"

static void test_what_entrants_must_bring(void **state)
{
    (void)state;
    begin("loebner-2009");
    REFUSED("2009 §1", "person", "{\"role\":\"entry\",\"name\":\"E\",\"receipt\":true}");
    REFUSED("receipt", "person", "{\"role\":\"entry\",\"name\":\"E\",\"rights\":true}");
    REFUSED("guardian", "person",
            "{\"role\":\"entry\",\"name\":\"E\",\"rights\":true,\"receipt\":true,\"age\":17}");
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"E\",\"submitter\":\"A\",\"rights\":true,"
                    "\"receipt\":true,\"age\":17,\"guardian\":true}");
    REFUSED("missing --submitter NAME (2009 §1)", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"rights\":true,\"receipt\":true}");
    REFUSED("'age': expected", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"C\",\"rights\":true,"
            "\"receipt\":true,\"age\":\"17\"}");
    REFUSED("A has an Entry already", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"A\",\"rights\":true,"
            "\"receipt\":true}");
    /* All that is missing, at once, as the options by which it is given. */
    REFUSED("missing --submitter NAME (2009 §1), --guardian, a guardian's yes, for one so young "
            "(2009 §1), --rights "
            "(2009 §1), --receipt, or",
            "person", "{\"role\":\"entry\",\"name\":\"F\",\"age\":17}");
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"Ours\",\"own\":true}");
    assert_int_equal(contest_name_free(contest, CONTEST_ENTRY, 9, "oURS", &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "E2 is called 'Ours' already"));
    assert_int_equal(contest_name_free(contest, CONTEST_ENTRY, 1, "oURS", &diag), BL_OK);
    assert_int_equal(contest_name_free(contest, CONTEST_ENTRY, 9, "Theirs", &diag), BL_OK);
    assert_int_equal(contest_name_free(contest, CONTEST_JUDGE, 9, "Ours", &diag), BL_OK);
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

/* 2009 §1: to a reader there is one José Núñez, however his name is typed; an act that was accepted
 * when only capitals counted stays so. */
static void test_names_that_look_the_same(void **state)
{
    static const char *const same[] = {"JOS\xC3\x89 N\xC3\x9A\xC3\x91"
                                       "EZ", /* capitals */
                                       "Jose\xCC\x81 Nu\xCC\x81n\xCC\x83"
                                       "ez", /* NFD */
                                       "Jos\xC3\xA9  N\xC3\xBA\xC3\xB1"
                                       "ez",
                                       " Jos\xC3\xA9\xC2\xA0N\xC3\xBA\xC3\xB1"
                                       "ez\t",
                                       "Jos\xC3\xA9\xE2\x80\x8B N\xC3\xBA\xC3\xB1"
                                       "ez"};
    char body[300];
    (void)state;
    begin("loebner-2009");
    TAKEN("person", "{\"role\":\"judge\",\"name\":\"Jos\xC3\xA9 N\xC3\xBA\xC3\xB1"
                    "ez\"}");
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"\xC3\x89liza\",\"own\":true}");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        if (!strchr(same[i], '\t')) {
            snprintf(body, sizeof body, "{\"role\":\"confederate\",\"name\":\"%s\"}", same[i]);
            REFUSED("is judge 1 already", "person", "%s", body);
        }
        assert_true(name_equal(same[i], same[0]));
    }
    assert_int_equal(contest_name_free(contest, CONTEST_ENTRY, 9, "E\xCC\x81LIZA ", &diag),
                     BL_DATA);
    assert_false(name_equal("Ann Lee", "Annlee"));
    assert_false(name_equal("Jose", "Jos\xC3\xA9"));
    assert_true(name_equal("\xFF", "\xFF") && !name_equal("\xFF", "\xFE"));
    const struct act old = {.number = contest->acts + 1,
                            .at_us = 1,
                            .kind = "person",
                            .body = "{\"role\":\"confederate\",\"name\":\"Jose\xCC\x81  "
                                    "N\xC3\xBA\xC3\xB1"
                                    "ez\"}"};
    assert_int_equal(contest_replay(contest, &old, &diag), BL_OK);
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
    REFUSED("missing --received TIME of the appearance (2009 §1", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"D\",\"how\":\"installs\"," SENT);
    REFUSED("courier, installs or brings", "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"D\",\"how\":\"mail\"," SENT);
    REFUSED("missing --receipt, or --how installs or brings with --received TIME (2009 §1",
            "person",
            "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"D\",\"how\":\"courier\","
            "\"rights\":true}");
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"F\",\"submitter\":\"D\",\"how\":\"brings\","
                    "\"received_us\":1239098400000000,\"rights\":true}");
    REFUSED("'team': expected a list", "person",
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
              "\"received_us\":%u,\"comms\":\"comms\"," SENT,
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

/* 2003 r34: what was allotted to a judge is what he ranks. 2003 r40, long bet I: how many begin. */
static void test_2003_r34_allotments_and_r40_numbers(void **state)
{
    (void)state;
    begin("loebner-2003");
    people(4, 4, 1);
    TAKEN("person", "{\"role\":\"preliminary\",\"name\":\"Panel\"}");
    REFUSED("no preliminary judge 2", "allot", "{\"judge\":2,\"entries\":[1,3]}");
    REFUSED("11 Entries: a preliminary judge evaluates 1 to 10 (2003 r34)", "allot",
            "{\"judge\":1,\"entries\":[1,2,3,4,1,2,3,4,1,2,3]}");
    TAKEN("allot", "{\"judge\":1,\"entries\":[1,2]}");
    TAKEN("allot", "{\"judge\":1,\"entries\":[1,3]}"); /* before the list it may change */
    REFUSED("E2 is not allotted to preliminary judge 1 (2003 r34)", "list",
            "{\"judge\":1,\"entries\":[3,1,2]}");
    REFUSED("E3 is allotted to preliminary judge 1, and not in the list", "list",
            "{\"judge\":1,\"entries\":[1]}");
    TAKEN("list", "{\"judge\":1,\"entries\":[3,1]}");
    REFUSED("has given a list already", "allot", "{\"judge\":1,\"entries\":[1,2]}");
    assert_int_equal(contest_check_numbers(contest, &diag), BL_DATA);
    assert_string_equal(diag.text, "4 judges: at least 5 are needed (2003 r40)");
    TAKEN("person", "{\"role\":\"judge\",\"name\":\"The fifth\"}");
    assert_int_equal(contest_check_numbers(contest, &diag), BL_OK);
    TAKEN("withdraw", "{\"role\":\"judge\",\"number\":2,\"why\":\"ill\"}");
    assert_int_equal(contest_check_numbers(contest, &diag), BL_DATA);
    begin("longbet-2002");
    people(3, 1, 0);
    for (unsigned i = 0; i < 2; i++)
        TAKEN("person", "{\"role\":\"confederate\",\"name\":\"Foil %u\",\"unknown\":true}", i);
    assert_int_equal(contest_check_numbers(contest, &diag), BL_DATA);
    assert_string_equal(diag.text, "2 confederates: at least 3 are needed (long bet I, II ¶7)");
}

#define DAY_US INT64_C(86400000000)

/* Midnight of a day of a year, UTC. */
static int64_t day_us(const char *text)
{
    int64_t day = 0;
    assert_true(ruleset_day(text, &day));
    return day * DAY_US;
}

/* Acts from then on are of that day's noon. */
static void on(const char *day)
{
    acts_now_us = day_us(day) + INT64_C(43200000000);
}

#define ENTRY(more) "{\"role\":\"entry\",\"name\":\"E\",\"submitter\":\"%s\"," more SENT

/* 2004 A6, A8.1, A2: without its communications program no Entry is accepted, nor the organiser's
 * own; the file says which, and when. */
static void test_2004_A8_1_communications_programs(void **state)
{
    (void)state;
    struct selection selection;
    struct result_input input;
    char line[CONTEST_DELIVERED_LINE];
    on("2004-08-01");
    begin("loebner-2004");
    TAKEN("person", ENTRY("\"comms\":\"eliza-comms 1\","), "A");
    TAKEN("person", ENTRY(""), "B");
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"Open\",\"own\":true}");
    assert_true(contest_has_entry(contest, 0));
    assert_false(contest_has_entry(contest, 1) || contest_has_entry(contest, 2));
    assert_true(contest_tell_delivered(contest, 0, line));
    assert_string_equal(line, "communications program of 2004-08-01: eliza-comms 1");
    assert_true(contest_tell_delivered(contest, 1, line));
    assert_string_equal(line,
                        "not accepted: its communications program is missing (2004 A6, A8.1)");
    assert_int_equal(selected(&selection), SELECTION_ONLY_ONE);
    assert_int_equal(selection.stage[1], STAGE_OUT);
    contest_result_input(contest, &input);
    assert_true(input.withdrawn[1] && input.unaccepted[1] && !input.withdrawn[0]);
    TAKEN("person", "{\"role\":\"judge\",\"name\":\"J\"}");
    TAKEN("person", "{\"role\":\"confederate\",\"name\":\"C\"}");
    REFUSED("entry 2 is withdrawn, not accepted, or not in the final round", "schedule",
            "{\"rounds\":[[[1,2,1]]]}");
    on("2004-08-30");
    REFUSED("there is no Entry 4", "deliver", "{\"entry\":4,\"what\":\"x\"}");
    REFUSED("'what'", "deliver", "{\"entry\":2,\"comms\":true}");
    TAKEN("deliver", "{\"entry\":2,\"what\":\"b-comms\",\"comms\":true}");
    assert_true(contest_tell_delivered(contest, 1, line));
    assert_string_equal(line, "communications program of 2004-08-30: b-comms");
    assert_int_equal(selected(&selection), SELECTION_FINAL);
    TAKEN("schedule", "{\"rounds\":[[[1,2,1]]]}");
    begin("loebner-1996");
    TAKEN("person", ENTRY(""), "A");
    REFUSED("ask for no communications program", "deliver",
            "{\"entry\":1,\"what\":\"x\",\"comms\":true}");
}

/* 2003 r11, r23, r24, r39; 1996 r3, r13; 2009 §1: what comes after its day is refused with the
 * rule, unless it says why: then it is marked late. */
static void test_2003_r11_r23_r24_r39_days(void **state)
{
    (void)state;
    char line[CONTEST_DELIVERED_LINE];
    on("2003-03-31");
    begin("loebner-2003");
    REFUSED("early: they are taken from 2003-04-01 (2003 r11)", "person", ENTRY(""), "A");
    TAKEN("person", "{\"role\":\"judge\",\"name\":\"J\"}"); /* a person has no such day */
    on("2003-04-01");
    TAKEN("person", ENTRY(""), "A");
    on("2003-06-30");
    TAKEN("person", ENTRY(""), "B");
    on("2003-07-01");
    REFUSED("the Entry is late: the last day was 2003-06-30 (2003 r11); --why", "person", ENTRY(""),
            "C");
    acts_now_us = day_us("2003-07-01"); /* the first moment that is too late, and the one before */
    REFUSED("(2003 r11)", "person", ENTRY(""), "C");
    TAKEN("person", ENTRY("\"received_us\":1057017599999999,"), "C");
    assert_false(contest->person[CONTEST_ENTRY][2].late);
    TAKEN("person", "{\"role\":\"entry\",\"name\":\"Open\",\"own\":true}"); /* r13 */
    TAKEN("person", ENTRY("\"why\":\"the post was late\","), "D");
    assert_true(contest->person[CONTEST_ENTRY][4].late);
    on("2003-08-16");
    REFUSED("notification is late: the last day was 2003-08-15 (2003 r39)", "final",
            "{\"entries\":[1,2,3,4,5]}");
    TAKEN("final", "{\"entries\":[1,2,3,4,5],\"why\":\"a tie was hard to settle\"}");
    on("2003-09-15");
    TAKEN("deliver", "{\"entry\":1,\"what\":\"one 1.0\"}");
    on("2003-09-16");
    REFUSED("the Entry is late: the last day was 2003-09-15 (2003 r23)", "deliver",
            "{\"entry\":2,\"what\":\"two\"}");
    TAKEN("deliver", "{\"entry\":2,\"what\":\"two\",\"received_us\":1063583999000000}");
    TAKEN("deliver", "{\"entry\":3,\"what\":\"three\",\"why\":\"its disk broke\"}");
    on("2003-10-10");
    TAKEN("deliver", "{\"entry\":1,\"what\":\"one 1.1\"}");
    on("2003-10-11");
    REFUSED("the update is late: the last day was 2003-10-10 (2003 r24, r26)", "deliver",
            "{\"entry\":1,\"what\":\"one 1.2\"}");
    assert_true(contest_tell_delivered(contest, 0, line));
    assert_string_equal(line, "program of 2003-10-10: one 1.1");
    assert_true(contest_tell_delivered(contest, 2, line));
    assert_string_equal(line, "program of 2003-09-16: three; late");
    TAKEN("schedule", "{\"rounds\":[[[1,1]]]}");
    REFUSED("E5 was not received in a working state, which was to be by 2003-09-15 (2003 r23)",
            "begin", "{\"round\":1}");
    TAKEN("lose", "{\"entry\":5,\"why\":\"not there (r16)\"}");
    TAKEN("final", "{\"entries\":[1,2,3,4]}"); /* which has no day of its own any more */
    on(contest->date[DATE_HELD]);
    TAKEN("begin", "{\"round\":1}");
    assert_false(contest_tell_other_day(contest, line));
    REFUSED("the final round has begun; --why", "deliver", "{\"entry\":1,\"what\":\"one 1.2\"}");
}

static void test_1996_r3_r13_and_2009_1_days(void **state)
{
    (void)state;
    on("1996-03-16");
    begin("loebner-1996");
    REFUSED("the last day was 1996-03-15 (1996 r3)", "person", ENTRY(""), "A");
    for (unsigned i = 0; i < 2; i++)
        TAKEN("person", ENTRY("\"received_us\":825000000000000,"), "A");
    on("1996-04-03");
    REFUSED("the last day was 1996-04-02 (1996 r13)", "final", "{\"entries\":[1,2]}");
    on("2009-04-06");
    begin("loebner-2009");
    TAKEN("person", ENTRY(""), "A");
    REFUSED("who brings one comes after 2009-04-06 (2009 §1)", "person",
            ENTRY("\"how\":\"brings\",\"received_us\":1239019200000000,"), "B");
    REFUSED("who brings one comes before 2009-05-04 (2009 §1)", "person",
            ENTRY("\"how\":\"installs\",\"received_us\":1241395200000000,"), "B");
    REFUSED("scheduled late: that was to be before 2009-04-06 (2009 §1, options B and C)", "person",
            ENTRY("\"how\":\"installs\",\"received_us\":1241395199000000,"), "B");
    on("2009-04-05");
    TAKEN("person", ENTRY("\"how\":\"installs\",\"received_us\":1241395199000000,"), "B");
    on("2009-04-06");
    TAKEN("person", ENTRY("\"how\":\"brings\",\"received_us\":1241395199000000,\"why\":\"x\","),
          "D");
    assert_false(contest->person[CONTEST_ENTRY][1].late);
    assert_true(contest->person[CONTEST_ENTRY][2].late);
    on("2009-05-05");
    REFUSED("the last day was 2009-05-04 (2009 §1)", "person", ENTRY(""), "C");
    on("2009-06-02");
    REFUSED("the last day was 2009-06-01 (2009 §1)", "final", "{\"entries\":[1,2]}");
}

/* The same rules once more, by comparing the texts of days: a second look that shares no code with
 * the first. `day` of the C library. */
static void day_of(int64_t us, char out[11])
{
    time_t seconds = (time_t)(us / 1000000);
    struct tm tm;
    assert_non_null(gmtime_r(&seconds, &tm));
    strftime(out, 11, "%Y-%m-%d", &tm);
}

static char days[RULESET_DATES][RULESET_DATE_MAX]; /* that count, by the second look */

static bool is_before(const char *a, const char *b)
{
    return a[0] && b[0] && strcmp(a, b) < 0;
}

/* Days of the rules count if one of them had not passed yet when the contest was begun. */
static void take_days(const char *begun)
{
    bool lapsed = true, any = false;
    for (unsigned d = 0; d < RULESET_DATES; d++) {
        strcpy(days[d], contest->ruleset.date[d]);
        if (d == DATE_MOVED_FROM || d == DATE_MOVED_TO || !days[d][0])
            continue;
        any = true;
        lapsed = lapsed && is_before(days[d], begun);
    }
    if (any && lapsed)
        memset(days, 0, sizeof days);
}

/* Somewhere about one of the days, often on it or beside it. */
static int64_t time_near(struct dice *dice)
{
    unsigned d = (unsigned)dice_below(dice, RULESET_DATES);
    int64_t at = contest->ruleset.date[d][0] ? day_us(contest->ruleset.date[d]) : acts_now_us;
    if (dice_below(dice, 2))
        return at + (int64_t)dice_below(dice, 3) * DAY_US - DAY_US +
               (dice_below(dice, 2) ? DAY_US - 1 : 0);
    return at + ((int64_t)dice_below(dice, 120) - 60) * DAY_US / 3;
}

/* 2009 §1: "NO changes to the date and venue will be made after 1 May 2009". */
static void test_2009_1_venue(void **state)
{
    (void)state;
    acts_now_us = day_us("2009-04-07");
    begin("loebner-2009");
    TAKEN("dates", "{\"venue\":\"Brighton\"}");
    TAKEN("dates", "{\"venue\":\"London\"}");
    acts_now_us = day_us("2009-05-01") + DAY_US - 1;
    TAKEN("dates", "{\"venue\":\"Brighton\"}");
    acts_now_us++;
    REFUSED("the venue of the contest is not changed after 2009-05-01 (2009 §1)", "dates",
            "{\"venue\":\"London\"}");
    assert_string_equal(contest->venue, "Brighton");
    TAKEN("dates", "{\"venue\":\"London\",\"why\":\"a fire\"}");
    begin("loebner-2009"); /* said late, not changed */
    TAKEN("dates", "{\"venue\":\"Brighton\"}");
    assert_string_equal(contest->venue, "Brighton");
}

static void set_random_day(struct dice *dice, const char *now)
{
    unsigned d = (unsigned)dice_below(dice, RULESET_DATES);
    static const unsigned order[][2] = {{DATE_OPENS, DATE_CLOSES},    {DATE_CLOSES, DATE_HELD},
                                        {DATE_NOTIFIED, DATE_HELD},   {DATE_WORKING, DATE_HELD},
                                        {DATE_WORKING, DATE_UPDATED}, {DATE_UPDATED, DATE_HELD}};
    char day[11], kept[sizeof days];
    bool why = dice_below(dice, 3) == 0, good = true;
    day_of(time_near(dice), day);
    memcpy(kept, days, sizeof days);
    if (d == DATE_HELD && days[d][0] && !why && /* the first that is said moves nothing */
        (is_before(days[DATE_SETTLED], now) || is_before(day, days[DATE_MOVED_FROM]) ||
         is_before(days[DATE_MOVED_TO], day)))
        good = false;
    strcpy(days[d], day);
    for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
        good = good && !is_before(days[order[i][1]], days[order[i][0]]);
    if (!good)
        memcpy(days, kept, sizeof days);
    assert_int_equal(apply("dates", "{\"%s\":\"%s\"%s}", ruleset_date_name((enum ruleset_date)d),
                           day, why ? ",\"why\":\"x\"" : "") == BL_OK,
                     good);
}

static void add_random_entry(struct dice *dice, const char *now, unsigned name)
{
    static const char *const hows[] = {"courier", "installs", "brings"};
    unsigned how = (unsigned)dice_below(dice, 3), there = contest->people[CONTEST_ENTRY];
    bool stamped = how > 0 || dice_below(dice, 2), why = dice_below(dice, 4) == 0;
    bool own = dice_below(dice, 8) == 0;
    int64_t received = time_near(dice);
    char stamp[64] = "", day[11];
    strcpy(day, now);
    if (stamped) {
        snprintf(stamp, sizeof stamp, "\"received_us\":%lld,", (long long)received);
        day_of(received, day);
    }
    bool late = how ? is_before(day, days[DATE_OPENS]) || strcmp(day, days[DATE_OPENS]) == 0 ||
                          is_before(days[DATE_CLOSES], day) ||
                          strcmp(day, days[DATE_CLOSES]) == 0 ||
                          (days[DATE_SCHEDULED][0] && strcmp(now, days[DATE_SCHEDULED]) >= 0)
                    : is_before(day, days[DATE_OPENS]) || is_before(days[DATE_CLOSES], day);
    bool taken =
        apply("person",
              "{\"role\":\"entry\",\"name\":\"N%u\",\"submitter\":\"S%u\",\"how\":\"%s\",%s"
              "%s%s\"rights\":true,\"receipt\":true}",
              name, name, hows[how], stamp, why ? "\"why\":\"x\"," : "",
              own ? "\"own\":true," : "") == BL_OK;
    if (taken != (own || why || !late))
        fail_msg("seen %s, how %s, opens %s, closes %s: %s", day, hows[how], days[DATE_OPENS],
                 days[DATE_CLOSES], taken ? "taken" : diag.text);
    if (taken)
        assert_int_equal(contest->person[CONTEST_ENTRY][there].late, late && !own);
}

static void deliver_at_random(struct dice *dice)
{
    unsigned who = (unsigned)dice_below(dice, contest->people[CONTEST_ENTRY]);
    bool why = dice_below(dice, 4) == 0, first = !contest->person[CONTEST_ENTRY][who].delivered[0];
    int64_t received = time_near(dice);
    char day[11];
    day_of(received, day);
    bool late = is_before(days[first ? DATE_WORKING : DATE_UPDATED], day);
    assert_int_equal(apply("deliver", "{\"entry\":%u,\"what\":\"v\",\"received_us\":%lld%s}",
                           who + 1, (long long)received, why ? ",\"why\":\"x\"" : "") == BL_OK,
                     why || !late);
}

static void test_random_days(void **state)
{
    (void)state;
    static const char *const rules[] = {"loebner-1996", "loebner-2003", "loebner-2009"};
    struct dice dice = dice_make(dice_seed("days"));
    unsigned lapsed = 0;
    for (unsigned i = 0; i < 1000; i++) {
        char now[11];
        begin(rules[i % 3]); /* for time_near */
        acts_now_us = time_near(&dice) + (dice_below(&dice, 8) == 0 ? 400 * DAY_US : 0);
        begin(rules[i % 3]);
        day_of(acts_now_us, now);
        take_days(now);
        lapsed += contest->dates_lapsed;
        for (unsigned k = 0; k < 6; k++) {
            if (dice_below(&dice, 3) == 0)
                acts_now_us += (int64_t)dice_below(&dice, 30) * DAY_US / 2;
            day_of(acts_now_us, now);
            if (dice_below(&dice, 2))
                set_random_day(&dice, now);
            add_random_entry(&dice, now, k);
            if (contest->people[CONTEST_ENTRY])
                deliver_at_random(&dice);
        }
        for (unsigned d = 0; d < RULESET_DATES; d++)
            assert_string_equal(contest->date[d], days[d]);
    }
    assert_in_range(lapsed, 50, 950);
}

/* Each day from 1970 to 2099 is read as it is written, and follows the one before. */
static void test_days_of_the_calendar(void **state)
{
    (void)state;
    char text[RULESET_DATE_MAX];
    int64_t read;
    for (int64_t day = 0; day < 47482; day++) {
        ruleset_day_text(day * INT64_C(86400000000) + 86399999999, text);
        assert_true(ruleset_day(text, &read));
        assert_int_equal(read, day);
    }
    assert_string_equal(text, "2099-12-31");
    static const char *const none[] = {"",           "2003-6-30",  "2003-06-31", "2003-02-29",
                                       "2003-13-01", "2003-00-01", "1969-12-31", "2003-06-30 ",
                                       "x003-06-30", "+003-06-30", "2003/06/30"};
    for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_false(ruleset_day(none[i], &read));
}

/* Times of people are of days that there are. */
static void test_times_of_people(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t us; /* -1: it is none */
    } of[] = {
        {"2009-04-07", INT64_C(1239062400000000)},
        {"2009-04-07T10:05", INT64_C(1239098700000000)},
        {"2008-02-29T23:59", INT64_C(1204329540000000)},
        {"2009-02-29", -1},
        {"2009-02-31", -1},
        {"2009-04-31T10:00", -1},
        {"2009-04-07T24:00", -1},
        {"2009-04-07 10:00", -1},
        {"2009-04-07T10", -1},
        {"2009-04", -1},
        {"", -1},
    };
    for (unsigned i = 0; i < sizeof of / sizeof of[0]; i++) {
        int64_t us = -1;
        if (people_time(of[i].text, &us) != (of[i].us >= 0) || (of[i].us >= 0 && us != of[i].us))
            fail_msg("'%s' is %lld", of[i].text, (long long)us);
    }
}

/* What is no UTF-8 cannot be recorded, and nothing is left out for it. */
static void test_texts_that_are_not_utf8(void **state)
{
    (void)state;
    static struct people_person person = {.name = "Judge"};
    struct act_body act;
    struct act_batch acts = {0};
    json_t *data;
    static const char *const names[] = {"M\xfcller", "Ann, M\xfcller", "\xc3"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(people_check_names("--team", names[i], &diag), BL_DATA);
        assert_string_equal(diag.text, "--team: expected names in UTF-8");
        strcpy(person.family, names[i]);
        assert_int_equal(people_act(&person, CONTEST_JUDGE, &act, &diag), BL_DATA);
        assert_string_equal(diag.text, "--family: expected names in UTF-8");
    }
    assert_int_equal(people_check_names("--team", " Ann,  M\xc3\xbcller", &diag), BL_OK);
    assert_int_equal(people_check_names("--team", NULL, &diag), BL_OK);

    begin("loebner-2004");
    people(0, 2, 0);
    data = json_pack("{s:[i]}", "invited", 1);
    assert_int_equal(bulk_acts(contest, data, "f\xfcr", false, &acts, &diag), BL_DATA);
    assert_string_equal(diag.text, "the texts must be UTF-8");
    act_batch_free(&acts);
    json_decref(data);
}

/* A venue sets its own days; those of the rules count for nobody who begins after them all. */
static void test_days_of_a_venue(void **state)
{
    (void)state;
    char line[CONTEST_DATE_LINE];
    on("2026-05-01");
    begin("loebner-2003");
    assert_true(contest->dates_lapsed);
    assert_true(contest_tell_date(contest, DATE_CLOSES, line));
    assert_string_equal(line,
                        "closes not set (2003 r11); the rules say 2003-06-30, which had passed "
                        "when the contest was begun");
    TAKEN("person", ENTRY(""), "A");
    REFUSED("expected a day such as 2003-06-30", "dates", "{\"closes\":\"2026-02-29\"}");
    REFUSED("expected a day such as 2003-06-30", "dates", "{\"closes\":\"2026-6-1\"}");
    REFUSED("missing a day", "dates", "{}");
    REFUSED("closes = 2026-07-01 is after held = 2026-06-30", "dates",
            "{\"closes\":\"2026-07-01\",\"held\":\"2026-06-30\"}");
    TAKEN("dates", "{\"closes\":\"2026-04-30\",\"held\":\"2026-06-30\"}");
    assert_true(contest_tell_date(contest, DATE_CLOSES, line));
    assert_string_equal(line, "closes 2026-04-30 (2003 r11); the rules say 2003-06-30");
    REFUSED("the last day was 2026-04-30 (2003 r11)", "person", ENTRY(""), "B");
    TAKEN("dates", "{\"closes\":\"2026-05-01\"}");
    TAKEN("person", ENTRY(""), "B");
    on("2009-05-01");
    begin("loebner-2009");
    assert_false(contest->dates_lapsed);
    REFUSED("moved to one from 2009-10-04 to 2009-11-01 (2009 §1)", "dates",
            "{\"held\":\"2009-10-03\"}");
    TAKEN("dates", "{\"held\":\"2009-10-04\"}");
    on("2009-05-02");
    REFUSED("not changed after 2009-05-01 (2009 §1)", "dates", "{\"held\":\"2009-10-11\"}");
    TAKEN("dates", "{\"held\":\"2009-10-11\",\"why\":\"the hall has burnt down\"}");
    on("2026-05-01");
    begin("longbet-2002"); /* has none */
    assert_false(contest->dates_lapsed || contest_tell_date(contest, DATE_HELD, line));
}

/* 2004 A3: the names are approved before the contest. */
static void test_2004_A3_approved_names(void **state)
{
    (void)state;
    begin("loebner-2004");
    people(1, 1, 1);
    REFUSED("no judge (2004 A3)", "approve", "{\"role\":\"judge\",\"number\":1,\"name\":\"Ann\"}");
    REFUSED("there is no entry 2", "approve", "{\"role\":\"entry\",\"number\":2,\"name\":\"Ann\"}");
    TAKEN("approve", "{\"role\":\"confederate\",\"number\":1,\"name\":\"Ann\"}");
    TAKEN("approve", "{\"role\":\"entry\",\"number\":1,\"name\":\"Bob\"}");
    assert_string_equal(contest->person[CONTEST_CONFEDERATE][0].approved, "Ann");
    contest->begun = 1;
    REFUSED("before the contest begins (2004 A3)", "approve",
            "{\"role\":\"entry\",\"number\":1,\"name\":\"Rob\"}");
    begin("loebner-2009");
    people(1, 1, 1);
    REFUSED("no opening words", "approve", "{\"role\":\"entry\",\"number\":1,\"name\":\"Bob\"}");
}

/* 2004 A9, A10, and A8.4, whose lists are scores. */
static void test_2004_A10_invitation_and_scores_in_acts(void **state)
{
    (void)state;
    struct selection selection;
    begin("loebner-2004");
    entrants(34);
    TAKEN("invite", "{\"entry\":34,\"why\":\"outstanding merit\"}");
    REFUSED("'why': expected", "invite", "{\"entry\":33}");
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
        if (t < 2) /* its rounds are not scheduled yet */
            REFUSED(" has no session with these two, or not yet", "ballot",
                    "{\"judge\":1,\"candidate\":1,\"human\":true,\"trial\":%u}", t + 2);
        if (t < 2)
            REFUSED("no round is scheduled yet", "substitute",
                    "{\"role\":\"judge\",\"number\":1,\"name\":\"Bob\",\"why\":\"ill\"}");
    }
    /* A correction to an earlier trial says which. */
    for (unsigned j = 1; j <= 2; j++)
        TAKEN("ballot",
              "{\"judge\":%u,\"candidate\":1,\"human\":true,\"trial\":2,\"correction\":true}", j);
    REFUSED("'trial': expected", "ballot",
            "{\"judge\":1,\"candidate\":1,\"human\":true,\"trial\":4,\"correction\":true}");
    contest_result_input(contest, &input);
    result_make(&result, &input, NULL, NULL);
    assert_int_equal(result.outcome, RESULT_PASSED);
    TAKEN("seal", "{}");
    REFUSED("sealed", "trial", "{}");
    begin("loebner-2003");
    REFUSED("no trials", "trial", "{}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_entrants_must_bring),
        cmocka_unit_test(test_names_that_look_the_same),
        cmocka_unit_test(test_2009_1_teams_and_how_it_was_submitted),
        cmocka_unit_test(test_2003_r10_r41_r52_interests),
        cmocka_unit_test(test_the_organisers_own_entries),
        cmocka_unit_test(test_long_bet_II_7_foils_unknown),
        cmocka_unit_test(test_2003_r34_r36_the_preliminary_round_in_acts),
        cmocka_unit_test(test_2003_r34_allotments_and_r40_numbers),
        cmocka_unit_test(test_2004_A8_1_communications_programs),
        cmocka_unit_test(test_2003_r11_r23_r24_r39_days),
        cmocka_unit_test(test_1996_r3_r13_and_2009_1_days),
        cmocka_unit_test(test_random_days),
        cmocka_unit_test(test_days_of_the_calendar),
        cmocka_unit_test(test_times_of_people),
        cmocka_unit_test(test_texts_that_are_not_utf8),
        cmocka_unit_test(test_days_of_a_venue),
        cmocka_unit_test(test_2004_A3_approved_names),
        cmocka_unit_test(test_2004_A10_invitation_and_scores_in_acts),
        cmocka_unit_test(test_2009_1_venue),
        cmocka_unit_test(test_long_bet_II_4_three_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
