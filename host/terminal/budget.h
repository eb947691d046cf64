/* Limits the rate of drawing: a single change is drawn at once, a flood at most 50 times per
 * second. Pure. */
#ifndef TERMINAL_BUDGET_H
#define TERMINAL_BUDGET_H

#include <stdint.h>

/* A burst of four drawings, then 46 per second. */
#define BUDGET_BURST     4u
#define BUDGET_PERIOD_US (1000000u / 46u + 1u)

/* Zeroed at the start. */
struct budget {
    uint64_t spent_us; /* the time at which a full burst is available again */
};

/* Returns now_us and counts a drawing if one is allowed now; otherwise returns the time to ask
 * again. */
static inline uint64_t budget_take(struct budget *budget, uint64_t now_us)
{
    uint64_t ahead_us = (BUDGET_BURST - 1) * BUDGET_PERIOD_US;
    if (budget->spent_us > now_us + ahead_us)
        return budget->spent_us - ahead_us;
    if (budget->spent_us < now_us)
        budget->spent_us = now_us;
    budget->spent_us += BUDGET_PERIOD_US;
    return now_us;
}

#endif
