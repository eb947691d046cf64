/* The terminal emulator for a program's output (libvterm, with xterm's abilities). Takes output and
 * gives the screen's contents. No input and output, no clock. */
#ifndef VALIDATE_EMULATOR_H
#define VALIDATE_EMULATOR_H

#include "validate/picture.h"

struct emulator;

/* Events of cells while bytes are fed; rows and columns count from 0. A cell that is redrawn
 * without change, or scrolled, causes no event. Each callback may be NULL.
 *
 * A program may erase and redraw its whole screen at each key. Therefore, after an erasure of
 * several characters, events are held until each character is back, or until emulator_rest(), when
 * the program has stopped drawing. */
struct emulator_callbacks {
    /* A character appeared in a cell; a space only if the cell was empty. */
    void (*put)(void *ctx, uint32_t point, unsigned row, unsigned column);
    /* The character of a cell is gone. */
    void (*gone)(void *ctx, unsigned row, unsigned column);
    void (*scrolled)(void *ctx);
};

/* NULL if out of memory, without libvterm, or for a side of 0 or above PICTURE_SIDE_MAX. callbacks
 * (may be NULL) is copied. */
struct emulator *emulator_create(unsigned rows, unsigned columns,
                                 const struct emulator_callbacks *callbacks, void *ctx);
void emulator_destroy(struct emulator *emulator);

/* Takes bytes in any split. */
void emulator_feed(struct emulator *emulator, const void *bytes, size_t length);

/* The program has stopped drawing: reports erased text as gone, the last character first. */
void emulator_rest(struct emulator *emulator);

/* The current screen, valid until the next feed. */
const struct picture *emulator_picture(struct emulator *emulator);

/* Takes the terminal's replies to the program's queries (such as the cursor's position). The caller
 * writes them to the program like keys. At most `room` bytes; the rest is dropped. */
size_t emulator_reply(struct emulator *emulator, char *out, size_t room);

#endif
