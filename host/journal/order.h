/* The order of keys on each line, as a journal records it, for settling and transcripts. For tools
 * that read finished journals; allocates as it grows. */
#ifndef JOURNAL_ORDER_H
#define JOURNAL_ORDER_H

#include "base/status.h"
#include "session/event.h"

#define ORDER_MAX (4u << 20) /* accepted keys of one line: months of typing */

/* A SEGMENT or CLOSE record with its position in the order. */
struct order_mark {
    enum journal_kind kind;
    uint64_t n; /* number of keys before the mark */
    uint64_t wall_us;
    uint32_t generation;
    unsigned part;              /* number of the part in the plan, from 1 */
    enum segment_state state;   /* state and remaining time of a SEGMENT: */
    uint64_t left_us;           /* UINT64_MAX without a plan */
    uint64_t away_us;           /* time after the mark without this end, or with a standing clock */
    bool taken;                 /* the journal was continued on a spare machine */
    enum close_outcome outcome; /* outcome of a CLOSE */
};

/* The placed keys of one line. A KEYS record has the number of its first key, so a missing record
 * leaves a hole, which a later record fills. */
struct order {
    struct key_event *event; /* key n is event[n - 1]; point 0 is a hole */
    uint64_t count, room;
    uint64_t holes;
    uint64_t conflicts; /* keys with a number already in use; the first key counts */
    uint32_t epoch;
    bool present; /* the journal has a record of this line */
    bool taken;   /* a spare machine took over; its next SEGMENT continues the other machine's */
    uint32_t generation;
    unsigned part;                /* part of the plan, from 1; 0: no part was opened */
    enum segment_state state;     /* state of the current generation */
    uint64_t clock_us, left_us;   /* time of the last SEGMENT, and the time left then */
    uint64_t latest_us, quiet_us; /* since then: time of the last key, and longest gap of keys */
    bool closed;                  /* a CLOSE exists; the last one has: */
    uint32_t close_generation;
    uint64_t close_n;
    enum close_outcome outcome;
    struct order_mark *mark; /* without the repeated states that a running clock records */
    uint64_t marks, mark_room;
};

/* A key pressed at the entity's end; key k is pressed[k - 1]. */
struct order_press {
    uint64_t wall_us; /* 0: unknown */
    uint32_t point;   /* 0: lost to damage */
    bool unplaced;    /* the order never had the key */
};

/* A whole journal; zeroed at the start. */
struct order_set {
    bool headed;
    enum party role;
    char session[SESSION_ID_MAX + 1], style[STYLE_MAX + 1];
    struct order side[SIDES];
    struct order_press *press;
    uint64_t presses, press_room;
    uint64_t latest_us, gap_us; /* time of the latest record, and from there to the next START */
    enum bl_status status;      /* result of feeding: BL_NOMEM; BL_FULL: more keys than ORDER_MAX */
};

/* Takes the next record of the journal. A callback for journal_read() and journal_open(), with the
 * set as ctx. An error stays in set->status. */
void order_feed(void *set, const struct journal_record *record);

/* Counts the keys of the left line that differ between two journals in position, party, time or
 * value; -1 if a journal cannot be read. */
int64_t order_differing(const char *journal, const char *other);

void order_free(struct order_set *set);

/* Matches an entity's placed keys with their presses, one by one: placed key p is the p-th pressed
 * key that is not `unplaced`. Start with {.set = the entity's journal}. */
struct order_join {
    const struct order_set *set;
    uint64_t k;
    bool lost; /* the journal contradicts the order: no times from here on */
};

/* The time at which the entity's next key in the order was pressed, by the entity's clock; 0 if
 * unknown. point is 0 for a hole. */
uint64_t order_join_next(struct order_join *join, uint32_t point);

#endif
