/* A cable that is out for a while: what is typed meanwhile comes when it is in again. */
#include "tests/world/scene.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_unplugged(void **state)
{
    (void)state;
    struct scene *s = scene_begin(&(struct scene_setup){.seed = 7, .plan = "60 left"});
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, JUDGE, "Hello?\n");
    assert_true(scene_wait(s, scene_is_quiet));
    cable_plug(s->cable[SIDE_LEFT], false);
    scene_type(s, LEFT, "I am here");
    scene_pass(s, 10 * SECOND);
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "Hello?\n");
    cable_plug(s->cable[SIDE_LEFT], true);
    assert_true(scene_wait(s, scene_is_quiet));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "Hello?\nI am here");
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unplugged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
