/* Checks an entity's first words to a judge. Pure. Source: 2004 A3: "Hello, my name is X and I am
 * the human", where X is a name approved by the manager. Case, blanks and the final stop are
 * ignored. */
#ifndef RULES_OPENING_H
#define RULES_OPENING_H

#include <stddef.h>

#define OPENING_NAME_MAX 64

enum opening_verdict {
    OPENING_HELD = 1,
    OPENING_NAME,    /* the words are correct, but the name is not approved */
    OPENING_OTHER,   /* other words came first */
    OPENING_NOTHING, /* the entity said nothing */
};

/* Checks the opening. opening: as in a ruleset, with one X that stands alone. said: the entity's
 * first text in UTF-8, with BackSpaces applied; more text may follow. Without approved names any
 * name is accepted. name: gets the name that was said; "": none. */
enum opening_verdict opening_check(const char *opening, const char *const *approved, unsigned count,
                                   const char *said, char name[OPENING_NAME_MAX]);

/* Writes the opening with the name in the place of X, cut to `size`. */
void opening_words(const char *opening, const char *name, char *out, size_t size);

#endif
