/* Limits the rate of events that a stranger can cause at will, such as notes in the journal: passes
 * a burst of events, then one event per interval, and counts the held ones. Pure. */
#ifndef BASE_LIMIT_H
#define BASE_LIMIT_H

#include "base/time.h"

#include <stdbool.h>

struct limit {
    uint64_t free_us; /* the time from which a full burst may pass again */
    uint32_t held;    /* the held events that were not reported yet */
};

/* True if an event would pass now. */
static inline bool limit_has(const struct limit *limit, uint64_t now_us, unsigned burst,
                             uint64_t every_us)
{
    return limit->free_us <= now_us + (burst - 1) * every_us;
}

/* True if an event passes now: `burst` events pass at once, then one every `every_us`. Counts an
 * event that does not pass in `held`. */
static inline bool limit_pass(struct limit *limit, uint64_t now_us, unsigned burst,
                              uint64_t every_us)
{
    if (limit->free_us < now_us)
        limit->free_us = now_us;
    if (!limit_has(limit, now_us, burst, every_us)) {
        limit->held += limit->held < UINT32_MAX;
        return false;
    }
    limit->free_us += every_us;
    return true;
}

/* The time from which the number of held events may be reported; BL_NEVER if none is held. */
static inline uint64_t limit_due(const struct limit *limit, unsigned burst, uint64_t every_us)
{
    return limit->held ? limit->free_us - (burst - 1) * every_us : BL_NEVER;
}

/* Returns the number of held events and sets `held` to 0; returns 0 if no event is held or the
 * report is not due yet. A report counts as an event that passes. */
static inline uint32_t limit_take(struct limit *limit, uint64_t now_us, unsigned burst,
                                  uint64_t every_us)
{
    uint32_t held = limit->held;
    if (!held || now_us < limit_due(limit, burst, every_us))
        return 0;
    limit->held = 0;
    limit_pass(limit, now_us, burst, every_us);
    return held;
}

#endif
