/* Writes the time left as a text, and draws the text in large digits. Pure. */
#ifndef TERMINAL_CLOCK_H
#define TERMINAL_CLOCK_H

#include "terminal/frame.h"

#define CLOCK_TEXT 8

/* Writes minutes and seconds, such as "04:32", rounded up to a second: 00:00 means that no time
 * remains. */
void clock_text(uint64_t remaining_us, char text[CLOCK_TEXT]);

/* The columns that clock_draw() uses for the text. */
unsigned clock_columns(const char *text);

/* Draws the text in digits five rows high. */
void clock_draw(struct frame *frame, unsigned row, unsigned column, const char *text);

#endif
