/* Collects a judge's message like a browser's text field: the keys of a line, with BackSpaces
 * applied, complete at its Return. Pure. */
#ifndef FORM_TURN_H
#define FORM_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TURN_MAX 4000 /* bytes; further keys of a line are dropped */

struct form_turn {
    char text[TURN_MAX + 1]; /* UTF-8, with a NUL */
    size_t length;
    unsigned lost; /* the number of dropped bytes */
    bool sent;     /* the line is complete: the next byte begins another one */
};

/* Takes a byte of standard input: UTF-8, 0x7F or 0x08 for BackSpace, \n for Return. True: the line
 * is complete. All zeros at the start. */
bool turn_take(struct form_turn *turn, uint8_t byte);

#endif
