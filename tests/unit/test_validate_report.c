/* The table of the checks, the report, and what is decoded of an Entry's datagrams. */
#include "rules/rulesets.h"
#include "tests/support/random.h"
#include "validate/finding.h"
#include "validate/network.h"
#include "validate/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static struct ruleset ruleset;

static void load(const char *name)
{
    struct bl_diag diag;
    for (const struct built_text *at = ruleset_texts; at->name; at++)
        if (strcmp(at->name, name) == 0)
            assert_int_equal(ruleset_parse(&ruleset, at->text, name, &diag), BL_OK);
    assert_string_equal(ruleset.name, name);
}

static const struct check *row(const char *id)
{
    for (const struct check *c = validate_checks; c->id; c++)
        if (strcmp(c->id, id) == 0)
            return c;
    fail_msg("no check %s", id);
    return NULL;
}

static void needs_are_rows_above(const struct check *check)
{
    char needs[200];
    char *save, *word;
    if (!check->needs)
        return;
    assert_true(strlen(check->needs) < sizeof needs);
    strcpy(needs, check->needs);
    for (word = strtok_r(needs, " ", &save); word; word = strtok_r(NULL, " ", &save))
        assert_true(row(word) < check);
}

static void test_table(void **state)
{
    unsigned entries = 0;
    (void)state;
    for (const struct check *c = validate_checks; c->id; c++) {
        assert_non_null(strchr(c->id, '.'));
        assert_non_null(c->run);
        assert_true(c->asks[0] && strlen(c->asks) <= 80);
        assert_ptr_equal(row(c->id), c); /* no id twice */
        needs_are_rows_above(c);
        entries += c->kind == VALIDATE_ENTRY;
    }
    assert_true(entries <= VALIDATE_FINDINGS);
    for (const struct built_text *at = ruleset_texts; at->name; at++) {
        struct bl_diag diag;
        load(at->name);
        assert_true(ruleset.checks > 4);
        assert_int_equal(check_names(&ruleset, &diag), BL_OK);
        strcpy(ruleset.check[3].id, "talk.loud");
        assert_int_equal(check_names(&ruleset, &diag), BL_DATA);
        assert_non_null(strstr(diag.text, "[checks] talk.loud: no such check"));
    }
}

static void test_rules(void **state)
{
    enum verdict broken;
    (void)state;
    load("loebner-2004");
    assert_string_equal(check_rule(row("keys.single"), &ruleset, &broken), "A5");
    assert_int_equal(broken, VERDICT_FAIL);
    assert_string_equal(check_rule(row("net.frames"), &ruleset, &broken), "A5");
    assert_int_equal(broken, VERDICT_WARN);
    load("loebner-1996");
    assert_string_equal(check_rule(row("net.frames"), &ruleset, &broken), "r9");
    assert_int_equal(broken, VERDICT_FAIL);
    assert_null(check_rule(row("keys.single"), &ruleset, &broken));
    assert_int_equal(broken, VERDICT_SKIP);
    /* A venue's own rules have their own checks, whatever their name is. */
    load("loebner-2004");
    strcpy(ruleset.name, "my-contest");
    assert_string_equal(check_rule(row("keys.single"), &ruleset, &broken), "A5");
    ruleset.checks = 0;
    assert_null(check_rule(row("keys.single"), &ruleset, &broken));
    assert_int_equal(broken, VERDICT_WARN);
}

static void test_only(void **state)
{
    (void)state;
    assert_true(check_wanted(row("talk.first"), NULL));
    assert_true(check_wanted(row("talk.first"), "talk.first"));
    assert_true(check_wanted(row("talk.first"), "net,talk"));
    assert_true(check_wanted(row("talk.first"), "start.time,talk.first,net"));
    assert_false(check_wanted(row("talk.first"), "talk.fir"));
    assert_false(check_wanted(row("talk.first"), "tal"));
    assert_false(check_wanted(row("talk.first"), "start"));
    assert_false(check_wanted(row("talk.first"), ""));
}

static struct validate_report report;
static struct validate_options options;

static void add(const char *id, enum verdict verdict)
{
    struct finding *f = &report.finding[report.count++];
    *f = (struct finding){.check = row(id), .verdict = verdict, .runs = 1};
    f->rule = check_rule(f->check, &ruleset, &f->broken);
    strcpy(f->what, "what was seen");
    report.total[verdict]++;
}

static void begin(void)
{
    load("loebner-2004");
    validate_defaults(&options);
    options.ruleset = &ruleset;
    options.seed = 7;
    memset(&report, 0, sizeof report);
    report.options = &options;
}

