/* Fonts of a console: finds the largest fitting font of console-setup, and doubles a font's size.
 * Pure. A font's bytes are as in linux/kd.h: each character has FONT_PITCH rows of whole bytes, and
 * the highest bit of a byte is the leftmost dot. */
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

/* The screen's size in dots, and the rows and columns of characters that must fit. */
struct font_room {
    unsigned across, down;
    unsigned rows, columns;
};

/* The name of the nth font of console-setup, from 0 on, among those that fit the screen and are
 * more than `above` dots high. The largest font comes first. NULL: none. */
const char *font_choose(const struct font_room *room, unsigned above, unsigned nth);

/* Doubles each dot of `from` in both directions. False, with `out` unchanged, if `from` is no valid
 * font or the doubled font would be too large for a console. */
bool font_double(const struct font *from, struct font *out);

#endif
