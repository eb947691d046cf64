/* The order of the keys of each line, as a journal records it: for tools that settle journals or
 * make transcripts. Allocates memory as the order grows. */
#ifndef JOURNAL_ORDER_H
#define JOURNAL_ORDER_H

#include "base/status.h"
#include "session/event.h"

#define ORDER_MAX (4u << 20) /* most keys of one line: months of typing */

/* A SEGMENT or CLOSE record, and its position in the order. */
struct order_mark {
    enum journal_kind kind;
    uint64_t n; /* the number of keys before the mark */
    uint64_t wall_us;
    uint32_t generation;
    unsigned part;              /* the number of the segment's part in the plan, from 1 on */
    enum segment_state state;   /* a SEGMENT's state */
    uint64_t left_us;           /* a SEGMENT's remaining time; UINT64_MAX without a plan */
    uint64_t away_us;           /* the time after the mark in which this end did not run or the
                                 * clock stood */
    bool taken;                 /* a spare machine has continued the journal */
    enum close_outcome outcome; /* a CLOSE's outcome */
};

/* The placed keys of one line. A KEYS record has its first key's number, so a missing record leaves
 * a hole, which a later record may fill. */
struct order {
    struct key_event *event; /* key n is event[n - 1]; a hole has the point 0 */
    uint64_t count, room;
    uint64_t holes;
    uint64_t conflicts; /* the number of keys whose number another key had before; that first key
                         * counts */
    uint32_t epoch;
    bool present; /* the journal has a record of the line */
    bool taken;   /* a spare machine has taken over, and its next SEGMENT continues the other
                   * machine's */
    uint32_t generation;
    unsigned part;                /* the part of the plan, from 1 on; 0: no part was opened */
    enum segment_state state;     /* the state of the segment `generation` */
    uint64_t clock_us, left_us;   /* the time of the last SEGMENT, and the time that remained
                                   * then */
    uint64_t latest_us, quiet_us; /* the time of the last key or SEGMENT, and since clock_us the
                                   * longest time without one */
    bool closed;                  /* there is a CLOSE; the members below are the last one's */
    uint32_t close_generation;
    uint64_t close_n;
    enum close_outcome outcome;
    struct order_mark *mark; /* the marks, without the SEGMENTs that a running clock repeats */
    uint64_t marks, mark_room;
};

/* A key that was pressed at the entity's end; key k is press[k - 1] of the set. */
struct order_press {
    uint64_t wall_us; /* 0: unknown */
    uint32_t point;   /* 0: damage has lost the key */
    bool unplaced;    /* the key has no place in the order */
};

/* The contents of a journal for the order's readers. The caller zeroes it at the start. */
struct order_set {
    bool headed;
    enum party role;
    char session[SESSION_ID_MAX + 1], style[STYLE_MAX + 1];
    struct order side[SIDES];
    struct order_press *press;
    uint64_t presses, press_room;
    uint64_t latest_us, gap_us; /* the time of the latest record; and the time from the latest
                                 * record before a START to the START */
    enum bl_status status;      /* the result of order_feed(): BL_OK, BL_NOMEM, or BL_FULL for more
                                 * keys than ORDER_MAX */
};

/* Takes the journal's next record. A callback for journal_read() and journal_open(), with the set
 * as its ctx. set->status keeps an error. */
void order_feed(void *set, const struct journal_record *record);

/* Counts the keys of the left line whose position, party, time or value differs between two
 * journals; -1 if a journal cannot be read. */
int64_t order_differing(const char *journal, const char *other);

void order_free(struct order_set *set);

/* Finds the press of each of the entity's placed keys, one after another. The p-th placed key is
 * the p-th pressed key that is not `unplaced`. The caller starts with {.set = the entity's
 * journal}. */
struct order_join {
    const struct order_set *set;
    uint64_t k;
    bool lost; /* the presses contradict the order, so no further press can be found */
};

/* The time, by the clock at the entity's end, at which the entity's next key in the order was
 * pressed; 0: unknown. `point` is the key's point; 0: a hole. */
uint64_t order_join_next(struct order_join *join, uint32_t point);

#endif
