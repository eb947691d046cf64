/* Writes the bytes that put a single character on the screen without ncurses, whose refresh
 * compares whole screens. For a terminal that moves the cursor by the sequence CUP of ECMA-48.
 * Pure. */
#ifndef TERMINAL_LONE_H
#define TERMINAL_LONE_H

#include <stddef.h>
#include <stdint.h>

/* The value of `cup` in the terminfo entry of such a terminal. */
#define LONE_CUP "\033[%i%p1%d;%p2%dH"

#define LONE_TEXT 64

struct lone_place {
    unsigned row, column; /* from 0 on, and below 999 */
};

/* Writes the sequence that moves the cursor to a place: at most LONE_TEXT / 3 bytes, without a NUL.
 * Returns its length. */
size_t lone_move(struct lone_place to, char out[LONE_TEXT]);

/* Writes the sequence that puts a character at a place, in the terminal's current colours, and then
 * moves the cursor to `end`. With `end` NULL the cursor stays after the character. Returns the
 * sequence's length, without a NUL. */
size_t lone_put(uint32_t point, struct lone_place at, const struct lone_place *end,
                char out[LONE_TEXT]);

#endif
