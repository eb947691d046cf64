/* What a replay shows in place of what only a live session has: the heads of the sides say who sat
 * there instead of whether they can be reached, and the last line has the player's keys. Pure. */
#ifndef SCREEN_PAST_H
#define SCREEN_PAST_H

#include "session/event.h"

#include <stdbool.h>

struct past {
    const char *who[SIDES]; /* "the human", "ELIZA"; "" says nothing */
    bool paused;
    bool ballot; /* shown for a ballot or ranks: the last line has a live screen's keys */
};

#endif
