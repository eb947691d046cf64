/* A live referee's text at the desk: whole by any questions, begun again with either end, with
 * names for the back room alone; and a wish of the referee's, which is done once, whatever somebody
 * plays again, and at a bounded rate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "desk/watch.h"
#include "journal/journal.h"
#include "tests/support/records.h"
#include "tests/support/scratch.h"

#define WALL UINT64_C(1795289010000000)
#define ROWS 3000
#define LINE1                                                                                      \
    "{\"place\":\"booth-1-judge\",\"session\":\"r1-j1\",\"side\":0,\"party\":0,\"first\":1,"

static char folder[SCRATCH_MAX], inbox[SCRATCH_MAX + 16], *seen;
static struct referee_watch *watch;
static unsigned wishes, draws, refusals;
static uint64_t clock_us;
static bool busy;

static void type(unsigned first, unsigned count)
{
    char path[SCRATCH_MAX + 80];
    uint8_t bytes[JOURNAL_RECORD_MAX];
    snprintf(path, sizeof path, "%s/booth-1-judge/r1-j1-judge.journal", inbox);
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    for (unsigned i = 0; i < count; i++) {
        const struct journal_record keys =
            records_keys(SIDE_LEFT, PARTY_JUDGE, first + i, WALL, "x");
        size_t length = journal_encode(&keys, bytes);
        assert_int_equal(fwrite(bytes, 1, length, file), length);
    }
    assert_int_equal(fclose(file), 0);
}

static void name_side(void *ctx, const char *session, enum side side, char out[WATCH_WHO])
{
    (void)ctx;
    snprintf(out, WATCH_WHO, "C2 of %s %d", session, (int)side);
}

static bool limit(void *ctx, struct referee_watch *of, const char *bytes, size_t length)
{
    (void)ctx, (void)of;
    assert_int_equal(length, 4);
    assert_memory_equal(bytes, "wish", 4);
    wishes += !busy;
    return !busy;
}

static void refused(void *ctx)
{
    (void)ctx;
    refusals++;
}

static void draw(void *ctx, char number[WATCH_NUMBER + 1])
{
    (void)ctx;
    snprintf(number, WATCH_NUMBER + 1, "%0*u", WATCH_NUMBER, ++draws);
}

static void open_watch(bool back)
{
    const struct watch_options options = {.inbox = inbox,
                                          .contest = "",
                                          .who = back ? name_side : NULL,
                                          .limit = back ? limit : NULL,
                                          .refused = refused,
                                          .draw = draw};
    watch_destroy(watch);
    assert_int_equal(watch_create(&watch, &options, NULL), BL_OK);
    watch_add(watch, "booth-1-judge");
    watch_add(watch, WATCH_JUDGES);
}

static int begin(void **state)
{
    (void)state;
    wishes = draws = refusals = 0;
    busy = false;
    if (scratch_begin(folder, "watch"))
        return 1;
    snprintf(inbox, sizeof inbox, "%s/inbox", folder);
    scratch_run(folder, "mkdir -p inbox/booth-1-judge");
    seen = calloc(1, 1 << 20);
    return !seen;
}

static int end(void **state)
{
    (void)state;
    watch_destroy(watch);
    watch = NULL;
    free(seen);
    return scratch_end(folder);
}

/* One question; 0: it was not answered. */
static enum post_kind ask(const char *run, uint64_t offset, struct post_piece *answer)
{
    struct post_piece piece = {.kind = POST_WANT, .copy = 1, .offset = offset};
    snprintf(piece.file, sizeof piece.file, WATCH_LIVE "%s", run);
    return watch_hear(watch, &piece, (struct bl_time){.mono_us = clock_us}, answer) ? answer->kind
                                                                                    : 0;
}

/* Asks until nothing is new, each question twice. */
static const char *read_text(const char *run, uint64_t offset)
{
    struct post_piece answer;
    uint64_t first = offset;
    clock_us += 1000000;
    while (ask(run, offset, &answer) == POST_PIECE) {
        assert_int_equal(ask(run, offset, &answer), POST_PIECE);
        assert_int_equal(answer.offset, offset);
        memcpy(seen + (offset - first), answer.bytes, answer.length);
        offset += answer.length;
    }
    assert_int_equal(answer.kind, POST_HAVE);
    assert_int_equal(answer.offset, offset);
    seen[offset - first] = '\0';
    return seen;
}

