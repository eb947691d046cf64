/* An entity's first words to a judge, against the rules' form. Pure. Source: 2004 A3: "Hello, my
 * name is X and I am the human", X being a name the manager has approved, of confederates and
 * Entries alike. Case, blanks and the final stop are forgiven. */
#ifndef RULES_OPENING_H
#define RULES_OPENING_H

#include <stddef.h>

#define OPENING_NAME_MAX 64

enum opening_verdict {
    OPENING_HELD = 1,
    OPENING_NAME,    /* the words are right, and the name is none that was approved */
    OPENING_OTHER,   /* other words came first */
    OPENING_NOTHING, /* it said nothing */
};

/* `opening` as in a ruleset, with one X on its own; `said` is UTF-8, the entity's first text after
 * the effect of its BackSpaces; more may follow. With no names approved every name is taken. `name`
 * becomes the one given, "" if none. */
enum opening_verdict opening_check(const char *opening, const char *const *approved, unsigned count,
                                   const char *said, char name[OPENING_NAME_MAX]);

/* The words with this name in the place of X, cut off where `out` ends. */
void opening_words(const char *opening, const char *name, char *out, size_t size);

#endif
