/* Text of others, made fit to be shown: utf8_plain(). The decoder has its fuzzer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"

static void test_what_is_shown_and_what_is_not(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"Zo\u00eb, \u4e2d \U0001f642", "Zo\u00eb, \u4e2d \U0001f642"},
        {"\u0643\u064a \u05d0", "\u0643\u064a \u05d0"}, /* right to left by themselves */
        {"\u0646\u200c\u0627 \u0915\u200d", "\u0646\u200c\u0627 \u0915\u200d"},
        {"\x1b[2J\a\r\n\t", "?[2J????"},
        {"\x7f\xc2\x9b", "??"},
        {"txt\u202egpj.exe", "txt?gpj.exe"},
        {"\u061c\u200e\u200f\u202a\u202c\u202d\u2066\u2069", "????????"},
        {"a\u200bb\ufeffc\u00add\u2060e", "a?b?c?d?e"},
        {"\u2028\u2029", "??"},
        {"\U000e0041", "?"},
        {"\xff\xc3", "??"},
        {"\xed\xa0\x80", "???"},
    };
    char out[64];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length = utf8_plain(out, sizeof out, cases[i][0], strlen(cases[i][0]));
        assert_string_equal(out, cases[i][1]);
        assert_int_equal(length, strlen(cases[i][1]));
        strcpy(out, cases[i][0]);
        utf8_plain(out, sizeof out, out, strlen(out)); /* where it stands */
        assert_string_equal(out, cases[i][1]);
    }
}

static void test_is_cut_at_a_character(void **state)
{
    static const char text[] = "a\u4e2db";
    char out[8];
    (void)state;
    for (size_t size = 1; size <= sizeof out; size++) {
        memset(out, 'x', sizeof out);
        size_t length = utf8_plain(out, size, text, strlen(text));
        assert_int_equal(length, size == 1 ? 0 : size <= 4 ? 1 : size == 5 ? 4 : 5);
        assert_int_equal(out[length], 0);
        assert_memory_equal(out, text, length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_shown_and_what_is_not),
        cmocka_unit_test(test_is_cut_at_a_character),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
