/* The picture of an X server's screen, as Xvfb keeps it in a file (XWD, XWDFile.h of X11: a header
 * of 25 words, big-endian, a name, colours, pixels). Pure; the file may hold anything. */
#ifndef VALIDATE_XWD_H
#define VALIDATE_XWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XWD_SIDE_MAX 4096

/* A picture of 24 bits: rows from the top, red, green and blue of each pixel. */
struct xwd {
    unsigned width, height;
    uint8_t *pixels; /* free() it */
};

/* False: it is none with 32 bits for each pixel, or there is no memory. */
bool xwd_read(struct xwd *xwd, const uint8_t *bytes, size_t length);

#endif
