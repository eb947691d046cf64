/* Draws the additions of a replay's screen (screen/past.h). Pure. */
#ifndef TERMINAL_PAST_DRAW_H
#define TERMINAL_PAST_DRAW_H

#include "screen/past.h"
#include "terminal/frame.h"
#include "terminal/layout.h"

/* Draws over a frame that draw_scene() has filled. */
void past_draw(const struct past *past, const struct layout *layout, struct frame *frame);

#endif
