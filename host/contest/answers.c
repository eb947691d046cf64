#include "contest/answers.h"

#include <stddef.h>
#include <string.h>

struct word {
    const char *text;
    size_t length;
};

/* Bytes above ASCII are parts of words: UTF-8. */
static bool is_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

/* The next word from *at; length 0: there is none. */
static struct word next_word(const char **at)
{
    struct word word;
    while (**at && !is_part(**at))
        ++*at;
    word.text = *at;
    while (is_part(**at))
        ++*at;
    word.length = (size_t)(*at - word.text);
    return word;
}

static bool is_equal(struct word a, struct word b)
{
    if (a.length != b.length)
        return false;
    for (size_t i = 0; i < a.length; i++) {
        char x = a.text[i], y = b.text[i];
        x = x >= 'A' && x <= 'Z' ? (char)(x + 0x20) : x;
        y = y >= 'A' && y <= 'Z' ? (char)(y + 0x20) : y;
        if (x != y)
            return false;
    }
    return true;
}

bool answers_same_words(const char *a, const char *b)
{
    for (bool any = false;; any = true) {
        struct word x = next_word(&a), y = next_word(&b);
        if (!is_equal(x, y))
            return false;
        if (x.length == 0)
            return any;
    }
}

/* Is it among the words of text before `end`? */
static bool has_word(const char *text, const char *end, struct word wanted)
{
    for (;;) {
        struct word word = next_word(&text);
        if (word.length == 0 || word.text >= end)
            return false;
        if (is_equal(word, wanted))
            return true;
    }
}

unsigned answers_likeness(const char *a, const char *b)
{
    unsigned both = 0, all = 0;
    const char *at = a;
    for (struct word word; (word = next_word(&at)).length;) {
        if (has_word(a, word.text, word))
            continue;
        all++;
        both += has_word(b, b + strlen(b), word);
    }
    at = b;
    for (struct word word; (word = next_word(&at)).length;)
        all += !has_word(b, word.text, word) && !has_word(a, a + strlen(a), word);
    return all ? (100 * both + all / 2) / all : 0;
}
