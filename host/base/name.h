/* Names as a reader takes them. Pure. */
#ifndef BASE_NAME_H
#define BASE_NAME_H

#include <stdbool.h>

/* True if two names (UTF-8) look the same to a reader: without case, whichever way their characters
 * are composed (Unicode 15, NFKC_Casefold), with blanks at their ends or more than one between
 * words. Names that are no UTF-8 must be equal to the byte. */
bool name_equal(const char *a, const char *b);

#endif
