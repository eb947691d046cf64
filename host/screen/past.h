/* A replay's substitutes for the parts of a live session: the heads of the sides name the people
 * there instead of their reach, and the last line has the player's keys. Pure. */
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
