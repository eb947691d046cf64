/* The judge's ballot in a session: it opens by itself after the cut, takes no key that was meant
 * for an entity and gives none to one, is kept while it is filled in, given, corrected, sealed. */
#include "tests/world/oracles.h"

#include "rules/ruleset_lines.h"
#include "screen/form.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "s-judge.ballot"
#define SCRIPT    "judge.script"

static struct ruleset ruleset;

static struct scene *begin(const char *rules, const char *plan)
{
    const struct built_text *found;
    assert_int_equal(ruleset_find(&found, rules, NULL), BL_OK);
    assert_int_equal(ruleset_parse(&ruleset, found->text, found->name, NULL), BL_OK);
    struct scene *s = scene_begin(
        &(struct scene_setup){.seed = 5, .plan = plan, .starts = STARTS_EITHER, .by_hand = true});
    s->judge.ruleset = &ruleset;
    return s;
}

/* The lines of the ballot's file, without times and checksums. */
static const char *lines(struct scene *s)
{
    static char text[4096];
    char path[PATH_MAX], line[2048];
    size_t length = 0;
    text[0] = '\0';
    snprintf(path, sizeof path, "%s/%s", machine_folder(s->station[JUDGE].machine), FILE_NAME);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        char *end = strstr(line, " *"), *at = strchr(line, ' ');
        if (!end || strncmp(line, "boothlink-ballot", 16) == 0)
            continue;
        *end = '\0';
        length += (size_t)snprintf(text + length, sizeof text - length, "%s\n", at + 1);
    }
    if (file)
        fclose(file);
    return text;
}

static bool last_is(struct scene *s, const char *line)
{
    const char *all = lines(s);
    size_t length = strlen(all), end = strlen(line) + 1;
    return length >= end && strncmp(all + length - end, line, end - 1) == 0;
}

static bool will_be_last(struct scene *s, const char *line)
{
    for (unsigned i = 0; i < 500 && !last_is(s, line); i++)
        scene_pass(s, 20000);
    return last_is(s, line);
}

static const struct form *form(struct scene *s)
{
    const struct screen_model *model = person_sees(s->station[JUDGE].process);
    return model ? model->form : NULL;
}

static void press(struct scene *s, enum input_what what)
{
    person_input(s->station[JUDGE].process, what);
    scene_pass(s, SECOND / 4);
}

static void type(struct scene *s, const char *text)
{
    scene_type(s, JUDGE, text);
    scene_pass(s, strlen(text) * SECOND / 5 + SECOND / 4);
}

static bool is_shown(struct scene *s)
{
    return form(s) && form(s)->state == FORM_SHOWN;
}

static bool is_open(struct scene *s)
{
    return form(s) && form(s)->state == FORM_OPEN;
}

/* Filled in after the cut, while a half-typed sentence goes on. */
static void test_cut(void **state)
{
    (void)state;
    struct scene *s = begin("loebner-2009", "6 both,60 review");
    assert_true(scene_wait(s, scene_is_open));
    type(s, "before");
    assert_true(scene_wait(s, is_shown));
    for (unsigned i = 0; i < 30; i++) { /* each would choose LEFT */
        scene_type(s, JUDGE, "l");
        scene_pass(s, SECOND / 4);
        assert_true(is_shown(s));
    }
    assert_int_equal(form(s)->choice, -1);
    assert_string_equal(lines(s), "");
    assert_true(scene_notes(s, JUDGE, "l") > 0); /* refused */
    assert_true(scene_wait(s, is_open));
    press(s, INPUT_F3); /* it does not close what has just opened */
    assert_true(is_open(s));
    type(s, "l\twrote of its dog");
    assert_int_equal(form(s)->choice, SIDE_LEFT);
    assert_true(will_be_last(s, "draft human left notes wrote of its dog"));
    scene_kill(s, JUDGE, SECOND);
    assert_true(scene_wait(s, is_open));
    assert_int_equal(form(s)->choice, SIDE_LEFT);
    assert_string_equal(form(s)->notes, "wrote of its dog");
    assert_int_equal(form(s)->standing, FORM_NOT_GIVEN);
    type(s, "\n");
    assert_true(will_be_last(s, "given human left notes wrote of its dog"));
    assert_int_equal(form(s)->standing, FORM_GIVEN);
    type(s, "r\n");
    assert_true(will_be_last(s, "given human right notes wrote of its dog"));
    assert_true(scene_wait(s, scene_is_over));
    assert_true(last_is(s, "sealed"));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "before");
    assert_string_equal(scene_text(s, JUDGE, SIDE_RIGHT), "");
    assert_string_equal(scene_end(s), "");
}