/* The number for a wish; "": none now. */
static const char *number(const char *run)
{
    static char digits[WATCH_NUMBER + 1];
    struct post_piece answer, piece = {.kind = POST_ASK, .copy = 1};
    snprintf(piece.file, sizeof piece.file, WATCH_LIMIT "%s", run);
    digits[0] = '\0';
    if (watch_hear(watch, &piece, (struct bl_time){.mono_us = clock_us}, &answer)) {
        assert_int_equal(answer.kind, POST_PIECE);
        assert_string_equal(answer.file, piece.file);
        assert_int_equal(answer.length, WATCH_NUMBER);
        memcpy(digits, answer.bytes, WATCH_NUMBER);
    }
    return digits;
}

static void wish(const char *digits)
{
    struct post_piece answer,
        piece = {.kind = POST_PIECE, .copy = 1, .bytes = (const uint8_t *)"wish", .length = 4};
    snprintf(piece.file, sizeof piece.file, WATCH_LIMIT "%s", digits);
    assert_false(watch_hear(watch, &piece, (struct bl_time){.mono_us = clock_us}, &answer));
}

static void end_act(int status, const char *said)
{
    watch_done(watch, (struct bl_time){.mono_us = clock_us}, status, said);
}

static void test_names(void **state)
{
    (void)state;
    type(1, 1);
    open_watch(false);
    assert_string_equal(read_text("a", 0), LINE1 "\"text\":\"x\"}\n");
    open_watch(true);
    assert_string_equal(read_text("a", 0), LINE1 "\"text\":\"x\",\"who\":\"C2 of r1-j1 0\"}\n");
}

/* More than the desk keeps of a text waits in the files. */
static void test_a_long_text(void **state)
{
    unsigned rows = 0;
    (void)state;
    type(1, ROWS);
    open_watch(false);
    for (const char *at = read_text("a", 0); *at; at = strchr(at, '\n') + 1) {
        char first[32];
        snprintf(first, sizeof first, "\"first\":%u,", ++rows);
        const char *found = strstr(at, first);
        assert_true(found && found < strchr(at, '\n'));
    }
    assert_int_equal(rows, ROWS);
}

static void test_either_end_again(void **state)
{
    struct post_piece answer;
    (void)state;
    type(1, 2);
    open_watch(false);
    size_t length = strlen(read_text("a", 0));
    assert_string_equal(read_text("a", length), "");
    assert_int_equal(ask("a", length + 1, &answer), POST_OTHER);
    assert_int_equal(ask("b", length, &answer), POST_OTHER); /* the desk began again */
    assert_int_equal(strlen(read_text("b", 0)), length);
    assert_int_equal(ask("a", length, &answer), POST_OTHER);
    type(3, 1);
    assert_non_null(strstr(read_text("b", length), "\"first\":3,"));
}

/* A machine that asks without end costs the desk a look in each tenth of a second, and one new text
 * in each second. */
static void test_a_greedy_machine(void **state)
{
    struct post_piece answer;
    (void)state;
    open_watch(false);
    clock_us += 1000000;
    assert_int_equal(ask("a", 0, &answer), POST_HAVE);
    type(1, 1);
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(ask("a", 0, &answer), POST_HAVE);
        assert_int_equal(ask("b", 0, &answer), 0);
        clock_us += 9999;
    }
    clock_us += 10;
    assert_int_equal(ask("a", 0, &answer), POST_PIECE);
    clock_us += 1000000;
    assert_int_equal(ask("b", 0, &answer), POST_PIECE);
}

#define DONE(number, status, said)                                                                 \
    "{\"done\":\"0000000000000000000000000000000" number "\",\"status\":" status                   \
    ",\"said\":\"" said "\"}\n"

static void test_a_wish(void **state)
{
    (void)state;
    open_watch(true);
    assert_string_equal(number("a"), ""); /* before a text, its answer would be lost */
    read_text("a", 0);
    assert_string_equal(number("b"), "");
    busy = true;
    wish(number("a"));
    busy = false;
    wish(number("a"));
    assert_int_equal(wishes, 1);
    assert_int_equal(draws, 2);
    assert_string_equal(number("a"), ""); /* one at a time */
    end_act(0, "C2 is limited");
    clock_us += WATCH_PACE_S * 1000000;
    assert_string_equal(number("a"), ""); /* the outcome is not read yet */
    size_t length = strlen(read_text("a", 0));
    assert_string_equal(seen, DONE("2", "0", "C2 is limited"));
    wish(number("a"));
    assert_int_equal(wishes, 2);
    end_act(1, "no");
    end_act(1, "an act of the manager's");
    assert_string_equal(read_text("a", length), DONE("3", "1", "no"));
    assert_int_equal(refusals, 0);
}

