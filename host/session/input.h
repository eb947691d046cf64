/* Turns the bytes of a terminal, or of an Entry, into keys: bytes in any split, UTF-8 and escape
 * sequences (ECMA-48). The same rules hold for both, so equal bytes give equal keys. Alt and a
 * digit, or Esc and then a digit, stand for a function key, since some terminals use function keys
 * themselves. Pure; the caller has the clock. An unknown sequence gives one INPUT_IGNORED and no
 * letters. */
#ifndef SESSION_INPUT_H
#define SESSION_INPUT_H

#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>

enum input_what {
    INPUT_POINT, /* a scalar value; not yet known to be a key */
    INPUT_F1,
    INPUT_F2,
    INPUT_F3,
    INPUT_F8,
    INPUT_F9,
    INPUT_F10,
    INPUT_F12,
    INPUT_PAGE_UP,
    INPUT_PAGE_DOWN,
    INPUT_HOME,
    INPUT_END,
    INPUT_LEFT,
    INPUT_RIGHT,
    INPUT_UP,
    INPUT_DOWN,
    INPUT_REDRAW,  /* Ctrl-L */
    INPUT_IGNORED, /* a control, an unknown sequence, U+FFFD */
    INPUT_BROKEN,  /* illegal UTF-8 */
    INPUT_SILENT   /* the terminal's reports on itself: not a key, not worth counting */
};

/* The longest pause within a sequence, in milliseconds. Only time distinguishes a lone ESC from a
 * sequence. */
#define INPUT_ESCAPE_MS   50
#define INPUT_SEQUENCE_MS 250
#define INPUT_PREFIX_MS   1500 /* the longest pause between Esc and its digit */

/* Zeroed is the start. */
struct input {
    struct utf8_decoder utf8;
    uint8_t state; /* enum in input.c */
    uint8_t skip;  /* bytes of a mouse report still to come */
    bool after_return;
    uint16_t swallowed; /* bytes of the present string, which may not go on for ever */
    uint8_t length;
    char sequence[12]; /* parameters and final byte, to look up; longer ones are not known */
};

typedef void (*input_out)(void *ctx, enum input_what what, uint32_t point);

/* Feeds one byte; out is called for each completed key, at most twice. Returns the new
 * input_wait_ms. */
unsigned input_feed(struct input *input, uint8_t byte, input_out out, void *ctx);

/* Milliseconds after which input_timeout must be called if no byte comes; 0: nothing waits. */
unsigned input_wait_ms(const struct input *input);

/* Ends an unfinished sequence. */
void input_timeout(struct input *input, input_out out, void *ctx);

#endif
