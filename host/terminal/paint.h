/* Paints frames on the terminal: only cells that differ from the last frame, through ncurses except
 * for a single character (lone.h). Our own table of widths decides the columns, so each cell is
 * written at its position, whatever width the C library assumes. */
#ifndef TERMINAL_PAINT_H
#define TERMINAL_PAINT_H

#include "terminal/frame.h"

struct paint;

/* Takes over the terminal on standard output; the caller has checked TERM. With `plain`, lines are
 * drawn in ASCII. Also sets the terminal's modes: every key arrives as it is typed, without a
 * special meaning. NULL if out of memory or without ncurses. */
struct paint *paint_create(bool color, bool plain);

/* Frees the painter; guard.h restores the terminal. */
void paint_destroy(struct paint *paint);

/* The terminal's size at the last paint_anew(). */
void paint_size(struct paint *paint, unsigned *rows, unsigned *columns);

/* Makes the next paint_show() send everything: after a resize, or when others wrote to the
 * terminal. */
void paint_anew(struct paint *paint);

/* As paint_anew(), for a terminal of unchanged size and modes: the screen is not cleared first, so
 * it does not flicker. */
void paint_again(struct paint *paint);

void paint_show(struct paint *paint, struct frame *frame);

#endif
