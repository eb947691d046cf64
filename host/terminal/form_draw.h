/* Draws the ballot's form (screen/form.h) on a terminal. Pure. */
#ifndef TERMINAL_FORM_DRAW_H
#define TERMINAL_FORM_DRAW_H

#include "screen/form.h"
#include "terminal/frame.h"

/* The rows that the form needs on a screen; 0 if the form is not shown. */
unsigned form_rows(const struct form *form);

/* Draws the form into `rows` rows of the frame, from `row` on. Shows the cursor in the form if the
 * form takes keys. */
void form_draw(const struct form *form, struct frame *frame, unsigned row, unsigned rows);

#endif
