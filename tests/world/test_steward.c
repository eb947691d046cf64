/* A steward's call: it lights the controller's box, stays at both ends and on record until it is
 * taken back, kill -9 or not, and does not tell the judge who calls. */
#include "tests/world/controller.h"
#include "tests/world/oracles.h"

#include "firmware/core/board_io.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#define CALLED "You have called the steward: please wait."
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

/* One end calls, is killed, and takes the call back: on record for each of its lines. */
static void call(struct scene *s, enum place place, enum place other)
{
    unsigned lines = place == JUDGE ? SIDES : 1;
    scene_command(s, place, SCREEN_STEWARD);
    assert_true(scene_will_read(s, place, CALLED));
    assert_true(scene_will_read(s, other, COMING));
    assert_false(scene_reads(s, other, CALLED));
    see_call(s);
    scene_kill(s, place, SECOND);
    assert_true(scene_will_not_read(s, place, CALLED));
    assert_true(scene_will_read(s, place, CALLED));
    assert_true(scene_will_read(s, other, COMING));
    see_call(s);
    scene_command(s, place, SCREEN_STEWARD);
    assert_true(scene_will_not_read(s, place, CALLED));
    assert_true(scene_will_not_read(s, other, COMING));
    see_none(s);
    assert_int_equal(scene_notes(s, place, "the steward is called\n"), lines);
    assert_int_equal(scene_notes(s, place, "the call is taken back\n"), lines);
}

static void test_steward(void **state)
{
    (void)state;
    struct scene *s = scene_begin(
        &(struct scene_setup){.seed = 3, .plan = "600 left,5 right", .controller = true});
    assert_true(scene_wait(s, scene_is_open));
    assert_int_equal(scene_notes(s, JUDGE, "steward") + scene_notes(s, LEFT, "steward"), 0);
    see_none(s);
    call(s, LEFT, JUDGE);
    call(s, JUDGE, LEFT);
    scene_pass(s, 600 * SECOND);
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steward)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
