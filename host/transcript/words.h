/* The words for a journal's numbers; stable, because scripts read them. Pure. */
#ifndef TRANSCRIPT_WORDS_H
#define TRANSCRIPT_WORDS_H

#include "session/event.h"

const char *words_side(enum side side);              /* "left" */
const char *words_party(enum party party);           /* "judge" */
const char *words_segment(enum segment_state state); /* "open" */
const char *words_close(enum close_outcome outcome); /* "agreed" */
const char *words_note(enum note_code code);         /* "refused"; "note" if not known */

/* The other way; false: no such word. word ends after length bytes. */
bool words_find_side(const char *word, size_t length, enum side *side);
bool words_find_party(const char *word, size_t length, enum party *party);

/* The name of a key: printable ASCII is itself, then "space", "Return", "BackSpace", "Tab", and
 * "U+00E9" (four to six digits) for all others. Returns its length; not terminated. */
#define WORDS_KEY_MAX 12
size_t words_key(uint32_t point, char name[WORDS_KEY_MAX]);

/* Reads exactly the words of words_key; 0 if it is no name. */
uint32_t words_find_key(const char *name, size_t length);

#endif
