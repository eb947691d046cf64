/* A session without a plan that was over, and is taken up again by its name: it goes on. */
#include "tests/world/oracles.h"

#include "base/file.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define SCRIPT "judge.keys"
#define NOBODY "typed: left: key 1 of the judge was never typed" /* a script is no person */

static void write_script(const char *text)
{
    assert_int_equal(file_write(SCRIPT, text, strlen(text), NULL), BL_OK);
}

/* The judge is a script without a screen, which ends the session when all is quiet. */
static void test_again(void **state)
{
    (void)state;
    struct scene *s =
        scene_begin(&(struct scene_setup){.seed = 6, .starts = STARTS_EITHER, .by_hand = true});
    s->judge.plan.count = 0;
    s->judge.booth.headless = true;
    s->judge.booth.script = SCRIPT;
    write_script("pace 20\ntype ab\n");
    scene_type(s, LEFT, "xy");
    assert_true(scene_wait(s, scene_is_over));
    assert_string_equal(scene_text(s, LEFT, SIDE_LEFT), "abxy");
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).outcome, CLOSE_AGREED);
    write_script("pace 20\ntype abcd\n");
    /* The entities' machines have no record of it, which the judge's has. */
    scene_replace(s, LEFT, SECOND);
    scene_replace(s, RIGHT, SECOND);
    scene_start(s, JUDGE, 2 * SECOND);
    assert_true(scene_wait(s, scene_is_over));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "abxycd");
    assert_string_equal(scene_text(s, LEFT, SIDE_LEFT), "abxycd");
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).outcome, CLOSE_AGREED);
    assert_int_equal(oracle_recorded(s->oracle, LEFT, SIDE_LEFT).outcome, CLOSE_AGREED);
    assert_int_equal(scene_notes(s, JUDGE, "refused"), 0);
    assert_memory_equal(scene_end(s), NOBODY, sizeof NOBODY - 1);
    remove(SCRIPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
