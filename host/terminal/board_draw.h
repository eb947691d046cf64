/* Draws the board that a machine shows between sessions (screen/board.h). Pure. */
#ifndef TERMINAL_BOARD_DRAW_H
#define TERMINAL_BOARD_DRAW_H

#include "screen/board.h"
#include "terminal/frame.h"

/* Sets the frame's size and draws the board in it. Wraps long lines at words. */
void board_draw(const struct board *board, unsigned rows, unsigned columns, struct frame *frame);

#endif
