/* A steward's call stays until it is taken back, kill -9 or not. A judge's lights the controller's
 * box and is told at the other ends. An entity's end keeps its own to itself: nothing on the
 * judge's side, neither screen, box nor record, tells that a person at the other end has called. */
#include "tests/world/controller.h"
#include "tests/world/oracles.h"

#include "firmware/core/board_io.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#define CALLED "You have called the steward: please wait."
#define HERE   "You have called the steward: raise your hand too, and wait."
#define COMING "The steward is coming."

static bool lights_break(struct scene *s)
{
    return (controller_lamps(s->controller) & (IO_LAMP_BREAK | IO_LAMP_FAULT)) == IO_LAMP_BREAK;
}

static bool lights_fault(struct scene *s)
{
    return (controller_lamps(s->controller) & (IO_LAMP_BREAK | IO_LAMP_FAULT)) == IO_LAMP_FAULT;
}

static bool sounds(struct scene *s)
{
    return controller_lamps(s->controller) & IO_BUZZER;
}

/* Both lamps by turns, and the sound. */
static void see_call(struct scene *s)
{
    assert_true(scene_wait(s, lights_break) && scene_wait(s, lights_fault) &&
                scene_wait(s, lights_break) && scene_wait(s, sounds));
    assert_null(oracle_found(s->oracle));
}

static void see_none(struct scene *s)
{
    scene_pass(s, SECOND);
    for (unsigned i = 0; i < 400; i++) {
        assert_false(lights_break(s) || lights_fault(s) || sounds(s));
        scene_pass(s, 20000);
    }
}

/* A judge calls, is killed, and takes the call back: on record for each of his lines. */
static void judge_calls(struct scene *s)
{
    scene_command(s, JUDGE, SCREEN_STEWARD);
    assert_true(scene_will_read(s, JUDGE, CALLED));
    assert_true(scene_will_read(s, LEFT, COMING));
    assert_false(scene_reads(s, LEFT, "You have called"));
    see_call(s);
    scene_kill(s, JUDGE, SECOND);
    assert_true(scene_will_not_read(s, JUDGE, CALLED));
    assert_true(scene_will_read(s, JUDGE, CALLED));
    scene_kill(s, LEFT, SECOND);
    assert_true(scene_will_not_read(s, LEFT, COMING));
    assert_true(scene_will_read(s, LEFT, COMING));
    see_call(s);
    scene_command(s, JUDGE, SCREEN_STEWARD);
    assert_true(scene_will_not_read(s, JUDGE, CALLED));
    assert_true(scene_will_not_read(s, LEFT, COMING));
    see_none(s);
    assert_int_equal(scene_notes(s, JUDGE, "the steward is called\n"), SIDES);
    assert_int_equal(scene_notes(s, JUDGE, "the call is taken back\n"), SIDES);
}

/* An entity's end calls, is killed, and takes the call back; the judge's side stays as it was. */
static void entity_calls(struct scene *s)
{
    scene_command(s, LEFT, SCREEN_STEWARD);
    assert_true(scene_will_read(s, LEFT, HERE));
    see_none(s);
    assert_false(scene_reads(s, JUDGE, "teward is"));
    scene_kill(s, LEFT, SECOND);
    assert_true(scene_will_not_read(s, LEFT, HERE));
    assert_true(scene_will_read(s, LEFT, HERE));
    see_none(s);
    scene_command(s, LEFT, SCREEN_STEWARD);
    assert_true(scene_will_not_read(s, LEFT, HERE));
    see_none(s);
    assert_int_equal(scene_notes(s, LEFT, "the steward is called\n"), 1);
    assert_int_equal(scene_notes(s, LEFT, "the call is taken back\n"), 1);
    assert_int_equal(scene_notes(s, JUDGE, "steward"), 0);
}

static void test_steward(void **state)
{
    (void)state;
    struct scene *s = scene_begin(
        &(struct scene_setup){.seed = 3, .plan = "600 left,5 right", .controller = true});
    assert_true(scene_wait(s, scene_is_open));
    assert_int_equal(scene_notes(s, JUDGE, "steward") + scene_notes(s, LEFT, "steward"), 0);
    see_none(s);
    entity_calls(s);
    judge_calls(s);
    scene_pass(s, 600 * SECOND);
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steward)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
