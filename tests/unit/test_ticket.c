/* Session tickets: what is taken, and that what is wrong is named with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/ticket.h"
#include "tests/support/random.h"

static const char judge[] = "; round 2\n"
                            "[ticket]\nformat = 1\nrole = judge ; or entity\nsession = r2-j3\n"
                            "round = 2\n"
                            "[line.left]\nport = serial:/dev/ttyUSB0@115200\nkey = left.key\n"
                            "[referee]\nkey = referee.key.pub\n"
                            "[controller]\nport = serial:/dev/ttyACM0\n"
                            "[rules]\nplan = 300 left,300 right\nstarts = either\n"
                            "[page]\nstyle = split columns=38\n";
#define ENTITY "[ticket]\nformat=1\nrole=entity\nsession=r2\n[line]\nport=serial:a\n[entity]\n"

static void test_fields(void **state)
{
    (void)state;
    struct ticket ticket;
    struct bl_diag diag = {""};
    assert_int_equal(ticket_parse(&ticket, judge, "t", &diag), BL_OK);
    assert_string_equal(ticket.role, "judge");
    assert_string_equal(ticket.session, "r2-j3");
    assert_int_equal(ticket.round, 2);
    assert_string_equal(ticket.left, "serial:/dev/ttyUSB0@115200");
    assert_string_equal(ticket.right, "");
    assert_string_equal(ticket.left_key_file, "left.key");
    assert_string_equal(ticket.right_key_file, "");
    assert_string_equal(ticket.referee, "referee.key.pub");
    assert_string_equal(ticket.controller, "serial:/dev/ttyACM0");
    assert_string_equal(ticket.plan, "300 left,300 right");
    assert_string_equal(ticket.style, "split columns=38");
    assert_int_equal(ticket_parse(&ticket, ENTITY "program = ./a -b", "t", &diag), BL_OK);
    assert_string_equal(ticket.program, "./a -b");
    assert_string_equal(ticket.line_insecure, "");
    assert_int_equal(
        ticket_parse(&ticket, ENTITY "program = a\n[line]\ninsecure = yes\n", "t", &diag), BL_OK);
    assert_string_equal(ticket.line_insecure, "yes");
}

static void expect_fault(const char *text, const char *said)
{
    struct ticket ticket;
    struct bl_diag diag = {""};
    assert_int_equal(ticket_parse(&ticket, text, "t", &diag), BL_DATA);
    if (!strstr(diag.text, said))
        fail_msg("'%s' does not say '%s'", diag.text, said);
}

static void test_faults_are_named(void **state)
{
    (void)state;
    expect_fault("", "format");
    expect_fault("[ticket]\nformat = 2\n", "reads format 1");
    expect_fault("[ticket]\nformat = x\n", "t:2: [ticket] format = 'x'");
    expect_fault("[ticket]\nformat = 1\nrole = judge\nsession = a\n", "port is missing");
    /* It comes by stick, and names the records of its session. */
    expect_fault("[ticket]\nformat = 1\nrole = judge\nsession = ../../x\n",
                 "session = ../../x: expected");
    expect_fault("[ticket]\nformat = 1\nrole = judge\nsession = .x\n", "session = .x: expected");
    expect_fault("[ticket]\nformat = 1\nrole = judge\nsession = a/b\n", "session = a/b: expected");
    expect_fault("[ticket]\nformat = 1\nrole = judge\nsession = "
                 "a23456789012345678901234567890123456789012\n",
                 "expected 1 to 40");
    expect_fault("[ticket]\nformat = 1\nrole = referee\nsession = a\n", "role = 'referee'");
    expect_fault("[ticket]\nsession =;x\n", "t:2: [ticket] session: a value cannot begin with ';'");
    expect_fault("[ticket]\n\nname = x\n", "t:3: [ticket] name: no such field");
    expect_fault("[ticket]\nrole = a role that is too long\n", "t:2: [ticket] role: longer than 7");
    expect_fault(ENTITY,
                 "one of 'program = CMD', 'lpp = DIR', 'lpp2 = PORT', 'web = URL', 'cgi = CMD'");
    expect_fault(ENTITY "lpp = /x\nlpp2 = 8080\n", "expected one of 'program = CMD'");
    expect_fault(ENTITY "program = x\nlpp2-secret = y\n", "expected it beside 'lpp2 = PORT'");
    expect_fault(ENTITY "cgi = ./x\nweb = http://a/\n", "expected one of 'program = CMD'");
    expect_fault(ENTITY "program = x\ntemplate = y\n", "expected it beside 'web = URL'");
    expect_fault(ENTITY "keyboard = no\n", "expected 'yes'");
    expect_fault(ENTITY "keyboard = yes\n[line]\ninsecure = no\n", "insecure = no: expected 'yes'");
    expect_fault(ENTITY "keyboard = yes\n[line]\ninsecure = yes\nkey = a\n",
                 "[line] key and insecure");
}

