/* Scripts: parsing and its messages, timing, awaiting a turn, and resuming. Time is an argument. */
#include "entity/script.h"

#include "base/time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define MS UINT64_C(1000)

static struct script *parse(const char *text)
{
    struct script *script = NULL;
    struct bl_diag diag = {{0}};
    enum bl_status status = script_parse(&script, text, strlen(text), "t.script", &diag);
    if (status)
        print_error("%s\n", diag.text);
    assert_int_equal(status, BL_OK);
    return script;
}

/* Types all that comes with nobody answering; returns the number of keys and when the last went. */
static size_t run(struct script *script, uint32_t *points, uint64_t *times, size_t room,
                  uint64_t *now)
{
    size_t count = 0;
    for (;;) {
        uint64_t due = script_due(script, *now, 0);
        uint32_t point;
        if (due == BL_NEVER)
            return count;
        assert_true(due >= *now);
        *now = due;
        point = script_key(script, *now, 0);
        if (point) {
            assert_true(count < room);
            points[count] = point;
            times[count++] = *now;
            script_typed(script, *now);
        }
    }
}

static void types(void **state)
{
    struct script *script = parse("\xEF\xBB\xBF# a comment\r\n"
                                  "\n"
                                  "   \t\n"
                                  "type Hi \"you\" # no comment  \r\n"
                                  "type \"  a\\n\\b\\t\\\\\\\"\\u{e9}\\u{1F600}\"  \n"
                                  "key Return\nkey BackSpace\nkey Tab\nkey space\nkey \xC3\xB6\n"
                                  "type \xC3\xA4"); /* no newline at the end */
    static const char first[] = "Hi \"you\" # no comment  a";
    static const uint32_t rest[] = {KEY_RETURN, KEY_BACKSPACE, KEY_TAB, '\\', '"',  0xE9, 0x1F600,
                                    KEY_RETURN, KEY_BACKSPACE, KEY_TAB, ' ',  0xF6, 0xE4};
    uint32_t points[64];
    uint64_t times[64], now = 1000 * MS;
    size_t count, i;
    (void)state;
    assert_false(script_done(script));
    count = run(script, points, times, 64, &now);
    assert_int_equal(count, strlen(first) + sizeof rest / sizeof *rest);
    assert_int_equal(count, script_keys(script));
    assert_true(script_done(script));
    for (i = 0; i < strlen(first); i++)
        assert_int_equal(points[i], first[i]);
    for (i = 0; i < sizeof rest / sizeof *rest; i++)
        assert_int_equal(points[strlen(first) + i], rest[i]);
    assert_int_equal(times[0], 1000 * MS); /* the first at once, the others 100 ms apart */
    for (i = 1; i < count; i++)
        assert_int_equal(times[i] - times[i - 1], 100 * MS);
    assert_int_equal(script_key(script, now, 0), 0);
    script_destroy(script);
    script_destroy(NULL);
}

static void nothing(void **state)
{
    struct script *script = parse("");
    (void)state;
    assert_int_equal(script_keys(script), 0);
    assert_true(script_done(script));
    assert_true(script_due(script, 5, 0) == BL_NEVER);
    script_destroy(script);
}

