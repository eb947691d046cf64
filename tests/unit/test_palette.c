/* The colours of the screen: text contrasts at least 7 to 1 (WCAG 2.1, 1.4.6), also on the Linux
 * console, whose colours are set; and what is good, due and bad can be told apart by people who see
 * no red, no green or no blue. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "terminal/palette.h"

static double linear(uint32_t rgb, unsigned shift)
{
    double value = (double)(rgb >> shift & 0xFF) / 255;
    return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double luminance(uint32_t rgb)
{
    return 0.2126 * linear(rgb, 16) + 0.7152 * linear(rgb, 8) + 0.0722 * linear(rgb, 0);
}

static double contrast(uint32_t a, uint32_t b)
{
    double one = luminance(a) + 0.05, other = luminance(b) + 0.05;
    return one > other ? one / other : other / one;
}

static void assert_contrast(unsigned role, uint32_t front, uint32_t back)
{
    if (contrast(front, back) < 7)
        fail_msg("role %u: #%06x on #%06x is %.2f to 1", role, front, back, contrast(front, back));
}

static void contrast_is_reckoned_as_by_wcag(void **state)
{
    (void)state;
    assert_true(fabs(contrast(0xFFFFFF, 0x000000) - 21) < 0.001);
    assert_true(fabs(contrast(0x777777, 0xFFFFFF) - 4.48) < 0.01);
    assert_int_equal(palette_rgb(16), 0x000000);
    assert_int_equal(palette_rgb(88), 0x870000);
    assert_int_equal(palette_rgb(231), 0xFFFFFF);
    assert_int_equal(palette_rgb(244), 0x808080);
}

static void text_contrasts(void **state)
{
    unsigned coloured = 0;
    (void)state;
    for (unsigned role = 0; role < ROLES; role++) {
        struct palette_look look = palette_look((enum role)role);
        struct palette_look eight = palette_look_of_eight((enum role)role);
        if (look.front == PALETTE_OWN) {
            assert_int_equal(look.back, PALETTE_OWN); /* as the terminal has its own text */
            assert_int_equal(eight.front, PALETTE_OWN);
            continue;
        }
        coloured++;
        assert_contrast(role, palette_rgb(look.front), palette_rgb(look.back));
        assert_contrast(role, palette_console((unsigned)eight.front + (eight.bold ? 8 : 0)),
                        palette_console((unsigned)eight.back));
    }
    assert_in_range(coloured, 9, ROLES - 1);
    /* Text without a role of its own, and bold text, on the console. */
    assert_contrast(ROLE_TEXT, palette_console(7), palette_console(0));
    assert_contrast(ROLE_STRONG, palette_console(15), palette_console(0));
}

/* How it looks without the cones for red, green or blue: the matrices of Viénot, Brettel and Mollon
 * (1999) for the first two, in linear RGB; without blue, the third channel is that of the second.
 */
static void seen(uint32_t rgb, unsigned lacking, double out[3])
{
    static const double matrix[3][3][3] = {
        {{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}},
        {{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}},
        {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}}};
    const double in[3] = {linear(rgb, 16), linear(rgb, 8), linear(rgb, 0)};
    for (unsigned i = 0; i < 3; i++)
        out[i] = matrix[lacking][i][0] * in[0] + matrix[lacking][i][1] * in[1] +
                 matrix[lacking][i][2] * in[2];
}

static double apart(struct palette_look a, struct palette_look b, unsigned lacking)
{
    double most = 0;
    const short pairs[2][2] = {{a.front, b.front}, {a.back, b.back}};
    for (unsigned i = 0; i < 2; i++) {
        double one[3], other[3];
        seen(palette_rgb(pairs[i][0]), lacking, one);
        seen(palette_rgb(pairs[i][1]), lacking, other);
        for (unsigned c = 0; c < 3; c++)
            most = fmax(most, fabs(one[c] - other[c]));
    }
    return most;
}

static void good_due_and_bad_differ_for_all_eyes(void **state)
{
    static const enum role told[][3] = {{ROLE_GOOD, ROLE_SOON, ROLE_BAD},
                                        {ROLE_BAR_GOOD, ROLE_BAR_SOON, ROLE_BAR_BAD},
                                        {ROLE_SOON, ROLE_ALARM, ROLE_CALL}};
    (void)state;
    for (unsigned group = 0; group < 3; group++) {
        for (unsigned lacking = 0; lacking < 3; lacking++) {
            for (unsigned i = 0; i < 3; i++) {
                double far = apart(palette_look(told[group][i]),
                                   palette_look(told[group][(i + 1) % 3]), lacking);
                if (far < 0.2)
                    fail_msg("roles %u and %u are %.2f apart without cone %u", told[group][i],
                             told[group][(i + 1) % 3], far, lacking);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contrast_is_reckoned_as_by_wcag),
        cmocka_unit_test(text_contrasts),
        cmocka_unit_test(good_due_and_bad_differ_for_all_eyes),
    };
    return cmocka_run_group_tests_name("palette", tests, NULL, NULL);
}
