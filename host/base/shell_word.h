/* A word of a shell's command line. */
#ifndef BASE_SHELL_WORD_H
#define BASE_SHELL_WORD_H

#include <stddef.h>

/* Writes the text as one word, in quotes where a shell needs them; a text that does not fit is cut.
 * room is at least 8. */
void shell_word(char *out, size_t room, const char *text);

#endif
