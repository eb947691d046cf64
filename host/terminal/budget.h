/* The rate of a screen's drawing: a lone change at once, a flood at most 50 times in any second.
 * Pure. */
#ifndef TERMINAL_BUDGET_H
#define TERMINAL_BUDGET_H

#include <stdint.h>

/* Four drawings at once, then 46 a second. */
#define BUDGET_BURST     4u
#define BUDGET_PERIOD_US (1000000u / 46u + 1u)

/* Zeroed is the start. */
struct budget {
    uint64_t spent_us; /* the drawings so far are paid for up to this moment */
};

/* May a drawing be made at now_us? Then it is counted, and the answer is now_us; else the answer is
 * when to ask again. */
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
