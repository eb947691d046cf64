/* The plan and the host's clock of its segments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "session/plan.h"
#include "tests/support/random.h"

#define S 1000000u

static void test_parse(void **state)
{
    (void)state;
    struct plan plan;
    struct bl_diag diag = {""};
    assert_int_equal(plan_parse(&plan, " 300 left, 300 right ,600 review,5 both", &diag), BL_OK);
    assert_int_equal(plan.count, 4);
    assert_true(plan.segment[0].open[SIDE_LEFT] && !plan.segment[0].open[SIDE_RIGHT]);
    assert_true(!plan.segment[1].open[SIDE_LEFT] && plan.segment[1].open[SIDE_RIGHT]);
    assert_true(!plan.segment[2].open[SIDE_LEFT] && !plan.segment[2].open[SIDE_RIGHT]);
    assert_true(plan.segment[3].open[SIDE_LEFT] && plan.segment[3].open[SIDE_RIGHT]);
    assert_int_equal(plan.segment[2].seconds, 600);
    assert_string_equal(plan.segment[2].name, "review");
}

static void test_faults(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      ",",
                                      "300 left,",
                                      "left",
                                      "left 300",
                                      "300",
                                      "4 left",
                                      "0 review",
                                      "28801 left",
                                      "99999999999999999999 left",
                                      "4294967596 left",
                                      "-300 left",
                                      "300 averyverylongname",
                                      "300 left right",
                                      "3 00 left"};
    struct plan plan;
    char many[1024] = "9 a";
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct bl_diag diag = {""};
        assert_int_equal(plan_parse(&plan, bad[i], &diag), BL_USAGE);
        assert_memory_equal(diag.text, "plan: ", 6);
    }
    for (unsigned i = 1; i < PLAN_SEGMENTS; i++)
        strcat(many, ",9 a");
    assert_int_equal(plan_parse(&plan, many, NULL), BL_OK);
    strcat(many, ",9 a");
    assert_int_equal(plan_parse(&plan, many, NULL), BL_USAGE);
}

static void test_hostile_text(void **state)
{
    (void)state;
    static const char alphabet[] = "0123456789 ,-leftrigh\t\x80";
    struct dice dice = dice_make(dice_seed("hostile plans"));
    for (unsigned i = 0; i < 50000; i++) {
        char text[48];
        struct plan plan;
        size_t length = dice_below(&dice, sizeof text);
        for (size_t k = 0; k < length; k++)
            text[k] = alphabet[dice_below(&dice, sizeof alphabet - 1)];
        text[length] = '\0';
        if (plan_parse(&plan, text, NULL))
            continue;
        assert_in_range(plan.count, 1, PLAN_SEGMENTS);
        for (unsigned k = 0; k < plan.count; k++)
            assert_in_range(plan.segment[k].seconds, 1, PLAN_SECONDS_MAX);
    }
}

static void test_course(void **state)
{
    (void)state;
    struct plan plan;
    struct plan_clock clock;
    plan_parse(&plan, "10 left,2 review", NULL);
    plan_clock_init(&clock, &plan);
    assert_false(plan_clock_step(&clock, 99 * S));
    assert_false(plan_clock_open(&clock, SIDE_LEFT));
    plan_clock_begin(&clock, 100 * S);
    plan_clock_begin(&clock, 105 * S); /* no effect */
    assert_true(plan_clock_open(&clock, SIDE_LEFT));
    assert_int_equal(plan_clock_remaining(&clock, 101 * S), 9 * S);
    assert_int_equal(clock.due_us, 110 * S - PLAN_NOTICE_US);
    assert_true(plan_clock_step(&clock, 110 * S - PLAN_NOTICE_US));
    assert_int_equal(clock.state, SEGMENT_CLOSING);
    assert_false(plan_clock_open(&clock, SIDE_LEFT));
    assert_false(plan_clock_step(&clock, 110 * S - 1));
    assert_true(plan_clock_step(&clock, 111 * S)); /* late: the next one is not longer for it */
    assert_int_equal(clock.index, 1);
    assert_int_equal(clock.cut_us, 112 * S);
    assert_true(plan_clock_step(&clock, 200 * S));
    assert_true(plan_clock_step(&clock, 200 * S));
    assert_int_equal(clock.state, SEGMENT_FINISHED);
    assert_int_equal(clock.due_us, UINT64_MAX);
    assert_int_equal(plan_clock_remaining(&clock, 200 * S), 0);
}

