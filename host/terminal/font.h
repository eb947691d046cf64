/* Console fonts: finds the largest fitting font of console-setup, and doubles bitmaps. Pure. A font
 * is as in linux/kd.h: each character has FONT_PITCH rows of whole bytes, with the leftmost dot in
 * the highest bit. */
#ifndef TERMINAL_FONT_H
#define TERMINAL_FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FONT_PITCH      32
#define FONT_WIDTH_MAX  32
#define FONT_CHARACTERS 512
#define FONT_BYTES      (FONT_CHARACTERS * FONT_PITCH * FONT_WIDTH_MAX / 8)

struct font {
    unsigned width, height; /* dots */
    unsigned characters;
    uint8_t bytes[FONT_BYTES];
};

/* The screen's size in dots, and the characters that must fit. */
struct font_room {
    unsigned across, down;
    unsigned rows, columns;
};

/* The name of the nth font of console-setup, from 0 and by falling size, that fits the screen and
 * is higher than `above`; NULL if there are no more. */
const char *font_choose(const struct font_room *room, unsigned above, unsigned nth);

/* Doubles the dots in both directions. False, with `out` unchanged, if `from` is not a font or the
 * result would be too large for a console. */
bool font_double(const struct font *from, struct font *out);

#endif
