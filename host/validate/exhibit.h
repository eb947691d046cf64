/* A finding's screens, for the report to people. */
#ifndef VALIDATE_EXHIBIT_H
#define VALIDATE_EXHIBIT_H

#include "validate/picture.h"

#define EXHIBIT_TEXT 160

struct exhibit {
    char title[EXHIBIT_TEXT];
    const char *left_name, *right_name; /* static */
    struct picture *left, *right;       /* right NULL: one screen alone */
    uint8_t *image;                     /* or this: red, green, blue of each pixel from the top */
    unsigned width, height;             /* of the image */
    struct exhibit *next;
};

/* Adds a copy of the screens (right may be NULL) at the end of a list; without memory nothing. */
void exhibit_add(struct exhibit **list, const char *title, const char *left_name,
                 const struct picture *left, const char *right_name, const struct picture *right);
/* Adds an image, taking its pixels over. */
void exhibit_add_image(struct exhibit **list, const char *title, uint8_t *pixels, unsigned width,
                       unsigned height);
/* Adds the screen of a program's output to a terminal of the size, with a line feed as a line's
 * beginning. */
void exhibit_add_output(struct exhibit **list, const char *title, const char *name,
                        const void *bytes, size_t length, unsigned rows, unsigned columns);
void exhibit_free(struct exhibit **list);

#endif
