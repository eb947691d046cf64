#include "validate/xwd.h"

#include <stdlib.h>

/* Indexes of the header's words. */
enum {
    HEADER_SIZE,
    VERSION,
    FORMAT,
    DEPTH,
    WIDTH,
    HEIGHT,
    BYTE_ORDER_MSB = 7,
    BITS = 11,
    BYTES_PER_LINE = 12,
    COLOURS = 19,
    WORDS = 25
};
#define XWD_VERSION   7
#define XWD_ZPIXMAP   2
#define COLOUR_LENGTH 12

static uint32_t word(const uint8_t *bytes, unsigned n)
{
    const uint8_t *at = bytes + 4 * n;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

bool xwd_read(struct xwd *xwd, const uint8_t *bytes, size_t length)
{
    uint32_t width, height, line;
    uint64_t from;
    if (length < 4 * WORDS || word(bytes, HEADER_SIZE) < 4 * WORDS ||
        word(bytes, VERSION) != XWD_VERSION || word(bytes, FORMAT) != XWD_ZPIXMAP ||
        word(bytes, BITS) != 32)
        return false;
    width = word(bytes, WIDTH);
    height = word(bytes, HEIGHT);
    line = word(bytes, BYTES_PER_LINE);
    from = word(bytes, HEADER_SIZE) + (uint64_t)word(bytes, COLOURS) * COLOUR_LENGTH;
    if (!width || !height || width > XWD_SIDE_MAX || height > XWD_SIDE_MAX || line < 4 * width ||
        from + (uint64_t)line * height > length)
        return false;
    *xwd = (struct xwd){width, height, malloc((size_t)width * height * 3)};
    for (uint32_t y = 0; xwd->pixels && y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *pixel = bytes + from + (uint64_t)y * line + 4 * x;
            uint8_t *to = xwd->pixels + ((size_t)y * width + x) * 3;
            bool msb = word(bytes, BYTE_ORDER_MSB) != 0;
            to[0] = pixel[msb ? 1 : 2];
            to[1] = pixel[msb ? 2 : 1];
            to[2] = pixel[msb ? 3 : 0];
        }
    }
    return xwd->pixels != NULL;
}
