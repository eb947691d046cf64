/* Draws dialog boxes over the rest of a screen. Pure. */
#ifndef TERMINAL_DIALOG_DRAW_H
#define TERMINAL_DIALOG_DRAW_H

#include "screen/dialog.h"
#include "terminal/frame.h"

/* Draws the open dialog in the middle of the frame. */
void dialog_draw(const struct dialog *dialog, struct frame *frame);

#endif
