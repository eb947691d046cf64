/* What somebody typed, as it stood in the end: for the verbs that look into transcripts. */
#ifndef CLI_CONTEST_WORDS_H
#define CLI_CONTEST_WORDS_H

#include "cli/contest.h"

/* Zeroed is the start; more than there is room for is left out. */
struct words {
    char text[CONTEST_WORDS_MAX];
    size_t length;
};

/* The next key: BackSpace takes one back, Return and Tab are blanks. */
void words_add(struct words *words, uint32_t point);

bool words_blank(const struct words *words);

#endif
