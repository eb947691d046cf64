/* What `check` makes of a probed line: each outcome is said, a fault has a next step, a good line
 * has none, and what the other end sends cannot break out of a sentence. */
#include "link/check_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct check_line met(void)
{
    struct check_line line = {
        .side = "left",
        .port = "serial:/dev/ttyUSB0",
        .settings = {.self = {.judge = true, .baud = 115200, .version = "1.0"},
                     .wait_us = 60000000},
        .result = {.outcome = PROBE_MET,
                   .heard = true,
                   .peer = {.baud = 115200, .version = "1.0"},
                   .precise_us = 1500,
                   .called_us = 60000000,
                   .rate = {{.baud = 115200,
                             .answered = true,
                             .sent = 20,
                             .arrived = 20,
                             .returned = 20,
                             .rtt_us = 8700}}},
    };
    for (unsigned end = 0; end < 2; end++) {
        memcpy(line.result.seen.end[end].from, cables[0].end[end].from, CABLE_INPUTS);
        line.result.seen.known[end] = CABLE_OWN | CABLE_PEER;
    }
    return line;
}

static const struct check_finding *find(const struct check_report *report, const char *what)
{
    for (size_t i = 0; i < report->count; i++)
        if (strcmp(report->finding[i].what, what) == 0)
            return &report->finding[i];
    return NULL;
}

static void judged(const struct check_line *line, const char *what, enum check_mark mark,
                   const char *words)
{
    struct check_report report;
    check_judge(line, &report);
    const struct check_finding *finding = find(&report, what);
    assert_non_null(finding);
    assert_int_equal(finding->mark, mark);
    assert_non_null(strstr(finding->text, words));
    assert_int_equal(report.faults > 0, mark == CHECK_FAULT);
    assert_int_equal(report.steps > 0, mark == CHECK_FAULT);
}

static void test_a_good_line(void **state)
{
    struct check_line line = met();
    struct check_report report;
    (void)state;
    judged(&line, "speed", CHECK_GOOD, "20 test frames there and back without an error");
    judged(&line, "clock", CHECK_GOOD, "both agree, as far as 1.5 ms");
    judged(&line, "version", CHECK_GOOD, "1.0 at both ends");
    judged(&line, "cable", CHECK_GOOD, cables[0].words);
    check_judge(&line, &report);
    assert_null(find(&report, "key"));
    assert_non_null(strchr(report.picture, '\n'));
}

static void test_what_differs(void **state)
{
    struct check_line line = met();
    (void)state;
    line.result.peer.baud = 9600;
    judged(&line, "speed", CHECK_FAULT, "115200 baud, the other end to 9600");
    line = met();
    line.result.rate[0].returned = 15;
    line.result.rate[0].arrived = 18;
    judged(&line, "speed", CHECK_FAULT, "2 did not reach the entity's end and 3 did not come back");
    line = met();
    line.result.offset_us = -1002000;
    judged(&line, "clock", CHECK_FAULT, "1.002 s behind");
    line.result.offset_us = -1001000; /* within what can be told */
    judged(&line, "clock", CHECK_GOOD, "1.001 s behind");
    line.result.offset_us = INT64_MIN;
    judged(&line, "clock", CHECK_FAULT, "behind");
    line = met();
    line.clock_unset = true;
    judged(&line, "clock", CHECK_FAULT, "of this machine is not set");
    line = met();
    line.settings.self.has_secret = true;
    judged(&line, "key", CHECK_FAULT, "one here, none at the other end");
    line.result.peer.has_secret = true;
    judged(&line, "key", CHECK_GOOD, "the same");
    line.result.peer.fingerprint[0] ^= 1;
    judged(&line, "key", CHECK_FAULT, "different secrets");
    line = met();
    strcpy(line.result.peer.version, "\x1b[2J9\n");
    judged(&line, "version", CHECK_FAULT, "1.0 here, ");
}

