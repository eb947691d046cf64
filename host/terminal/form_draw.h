/* The ballot on a console. Pure. */
#ifndef TERMINAL_FORM_DRAW_H
#define TERMINAL_FORM_DRAW_H

#include "screen/form.h"
#include "terminal/frame.h"

/* Rows of the form on a screen; 0 while away. */
unsigned form_rows(const struct form *form);

/* Draws the form into rows of the frame from row on, and the cursor if open. */
void form_draw(const struct form *form, struct frame *frame, unsigned row, unsigned rows);

#endif
