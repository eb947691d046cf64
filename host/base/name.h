/* Compares names. Pure. */
#ifndef BASE_NAME_H
#define BASE_NAME_H

#include <stdbool.h>
#include <string.h>

/* True if the name ends with `ending` and has more characters before. */
static inline bool name_ends(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

/* True if two UTF-8 names look the same to a reader. Ignores case, the composition of characters
 * (Unicode 15, NFKC_Casefold), blanks at a name's ends and repeated blanks. Names that are not
 * UTF-8 are compared byte by byte. */
bool name_equal(const char *a, const char *b);

#endif
