/* Finds the known word that is most similar to a mistyped one. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stdbool.h>

struct nearest {
    const char *word;
    unsigned differences; /* the number of letters in which the nearest candidate so far differs
                           * from `word` */
};

/* Starts a search for the candidate nearest to `word`, which must stay valid. */
struct nearest nearest_start(const char *word);

/* True if the candidate is similar to the word and nearer to it than every candidate before. */
bool nearest_is(struct nearest *nearest, const char *candidate);

#endif
