/* The dialogue of host and watchdog: firmware/README.md. There is one buffer for sending; a
 * received sentence waits until that buffer is free. */
#include "firmware/core/watchdog_private.h"

#define NUMBERS            4
#define TICKS_TO_MS(ticks) ((ticks)*WATCHDOG_TICK_MS)
#define CLOCK_MASK         0x1fffffff /* nine digits */

/* The number of numeric fields in each type of a host's sentence, from SAY_HEL on. */
static const SENTENCE_ROM uint8_t numbers_of[] = {0, 3, 4, 0, 1, 0, 1, 0, 1};

static void send(struct watchdog *w)
{
    sentence_end(&w->writer);
    io_send(w->writer.text, w->writer.length);
}

static void say_hello(struct watchdog *w)
{
    struct sentence_writer *writer = &w->writer;
    uint16_t plan = 0;

    if (w->fixed)
        plan = w->plan_id ? w->plan_id : 1;
    sentence_begin(writer, SAY_HEL, w->nonce);
    sentence_put_number(writer, WATCHDOG_VERSION);
    sentence_put_text(writer, io_board);
    sentence_put_word(writer, (enum sentence_word)w->reset);
    sentence_put_number(writer, plan);
    sentence_put_number(writer, w->calibration);
    send(w);
}

static void say_status(struct watchdog *w)
{
    struct sentence_writer *writer = &w->writer;
    uint8_t was = io_lock();
    uint32_t left = w->left, budget = w->budget, clock = w->clock;
    uint8_t ticks = w->ticks;

    io_unlock(was);
    sentence_begin(writer, SAY_STA, w->nonce);
    sentence_put_word(writer, (enum sentence_word)w->state);
    sentence_put_number(writer, w->segment);
    sentence_put_number(writer, TICKS_TO_MS(left));
    sentence_put_number(writer, budget * WATCHDOG_SLOW_MS);
    sentence_put_number(writer, w->drive | w->inputs);
    sentence_put_word(writer, (enum sentence_word)w->fault);
    sentence_put_number(writer, (clock * WATCHDOG_SLOW + ticks) * WATCHDOG_TICK_MS & CLOCK_MASK);
    send(w);
}

static void say_event(struct watchdog *w)
{
    struct sentence_writer *writer = &w->writer;
    uint8_t was = io_lock();
    struct watchdog_event event = w->event[w->event_first];

    w->event_first = (uint8_t)(w->event_first + 1) % WATCHDOG_EVENTS;
    w->event_count--;
    io_unlock(was);
    sentence_begin(writer, SAY_EVT, w->nonce);
    sentence_put_word(writer, (enum sentence_word)event.what);
    sentence_put_number(writer, event.segment);
    sentence_put_number(writer, TICKS_TO_MS(event.left));
    send(w);
}

static void tell(struct watchdog *w, uint8_t what)
{
    uint8_t was = io_lock();

    watchdog_event(w, what);
    io_unlock(was);
}

/* Begins a new plan and drops the old one. */
static enum sentence_word take_plan(struct watchdog *w, const uint16_t *number)
{
    if (!watchdog_is_idle(w))
        return SAY_STATE;
    if ((uint16_t)(number[0] - 1) >= WATCHDOG_SEGMENTS || number[1] > WATCHDOG_CONNECT_S ||
        number[2] > WATCHDOG_BUDGET_S)
        return SAY_RANGE;
    w->plan[PLAN_COUNT] = (uint8_t)number[0];
    w->plan[PLAN_CONNECT] = (uint8_t)number[1];
    put16(w->plan + PLAN_BUDGET, number[2]);
    w->filled = 0;
    w->total_s = 0;
    w->fixed = false;
    w->fault = SAY_NONE;
    w->segment = 0;
    w->left = 0;
    w->state = SAY_IDLE;
    return SAY_COUNT;
}

static enum sentence_word take_segment(struct watchdog *w, const uint16_t *number)
{
    uint8_t *segment = w->plan + PLAN_HEAD + SEG_SIZE * w->filled;

    if (w->state != SAY_IDLE || w->fixed)
        return SAY_STATE;
    if (number[0] != w->filled || w->filled >= w->plan[PLAN_COUNT])
        return SAY_ORDER;
    if (number[1] == 0 || number[1] > (uint16_t)(WATCHDOG_PLAN_MAX_S - w->total_s) ||
        number[2] > SEGMENT_FLAGS || number[3] >= number[1])
        return SAY_RANGE;
    put16(segment + SEG_SECONDS, number[1]);
    segment[SEG_FLAGS] = (uint8_t)number[2];
    put16(segment + SEG_WARN, number[3]);
    w->total_s = (uint16_t)(w->total_s + number[1]);
    w->filled++;
    return SAY_COUNT;
}

