/* Makes keys of an Entry's bytes as of a keyboard's (session/input.h). Removes the Entry's prompts
 * and its echo of the judge's keys. Any split of the bytes gives the same keys.
 *
 * * The state is plain data without pointers, in memory that outlives the terminal (keeper.h).
 * Pure. */
#ifndef ENTITY_FILTER_H
#define ENTITY_FILTER_H

#include "entity/prompt.h"
#include "session/input.h"

#include <stdatomic.h>

#define FILTER_HELD 128 /* most keys of a possible prompt that are held at the start of a line */
#define FILTER_OUT  (2 * FILTER_HELD + 8) /* the most keys released at once */
#define GIVEN_ROOM  4096 /* the most keys of the judge that wait for the Entry, a power of 2 */

/* The judge's keys as they were given to the Entry, in a ring: key i, from 1, is at i % GIVEN_ROOM.
 * One process writes the ring, and stores `count` last. */
struct given {
    uint64_t base; /* number in the order of the last key that an earlier Entry was given */
    _Atomic uint64_t count;
    _Atomic uint64_t turn;       /* after[] of the last Return, plus 1; 0: no Return */
    uint64_t number[GIVEN_ROOM]; /* each key's number in the order */
    uint32_t key[GIVEN_ROOM];
    uint64_t after[GIVEN_ROOM]; /* bytes of output before the key; the key's echo comes later */
};

struct filter_key {
    uint32_t point;
    uint64_t at_us; /* time of the key's last byte */
};

struct filter_state {
    uint64_t position; /* number of bytes taken */
    uint64_t bad;      /* number of sequences that are not UTF-8 */
    uint64_t ignored;  /* number of controls, escape sequences, and code points that are not keys */
    uint64_t now_us;   /* time of the present bytes, set by the caller */

    struct input input;

    uint64_t echoed;    /* number of the judge's last key whose echo has come */
    uint8_t erasing;    /* keys of "\b \b" that were taken for an erased key */
    uint8_t more;       /* number of further Returns that may belong to the echo of a Return */
    bool plain;         /* the output's line has text that is no echo */
    uint64_t line_from; /* `plain`: offset of the first byte that is no echo */
    uint64_t last_from, last_to;      /* beginning and end of the last whole `plain` line */
    uint64_t forgot_count, forgot_to; /* `given.count` and `last_to` at the last search for lines
                                       * without an echo */

    uint64_t turn; /* `given.turn` that was last taken for the start of a line */
    bool matching; /* at the start of a line: the held text may become a prompt */
    uint16_t held_count;
    struct filter_key held[FILTER_HELD];

    uint16_t out_at, out_count;
    struct filter_key out[FILTER_OUT];
};

/* The filter's settings, owned by the terminal. */
struct filter {
    bool strip_echo;
    uint8_t returns;             /* most Returns in the echo of one Return of the judge */
    const struct prompt *prompt; /* NULL: no prompt is removed */
    const struct given *given; /* the judge's keys, for their echoes and for the starts of lines */
};

/* True if the state is valid. Another process may have changed its memory. */
bool filter_sound(const struct filter_state *state);

void filter_start(const struct filter *filter, struct filter_state *state);

/* Adapts the state of an earlier terminal to this filter. */
void filter_resume(const struct filter *filter, struct filter_state *state);

/* Takes one byte. Requires filter_waiting() == 0. */
void filter_feed(const struct filter *filter, struct filter_state *state, uint8_t byte);

/* The longest silence within an open escape sequence; 0: none is open. After that silence the
 * caller calls filter_timeout(), which ends the sequence. Requires filter_waiting() == 0. */
unsigned filter_wait_ms(const struct filter_state *state);
void filter_timeout(const struct filter *filter, struct filter_state *state);

/* Releases the held text, after a silence. Requires filter_waiting() == 0. */
void filter_release(const struct filter *filter, struct filter_state *state);

/* Ends the output: an incomplete sequence counts as bad, and the held text is released. */
void filter_end(const struct filter *filter, struct filter_state *state);

/* filter_waiting() returns the number of ready keys. The second function returns the first of them;
 * filter_pop() removes it. Both need a ready key. */
unsigned filter_waiting(const struct filter_state *state);
struct filter_key filter_next(const struct filter_state *state);
void filter_pop(struct filter_state *state);

/* True if text is held until filter_release() or more bytes. */
bool filter_holding(const struct filter_state *state);

#endif
