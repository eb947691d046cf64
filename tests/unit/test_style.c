/* Page styles as text: every field there and back, and what is said of wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "session/style.h"

static void default_is_split(void **state)
{
    struct style style;
    char line[STYLE_MAX + 1];
    (void)state;
    style_default(&style);
    style_format(&style, line);
    assert_string_equal(line, "split columns=38 wrap=words label.judge=Judge label.entity=Entity");
}

static void every_field_is_optional(void **state)
{
    struct style style, expected;
    (void)state;
    style_default(&expected);
    assert_int_equal(style_parse(&style, "split", 2, NULL), BL_OK);
    assert_memory_equal(&style, &expected, sizeof style);
    assert_int_equal(style_parse(&style, "  split   columns=78  ", 2, NULL), BL_OK);
    assert_int_equal(style.columns, 78);
    assert_string_equal(style.label[PARTY_ENTITY], "Entity");
}

static void all_fields_there_and_back(void **state)
{
    static const char line[] = "split columns=120 wrap=words backspace=page label.judge=\"The "
                               "judge\" label.entity=Gegen\xC3\xBC"
                               "ber";
    struct style style, again;
    char text[STYLE_MAX + 1];
    (void)state;
    assert_int_equal(style_parse(&style, line, 2, NULL), BL_OK);
    assert_int_equal(style.columns, 120);
    assert_true(style.backspace_over_return);
    assert_string_equal(style.label[PARTY_JUDGE], "The judge");
    style_format(&style, text);
    assert_string_equal(text, line);
    assert_int_equal(style_parse(&again, text, 2, NULL), BL_OK);
    assert_memory_equal(&style, &again, sizeof style);
    assert_int_equal(style_read(&again, text, NULL), BL_OK);
    assert_memory_equal(&style, &again, sizeof style);
}

/* A line on record from before pages wrapped at words is read as it was, and written so. */
static void lines_on_record_mean_what_they_did(void **state)
{
    static const char *const lines[] = {
        "split columns=38 backspace=line label.judge=Judge label.entity=Entity",
        "split columns=60 backspace=page label.judge=Judge label.entity=Entity colour.judge=red",
        ("scroll columns=78 backspace=line label.judge=Judge label.entity=Entity prompt.judge=> "
         "prompt.entity=\"\""),
        "web columns=78 backspace=line label.judge=Judge label.entity=Partner"};
    struct style style, person;
    char text[STYLE_MAX + 1];
    (void)state;
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_int_equal(style_read(&style, lines[i], NULL), BL_OK);
        assert_false(style.whole_words);
        style_format(&style, text);
        assert_string_equal(text, lines[i]);
        assert_int_equal(style_parse(&person, lines[i], 1, NULL), BL_OK);
        assert_true(person.whole_words);
        snprintf(text, sizeof text, "%s wrap=letters%s", lines[i],
                 style.form == STYLE_WEB ? " fields=both" : "");
        assert_int_equal(style_parse(&person, text, 1, NULL), BL_OK);
        assert_memory_equal(&person, &style, sizeof style);
    }
    assert_int_equal(style_read(&style, "scroll", NULL), BL_OK);
    assert_int_equal(style.columns, 78);
    assert_int_equal(style_read(&style, "tk", NULL), BL_DATA);
}

static void columns_follow_the_number_of_sides(void **state)
{
    static const char *const forms[] = {"split", "scroll", "web"};
    struct style style;
    (void)state;
    for (unsigned i = 0; i < STYLE_FORMS; i++) {
        char line[40];
        assert_int_equal(style_parse(&style, forms[i], 1, NULL), BL_OK);
        assert_int_equal(style.columns, 78);
        assert_int_equal(style_parse(&style, forms[i], 2, NULL), BL_OK);
        assert_int_equal(style.columns, 38);
        snprintf(line, sizeof line, "%s columns=50", forms[i]);
        assert_int_equal(style_parse(&style, line, 1, NULL), BL_OK);
        assert_int_equal(style.columns, 50);
    }
}

