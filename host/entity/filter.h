/* Makes keys of an Entry's bytes as of a keyboard's (session/input.h), without its prompts and its
 * echo of the judge's keys. One byte at a time, so any split of the bytes gives the same keys.
 *
 * * * The state is plain data without pointers: it lives in memory that outlasts the terminal
 * (keeper.h), so a terminal started again goes on at the very key. Pure. */
#ifndef ENTITY_FILTER_H
#define ENTITY_FILTER_H

#include "entity/prompt.h"
#include "session/input.h"

#include <stdatomic.h>

#define FILTER_HELD 128 /* keys at the start of a line that are held while they may be a prompt */
#define FILTER_OUT  (2 * FILTER_HELD + 8) /* the most keys released at once */
#define GIVEN_ROOM  4096 /* the most keys of the judge that wait for the Entry, a power of 2 */

/* The judge's keys as they were given to the Entry, in a ring: the i-th, from 1, is at i %
 * GIVEN_ROOM. One process writes, and stores `count` last, so a process killed before that has
 * given nothing. */
struct given {
    uint64_t base; /* number in the order of the last key that an earlier Entry was given */
    _Atomic uint64_t count;
    _Atomic uint64_t turn;       /* after[] of the last Return, plus 1; 0 if none */
    uint64_t number[GIVEN_ROOM]; /* in the order */
    uint32_t key[GIVEN_ROOM];
    uint64_t after[GIVEN_ROOM]; /* output bytes before this key: its echo comes later */
};

struct filter_key {
    uint32_t point;
    uint64_t at_us; /* time of its last byte */
};

struct filter_state {
    uint64_t position; /* bytes taken */
    uint64_t bad;      /* sequences of no UTF-8 */
    uint64_t ignored;  /* controls, escape sequences, code points of no key */
    uint64_t now_us;   /* time of the present bytes, set by the caller */

    struct input input;

    uint64_t echoed;                  /* number of the judge's last key whose echo has come */
    uint8_t erasing;                  /* keys of "\b \b" that were taken for an erased key */
    uint8_t more;                     /* Returns that may still belong to an echoed one */
    bool plain;                       /* the line holds text that is no echo */
    uint64_t line_from;               /* offset of its first such byte */
    uint64_t last_from, last_to;      /* beginning and end of the last whole line of this kind */
    uint64_t forgot_count, forgot_to; /* time of the last look for lines without an echo */

    uint64_t turn; /* the judge's Return that was last taken for the start of a line */
    bool matching; /* at the start of a line: the held text may become a prompt */
    uint16_t held_count;
    struct filter_key held[FILTER_HELD];

    uint16_t out_at, out_count;
    struct filter_key out[FILTER_OUT];
};

/* The filter's settings; they belong to the terminal, not to the state. */
struct filter {
    bool strip_echo;
    uint8_t returns;             /* the most in the echo of one Return of the judge */
    const struct prompt *prompt; /* NULL: no prompt is removed */
    const struct given *given;   /* for the echo, and for the starts of lines */
};

/* True if these functions can safely go on with the state: another process may have written to the
 * lasting memory. */
bool filter_sound(const struct filter_state *state);

/* A new state. */
void filter_start(const struct filter *filter, struct filter_state *state);

/* Adapts the state of an earlier run to this filter, whose prompt may differ. */
void filter_resume(const struct filter *filter, struct filter_state *state);

/* Takes one byte. Only while filter_waiting() is 0. */
void filter_feed(const struct filter *filter, struct filter_state *state, uint8_t byte);

/* Nothing came for filter_wait_ms(): an open sequence ends. 0: none is open. Only while
 * filter_waiting() is 0. */
unsigned filter_wait_ms(const struct filter_state *state);
void filter_timeout(const struct filter *filter, struct filter_state *state);

/* Nothing came for a while: releases the held text. Only while filter_waiting() is 0. */
void filter_release(const struct filter *filter, struct filter_state *state);

/* No more bytes will come: an incomplete sequence is bad, and the rest is released. */
void filter_end(const struct filter *filter, struct filter_state *state);

/* The number of ready keys; the next one, which must be there; its removal. */
unsigned filter_waiting(const struct filter_state *state);
struct filter_key filter_next(const struct filter_state *state);
void filter_pop(struct filter_state *state);

/* True if text is held until filter_release() or more bytes. */
bool filter_holding(const struct filter_state *state);

#endif
