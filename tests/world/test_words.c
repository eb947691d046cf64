/* The words for lines that fail, on the screens and on record: a cable that is out, an adapter that
 * is gone, another speed, the other terminal started again or closed, tickets of two sessions; and
 * for keys after the end. */
#include "tests/world/oracles.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#define UP "the line is up"

static struct scene *begin(const char *plan)
{
    return scene_begin(
        &(struct scene_setup){.seed = 9, .plan = plan, .starts = STARTS_EITHER, .by_hand = true});
}

/* Both lines are; or one of them is for the second time. */
static bool are_up(struct scene *s)
{
    return scene_notes(s, JUDGE, UP "\n") == SIDES;
}

static bool is_up_again(struct scene *s)
{
    return scene_notes(s, JUDGE, UP "\n") == SIDES + 1;
}

static struct scene *begin_open(const char *plan)
{
    struct scene *s = begin(plan);
    assert_true(scene_wait(s, are_up));
    assert_true(scene_wait(s, scene_is_open));
    return s;
}

static void test_cable_out(void **state)
{
    (void)state;
    struct scene *s = begin_open("60 left");
    assert_int_equal(scene_notes(s, JUDGE, "nothing heard"), 0);
    cable_plug(s->cable[SIDE_LEFT], false);
    assert_true(scene_will_read(s, JUDGE, "CANNOT BE REACHED: nothing heard for 3 s: cable out"));
    assert_true(
        scene_will_read(s, LEFT, "JUDGE CANNOT BE REACHED: nothing heard for 3 s: cable out"));
    assert_int_equal(
        scene_notes(s, JUDGE, "nothing heard for 3 s: cable out, or the other terminal is off\n"),
        1);
    cable_plug(s->cable[SIDE_LEFT], true);
    assert_true(scene_will_not_read(s, JUDGE, "CANNOT BE REACHED"));
    assert_true(scene_will_not_read(s, LEFT, "CANNOT BE REACHED"));
    assert_true(scene_wait(s, is_up_again));
    assert_string_equal(scene_end(s), "");
}

static void test_adapter_gone(void **state)
{
    (void)state;
    struct scene *s = begin_open("60 left");
    cable_adapter(s->cable[SIDE_LEFT], 0, false);
    assert_true(scene_will_read(s, JUDGE, "this machine cannot use its cable: call the steward"));
    assert_false(scene_reads(s, JUDGE, "If this lasts")); /* he is to call now */
    assert_false(scene_reads(s, JUDGE, "/dev/"));         /* a steward reads that, in the record */
    assert_int_equal(scene_notes(s, JUDGE, "is gone: plug the adapter in again"), 1);
    cable_adapter(s->cable[SIDE_LEFT], 0, true);
    assert_true(scene_will_not_read(s, JUDGE, "this machine cannot use its cable"));
    assert_true(scene_wait(s, is_up_again));
    assert_string_equal(scene_end(s), "");
}

static void test_started_again(void **state)
{
    (void)state;
    struct scene *s = begin_open("60 left");
    scene_kill(s, LEFT, SECOND);
    assert_true(scene_will_note(s, JUDGE, "the other terminal was started again\n"));
    assert_true(scene_wait(s, is_up_again));
    assert_int_equal(scene_notes(s, JUDGE, "the other terminal was closed"), 0);
    scene_command(s, JUDGE, SCREEN_LEAVE);
    assert_true(scene_will_note(s, LEFT, "the other terminal was closed\n"));
    scene_pass(s, SECOND);
    assert_false(process_lives(s->station[JUDGE].process));
    scene_end(s); /* its end is nobody's to hear */
}

/* A program presses no F10: on the judge's side it is a terminal whose power is gone. */
static void test_entity_leaves(void **state)
{
    (void)state;
    struct scene *s = begin_open("60 left");
    scene_command(s, LEFT, SCREEN_LEAVE);
    assert_true(scene_will_read(s, JUDGE, "CANNOT BE REACHED: nothing heard for 3 s: cable out"));
    assert_false(process_lives(s->station[LEFT].process));
    assert_int_equal(
        scene_notes(s, JUDGE, "nothing heard for 3 s: cable out, or the other terminal is off\n"),
        1);
    assert_int_equal(scene_notes(s, JUDGE, "the other terminal was closed"), 0);
    scene_end(s);
}