static void longest_style_fits(void **state)
{
    struct style style, again;
    char line[STYLE_MAX + 1];
    (void)state;
    style_default(&style);
    style.columns = STYLE_COLUMNS_MAX;
    style.backspace_over_return = true;
    for (int party = 0; party < PARTIES; party++) {
        memset(style.label[party], 'x', STYLE_LABEL_MAX);
        style.label[party][4] = ' ';
    }
    style_format(&style, line);
    assert_in_range(strlen(line), 100, STYLE_MAX - 1);
    assert_int_equal(style_parse(&again, line, 2, NULL), BL_OK);
    assert_memory_equal(&style, &again, sizeof style);
    style_begin(&style, STYLE_SCROLL, 1);
    style.columns = STYLE_COLUMNS_MAX;
    for (int party = 0; party < PARTIES; party++) {
        memset(style.label[party], 'x', STYLE_LABEL_MAX);
        style.label[party][4] = ' ';
        memset(style.prompt[party], '>', STYLE_PROMPT_MAX);
        style.prompt[party][4] = ' ';
        style.colour[party] = STYLE_MAGENTA;
    }
    style_format(&style, line);
    assert_in_range(strlen(line), 100, STYLE_MAX);
    assert_int_equal(style_parse(&again, line, 2, NULL), BL_OK);
    assert_memory_equal(&style, &again, sizeof style);
}

static void forms_bring_their_own_fields(void **state)
{
    struct style style, again;
    char line[STYLE_MAX + 1];
    (void)state;
    assert_int_equal(style_parse(&style, "scroll", 1, NULL), BL_OK);
    assert_int_equal(style_returns(&style), 2);
    assert_string_equal(style.prompt[PARTY_JUDGE], ">");
    style_format(&style, line);
    assert_string_equal(line, "scroll columns=78 wrap=words label.judge=Judge "
                              "label.entity=Entity prompt.judge=> prompt.entity=\"\"");
    assert_int_equal(style_parse(&again, line, 2, NULL), BL_OK);
    assert_memory_equal(&style, &again, sizeof style);
    assert_int_equal(style_parse(&style, "web colour.entity=green", 1, NULL), BL_OK);
    assert_int_equal(style_returns(&style), 1);
    assert_int_equal(style_lead(&style, PARTY_JUDGE), strlen("Partner: "));
    style_format(&style, line);
    assert_string_equal(line, "web columns=78 wrap=words fields=own label.judge=Judge "
                              "label.entity=Partner colour.entity=green");
    assert_int_equal(style_read(&again, line, NULL), BL_OK);
    assert_memory_equal(&style, &again, sizeof style);
}

/* A session that was begun with pages of before goes on with them, and with no others. */
static void what_was_begun_goes_on(void **state)
{
    static const struct {
        const char *record, *wanted;
        bool was;
    } rows[] = {
        {"web columns=78 wrap=words label.judge=Judge label.entity=Partner", "web", true},
        {"web columns=78 backspace=line label.judge=Judge label.entity=Partner", "web", true},
        {"web columns=60 wrap=words label.judge=Judge label.entity=Partner", "web", false},
        {"web columns=78 wrap=words label.judge=Judge label.entity=Other", "web", false},
        {"web columns=78 wrap=words fields=own label.judge=Judge label.entity=Partner",
         "web fields=both", false},
        {"split columns=60 backspace=line label.judge=Judge label.entity=Entity", "split", true},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct style record, wanted;
        assert_int_equal(style_read(&record, rows[i].record, NULL), BL_OK);
        assert_int_equal(style_parse(&wanted, rows[i].wanted, 1, NULL), BL_OK);
        if (style_was(&record, &wanted) != rows[i].was)
            fail_msg("'%s' on record, '%s' wanted", rows[i].record, rows[i].wanted);
    }
}