/* Somebody keeps the network's messages, and gives them again, or late: with the same text, with
 * another one, and with the text of that time. */
static void test_played_again(void **state)
{
    char used[WATCH_NUMBER + 1];
    struct post_piece answer;
    (void)state;
    open_watch(true);
    read_text("a", 0);
    snprintf(used, sizeof used, "%s", number("a"));
    wish(used);
    wish(used); /* while the first is being done */
    end_act(0, "C2 is limited");
    read_text("a", 0);
    for (unsigned i = 0; i < 3; i++) {
        clock_us += WATCH_PACE_S * 1000000;
        wish(used);
        ask(i % 2 ? "a" : "b", 0, &answer);
        wish(used);
    }
    assert_int_equal(wishes, 1);
    assert_int_equal(refusals, 4); /* once in ten seconds */
    read_text("c", 0);
    snprintf(used, sizeof used, "%s", number("c"));
    assert_string_not_equal(used, "");
    assert_string_equal(number("c"), used); /* a question that is played again disturbs none */
    clock_us += WATCH_PACE_S * 1000000;
    wish(used); /* late */
    assert_int_equal(wishes, 1);
    assert_int_equal(refusals, 5);
    assert_string_not_equal(number("c"), used);
    wish("");
    assert_int_equal(wishes, 1);
    wish(number("c"));
    assert_int_equal(wishes, 2);
}

/* The next text tells what became of a wish: its machine may have missed it. */
static void test_outcome_in_the_next_text(void **state)
{
    (void)state;
    open_watch(true);
    read_text("a", 0);
    wish(number("a"));
    read_text("b", 0);
    end_act(0, "one");
    assert_string_equal(read_text("b", 0), DONE("1", "0", "one"));
    assert_string_equal(read_text("c", 0), DONE("1", "0", "one"));
    open_watch(true);
    assert_string_equal(read_text("d", 0), "");
}

/* A machine that wishes without end, with new texts, has one act in ten seconds. */
static void test_pace(void **state)
{
    char run[16];
    (void)state;
    open_watch(true);
    for (unsigned i = 0; i < 40; i++) {
        snprintf(run, sizeof run, "%08x", i);
        read_text(run, 0); /* takes a second */
        wish(number(run));
        end_act(1, "no");
        read_text(run, 0);
    }
    assert_int_equal(wishes, 80 / WATCH_PACE_S);
}

static void test_no_wish_of_the_judges_room(void **state)
{
    (void)state;
    open_watch(false);
    read_text("a", 0);
    assert_string_equal(number("a"), "");
    wish("a");
    end_act(0, "x");
    assert_string_equal(read_text("a", 0), "");
}

/* Whatever else a referee's machine says has no answer: it has no records and no tickets. */
static void test_other_messages(void **state)
{
    static const char *const files[] = {"stick.list", "r1-j1-judge.journal", "live", "limi-a"};
    struct post_piece answer;
    (void)state;
    open_watch(true);
    read_text("a", 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (enum post_kind kind = POST_ASK; kind <= POST_WANT; kind++) {
            struct post_piece piece = {.kind = kind, .copy = 1};
            snprintf(piece.file, sizeof piece.file, "%s", files[i]);
            assert_false(watch_hear(watch, &piece, (struct bl_time){.mono_us = 1}, &answer));
        }
    }
    assert_int_equal(wishes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names, begin, end),
        cmocka_unit_test_setup_teardown(test_a_long_text, begin, end),
        cmocka_unit_test_setup_teardown(test_either_end_again, begin, end),
        cmocka_unit_test_setup_teardown(test_a_greedy_machine, begin, end),
        cmocka_unit_test_setup_teardown(test_a_wish, begin, end),
        cmocka_unit_test_setup_teardown(test_played_again, begin, end),
        cmocka_unit_test_setup_teardown(test_outcome_in_the_next_text, begin, end),
        cmocka_unit_test_setup_teardown(test_pace, begin, end),
        cmocka_unit_test_setup_teardown(test_no_wish_of_the_judges_room, begin, end),
        cmocka_unit_test_setup_teardown(test_other_messages, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
