/* Follows a session for a listener on its line. Makes the records of the judge's journal from the
 * records that the judge's end sends. Missed keys are counted. A key without a number waits until a
 * later record gives or confirms its number. Pure. */
#ifndef SESSION_FOLLOW_H
#define SESSION_FOLLOW_H

#include "session/wire.h"

struct follow;

struct follow_callbacks {
    /* A session was announced; its records follow. header: the judge's. If the listener joined in
     * the middle, earlier records are not heard. */
    void (*begin)(void *ctx, const struct journal_record *header);
    /* KEYS, SEGMENT, CLOSE or EPOCH, as in the judge's journal. */
    void (*each)(void *ctx, const struct journal_record *record);
    /* The keys from number first to last were missed. */
    void (*missed)(void *ctx, uint64_t first, uint64_t last);
    /* The listener left the session before its end. Keys after number n may be missed. */
    void (*unknown)(void *ctx, uint64_t n);
};

/* side: the side that the records get. NULL: no memory. */
struct follow *follow_create(enum side side, const struct follow_callbacks *callbacks, void *ctx);
void follow_destroy(struct follow *follow);

/* Takes a record of the judge's end. Any other record has no effect. wall_us: the listener's clock,
 * at most 35 minutes off. It dates keys until the judge's time is heard. */
void follow_record(struct follow *follow, const uint8_t *record, size_t length, uint64_t wall_us);

/* The state of one side's records. All zeros: none. */
struct follow_past {
    uint64_t n; /* number of keys */
    struct follow_word {
        uint32_t generation;
        uint8_t word;
    } segment, close; /* the latest segment's state, and the latest close's outcome */
};
void follow_past_add(struct follow_past *past, const struct journal_record *record);

/* Tells how much an earlier listener has recorded. Called from begin(). */
void follow_known(struct follow *follow, const struct follow_past *past);

void follow_gap(struct follow *follow);

/* The listener leaves the session. Reports possibly missed keys, once. */
void follow_leave(struct follow *follow);

/* 1: only a judge's end sends such a record; -1: only an entity's end; 0: both, or not a record. */
int follow_tells_role(const uint8_t *record, size_t length);

#endif
