/* A judge's message: the keys of one line as he typed them, BackSpaces applied, whole at its
 * Return, as a browser's field has it. Pure. */
#ifndef FORM_TURN_H
#define FORM_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TURN_MAX 4000 /* bytes; keys typed beyond them are not sent */

struct form_turn {
    char text[TURN_MAX + 1]; /* UTF-8, a NUL behind it */
    size_t length;
    unsigned lost; /* bytes without room */
    bool sent;     /* it is whole: the next byte begins another */
};

/* Takes a byte as a program finds it on its standard input: UTF-8, 0x7F or 0x08 for BackSpace, \n
 * for Return. Returns whether the line is whole now. Zeroed is the start. */
bool turn_take(struct form_turn *turn, uint8_t byte);

#endif