static void messages(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } bad[] = {
        {"type a\n\ntyp b\n",
         "t.script:3: \"typ\" is no command: expected pace, type, wait, await-turn, "
         "key or ballot"},
        {"ballot ", "t.script:1: missing a ballot, such as ballot left 60 right 40"},
        {"type", "t.script:1: nothing to type: expected type TEXT or type \"TEXT\""},
        {"type   \n", "t.script:1: nothing to type: expected type TEXT or type \"TEXT\""},
        {"type \"", "t.script:1: missing the closing quote: expected type \"TEXT\""},
        {"type \"a\nb\"", "t.script:1: missing the closing quote: expected type \"TEXT\""},
        {"type \"a\\\"", "t.script:1: missing the closing quote: expected type \"TEXT\""},
        {"type \"a\" b", "t.script:1: there is text after the closing quote; a quote inside is "
                         "written \\\""},
        {"type \\x",
         "t.script:1: \"\\x\" is no escape: expected \\n \\b \\t \\\\ \\\" or \\u{HEX}"},
        {"type a\\", "t.script:1: \"\\\" is no escape: expected \\n \\b \\t \\\\ \\\" or \\u{HEX}"},
        {"type \\u{}",
         "t.script:1: \"\\u\" is no escape: expected \\n \\b \\t \\\\ \\\" or \\u{HEX}"},
        {"type \\u{1234567}",
         "t.script:1: \"\\u\" is no escape: expected \\n \\b \\t \\\\ \\\" or \\u{HEX}"},
        {"type \\u{41",
         "t.script:1: \"\\u\" is no escape: expected \\n \\b \\t \\\\ \\\" or \\u{HEX}"},
        {"type \\u{7}",
         "t.script:1: U+0007 is no key: expected printable Unicode, \\n, \\b or \\t"},
        {"type \\u{d800}",
         "t.script:1: U+D800 is no key: expected printable Unicode, \\n, \\b or \\t"},
        {"type \\u{110000}",
         "t.script:1: U+110000 is no key: expected printable Unicode, \\n, \\b or \\t"},
        {"type a\x1B[A",
         "t.script:1: U+001B is no key: expected printable Unicode, \\n, \\b or \\t"},
        {"type a\xE4", "t.script:1: the byte 0xE4 is no UTF-8; save the file as UTF-8"},
        {"type \xC0\x80", "t.script:1: the byte 0xC0 is no UTF-8; save the file as UTF-8"},
        {"wait", "t.script:1: missing a number of milliseconds, 0 to 3600000"},
        {"wait -5", "t.script:1: \"-5\" is no number of milliseconds: expected 0 to 3600000"},
        {"wait 3600001", "t.script:1: 3600001 ms is too long: expected 0 to 3600000"},
        {"wait 99999999999999999999", "t.script:1: \"99999999999999999999\" is no number of "
                                      "milliseconds: expected 0 to 3600000"},
        {"wait 5 6", "t.script:1: \"6\" is too much; end the line before it"},
        {"pace 5 # five", "t.script:1: \"#\" is too much; end the line before it"},
        {"await-turn 5 x", "t.script:1: \"x\" is no number of milliseconds: expected 0 to 3600000"},
        {"await-turn 5 6 7", "t.script:1: \"7\" is too much; end the line before it"},
        {"key return",
         "t.script:1: \"return\" is no key: expected Return, BackSpace, Tab, space or one "
         "character"},
        {"key",
         "t.script:1: \"\" is no key: expected Return, BackSpace, Tab, space or one character"},
        {"key Tab Tab", "t.script:1: \"Tab\" is too much; end the line before it"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct script *script = NULL;
        struct bl_diag diag = {{0}};
        assert_int_equal(script_parse(&script, bad[i].text, strlen(bad[i].text), "t.script", &diag),
                         BL_DATA);
        assert_string_equal(diag.text, bad[i].message);
        assert_null(script);
    }
}

static void a_nul_is_no_key(void **state)
{
    struct script *script = NULL;
    (void)state;
    assert_int_equal(script_parse(&script, "type a\0b", 8, "t", NULL), BL_DATA);
    assert_int_equal(script_parse(&script, "type \\\0", 7, "t", NULL), BL_DATA);
    assert_int_equal(script_parse(&script, "\0", 1, "t", NULL), BL_DATA);
}