static void test_text(void **state)
{
    static char lines[REPORT_LINES];
    struct finding *f;
    (void)state;
    begin();
    add("keys.single", VERDICT_FAIL);
    f = &report.finding[0];
    strcpy(f->expected, "key by key");
    strcpy(f->came, "a line");
    strcpy(f->evidence, "gaps: 1\nparts: 2\n");
    f->runs = f->failed = 2;
    report_finding(f, &options, "boothlink validate entry --program x", lines);
    assert_string_equal(
        lines,
        "FAIL keys.single       A5      what was seen\n"
        "       asked:    types key by key, not in lumps\n"
        "       expected: key by key\n"
        "       came:     a line\n"
        "       gaps: 1\n"
        "       parts: 2\n"
        "       so in 2 of 2 runs\n"
        "       again:    boothlink validate entry --program x --only keys.single --seed 7\n");
    strcpy(f->during, "talk.first");
    report_finding(f, &options, "boothlink", lines);
    assert_non_null(strstr(lines, "--only talk.first,keys.single"));
    add("talk.long", VERDICT_PASS);
    report_finding(&report.finding[1], &options, "boothlink", lines);
    assert_string_equal(lines, "PASS talk.long         A4      what was seen\n");
    /* A source longer than its column does not run into the words behind. */
    report.finding[1].rule = "not said";
    report_finding(&report.finding[1], &options, "boothlink", lines);
    assert_string_equal(lines, "PASS talk.long         not said  what was seen\n");
}

/* Blanks that nobody could count on a terminal, nor see in HTML. */
static void test_blanks(void **state)
{
    struct finding f = {.check = NULL};
    static const char said[] = "Well,   I do not.  \n";
    (void)state;
    finding_quote(&f, "it said ", said, strlen(said), 60);
    assert_string_equal(f.evidence, "it said \"Well,[3 blanks]I do not.[2 blanks]\\n\"\n");
}

/* What a program calls its files and keys goes to the organiser's terminal. */
static void test_plain(void **state)
{
    static const char hostile[] = "a\x1b[2J\nb\xff\u202ec";
    struct finding f = {.check = NULL};
    char filler[FINDING_EVIDENCE];
    (void)state;
    finding_warn(&f, "%s", hostile);
    finding_expected(&f, "%s", hostile);
    finding_came(&f, "%s", hostile);
    finding_evidence(&f, "%s", hostile);
    finding_evidence(&f, "\u00e9");
    assert_string_equal(f.what, "a?[2J?b??c");
    assert_string_equal(f.expected, "a?[2J?b??c");
    assert_string_equal(f.came, "a?[2J?b??c");
    assert_string_equal(f.evidence, "a?[2J?b??c\n\u00e9\n");
    /* What has no room as a whole line is left out; one that just has it is not. */
    memset(filler, 'x', sizeof filler);
    finding_evidence(&f, "%.*s", (int)(FINDING_EVIDENCE - strlen(f.evidence) - 1), filler);
    assert_string_equal(f.evidence, "a?[2J?b??c\n\u00e9\n");
    finding_evidence(&f, "%.*s", (int)(FINDING_EVIDENCE - strlen(f.evidence) - 2), filler);
    assert_int_equal(strlen(f.evidence), FINDING_EVIDENCE - 1);
    assert_int_equal(f.evidence[FINDING_EVIDENCE - 2], '\n');
    /* A character that is cut at the end is none. */
    finding_came(&f, "%.*s\u00e9", FINDING_TEXT - 2, filler);
    assert_int_equal(strlen(f.came), FINDING_TEXT - 1);
    assert_int_equal(f.came[FINDING_TEXT - 2], '?');
}

