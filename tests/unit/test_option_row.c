/* Options of a table of rows. */
#include "cli/option_row.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct fields {
    const char *text;
    unsigned ms;
    int count;
    bool flag;
} fields;

static const struct option_row rows[] = {
    {"--text", OPTION_TEXT, offsetof(struct fields, text), 0, 0},
    {"--pause", OPTION_SECONDS, offsetof(struct fields, ms), 0.1, 3600},
    {"--count", OPTION_NUMBER, offsetof(struct fields, count), 1, 1 << 20},
    {"--flag", OPTION_FLAG, offsetof(struct fields, flag), 0, 0},
};

static enum bl_status take(const char *name, const char *value, struct bl_diag *diag)
{
    return option_row_take(rows, sizeof rows / sizeof rows[0], &fields, name, value, diag);
}

static void test_each_kind(void **state)
{
    struct bl_diag diag;
    (void)state;
    assert_int_equal(take("--text", "words", &diag), BL_OK);
    assert_int_equal(take("--pause", "2.5", &diag), BL_OK);
    assert_int_equal(take("--count", "1048576", &diag), BL_OK);
    assert_int_equal(take("--flag", NULL, &diag), BL_OK);
    assert_string_equal(fields.text, "words");
    assert_int_equal(fields.ms, 2500);
    assert_int_equal(fields.count, 1 << 20);
    assert_true(fields.flag);
}

static void test_what_is_no_such_number(void **state)
{
    static const char *const wrong[] = {"",        "x",   "1x",  "0",    "-1",    "1.5",
                                        "1048577", "nan", "inf", "1e99", "--flag"};
    struct bl_diag diag;
    (void)state;
    fields.count = -1;
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(take("--count", wrong[i], &diag), BL_USAGE);
        assert_non_null(strstr(diag.text, "a whole number from 1 to 1048576 is wanted"));
    }
    assert_int_equal(fields.count, -1);
    assert_int_equal(take("--pause", "0.05", &diag), BL_USAGE);
    assert_string_equal(diag.text, "--pause 0.05: a number from 0.1 to 3600 is wanted");
}

static void test_one_that_has_no_row(void **state)
{
    struct bl_diag diag;
    (void)state;
    assert_int_equal(take("--tex", "words", &diag), BL_SOFTWARE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind),
        cmocka_unit_test(test_what_is_no_such_number),
        cmocka_unit_test(test_one_that_has_no_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
