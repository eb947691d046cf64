/* Compares names as readers see them. Pure. */
#ifndef BASE_NAME_H
#define BASE_NAME_H

#include <stdbool.h>

/* True if two UTF-8 names look the same to a reader. Case, the composition of characters (Unicode
 * 15, NFKC_Casefold), blanks at the ends and repeated blanks do not matter. Names that are not
 * UTF-8 must be identical. */
bool name_equal(const char *a, const char *b);

#endif