static void test_without_a_plan(void **state)
{
    (void)state;
    const struct plan plan = {.count = 0};
    struct plan_clock clock;
    plan_clock_init(&clock, &plan);
    assert_true(plan_clock_open(&clock, SIDE_RIGHT));
    assert_false(plan_clock_step(&clock, UINT64_MAX - 1));
    assert_int_equal(plan_clock_remaining(&clock, 5), UINT64_MAX);
}

/* All that is left of the plan. */
static uint64_t left_of_all(const struct plan_clock *clock, uint64_t now_us)
{
    uint64_t sum = plan_clock_remaining(clock, now_us);
    if (clock->state == SEGMENT_FINISHED)
        return 0;
    for (unsigned i = clock->index + 1; i < clock->plan->count; i++)
        sum += (uint64_t)clock->plan->segment[i].seconds * S;
    return sum;
}

/* However often and whenever it is restarted, there is never more time than without the restart,
 * and 2 s less at most for each. */
static void test_time_never_grows(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("restarted plans"));
    for (unsigned i = 0; i < 300; i++) {
        struct plan plan;
        struct plan_clock clock;
        uint64_t now_us = 7 * S, kept_us;
        plan_parse(&plan, "20 left,10 right,1 change,15 both", NULL);
        plan_clock_init(&clock, &plan);
        plan_clock_begin(&clock, now_us);
        while (clock.state != SEGMENT_FINISHED) {
            unsigned index = clock.index;
            uint64_t remaining_us = plan_clock_remaining(&clock, now_us);
            kept_us = now_us;
            uint64_t killed_us = now_us + dice_below(&dice, 3 * S);
            while (clock.state != SEGMENT_FINISHED && now_us < killed_us) {
                /* as the terminal records it: at every step and every so often, with lateness */
                uint64_t next_us = clock.due_us;
                if (next_us > kept_us + PLAN_KEPT_EVERY_US)
                    next_us = kept_us + PLAN_KEPT_EVERY_US;
                next_us += dice_below(&dice, 100000);
                if (next_us > killed_us) {
                    now_us = killed_us;
                    break;
                }
                now_us = next_us > now_us ? next_us : now_us;
                while (plan_clock_step(&clock, now_us))
                    ;
                index = clock.index;
                remaining_us = plan_clock_remaining(&clock, now_us);
                kept_us = now_us;
            }
            uint64_t truth_us = left_of_all(&clock, now_us);
            if (truth_us == 0)
                break;
            now_us += dice_below(&dice, 100 * S); /* down; not counted */
            plan_clock_init(&clock, &plan);
            plan_clock_resume(&clock, index, remaining_us, now_us);
            assert_true(left_of_all(&clock, now_us) <= truth_us);
            assert_true(left_of_all(&clock, now_us) + PLAN_LOSS_US >= truth_us);
        }
    }
}

static void test_hostile_resume(void **state)
{
    (void)state;
    struct plan plan;
    struct plan_clock clock;
    plan_parse(&plan, "20 left,10 right", NULL);
    plan_clock_init(&clock, &plan);
    plan_clock_resume(&clock, 2, S, 5 * S);
    assert_int_equal(clock.state, SEGMENT_FINISHED);
    assert_int_equal(clock.due_us, UINT64_MAX);
    plan_clock_init(&clock, &plan);
    plan_clock_resume(&clock, 1, UINT64_MAX, 5 * S);
    assert_true(plan_clock_remaining(&clock, 5 * S) <= 10 * S);
    plan_clock_init(&clock, &plan);
    plan_clock_resume(&clock, 0, 0, 5 * S);
    unsigned steps = 0;
    while (plan_clock_step(&clock, 5 * S))
        assert_true(++steps < 10);
    assert_int_equal(clock.index, 1);
}

