/* Tickets on sticks: names of places and tickets, and the list, whole and cut.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/stick.h"

static void test_places(void **state)
{
    char name[PLACE_NAME];
    struct place place, again;
    unsigned judge;
    (void)state;
    for (unsigned b = 0; b < 120; b++) {
        for (int m = MACHINE_JUDGE; m <= MACHINE_CABLE_B; m++) {
            place = (struct place){.format = 1, .booth = (int)b + 1, .machine = m};
            place_name(&place, name);
            assert_true(place_name_read(&again, name));
            assert_int_equal(again.booth, b + 1);
            assert_int_equal(again.machine, m);
        }
        stick_ranks(b, name);
        assert_true(stick_ranks_read(name, &judge));
        assert_int_equal(judge, b);
        assert_false(place_name_read(&again, name));
    }
    place_name(&(struct place){1, 3, MACHINE_CABLE_A}, name);
    assert_string_equal(name, "booth-3-cable-a");
    static const char *const none[] = {"",
                                       "booth-",
                                       "booth-0-judge",
                                       "booth-03-judge",
                                       "booth-3",
                                       "booth-3-judges",
                                       "Booth-3-judge",
                                       "booth-3-cable-c",
                                       "judge-3-ranks"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_false(place_name_read(&again, none[i]));
}

static void test_ticket(void **state)
{
    char name[STICK_NAME_MAX];
    (void)state;
    stick_ticket(1, 0, name);
    assert_string_equal(name, "002.ticket");
    stick_ticket(1, 1, name);
    assert_string_equal(name, "002-2.ticket");
}

static void test_list(void **state)
{
    const struct stick written = {true, STICK_BACK, 57, "A contest = of 2 words"};
    const struct stick_file files[] = {{0x3f00aa12, 417, "booth-3-cable-a/002.ticket"},
                                       {0, 0, "booth-3-cable-a/line.key"}};
    char text[3 * STICK_LINE_MAX], cut[3 * STICK_LINE_MAX];
    struct stick read;
    struct stick_file file;
    struct bl_diag diag;
    const char *at;
    (void)state;
    stick_head_write(&written, text);
    for (size_t i = 0; i < 2; i++)
        stick_file_write(&files[i], text + strlen(text));
    assert_int_equal(stick_head_read(&read, text, "list", &at, &diag), BL_OK);
    assert_memory_equal(&read, &written, sizeof read);
    for (size_t i = 0; i < 2; i++) {
        assert_true(stick_file_read(&file, &at));
        assert_memory_equal(&file, &files[i], sizeof file);
    }
    assert_false(stick_file_read(&file, &at));
    /* Cut anywhere it gives whole lines alone. */
    for (size_t length = 0; length < strlen(text); length++) {
        unsigned count = 0;
        memcpy(cut, text, length);
        cut[length] = '\0';
        if (stick_head_read(&read, cut, "list", &at, &diag) != BL_OK)
            continue;
        while (stick_file_read(&file, &at))
            assert_memory_equal(&file, &files[count++], sizeof file);
        assert_true(count < 2);
    }
    at = "00000000 1 ../../etc/passwd\n";
    assert_false(stick_file_read(&file, &at));
    at = "00000000 1 /etc/passwd\n";
    assert_false(stick_file_read(&file, &at));
    static const char *const heads[] = {
        "hello\n", "boothlink-stick 1 half room=back-room acts=1 contest=x\n",
        "boothlink-stick 1 complete room=desk acts=1 contest=x\n",
        /* newer than any other for ever, or no number */
        "boothlink-stick 1 complete room=back-room acts=9000000000000000000 contest=x\n",
        "boothlink-stick 1 complete room=back-room acts=-1 contest=x\n",
        "boothlink-stick 1 complete room=back-room acts=1e9 contest=x\n"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        assert_int_equal(stick_head_read(&read, heads[i], "list", &at, &diag), BL_DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_ticket),
                                       cmocka_unit_test(test_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
