/* The words of keys: any key comes back from its words, and a mistyped word is named. */
#include "link/secret.h"
#include "link/secret_words_table.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { LIST = sizeof key_word_table / sizeof key_word_table[0] };

static struct dice dice;

static void draw(uint8_t seed[SECRET_SEED])
{
    for (unsigned i = 0; i < SECRET_SEED; i++)
        seed[i] = (uint8_t)dice_next(&dice);
}

/* Letters to change, add, drop or swap with their neighbour, 2 if more than one. */
static unsigned mistakes(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b), i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    if (!a[i] && !b[i])
        return 0;
    if ((m == n && strcmp(a + i + 1, b + i + 1) == 0) ||
        (m == n + 1 && strcmp(a + i + 1, b + i) == 0) ||
        (n == m + 1 && strcmp(a + i, b + i + 1) == 0))
        return 1;
    return m == n && a[i + 1] && a[i] == b[i + 1] && a[i + 1] == b[i] &&
                   strcmp(a + i + 2, b + i + 2) == 0
               ? 1
               : 2;
}

static void test_the_list(void **state)
{
    (void)state;
    assert_int_equal(LIST, 1024);
    for (unsigned i = 0; i < LIST; i++) {
        size_t length = strlen(key_word_table[i]);
        assert_true(length >= 4 && length <= KEY_WORD_MAX);
        assert_int_equal(strspn(key_word_table[i], "abcdefghijklmnopqrstuvwxyz"), length);
        if (i)
            assert_true(strcmp(key_word_table[i - 1], key_word_table[i]) < 0);
        for (unsigned j = 0; j < i; j++)
            if (mistakes(key_word_table[i], key_word_table[j]) < 2)
                fail_msg("%s and %s", key_word_table[i], key_word_table[j]);
    }
}

static void test_keys_come_back(void **state)
{
    uint8_t seed[SECRET_SEED], got[SECRET_SEED];
    char text[KEY_WORDS_TEXT], typed[2 * KEY_WORDS_TEXT];
    struct bl_diag diag;
    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        draw(seed);
        secret_words_format(seed, text);
        assert_int_equal(secret_words_parse(text, "the first end", got, &diag), BL_OK);
        assert_memory_equal(got, seed, SECRET_SEED);
        /* As people type. */
        snprintf(typed, sizeof typed, " %s, \n", text);
        for (char *c = typed; *c; c++)
            if (*c == ' ' && dice_below(&dice, 3) == 0)
                *c = '-';
            else if (*c >= 'a' && dice_below(&dice, 3) == 0)
                *c = (char)(*c - 'a' + 'A');
        assert_int_equal(secret_words_parse(typed, "the first end", got, &diag), BL_OK);
        assert_memory_equal(got, seed, SECRET_SEED);
    }
}

static void test_mistyped_words_are_named(void **state)
{
    uint8_t seed[SECRET_SEED], got[SECRET_SEED];
    char text[KEY_WORDS_TEXT], typed[KEY_WORDS_TEXT + 1], wanted[80];
    struct bl_diag diag;
    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        unsigned word = (unsigned)dice_below(&dice, KEY_WORDS), number = 0;
        char *at = typed;
        draw(seed);
        secret_words_format(seed, text);
        strcpy(typed, text);
        for (; number < word; at++)
            number += *at == ' ';
        size_t length = strcspn(at, " ");
        char *letter = at + dice_below(&dice, length), was = *letter;
        *letter = (char)('a' + dice_below(&dice, 26));
        if (*letter == was)
            continue;
        assert_int_equal(secret_words_parse(typed, "the first end", got, &diag), BL_DATA);
        snprintf(wanted, sizeof wanted, "word %u, '%.*s', is none of the list; is it '", word + 1,
                 (int)length, at);
        assert_non_null(strstr(diag.text, wanted));
    }
}

static void test_other_words_are_found(void **state)
{
    uint8_t seed[SECRET_SEED], got[SECRET_SEED];
    char text[KEY_WORDS_TEXT];
    unsigned taken = 0;
    (void)state;
    for (unsigned i = 0; i < 2560; i++) {
        draw(seed);
        secret_words_format(seed, text);
        char *end = strrchr(text, ' '), last[KEY_WORD_MAX + 1];
        snprintf(last, sizeof last, "%s", end + 1);
        snprintf(end + 1, KEY_WORD_MAX + 1, "%s", key_word_table[dice_below(&dice, LIST)]);
        taken += strcmp(end + 1, last) != 0 &&
                 secret_words_parse(text, "the first end", got, NULL) == BL_OK;
    }
    assert_true(taken < 40); /* one of 256 gets through */
    assert_int_equal(secret_words_parse("", "the first end", got, NULL), BL_DATA);
}

static void test_the_same_words_make_the_same_key(void **state)
{
    uint8_t seed[SECRET_SEED];
    struct line_secret a, b;
    (void)state;
    draw(seed);
    assert_int_equal(secret_make(&a, seed, NULL), BL_OK);
    assert_int_equal(secret_make(&b, seed, NULL), BL_OK);
    assert_memory_equal(&a, &b, sizeof a);
    seed[0] ^= 1;
    assert_int_equal(secret_make(&b, seed, NULL), BL_OK);
    assert_memory_not_equal(a.secret, b.secret, SECURE_KEY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_list),
        cmocka_unit_test(test_keys_come_back),
        cmocka_unit_test(test_mistyped_words_are_named),
        cmocka_unit_test(test_other_words_are_found),
        cmocka_unit_test(test_the_same_words_make_the_same_key),
    };
    dice = dice_make(dice_seed("key"));
    if (sodium_init() < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
