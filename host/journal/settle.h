/* Making the journals of the two ends of a line equal after the fact. Pure: the records to be
 * written are given to a callback. Source: DESIGN.md, "End of a segment". */
#ifndef JOURNAL_SETTLE_H
#define JOURNAL_SETTLE_H

#include "journal/order.h"

/* The work to be done. */
struct settle_plan {
    enum side side;   /* of the judge's journal */
    uint64_t n;       /* keys of the order when all is done */
    uint64_t differs; /* number of the first key that differs, 0 if none: nothing may be done */
    uint64_t unknown; /* number of the first key that neither has, 0 if none: likewise */
    bool anew; /* a steward opened an epoch unheard by the entity's end: its order is made anew
                  from the judge's, and nothing counts as differing */
    uint64_t lacks[PARTIES]; /* keys the journal of that end lacks */
    uint32_t generation;     /* of the last segment known to either */
    bool close[PARTIES];     /* a CLOSE is missing */
};

/* Finds the side of the judge's journal whose keys go with the entity's. BL_OK: *side. BL_USAGE:
 * both do, so the caller must be told which. BL_DATA: neither does; *side is the one that agrees
 * longer. */
enum bl_status settle_side(const struct order_set *judge, const struct order_set *entity,
                           enum side *side);

/* Compares the judge's side with the entity's line. */
void settle_plan(struct settle_plan *plan, const struct order_set *judge, enum side side,
                 const struct order_set *entity);

/* Is there nothing to do? */
bool settle_is_done(const struct settle_plan *plan);

/* Gives the records that make the journal of one end equal to the plan: EPOCH if anew, the KEYS
 * that it lacks, CLOSE if it needs one, NOTE. digest is the page's when all is done; now_us the
 * time of the new records. Stops at a failure of write() and returns its status. */
enum bl_status settle_write(const struct settle_plan *plan, const struct order_set *judge,
                            const struct order_set *entity, enum party end, const uint8_t digest[8],
                            uint64_t now_us,
                            enum bl_status (*write)(void *ctx, const struct journal_record *record),
                            void *ctx);

#endif
