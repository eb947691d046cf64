#ifndef CORE_WATCHDOG_PRIVATE_H
#define CORE_WATCHDOG_PRIVATE_H

#include "firmware/core/board_io.h"
#include "firmware/core/watchdog.h"

#define TICKS_PER_S WATCHDOG_TICKS(1000)
#define SLOW_PER_2S (2000 / WATCHDOG_SLOW_MS) /* 62.5 per second */

/* The stored plan: this head, then five bytes for each segment. */
enum {
    PLAN_COUNT,
    PLAN_CONNECT,
    PLAN_BUDGET,
    PLAN_HEAD = PLAN_BUDGET + 2,
};
enum {
    SEG_SECONDS,
    SEG_FLAGS = SEG_SECONDS + 2,
    SEG_WARN,
    SEG_SIZE = SEG_WARN + 2,
};

static inline uint16_t get16(const uint8_t *from)
{
    return (uint16_t)(from[0] | from[1] << 8);
}

static inline void put16(uint8_t *to, uint16_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

static inline const uint8_t *segment_of(const struct watchdog *w)
{
    return w->plan + PLAN_HEAD + SEG_SIZE * w->segment;
}

/* watchdog.c. The caller holds the lock or is the tick. */
void watchdog_arm(struct watchdog *w);
void watchdog_event(struct watchdog *w, uint8_t what);
void watchdog_enter(struct watchdog *w, uint8_t state);
uint32_t watchdog_left(struct watchdog *w); /* takes the lock itself */

/* True if no session runs, so plans and calibrations are accepted. */
bool watchdog_is_idle(const struct watchdog *w);

/* Starts the session or segment for the steward, by the host or the button. Returns the reason for
 * a refusal, or SAY_COUNT. */
enum sentence_word watchdog_run(struct watchdog *w);

/* Loads the segment w->segment from its start. */
void watchdog_load(struct watchdog *w);

/* dialogue.c: sends and receives sentences. */
void dialogue_work(struct watchdog *w);

/* ledger.c: records that stay valid after a loss of power at any moment. These functions may wait
 * for the store. */

/* The most by which a recovered `left` can be too low. */
#define LEDGER_SLOT WATCHDOG_TICKS(1920)
#define LEDGER_LEAD WATCHDOG_TICKS(60)
#define LEDGER_LOSS (LEDGER_SLOT + LEDGER_LEAD)

/* Reads the store into w. False if there is no usable plan. */
bool ledger_recover(struct watchdog *w);

/* Stores the plan in the unused area, then the record READY; the state becomes READY. */
bool ledger_store_plan(struct watchdog *w);

/* Stores a complete record of the current state. While the clock runs, time already stored as spent
 * counts as spent. False: the store failed, which is a fault. */
bool ledger_record(struct watchdog *w);

/* Stores time as spent before the clock uses it. */
void ledger_keep(struct watchdog *w);

void ledger_calibrate(struct watchdog *w, uint16_t value);

#endif
