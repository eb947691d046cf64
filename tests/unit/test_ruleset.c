/* Rulesets: those that come with the program, each line with its rule, and faults with their
 * places. Run from the top folder. */
#include <ctype.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/ruleset.h"
#include "session/plan.h"
#include "tests/support/random.h"

#define FOLDER "host/share/rulesets/"

/* Those that come with the program. */
#define NAMES_MAX 32
static char names[NAMES_MAX][48];
static size_t name_count;

static int is_ruleset(const struct dirent *at)
{
    size_t length = strlen(at->d_name);
    return length > 4 && strcmp(at->d_name + length - 4, ".ini") == 0;
}

static int find_names(void **state)
{
    struct dirent **found = NULL;
    int count = scandir(FOLDER, &found, is_ruleset, alphasort);
    (void)state;
    assert_in_range(count, 9, NAMES_MAX);
    for (; (int)name_count < count; name_count++) {
        int length = (int)strlen(found[name_count]->d_name) - 4;
        snprintf(names[name_count], sizeof names[0], "%.*s", length, found[name_count]->d_name);
        free(found[name_count]);
    }
    free(found);
    return 0;
}

static struct ruleset ruleset;
static char text[16384], head[16384]; /* head: the same, in one piece */

static void load(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, FOLDER "%s.ini", name);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(length > 0 && length < sizeof text - 1);
    text[length] = '\0';
    memcpy(head, text, length + 1);
}

static void parse(const char *name)
{
    struct bl_diag diag = {""};
    load(name);
    if (ruleset_parse(&ruleset, text, name, &diag))
        fail_msg("%s", diag.text);
}

static void test_all_are_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < name_count; i++) {
        struct plan plan;
        struct bl_diag diag = {""};
        parse(names[i]);
        assert_string_equal(ruleset.name, names[i]);
        if (ruleset.plan[0])
            assert_int_equal(plan_parse(&plan, ruleset.plan, &diag), BL_OK);
        assert_true(ruleset.notice[0] && ruleset.judge_says[0][0] && ruleset.entrant_says[0][0]);
    }
}

/* The name of a source that stands at the top of the file, as "; page: https://...", before a
 * colon, a comma, a blank or the end. */
static bool is_source(const char *at)
{
    size_t length = strcspn(at, ":, \n");
    for (const char *line = head; line && *line == ';'; line = strchr(line, '\n') + 1)
        if (strncmp(line + 2, at, length) == 0 && line[2 + length] == ':')
            return length > 0;
    return false;
}

/* "r17", "A8.2", "§3b" or "II ¶9" of the rules that these are; of others a source at the top of
 * their file, or "not said". */
static bool is_citation(const char *name, const char *at)
{
    if (strcmp(name, "loebner-2004") == 0)
        return ((*at == 'A' || *at == 'B') && isdigit((unsigned char)at[1])) ||
               strncmp(at, "introduction", 12) == 0;
    if (strcmp(name, "loebner-2009") == 0)
        return (strncmp(at, "§", 2) == 0 && at[2] >= '1' && at[2] <= '4') ||
               strncmp(at, "introduction", 12) == 0;
    if (strcmp(name, "longbet-2002") == 0)
        return strncmp(at, "I", 1) == 0 || strncmp(at, "introduction", 12) == 0;
    if (strcmp(name, "loebner-2003") == 0 || strcmp(name, "loebner-1996") == 0)
        return (*at == 'r' && isdigit((unsigned char)at[1])) ||
               (strcmp(name, "loebner-1996") == 0 &&
                (strncmp(at, "spec ", 5) == 0 || strncmp(at, "announcement", 12) == 0));
    return is_source(at) || strcmp(at, "not said") == 0 || strncmp(at, "not said:", 9) == 0;
}

static void test_every_line_cites_its_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < name_count; i++) {
        char section[32] = "";
        unsigned cited = 0;
        load(names[i]);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            const char *comment = strstr(line, " ; ");
            if (*line == '[')
                snprintf(section, sizeof section, "%s", line);
            if (*line == '[' || *line == ';' || strcmp(section, "[ruleset]") == 0)
                continue;
            if (comment && strcmp(section, "[checks]") == 0 && strcmp(comment, " ; -") == 0)
                continue;
            if (!comment || !is_citation(names[i], comment + 3))
                fail_msg("%s: '%s' cites no rule", names[i], line);
            cited++;
        }
        assert_true(cited > 20);
    }
}

