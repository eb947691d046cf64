/* Writes and draws the remaining time, small and large. Pure. */
#ifndef TERMINAL_CLOCK_H
#define TERMINAL_CLOCK_H

#include "terminal/frame.h"

#define CLOCK_TEXT 8

/* Writes minutes and seconds, "04:32", rounded up: 00:00 is exactly the end. */
void clock_text(uint64_t remaining_us, char text[CLOCK_TEXT]);

/* The columns of the text in digits five rows high. */
unsigned clock_columns(const char *text);

/* Draws the text in digits five rows high. */
void clock_draw(struct frame *frame, unsigned row, unsigned column, const char *text);

#endif
