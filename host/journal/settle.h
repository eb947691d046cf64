/* Makes the journals of a line's two ends equal after the session. Pure: a callback writes the
 * records. Source: DESIGN.md, "End of a segment". */
#ifndef JOURNAL_SETTLE_H
#define JOURNAL_SETTLE_H

#include "journal/order.h"

/* The work to be done. */
struct settle_plan {
    enum side side;   /* side of the judge's journal */
    uint64_t n;       /* number of keys in the final order */
    uint64_t differs; /* number of the first differing key; then nothing may be done; 0: none */
    uint64_t unknown; /* number of the first key that both lack; then nothing may be done */
    bool anew; /* a steward opened an epoch that the entity's end never received: its order is
               * rebuilt from the judge's, and no key counts as differing */
    uint64_t lacks[PARTIES]; /* number of keys that each end's journal lacks */
    uint32_t generation;     /* generation of the last segment that either end knows */
    bool close[PARTIES];     /* each end's journal lacks a CLOSE */
};

/* Finds the side of the judge's journal whose keys match the entity's. BL_OK: *side. BL_USAGE: both
 * match, so the user must choose. BL_DATA: neither matches; *side is the one that differs later. */
enum bl_status settle_side(const struct order_set *judge, const struct order_set *entity,
                           enum side *side);

/* Compares the judge's side with the entity's line. */
void settle_plan(struct settle_plan *plan, const struct order_set *judge, enum side side,
                 const struct order_set *entity);

/* True if there is nothing to do. */
bool settle_is_done(const struct settle_plan *plan);

/* Writes the records that make one end's journal equal to the plan: EPOCH if anew, missing KEYS,
 * CLOSE if it lacks one, NOTE. digest is that of the final page; now_us is the time of the new
 * records. Stops when write() fails and returns its status. */
enum bl_status settle_write(const struct settle_plan *plan, const struct order_set *judge,
                            const struct order_set *entity, enum party end, const uint8_t digest[8],
                            uint64_t now_us,
                            enum bl_status (*write)(void *ctx, const struct journal_record *record),
                            void *ctx);

#endif