static void paces_and_waits(void **state)
{
    struct script *script =
        parse("type ab\nwait 500\npace 10\ntype cd\npace 0\ntype ef\nwait 40\n");
    static const uint64_t at[] = {0, 100, 600, 610, 610, 610};
    uint32_t points[8];
    uint64_t times[8], now = 7 * MS;
    (void)state;
    assert_int_equal(run(script, points, times, 8, &now), 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(times[i], (7 + at[i]) * MS);
    assert_int_equal(now, (7 + 610 + 40) * MS); /* done only when the last wait is over */
    script_destroy(script);
}

/* A caller that comes late loses no time over the whole, but never types two keys at once. */
static void lateness(void **state)
{
    struct script *script = parse("pace 10\ntype abcdef\n");
    (void)state;
    assert_int_equal(script_key(script, 0, 0), 'a');
    script_typed(script, 100);
    assert_int_equal(script_due(script, 100, 0), 10 * MS);
    assert_int_equal(script_key(script, 10 * MS - 1, 0), 0);
    script_typed(script, 13 * MS);
    assert_int_equal(script_due(script, 13 * MS, 0), 20 * MS);
    script_typed(script, 500 * MS);
    assert_int_equal(script_due(script, 500 * MS, 0), 505 * MS);
    assert_int_equal(script_key(script, 505 * MS, 0), 'd');
    /* Not taken: it stays due, as often as one asks. */
    assert_int_equal(script_key(script, 506 * MS, 0), 'd');
    assert_int_equal(script_due(script, 507 * MS, 0), 507 * MS);
    script_typed(script, 507 * MS);
    assert_int_equal(script_due(script, 507 * MS, 0), 515 * MS);
    script_destroy(script);
}

static void awaits_a_turn(void **state)
{
    struct script *script = parse("pace 0\ntype a\nawait-turn 300 5000\ntype b\nawait-turn 300\n"
                                  "type c\nawait-turn 50 100\nawait-turn 10\ntype d\n");
    (void)state;
    script_due(script, 1000 * MS, 0);
    script_typed(script, 1000 * MS);
    /* Nobody answers yet: the longest wait is the deadline. */
    assert_int_equal(script_due(script, 1000 * MS, 0), 6000 * MS);
    /* It answers: every key of it moves the deadline. */
    assert_int_equal(script_due(script, 2000 * MS, 2000 * MS), 2300 * MS);
    assert_int_equal(script_due(script, 2200 * MS, 2200 * MS), 2500 * MS);
    assert_int_equal(script_key(script, 2499 * MS, 2200 * MS), 0);
    assert_int_equal(script_key(script, 2500 * MS, 2200 * MS), 'b');
    script_typed(script, 2500 * MS);
    /* Nobody ever answers: 30 s by default. */
    assert_int_equal(script_due(script, 2600 * MS, 0), 32500 * MS);
    assert_int_equal(script_key(script, 32500 * MS, 0), 'c');
    script_typed(script, 32500 * MS);
    /* It never falls silent: the longest wait holds too. */
    assert_int_equal(script_due(script, 32590 * MS, 32590 * MS), 32600 * MS);
    /* The second one finds the silence already there. */
    assert_int_equal(script_key(script, 32600 * MS, 32590 * MS), 'd');
    script_destroy(script);
}

/* What the other party typed before our last key is no answer to it. */
static void an_old_answer_is_none(void **state)
{
    struct script *script = parse("pace 0\ntype a\nawait-turn 300\ntype b\nawait-turn 300 9000\n");
    (void)state;
    script_due(script, 1000 * MS, 900 * MS);
    script_typed(script, 1000 * MS);
    assert_int_equal(script_due(script, 1500 * MS, 900 * MS), 31000 * MS);
    assert_int_equal(script_key(script, 2500 * MS, 2200 * MS), 'b');
    script_typed(script, 2500 * MS);
    /* And a script whose last answer is awaited is not done before it comes. */
    assert_int_equal(script_due(script, 5000 * MS, 2200 * MS), 11500 * MS);
    assert_false(script_done(script));
    assert_int_equal(script_due(script, 6000 * MS, 5900 * MS), 6200 * MS);
    assert_int_equal(script_due(script, 6200 * MS, 5900 * MS), BL_NEVER);
    assert_true(script_done(script));
    script_destroy(script);
}

static void answer_during_a_wait_counts(void **state)
{
    struct script *script = parse("type a\nwait 2000\nawait-turn 300\ntype b\n");
    (void)state;
    script_due(script, 0, 0);
    script_typed(script, 0);
    assert_int_equal(script_due(script, 0, 0), 2000 * MS);
    assert_int_equal(script_key(script, 2000 * MS, 500 * MS), 'b');
    script_destroy(script);
}

static void skips(void **state)
{
    static const char text[] = "type abc\nwait 1000\nawait-turn 100 1000\ntype de\nwait 5\n";
    (void)state;
    for (uint64_t skip = 0; skip <= 6; skip++) {
        struct script *script = parse(text);
        uint32_t points[8];
        uint64_t times[8], now = 3 * MS;
        size_t count;
        script_skip(script, skip);
        assert_int_equal(script_done(script), skip > 5);
        count = run(script, points, times, 8, &now);
        assert_int_equal(count, skip > 5 ? 0 : 5 - skip);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(points[i], "abcde"[skip + i]);
        /* Waits before a skipped key are skipped, the ones after the last are not. */
        if (skip == 3)
            assert_int_equal(times[0], 2003 * MS);
        else if (skip < 5)
            assert_int_equal(times[0], 3 * MS);
        script_destroy(script);
    }
}

static unsigned seed_get(void)
{
    const char *given = getenv("SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    printf("# SEED=%u\n", seed);
    srandom(seed);
    return seed;
}

/* Stopping anywhere and resuming by script_skip types what an undisturbed run types. */
static void resumes_anywhere(void **state)
{
    static const char *const lines[] = {"type hello\\n\n", "wait 30\n", "await-turn 20 50\n",
                                        "pace 7\n",        "key Tab\n", "# nothing\n",
                                        "type \"x y\"\n"};
    (void)state;
    seed_get();
    for (unsigned round = 0; round < 200; round++) {
        char text[512] = "";
        uint32_t whole[256], parts[256];
        uint64_t times[256], now = 0;
        size_t count, done = 0;
        struct script *script;
        for (unsigned i = 0; i < 20; i++)
            strcat(text, lines[(size_t)random() % (sizeof lines / sizeof *lines)]);
        script = parse(text);
        count = run(script, whole, times, 256, &now);
        assert_int_equal(count, script_keys(script));
        script_destroy(script);
        while (done < count) {
            size_t stop = done + 1 + (size_t)random() % (count - done);
            script = parse(text);
            script_skip(script, done);
            while (done < stop) {
                now = script_due(script, now, 0);
                parts[done] = script_key(script, now, 0);
                if (parts[done]) {
                    script_typed(script, now);
                    done++;
                }
            }
            script_destroy(script);
        }
        assert_memory_equal(whole, parts, count * sizeof *whole);
    }
}

/* Any bytes are parsed or refused with the name and a line; nothing is read beyond them. */
static void any_bytes(void **state)
{
    static const char seeds[] =
        "type \"a\\u{e9}\\n\"\nawait-turn 5 9\nkey Return\npace 3\n#x\nwait 4\n";
    (void)state;
    seed_get();
    for (unsigned round = 0; round < 20000; round++) {
        size_t length = (size_t)random() % sizeof seeds;
        char *text = malloc(length ? length : 1);
        struct script *script = NULL;
        struct bl_diag diag = {{0}};
        memcpy(text, seeds, length);
        for (unsigned i = 0; length && i < (unsigned)random() % 4; i++)
            text[(size_t)random() % length] =
                (char)(random() & 1 ? random() : "\"\\{}\n# "[random() % 7]);
        if (script_parse(&script, text, length, "f", &diag)) {
            unsigned line = 0;
            assert_int_equal(sscanf(diag.text, "f:%u:", &line), 1);
            assert_true(line >= 1);
        } else {
            script_destroy(script);
        }
        free(text);
    }
}

static void loads(void **state)
{
    const char *tmp = getenv("TMPDIR");
    char path[512];
    int fd;
    struct script *script = NULL;
    struct bl_diag diag = {{0}};
    char zero[4096] = {0};
    (void)state;
    snprintf(path, sizeof path, "%.400s/script.XXXXXX", tmp ? tmp : "/tmp");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "type abc\n", 9), 9);
    assert_int_equal(script_load(&script, path, &diag), BL_OK);
    assert_int_equal(script_keys(script), 3);
    script_destroy(script);
    for (unsigned i = 0; i < 257; i++)
        assert_int_equal(write(fd, zero, sizeof zero), sizeof zero);
    assert_int_equal(script_load(&script, path, &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "expected a script of at most 1048576 bytes"));
    close(fd);
    unlink(path);
    assert_int_equal(script_load(&script, path, &diag), BL_NOINPUT);
    assert_non_null(strstr(diag.text, path));
    assert_int_equal(script_load(&script, "/", &diag), BL_IO);
}

