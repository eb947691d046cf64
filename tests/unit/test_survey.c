/* Surveys: whose first session and last a ticket brings, also where another has taken a person's
 * place; answers as acts, refused by their fault, and as rows of the table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contest/data.h"
#include "contest/survey.h"
#include "rules/rulesets.h"
#include "tests/support/drawn.h"
#include "tests/support/scratch.h"

static char folder[SCRATCH_MAX];
static struct store *store;
static struct contest *contest;
static struct bl_diag diag;

static int begin(void **state)
{
    static const char lines[] = "[survey]\nbefore-1 = Hello\nbefore-field1 = age: 18..99\n"
                                "before-field2 = agree: yes no required\nafter-1 = Thank you\n";
    char rules[16384], path[SCRATCH_MAX + 32];
    (void)state;
    if (scratch_begin(folder, "survey"))
        return 1;
    for (const struct built_text *at = ruleset_texts; at->name; at++)
        if (strcmp(at->name, "class") == 0)
            snprintf(rules, sizeof rules, "%s%s", at->text, lines);
    snprintf(path, sizeof path, "%s/contest.db", folder);
    contest = contest_create();
    if (!contest || store_create(&store, path, &diag) != BL_OK)
        return 1;
    drawn_hold(store, contest, rules, 1);
    return 0;
}

static int end(void **state)
{
    (void)state;
    store_close(store);
    contest_destroy(contest);
    return scratch_end(folder);
}

/* The one who is due in the only meeting; "" nobody. */
static const char *due(enum contest_role role, enum ruleset_survey_page page)
{
    static char whose[TICKET_SURVEY_MAX];
    survey_due(contest, role, 0, &contest->schedule.meeting[0], page, whose);
    return whose;
}

static void answer(const char *body)
{
    drawn_append(store, contest, "survey", json_loads(body, 0, NULL));
}

static void refused(const char *body, const char *why)
{
    struct act act = {.number = contest->acts + 1,
                      .author = "test",
                      .at_us = DRAWN_US,
                      .kind = "survey",
                      .body = body};
    unsigned before = contest->surveys;
    assert_int_equal(contest_apply(contest, &act, &diag), BL_DATA);
    if (!strstr(diag.text, why))
        fail_msg("'%s' does not say '%s'", diag.text, why);
    assert_int_equal(contest->surveys, before);
}

static void test_whose_it_is(void **state)
{
    (void)state;
    assert_string_equal(due(CONTEST_JUDGE, SURVEY_BEFORE), "j1");
    assert_string_equal(due(CONTEST_JUDGE, SURVEY_AFTER), "j1");
    assert_string_equal(due(CONTEST_CONFEDERATE, SURVEY_BEFORE), "c1");
    contest->ruleset.survey[SURVEY_AFTER].line[0][0] = '\0';
    assert_string_equal(due(CONTEST_JUDGE, SURVEY_AFTER), "");
}

static void substitute(void)
{
    drawn_append(store, contest, "substitute",
                 json_loads("{\"role\":\"judge\",\"number\":1,\"name\":\"Berta\",\"why\":\"ill\","
                            "\"round\":1}",
                            0, NULL));
}

/* Another judge takes the place: a survey of her own. */
static void test_a_substitute(void **state)
{
    (void)state;
    substitute();
    assert_string_equal(due(CONTEST_JUDGE, SURVEY_BEFORE), "j1-2");
    assert_string_equal(due(CONTEST_JUDGE, SURVEY_AFTER), "j1-2");
    assert_string_equal(due(CONTEST_CONFEDERATE, SURVEY_BEFORE), "c1");
}

#define J1 "{\"role\":\"judge\",\"number\":1,\"sitter\":1,"

static void test_answers(void **state)
{
    (void)state;
    refused(J1 "\"page\":\"during\",\"fields\":{\"agree\":\"yes\"}}", "expected before or after");
    refused(J1 "\"page\":\"before\",\"fields\":{\"agree\":\"perhaps\"}}", "agree: expected");
    refused(J1 "\"page\":\"before\",\"fields\":{\"age\":30}}", "agree");
    refused(J1 "\"page\":\"before\"}", "agree");
    refused(J1 "\"page\":\"after\",\"fields\":{\"agree\":\"yes\"}}", "'agree'");
    refused(J1 "\"page\":\"before\",\"fields\":{\"agree\":\"yes\"},\"correction\":true}",
            "no answers to correct");
    refused("{\"role\":\"judge\",\"number\":1,\"sitter\":2,\"page\":\"after\"}", "place yet");
    refused("{\"role\":\"judge\",\"number\":2,\"sitter\":1,\"page\":\"after\"}", "judge");
    refused("{\"role\":\"entry\",\"number\":1,\"sitter\":1,\"page\":\"after\"}",
            "of judges and confederates");
    answer(J1 "\"page\":\"before\",\"fields\":{\"agree\":\"yes\"}}");
    answer(J1 "\"page\":\"after\"}");
    refused(J1 "\"page\":\"before\",\"fields\":{\"agree\":\"no\"}}", "answered already");
    answer(J1 "\"page\":\"before\",\"fields\":{\"agree\":\"no\",\"age\":30},\"correction\":true}");
    assert_int_equal(contest->surveys, 2);
}

static char rows[1024];

static enum bl_status take_row(void *ctx, enum data_table table, json_t *values)
{
    (void)ctx;
    assert_int_equal(table, DATA_ANSWERS);
    for (size_t i = 0; i < 5; i++) {
        const json_t *value = json_array_get(values, i);
        char number[24] = "";
        if (json_is_integer(value))
            snprintf(number, sizeof number, "%d", (int)json_integer_value(value));
        const char *text = json_is_string(value) ? json_string_value(value) : number;
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%s%s", text, i < 4 ? "," : ";");
    }
    json_decref(values);
    return BL_OK;
}

/* The person who left the place keeps her answers under her own id. */
static void test_rows(void **state)
{
    struct data_given given[32] = {{0}};
    char notes[] = "none";
    const struct data_out out = {take_row, NULL};
    (void)state;
    answer(J1 "\"page\":\"before\",\"fields\":{\"agree\":\"no\",\"age\":30}}");
    given[contest->acts - 1].fields = json_pack("{s:s,s:i}", "agree", "no", "age", 30);
    substitute();
    answer("{\"role\":\"judge\",\"number\":1,\"sitter\":2,\"page\":\"after\"}");
    answer("{\"role\":\"confederate\",\"number\":1,\"sitter\":1,\"page\":\"after\","
           "\"notes\":\"none\"}");
    given[contest->acts - 1].notes = notes;
    rows[0] = '\0';
    assert_int_equal(data_answers(contest, given, &out), BL_OK);
    assert_string_equal(rows, "J1.1,before,age,30,30;J1.1,before,agree,no,;J1,after,,,;"
                              "C1,after,notes,none,;");
    for (unsigned i = 0; i < 32; i++)
        json_decref(given[i].fields);
    assert_int_equal(data_tables(contest), DATA_TABLES);
    contest->ruleset.survey[SURVEY_BEFORE].line[0][0] = '\0';
    contest->ruleset.survey[SURVEY_AFTER].line[0][0] = '\0';
    assert_int_equal(data_tables(contest), DATA_ANSWERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whose_it_is, begin, end),
        cmocka_unit_test_setup_teardown(test_a_substitute, begin, end),
        cmocka_unit_test_setup_teardown(test_answers, begin, end),
        cmocka_unit_test_setup_teardown(test_rows, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
