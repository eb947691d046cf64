/* A machine's board between sessions, on a console. Pure. */
#ifndef TERMINAL_BOARD_DRAW_H
#define TERMINAL_BOARD_DRAW_H

#include "screen/board.h"
#include "terminal/frame.h"

/* Gives the frame the size and draws the board; long lines are broken at words. */
void board_draw(const struct board *board, unsigned rows, unsigned columns, struct frame *frame);

#endif
