/* Paints frames on the terminal: the cells that differ from the last frame. A single changed
 * character is painted by lone.h, all else through ncurses. Each cell is written at its own
 * position, so that a character has the columns of our own table of widths (session/). */
#ifndef TERMINAL_PAINT_H
#define TERMINAL_PAINT_H

#include "terminal/frame.h"

struct paint;

/* Takes over the terminal on standard output, whose TERM the caller has checked. `plain`: lines and
 * marks are drawn in ASCII. Sets the terminal's modes so that each key arrives as it is typed.
 * NULL: no memory, or ncurses fails. */
struct paint *paint_create(bool color, bool plain);

/* Frees the painter; guard.h restores the terminal. */
void paint_destroy(struct paint *paint);

/* The terminal's size, as of the last paint_anew(). */
void paint_size(struct paint *paint, unsigned *rows, unsigned *columns);

/* For a resize, or after another program's use of the terminal: sets the terminal's modes again.
 * The next paint_size() asks for the size, and the next paint_show() sends all cells. */
void paint_anew(struct paint *paint);

/* Makes the next paint_show() send all cells, without clearing the screen. For a terminal of
 * unchanged size and modes. */
void paint_again(struct paint *paint);

void paint_show(struct paint *paint, struct frame *frame);

#endif
