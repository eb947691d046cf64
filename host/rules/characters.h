/* The characters of a contest, for judges' partners of both kinds alike: one that keyboards lack
 * would tell a program from a person, and the other way round. Source: 2003 r18 and 1996 r7
 * (English). */
#ifndef RULES_CHARACTERS_H
#define RULES_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

enum characters { CHARACTERS_ANY = 1, CHARACTERS_ASCII, CHARACTERS_LATIN_1 };

/* The words of tickets and rulesets, in this order; NULL ends. */
extern const char *const characters_words[];

/* Is there such a character? Return, BackSpace and Tab always are. 0 is CHARACTERS_ANY. */
bool characters_have(int characters, uint32_t point);

/* The keys standing in place of a character that none types, such as curly quotes, dashes, arrows,
 * symbols and emoji: "" nothing. NULL: somebody's keyboard has it. */
const char *characters_instead(uint32_t point);

enum turn_rule { TURNS_FREE = 1, TURNS_STRICT };

/* The words of tickets and rulesets for these; NULL ends. */
extern const char *const turns_words[];

/* The largest limit of a message's characters, for rules that have one. */
#define MESSAGE_LIMIT_MAX 4000

#endif