static void wrong_lines_name_the_field(void **state)
{
    static const struct {
        const char *line, *said;
    } wrong[] = {
        {"", "split"},
        {"chat", "'scroll'"},
        {"scroll backspace=page", "backspace=line"},
        {"scroll prompt.judge=1234567", "0 to 6"},
        {"web prompt.judge=>", "'prompt.judge=>'"},
        {"web fields=none", "fields=own or fields=both"},
        {"scroll fields=own", "no field 'fields=own'"},
        {"web columns=20 label.judge=\"A long label\"", "columns=24"},
        {"split colour.judge=pink", "none, red"},
        {"split label.judge", "'label.judge'"},
        {"splitter", "split"},
        {"split columns=19", "columns=19"},
        {"split columns=121", "20 to 120"},
        {"split columns=", "columns="},
        {"split columns=-40", "columns=-40"},
        {"split columns=40x", "columns=40x"},
        {"split columns=0000000000000000000000038", "columns=000"},
        {"split wrap=pages", "wrap=words or wrap=letters"},
        {"split backspace=all", "backspace=line or backspace=page"},
        {"split label.judge=", "label.judge="},
        {"split label.judge=\"", "quote"},
        {"split label.entity=a\x01", "label.entity="},
        {"split label.entity=a\xFF", "UTF-8"},
        {"split label.entity=\xE2\x80\xAE", "label.entity="},
        {"split label.judge=1234567890123456789012345", "1 to 24"},
        {"split label.judge=\"12345678901234567890123456789012345678901234567890\"", "too long"},
        {"split colour=red", "'colour=red'"},
        {"split label.other=X", "label.entity="},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct style style, before;
        struct bl_diag diag = {""};
        memset(&style, 0x5A, sizeof style);
        before = style;
        if (style_parse(&style, wrong[i].line, 2, &diag) != BL_DATA ||
            !strstr(diag.text, wrong[i].said))
            fail_msg("'%s' gives '%s', which does not say '%s'", wrong[i].line, diag.text,
                     wrong[i].said);
        assert_memory_equal(&style, &before, sizeof style);
    }
}

static void keys_are_printable(void **state)
{
    static const uint32_t keys[] = {KEY_RETURN, KEY_BACKSPACE, KEY_TAB, ' ',    '~',
                                    0xA0,       0xE9,          0x301,   0x200C, 0x200D,
                                    0x4E2D,     0x1F600,       0x3000,  0xFFFD, 0xAC00};
    static const uint32_t others[] = {
        0,      1,       0x0A,    0x0B,   0x1B,     0x1F,     0x7F,       0x80,     0x9F,
        0xAD,   0x61C,   0x200B,  0x200E, 0x200F,   0x2028,   0x2029,     0x202A,   0x202E,
        0x2066, 0x2069,  0xFEFF,  0xD800, 0xDFFF,   0xE000,   0xF8FF,     0x378,    0xFFFE,
        0xFFFF, 0xE0020, 0xF0000, 0xFFF9, 0x10FFFF, 0x110000, UINT32_MAX, 0x4000000};
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!key_is_key(keys[i]))
            fail_msg("U+%04X is a key", keys[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (key_is_key(others[i]))
            fail_msg("U+%04X is no key", others[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_is_split),
        cmocka_unit_test(every_field_is_optional),
        cmocka_unit_test(all_fields_there_and_back),
        cmocka_unit_test(lines_on_record_mean_what_they_did),
        cmocka_unit_test(columns_follow_the_number_of_sides),
        cmocka_unit_test(longest_style_fits),
        cmocka_unit_test(forms_bring_their_own_fields),
        cmocka_unit_test(what_was_begun_goes_on),
        cmocka_unit_test(wrong_lines_name_the_field),
        cmocka_unit_test(keys_are_printable),
    };
    return cmocka_run_group_tests_name("style", tests, NULL, NULL);
}
