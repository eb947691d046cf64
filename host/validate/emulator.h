/* The terminal a program draws on: takes its output and gives the screen's contents (libvterm, with
 * xterm's abilities). No input and output, no clock. */
#ifndef VALIDATE_EMULATOR_H
#define VALIDATE_EMULATOR_H

#include "validate/picture.h"

struct emulator;

/* The events of cells while bytes are fed, rows and columns counted from 0. A cell drawn again
 * unchanged is no event, nor is a scrolling one. Each may be NULL.
 *
 * A program may empty and draw its whole screen again at each key. Therefore events after the
 * erasure of several characters at once are told when each of them stands there again, or at
 * emulator_rest(), when no more comes. */
struct emulator_callbacks {
    /* A character came to stand in a cell; a space is one if nothing stood there. */
    void (*put)(void *ctx, uint32_t point, unsigned row, unsigned column);
    /* The character in a cell is gone. */
    void (*gone)(void *ctx, unsigned row, unsigned column);
    /* The screen has gone up by a row. */
    void (*scrolled)(void *ctx);
};

/* NULL: no memory, no libvterm, or a side of 0 or above PICTURE_SIDE_MAX. events (may be NULL) is
 * copied. */
struct emulator *emulator_create(unsigned rows, unsigned columns,
                                 const struct emulator_callbacks *callbacks, void *ctx);
void emulator_destroy(struct emulator *emulator);

/* Takes bytes in any split. */
void emulator_feed(struct emulator *emulator, const void *bytes, size_t length);

/* The program draws no more for now: erased text is gone, the last character first. */
void emulator_rest(struct emulator *emulator);

/* The present screen, valid until the next feed. To be copied for keeping. */
const struct picture *emulator_picture(struct emulator *emulator);

/* Takes out the terminal's answers to questions of the program (such as the cursor's place), to be
 * written to it as if typed; at most `room` bytes. Answers not taken are dropped. */
size_t emulator_reply(struct emulator *emulator, char *out, size_t room);

#endif
