/* The time left, small and large. Pure. */
#ifndef TERMINAL_CLOCK_H
#define TERMINAL_CLOCK_H

#include "terminal/frame.h"

#define CLOCK_TEXT 8

/* Writes minutes and seconds, "04:32"; part of a second counts as a whole one, so 00:00 is the end
 * and nothing before. */
void clock_text(uint64_t remaining_us, char text[CLOCK_TEXT]);

/* Columns of the text in digits five rows high. */
unsigned clock_columns(const char *text);

/* Draws it so. */
void clock_draw(struct frame *frame, unsigned row, unsigned column, const char *text);

#endif
