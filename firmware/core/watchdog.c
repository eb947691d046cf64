#include "firmware/core/watchdog_private.h"

#define SLOW_MS(ms) ((ms) / WATCHDOG_SLOW_MS)
#define BUDGET_LEAD SLOW_MS(250) /* the store is charged this long before the budget is used up */
#define NOTICE      WATCHDOG_TICKS(WATCHDOG_NOTICE_MS)

/* States are in the order of enum sentence_word: a session is in progress from WAIT to CLOSING, and
 * its lines are closed from CONNECT to CLOSING. */
static bool is_going_on(const struct watchdog *w)
{
    return w->state >= SAY_WAIT && w->state <= SAY_CLOSING;
}

bool watchdog_is_idle(const struct watchdog *w)
{
    return w->state <= SAY_READY || w->state == SAY_OVER;
}

void watchdog_event(struct watchdog *w, uint8_t what)
{
    struct watchdog_event *event =
        &w->event[(uint8_t)(w->event_first + w->event_count) % WATCHDOG_EVENTS];

    w->due = true;
    if (w->event_count == WATCHDOG_EVENTS)
        return;
    w->event_count++;
    event->what = what;
    event->segment = w->segment;
    event->left = w->left;
}

/* Enters a state, and opens the relays unless the state allows closed lines. */
void watchdog_enter(struct watchdog *w, uint8_t state)
{
    if (state < SAY_CONNECT || state > SAY_CLOSING)
        w->drive = 0;
    if (state == SAY_LOST || state == SAY_FAULT)
        w->beep = SLOW_MS(500);
    if (state == SAY_FAULT)
        w->turned = false;
    w->charge = state == SAY_LOST || (state == SAY_CONNECT && w->charge);
    w->state = state;
    watchdog_event(w, state);
}

static uint32_t watchdog_budget(struct watchdog *w)
{
    uint8_t was = io_lock();
    uint32_t budget = w->budget;

    io_unlock(was);
    return budget;
}

uint32_t watchdog_left(struct watchdog *w)
{
    uint8_t was = io_lock();
    uint32_t left = w->left;

    io_unlock(was);
    return left;
}

/* Sets `next`, the highest value below `left` at which something happens. */
void watchdog_arm(struct watchdog *w)
{
    uint32_t next = 0;

    if (NOTICE < w->left)
        next = NOTICE;
    if (w->warn < w->left && w->warn > next)
        next = w->warn;
    if (w->floor < w->left && w->floor > next)
        next = w->floor;
    w->next = next;
}

/* Acts when `left` has reached `next`. */
static void reach(struct watchdog *w)
{
    if (w->left == 0) {
        w->beep = SLOW_MS(1000);
        watchdog_enter(w, SAY_CUT);
        return;
    }
    if (w->left == w->floor) {
        w->fault = SAY_STORE;
        watchdog_enter(w, SAY_FAULT);
        return;
    }
    if (w->left == NOTICE)
        watchdog_enter(w, SAY_CLOSING);
    if (w->left == w->warn) {
        w->beep = SLOW_MS(300);
        watchdog_event(w, SAY_WARN);
    }
    watchdog_arm(w);
}

/* Slow work, done every WATCHDOG_SLOW ticks. */
static void look(struct watchdog *w, uint8_t inputs)
{
    w->clock++;
    if (inputs == w->inputs_before) {
        uint8_t pressed = inputs & (uint8_t)~w->inputs;

        w->inputs = inputs;
        if (pressed & STATUS_BUTTON)
            w->pressed = true;
    }
    w->inputs_before = inputs;
    if (w->lease && --w->lease == 0 && is_going_on(w))
        watchdog_enter(w, SAY_LOST);
    if (!(w->inputs & STATUS_KEY_SWITCH) && (is_going_on(w) || w->state == SAY_LOST))
        watchdog_enter(w, SAY_PAUSED);
    if (w->connect)
        w->connect--;
    if (w->charged && w->state == SAY_CONNECT) {
        watchdog_arm(w);
        watchdog_enter(w, w->left > NOTICE ? SAY_OPEN : SAY_CLOSING);
    }
    if (w->charge) {
        if (w->budget == 0) {
            w->fault = SAY_BUDGET;
            watchdog_enter(w, SAY_FAULT);
        } else {
            w->budget--;
        }
    }
    if ((w->state != SAY_PAUSED && w->state != SAY_FAULT) || w->inputs != STATUS_BUTTON)
        w->hold = 0;
    else if (++w->hold == SLOW_MS(3000))
        w->abort = true;
    if (w->beep)
        w->beep--;
    if (w->test)
        w->test--;
    w->due = true;
}