/* Side and cable are two things: the draw puts either cable on the left. */
static void test_cables(void **state)
{
    (void)state;
#define SIDES_OF(left, right)                                                                      \
    "[ticket]\nformat = 1\nrole = judge\nsession = r1\n[line.left]\nport = p\n" left               \
    "[line.right]\nport = q\n" right
    static const struct {
        const char *text;
        bool b_left;
    } all[] = {
        {SIDES_OF("", ""), false},
        {SIDES_OF("cable = a\n", "cable = b\n"), false},
        {SIDES_OF("cable = b\n", "cable = a\n"), true},
        {SIDES_OF("cable = b\n", ""), true},
        {SIDES_OF("", "cable = a\n"), true},
        {SIDES_OF("", "cable = b\n"), false},
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct ticket ticket;
        struct bl_diag diag = {""};
        if (ticket_parse(&ticket, all[i].text, "t", &diag))
            fail_msg("%s", diag.text);
        assert_int_equal(ticket_b_left(&ticket), all[i].b_left);
    }
    expect_fault(SIDES_OF("cable = c\n", ""), "t:7: [line.left] cable = 'c': expected a or b");
    expect_fault(SIDES_OF("cable = b\n", "cable = b\n"),
                 "t:10: [line.left] cable and [line.right] cable are both b");
}

/* The first fault is the one that is told, with its own line. */
static void test_first_fault_is_told(void **state)
{
    (void)state;
    expect_fault("[ticket]\nwhat\nname = x\n", "t:2: expected 'key = value'");
    /* A file of another kind: its heading is wrong, not the line below. */
    expect_fault("\n[contest]\nformat = 1\n",
                 "t:2: [contest]: no such section: expected one of [ticket], [line], [line.left], "
                 "[line.right], [controller], ");
    expect_fault("[ticket]\nname = x\ncolour = y\n", "t:2: [ticket] name");
}

/* inih reads an indented line as the same key again: half a value would pass for the whole. */
static void test_no_value_is_half_read(void **state)
{
    (void)state;
    char text[1200];
    expect_fault("[rules]\nplan = 300 left,\n  300 right\n", "t:3: [rules] plan: given twice");
    expect_fault("[ticket]\nsession = a\nsession = b\n", "t:3: [ticket] session: given twice");
    int n = snprintf(text, sizeof text, ENTITY "program = ./entry");
    while (n < 600)
        n += snprintf(text + n, sizeof text - (size_t)n, " --word");
    snprintf(text + n, sizeof text - (size_t)n, "\n");
    expect_fault(text, "t:8: a line is longer than");
}

/* Nothing on the judge's side says what the entity is. */
static void test_judges_ticket_names_no_entity(void **state)
{
    (void)state;
    static const char *const fields[] = {
        "program = x",     "keyboard = yes",   "lpp = x",   "lpp2 = 8080",
        "lpp2-secret = x", "web = http://x/",  "cgi = x",   "template = x",
        "turn-end = lf",   "program-io = pty", "pace = 40", "strip-prompt = '> '",
        "limit = no names"};
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char text[sizeof judge + 64];
        snprintf(text, sizeof text, "%s[entity]\n%s\n", judge, fields[i]);
        expect_fault(text, "must not speak of the entity");
    }
}

