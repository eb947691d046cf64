/* Additions of a replay's screen: a side's head names the entity instead of its reach, and the last
 * line has the replay's keys. Pure. */
#ifndef SCREEN_PAST_H
#define SCREEN_PAST_H

#include "session/event.h"

#include <stdbool.h>

struct past {
    const char *who[SIDES]; /* "the human", "ELIZA"; "": unknown */
    bool paused;
    bool ballot; /* beside a ballot or ranks: the last line has a live screen's keys */
};

#endif
