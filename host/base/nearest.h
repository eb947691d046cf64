/* Finds the known word that is most similar to a mistyped one. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stdbool.h>

struct nearest {
    const char *word;
    unsigned differences; /* differences of the nearest word so far */
};

/* Starts a search; the caller keeps `word`. */
struct nearest nearest_start(const char *word);

/* True if the candidate is similar to the word and nearer than all candidates before. */
bool nearest_is(struct nearest *nearest, const char *candidate);

#endif
