/* A referee limits what a confederate may say (1996 r15, 2003 r53): it stands on his screen and in
 * his record, and nowhere at the judge's end. */
#include "journal/journal.h"
#include "tests/world/oracles.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LIMIT "Do not name your employer."

/* The number of times that a text stands in a file, without the NULs between its words. */
static unsigned count_in(const char *path, const char *text)
{
    static char bytes[1 << 20];
    unsigned count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    for (size_t i = 0; i + strlen(text) <= length; i++)
        count += strncasecmp(bytes + i, text, strlen(text)) == 0;
    return count;
}

static void test_limited(void **state)
{
    char path[PATH_MAX];
    (void)state;
    struct scene *s = scene_begin(&(struct scene_setup){.seed = 12, .plan = "30 left"});
    s->entity[SIDE_LEFT].limit = LIMIT;
    assert_true(scene_will_read(s, LEFT, "A referee limits what you may say: " LIMIT));
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, JUDGE, "Who are you?\n\n");
    assert_true(scene_wait(s, scene_is_quiet));
    scene_type(s, LEFT, "Nobody\n");
    assert_true(scene_wait(s, scene_is_quiet));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "Who are you?\n\nNobody\n");
    assert_true(scene_reads(s, LEFT, LIMIT));
    assert_int_equal(scene_notes(s, LEFT, LIMIT), 1);
    static const char *const words[] = {"limit", "referee", "employer"};
    journal_name(machine_folder(s->station[JUDGE].machine), "s", PARTY_JUDGE, path);
    for (unsigned i = 0; i < 3; i++) {
        assert_false(scene_reads(s, JUDGE, words[i]));
        assert_int_equal(count_in(path, words[i]), 0);
    }
    assert_true(count_in(path, "y") > 0); /* of what he says each key is found there */
    assert_string_equal(scene_end(s), "");
}

/* A message of ten characters at most, of a person at both ends: further ones are not taken, and
 * BackSpace makes room; a restart knows how long it is. */
static void test_message_most(void **state)
{
    (void)state;
    struct scene *s =
        scene_begin(&(struct scene_setup){.seed = 13, .plan = "60 left", .starts = STARTS_EITHER});
    s->judge.typing.message_most = s->entity[SIDE_LEFT].typing.message_most = 10;
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, JUDGE, "0123456789XYZ");
    assert_true(scene_will_read(s, JUDGE, "The message is full: press Return to send it."));
    assert_true(scene_wait(s, scene_is_quiet));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "0123456789");
    scene_kill(s, JUDGE, SECOND);
    assert_true(scene_wait(s, scene_is_quiet));
    scene_type(s, JUDGE, "X\b\b89Y\nabc\n");
    assert_true(scene_wait(s, scene_is_quiet));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "0123456789\b\b89\nabc\n");
    scene_type(s, LEFT, "0123456789X");
    assert_true(scene_will_read(s, LEFT, "The message is full: press Return to send it."));
    scene_kill(s, LEFT, SECOND);
    scene_type(s, LEFT, "Y\nnext\n");
    assert_true(scene_wait(s, scene_is_quiet));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT),
                        "0123456789\b\b89\nabc\n0123456789\nnext\n");
    assert_int_equal(scene_notes(s, JUDGE, "refused, the message is full: "), 5);
    assert_int_equal(scene_notes(s, LEFT, "refused, the message is full: "), 2);
    assert_string_equal(scene_end(s), "");
}

/* Under a pace that holds messages back the held keys count. */
static void test_message_held(void **state)
{
    (void)state;
    struct scene *s =
        scene_begin(&(struct scene_setup){.seed = 14, .plan = "60 left", .starts = STARTS_EITHER});
    s->entity[SIDE_LEFT].typing.message_most = 10;
    assert_int_equal(pace_parse(&s->entity[SIDE_LEFT].pace, "message 60+-20 after 3000", NULL),
                     BL_OK);
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, LEFT, "012345678a\b9XY\n");
    assert_true(scene_wait(s, scene_is_quiet));
    scene_pass(s, 10 * SECOND);
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "0123456789\n");
    assert_string_equal(scene_end(s), "");
}

/* A program's message is cut, as a person's is; its Return sends it, and the rest is on its record
 * alone. */
static void test_message_of_entry(void **state)
{
    (void)state;
    struct scene *s =
        scene_begin(&(struct scene_setup){.seed = 15, .plan = "60 left", .starts = STARTS_EITHER});
    s->entity[SIDE_LEFT].program.command = "./entry";
    s->entity[SIDE_LEFT].typing.message_most = 4;
    assert_true(scene_wait(s, scene_is_open));
    assert_true(scene_will_note(s, LEFT, "refused, the message is full: o"));
    assert_true(scene_wait(s, scene_is_quiet));
    scene_type(s, JUDGE, "long\n\n");
    scene_pass(s, 10 * SECOND);
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "Hell\nlong\n\nI am\nI am\n");
    assert_int_equal(scene_notes(s, JUDGE, "full"), 0);
    assert_false(scene_reads(s, JUDGE, "full"));
    assert_string_equal(scene_end(s), "");
}

