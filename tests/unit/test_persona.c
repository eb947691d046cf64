/* A language model's persona, and the keys of its answers: the settings and what is wrong with
 * them, the signs of markdown, thinking, characters that no keyboard types, in any split of the
 * bytes. */
#include "adapter/persona.h"
#include "adapter/typed_text.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct persona persona;
static char text[2000];

static enum bl_status parse(const char *file, struct bl_diag *diag)
{
    snprintf(text, sizeof text, "%s", file);
    return persona_parse(&persona, text, diag);
}

static void test_settings(void **state)
{
    struct bl_diag diag = {""};
    (void)state;
    assert_int_equal(parse("You are Ann.", &diag), BL_OK);
    assert_string_equal(persona.text, "You are Ann.");
    assert_int_equal(persona.max_tokens, 300);
    assert_int_equal(parse("---\nmodel: a b\ngap: 0\nstream: no\ntimeout: 2\n---\nAnn", &diag),
                     BL_OK);
    assert_string_equal(persona.text, "Ann");
    assert_string_equal(persona.model, "a b");
    assert_int_equal(persona.gap_ms, 0);
    assert_int_equal(persona.timeout_ms, 2000);
    assert_false(persona.stream);
}

/* As Windows' editors write it. */
static void test_line_ends(void **state)
{
    struct bl_diag diag = {""};
    (void)state;
    assert_int_equal(parse("---\r\nretries: 5\r\n---\r\nAnn", &diag), BL_OK);
    assert_string_equal(persona.text, "Ann");
    assert_int_equal(persona.retries, 5);
}

static void test_wrong(void **state)
{
    static const struct {
        const char *file, *why;
    } rows[] = {
        {"---\ncolour: red\n---\n", "line 2: colour: there is no such setting"},
        {"---\nseed: nan\n---\n", "line 2: seed: nan: expected a number from 0"},
        {"---\nseed: 1\ngap: 2001\n---\n", "line 3: gap: 2001: expected a number from 0 to 2000"},
        {"---\nstream: maybe\n---\n", "line 2: stream: maybe: expected yes or no"},
        {"---\nred\n---\n", "line 2: red: expected NAME: VALUE"},
        {"---\nseed: 1\n", "expected --- after the settings"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_diag diag = {""};
        assert_int_equal(parse(rows[i].file, &diag), BL_DATA);
        assert_non_null(strstr(diag.text, rows[i].why));
    }
}

static void test_filled(void **state)
{
    struct bl_diag diag = {""};
    (void)state;
    assert_int_equal(parse("{session}: {now}, {nothing}, {remaining}", &diag), BL_OK);
    const struct persona_words words = {"j1-r2", "noon", "4 minutes"};
    static const char expected[] = "j1-r2: noon, {nothing}, 4 minutes";
    char filled[sizeof expected];
    assert_true(persona_fill(&persona, &words, filled, sizeof filled));
    assert_string_equal(filled, expected);
    assert_false(persona_fill(&persona, &words, filled, sizeof filled - 1));
}

static void test_span(void **state)
{
    static const struct {
        unsigned seconds;
        const char *text;
    } rows[] = {{0, "0 seconds"},   {1, "1 second"},    {119, "119 seconds"},
                {120, "2 minutes"}, {179, "2 minutes"}, {6000, "100 minutes"}};
    char span[PERSONA_SPAN];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        persona_span(span, rows[i].seconds);
        assert_string_equal(span, rows[i].text);
    }
}

static const char *typed(const char *answer, size_t length, size_t portion, bool as_is)
{
    static struct typed_text t;
    static char out[4000];
    size_t used = 0;
    typed_text_begin(&t, as_is);
    for (size_t at = 0; at < length; at += portion)
        typed_text_feed(&t, answer + at, portion < length - at ? portion : length - at);
    typed_text_end(&t);
    for (size_t i = 0; i < t.count; i++)
        used += utf8_encode(t.key[i], (uint8_t *)out + used);
    out[used] = '\0';
    return out;
}

static void test_typed(void **state)
{
    static const struct {
        const char *answer, *keys;
    } rows[] = {
        {"<think>Is he?</think>Yes.", "Yes."},
        {"a <b>bold</b> word", "a <b>bold</b> word"},
        {"# Well\n\n**You** said `x`", "Well You said x"},
        {"2 * 3, 2*3, snake_case", "2 * 3, 2*3, snake_case"},
        {"\xE2\x80\x9CQuite\xE2\x80\x9D \xE2\x80\x94 \xF0\x9F\x98\x80 so\xE2\x80\xA6",
         "\"Quite\" - so..."},
        {"caf\xC3\xA9", "caf\xC3\xA9"},
        /* nobody's keys: C1, U+FFFD, a surrogate, beyond the last, a lone byte */
        {"a\xC2\x9B"
         "b\xEF\xBF\xBD"
         "c\xED\xA0\x80"
         "d\xF7\xBF\xBF\xBF"
         "e\x80"
         "f",
         "abcdef"},
        {"  \n ", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t portion = 1; portion < 6; portion++)
            assert_string_equal(typed(rows[i].answer, strlen(rows[i].answer), portion, false),
                                rows[i].keys);
    assert_string_equal(typed("so\xE2\x80\xA6", 5, 1, true), "so\xE2\x80\xA6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings), cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_wrong),    cmocka_unit_test(test_filled),
        cmocka_unit_test(test_span),     cmocka_unit_test(test_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
