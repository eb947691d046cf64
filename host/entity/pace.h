/* The times at which an entity's keys may go to the line: the same for a confederate and for an
 * Entry. All keys, a person's or a program's, wait in one queue (session/entity_end.h), and here is
 * said when the first of them goes. Pure: the clock and the dice come in as arguments.
 *
 * Whenever a line comes to carry keys, at an opening and after an outage or a restart, none goes in
 * the first 0.2 s: so it does not show how soon a keyboard, a program or a page in a browser is
 * there again.
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
 * In the last two modes a key is let go only when the one before has its place: so an outage, a
 * kill and a restart release nothing faster than the pace.
 * Source: DESIGN.md, "Blindness"; tests/audit/README.md for the leak that each pace leaves. */
#ifndef ENTITY_PACE_H
#define ENTITY_PACE_H

#include "base/pace_config.h"
#include "session/event.h"

#define PACE_READY_US   200000u   /* a line that is live again carries keys after this time, */
#define PACE_CHANCE_US  2000u     /* limit of a random time added to that */
#define PACE_LEAST_US   4000u     /* own: between two keys; nobody types faster */
#define PACE_SILENCE_US 10000000u /* silence that ends a message without a Return */
#define PACE_STALL_US   300000u   /* a line without a placed key for this time carries nothing */

/* The keys that wait, in order. */
struct pace_queue {
    const uint32_t *point;
    const struct pressed_key *key;
    size_t count;
};

struct pace {
    struct pace_config config;
    bool live;
    uint64_t live_us;    /* since when the line is live, */
    uint64_t ready_us;   /* the time from which it carries keys */
    uint64_t waited_us;  /* until_us of pace_wait() */
    uint64_t placed;     /* number of our placed keys at the last look */
    size_t under_way;    /* keys that have gone and are not placed */
    uint64_t moved_us;   /* time at which the line last placed one, or had none under way */
    bool stalled;        /* nothing was placed for PACE_STALL_US */
    bool begun;          /* a key has gone: */
    uint64_t went_us;    /* time at which it went, */
    uint64_t was_due_us; /* its due time, if not long before, */
    uint64_t pressed_us; /* time at which it was pressed, */
    uint64_t
        own_us; /* and the time at which it would have gone on a line that always carries keys */
    uint64_t next_us;   /* no key before this time */
    uint32_t gap_us;    /* random numbers for the next key, */
    uint32_t chance_us; /* and for the next time at which the line becomes live */
    uint64_t asked_us;  /* the judge's first Return that no message has answered; 0: none */
    uint64_t message_k; /* keys up to this number belong to a message that has begun to go */
};

/* random: a new 32-bit number. */
void pace_start(struct pace *pace, const struct pace_config *config, uint32_t random);

/* Another session: its keys are numbered from 1 again, and no question has been asked in it. The
 * time of the last key stays, so nothing follows it sooner. */
void pace_renew(struct pace *pace);

/* No key goes before until_us. Keys pressed before then count as having waited for the line: a
 * keyboard, an Entry or a page kept them unread. */
void pace_wait(struct pace *pace, uint64_t until_us);

/* Takes the line's state: whether it may carry keys; the number of our keys ever placed; the number
 * under way. Called before pace_due() after each possible change. */
void pace_line(struct pace *pace, bool live, uint64_t placed, size_t under_way, uint64_t now_us);

/* The judge has ended a line. */
void pace_asked(struct pace *pace, uint64_t now_us);

/* True if a BackSpace pressed now only takes back the last key of the queue, which nobody has
 * seen. */
bool pace_erases(const struct pace *pace, const struct pace_queue *queue);

/* The time at which the first key of the queue may go, now or later; BL_NEVER: after news of the
 * line, or another key. Times of keys are by the clock of now_us. */
uint64_t pace_due(const struct pace *pace, const struct pace_queue *queue, uint64_t now_us);

/* The first key of the queue goes now. */
void pace_went(struct pace *pace, const struct pace_queue *queue, uint64_t now_us, uint32_t random);

#endif
