/* The beginning of a session, and who is asked for what meanwhile: F9 on a line that is not up, F9
 * that begins nothing, a line that is rightly cut, a controller that is unplugged. */
#include "tests/world/controller.h"
#include "tests/world/oracles.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#define PRESS "press F9 to begin"
#define AGAIN "F9 once more begins all the same"

static struct scene *begin(const char *plan, bool by_key, bool controller)
{
    return scene_begin(&(struct scene_setup){.seed = 6,
                                             .plan = plan,
                                             .starts = STARTS_EITHER,
                                             .begin_by_key = by_key,
                                             .by_hand = true,
                                             .controller = controller});
}

static void test_asked(void **state)
{
    (void)state;
    struct scene *s = begin("30 left,5 right", true, false);
    cable_plug(s->cable[SIDE_LEFT], false);
    assert_true(scene_will_read(s, JUDGE, PRESS));
    scene_pass(s, 10 * SECOND);
    scene_command(s, JUDGE, SCREEN_BEGIN);
    assert_true(scene_will_read(s, JUDGE, AGAIN));
    assert_true(scene_reads(s, JUDGE, PRESS));
    cable_plug(s->cable[SIDE_LEFT], true);
    scene_pass(s, 30 * SECOND); /* long enough that it is not a second yes */
    assert_true(scene_reads(s, JUDGE, PRESS));
    scene_command(s, JUDGE, SCREEN_BEGIN);
    assert_true(scene_wait(s, scene_is_open));
    scene_command(s, JUDGE, SCREEN_BEGIN);
    assert_true(scene_will_read(s, JUDGE, "The session has begun already."));
    assert_string_equal(scene_end(s), "");
}

/* A side whose line is not up has another word than one that waits for the key. */
static void test_not_connected(void **state)
{
    (void)state;
    struct scene *s = begin("30 left,5 right", true, false);
    cable_plug(s->cable[SIDE_LEFT], false);
    assert_true(scene_will_read(s, JUDGE, PRESS));
    scene_pass(s, 10 * SECOND);
    const struct screen_model *m = person_sees(s->station[JUDGE].process);
    assert_string_equal(m->side[SIDE_LEFT].state, "connecting");
    assert_string_equal(m->side[SIDE_RIGHT].state, PRESS);
    cable_plug(s->cable[SIDE_LEFT], true);
    scene_pass(s, 10 * SECOND);
    m = person_sees(s->station[JUDGE].process);
    assert_string_equal(m->side[SIDE_LEFT].state, PRESS);
    scene_command(s, JUDGE, SCREEN_BEGIN);
    assert_true(scene_wait(s, scene_is_open));
    assert_string_equal(scene_end(s), "");
}

static void test_second_yes(void **state)
{
    (void)state;
    struct scene *s = begin("30 left,5 right", true, false);
    cable_plug(s->cable[SIDE_LEFT], false);
    assert_true(scene_will_read(s, JUDGE, PRESS));
    scene_command(s, JUDGE, SCREEN_BEGIN);
    assert_true(scene_will_read(s, JUDGE, AGAIN));
    assert_false(scene_is_active(s, SIDE_LEFT));
    scene_command(s, JUDGE, SCREEN_BEGIN);
    assert_true(scene_will_not_read(s, JUDGE, PRESS));
    assert_true(scene_is_active(s, SIDE_LEFT));
    cable_plug(s->cable[SIDE_LEFT], true);
    assert_string_equal(scene_end(s), "");
}

/* With a controller, whose lines are cut before it begins. */
static void test_controller(void **state)
{
    (void)state;
    struct scene *s = begin("10 left,10 right", true, true);
    s->entity[SIDE_RIGHT].controlled = true; /* its ticket says so */
    controller_key_switch(s->controller, false);
    cable_plug(s->cable[SIDE_LEFT], false);
    assert_true(scene_will_read(s, JUDGE, "turn it to RUN"));
    scene_command(s, JUDGE, SCREEN_BEGIN);
    scene_pass(s, SECOND);
    controller_key_switch(s->controller, true);
    assert_true(scene_will_read(s, JUDGE, PRESS));
    scene_command(s, JUDGE, SCREEN_BEGIN);
    assert_true(scene_will_note(
        s, JUDGE, "a line of the first part is not connected: the clock does not start"));
    assert_true(scene_will_read(s, JUDGE, AGAIN));
    assert_int_equal(scene_notes(s, JUDGE, "part 1 runs"), 0);
    assert_true(scene_will_read(s, RIGHT, "not your part yet"));
    assert_false(scene_reads(s, RIGHT, "CANNOT BE REACHED"));
    cable_plug(s->cable[SIDE_LEFT], true);
    scene_command(s, JUDGE, SCREEN_BEGIN);
    assert_true(scene_will_note(s, JUDGE, "part 1 runs, 10.0 s left"));
    assert_true(scene_wait(s, scene_is_open));
    scene_command(s, JUDGE, SCREEN_OTHER_SIDE);
    assert_true(scene_will_read(s, JUDGE, "The other side is not open now"));
    assert_true(scene_is_active(s, SIDE_LEFT));
    assert_true(scene_reads(s, RIGHT, "not your part yet"));
    assert_true(scene_will_read(s, RIGHT, "open"));
    assert_true(scene_will_note(s, JUDGE, "the plan is over"));
    assert_string_equal(scene_end(s), "");
}

