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
    line.settings.self.has_key = true;
    judged(&line, "key", CHECK_FAULT, "one here, none at the other end");
    line.result.peer.has_key = true;
    judged(&line, "key", CHECK_GOOD, "the same");
    line.result.peer.key[0] ^= 1;
    judged(&line, "key", CHECK_FAULT, "different keys");
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
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
