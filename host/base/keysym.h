/* The names of keys in the Loebner Prize Protocol and in the transcripts of its contests.
 * Source: Loebner Prize 2009 rules, appendix; DESIGN.md, "Entrants", for the others. */
#ifndef BASE_KEYSYM_H
#define BASE_KEYSYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rules' name of a key, NULL if it has none: letters, digits and all that the rules do not
 * know stand for themselves. Return is 0x0D, BackSpace 0x08, Tab 0x09. */
const char *keysym_name(uint32_t point);

/* The point a name of length bytes stands for, 0 if none: a name of the rules, one character in
 * UTF-8, a name of X11 (for ASCII and Latin-1, or U20AC), or a spelling seen in the wild. Case
 * counts, and only where nothing has that case it does not. *exact (may be NULL): the rules would
 * write it so. A control character or an unassigned one may come back: ask key_is_key(). */
uint32_t keysym_point(const char *name, size_t length, bool *exact);

#endif
