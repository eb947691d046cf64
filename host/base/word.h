/* Tables that have a word for each value of an enum. */
#ifndef BASE_WORD_H
#define BASE_WORD_H

#include <stddef.h>

/* The word of a value in the table `words`; `otherwise` if the table has no word for the value. */
#define WORD_OF(words, value, otherwise)                                                           \
    word_of(words, sizeof(words) / sizeof *(words), (size_t)(value), otherwise)

static inline const char *word_of(const char *const *words, size_t count, size_t value,
                                  const char *otherwise)
{
    return value < count && words[value] ? words[value] : otherwise;
}

#endif
