/* The screens of a finding, for the report with screens. */
#ifndef VALIDATE_EXHIBIT_H
#define VALIDATE_EXHIBIT_H

#include "validate/picture.h"

#define EXHIBIT_TEXT 160

struct exhibit {
    char title[EXHIBIT_TEXT];
    const char *left_name, *right_name; /* static strings */
    struct picture *left, *right;       /* right NULL: a single screen */
    uint8_t *image;         /* instead of screens: red, green, blue of each pixel, from the top */
    unsigned width, height; /* size of the image */
    struct exhibit *next;
};

/* Appends a copy of the screens (right may be NULL) to a list; does nothing if out of memory. */
void exhibit_add(struct exhibit **list, const char *title, const char *left_name,
                 const struct picture *left, const char *right_name, const struct picture *right);
/* Appends an image and takes over its pixels. */
void exhibit_add_image(struct exhibit **list, const char *title, uint8_t *pixels, unsigned width,
                       unsigned height);
/* Appends the screen that shows a program's output on a terminal of this size; a line feed also
 * returns the carriage. */
void exhibit_add_output(struct exhibit **list, const char *title, const char *name,
                        const void *bytes, size_t length, unsigned rows, unsigned columns);
void exhibit_free(struct exhibit **list);

#endif
