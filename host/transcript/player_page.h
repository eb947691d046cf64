/* The style and the script of a transcript as a page, player.css and player.js: part of the
 * program. */
#ifndef TRANSCRIPT_PLAYER_PAGE_H
#define TRANSCRIPT_PLAYER_PAGE_H

#include "base/built_text.h"

extern const struct built_text player_pages[];

#endif
