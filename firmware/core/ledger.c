/* The records. Time is spent in the store before it is spent on the clock, in slots of 1.92 s: a
 * record holds what was left when it was made, and its last byte has a bit for each slot that was
 * begun since then; clearing one bit needs no erasing and hits no other bit. After eight slots a
 * new record is written into the next place of a ring, a little before it is needed. So what is
 * read after a loss of power is never more than the truth, and less by a slot and a lead at most.
 *
 * Wear: 10 years of 8 h days are 6.9 million records of 15.36 s; over 80 places that is 86,000
 * erasures of each byte, of the 100,000 that an AVR's EEPROM is rated for. Each bit of the marks is
 * cleared once per erasure.
 *
 * A record: sequence number, kind and plan and segment, left (3 bytes), budget (3 bytes), checksum
 * of these (2 bytes), marks. Numbers have their low byte first. */
#include "firmware/core/watchdog_private.h"

#define SLOTS       8
#define LEAD_RECORD WATCHDOG_TICKS(200) /* a record so long before it is used */
#define ALLOWANCE                                                                                  \
    (2 * SLOW_PER_2S) /* the budget is charged in 4 s, which a reset then costs at most */

#define PLAN_ROOM      (WATCHDOG_PLAN + 2)
#define AT_CALIBRATION (2 * PLAN_ROOM)
#define AT_RECORDS     (AT_CALIBRATION + 4)
#define RECORDS        80
#define LEFT_AT        2
#define BUDGET_AT      5
#define BODY           8
#define CHECK_AT       BODY
#define MARKS_AT       (BODY + 2)
#define RECORD         (MARKS_AT + 1)

_Static_assert(AT_RECORDS + RECORDS * RECORD <= IO_STORE, "the store is too small");

enum kind {
    KIND_IDLE,
    KIND_READY,
    KIND_SESSION,
    KIND_OVER,
    KIND_FAULT, /* and one for each reason from SAY_BUDGET on */
};

#define WHERE(kind, area, segment) ((uint8_t)((kind) << 5 | (area) << 4 | (segment)))

static uint16_t crc(uint16_t sum, uint8_t byte)
{
    sum ^= (uint16_t)(byte << 8);
    for (uint8_t bit = 0; bit < 8; bit++)
        sum = (uint16_t)(sum & 0x8000 ? sum << 1 ^ 0x1021 : sum << 1);
    return sum;
}

/* Reads bytes of the store and says whether the two behind them are their checksum. */
static bool load(uint16_t at, uint8_t *bytes, uint8_t size, uint16_t *sum)
{
    uint8_t check[2];

    *sum = 0xffff;
    for (; size > 0; size--, bytes++) {
        *bytes = io_read(at++);
        *sum = crc(*sum, *bytes);
    }
    check[0] = io_read(at);
    check[1] = io_read(at + 1);
    return get16(check) == *sum;
}

static void save(uint16_t at, const uint8_t *bytes, uint8_t size)
{
    uint16_t sum = 0xffff;

    for (; size > 0; size--, bytes++) {
        io_write(at++, *bytes);
        sum = crc(sum, *bytes);
    }
    io_write(at, (uint8_t)sum);
    io_write(at + 1, (uint8_t)(sum >> 8));
}

static uint16_t slot_at(uint8_t slot)
{
    return (uint16_t)(AT_RECORDS + slot * RECORD);
}

static uint16_t plan_at(const struct watchdog *w)
{
    return w->area ? PLAN_ROOM : 0;
}

static uint8_t plan_size(const struct watchdog *w)
{
    return (uint8_t)(PLAN_HEAD + SEG_SIZE * w->plan[PLAN_COUNT]);
}

