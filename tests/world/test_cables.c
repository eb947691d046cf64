/* Two cables that are swapped at the controller: the session stands still until they are back, and
 * which cable is the left one's is settled by its record. */
#include "tests/world/controller.h"
#include "tests/world/oracles.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#define SWAPPED "the two are swapped"

/* The lines are cut again, and no key has a place though both type. */
static void see_nothing(struct scene *s)
{
    scene_pass(s, 10 * SECOND);
    assert_int_equal(controller_driven(s->controller), 0);
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "");
    assert_int_equal(scene_notes(s, JUDGE, "part 1 runs"), 0);
}

static void test_swapped(void **state)
{
    (void)state;
    struct scene *s = scene_begin(&(struct scene_setup){
        .seed = 4, .plan = "20 left,20 right", .starts = STARTS_EITHER, .controller = true});
    controller_swap(s->controller, true);
    assert_true(scene_will_note(s, JUDGE, SWAPPED));
    see_nothing(s);
    s->judge.b_left = !s->judge.b_left; /* the other mapping is refused, for it has begun */
    scene_kill(s, JUDGE, 10 * SECOND);
    scene_pass(s, 11 * SECOND);
    assert_false(process_lives(s->station[JUDGE].process));
    assert_int_equal(process_status(s->station[JUDGE].process), BL_USAGE);
    s->judge.b_left = !s->judge.b_left;
    scene_pass(s, 5 * SECOND);
    controller_key_switch(s->controller, false);
    scene_pass(s, 2 * SECOND);
    controller_key_switch(s->controller, true);
    scene_pass(s, 15 * SECOND);
    assert_int_equal(scene_notes(s, JUDGE, SWAPPED), 2);
    see_nothing(s);
    controller_key_switch(s->controller, false);
    controller_swap(s->controller, false);
    scene_pass(s, 2 * SECOND);
    controller_key_switch(s->controller, true);
    assert_true(scene_wait(s, scene_is_open));
    assert_int_equal(scene_notes(s, JUDGE, "part 1 runs, 20.0 s left"), 1);
    scene_type(s, JUDGE, "Here again.");
    scene_type(s, LEFT, "So am I.");
    assert_true(scene_wait(s, scene_is_quiet));
    assert_true(scene_wait(s, scene_is_over));
    for (enum side side = 0; side < SIDES; side++)
        assert_int_equal(oracle_recorded(s->oracle, JUDGE, side).outcome, CLOSE_AGREED);
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_swapped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
