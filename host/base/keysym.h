/* The names of keys in the Loebner Prize Protocol and in the transcripts of its contests. Source:
 * Loebner Prize 2009 rules, appendix; the other names: boothlink-entrant(7), boothlink-lpp(5). */
#ifndef BASE_KEYSYM_H
#define BASE_KEYSYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rules' name of a key; NULL if the rules have none, as for letters and digits, which stand for
 * themselves. Return is 0x0D, BackSpace 0x08, Tab 0x09. */
const char *keysym_name(uint32_t point);

/* The code point of a name of `length` bytes, 0 if unknown. Accepts the rules' names, one UTF-8
 * character, X11's names (for ASCII and Latin-1, or U20AC) and common other spellings. Case
 * matters; without an exact match, case is ignored. *exact (may be NULL) is true for the rules' own
 * spelling. The point may be a control character or unassigned; key_is_key() tells. */
uint32_t keysym_point(const char *name, size_t length, bool *exact);

#endif
