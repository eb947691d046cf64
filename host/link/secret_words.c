#include "link/secret_words.h"
#include "link/secret_words_table.h"

#include <ctype.h>
#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    LIST = sizeof key_word_table / sizeof key_word_table[0],
    WORD_BITS = 10,
    BYTES = SECRET_SEED + 1, /* bytes with the check */
    TYPED_MAX = 24,          /* letters of a mistyped word that are shown */
};

static uint8_t check_of(const uint8_t seed[SECRET_SEED])
{
    uint8_t hash[crypto_generichash_BYTES_MIN], check;
    crypto_generichash(hash, sizeof hash, seed, SECRET_SEED, NULL, 0);
    check = hash[0];
    sodium_memzero(hash, sizeof hash);
    return check;
}

void secret_words_format(const uint8_t seed[SECRET_SEED], char text[KEY_WORDS_TEXT])
{
    uint8_t bytes[BYTES];
    size_t length = 0;
    memcpy(bytes, seed, SECRET_SEED);
    bytes[SECRET_SEED] = check_of(seed);
    for (unsigned word = 0; word < KEY_WORDS; word++) {
        unsigned index = 0;
        for (unsigned bit = word * WORD_BITS; bit < (word + 1) * WORD_BITS; bit++)
            index = index << 1 | (bytes[bit / 8] >> (7 - bit % 8) & 1);
        length += (size_t)snprintf(text + length, KEY_WORDS_TEXT - length, "%s%s", word ? " " : "",
                                   key_word_table[index]);
    }
    sodium_memzero(bytes, sizeof bytes);
}

/* True if one typing mistake turns a into b: a letter changed, added or left out, or two letters
 * swapped. */
static bool is_one_mistake(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b), same = 0;
    while (a[same] && a[same] == b[same])
        same++;
    a += same;
    b += same;
    m -= same;
    n -= same;
    if (m == n)
        return m && (strcmp(a + 1, b + 1) == 0 ||
                     (m > 1 && a[0] == b[1] && a[1] == b[0] && strcmp(a + 2, b + 2) == 0));
    return m == n + 1 ? strcmp(a + 1, b) == 0 : n == m + 1 && strcmp(a, b + 1) == 0;
}

static int find(const char *word)
{
    for (unsigned i = 0; i < LIST; i++)
        if (strcmp(key_word_table[i], word) == 0)
            return (int)i;
    return -1;
}

static enum bl_status unknown(const char *word, unsigned number, const char *shown,
                              struct bl_diag *diag)
{
    for (unsigned i = 0; i < LIST; i++)
        if (is_one_mistake(word, key_word_table[i]))
            return bl_fail(diag, BL_DATA, "word %u, '%s', is none of the list; is it '%s'?", number,
                           word, key_word_table[i]);
    return bl_fail(diag, BL_DATA, "word %u, '%s', is none of the list: look at %s again", number,
                   word, shown);
}

enum bl_status secret_words_parse(const char *text, const char *shown, uint8_t seed[SECRET_SEED],
                                  struct bl_diag *diag)
{
    uint8_t bytes[BYTES] = {0};
    char word[TYPED_MAX + 1];
    unsigned words = 0;
    enum bl_status status = BL_OK;
    while (!status) {
        size_t length = 0;
        int index;
        while (*text && !isalpha((unsigned char)*text))
            text++;
        if (!*text)
            break;
        for (; isalpha((unsigned char)*text); text++)
            if (length < TYPED_MAX)
                word[length++] = (char)tolower((unsigned char)*text);
        word[length] = '\0';
        index = find(word);
        if (index < 0) {
            status = unknown(word, words + 1, shown, diag);
        } else if (words < KEY_WORDS) {
            for (unsigned i = 0; i < WORD_BITS; i++) {
                unsigned bit = words * WORD_BITS + i;
                bytes[bit / 8] |= (uint8_t)((index >> (WORD_BITS - 1 - i) & 1) << (7 - bit % 8));
            }
        }
        words++;
    }
    if (!status && words != KEY_WORDS)
        status = bl_fail(diag, BL_DATA, "%u word%s %s given, expected %u", words, BL_S(words),
                         BL_WERE(words), KEY_WORDS);
    if (!status && bytes[SECRET_SEED] != check_of(bytes))
        status = bl_fail(diag, BL_DATA,
                         "these words do not belong together: one of them is another word of the "
                         "list, or two have changed places");
    if (!status)
        memcpy(seed, bytes, SECRET_SEED);
    sodium_memzero(bytes, sizeof bytes);
    sodium_memzero(word, sizeof word);
    return status;
}
