/* Limits how often a screen is drawn: a single change at once, many changes at most 50 times in a
 * second. Pure. */
#ifndef TERMINAL_BUDGET_H
#define TERMINAL_BUDGET_H

#include <stdint.h>

/* Four drawings may follow each other at once, then 46 drawings per second. */
#define BUDGET_BURST     4u
#define BUDGET_PERIOD_US (1000000u / 46u + 1u)

/* The caller zeroes it at the start. */
struct budget {
    uint64_t spent_us; /* the time from which four drawings at once are allowed again */
};

/* If a drawing is allowed now, counts it and returns now_us. Otherwise returns the time of the next
 * try. */
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
