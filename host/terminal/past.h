/* What a replay shows in place of what only a live session has: the heads of the sides say who sat
 * there instead of whether they can be reached, and the last line has the player's keys. Pure. */
#ifndef TERMINAL_PAST_H
#define TERMINAL_PAST_H

#include "terminal/frame.h"
#include "terminal/layout.h"

struct past {
    const char *who[SIDES]; /* "the human", "ELIZA"; "" says nothing */
    bool paused;
    bool ballot; /* the sessions are over and judged: the keys are those of draw.h */
};

/* Draws over a frame that draw_scene has drawn. */
void past_draw(const struct past *past, const struct layout *layout, struct frame *frame);

#endif
