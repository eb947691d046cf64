/* Turns the bytes of a terminal or of an Entry into keys: UTF-8 and escape sequences (ECMA-48), in
 * any split. Alt and a digit, or Esc and then a digit, stand for a function key, because some
 * terminals keep function keys for themselves. An unknown sequence gives one INPUT_IGNORED. Pure;
 * the caller has the clock. */
#ifndef SESSION_INPUT_H
#define SESSION_INPUT_H

#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>

enum input_what {
    INPUT_POINT, /* a key: `point` is its code point */
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
    INPUT_SILENT   /* not a key and not counted, such as a terminal's report on itself */
};

/* The longest pauses within a sequence, in milliseconds. A longer pause after ESC makes it a lone
 * ESC. */
#define INPUT_ESCAPE_MS   50
#define INPUT_SEQUENCE_MS 250
#define INPUT_PREFIX_MS   1500 /* the longest pause between Esc and its digit */

/* All zeros at the start. */
struct input {
    struct utf8_decoder utf8;
    uint8_t state;
    uint8_t skip; /* number of bytes still to come of a mouse report */
    bool after_return;
    uint16_t swallowed; /* number of bytes of the present string so far, limited */
    uint8_t length;
    char sequence[12]; /* the sequence so far; a longer sequence is unknown */
};

typedef void (*input_out)(void *ctx, enum input_what what, uint32_t point);

/* Takes one byte. Calls out() for each completed input, at most twice. Returns the new
 * input_wait_ms(). */
unsigned input_feed(struct input *input, uint8_t byte, input_out out, void *ctx);

/* Milliseconds after which input_timeout() must be called if no byte comes; 0: no sequence is
 * open. */
unsigned input_wait_ms(const struct input *input);

/* Ends an unfinished sequence. */
void input_timeout(struct input *input, input_out out, void *ctx);

#endif
