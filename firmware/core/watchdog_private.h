/* The common parts of the watchdog's files. */
#ifndef CORE_WATCHDOG_PRIVATE_H
#define CORE_WATCHDOG_PRIVATE_H

#include "firmware/core/board_io.h"
#include "firmware/core/watchdog.h"

#define TICKS_PER_S WATCHDOG_TICKS(1000)
#define SLOW_PER_2S (2000 / WATCHDOG_SLOW_MS) /* 62.5 in a second */

/* The plan as it is stored: this head, then five bytes for each segment. */
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

/* watchdog.c. These want the lock, or the tick itself. */
void watchdog_arm(struct watchdog *w);
void watchdog_event(struct watchdog *w, uint8_t what);
void watchdog_enter(struct watchdog *w, uint8_t state);
uint32_t watchdog_left(struct watchdog *w); /* takes the lock itself */

/* No session runs: plans and calibrations are welcome. */
bool watchdog_is_idle(const struct watchdog *w);

/* The steward's word, by the host or the button; why it was refused, or SAY_COUNT. */
enum sentence_word watchdog_run(struct watchdog *w);

/* The segment that w->segment says, from its beginning. */
void watchdog_load(struct watchdog *w);

/* dialogue.c: says and hears sentences. */
void dialogue_work(struct watchdog *w);

/* ledger.c: records a loss of power at any moment leaves right. How they are made is told in its
 * head. Each of these may wait for the store. */

/* The most that a recovered `left` can fall short of the truth. */
#define LEDGER_SLOT WATCHDOG_TICKS(1920)
#define LEDGER_LEAD WATCHDOG_TICKS(60)
#define LEDGER_LOSS (LEDGER_SLOT + LEDGER_LEAD)

/* Reads the store into w. False: nothing, or no plan that could be used. */
bool ledger_recover(struct watchdog *w);

/* Stores the plan in the unused area, and then its readiness; then state is READY. */
bool ledger_store_plan(struct watchdog *w);

/* Stores a whole record of the present state. While the clock runs it takes the time stored as
 * spent for spent. A store that does not keep it is a fault, and false. */
bool ledger_record(struct watchdog *w);

/* Stores time about to be spent as spent. */
void ledger_keep(struct watchdog *w);

void ledger_calibrate(struct watchdog *w, uint16_t value);

#endif