/* 1996 r15, 2003 r53: one line for a confederate, the longest as it was written. */
static void test_limits(void **state)
{
    (void)state;
    struct ticket ticket;
    struct bl_diag diag = {""};
    char text[sizeof ENTITY + TICKET_LIMIT_MAX + 64], limit[TICKET_LIMIT_MAX + 2];
    memset(limit, 'x', sizeof limit);
    limit[TICKET_LIMIT_MAX] = '\0';
    limit[TICKET_LIMIT_MAX / 2] = ' ';
    snprintf(text, sizeof text, "%skeyboard = yes\nlimit = %s\n", ENTITY, limit);
    if (ticket_parse(&ticket, text, "t", &diag))
        fail_msg("%s", diag.text);
    assert_string_equal(ticket.limit, limit);
    assert_int_equal(ticket_check_limit(limit, &diag), BL_OK);
    assert_int_equal(ticket_parse(&ticket, ENTITY "keyboard = yes\nlimit =\n", "t", &diag), BL_OK);
    assert_string_equal(ticket.limit, "");

    expect_fault(ENTITY "keyboard = yes\nlimit = names;numbers\n", "limit has a semicolon");
    expect_fault(ENTITY "keyboard = yes\nlimit = a\tb\n", "limit has a control character");
    expect_fault(ENTITY "program = ./a\nlimit = no names\n", "expected it beside 'keyboard = yes'");
    expect_fault(ENTITY "lpp = ./a\nlimit = no names\n", "expected it beside 'keyboard = yes'");
    limit[TICKET_LIMIT_MAX] = 'x';
    limit[TICKET_LIMIT_MAX + 1] = '\0';
    snprintf(text, sizeof text, "%skeyboard = yes\nlimit = %s\n", ENTITY, limit);
    expect_fault(text, "t:9: [entity] limit: longer than 160 bytes");
    assert_int_equal(ticket_check_limit(limit, &diag), BL_DATA);
    assert_int_equal(ticket_check_limit("", &diag), BL_DATA);
    assert_int_equal(ticket_check_limit(" a", &diag), BL_DATA);
    assert_int_equal(ticket_check_limit("a ", &diag), BL_DATA);
}

/* A ticket with bytes changed, doubled or cut off is taken or refused, and nothing else. */
static void test_damaged_tickets(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("damaged tickets"));
    for (unsigned i = 0; i < 20000; i++) {
        char text[2 * sizeof judge];
        struct ticket ticket;
        struct bl_diag diag = {""};
        memcpy(text, judge, sizeof judge);
        for (uint64_t k = dice_below(&dice, 6); k; k--)
            text[dice_below(&dice, sizeof judge - 1)] = (char)dice_next(&dice);
        size_t from = dice_below(&dice, strlen(text) + 1);
        memmove(text + sizeof judge - 1, text + from, strlen(text + from) + 1);
        if (ticket_parse(&ticket, text, "t", &diag))
            assert_memory_equal(diag.text, "t:", 2);
        else
            assert_true(ticket.format == 1 && ticket.session[0]);
    }
}

/* Ranks have a ticket without a line. */
static void test_ranks(void **state)
{
    (void)state;
    static const char ranks[] = "[ticket]\nformat=1\nrole=ranks\nsession=ranks-j2\n";
    struct ticket ticket;
    struct bl_diag diag = {""};
    char text[400];
    assert_int_equal(ticket_parse(&ticket, ranks, "t", &diag), BL_OK);
    assert_string_equal(ticket.session, "ranks-j2");
    snprintf(text, sizeof text, "%s[line.left]\nport=serial:a\n", ranks);
    assert_int_equal(ticket_parse(&ticket, text, "t", &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "without a line"));
    snprintf(text, sizeof text, "%s[entity]\nprogram=./x\n", ranks);
    assert_int_equal(ticket_parse(&ticket, text, "t", &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "must not speak of the entity"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_faults_are_named),
        cmocka_unit_test(test_cables),
        cmocka_unit_test(test_first_fault_is_told),
        cmocka_unit_test(test_no_value_is_half_read),
        cmocka_unit_test(test_judges_ticket_names_no_entity),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_damaged_tickets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
