/* Writes a single character to the terminal without ncurses, whose refresh compares whole screens
 * and optimises cursor movements: that took half of the time of displaying a key. For terminals
 * that move the cursor as ECMA-48 (CUP) says, as nearly all do. Pure. */
#ifndef TERMINAL_LONE_H
#define TERMINAL_LONE_H

#include <stddef.h>
#include <stdint.h>

/* The string `cup` in the terminfo entry of such a terminal. */
#define LONE_CUP "\033[%i%p1%d;%p2%dH"

#define LONE_TEXT 64

struct lone_place {
    unsigned row, column; /* numbers from 0, below 1000 */
};

/* Writes the sequence that moves the cursor: at most LONE_TEXT / 3 bytes, no NUL. Returns the
 * length. */
size_t lone_move(struct lone_place to, char out[LONE_TEXT]);

/* Writes the sequence that puts a character at a position, in the terminal's current colours, and
 * then the cursor at `end`; NULL leaves it behind the character. Returns the length; no NUL. */
size_t lone_put(uint32_t point, struct lone_place at, const struct lone_place *end,
                char out[LONE_TEXT]);

#endif
