/* From the bytes an Entry writes to keys: as those of a keyboard (session/input.h), less its echo
 * of the judge's keys and its prompts. One byte at a time, so any split of the bytes gives the same
 * keys.
 *
 * The state is plain data without pointers: it lives in memory that outlasts the terminal
 * (keeper.h), so a terminal started again goes on at the very key. Pure. */
#ifndef ENTITY_FILTER_H
#define ENTITY_FILTER_H

#include "entity/prompt.h"
#include "session/input.h"

#include <stdatomic.h>

#define FILTER_HELD 128 /* keys of a line's start held while they may be a prompt */
#define FILTER_OUT  (2 * FILTER_HELD + 8) /* keys let go at once, at most */
#define GIVEN_ROOM  4096 /* the judge's keys waiting for the Entry, at most, a power of 2 */

/* The judge's keys as they were given to the Entry, in a ring: the i-th, from 1, is at i %
 * GIVEN_ROOM. One writer; `count` is stored last, so a writer killed before it has given nothing.
 */
struct given {
    uint64_t base; /* number in the order of the last key an earlier Entry was given */
    _Atomic uint64_t count;
    _Atomic uint64_t turn;       /* after[] of the last Return, plus 1; 0 if none */
    uint64_t number[GIVEN_ROOM]; /* in the order */
    uint32_t key[GIVEN_ROOM];
    uint64_t after[GIVEN_ROOM]; /* bytes of output before: its echo comes later */
};

struct filter_key {
    uint32_t point;
    uint64_t at_us; /* time of its last byte */
};

struct filter_state {
    uint64_t position; /* bytes taken */
    uint64_t bad;      /* sequences of no UTF-8 */
    uint64_t ignored;  /* controls, escape sequences, code points of no key */
    uint64_t now_us;   /* time of the fed bytes: the caller's */

    struct input input;

    uint64_t echoed;                  /* number of the judge's last key whose echo came */
    uint8_t erasing;                  /* keys of "\b \b" taken for an erased key */
    uint8_t more;                     /* Returns still possibly of an echoed one */
    bool plain;                       /* the line holds text of no echo */
    uint64_t line_from;               /* offset of its first such byte */
    uint64_t last_from, last_to;      /* beginning and end of the last whole line of the kind */
    uint64_t forgot_count, forgot_to; /* time of the last look for lines without an echo */

    uint64_t turn; /* the Return of the judge that was last taken for a line's start */
    bool matching; /* at a line's start: the held text may become a prompt */
    uint16_t held_count;
    struct filter_key held[FILTER_HELD];

    uint16_t out_at, out_count;
    struct filter_key out[FILTER_OUT];
};

/* The filter's work; belongs to the terminal, not to the state. */
struct filter {
    bool strip_echo;
    uint8_t returns;             /* in the echo of one Return of the judge, at most */
    const struct prompt *prompt; /* NULL: none is stripped */
    const struct given *given;   /* for the echo and the line starts */
};

/* True if the state can be these functions' work, as far as they rely on their work: somebody else
 * may have written to the lasting memory. */
bool filter_sound(const struct filter_state *state);

/* A new state. */
void filter_start(const struct filter *filter, struct filter_state *state);

/* Makes a state of an earlier run fit for the filter, whose prompt may be another. */
void filter_resume(const struct filter *filter, struct filter_state *state);

/* Takes one byte. Only while filter_waiting() is 0. */
void filter_feed(const struct filter *filter, struct filter_state *state, uint8_t byte);

/* Nothing came for filter_wait_ms(): a sequence goes no further. 0: none has begun. Only while
 * filter_waiting() is 0. */
unsigned filter_wait_ms(const struct filter_state *state);
void filter_timeout(const struct filter *filter, struct filter_state *state);

/* Nothing came for a while: lets the held text go. Only while filter_waiting() is 0. */
void filter_release(const struct filter *filter, struct filter_state *state);

/* No byte will come any more: an incomplete sequence is bad, the rest is let go. */
void filter_end(const struct filter *filter, struct filter_state *state);

/* Ready keys; the next one, which must be there; and its removal. */
unsigned filter_waiting(const struct filter_state *state);
struct filter_key filter_next(const struct filter_state *state);
void filter_pop(struct filter_state *state);

/* Is something held until filter_release() or more bytes? */
bool filter_holding(const struct filter_state *state);

#endif
