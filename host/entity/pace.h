/* The times at which an entity's keys may go to the line, by the same rules for a confederate and
 * for an Entry. The keys wait in a queue (session/entity_end.h); pace_due() says when the queue's
 * first key goes. Pure: the clock and the dice are arguments.
 *
 * When a line begins to carry keys, at an opening or after an outage or a restart, no key goes in
 * the first 0.2 s: the judge does not see how soon a keyboard, a program or a browser is ready
 * again.
 *
 *   own      each key at once, but 4 ms after the one before: a paste of a person's and a line a
 *            program writes at once go alike, and so does a folder in which a program makes a
 *            directory for each key. What goes late, for the terminal was busy, does not delay what
 *            follows: that goes 2 ms after the one before until it has caught up. What was typed
 *            while the line could not carry it goes with the gaps with which it was typed: no pause
 *            is longer than 1 s, and keys that came all at once, so nobody knows their gaps,
 *            are 60±30 ms apart.
 *   keys     the same, and at least MS±MS after the one before.
 *   message  a key waits until its message is complete: by its Return, or by 10 s of silence. The
 *            first one goes a common delay after the judge's Return, each other one MS±MS after the
 *            one before.
 *
 * With `keys` and `message` a key goes only when the key before it has its place: an outage, a kill
 * or a restart releases no keys faster than the pace. Source: DESIGN.md, "Blindness";
 * tests/audit/README.md for the leak that each pace leaves. */
#ifndef ENTITY_PACE_H
#define ENTITY_PACE_H

#include "base/pace_config.h"
#include "session/event.h"

#define PACE_READY_US   200000u   /* a line that becomes live carries keys after this time */
#define PACE_CHANCE_US  2000u     /* limit of a random time added to PACE_READY_US */
#define PACE_LEAST_US   4000u     /* `own`: least time between two keys, less than any typist's */
#define PACE_SILENCE_US 10000000u /* silence that ends a message without a Return */
#define PACE_STALL_US   300000u   /* time without a placed key after which the line is stalled */

struct pace_queue {
    const uint32_t *point;
    const struct pressed_key *key;
    size_t count;
};

struct pace {
    struct pace_config config;
    bool live;
    uint64_t live_us;    /* time at which the line became live */
    uint64_t ready_us;   /* time at which the line begins to carry keys */
    uint64_t waited_us;  /* until_us of pace_wait() */
    uint64_t placed;     /* number of our placed keys at the last pace_line() */
    size_t under_way;    /* number of keys that have gone and are not placed */
    uint64_t moved_us;   /* time at which a key was last placed, or no key was under way */
    bool stalled;        /* no key was placed for PACE_STALL_US */
    bool begun;          /* a key has gone; the next four are about the last such key */
    uint64_t went_us;    /* time at which it went */
    uint64_t was_due_us; /* its due time; `went_us` if it was much too late or not delayed */
    uint64_t pressed_us; /* time at which it was pressed */
    uint64_t own_us;     /* time at which it would have gone on a line that always carries keys */
    uint64_t next_us;    /* no key goes before this time */
    uint32_t gap_us;     /* random gap before the next key */
    uint32_t chance_us;  /* random time added to PACE_READY_US at the next opening of the line */
    uint64_t asked_us;  /* time of the judge's first Return without an answering message; 0: none */
    uint64_t message_k; /* number of the last key of the message under way */
};

/* random: a new 32-bit number. */
void pace_start(struct pace *pace, const struct pace_config *config, uint32_t random);

/* Begins another session: keys count from 1 again, and no question has been asked. The next key
 * keeps its distance from the last one. */
void pace_renew(struct pace *pace);

/* Keeps keys back until until_us. Keys pressed before until_us count as keys that waited for the
 * line. */
void pace_wait(struct pace *pace, uint64_t until_us);

/* Takes the line's state. live: the line may carry keys; placed: number of our placed keys;
 * under_way: number of keys that have gone and are not placed. Called before pace_due() after each
 * possible change. */
void pace_line(struct pace *pace, bool live, uint64_t placed, size_t under_way, uint64_t now_us);

/* The judge has typed a Return. */
void pace_asked(struct pace *pace, uint64_t now_us);

/* True if a BackSpace pressed now takes back the queue's last key, unseen by the judge. */
bool pace_erases(const struct pace *pace, const struct pace_queue *queue);

/* The time at which the queue's first key may go, now_us or later. BL_NEVER: after news of the
 * line, or another key. Times of keys are by the clock of now_us. */
uint64_t pace_due(const struct pace *pace, const struct pace_queue *queue, uint64_t now_us);

/* The queue's first key goes now. */
void pace_went(struct pace *pace, const struct pace_queue *queue, uint64_t now_us, uint32_t random);

#endif
