/* The stable words for a journal's numbers. Pure. */
#ifndef TRANSCRIPT_WORDS_H
#define TRANSCRIPT_WORDS_H

#include "session/event.h"

const char *words_side(enum side side);              /* "left" */
const char *words_party(enum party party);           /* "judge" */
const char *words_segment(enum segment_state state); /* "open" */
const char *words_close(enum close_outcome outcome); /* "agreed" */
const char *words_note(enum note_code code);         /* such as "refused"; "note" if unknown */

/* Finds the number of a word of `length` bytes; false if there is none. */
bool words_find_side(const char *word, size_t length, enum side *side);
bool words_find_party(const char *word, size_t length, enum party *party);

/* Writes the name of a key, without a NUL, and returns its length. A visible ASCII character stands
 * for itself; four keys are "space", "Return", "BackSpace" and "Tab"; any other key has its number,
 * as "U+00E9", with four to six digits. */
#define WORDS_KEY_MAX 12
size_t words_key(uint32_t point, char name[WORDS_KEY_MAX]);

/* Reads exactly the names of words_key(); 0 if the name is unknown. */
uint32_t words_find_key(const char *name, size_t length);

#endif
