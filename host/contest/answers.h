/* How like each other two Entries' answers to one question are, for the panel that decides. Pure.
 * Source: 2003 r38: responses must differ in essence; the panel's decision is final, so nothing is
 * decided here. */
#ifndef CONTEST_ANSWERS_H
#define CONTEST_ANSWERS_H

#include <stdbool.h>

/* The same words in the same order; case and all that is no letter or digit do not count. A text
 * without a word is like no other. */
bool answers_same_words(const char *a, const char *b);

/* Words that both have, of all words that either has, each counted once: 0 to 100. */
unsigned answers_likeness(const char *a, const char *b);

#endif