/* Only what was looked at is accepted. */
static void test_accepts(void **state)
{
    char totals[REPORT_TOTALS];
    (void)state;
    begin();
    report.asked = 2;
    assert_int_equal(report_verdict(&report), REPORT_OPEN);
    add("talk.first", VERDICT_PASS);
    assert_int_equal(report_verdict(&report), REPORT_OPEN);
    report_totals(&report, totals);
    assert_string_equal(totals, "1 passed, 0 failed, 0 warned of, 0 skipped\n"
                                "loebner-2004 gives no verdict: 1 of 2 checks was not run\n");
    add("net.frames", VERDICT_WARN);
    assert_int_equal(report_verdict(&report), REPORT_ACCEPTED);
    report_totals(&report, totals);
    assert_string_equal(
        totals, "warned of: net.frames: what was seen\n" /* nothing to mend */
                "1 passed, 0 failed, 1 warned of, 0 skipped\n"
                "loebner-2004 would accept it, by 2 checks\n"
                "on the day it reaches no other machine: what it asks there (net.frames) is "
                "not answered\n");
    /* A check that could not look, and for which it would be refused. */
    add("talk.long", VERDICT_SKIP);
    report.finding[2].broken = VERDICT_WARN;
    assert_int_equal(report_verdict(&report), REPORT_ACCEPTED);
    report_totals(&report, totals);
    assert_non_null(strstr(totals, "would accept it, by 2 checks")); /* not by the skipped one */
    report.finding[2].broken = VERDICT_FAIL;
    report.asked = 3;
    assert_int_equal(report_verdict(&report), REPORT_OPEN);
    report_totals(&report, totals);
    assert_non_null(strstr(totals, "not looked at, though a rule is about it: talk.long\n"));
    assert_non_null(strstr(totals,
                           "loebner-2004 gives no verdict: 1 of 3 checks, for which it "
                           "would not accept it, could not look: talk.long (what was seen)\n"));
    report.finding[2].spared = true;
    assert_int_equal(report_verdict(&report), REPORT_ACCEPTED);
    report.finding[2].spared = false;
    report.finding[2].cause = "talk.first"; /* what failed has been told already */
    assert_int_equal(report_verdict(&report), REPORT_ACCEPTED);
    report_totals(&report, totals);
    assert_null(strstr(totals, "not looked at"));
    add("keys.single", VERDICT_FAIL);
    assert_int_equal(report_verdict(&report), REPORT_REFUSED);
    report_totals(&report, totals);
    assert_non_null(strstr(totals, "mend first: keys.single: what was seen\n"));
}

/* A crash that another check repeats is mended there; its error line stands with it, and the
 * command of a crash seen once has all that its program had been through. */
static void test_first(void **state)
{
    static char lines[REPORT_LINES];
    char totals[REPORT_TOTALS];
    struct finding *f;
    (void)state;
    begin();
    add("talk.returns", VERDICT_FAIL);
    f = &report.finding[0];
    strcpy(f->what, "the program ended by itself, exit status 1");
    finding_evidence(f, STANDARD_ERROR "Traceback:\\nKeyError: 'nosuch'\\n\"");
    add("talk.marks", VERDICT_SKIP);
    report.finding[1].cause = "crash.signal";
    add("crash.signal", VERDICT_FAIL);
    f = &report.finding[2];
    strcpy(f->what, "the program ended by itself, exit status 1 during talk.paste");
    strcpy(f->during, "talk.backspace,talk.paste");
    report_finding(f, &options, "boothlink", lines);
    assert_non_null(strstr(lines, " --only talk.backspace,talk.paste,crash.signal --seed 7\n"));
    report_totals(&report, totals);
    assert_ptr_equal(strstr(totals,
                            "mend first: talk.returns: the program ended by itself, exit status 1\n"
                            "            KeyError: 'nosuch'\n"),
                     totals);
    /* One that ends in another way is another fault. */
    strcpy(report.finding[0].what, "the program ended by itself, exit status 2");
    report_totals(&report, totals);
    assert_ptr_equal(strstr(totals, "mend first: crash.signal: "), totals);
    assert_non_null(strstr(totals, "; 1 check could not be run for it\n0 passed"));
}