static void test_what_they_say(void **state)
{
    (void)state;
    parse("loebner-2004");
    assert_int_equal(ruleset.ballot, BALLOT_POINTS);
    assert_int_equal(ruleset.printed.rounds, 7);
    assert_int_equal(ruleset.printed.count, 16);
    assert_string_equal(ruleset.opening, "Hello, my name is X and I am the human");
    parse("loebner-2009");
    assert_string_equal(ruleset.plan, "300 left,300 right,600 review,300 change");
    assert_string_equal(ruleset.starts, "judge");
    assert_int_equal(ruleset.printed.count, 16);
    for (unsigned year = 2010; year <= 2013; year++) {
        char name[16];
        snprintf(name, sizeof name, "loebner-%u", year);
        parse(name);
        assert_string_equal(ruleset.plan, "1500 both,600 review,300 change");
        assert_int_equal(ruleset.silver, SILVER_COLUMN_TWO);
    }
    parse("loebner-2003");
    assert_int_equal(ruleset.rating_most, 5);
    assert_int_equal(ruleset.awarded, 3);
    assert_string_equal(ruleset.plan, "");
    parse("longbet-2002");
    assert_int_equal(ruleset.trials_least, 3);
    assert_int_equal(ruleset.printed.count, 0);
}

/* The printed schedules keep the three wishes of their rules. */
static void test_printed_schedules(void **state)
{
    (void)state;
    static const char *const printed[] = {"loebner-2004", "loebner-2009"};
    for (size_t i = 0; i < 2; i++) {
        struct schedule_quality quality;
        parse(printed[i]);
        schedule_measure(&ruleset.printed, &quality);
        assert_int_equal(quality.booked_twice, 0);
        for (unsigned end = 0; end < 2; end++) {
            assert_int_equal(quality.judge_entry[end], 1);
            assert_int_equal(quality.judge_confederate[end], 1);
            assert_int_equal(quality.entry_confederate[end], 1);
        }
    }
}

/* The 2009 ruleset with one line replaced. */
static void expect_fault(const char *line, const char *by, const char *said)
{
    static char changed[sizeof text + 512];
    struct bl_diag diag = {""};
    load("loebner-2009");
    char *at = strstr(text, line);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, by, strchr(at, '\n'));
    assert_int_equal(ruleset_parse(&ruleset, changed, "r", &diag), BL_DATA);
    if (!strstr(diag.text, said))
        fail_msg("'%s' does not say '%s'", diag.text, said);
}

