/* The keys of a language model's answer, as its text comes in any split: parts in <think> and the
 * signs of markdown are left out, line ends become blanks, for a Return ends the answer, and
 * characters that no keyboard types become those that one does. Pure. */
#ifndef ADAPTER_TYPED_TEXT_H
#define ADAPTER_TYPED_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TYPED_KEYS 16384 /* of one answer; more are cut */

struct typed_text {
    bool as_is; /* characters are not changed */
    uint32_t key[TYPED_KEYS];
    size_t count;
    bool cut, thinks, line_start;
    uint32_t last, held; /* a sign whose meaning the next character tells; 0: none */
    char tag[10];        /* the beginning of a tag */
    size_t tag_length;
    uint32_t point; /* a character of UTF-8 of which bytes are missing */
    unsigned need;
};

void typed_text_begin(struct typed_text *text, bool as_is);
void typed_text_feed(struct typed_text *text, const char *bytes, size_t length);

/* The answer is whole: decides the held text, and drops blanks at its end. */
void typed_text_end(struct typed_text *text);

#endif