/* An Entry of a kind that the rules do not take is told which they want, and how it is given. */
static void test_demand(void **state)
{
    static struct entry entry;
    char totals[REPORT_TOTALS];
    json_t *object;
    (void)state;
    begin();
    load("loebner-2012");
    options.entry = &entry;
    entry.kind = KIND_CHAT;
    add("talk.first", VERDICT_PASS);
    add("lpp.names", VERDICT_SKIP);
    add("lpp.order", VERDICT_SKIP);
    report.asked = 3;
    report_totals(&report, totals);
    assert_non_null(strstr(totals,
                           "\nloebner-2012 gives no verdict: it demands an Entry that speaks "
                           "the Loebner Prize Protocol (LPP), and an Entry by --chat is "
                           "none: what is behind a server cannot be entered alone. Give one "
                           "by --lpp DIR --program CMD, as lpp_entry.py of the examples: "
                           "see boothlink-entrant(7)\n"));
    object = report_json(&report, "boothlink");
    assert_string_equal(json_string_value(json_object_get(object, "demands")), "lpp");
    assert_non_null(
        strstr(json_string_value(json_object_get(object, "says")), "--lpp DIR --program CMD"));
    json_decref(object);
    entry.kind = KIND_PROGRAM;
    report_totals(&report, totals);
    assert_non_null(strstr(totals, "an Entry by --program is none. Give one by --lpp DIR"));
    /* An entrant need not mend a failed check first to learn of this. */
    report.finding[0].verdict = VERDICT_FAIL;
    report.total[VERDICT_FAIL] = 1;
    report_totals(&report, totals);
    assert_non_null(strstr(totals, "\nloebner-2012 would not accept it: it demands an Entry that "
                                   "speaks the Loebner Prize Protocol (LPP), and"));
    report.finding[0].verdict = VERDICT_PASS;
    report.total[VERDICT_FAIL] = 0;
    /* Something else is missing too, or what is missing is of its own kind. */
    entry.kind = KIND_LPP;
    report_totals(&report, totals);
    assert_non_null(strstr(totals, "could not look: lpp.names, lpp.order\n"));
    entry.kind = KIND_PROGRAM;
    add("talk.long", VERDICT_SKIP);
    report.finding[3].rule = "r1";
    report.finding[3].broken = VERDICT_FAIL;
    report.asked = 4;
    report_totals(&report, totals);
    assert_non_null(strstr(totals, "could not look: lpp.names, lpp.order, talk.long\n"));
    object = report_json(&report, "boothlink");
    assert_true(json_is_null(json_object_get(object, "demands")));
    json_decref(object);
}

static void test_json(void **state)
{
    json_t *object, *first;
    (void)state;
    begin();
    add("keys.single", VERDICT_FAIL);
    strcpy(report.finding[0].evidence, "one\ntwo\n");
    strcpy(report.finding[0].came, "no UTF-8: \xff");
    object = report_json(&report, "boothlink");
    assert_non_null(object);
    assert_false(json_is_true(json_object_get(object, "accepted")));
    first = json_array_get(json_object_get(object, "checks"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "rule")), "A5");
    assert_int_equal(json_array_size(json_object_get(first, "evidence")), 2);
    assert_string_equal(json_string_value(json_object_get(first, "again")),
                        "boothlink --only keys.single --seed 7");
    json_decref(object);
}

/* ---- datagrams ---- */

static unsigned sum16(const uint8_t *bytes, size_t length, uint32_t sum)
{
    for (size_t i = 0; i < length; i++)
        sum += (uint32_t)bytes[i] << (i % 2 ? 0 : 8);
    while (sum >> 16)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return sum;
}

/* IPv4 from 10.0.0.2, with UDP or TCP ports 4660 to `port`. */
static size_t ipv4(uint8_t *out, unsigned protocol, const uint8_t to[4], unsigned port,
                   const void *payload, size_t length)
{
    size_t all = 28 + length;
    const uint8_t header[28] = {0x45,
                                0,
                                (uint8_t)(all >> 8),
                                (uint8_t)all,
                                0,
                                0,
                                0,
                                0,
                                64,
                                (uint8_t)protocol,
                                0,
                                0,
                                10,
                                0,
                                0,
                                2,
                                to[0],
                                to[1],
                                to[2],
                                to[3],
                                0x12,
                                0x34,
                                (uint8_t)(port >> 8),
                                (uint8_t)port,
                                (uint8_t)((length + 8) >> 8),
                                (uint8_t)(length + 8),
                                0,
                                0};
    memcpy(out, header, sizeof header);
    if (length)
        memcpy(out + 28, payload, length);
    return all;
}

static const uint8_t question[] = "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00"
                                  "\x03www\x07"
                                  "example\x03org\x00\x00\x01\x00\x01";

static void test_lookup(void **state)
{
    static const uint8_t resolver[] = {10, 0, 0, 1};
    struct network network = {0};
    uint8_t frame[600], answer[NETWORK_FRAME_MAX];
    size_t length = ipv4(frame, 17, resolver, 53, question, sizeof question - 1), n;
    (void)state;
    n = network_take(&network, frame, length, answer);
    assert_int_equal(network.lookups_all, 1);
    assert_int_equal(network.frames, 0);
    assert_string_equal(network.lookup[0].text, "www.example.org");
    /* The answer: to whom it came from, no such name, checksums right. */
    assert_int_equal(n, length);
    assert_memory_equal(answer + 12, resolver, 4);
    assert_memory_equal(answer + 16, frame + 12, 4);
    assert_int_equal(sum16(answer, 20, 0), 0xFFFF);
    assert_memory_equal(answer + 20, "\0\x35\x12\x34", 4);
    assert_int_equal(answer[28 + 2] & 0x80, 0x80);
    assert_int_equal(answer[28 + 3] & 0x0F, 3);
    assert_int_equal(sum16(answer + 20, n - 20, sum16(answer + 12, 8, 17 + (uint32_t)n - 20)),
                     0xFFFF);
    network_take(&network, frame, length, answer);
    assert_int_equal(network.lookups, 1);
    assert_int_equal(network.lookup[0].count, 2);
}

