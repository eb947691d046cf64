/* Reads the image of an X server's screen from Xvfb's file (XWD, XWDFile.h of X11: a header of 25
 * big-endian words, a name, colours, pixels). Pure; the file may have any contents. */
#ifndef VALIDATE_XWD_H
#define VALIDATE_XWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XWD_SIDE_MAX 4096

/* An image of 24 bits: rows from the top; red, green and blue of each pixel. */
struct xwd {
    unsigned width, height;
    uint8_t *pixels; /* the caller frees them */
};

/* False if the file is not an image with 32 bits per pixel, or out of memory. */
bool xwd_read(struct xwd *xwd, const uint8_t *bytes, size_t length);

#endif
