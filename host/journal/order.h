/* A journal's record of its lines: the one order of each, and the needs of settling and
 * transcripts. For tools that read journals after the fact; it allocates as it grows. */
#ifndef JOURNAL_ORDER_H
#define JOURNAL_ORDER_H

#include "base/status.h"
#include "session/event.h"

#define ORDER_MAX (4u << 20) /* believed keys of one line: months of typing */

/* A SEGMENT or CLOSE record, and its place in the order. */
struct order_mark {
    enum journal_kind kind;
    uint64_t n; /* keys placed before it */
    uint64_t wall_us;
    uint32_t generation;
    unsigned part;              /* of the plan, from 1 */
    enum segment_state state;   /* of a SEGMENT, */
    uint64_t left_us;           /* with so much left; UINT64_MAX without a plan */
    uint64_t away_us;           /* behind it, in which this end was away, or the clock stood */
    bool taken;                 /* on a spare machine, which took it over as it stood */
    enum close_outcome outcome; /* of a CLOSE */
};

/* The placed keys of one line. A KEYS record counts from its own number, so a missing one leaves a
 * hole, and a later one fills the hole. */
struct order {
    struct key_event *event; /* number n is event[n - 1]; point 0 is a hole */
    uint64_t count, room;
    uint64_t holes;
    uint64_t conflicts; /* keys whose number another key has already; the first one counts */
    uint32_t epoch;
    bool present; /* the journal has anything of this line */
    bool taken;   /* by a spare machine, whose next SEGMENT goes on where another stood */
    uint32_t generation;
    unsigned part;                /* of the plan, from 1; 0: none was opened */
    enum segment_state state;     /* of that generation */
    uint64_t clock_us, left_us;   /* the last SEGMENT's time, and the time left there; since then */
    uint64_t latest_us, quiet_us; /* the last key's time, and the longest without one */
    bool closed;                  /* there is a CLOSE; the last one: */
    uint32_t close_generation;
    uint64_t close_n;
    enum close_outcome outcome;
    struct order_mark *mark; /* without the repeats of one state a running clock leaves */
    uint64_t marks, mark_room;
};

/* A key pressed at the entity's end; number k is pressed[k - 1]. */
struct order_press {
    uint64_t wall_us; /* 0: not known */
    uint32_t point;   /* 0: lost to damage */
    bool unplaced;    /* on no page */
};

/* A whole journal. Zeroed is the start. */
struct order_set {
    bool headed;
    enum party role;
    char session[SESSION_ID_MAX + 1], style[STYLE_MAX + 1];
    struct order side[SIDES];
    struct order_press *press;
    uint64_t presses, press_room;
    uint64_t latest_us, gap_us; /* of the latest record, and between it and a start after it */
    enum bl_status status;      /* of the feeding: BL_NOMEM; BL_FULL: more keys than ORDER_MAX */
};

/* Takes the next record of the journal; to be handed to journal_read and journal_open with the set
 * as ctx. An error stays in set->status. */
void order_feed(void *set, const struct journal_record *record);

/* Keys of the left line whose place, party, time or value is not the same in two journals; -1 if
 * one cannot be read. */
int64_t order_differing(const char *journal, const char *other);

void order_free(struct order_set *set);

/* Finds out when the keys of an entity's order were pressed, one after the other: the p-th placed
 * key is the p-th pressed one not unplaced. Start with {.set = the entity's journal}. */
struct order_join {
    const struct order_set *set;
    uint64_t k;
    bool lost; /* the journal does not fit the order: no more times */
};

/* For the entity's next key in the order: when it was pressed, on the entity's clock; 0 if unknown.
 * point is 0 for a hole. */
uint64_t order_join_next(struct order_join *join, uint32_t point);

#endif