static void test_unreachable(void **state)
{
    static const uint8_t far[] = {192, 0, 2, 7};
    struct network network = {0};
    uint8_t frame[600], answer[NETWORK_FRAME_MAX];
    size_t length = ipv4(frame, 6, far, 80, "sequence", 8);
    size_t n = network_take(&network, frame, length, answer);
    (void)state;
    assert_string_equal(network.frame[0].text, "TCP to 192.0.2.7 port 80");
    assert_int_equal(network.frames_all, 1);
    assert_int_equal(network.lookups_all, 0);
    assert_int_equal(n, 20 + 8 + 28);
    assert_int_equal(answer[9], 1);
    assert_int_equal(answer[20], 3);
    assert_memory_equal(answer + 28, frame, 28);
    assert_int_equal(sum16(answer + 20, n - 20, 0), 0xFFFF);
}

static void test_ipv6(void **state)
{
    struct network network = {0};
    uint8_t frame[60] = {0x60, 0, 0, 0, 0, 20, 6, 64}, answer[NETWORK_FRAME_MAX];
    size_t n;
    (void)state;
    frame[8] = 0xFD, frame[23] = 2;
    frame[24] = 0x20, frame[25] = 1, frame[26] = 0x0D, frame[27] = 0xB8, frame[39] = 9;
    frame[42] = 1, frame[43] = 0xBB;
    n = network_take(&network, frame, sizeof frame, answer);
    assert_string_equal(network.frame[0].text, "TCP to 2001:db8::9 port 443");
    assert_int_equal(n, 40 + 8 + 48);
    assert_int_equal(answer[40], 1);
    assert_int_equal(sum16(answer + 40, n - 40, sum16(answer + 8, 32, 58 + (uint32_t)n - 40)),
                     0xFFFF);
    /* What the kernel says by itself is not the Entry's. */
    frame[6] = 58;
    frame[24] = 0xFF;
    assert_int_equal(network_take(&network, frame, sizeof frame, answer), 0);
    assert_int_equal(network.frames_all, 1);
}

static void test_any_datagram(void **state)
{
    struct dice dice = dice_make(dice_seed("datagrams"));
    static const uint8_t resolver[] = {10, 0, 0, 1};
    struct network network = {0};
    uint8_t frame[600], answer[NETWORK_FRAME_MAX];
    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        size_t length =
            ipv4(frame, round % 2 ? 17 : 6, resolver, 53, question, sizeof question - 1);
        for (uint64_t flips = dice_below(&dice, 6); flips; flips--)
            frame[dice_below(&dice, length)] = (uint8_t)dice_next(&dice);
        length = dice_below(&dice, length + 1);
        assert_true(network_take(&network, frame, length, answer) <= NETWORK_FRAME_MAX);
        assert_true(network.frames <= NETWORK_NOTES && network.lookups <= NETWORK_NOTES);
    }
    assert_true(network.frames_all >= network.lookups_all);
}

/* At a terminal no word is broken, and what has its own lines keeps them. */
static void test_wrap(void **state)
{
    char text[] = "one two three\nfour five\nsixteenletterslo ng\n";
    char marks[] = "\xC3\xA9\xC3\xA9 \xC3\xA9\xC3\xA9 a";
    (void)state;
    report_wrap(text, 8);
    assert_string_equal(text, "one two\nthree\nfour\nfive\nsixteenletterslo\nng\n");
    report_wrap(marks, 5);
    assert_string_equal(marks, "\xC3\xA9\xC3\xA9 \xC3\xA9\xC3\xA9\na");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),   cmocka_unit_test(test_rules),
        cmocka_unit_test(test_only),    cmocka_unit_test(test_text),
        cmocka_unit_test(test_plain),   cmocka_unit_test(test_blanks),
        cmocka_unit_test(test_accepts), cmocka_unit_test(test_json),
        cmocka_unit_test(test_lookup),  cmocka_unit_test(test_unreachable),
        cmocka_unit_test(test_ipv6),    cmocka_unit_test(test_any_datagram),
        cmocka_unit_test(test_first),   cmocka_unit_test(test_demand),
        cmocka_unit_test(test_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
