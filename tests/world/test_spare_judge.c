/* A spare machine takes the place of a judge's that failed in mid-session, or of an entity's. Where
 * a controller has this session's plan, nobody is told to abort it there. */
#include "tests/world/controller.h"
#include "tests/world/oracles.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>

#define TAKE "F8 takes it over"

static bool may_take(struct scene *s)
{
    const struct screen_model *model = person_sees(s->station[JUDGE].process);
    return model && model->may_take;
}

static bool runs_again(struct scene *s)
{
    return scene_notes(s, JUDGE, "part 1 runs, ") == 2; /* the first one's machine said it once */
}

static bool is_cut(struct scene *s)
{
    return controller_driven(s->controller) == 0;
}

static uint64_t left_us(struct scene *s)
{
    return person_sees(s->station[JUDGE].process)->remaining_us;
}

static void talk(struct scene *s, const char *judge, const char *entity)
{
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, JUDGE, judge);
    scene_type(s, LEFT, entity);
    assert_true(scene_wait(s, scene_is_quiet));
}

static void test_controlled(void **state)
{
    char had[200], has[200];
    (void)state;
    struct scene *s = scene_begin(&(struct scene_setup){.seed = 8,
                                                        .plan = "120 left,5 right",
                                                        .starts = STARTS_EITHER,
                                                        .by_hand = true,
                                                        .controller = true});
    talk(s, "Hello there.\n", "You said: Hello.\n");
    snprintf(had, sizeof had, "%s", scene_text(s, JUDGE, SIDE_LEFT));
    uint64_t before_us = left_us(s);
    scene_replace(s, JUDGE, 10 * SECOND);
    scene_pass(s, 8 * SECOND);
    assert_int_equal(controller_driven(s->controller), 0);
    assert_true(scene_wait(s, may_take));
    assert_true(scene_will_read(s, JUDGE, TAKE));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "");
    /* The line is cut again, for the machine has no part in the session yet; what is to be done
     * stays to be read, whether the other end is heard or not. */
    assert_true(scene_wait(s, is_cut));
    for (unsigned i = 0; i < 200; i++) {
        assert_true(scene_reads(s, JUDGE, TAKE));
        assert_false(scene_reads(s, JUDGE, "to abort it"));
        scene_pass(s, 100000);
    }
    scene_command(s, JUDGE, SCREEN_TAKE);
    assert_true(scene_wait(s, runs_again));
    assert_string_equal(oracle_found(s->oracle) ? oracle_found(s->oracle) : "", "");
    assert_true(scene_wait(s, scene_is_open));
    assert_true(left_us(s) <= before_us);
    snprintf(has, sizeof has, "%s", scene_text(s, JUDGE, SIDE_LEFT));
    assert_string_equal(has, had);
    talk(s, "Again.", "You said: Again.");
    assert_true(scene_wait(s, scene_is_over));
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).outcome, CLOSE_AGREED);
    assert_string_equal(scene_end(s), "");
}

/* Without a controller the part goes on with what was left when the other end lost the line, less
 * 2 s; until F8 nothing is taken. Then an entity's machine fails, and its spare one gets all. */
static void test_counted(void **state)
{
    char had[200], has[200];
    (void)state;
    struct scene *s = scene_begin(&(struct scene_setup){
        .seed = 8, .plan = "120 left", .starts = STARTS_EITHER, .by_hand = true});
    talk(s, "Hello there.\n", "You said: Hello.\n");
    snprintf(had, sizeof had, "%s", scene_text(s, JUDGE, SIDE_LEFT));
    uint64_t before_us = left_us(s);
    scene_replace(s, JUDGE, 10 * SECOND);
    assert_true(scene_wait(s, may_take));
    assert_true(scene_will_read(s, JUDGE, TAKE));
    scene_pass(s, 5 * SECOND);
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "");
    scene_command(s, JUDGE, SCREEN_TAKE);
    assert_true(scene_will_note(s, JUDGE, "taken over from the other end: "));
    assert_int_equal(scene_notes(s, JUDGE, "takes the place of one that failed"), 1);
    assert_int_equal(scene_notes(s, LEFT, "another machine at the judge's end"), 1);
    assert_true(scene_wait(s, scene_is_open));
    assert_true(left_us(s) + 2 * SECOND <= before_us);
    snprintf(has, sizeof has, "%s", scene_text(s, JUDGE, SIDE_LEFT));
    assert_string_equal(has, had);
    talk(s, "Again.", "You said: Again.");
    snprintf(had, sizeof had, "%s", scene_text(s, JUDGE, SIDE_LEFT));
    scene_replace(s, LEFT, 3 * SECOND);
    assert_true(scene_will_note(s, LEFT, "had no record of the session"));
    assert_true(scene_wait(s, scene_is_quiet));
    snprintf(has, sizeof has, "%s", scene_text(s, LEFT, SIDE_LEFT));
    assert_string_equal(has, had);
    talk(s, "More.", "You said: More.");
    assert_true(scene_wait(s, scene_is_over));
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).outcome, CLOSE_AGREED);
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_controlled),
                                       cmocka_unit_test(test_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
