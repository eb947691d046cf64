/* A session that a controller counts, in stories: the host away for longer than the controller
 * waits, a reset, the key at PAUSE, and a steward who aborts it. */
#include "tests/world/controller.h"
#include "tests/world/oracles.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static struct scene *begin(const char *plan)
{
    struct scene *s = scene_begin(&(struct scene_setup){
        .seed = 5, .plan = plan, .starts = STARTS_EITHER, .controller = true});
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, LEFT, "One answers.");
    scene_type(s, JUDGE, "A judge asks.");
    assert_true(scene_wait(s, scene_is_quiet));
    return s;
}

/* The part goes on, and carries keys. */
static void go_on(struct scene *s)
{
    size_t had = oracle_order(s->oracle, LEFT, SIDE_LEFT)->count;
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, JUDGE, "And on?");
    scene_type(s, LEFT, "On.");
    assert_true(scene_wait(s, scene_is_quiet));
    assert_int_equal(oracle_order(s->oracle, LEFT, SIDE_LEFT)->count, had + 10);
}

static void test_torn(void **state)
{
    (void)state;
    struct scene *s = begin("90 left,5 right");
    scene_kill(s, JUDGE, SECOND);
    scene_pass(s, SECOND);
    go_on(s);
    assert_int_equal(scene_notes(s, JUDGE, "goes on with part 1"), 1);
    scene_kill(s, JUDGE, 10 * SECOND);
    scene_pass(s, 8 * SECOND);
    assert_int_equal(controller_driven(s->controller), 0);
    scene_pass(s, 2 * SECOND);
    go_on(s);
    controller_reset(s->controller, SAY_BUTTON);
    assert_true(scene_will_note(s, JUDGE, "the controller was reset"));
    assert_true(scene_will_note(s, JUDGE, "last reset BUTTON"));
    go_on(s);
    controller_key_switch(s->controller, false);
    assert_true(scene_will_note(s, JUDGE, "pause: the key switch was turned, "));
    controller_key_switch(s->controller, true);
    go_on(s);
    assert_true(scene_wait(s, scene_is_over));
    assert_int_equal(scene_notes(s, JUDGE, "the plan is over"), 1);
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).outcome, CLOSE_AGREED);
    assert_int_equal(oracle_recorded(s->oracle, LEFT, SIDE_LEFT).outcome, CLOSE_AGREED);
    assert_string_equal(scene_end(s), "");
}

static void test_aborted(void **state)
{
    (void)state;
    struct scene *s = begin("600 left");
    controller_abort(s->controller);
    assert_true(scene_will_note(s, JUDGE, "pause: the key switch was turned, "));
    assert_true(scene_will_note(s, JUDGE, "aborted at the controller"));
    scene_pass(s, 10 * SECOND);
    assert_false(process_lives(s->station[JUDGE].process));
    assert_int_equal(process_status(s->station[JUDGE].process), 0);
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).outcome, CLOSE_UNCONFIRMED);
    /* Nobody could tell the other end. */
    char text[200];
    snprintf(text, sizeof text, "%s", scene_text(s, LEFT, SIDE_LEFT));
    assert_memory_equal(scene_text(s, JUDGE, SIDE_LEFT), text, strlen(text));
    assert_true(strlen(text) >= 25);
    /* An attendant is asked at the one that had begun. The other has never met the judge's end. */
    assert_true(scene_will_read(s, LEFT, "Is the session over? Then press F9."));
    assert_string_equal(scene_end(s),
                        "end: the right end has not ended: \"\", not begun; Please wait: the "
                        "judge begins, and then you can type.; waiting for the other terminal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torn),
        cmocka_unit_test(test_aborted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