/* Filled in while the lines are open: F3 gives the keyboard to the ballot, and takes it back. */
static void test_open(void **state)
{
    (void)state;
    struct scene *s = begin("loebner-2004", "60 both,5 change");
    s->judge.begin_by_key = true;
    assert_true(scene_will_read(s, JUDGE, "press F9 to begin"));
    press(s, INPUT_F3);
    assert_true(scene_reads(s, JUDGE, "The ballot opens when the session has begun."));
    scene_pass(s, 5 * SECOND); /* the lines come up */
    scene_command(s, JUDGE, SCREEN_BEGIN);
    assert_true(scene_wait(s, scene_is_open));
    assert_false(is_open(s));
    type(s, "before");
    press(s, INPUT_F3);
    type(s, "80");
    assert_string_equal(form(s)->number[SIDE_LEFT], "80");
    assert_string_equal(form(s)->number[SIDE_RIGHT], "20");
    type(s, "\t\tnot for them");
    assert_true(will_be_last(s, "draft left 80 right 20 notes not for them"));
    type(s, "\n");
    assert_true(will_be_last(s, "given left 80 right 20 notes not for them"));
    press(s, INPUT_F3);
    assert_int_equal(form(s)->state, FORM_AWAY);
    type(s, "after");
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "beforeafter");
    assert_true(last_is(s, "given left 80 right 20 notes not for them"));
    assert_string_equal(scene_end(s), "");
}

/* Where no line is open a key is no key for the page: the judge is told how to come back to the
 * ballot, as long as it is away. */
static void test_put_away(void **state)
{
    (void)state;
    struct scene *s = begin("loebner-2009", "6 both,30 review,5 change");
    assert_true(scene_wait(s, scene_is_open));
    assert_true(scene_wait(s, is_open));
    press(s, INPUT_F3); /* takes up what had opened by itself */
    press(s, INPUT_F3);
    assert_int_equal(form(s)->state, FORM_AWAY);
    type(s, "x");
    assert_true(scene_will_read(s, JUDGE, "This line is closed: F3 opens your ballot."));
    press(s, INPUT_F3);
    assert_true(is_open(s));
    assert_false(scene_reads(s, JUDGE, "F3 opens your ballot"));
    type(s, "l\n");
    assert_true(scene_wait(s, scene_is_over));
    assert_string_equal(scene_end(s), "");
}

/* The entities' ends leave when the session is over. A judge whose ballot is not given is told of
 * that alone, and not that nobody can be reached. */
static void test_late(void **state)
{
    (void)state;
    struct scene *s = begin("loebner-2009", "6 both,5 review");
    s->judge.booth.day = true;
    assert_true(scene_wait(s, scene_is_open));
    assert_true(scene_will_read(s, JUDGE, "The session is over"));
    scene_pass(s, 20 * SECOND);
    assert_false(process_lives(s->station[LEFT].process));
    assert_false(scene_reads(s, JUDGE, "CANNOT BE REACHED"));
    assert_true(is_open(s));
    type(s, "l\n\n");
    assert_true(scene_wait(s, scene_is_over));
    assert_non_null(strstr(lines(s), "late human left\n"));
    assert_string_equal(scene_end(s), "");
}

static bool is_given(struct scene *s)
{
    return form(s) && form(s)->standing == FORM_GIVEN;
}

/* A machine of the contest goes on when the ballot is given. There is no word of leaving there, nor
 * of a later correction. */
static void test_goes_on(void **state)
{
    (void)state;
    struct scene *s = begin("three-party-2025", "6 both");
    s->judge.booth.day = true;
    assert_true(scene_wait(s, scene_is_open));
    assert_true(scene_will_read(s, JUDGE, "The session is over"));
    press(s, INPUT_F3);
    assert_non_null(strstr(form(s)->about, "It can be corrected until you leave."));
    type(s, "l\t50\tquick\n");
    assert_true(scene_wait(s, is_given));
    assert_false(scene_reads(s, JUDGE, "F10 leaves"));
    assert_true(scene_wait(s, scene_is_over));
    assert_string_equal(scene_end(s), "");
}

/* By a script, which does not come to its end before the cut; the terminal is killed in
 * mid-line. */
