/* Console fonts as bitmaps: one twice as large. Pure. Layout as in linux/kd.h: each character takes
 * FONT_PITCH rows of whole bytes, the leftmost dot in the highest bit. */
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

/* Makes each dot two by two. False, and out untouched, if from is no font or would be larger than a
 * console takes. */
bool font_double(const struct font *from, struct font *out);

#endif