static enum sentence_word fix_plan(struct watchdog *w)
{
    if (w->state != SAY_IDLE || w->fixed)
        return SAY_STATE;
    if (w->filled == 0 || w->filled != w->plan[PLAN_COUNT])
        return SAY_ORDER;
    if (w->total_s < WATCHDOG_PLAN_MIN_S)
        return SAY_RANGE;
    if (!ledger_store_plan(w)) {
        w->state = SAY_IDLE;
        w->fault = SAY_NONE;
        return SAY_STORE;
    }
    w->filled = 0;
    tell(w, SAY_READY);
    return SAY_COUNT;
}

static bool take_numbers(struct sentence_reader *reader, uint8_t wanted, uint16_t *number)
{
    uint32_t value;

    for (; wanted > 0; wanted--) {
        if (!sentence_number(reader, 0xffff, &value))
            return false;
        *number++ = (uint16_t)value;
    }
    return sentence_done(reader);
}

/* Handles a host's claim; an expired lease can be taken over. */
static enum sentence_word claim(struct watchdog *w, uint16_t nonce)
{
    if (nonce == 0)
        return SAY_NONCE;
    if (w->lease && nonce != w->nonce)
        return SAY_BUSY;
    w->nonce = nonce;
    w->call = false; /* the claiming host repeats its call */
    return SAY_COUNT;
}

static void renew(struct watchdog *w)
{
    w->lease = WATCHDOG_LEASE_MS / WATCHDOG_SLOW_MS;
}

/* Executes the sentence. Returns the reason for a refusal, or SAY_COUNT. */
static enum sentence_word obey(struct watchdog *w)
{
    struct sentence_reader *reader = &w->reader;
    enum sentence_word why;
    uint16_t number[NUMBERS];

    if (reader->type >= sizeof(numbers_of))
        return SAY_UNKNOWN;
    if (!take_numbers(reader, numbers_of[reader->type], number))
        return SAY_RANGE;
    why = SAY_NONCE;
    if (reader->type == SAY_HEL)
        why = claim(w, reader->nonce);
    else if (reader->nonce == w->nonce && reader->nonce)
        why = SAY_COUNT;
    if (why != SAY_COUNT)
        return why;
    switch (reader->type) {
    case SAY_HEL:
    case SAY_BEA:
        renew(w);
        return SAY_COUNT;
    case SAY_PLN:
        return take_plan(w, number);
    case SAY_SEG:
        return take_segment(w, number);
    case SAY_FIX:
        return fix_plan(w);
    case SAY_RUN:
        return number[0] == w->segment ? watchdog_run(w) : SAY_ORDER;
    case SAY_BEL:
        if (number[0] > 1)
            return SAY_RANGE;
        w->call = number[0];
        return SAY_COUNT;
    }
    /* only CAL and TST come here */
    if (!watchdog_is_idle(w))
        return SAY_STATE;
    if (reader->type == SAY_TST)
        w->test = 63; /* a second */
    else if ((uint16_t)(number[0] - WATCHDOG_CAL_BIAS + WATCHDOG_CAL_MAX) > 2 * WATCHDOG_CAL_MAX)
        return SAY_RANGE;
    else
        ledger_calibrate(w, number[0]);
    return SAY_COUNT;
}

static void answer(struct watchdog *w)
{
    uint8_t type = SAY_UNKNOWN;
    uint16_t nonce = w->nonce;
    enum sentence_word why = SAY_DAMAGED;

    if (w->heard == SENTENCE_TOO_LONG) {
        why = SAY_OVERLONG;
    } else if (w->heard == SENTENCE_READY) {
        nonce = w->reader.nonce;
        if (w->reader.type != SAY_COUNT)
            type = w->reader.type;
        why = obey(w);
    }
    w->heard = SENTENCE_MORE;
    if (why == SAY_COUNT) {
        if (type == SAY_HEL) {
            say_hello(w);
            return;
        }
        if (type == SAY_BEA) {
            say_status(w);
            return;
        }
        if (type == SAY_FIX)
            return; /* the event is the answer */
    }
    sentence_begin(&w->writer, why == SAY_COUNT ? SAY_ACK : SAY_NAK, nonce);
    sentence_put_word(&w->writer, (enum sentence_word)type);
    if (why != SAY_COUNT)
        sentence_put_word(&w->writer, why);
    send(w);
}

void dialogue_work(struct watchdog *w)
{
    char byte;

    while (!w->heard && io_receive(&byte))
        w->heard = (uint8_t)sentence_feed(&w->reader, byte);
    if (io_sending())
        return;
    if (w->event_count)
        say_event(w);
    else if (w->heard)
        answer(w);
}
