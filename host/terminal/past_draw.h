/* Draws a replay on a console. Pure. */
#ifndef TERMINAL_PAST_DRAW_H
#define TERMINAL_PAST_DRAW_H

#include "screen/past.h"
#include "terminal/frame.h"
#include "terminal/layout.h"

/* Draws over the frame of draw_scene(). */
void past_draw(const struct past *past, const struct layout *layout, struct frame *frame);

#endif