static void test_script(void **state)
{
    char path[PATH_MAX];
    (void)state;
    struct scene *s = begin("loebner-2004", "20 both,8 change");
    FILE *file = fopen(SCRIPT, "w");
    fputs("wait 50\nballot left 60 right 40 notes the left is quick\nwait 9000\n"
          "ballot left 35 right 65\nwait 60000\ntype x\nballot left 34 right 66 notes after the "
          "cut\n",
          file);
    fclose(file);
    s->judge.booth.script = SCRIPT;
    assert_true(scene_wait(s, scene_is_open));
    assert_true(will_be_last(s, "given left 60 right 40 notes the left is quick"));
    scene_kill(s, JUDGE, SECOND);
    snprintf(path, sizeof path, "%s/%s", machine_folder(s->station[JUDGE].machine), FILE_NAME);
    file = fopen(path, "a");
    fputs("1795000000000000 given left 70 ri", file); /* a power cut in mid-line */
    fclose(file);
    machine_wrote(s->station[JUDGE].machine, path);
    assert_true(scene_wait(s, scene_is_over));
    assert_int_equal(scene_notes(s, JUDGE, "damaged lines of the ballot were left out"), 1);
    assert_string_equal(lines(s), "given left 60 right 40 notes the left is quick\n"
                                  "given left 35 right 65\n"
                                  "given left 34 right 66 notes after the cut\n"
                                  "sealed\n");
    assert_string_equal(scene_end(s), "");
    remove(SCRIPT);
}

/* The judge ends a round by an early verdict, which is asked for twice. */
static void give_early(struct scene *s)
{
    press(s, INPUT_F3);
    type(s, "l\n");
    assert_string_equal(form(s)->hint,
                        "Given now it ends the conversation. Return again gives it.");
    assert_false(scene_notes(s, JUDGE, "the verdict is given"));
    scene_type(s, JUDGE, "\n");
}

static struct scene *begin_early(const char *plan)
{
    struct scene *s = begin("loebner-2009", plan);
    ruleset.early_verdict = WORD_YES;
    assert_true(scene_wait(s, scene_is_open));
    type(s, "so");
    assert_true(scene_wait(s, scene_is_quiet));
    return s;
}

static bool is_noted(struct scene *s)
{
    return scene_notes(s, JUDGE, "the verdict is given before the time is over") > 0;
}

/* Both sides' sessions end with it, whatever parts were to come. */
static void test_early(void **state)
{
    static const char *const plan[] = {"300 both", "300 left,300 right,60 review"};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct scene *s = begin_early(plan[i]);
        give_early(s);
        assert_true(scene_wait(s, is_noted));
        uint64_t given_us = world_now();
        assert_true(scene_wait(s, scene_is_over));
        assert_true(world_now() - given_us < 60 * SECOND);
        assert_string_equal(lines(s), "draft human left\ngiven human left\nsealed\n");
        assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "so");
        assert_string_equal(scene_end(s), "");
    }
}

/* A terminal that is killed before the end comes to it when it is started again; an entity's that
 * cannot be reached hears of it then. */
static void test_early_killed(void **state)
{
    (void)state;
    struct scene *s = begin_early("300 both");
    cable_plug(s->cable[SIDE_RIGHT], false);
    scene_pass(s, 5 * SECOND);
    give_early(s);
    assert_true(scene_wait(s, is_noted));
    scene_kill(s, JUDGE, 2 * SECOND);
    scene_pass(s, 5 * SECOND);
    cable_plug(s->cable[SIDE_RIGHT], true);
    assert_true(scene_wait(s, scene_is_over));
    assert_true(last_is(s, "sealed"));
    assert_string_equal(scene_end(s), "");
}

/* Without the rule's word a ballot ends nothing. */
static void test_not_early(void **state)
{
    (void)state;
    struct scene *s = begin_early("30 both");
    ruleset.early_verdict = WORD_NO;
    press(s, INPUT_F3);
    type(s, "l\n");
    assert_true(last_is(s, "given human left"));
    scene_pass(s, 5 * SECOND);
    assert_true(scene_is_open(s));
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut),       cmocka_unit_test(test_open),
        cmocka_unit_test(test_put_away),  cmocka_unit_test(test_late),
        cmocka_unit_test(test_goes_on),   cmocka_unit_test(test_script),
        cmocka_unit_test(test_early),     cmocka_unit_test(test_early_killed),
        cmocka_unit_test(test_not_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
