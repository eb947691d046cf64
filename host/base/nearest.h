/* The known word that is nearest to a mistyped one. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stdbool.h>

struct nearest {
    const char *word;
    unsigned differences; /* of the nearest one so far */
};

/* word is the caller's. */
struct nearest nearest_start(const char *word);

/* True: the candidate is near to the word, and nearer than those before. */
bool nearest_is(struct nearest *nearest, const char *candidate);

#endif
