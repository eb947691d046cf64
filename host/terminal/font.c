#include "terminal/font.h"

#include <string.h>

static size_t row_bytes(unsigned width)
{
    return (width + 7) / 8;
}

/* The row of a character. */
static size_t row_at(const struct font *font, unsigned character, unsigned y)
{
    return (character * FONT_PITCH + y) * row_bytes(font->width);
}

static void row_double(const uint8_t *from, unsigned width, uint8_t *out)
{
    for (unsigned x = 0; x < width; x++) {
        if (from[x / 8] & (0x80u >> x % 8)) {
            /* Two dots side by side begin at an even one, so they share a byte. */
            out[2 * x / 8] |= (uint8_t)(0xC0u >> 2 * x % 8);
        }
    }
}

bool font_double(const struct font *from, struct font *out)
{
    if (from->width == 0 || from->height == 0 || 2 * from->width > FONT_WIDTH_MAX ||
        2 * from->height > FONT_PITCH || from->characters == 0 ||
        from->characters > FONT_CHARACTERS)
        return false;
    memset(out, 0, sizeof *out);
    out->width = 2 * from->width;
    out->height = 2 * from->height;
    out->characters = from->characters;
    for (unsigned character = 0; character < from->characters; character++) {
        for (unsigned y = 0; y < out->height; y++)
            row_double(from->bytes + row_at(from, character, y / 2), from->width,
                       out->bytes + row_at(out, character, y));
    }
    return true;
}
