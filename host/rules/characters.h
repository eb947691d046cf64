/* The characters that a contest allows. All entities have the same set, since a character that
 * keyboards lack would give a program away. Source: 2003 r18 and 1996 r7 (English). */
#ifndef RULES_CHARACTERS_H
#define RULES_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

enum characters { CHARACTERS_ANY = 1, CHARACTERS_ASCII, CHARACTERS_LATIN_1 };

/* The words of tickets and rulesets, in the order of the enum; NULL ends them. */
extern const char *const characters_words[];

/* True if the set has the character. Return, BackSpace and Tab are in every set. 0 is
 * CHARACTERS_ANY. */
bool characters_have(int characters, uint32_t point);

/* The replacement of a character that no keyboard has, such as curly quotes, dashes, arrows,
 * symbols and emoji. "": the character is removed. NULL: some keyboard has the character. */
const char *characters_instead(uint32_t point);

enum turn_rule { TURNS_FREE = 1, TURNS_STRICT };

/* The words of tickets and rulesets for the turns; NULL ends them. */
extern const char *const turns_words[];

/* The largest limit of a message's length, in characters. */
#define MESSAGE_LIMIT_MAX 4000

#endif
