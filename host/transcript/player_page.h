/* The style sheet and the script of a transcript's page, player.css and player.js, as built into
 * the program. */
#ifndef TRANSCRIPT_PLAYER_PAGE_H
#define TRANSCRIPT_PLAYER_PAGE_H

#include "base/built_text.h"

extern const struct built_text player_pages[];

#endif