static void test_speed(void **state)
{
    (void)state;
    struct scene *s = begin("5 left");
    s->judge.begin_by_key = true;
    s->entity[SIDE_LEFT].port = "serial:/dev/left@9600";
    assert_true(scene_will_read(
        s, JUDGE, "the other end probably uses another speed; this end uses 115200 baud"));
    assert_true(scene_will_read(
        s, LEFT, "the other end probably uses another speed; this end uses 9600 baud"));
    assert_true(scene_will_note(s, JUDGE, "the other end probably uses another speed"));
    assert_int_equal(scene_notes(s, JUDGE, UP), 1); /* of the right one */
    scene_end(s);                                   /* it never begins */
}

/* A terminal that waits for another one that is off has nothing to record. */
static void test_off(void **state)
{
    (void)state;
    struct scene *s = begin("5 left,5 right");
    s->judge.begin_by_key = true;
    cable_plug(s->cable[SIDE_LEFT], false);
    assert_true(scene_will_read(s, JUDGE, "waiting for the other terminal"));
    scene_pass(s, 60 * SECOND);
    assert_true(scene_reads(s, JUDGE, "waiting for the other terminal"));
    assert_true(scene_reads(s, LEFT, "Please wait: the judge begins, and then you can type."));
    assert_true(scene_reads(s, RIGHT, "Please wait: the judge begins, and then you can type."));
    assert_string_equal(oracle_notes(s->oracle, LEFT), "");
    assert_int_equal(scene_notes(s, JUDGE, "waiting for"), 0);
    assert_int_equal(scene_notes(s, JUDGE, UP "\n"), 1); /* the right one */
    scene_end(s);
}

static void test_tickets(void **state)
{
    (void)state;
    struct scene *s = begin("5 left");
    s->entity[SIDE_LEFT].booth.session = "two";
    assert_true(scene_will_read(s, LEFT,
                                "The judge's end has session s, this end two: check the tickets."));
    scene_end(s);
}

static void test_after_the_end(void **state)
{
    (void)state;
    struct scene *s = begin("6 left,30 review");
    s->entity[SIDE_LEFT].booth.day = false; /* it stays when its session is over */
    strcpy(s->judge.booth.about, "round 2, rules loebner-2009");
    assert_true(scene_wait(s, scene_is_open));
    assert_int_equal(scene_notes(s, JUDGE, "round 2, rules loebner-2009\n"), 1);
    assert_true(scene_reads(s, JUDGE, "part 1 of 2"));
    assert_true(scene_reads(s, LEFT, "part 1 of 2"));
    assert_false(scene_reads(s, LEFT, "the judge begins"));
    scene_type(s, JUDGE, "a question");
    scene_type(s, LEFT, "an answer");
    assert_true(scene_will_read(s, LEFT, "Your part is over; please stay."));
    assert_true(scene_reads(s, JUDGE, "part 2 of 2"));
    size_t had = oracle_order(s->oracle, JUDGE, SIDE_LEFT)->count;
    scene_type(s, JUDGE, "xy");
    assert_true(scene_will_read(s, JUDGE, ": that key was not taken."));
    assert_true(scene_will_read(s, LEFT, "The session is over"));
    scene_type(s, LEFT, "z");
    assert_true(scene_will_read(s, LEFT, "The session is over: that key was not taken."));
    assert_int_equal(scene_notes(s, JUDGE, "x\n"), 1);
    assert_int_equal(scene_notes(s, LEFT, "z\n"), 1);
    assert_true(had >= 10);
    assert_int_equal(oracle_order(s->oracle, JUDGE, SIDE_LEFT)->count, had);
    scene_command(s, LEFT, SCREEN_LEAVE);
    assert_string_equal(scene_end(s), "");
}

/* CHANGE is the plan's word; the judge reads what he is to do. */
static void test_change(void **state)
{
    (void)state;
    struct scene *s = begin("5 left,20 change");
    assert_true(scene_wait(s, scene_is_open));
    assert_false(scene_reads(s, JUDGE, "your sheet says where to go next"));
    assert_true(
        scene_will_read(s, JUDGE, "The conversations are over: your sheet says where to go next."));
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cable_out),     cmocka_unit_test(test_adapter_gone),
        cmocka_unit_test(test_started_again), cmocka_unit_test(test_speed),
        cmocka_unit_test(test_off),           cmocka_unit_test(test_tickets),
        cmocka_unit_test(test_after_the_end), cmocka_unit_test(test_entity_leaves),
        cmocka_unit_test(test_change)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
