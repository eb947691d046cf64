/* The terminal of an Entry of LPP v2, for fuzzers of its server: a judge's keys, and what must hold
 * of an Entry's: none before somebody has registered, and none that is no key. */
#ifndef SUPPORT_LPP2_TERMINAL_H
#define SUPPORT_LPP2_TERMINAL_H

#include "adapter/lpp2.h"

#include <stddef.h>
#include <stdint.h>

extern const struct lpp2_callbacks lpp2_terminal;

/* Nothing is typed, and nobody registered. */
void lpp2_terminal_begin(void);

/* The judge types it; a line feed is a Return. Keys for which there is no room are not typed. */
void lpp2_terminal_type(struct lpp2 *lpp2, const uint8_t *text, size_t length);

#endif
