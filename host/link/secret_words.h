/* A line's secret in eight words, for comparison at both ends or for typing at the second one. 80
 * bits: 72 of the secret's seed, and 8 of a check. An unknown word is reported with the most
 * similar word of the list. Pure. */
#ifndef LINK_SECRET_WORDS_H
#define LINK_SECRET_WORDS_H

#include "base/status.h"

#include <stdint.h>

#define SECRET_SEED    9 /* bytes */
#define KEY_WORDS      8
#define KEY_WORD_MAX   7                                /* letters */
#define KEY_WORDS_TEXT (KEY_WORDS * (KEY_WORD_MAX + 1)) /* length with blanks and a final zero */

/* Writes the words of a seed, separated by single blanks. */
void secret_words_format(const uint8_t seed[SECRET_SEED], char text[KEY_WORDS_TEXT]);

/* Reads the words in any case, with any characters except letters between them. `shown` names the
 * place of the words, "the first end". BL_DATA: diag has a line that names the wrong word. */
enum bl_status secret_words_parse(const char *text, const char *shown, uint8_t seed[SECRET_SEED],
                                  struct bl_diag *diag);

#endif
