/* Puts frames on the terminal: only cells that differ from the frame before, through ncurses unless
 * it is a lone one (lone.h). Our own table decides columns, so each cell is put at its place,
 * whatever the C library thinks of its width. */
#ifndef TERMINAL_PAINT_H
#define TERMINAL_PAINT_H

#include "terminal/frame.h"

struct paint;

/* Takes over the terminal on standard output; the caller has asked whether TERM can do it. With
 * plain, lines are drawn in ASCII. NULL: no memory or no ncurses. The terminal's modes are set too:
 * every key comes as it is typed, none means anything. */
struct paint *paint_create(bool color, bool plain);

/* Forgets the terminal, without restoring it: that is guard.h's. */
void paint_destroy(struct paint *paint);

/* The terminal's size as of the last paint_anew. */
void paint_size(struct paint *paint, unsigned *rows, unsigned *columns);

/* Sends everything with the next paint_show, after a resize or when others wrote to the terminal.
 */
void paint_anew(struct paint *paint);

/* The same, for a terminal that is as large as it was and whose modes nobody has changed: nothing
 * is cleared before, so nothing blinks. */
void paint_again(struct paint *paint);

void paint_show(struct paint *paint, struct frame *frame);

#endif
