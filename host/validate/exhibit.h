/* Screens that belong to a finding, for the report that people look at. */
#ifndef VALIDATE_EXHIBIT_H
#define VALIDATE_EXHIBIT_H

#include "validate/picture.h"

#define EXHIBIT_TEXT 160

struct exhibit {
    char title[EXHIBIT_TEXT];
    const char *left_name, *right_name; /* static */
    struct picture *left, *right;       /* right NULL: one screen alone */
    struct exhibit *next;
};

/* Adds a copy of the screens (right may be NULL) at the end of a list; without memory nothing. */
void exhibit_add(struct exhibit **list, const char *title, const char *left_name,
                 const struct picture *left, const char *right_name, const struct picture *right);
void exhibit_free(struct exhibit **list);

#endif
