/* Paints frames on the terminal: only the cells that differ from the last frame. Paints through
 * ncurses, except for a single changed character (lone.h). Writes each cell at its own position, so
 * a character keeps the columns of boothlink's table of widths (session/), whatever width the C
 * library assumes. */
#ifndef TERMINAL_PAINT_H
#define TERMINAL_PAINT_H

#include "terminal/frame.h"

struct paint;

/* Takes over the terminal on standard output, whose TERM the caller has checked. With `plain`,
 * draws lines and marks in ASCII. Also sets the terminal's modes so that each key arrives as it is
 * typed, without a special meaning. NULL if memory runs out or ncurses fails. */
struct paint *paint_create(bool color, bool plain);

/* Frees the painter; guard.h restores the terminal. */
void paint_destroy(struct paint *paint);

/* The terminal's size, which is only asked for after paint_anew(). */
void paint_size(struct paint *paint, unsigned *rows, unsigned *columns);

/* Sets the terminal's modes again, makes the next paint_size() ask for the size, and the next
 * paint_show() send all cells: after a resize, or after another program has used the terminal. */
void paint_anew(struct paint *paint);

/* Makes the next paint_show() send all cells without clearing the screen, so the screen does not
 * flicker. For a terminal of unchanged size and modes. */
void paint_again(struct paint *paint);

void paint_show(struct paint *paint, struct frame *frame);

#endif