/* A controller counts: only the notice is ours, when its word for it is late. */
static void test_follows_a_controller(void **state)
{
    (void)state;
    struct plan plan;
    struct plan_clock clock;
    plan_parse(&plan, "20 left,10 right,10 change", NULL);
    assert_int_equal(plan_last_open(&plan, SIDE_LEFT), 0);
    assert_int_equal(plan_last_open(&plan, SIDE_RIGHT), 1);
    plan_clock_init(&clock, &plan);
    plan_clock_follow(&clock, 0, SEGMENT_OPEN, 20 * S, 5 * S);
    assert_int_equal(plan_clock_remaining(&clock, 15 * S), 10 * S);
    plan_clock_follow(&clock, 0, SEGMENT_OPEN, 9 * S, 15 * S);
    assert_int_equal(plan_clock_remaining(&clock, 16 * S), 8 * S);
    plan_clock_follow(&clock, 0, SEGMENT_CLOSED, 8 * S, 16 * S); /* a pause */
    assert_false(plan_clock_open(&clock, SIDE_LEFT));
    assert_int_equal(plan_clock_remaining(&clock, 1000 * S), 8 * S);
    assert_false(plan_clock_step(&clock, 1000 * S));
    plan_clock_follow(&clock, 0, SEGMENT_OPEN, 8 * S, 1000 * S);
    assert_true(plan_clock_open(&clock, SIDE_LEFT));
    assert_true(plan_clock_step(&clock, 1008 * S - PLAN_NOTICE_US));
    assert_int_equal(clock.state, SEGMENT_CLOSING);
    assert_false(plan_clock_step(&clock, 4000 * S)); /* the cut is not ours */
    assert_int_equal(plan_clock_remaining(&clock, 4000 * S), 0);
    plan_clock_follow(&clock, 200, SEGMENT_FINISHED, 0, 4000 * S);
    assert_int_equal(clock.index, 2);
    assert_int_equal(clock.due_us, UINT64_MAX);
}

static void test_ends_early(void **state)
{
    (void)state;
    struct plan plan;
    struct plan_clock clock;
    assert_int_equal(plan_parse(&plan, "10 left,10 right", NULL), BL_OK);
    plan_clock_init(&clock, &plan);
    assert_false(plan_clock_end(&clock, 1000 * S)); /* it has not begun */
    plan_clock_begin(&clock, 1000 * S);
    assert_true(plan_clock_end(&clock, 1003 * S));
    assert_int_equal(plan_clock_remaining(&clock, 1003 * S), PLAN_NOTICE_US);
    assert_true(plan_clock_step(&clock, 1003 * S));
    assert_int_equal(clock.state, SEGMENT_CLOSING);
    assert_false(plan_clock_end(&clock, 1003 * S));
    assert_false(plan_clock_step(&clock, 1003 * S));
    assert_true(plan_clock_step(&clock, 1003 * S + PLAN_NOTICE_US));
    assert_int_equal(clock.state, SEGMENT_FINISHED);
    assert_false(plan_clock_end(&clock, 1010 * S));
    /* In its last moment a part is not prolonged. */
    plan_clock_init(&clock, &plan);
    plan_clock_begin(&clock, 1000 * S);
    assert_true(plan_clock_end(&clock, 1010 * S - 1));
    assert_int_equal(plan_clock_remaining(&clock, 1010 * S - 1), 1);
    /* A controller's time is not ended. */
    plan_clock_init(&clock, &plan);
    plan_clock_follow(&clock, 0, SEGMENT_OPEN, 9 * S, 1000 * S);
    assert_false(plan_clock_end(&clock, 1001 * S));
    assert_int_equal(plan_clock_remaining(&clock, 1001 * S), 8 * S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),          cmocka_unit_test(test_faults),
        cmocka_unit_test(test_hostile_text),   cmocka_unit_test(test_course),
        cmocka_unit_test(test_without_a_plan), cmocka_unit_test(test_time_never_grows),
        cmocka_unit_test(test_hostile_resume), cmocka_unit_test(test_follows_a_controller),
        cmocka_unit_test(test_ends_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
