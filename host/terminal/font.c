#include "terminal/font.h"

#include <string.h>

/* Fonts with Latin, Greek, Cyrillic and line characters, the largest first. Each has 512
 * characters. Debian's kernel accepts characters of at most 32 by 32 dots. */
static const struct {
    unsigned width, height;
    const char *name;
} fonts[] = {
    {16, 32, "Uni2-TerminusBold32x16"}, {14, 28, "Uni2-TerminusBold28x14"},
    {12, 24, "Uni2-TerminusBold24x12"}, {11, 22, "Uni2-TerminusBold22x11"},
    {10, 20, "Uni2-TerminusBold20x10"}, {10, 18, "Uni2-TerminusBold18x10"},
    {8, 16, "Uni2-TerminusBold16"},
};

const char *font_choose(const struct font_room *room, unsigned above, unsigned nth)
{
    for (size_t i = 0; i < sizeof fonts / sizeof fonts[0]; i++) {
        bool fits = room->across / fonts[i].width >= room->columns &&
                    room->down / fonts[i].height >= room->rows;
        if (fits && fonts[i].height > above && nth-- == 0)
            return fonts[i].name;
    }
    return NULL;
}

static size_t row_bytes(unsigned width)
{
    return (width + 7) / 8;
}

/* The offset of row y of a character in the font's bytes. */
static size_t row_at(const struct font *font, unsigned character, unsigned y)
{
    return (character * FONT_PITCH + y) * row_bytes(font->width);
}

static void row_double(const uint8_t *from, unsigned width, uint8_t *out)
{
    for (unsigned x = 0; x < width; x++) {
        if (from[x / 8] & (0x80u >> x % 8)) {
            /* A doubled dot begins at an even bit: one byte has both its bits. */
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