static void test_faults_are_named(void **state)
{
    (void)state;
    expect_fault("format = 1", "format = 2", "reads format 1");
    expect_fault("starts = ", "starts = either\nturns = strict", "expected starts = judge");
    expect_fault("starts = ", "starts = judge\nturn-seconds = 20", "expected turns = strict");
    expect_fault("starts = ", "starts = judge\nturns = polite", "expected free or strict");
    expect_fault("sealed = ", "sealed = contest\nreveal = session", "expected sealed = session");
    expect_fault("publication = ", "publication = x\n[survey]\nbefore-field1 = a: 0..9",
                 "[survey] before-field1: expected before-1");
    expect_fault("publication = ", "publication = x\n[survey]\nafter-1 = Hello\nafter-3 = you",
                 "[survey] after-3: after-2 before it is missing");
    expect_fault("publication = ",
                 "publication = x\n[survey]\nafter-1 = Hello\nafter-field1 = a: 0..9\n"
                 "after-field2 = a: b c",
                 "[survey] after-field2: 'a' is asked for twice");
    expect_fault("publication = ", "publication = x\n[survey]\nafter-1 = x\nafter-field1 = a: b",
                 "[survey] after-field1 = 'a: b': expected a field such as");
    expect_fault("starts = ", "message-most = 4001", "[session] message-most = '4001': expected");
    expect_fault("name = ", "colour = x",
                 "r:4: [ruleset] colour: no such field; boothlink-ruleset");
    expect_fault("field1 = human", "kind = best",
                 "[ballot] kind = 'best': expected points, human, scale");
    expect_fault("field1 = human", "field1 = human: up down", "missing one of");
    expect_fault("field1 = human", "kind = human\nfield2 = sure: yes no",
                 "field1 before it is missing");
    expect_fault("field1 = human", "field1 = human: left right\nfield2 = a: b",
                 "r: [ballot] field2 = 'a: b': expected a field such as");
    expect_fault("field1 = human", "kind = human\nfield1 = a: 0..9\nfield2 = a: b c",
                 "field2: 'a' is asked for twice");
    expect_fault("field1 = human", "kind = scale", "for [session] pairing = single");
    expect_fault("field1 = human", "kind = points",
                 "scoring = votes: does not count a ballot of 'points'");
    expect_fault("scoring = votes", "scoring = means", "does not count a ballot of 'human'");
    expect_fault("ranks = non", "ranks = candidates", "does not go with a ballot of 'human'");
    expect_fault("ties = ", "ties = points, dice", "'dice' is none of");
    expect_fault("starts = ", "starts = entity", "judge or either");
    expect_fault("judges-least = 1", "judges-least = many", "expected a number from 0 to 9999");
    expect_fault("1 = J1", "2 = J1E1C1", "expected round 1");
    expect_fault("2 = J4", "2 = J4E1C2 J4E3C1", "[rounds] 2: 'J4E3C1': somebody");
    expect_fault("pairing = pairs", "", "[session] pairing");
}

static void cites(const char *section, const char *key, int which, const char *expected)
{
    assert_string_equal(ruleset_rule(&ruleset, section, key, which).text, expected);
}

static void test_the_rule_of_a_line(void **state)
{
    (void)state;
    struct bl_diag diag;
    parse("loebner-2004");
    cites("result", "ties", RULE_ALL, "2004 B3, B4");
    cites("result", "ties", 0, "2004 B3");
    cites("result", "ties", 1, "2004 B4");
    cites("result", "ties", 2, "2004 B4");
    cites("prize", "silver", RULE_ALL, "2004 B2");
    assert_int_equal(ruleset.prize_silver, 25000);
    cites("result", "after-silver", RULE_ALL, "loebner-2004"); /* it says nothing of it */
    parse("longbet-2002");
    cites("result", "scoring", 1, "long bet II ¶14");
    /* A venue's own: its words, and where it cites nothing its name. */
    load("loebner-2004");
    memcpy(strstr(text, "name = loebner-2004"), "name = our-house...", 19);
    memcpy(strstr(text, "cite = 2004"), "cite = ours", 11);
    memcpy(strstr(text, "; B3, B4"), "; b-7   ", 8);
    memcpy(strstr(text, "; B2"), "    ", 4);
    assert_int_equal(ruleset_parse(&ruleset, text, "r", &diag), BL_OK);
    cites("result", "ties", 0, "ours b-7");
    cites("result", "silver", 0, "our-house...");
}

static void test_damaged_rulesets(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("damaged rulesets"));
    for (unsigned i = 0; i < 3000; i++) {
        struct bl_diag diag = {""};
        load(names[dice_below(&dice, name_count)]);
        for (uint64_t k = dice_below(&dice, 6); k; k--)
            text[dice_below(&dice, strlen(text))] = (char)(dice_next(&dice) | 1);
        if (ruleset_parse(&ruleset, text, "r", &diag))
            assert_memory_equal(diag.text, "r:", 2);
        else
            assert_true(ruleset.format == 1 && ruleset.name[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_rule_of_a_line),        cmocka_unit_test(test_all_are_taken),
        cmocka_unit_test(test_every_line_cites_its_rule), cmocka_unit_test(test_what_they_say),
        cmocka_unit_test(test_printed_schedules),         cmocka_unit_test(test_faults_are_named),
        cmocka_unit_test(test_damaged_rulesets),
    };
    return cmocka_run_group_tests(tests, find_names, NULL);
}