bool watchdog_tick(struct watchdog *w, uint8_t inputs)
{
    bool due;

    if (w->state == SAY_OPEN || w->state == SAY_CLOSING) {
        w->left--;
        w->warm = (uint16_t)~w->left;
        if (w->left == w->next)
            reach(w);
    }
    if (++w->ticks == WATCHDOG_SLOW) {
        w->ticks = 0;
        look(w, inputs);
    }
    due = w->due;
    w->due = false;
    return due;
}

void watchdog_load(struct watchdog *w)
{
    const uint8_t *segment = segment_of(w);

    w->left = (uint32_t)get16(segment + SEG_SECONDS) * TICKS_PER_S;
    w->warn = (uint32_t)get16(segment + SEG_WARN) * TICKS_PER_S;
}

/* Continues an interrupted session, or enters the state with the reason against it. The caller
 * holds the lock. */
static void settle(struct watchdog *w)
{
    const uint8_t *segment = segment_of(w);
    uint8_t flags = segment[SEG_FLAGS];
    uint8_t state = SAY_CONNECT;

    if (!(w->inputs & STATUS_KEY_SWITCH))
        state = SAY_PAUSED;
    else if (!w->lease)
        state = SAY_LOST;
    else if ((flags & SEGMENT_WORD) && !w->word &&
             w->left == (uint32_t)get16(segment + SEG_SECONDS) * TICKS_PER_S)
        state = SAY_WAIT;
    if (state == w->state)
        return;
    if (state == SAY_CONNECT) {
        w->drive = flags & SEGMENT_LINES;
        w->charged = false;
        w->connect = w->drive ? (uint16_t)(w->plan[PLAN_CONNECT] * SLOW_PER_2S / 2) : 0;
    }
    watchdog_enter(w, state);
}

static void settle_locked(struct watchdog *w)
{
    uint8_t was = io_lock();

    settle(w);
    io_unlock(was);
}

/* Stores the segment before any relay closes. */
static void begin(struct watchdog *w)
{
    w->state = SAY_CUT;
    watchdog_load(w);
    if (ledger_record(w))
        settle_locked(w);
}

enum sentence_word watchdog_run(struct watchdog *w)
{
    if (w->state == SAY_CONNECT) {
        uint8_t was = io_lock();

        w->connect = 0;
        io_unlock(was);
        return SAY_COUNT;
    }
    if (w->state != SAY_READY && w->state != SAY_WAIT)
        return SAY_STATE;
    if (!(w->inputs & STATUS_KEY_SWITCH))
        return SAY_KEY;
    w->word = true;
    if (w->state == SAY_READY) {
        w->budget = (uint32_t)get16(w->plan + PLAN_BUDGET) * SLOW_PER_2S / 2;
        begin(w);
    }
    return SAY_COUNT;
}

static void enter_locked(struct watchdog *w, uint8_t state)
{
    uint8_t was = io_lock();

    watchdog_enter(w, state);
    io_unlock(was);
}

static uint16_t connect_left(struct watchdog *w)
{
    uint8_t was = io_lock();
    uint16_t connect = w->connect;

    io_unlock(was);
    return connect;
}

static void end_segment(struct watchdog *w)
{
    w->word = false;
    w->segment++;
    if (w->segment < w->plan[PLAN_COUNT]) {
        begin(w);
        return;
    }
    /* If the store does not keep this record, the earlier one leads to the same end. */
    w->state = SAY_OVER;
    ledger_record(w);
    enter_locked(w, SAY_OVER);
}

static void abort_session(struct watchdog *w)
{
    w->fixed = false;
    w->plan[PLAN_COUNT] = 0;
    w->fault = SAY_NONE;
    w->state = SAY_IDLE;
    if (ledger_record(w))
        enter_locked(w, SAY_IDLE);
}

