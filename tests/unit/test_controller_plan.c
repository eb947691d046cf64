/* A session's plan as the controller takes it: which relay each part closes, for both ways in which
 * a draw can put two cables on two sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "controller/plan.h"

static unsigned flags_of(const struct client_plan *plan, unsigned part)
{
    return plan->segment[part].flags;
}

static void test_relays_follow_the_cable(void **state)
{
    (void)state;
    enum { A = SEGMENT_A | SEGMENT_LAMP_A, B = SEGMENT_B | SEGMENT_LAMP_B };
    struct plan plan;
    struct client_plan out;
    assert_int_equal(plan_parse(&plan, "300 left,200 right,100 both,60 review", NULL), BL_OK);
    for (unsigned b_left = 0; b_left < 2; b_left++) {
        assert_int_equal(controller_plan(&out, &plan, b_left, NULL), BL_OK);
        assert_int_equal(out.count, 4);
        assert_int_equal(flags_of(&out, 0), b_left ? B : A);
        assert_int_equal(flags_of(&out, 1), b_left ? A : B);
        assert_int_equal(flags_of(&out, 2), A | B);
        assert_int_equal(flags_of(&out, 3), SEGMENT_LAMP_BREAK);
        assert_int_equal(out.segment[0].seconds, 300); /* the time stays the side's */
        assert_int_equal(out.segment[1].seconds, 200);
    }
}

static void test_what_a_controller_does_not_take(void **state)
{
    (void)state;
    struct plan plan = {.count = 0};
    struct client_plan out;
    struct bl_diag diag = {""};
    assert_int_equal(controller_plan(&out, &plan, true, &diag), BL_USAGE);
    assert_non_null(strstr(diag.text, "add --plan"));
    assert_int_equal(plan_parse(&plan, "2 pause", NULL), BL_OK);
    assert_int_equal(controller_plan(&out, &plan, true, &diag), BL_USAGE);
    assert_non_null(strstr(diag.text, "5 s to 28800 s"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relays_follow_the_cable),
        cmocka_unit_test(test_what_a_controller_does_not_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
