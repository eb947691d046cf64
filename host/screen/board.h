/* The board that a machine shows between sessions: its place, the most important fact or action, a
 * few plain lines, and the keys. Pure. */
#ifndef SCREEN_BOARD_H
#define SCREEN_BOARD_H

#include "screen/hints.h"

#define BOARD_TEXTS 5
#define BOARD_HINTS 4

struct board {
    const char *title;             /* "booth 3, judge" */
    const char *strong;            /* the most important fact or action */
    bool alarm;                    /* `strong` needs a person */
    const char *text[BOARD_TEXTS]; /* further lines; NULL or "": none */
    struct hint hint[BOARD_HINTS]; /* the board's keys */
    unsigned hints;
    unsigned more; /* the hint that is for texts without room, not the first one; 0: none */
};

#endif
