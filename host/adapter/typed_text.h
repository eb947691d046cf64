/* Converts a language model's answer, in any split, to keys. Drops <think> parts and markdown
 * signs, replaces line ends by blanks, and replaces characters that keyboards lack. Pure. */
#ifndef ADAPTER_TYPED_TEXT_H
#define ADAPTER_TYPED_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TYPED_KEYS 16384 /* most keys of an answer; the rest is dropped */

struct typed_text {
    bool as_is; /* keeps all characters */
    uint32_t key[TYPED_KEYS];
    size_t count;
    bool cut, thinks, line_start;
    uint32_t last, held; /* held: a sign whose meaning depends on the next character; 0: none */
    char tag[10];        /* the start of a tag */
    size_t tag_length;
    uint32_t point; /* an incomplete UTF-8 character */
    unsigned need;
};

void typed_text_begin(struct typed_text *text, bool as_is);
void typed_text_feed(struct typed_text *text, const char *bytes, size_t length);

/* Ends the answer: decides about held text, and drops trailing blanks. */
void typed_text_end(struct typed_text *text);

#endif
