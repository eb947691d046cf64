/* Follows a session for a listener on its line: reconstructs the records of the judge's journal
 * from the frames of the judge's end. Missed keys are counted, never guessed. Keys without a number
 * wait for a record that gives or confirms one; on a well-heard line that takes a second. Pure. */
#ifndef SESSION_FOLLOW_H
#define SESSION_FOLLOW_H

#include "session/wire.h"

struct follow;

struct follow_callbacks {
    /* A session is announced; its records follow. The header is the judge's. A session joined in
     * its middle may have records before its begin. */
    void (*begin)(void *ctx, const struct journal_record *header);
    /* KEYS, SEGMENT, CLOSE or EPOCH, as in the judge's journal. */
    void (*each)(void *ctx, const struct journal_record *record);
    /* The keys from number first to last were missed. */
    void (*missed)(void *ctx, uint64_t first, uint64_t last);
    /* The session was left before its end was heard: there may be keys after number n. */
    void (*unknown)(void *ctx, uint64_t n);
};

/* side: the side in the records. NULL: no memory. */
struct follow *follow_create(enum side side, const struct follow_callbacks *callbacks, void *ctx);
void follow_destroy(struct follow *follow);

/* Takes a record of the judge's end. Records that no judge's end sends have no effect. wall_us: the
 * clock here, for the times of keys as long as the judge's time was not heard; at most 35 minutes
 * off. */
void follow_record(struct follow *follow, const uint8_t *record, size_t length, uint64_t wall_us);

/* The record of one side so far. Zeroed is nothing. */
struct follow_past {
    uint64_t n; /* keys */
    struct follow_word {
        uint32_t generation;
        uint8_t word;
    } segment, close; /* the latest state and outcome */
};
void follow_past_add(struct follow_past *past, const struct journal_record *record);

/* An earlier listener has recorded this much already. Called from begin(). */
void follow_known(struct follow *follow, const struct follow_past *past);

/* Notes that records may have been missed at this point. */
void follow_gap(struct follow *follow);

/* Nothing more is heard for now: reports the unknown parts, once. */
void follow_leave(struct follow *follow);

/* 1: a record that only a judge's end sends; -1: only an entity's end; 0: either, or no record. */
int follow_tells_role(const uint8_t *record, size_t length);

#endif