/* A plan that is not whole leaves none, for its count says how far segments may be written. */
static bool load_plan(struct watchdog *w)
{
    w->plan[PLAN_COUNT] = io_read(plan_at(w));
    if ((uint8_t)(w->plan[PLAN_COUNT] - 1) < WATCHDOG_SEGMENTS &&
        load(plan_at(w), w->plan, plan_size(w), &w->plan_id))
        return true;
    w->plan[PLAN_COUNT] = 0;
    return false;
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
    uint8_t body[BODY], again[BODY], was;
    uint32_t left, budget;
    uint16_t sum;

    was = io_lock();
    w->charged = false; /* the clock must not start while this is written */
    left = w->state == SAY_OPEN || w->state == SAY_CLOSING ? w->floor : w->left;
    body[1] = WHERE(kind_of(w), w->area, w->segment);
    w->latched = w->state == SAY_FAULT;
    budget = w->budget;
    if (w->charge)
        budget = budget > ALLOWANCE ? budget - ALLOWANCE : 0;
    w->budget_floor = budget;
    io_unlock(was);

    put24(body + LEFT_AT, left);
    put24(body + BUDGET_AT, budget);
    for (uint8_t tries = 0; tries < 3; tries++) {
        uint16_t at;

        if (++w->slot >= RECORDS)
            w->slot = 0;
        at = slot_at(w->slot);
        body[0] = ++w->sequence;
        io_write((uint16_t)(at + MARKS_AT), 0xff);
        save(at, body, BODY);
        if (load(at, again, BODY, &sum) && again[0] == body[0] &&
            io_read((uint16_t)(at + MARKS_AT)) == 0xff) {
            was = io_lock();
            w->marks = 0;
            w->floor = left;
            watchdog_arm(w);
            io_unlock(was);
            return true;
        }
    }
    was = io_lock();
    w->fault = SAY_STORE;
    w->latched = true; /* where nothing can be stored there is nothing to try again */
    watchdog_enter(w, SAY_FAULT);
    io_unlock(was);
    return false;
}

static void mark(struct watchdog *w)
{
    uint16_t at = (uint16_t)(slot_at(w->slot) + MARKS_AT);
    uint8_t bit = (uint8_t)(1 << w->marks), was;

    io_program(at, (uint8_t)~bit);
    if (io_read(at) & bit)
        return; /* not done: the tick stops at the floor */
    was = io_lock();
    w->marks++;
    w->floor = w->floor > LEDGER_SLOT ? w->floor - LEDGER_SLOT : 0;
    watchdog_arm(w);
    io_unlock(was);
}

void ledger_keep(struct watchdog *w)
{
    uint32_t gap = watchdog_left(w) - w->floor;

    if (w->floor == 0)
        return;
    if (w->marks == SLOTS && gap <= LEAD_RECORD)
        ledger_record(w);
    if (w->marks < SLOTS && gap <= LEDGER_LEAD)
        mark(w);
}

bool ledger_store_plan(struct watchdog *w)
{
    w->area = !w->area;
    w->segment = 0;
    save(plan_at(w), w->plan, plan_size(w));
    w->state = SAY_READY;
    w->fixed = load_plan(w) && ledger_record(w);
    if (!w->fixed)
        w->area = !w->area;
    return w->fixed;
}

void ledger_calibrate(struct watchdog *w, uint16_t value)
{
    uint8_t bytes[2];

    put16(bytes, value);
    save(AT_CALIBRATION, bytes, 2);
    w->calibration = value;
    io_calibrate((int16_t)(value - WATCHDOG_CAL_BIAS));
}

static void recover_calibration(struct watchdog *w)
{
    uint8_t bytes[2];
    uint16_t sum;

    w->calibration = WATCHDOG_CAL_BIAS;
    if (load(AT_CALIBRATION, bytes, 2, &sum))
        w->calibration = get16(bytes);
    io_calibrate((int16_t)(w->calibration - WATCHDOG_CAL_BIAS));
}

bool ledger_recover(struct watchdog *w)
{
    uint8_t newest[BODY], body[BODY], marks;
    bool found = false;
    uint16_t sum;

    recover_calibration(w);
    for (uint8_t slot = 0; slot < RECORDS; slot++) {
        if (!load(slot_at(slot), body, BODY, &sum) ||
            (found && (int8_t)(body[0] - w->sequence) < 0))
            continue;
        found = true;
        w->slot = slot;
        w->sequence = body[0];
        for (uint8_t i = 0; i < BODY; i++)
            newest[i] = body[i];
    }
    if (!found)
        return false;
    w->area = newest[1] >> 4 & 1;
    w->segment = newest[1] & 15;
    w->floor = get24(newest + LEFT_AT);
    w->budget = w->budget_floor = get24(newest + BUDGET_AT);
    for (marks = io_read((uint16_t)(slot_at(w->slot) + MARKS_AT)); !(marks & 1) && w->marks < SLOTS;
         marks >>= 1) {
        w->marks++;
        w->floor = w->floor > LEDGER_SLOT ? w->floor - LEDGER_SLOT : 0;
    }
    switch (newest[1] >> 5) {
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
        w->fault = (uint8_t)(SAY_BUDGET + (newest[1] >> 5) - KIND_FAULT);
    }
    return load_plan(w);
}
