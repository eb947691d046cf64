/* Readiness (DESIGN.md, "Blindness"): a program that takes its time is not told from a keyboard by
 * anything on the judge's screen. */
#include "tests/world/oracles.h"

#include "base/file.h"
#include "session/notice.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define LOOK   2048
#define SCRIPT "judge.script"

static struct scene *begin(enum side program, const char *plan, bool controller)
{
    struct scene *s = scene_begin(&(struct scene_setup){.seed = 4,
                                                        .plan = plan,
                                                        .starts = STARTS_EITHER,
                                                        .by_hand = true,
                                                        .controller = controller});
    world_slow_entries(true);
    s->entity[program].program.command = "./entry";
    if (!plan)
        s->judge.plan.count = 0;
    return s;
}

/* All that the judge's screen has but the pages. */
static void look(struct scene *s, char text[LOOK])
{
    static const struct view view = {.met = {true, true}};
    const struct screen_model *m = person_sees(s->station[JUDGE].process);
    struct notice notice[NOTICES];
    size_t length = 0;
    assert_non_null(m);
    for (unsigned side = 0; side < m->sides; side++)
        length += (size_t)snprintf(text + length, LOOK - length, "%s %s %d, ", m->side[side].title,
                                   m->side[side].state, m->side[side].reach);
    length += (size_t)snprintf(text + length, LOOK - length, "%s %s %s\n", m->segment,
                               m->message ? m->message : "", m->standing ? m->standing : "");
    for (unsigned i = 0, count = notice_list(m, &view, notice); i < count; i++)
        length += (size_t)snprintf(text + length, LOOK - length, "%s\n", notice[i].text);
}

static bool both_are(struct scene *s, const char *state)
{
    const struct screen_model *m = person_sees(s->station[JUDGE].process);
    return m && strcmp(m->side[SIDE_LEFT].state, state) == 0 &&
           strcmp(m->side[SIDE_RIGHT].state, state) == 0;
}

static bool both_are_open(struct scene *s)
{
    return both_are(s, "open");
}

/* A person at the other side types, the program waits, and is ready. What is seen while it
 * waits. */
static void play(enum side program, char waiting[LOOK])
{
    char now[LOOK];
    enum side person = program == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
    struct scene *s = begin(program, NULL, false);
    assert_true(scene_wait(s, both_are_open));
    scene_type(s, LEFT + person, "x");
    scene_pass(s, 2 * SECOND);
    assert_string_equal(scene_text(s, JUDGE, person), "x");
    look(s, waiting);
    for (unsigned i = 0; i < 100; i++) {
        look(s, now);
        assert_string_equal(now, waiting);
        assert_null(strstr(now, "ready"));
        scene_pass(s, 100000);
    }
    assert_string_equal(scene_text(s, JUDGE, program), "");
    world_slow_entries(false);
    scene_pass(s, 5 * SECOND);
    assert_string_equal(scene_text(s, JUDGE, program), "Hello\n");
    look(s, now);
    assert_string_equal(now, waiting);
    scene_end(s); /* a session without a plan goes on */
}

static void test_told_apart(void **state)
{
    char left[LOOK], right[LOOK];
    (void)state;
    play(SIDE_LEFT, left);
    play(SIDE_RIGHT, right);
    assert_string_equal(left, right);
}

/* A controller cuts the other line, so that nobody knows of both entities: the part opens as soon
 * as its line is there, and what the judge types meanwhile is there when the program is. */
static void test_controller(void **state)
{
    char now[LOOK];
    (void)state;
    struct scene *s = begin(SIDE_LEFT, "60 left,5 right", true);
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, JUDGE, "hello\n");
    for (unsigned i = 0; i < 100; i++) {
        look(s, now);
        assert_null(strstr(now, "ready"));
        scene_pass(s, 100000);
    }
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "hello\n");
    world_slow_entries(false);
    scene_pass(s, 10 * SECOND);
    assert_non_null(strstr(scene_text(s, JUDGE, SIDE_LEFT), "I am told, answer 1."));
    scene_end(s); /* the oracles are of persons: nobody has typed what the Entry said */
}

/* An Entry that ends before it is ready keeps no judge waiting, here a script without a screen. */
static void test_ended(void **state)
{
    static const char script[] = "pace 5\ntype Hello.\\n\n";
    (void)state;
    struct scene *s = begin(SIDE_LEFT, NULL, false);
    s->judge.booth.headless = true;
    s->judge.booth.script = SCRIPT;
    assert_int_equal(file_write(SCRIPT, script, strlen(script), NULL), BL_OK);
    scene_pass(s, 10 * SECOND);
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "");
    assert_true(world_entry_end(s->station[LEFT].machine));
    assert_true(scene_wait(s, scene_is_over));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "Hello.\n");
    assert_string_equal(scene_text(s, LEFT, SIDE_LEFT), "Hello.\n");
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).outcome, CLOSE_AGREED);
    assert_int_equal(scene_notes(s, LEFT, "ended by signal 9"), 1);
    scene_end(s); /* nobody typed what the script said */
    remove(SCRIPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_told_apart),
                                       cmocka_unit_test(test_controller),
                                       cmocka_unit_test(test_ended)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