static struct scene *begin_strict(uint64_t seed, unsigned turn_s, const char *command)
{
    struct scene *s = scene_begin(&(struct scene_setup){.seed = seed, .plan = "300 left"});
    const struct typing_rules rules = {.strict = true, .turn_s = turn_s};
    s->judge.typing = s->entity[SIDE_LEFT].typing = rules;
    s->entity[SIDE_LEFT].program.command = command;
    assert_true(scene_wait(s, scene_is_open));
    return s;
}

static void see_strict(struct scene *s, const char *text)
{
    assert_true(scene_wait(s, scene_is_quiet));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), text);
}

#define NOT_YOURS "It is not your turn: that key was not taken."

/* Each in his turn, the judge first, across restarts of both ends and an outage. */
static void test_strict(void **state)
{
    (void)state;
    struct scene *s = begin_strict(16, 0, NULL);
    scene_type(s, LEFT, "x");
    assert_true(scene_will_read(s, LEFT, NOT_YOURS));
    scene_type(s, JUDGE, "who?\nx");
    assert_true(scene_will_read(s, JUDGE, NOT_YOURS));
    see_strict(s, "who?\n");
    scene_kill(s, JUDGE, SECOND);
    assert_true(scene_wait(s, scene_is_quiet));
    scene_type(s, JUDGE, "x");
    see_strict(s, "who?\n");
    scene_type(s, LEFT, "I");
    see_strict(s, "who?\nI");
    cable_plug(s->cable[SIDE_LEFT], false);
    scene_pass(s, 5 * SECOND);
    scene_type(s, LEFT, "\nx"); /* the Return waits, and has ended the turn */
    scene_pass(s, 5 * SECOND);
    scene_kill(s, LEFT, SECOND);
    scene_pass(s, 5 * SECOND);
    scene_type(s, LEFT, "x");
    scene_type(s, JUDGE, "x");
    scene_pass(s, SECOND);
    cable_plug(s->cable[SIDE_LEFT], true);
    see_strict(s, "who?\nI\n");
    scene_type(s, LEFT, "x");
    scene_type(s, JUDGE, "you?\n");
    see_strict(s, "who?\nI\nyou?\n");
    assert_int_equal(scene_notes(s, JUDGE, "refused, out of turn: x"), 3);
    assert_int_equal(scene_notes(s, LEFT, "refused, out of turn: x"), 4);
    assert_string_equal(scene_end(s), "");
}

/* A turn has its seconds, and goes to and fro without a Return. */
static void test_turn_seconds(void **state)
{
    (void)state;
    struct scene *s = begin_strict(17, 20, NULL);
    scene_pass(s, 30 * SECOND);
    scene_type(s, LEFT, "x"); /* the first turn has no end */
    scene_type(s, JUDGE, "a\n");
    see_strict(s, "a\n");
    scene_pass(s, 15 * SECOND);
    scene_type(s, JUDGE, "x");
    see_strict(s, "a\n");
    scene_pass(s, 10 * SECOND);
    scene_type(s, LEFT, "x");
    scene_type(s, JUDGE, "b");
    see_strict(s, "a\nb");
    scene_pass(s, 20 * SECOND);
    scene_type(s, JUDGE, "x");
    scene_type(s, LEFT, "c\n");
    see_strict(s, "a\nbc\n");
    scene_type(s, JUDGE, "d\n");
    see_strict(s, "a\nbc\nd\n");
    assert_string_equal(scene_end(s), "");
}

/* A program's words out of turn are on its record alone. */
static void test_strict_entry(void **state)
{
    (void)state;
    struct scene *s = begin_strict(18, 0, "./entry");
    assert_true(scene_will_note(s, LEFT, "refused, out of turn: H"));
    scene_type(s, JUDGE, "1\n");
    scene_pass(s, 10 * SECOND);
    see_strict(s, "1\nI am told, answer 1.\n");
    scene_type(s, JUDGE, "2\n");
    scene_pass(s, 10 * SECOND);
    see_strict(s, "1\nI am told, answer 1.\n2\nI am told, answer 2.\n");
    assert_int_equal(scene_notes(s, JUDGE, "out of turn"), 0);
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limited),      cmocka_unit_test(test_message_most),
        cmocka_unit_test(test_message_held), cmocka_unit_test(test_message_of_entry),
        cmocka_unit_test(test_strict),       cmocka_unit_test(test_turn_seconds),
        cmocka_unit_test(test_strict_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
