/* Draws the ballot on a console. Pure. */
#ifndef TERMINAL_FORM_DRAW_H
#define TERMINAL_FORM_DRAW_H

#include "screen/form.h"
#include "terminal/frame.h"

/* The rows of the form on a screen; 0 if it is not shown. */
unsigned form_rows(const struct form *form);

/* Draws the form into `rows` rows of the frame from `row` on, with the cursor if the form takes
 * keys. */
void form_draw(const struct form *form, struct frame *frame, unsigned row, unsigned rows);

#endif
