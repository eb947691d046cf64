/* The names of keys in the Loebner Prize Protocol and in the transcripts of the protocol's
 * contests. Source of the rules' names: Loebner Prize 2009 rules, appendix; of the other names:
 * boothlink-entrant(7), boothlink-lpp(5). */
#ifndef BASE_KEYSYM_H
#define BASE_KEYSYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rules' name of a key. NULL: none; a letter or a digit stands for itself. Return is 0x0D,
 * BackSpace 0x08, Tab 0x09. */
const char *keysym_name(uint32_t point);

/* The code point of a name of `length` bytes; 0 if the name is unknown. Accepts the rules' names,
 * one UTF-8 character, X11's names of ASCII and Latin-1, X11's form U20AC, and common other
 * spellings. If no name matches exactly, ignores case. *exact (exact may be NULL): the name has the
 * rules' own spelling. The point may be no key: the caller calls key_is_key(). */
uint32_t keysym_point(const char *name, size_t length, bool *exact);

#endif
