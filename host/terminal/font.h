/* Console fonts: the largest fitting one of console-setup's, and bitmaps, one twice as large. Pure.
 * Layout as in linux/kd.h: each character takes FONT_PITCH rows of whole bytes, the leftmost dot in
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

/* A screen in dots, and how many characters must have room on it. */
struct font_room {
    unsigned across, down;
    unsigned rows, columns;
};

/* The name of the largest font of console-setup's with so many characters on the screen that is
 * higher than `above`: the nth, from 0; NULL: there are no more. */
const char *font_choose(const struct font_room *room, unsigned above, unsigned nth);

/* Makes each dot two by two. False, and out untouched, if from is no font or would be larger than a
 * console takes. */
bool font_double(const struct font *from, struct font *out);

#endif