/* The peer's version is bytes from a line. */
static void test_no_control_gets_out(void **state)
{
    struct check_line line = met();
    struct check_report report;
    (void)state;
    strcpy(line.result.peer.version, "\x1b[2J9\n");
    check_judge(&line, &report);
    for (size_t i = 0; i < report.count; i++)
        for (const char *at = report.finding[i].text; *at; at++)
            assert_true((unsigned char)*at >= ' ');
}

static void test_no_meeting(void **state)
{
    static const struct {
        enum probe_outcome outcome;
        const char *what, *words;
    } rows[] = {
        {PROBE_SILENCE, "other end", "nothing came from it in 60 s"},
        {PROBE_ECHO, "data", "what this end sends comes back"},
        {PROBE_DEAF, "data", "does not hear this one"},
        {PROBE_MUTE, "data", "no data comes from it"},
        {PROBE_GARBAGE, "data", "nothing of boothlink's"},
        {PROBE_LINK, "other end", "but not check"},
        {PROBE_SAME_SIDE, "other end", "both are checked as judge's ends"},
        {PROBE_LOST, "other end", "fell silent"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct check_line line = met();
        line.result.outcome = rows[i].outcome;
        judged(&line, rows[i].what, CHECK_FAULT, rows[i].words);
    }
    struct check_line line = met();
    line.status = BL_NOPERM;
    bl_fail(&line.diag, BL_NOPERM, "no right to open it");
    judged(&line, "port", CHECK_FAULT, "no right to open it");
}

static bool steps_have(const struct check_report *report, const char *words)
{
    for (size_t i = 0; i < report->steps; i++)
        if (strstr(report->step[i], words))
            return true;
    return false;
}

/* At a board a port that does not open has the remedy of its own cause. */
static void test_ports_of_tickets(void **state)
{
    static const struct {
        enum bl_status status;
        bool there;
        const char *step;
    } rows[] = {
        {BL_NOINPUT, false, "Push the plug of its adapter in"},
        {BL_IO, true, "Push the plug of its adapter in"},
        {BL_NOINPUT, true, "venue.ini is to name a serial port"},
        {BL_USAGE, true, "a speed that it has"},
        {BL_BUSY, true, "Switch this machine off and on"},
        {BL_NOPERM, true, "Tell the steward"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct check_line line = met();
        struct check_report report;
        line.ticket = true;
        line.status = rows[i].status;
        line.there = rows[i].there;
        check_judge(&line, &report);
        assert_int_equal(report.steps, 1);
        assert_true(steps_have(&report, rows[i].step));
    }
}

/* Of a silent line: a short call blames no cable, a long one says how to tell its causes apart. */
static void test_silence(void **state)
{
    struct check_line line = met();
    struct check_report report;
    (void)state;
    line.result.outcome = PROBE_SILENCE;
    line.result.called_us = 3400000;
    judged(&line, "other end", CHECK_FAULT, "in 3 s, which is too short to call a cable bad");
    check_judge(&line, &report);
    assert_true(steps_have(&report, "--wait 60"));
    assert_false(steps_have(&report, "Take") || steps_have(&report, "adapter"));
    line.result.called_us = 10000000;
    check_judge(&line, &report);
    assert_true(steps_have(&report, "a straight one, or open ground"));
    assert_true(steps_have(&report, "Put a null-modem adapter in"));
    assert_true(steps_have(&report, "Then check again."));
    line.result.seen.box = true;
    check_judge(&line, &report);
    assert_true(steps_have(&report, "a crossed one, or open ground"));
    assert_true(steps_have(&report, "Take a 1:1 cable"));
    assert_false(steps_have(&report, "adapter"));
}

/* No step of a ticket's line sends anybody to a shell: it names the other machine and its key. */
static void test_other_board(void **state)
{
    static const enum probe_outcome none[] = {PROBE_SILENCE, PROBE_DEAF, PROBE_LINK,
                                              PROBE_SAME_SIDE};
    struct check_line line = met();
    struct check_report report;
    (void)state;
    line.ticket = true;
    line.settings.self.cable = 'b';
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        line.result.outcome = none[i];
        check_judge(&line, &report);
        assert_true(report.steps > 0);
        assert_false(steps_have(&report, "boothlink check") || steps_have(&report, "--line"));
    }
    line.result.outcome = PROBE_SILENCE;
    check_judge(&line, &report);
    assert_true(
        steps_have(&report, "Press F3 at the machine of cable B at the same time, if nobody has."));
    line.settings.self.judge = false;
    check_judge(&line, &report);
    assert_true(
        steps_have(&report, "Press F3 at the judge's machine at the same time, if nobody has."));
    line.result.called_us = 3400000;
    check_judge(&line, &report);
    assert_true(steps_have(&report, "Then press F3 here again, and wait longer."));
    /* A board shows faults alone: their sentences end, and notes go on. */
    line.result.outcome = PROBE_DEAF;
    line.result.seen = (struct cable_seen){.moving = true};
    judged(&line, "cable", CHECK_FAULT, "a wire of it is broken");
    for (size_t i = 0; i < report.count; i++)
        assert_false(report.finding[i].mark == CHECK_FAULT &&
                     strstr(report.finding[i].text, "it may be"));
    line.status = BL_NOINPUT;
    check_judge(&line, &report);
    assert_false(steps_have(&report, "boothlink"));
}

static const struct cable *row(const char *name)
{
    const struct cable *cable = cables;
    while (strcmp(cable->name, name) != 0)
        cable++;
    return cable;
}

/* A row of the table that speaks of a and b: which of them is this end is said. */
static void test_which_end_is_b(void **state)
{
    struct check_line line = met();
    (void)state;
    for (unsigned turned = 0; turned < 2; turned++) {
        for (unsigned end = 0; end < 2; end++)
            memcpy(line.result.seen.end[end].from, row("cts-open")->end[end ^ turned].from,
                   CABLE_INPUTS);
        judged(&line, "cable", CHECK_FAULT,
               turned ? "b is this end, a the other" : "a is this end, b the other");
    }
}

/* Through the controller's box a broken handshake is no fault, and rows of the other table are not
 * meant. */
static void test_box(void **state)
{
    struct check_line line = met();
    struct check_report report;
    bool told = false;
    (void)state;
    line.result.seen.box = line.settings.self.box = true;
    for (unsigned end = 0; end < 2; end++)
        memcpy(line.result.seen.end[end].from, row("handshake-looped-judge")->end[end].from,
               CABLE_INPUTS);
    judged(&line, "cable", CHECK_GOOD, "the judge's plug ties its handshake to itself");
    check_judge(&line, &report);
    for (size_t i = 0; i < report.count; i++)
        told |= strstr(report.finding[i].text, "harmless: the box carries pins 2, 3 and 5") != NULL;
    assert_true(told);
    line.result.seen.box_far = true; /* seen from the entity's machine it is the other plug */
    judged(&line, "cable", CHECK_GOOD, "the entity's plug ties its handshake to itself");
}

static void test_letters(void **state)
{
    struct check_line line = met();
    (void)state;
    line.settings.self.cable = 'a';
    line.result.peer.cable = 'a';
    judged(&line, "ticket", CHECK_GOOD, "both ends are cable A's");
    line.result.peer.cable = 'b';
    judged(&line, "swapped", CHECK_FAULT,
           "this end is cable A's by its ticket, the other end cable B's: the two cables are "
           "swapped");
}

/* What does not fit is left out, and a step that is there already is not said twice. */
static void test_bounds(void **state)
{
    struct check_report report = {.count = 0};
    (void)state;
    for (unsigned i = 0; i < 2 * CHECK_FINDINGS; i++) {
        check_add(&report, CHECK_FAULT, "x", "%u", i);
        check_next(&report, "step %u", i / 2);
    }
    assert_int_equal(report.count, CHECK_FINDINGS);
    assert_int_equal(report.steps, CHECK_STEPS);
    assert_string_equal(report.step[1], "step 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_good_line),
        cmocka_unit_test(test_what_differs),
        cmocka_unit_test(test_no_control_gets_out),
        cmocka_unit_test(test_no_meeting),
        cmocka_unit_test(test_ports_of_tickets),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_other_board),
        cmocka_unit_test(test_which_end_is_b),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_letters),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
