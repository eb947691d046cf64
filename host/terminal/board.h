/* What a machine says between sessions: its place, the one thing to know or to do now, a few plain
 * lines, and the keys below. Pure. */
#ifndef TERMINAL_BOARD_H
#define TERMINAL_BOARD_H

#include "terminal/frame.h"

#define BOARD_TEXTS 4

struct board {
    const char *title;             /* "booth 3, judge" */
    const char *strong;            /* what there is to know or to do now */
    bool alarm;                    /* and it needs a person */
    const char *text[BOARD_TEXTS]; /* more of it, each from a line of its own; NULL or "": none */
    const char *keys;              /* "Enter begins" */
};

/* Gives the frame that size and draws the board; lines that are too long are broken at words. */
void board_draw(const struct board *board, unsigned rows, unsigned columns, struct frame *frame);

#endif