/* Clears a fault when the key is turned back to RUN. A broken store is thus tried once per turn. */
static void clear_fault(struct watchdog *w)
{
    if (!(w->inputs & STATUS_KEY_SWITCH)) {
        w->turned = true;
        return;
    }
    if (!w->turned)
        return;
    if (!w->fixed) { /* an abort that could not be stored */
        abort_session(w);
        return;
    }
    w->fault = SAY_NONE;
    w->state = SAY_PAUSED;
    if (ledger_record(w))
        settle_locked(w);
}

static void progress(struct watchdog *w)
{
    switch (w->state) {
    case SAY_READY:
        if (w->pressed && w->lease)
            watchdog_run(w);
        break;
    case SAY_WAIT:
        if (w->pressed)
            w->word = true;
        settle_locked(w);
        break;
    case SAY_CONNECT:
        if (connect_left(w) == 0) {
            ledger_keep(w);
            w->charged = w->floor < w->left;
        }
        break;
    case SAY_OPEN:
    case SAY_CLOSING:
        ledger_keep(w);
        break;
    case SAY_CUT:
        end_segment(w);
        break;
    case SAY_PAUSED:
        if (w->abort)
            abort_session(w);
        else
            settle_locked(w);
        break;
    case SAY_LOST:
        settle_locked(w);
        break;
    case SAY_FAULT:
        if (!w->latched)
            ledger_record(w);
        if (w->abort)
            abort_session(w);
        else
            clear_fault(w);
        break;
    }
    w->pressed = w->abort = false;
    if (w->charge && w->budget_floor && watchdog_budget(w) < w->budget_floor + BUDGET_LEAD)
        ledger_record(w);
}

/* Shows the lamps. The segment's lamps are lit in OPEN and blink in CONNECT and CLOSING; FAULT is
 * lit in FAULT and blinks in LOST; BREAK blinks in READY and WAIT. */
static void show(const struct watchdog *w)
{
    bool slow = w->clock & 0x20, fast = w->clock & 4;
    uint8_t lamps = 0;

    if (w->state == SAY_OPEN || (w->state == SAY_CLOSING && fast) ||
        (w->state == SAY_CONNECT && slow))
        lamps = segment_of(w)[SEG_FLAGS] >> 3;
    if (w->state == SAY_FAULT || (w->state == SAY_LOST && slow))
        lamps |= IO_LAMP_FAULT;
    if ((w->state == SAY_WAIT || w->state == SAY_READY) && slow)
        lamps |= IO_LAMP_BREAK;
    /* A call for the steward from either end: BREAK and FAULT alternate, with a short sound every 4
     * s. */
    if (w->call && w->lease) {
        lamps &= (uint8_t) ~(IO_LAMP_BREAK | IO_LAMP_FAULT);
        lamps |= slow ? IO_LAMP_BREAK : IO_LAMP_FAULT;
        if (!(w->clock & 0xf0))
            lamps |= IO_BUZZER;
    }
    if (w->beep)
        lamps |= IO_BUZZER;
    if (w->test)
        lamps = IO_LAMP_A | IO_LAMP_B | IO_LAMP_BREAK | IO_LAMP_FAULT | IO_BUZZER;
    io_show(lamps);
}

void watchdog_work(struct watchdog *w)
{
    dialogue_work(w); /* first, so that sentences go out while the store is busy */
    progress(w);
    show(w);
}

void watchdog_start(struct watchdog *w, enum sentence_word reset)
{
    uint8_t *bytes = (uint8_t *)w;
    uint32_t left = w->left;
    bool kept = reset != SAY_POWER && reset != SAY_BROWNOUT && w->warm == (uint16_t)~left;

    for (uint16_t i = 0; i < sizeof(*w); i++)
        bytes[i] = 0;
    w->reset = (uint8_t)reset;
    w->inputs = STATUS_KEY_SWITCH;
    w->fault = SAY_NONE;
    w->state = SAY_IDLE;
    w->fixed = ledger_recover(w);
    if (!w->fixed) {
        w->state = SAY_IDLE;
    } else if (w->state != SAY_READY && w->segment < w->plan[PLAN_COUNT]) {
        watchdog_load(w);
        w->left = w->floor;
        /* Memory is more precise than the store, and counts unless the store contradicts it. */
        if (kept && left - w->floor <= LEDGER_LOSS)
            w->left = left;
        if (w->state == SAY_LOST)
            watchdog_enter(w, w->left ? SAY_LOST : SAY_CUT);
        w->latched = w->state == SAY_FAULT;
    }
    watchdog_event(w, SAY_BOOT);
}
