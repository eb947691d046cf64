/* Settles a line after the session: adds to each end's journal the records that only the other
 * end's journal has. Pure: a callback writes the records. Source: DESIGN.md, "End of a segment". */
#ifndef JOURNAL_SETTLE_H
#define JOURNAL_SETTLE_H

#include "journal/order.h"

/* The events that the two journals lack. */
struct settle_plan {
    enum side side;   /* the line's side in the judge's journal */
    uint64_t n;       /* the number of keys in the final order */
    uint64_t differs; /* the number of the first key that differs between the journals, which then
                       * cannot be settled; 0: none */
    uint64_t unknown; /* the number of the first key that both journals lack, which then cannot be
                       * settled; 0: none */
    bool anew; /* a steward has opened an epoch that the entity's end did not receive: the entity's
                * journal gets the judge's order, and no key differs */
    uint64_t lacks[PARTIES]; /* the number of keys that each end's journal lacks */
    uint32_t generation;     /* the generation of the last segment in either journal */
    bool close[PARTIES];     /* true if that end's journal lacks a CLOSE */
};

/* Finds the side of the judge's journal whose keys are those of the entity's journal. BL_USAGE:
 * both sides match, so the user must choose. BL_DATA: neither side matches; *side is the one that
 * differs at the later key. */
enum bl_status settle_side(const struct order_set *judge, const struct order_set *entity,
                           enum side *side);

/* Compares a side of the judge's journal with the entity's line, and fills the plan. */
void settle_plan(struct settle_plan *plan, const struct order_set *judge, enum side side,
                 const struct order_set *entity);

bool settle_is_done(const struct settle_plan *plan);

/* Writes the records that one end's journal lacks: EPOCH if plan->anew, the missing KEYS, a missing
 * CLOSE, and a NOTE. `digest` is the final page's; now_us is the time of the new records except
 * KEYS. Returns the status of write() if that fails. */
enum bl_status settle_write(const struct settle_plan *plan, const struct order_set *judge,
                            const struct order_set *entity, enum party end, const uint8_t digest[8],
                            uint64_t now_us,
                            enum bl_status (*write)(void *ctx, const struct journal_record *record),
                            void *ctx);

#endif
