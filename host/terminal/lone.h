/* A lone character on the terminal, without ncurses: its refresh compares whole screens and weighs
 * ways of moving the cursor, which was half of the time that a key needs at the end that shows it.
 * For terminals that move the cursor as ECMA-48 (CUP) says; nearly all do. Pure. */
#ifndef TERMINAL_LONE_H
#define TERMINAL_LONE_H

#include <stddef.h>
#include <stdint.h>

/* terminfo's cup on such a terminal. */
#define LONE_CUP "\033[%i%p1%d;%p2%dH"

#define LONE_TEXT 64

struct lone_place {
    unsigned row, column; /* from 0, below 1000 */
};

/* Writes the escape sequence that moves the cursor to this place: at most LONE_TEXT / 3 bytes, no
 * NUL. Returns its length. */
size_t lone_move(struct lone_place to, char out[LONE_TEXT]);

/* Writes to out the bytes that put a character at a place, in the colours the terminal has just
 * now, and then the cursor at `end`; NULL: leaves the cursor behind the character. Returns the
 * length; puts no NUL behind it. */
size_t lone_put(uint32_t point, struct lone_place at, const struct lone_place *end,
                char out[LONE_TEXT]);

#endif