static void ballots(void **state)
{
    struct script *script = parse(
        "pace 0\ntype ab\nballot  left 60 right 40 \nwait 500\ntype c\nballot left 70 right 30\n");
    uint64_t now = 1000 * MS;
    (void)state;
    assert_true(script_has_ballot(script));
    assert_int_equal(script_keys(script), 3);
    assert_null(script_ballot(script, now, 0)); /* keys come first */
    for (const char *key = "ab"; *key; key++) {
        assert_int_equal(script_key(script, now, 0), *key);
        script_typed(script, now);
    }
    assert_int_equal(script_key(script, now, 0), 0);
    assert_int_equal(script_due(script, now, 0), now);
    assert_string_equal(script_ballot(script, now, 0), "left 60 right 40");
    assert_null(script_ballot(script, now, 0));
    assert_int_equal(script_due(script, now, 0), now + 500 * MS);
    assert_false(script_done(script));
    script_cut(script); /* the key is not awaited */
    assert_string_equal(script_ballot(script, now, 0), "left 70 right 30");
    script_cut(script);
    assert_null(script_ballot(script, now, 0));
    assert_true(script_done(script));
    script_destroy(script);

    script = parse("ballot human left\nwait 100\nballot human right\n");
    script_cut(script); /* nothing to skip */
    assert_string_equal(script_ballot(script, now, 0), "human left");
    script_cut(script);
    assert_null(script_ballot(script, now, 0));
    assert_string_equal(script_ballot(script, now + 100 * MS, 0), "human right");
    script_destroy(script);
    script = parse("type a\n");
    assert_false(script_has_ballot(script));
    script_destroy(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types),
        cmocka_unit_test(nothing),
        cmocka_unit_test(messages),
        cmocka_unit_test(ballots),
        cmocka_unit_test(a_nul_is_no_key),
        cmocka_unit_test(paces_and_waits),
        cmocka_unit_test(lateness),
        cmocka_unit_test(awaits_a_turn),
        cmocka_unit_test(an_old_answer_is_none),
        cmocka_unit_test(answer_during_a_wait_counts),
        cmocka_unit_test(skips),
        cmocka_unit_test(resumes_anywhere),
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(loads),
    };
    return cmocka_run_group_tests_name("script", tests, NULL, NULL);
}
