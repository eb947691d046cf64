/* The stored records. Time is recorded as spent before the clock spends it, in slots of 1.92 s: a
 * record has the time left when it was made, and gets a mark for each slot begun since. A new
 * record is appended shortly before all eight slots are used. So the time read after a loss of
 * power is at most the true time, and too low by at most a slot and a lead.
 *
 * * A record of time: kind and plan and segment, left (3 bytes), budget (3 bytes). Numbers have
 * their low byte first. */
#include "firmware/core/crc.h"
#include "firmware/core/watchdog_private.h"

#define LEAD_RECORD WATCHDOG_TICKS(200) /* lead of a record before the clock uses its time */
#define ALLOWANCE                                                                                  \
    (2 * SLOW_PER_2S) /* the budget is charged in steps of 4 s, of which a reset may cost one */

#define LEFT_AT   1
#define BUDGET_AT 4
#define BODY      IO_TIME_SIZE

_Static_assert(BUDGET_AT + 3 == BODY && WATCHDOG_PLAN <= IO_RECORD_MOST, "the records' sizes");

enum kind {
    KIND_IDLE,
    KIND_READY,
    KIND_SESSION,
    KIND_OVER,
    KIND_FAULT, /* one kind for each reason from SAY_BUDGET on */
};

#define WHERE(kind, area, segment) ((uint8_t)((kind) << 5 | (area) << 4 | (segment)))

static enum io_record plan_kind(const struct watchdog *w)
{
    return w->area ? IO_PLAN_B : IO_PLAN_A;
}

static uint8_t plan_size(const struct watchdog *w)
{
    return (uint8_t)(PLAN_HEAD + SEG_SIZE * w->plan[PLAN_COUNT]);
}

/* Loads the plan. An incomplete plan is cleared: its count limits writes to segments. */
static bool load_plan(struct watchdog *w)
{
    uint8_t size = io_store_read(&w->store, plan_kind(w), w->plan, sizeof(w->plan));

    if ((uint8_t)(w->plan[PLAN_COUNT] - 1) >= WATCHDOG_SEGMENTS || size != plan_size(w)) {
        w->plan[PLAN_COUNT] = 0;
        return false;
    }
    w->plan_id = 0xffff;
    for (uint8_t i = 0; i < size; i++)
        w->plan_id = crc16(w->plan_id, w->plan[i]);
    return true;
}

static uint32_t get24(const uint8_t *from)
{
    return get16(from) | (uint32_t)from[2] << 16;
}

static void put24(uint8_t *to, uint32_t value)
{
    put16(to, (uint16_t)value);
    to[2] = (uint8_t)(value >> 16);
}

static enum kind kind_of(const struct watchdog *w)
{
    if (w->state == SAY_FAULT)
        return (enum kind)(KIND_FAULT + w->fault - SAY_BUDGET);
    if (w->state == SAY_OVER)
        return KIND_OVER;
    if (w->state == SAY_IDLE)
        return KIND_IDLE;
    return w->state == SAY_READY ? KIND_READY : KIND_SESSION;
}

bool ledger_record(struct watchdog *w)
{
    uint8_t body[BODY], was;
    uint32_t left, budget;
    bool kept;

    was = io_lock();
    w->charged = false; /* keeps the clock from starting during this write */
    left = w->state == SAY_OPEN || w->state == SAY_CLOSING ? w->floor : w->left;
    body[0] = WHERE(kind_of(w), w->area, w->segment);
    w->latched = w->state == SAY_FAULT;
    budget = w->budget;
    if (w->charge)
        budget = budget > ALLOWANCE ? budget - ALLOWANCE : 0;
    w->budget_floor = budget;
    io_unlock(was);

    put24(body + LEFT_AT, left);
    put24(body + BUDGET_AT, budget);
    kept = io_store_append(&w->store, IO_TIME, body, BODY);
    was = io_lock();
    if (kept) {
        w->floor = left;
        watchdog_arm(w);
    } else {
        w->fault = SAY_STORE;
        w->latched = true; /* without a working store a second attempt is useless */
        watchdog_enter(w, SAY_FAULT);
    }
    io_unlock(was);
    return kept;
}

static uint32_t less_a_slot(uint32_t left)
{
    return left > LEDGER_SLOT ? left - LEDGER_SLOT : 0;
}

static void mark(struct watchdog *w)
{
    uint8_t was;

    if (!io_store_mark(&w->store))
        return; /* failed: the tick stops at the floor */
    was = io_lock();
    w->floor = less_a_slot(w->floor);
    watchdog_arm(w);
    io_unlock(was);
}

void ledger_keep(struct watchdog *w)
{
    uint32_t gap = watchdog_left(w) - w->floor;

    if (w->floor == 0)
        return;
    if (w->store.marks == IO_MARKS && gap <= LEAD_RECORD)
        ledger_record(w);
    if (w->store.marks < IO_MARKS && gap <= LEDGER_LEAD)
        mark(w);
}

bool ledger_store_plan(struct watchdog *w)
{
    w->area = !w->area;
    w->segment = 0;
    w->state = SAY_READY;
    w->fixed = io_store_append(&w->store, plan_kind(w), w->plan, plan_size(w)) && load_plan(w) &&
               ledger_record(w);
    if (!w->fixed)
        w->area = !w->area;
    return w->fixed;
}

void ledger_calibrate(struct watchdog *w, uint16_t value)
{
    uint8_t bytes[2];

    put16(bytes, value);
    io_store_append(&w->store, IO_CALIBRATION, bytes, sizeof(bytes));
    w->calibration = value;
    io_calibrate((int16_t)(value - WATCHDOG_CAL_BIAS));
}

static void recover_calibration(struct watchdog *w)
{
    uint8_t bytes[2];

    w->calibration = WATCHDOG_CAL_BIAS;
    if (io_store_read(&w->store, IO_CALIBRATION, bytes, sizeof(bytes)) == sizeof(bytes))
        w->calibration = get16(bytes);
    io_calibrate((int16_t)(w->calibration - WATCHDOG_CAL_BIAS));
}

bool ledger_recover(struct watchdog *w)
{
    uint8_t body[BODY];
    bool found = io_store_open(&w->store);

    recover_calibration(w);
    if (!found || io_store_read(&w->store, IO_TIME, body, BODY) != BODY)
        return false;
    w->area = body[0] >> 4 & 1;
    w->segment = body[0] & 15;
    w->floor = get24(body + LEFT_AT);
    w->budget = w->budget_floor = get24(body + BUDGET_AT);
    for (uint8_t marks = w->store.marks; marks > 0; marks--)
        w->floor = less_a_slot(w->floor);
    switch (body[0] >> 5) {
    case KIND_IDLE:
        return false;
    case KIND_READY:
        w->state = SAY_READY;
        break;
    case KIND_SESSION:
        w->state = SAY_LOST;
        break;
    case KIND_OVER:
        w->state = SAY_OVER;
        break;
    default:
        w->state = SAY_FAULT;
        w->fault = (uint8_t)(SAY_BUDGET + (body[0] >> 5) - KIND_FAULT);
    }
    return load_plan(w);
}
