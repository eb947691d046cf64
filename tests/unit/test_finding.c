/* Quoted texts of programs in findings, and the missing file that their standard error names. */
#include "validate/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void test_quote_says_how_much(void **state)
{
    char out[64];
    (void)state;
    assert_int_equal(quote(out, sizeof out, "a\n\x01", 3), 3);
    assert_string_equal(out, "a\\n\\x01");
    char text[100];
    memset(text, 'x', sizeof text);
    size_t taken = quote(out, sizeof out, text, sizeof text);
    assert_true(taken < sizeof text);
    assert_int_equal(taken, strlen(out));
}

/* The end stands in a report whatever it is quoted as; the beginning is dropped. */
static void test_quote_end(void **state)
{
    static const char reason[] = "\nNo such file or directory: 'words.txt'\n";
    char text[400], out[FINDING_TEXT];
    (void)state;
    quote_end(out, sizeof out, "short\n", 6);
    assert_string_equal(out, "short\\n");
    for (unsigned kind = 0; kind < 3; kind++) { /* plain, longer in quotes, of several bytes */
        static const char *const units[] = {"x", "\xff", "\xe2\x82\xac"};
        size_t length = 0;
        while (length < 300)
            length += (size_t)sprintf(text + length, "%s", units[kind]);
        strcpy(text + length, reason);
        quote_end(out, sizeof out, text, strlen(text));
        assert_non_null(strstr(out, "\\nNo such file or directory: 'words.txt'\\n"));
        assert_true(kind != 2 || !strstr(out, "\\x"));
        assert_true(strlen(out) > 180 && strlen(out) < sizeof out);
    }
    memset(text, '\t', sizeof text); /* a program that draws a table of blanks */
    quote_end(out, sizeof out, text, sizeof text);
    assert_int_equal(strlen(out) % 4, 0);
}

/* The same file, with or without a newline behind it, in quotes alone or in a finding's lines. */
static void test_missing_file(void **state)
{
    char file[FINDING_TEXT], other[FINDING_TEXT];
    struct finding finding = {0};
    (void)state;
    assert_true(errors_missing_file("x\\nwords.txt: No such file\\ny", file));
    assert_string_equal(file, "words.txt: No such file");
    finding_evidence(&finding, STANDARD_ERROR "%s\"", "words.txt: No such file");
    finding_evidence(&finding, "hint: no more");
    assert_true(errors_missing_file(
        strstr(finding.evidence, STANDARD_ERROR) + strlen(STANDARD_ERROR), other));
    assert_string_equal(other, file);
    assert_false(errors_missing_file("all is well", file));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quote_says_how_much),
                                       cmocka_unit_test(test_quote_end),
                                       cmocka_unit_test(test_missing_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
