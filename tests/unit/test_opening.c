/* What entities say, against the rules: the opening words of 2004 A3, the likeness of answers of
 * 2003 r38. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "contest/answers.h"
#include "rules/opening.h"
#include "tests/support/random.h"

#define WORDS "Hello, my name is X and I am the human"

static char name[OPENING_NAME_MAX];

static enum opening_verdict check(const char *said)
{
    static const char *const approved[] = {"Mary Ann", "J\xC3\xB6rg", "Al"};
    return opening_check(WORDS, approved, 3, said, name);
}

static void test_2004_A3_held(void **state)
{
    (void)state;
    static const char *const said[] = {
        "Hello, my name is Mary Ann and I am the human",
        "Hello, my name is Mary Ann and I am the human.",
        "hello, MY NAME IS mary ann AND i AM THE HUMAN. How are you?",
        "  Hello ,  my\nname is MaryAnn and I am the human\r\nSo",
        "Hello,my name isMary Annand I amthehuman",
        "Hello, my name is J\xC3\x96RG and I am the human",
    };
    for (unsigned i = 0; i < sizeof said / sizeof said[0]; i++)
        assert_int_equal(check(said[i]), OPENING_HELD);
    assert_string_equal(name, "J\xC3\x96RG");
}

static void test_2004_A3_not_held(void **state)
{
    (void)state;
    assert_int_equal(check(""), OPENING_NOTHING);
    assert_int_equal(check(" \r\n"), OPENING_NOTHING);
    assert_int_equal(check("Hello, my name is Bob and I am the human"), OPENING_NAME);
    assert_string_equal(name, "Bob");
    assert_int_equal(check("Hello, my name is  and I am the human"), OPENING_OTHER);
    assert_int_equal(check("Hello, my name is Al and I am the humanoid"), OPENING_OTHER);
    assert_int_equal(check("Hello, my name is Al and I am the hum"), OPENING_OTHER);
    assert_int_equal(check("Hello my name is Al and I am the human"), OPENING_OTHER);
    assert_int_equal(check("Hi! Hello, my name is Al and I am the human"), OPENING_OTHER);
    assert_string_equal(name, "");
}

static void test_without_names(void **state)
{
    (void)state;
    assert_int_equal(
        opening_check(WORDS, NULL, 0, "Hello, my name is Zed and I am the human", name),
        OPENING_HELD);
    assert_string_equal(name, "Zed");
    assert_int_equal(opening_check("I am here.", NULL, 0, "i am HERE", name), OPENING_HELD);
    assert_int_equal(opening_check("I am here.", NULL, 0, "I am hereby", name), OPENING_OTHER);
}

/* A name of any bytes is cut nowhere and overruns nothing. */
static void test_random_words(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("random words"));
    for (unsigned turn = 0; turn < 20000; turn++) {
        char said[160] = "Hello, my name is ";
        size_t length = strlen(said), more = dice_below(&dice, 80);
        for (size_t i = 0; i < more; i++)
            said[length++] = (char)(1 + dice_below(&dice, 255));
        said[length] = '\0';
        if (turn & 1)
            strcat(said, " and I am the human");
        check(said);
        assert_true(strlen(name) < OPENING_NAME_MAX);
        for (size_t i = length; i; i -= i > 1 ? 2 : 1) {
            said[i] = '\0';
            check(said);
        }
    }
}

static void test_2003_r38_likeness(void **state)
{
    (void)state;
    assert_true(answers_same_words("What is YOUR name?", "what is your  name"));
    assert_false(answers_same_words("What is your name?", "What is your"));
    assert_false(answers_same_words("What is", "What is it"));
    assert_false(answers_same_words("?!", "..."));
    assert_int_equal(answers_likeness("I went fishing.", "i WENT fishing"), 100);
    assert_int_equal(answers_likeness("I went fishing", "nobody asked"), 0);
    assert_int_equal(answers_likeness("a b c", "b c d"), 50);
    assert_int_equal(answers_likeness("a a a b", "b a"), 100);
    assert_int_equal(answers_likeness("", ""), 0);
    assert_int_equal(answers_likeness("abc", "ab"), 0);
}

/* Each question that two Entries answered comes once, with the others' answers after the first. */
static void test_2003_r38_side_by_side(void **state)
{
    static char texts[][2][6] = {{"A", "Who?"}, {"A", "who"}, {"B", "When?"}, {"B", "Who ?"},
                                 {"C", "Why?"}, {"A", "WHO"}, {"C", "who!"}};
    enum { count = sizeof texts / sizeof texts[0] };
    struct report_answer all[count];
    for (unsigned i = 0; i < count; i++)
        all[i] = (struct report_answer){.entry = texts[i][0], .question = texts[i][1]};
    (void)state;
    assert_int_equal(answers_shared(all, count, 0), 0);
    assert_int_equal(answers_shared(all, count, 1), count);
    assert_int_equal(answers_other(all, count, 0, 1), 3);
    assert_int_equal(answers_other(all, count, 0, 4), 6);
    assert_int_equal(answers_other(all, count, 0, 7), count);
    assert_int_equal(answers_shared(all, 3, 0), 3);
    assert_int_equal(answers_shared(all, 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_2004_A3_held),      cmocka_unit_test(test_2004_A3_not_held),
        cmocka_unit_test(test_without_names),     cmocka_unit_test(test_random_words),
        cmocka_unit_test(test_2003_r38_likeness), cmocka_unit_test(test_2003_r38_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