/* By itself it begins when all are there, and tells nothing of whom it waits for. */
static void test_ready(void **state)
{
    (void)state;
    struct scene *s = begin("10 left,10 right", false, true);
    cable_plug(s->cable[SIDE_LEFT], false);
    assert_true(scene_will_note(s, JUDGE, "a line of the first part is not connected"));
    for (unsigned i = 0; i < 100; i++) {
        const struct screen_model *model = person_sees(s->station[JUDGE].process);
        assert_string_equal(model->side[SIDE_LEFT].state, "starting");
        assert_string_equal(model->side[SIDE_RIGHT].state, "starting");
        scene_pass(s, 100000);
    }
    cable_plug(s->cable[SIDE_LEFT], true);
    assert_true(scene_will_note(s, JUDGE, "part 1 runs, 10.0 s left"));
    assert_true(scene_wait(s, scene_is_open));
    assert_string_equal(scene_end(s), "");
}

/* The controller is unplugged when all is ready: F9 is not on record as a beginning. */
static void test_unplugged(void **state)
{
    (void)state;
    struct scene *s = begin("10 left,10 right", true, true);
    assert_true(scene_will_read(s, JUDGE, PRESS));
    cable_adapter(controller_cable(s->controller), 0, false);
    assert_true(scene_will_not_read(s, JUDGE, PRESS));
    scene_command(s, JUDGE, SCREEN_BEGIN);
    scene_command(s, JUDGE, SCREEN_STEWARD);
    assert_true(scene_will_read(s, JUDGE, "You have called the steward: please wait."));
    assert_true(scene_reads(s, JUDGE, "controller"));
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).segments, 0);
    cable_adapter(controller_cable(s->controller), 0, true);
    assert_true(scene_will_read(s, JUDGE, PRESS));
    scene_command(s, JUDGE, SCREEN_BEGIN);
    assert_true(scene_will_note(s, JUDGE, "started: part 1"));
    assert_true(scene_wait(s, scene_is_open));
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).segment, SEGMENT_OPEN);
    assert_string_equal(scene_end(s), "");
}

/* On a day an entity whose last part was cut with its end untold, or is paused, is over by one key
 * when the judge's end comes no more. What it has is a beginning then. */
static void end_untold(bool paused)
{
    struct scene *s = begin("10 left,10 right", false, true);
    assert_true(scene_will_read(s, RIGHT, "open"));
    if (paused) {
        controller_key_switch(s->controller, false);
        assert_true(scene_will_not_read(s, RIGHT, "open"));
        scene_pass(s, SECOND);
    }
    scene_kill(s, JUDGE, 300 * SECOND);
    assert_true(scene_will_read(s, RIGHT, "Is the session over? Then press F9."));
    scene_command(s, RIGHT, SCREEN_BEGIN);
    assert_true(scene_will_note(s, RIGHT, "an attendant says that the session is over"));
    scene_pass(s, 5 * SECOND);
    assert_false(process_lives(s->station[RIGHT].process));
    assert_int_equal(process_status(s->station[RIGHT].process), 0);
    assert_int_equal(oracle_recorded(s->oracle, RIGHT, SIDE_RIGHT).segment, SEGMENT_FINISHED);
    assert_int_equal(oracle_recorded(s->oracle, RIGHT, SIDE_RIGHT).outcome, CLOSE_PREFIX);
    scene_end(s); /* the judge's end is not */
}

static void test_untold(void **state)
{
    (void)state;
    end_untold(false);
    end_untold(true);
}

/* The next session on a controller that has one behind it: nothing tells of the last one, nor of
 * whom it waits for. */
static void test_next(void **state)
{
    (void)state;
    struct scene *s = begin("5 left,5 right", false, true);
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, JUDGE, "One.");
    assert_true(scene_wait(s, scene_is_over));
    cable_plug(s->cable[SIDE_LEFT], false);
    assert_string_equal(scene_next(s, "two"), "");
    assert_true(scene_will_note(s, JUDGE, "a line of the first part is not connected"));
    for (unsigned i = 0; i < 100; i++) {
        const struct screen_model *model = person_sees(s->station[JUDGE].process);
        assert_string_equal(model->side[SIDE_LEFT].state, "starting");
        assert_string_equal(model->side[SIDE_RIGHT].state, "starting");
        assert_false(scene_reads(s, JUDGE, "over"));
        scene_pass(s, 100000);
    }
    assert_int_equal(scene_notes(s, JUDGE, "part 1 runs"), 0);
    cable_plug(s->cable[SIDE_LEFT], true);
    assert_true(scene_will_note(s, JUDGE, "part 1 runs, 5.0 s left"));
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, JUDGE, "Two.");
    assert_true(scene_wait(s, scene_is_over));
    assert_string_equal(scene_text(s, LEFT, SIDE_LEFT), "Two.");
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_RIGHT).outcome, CLOSE_AGREED);
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_asked),      cmocka_unit_test(test_not_connected),
        cmocka_unit_test(test_second_yes), cmocka_unit_test(test_controller),
        cmocka_unit_test(test_ready),      cmocka_unit_test(test_unplugged),
        cmocka_unit_test(test_untold),     cmocka_unit_test(test_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
