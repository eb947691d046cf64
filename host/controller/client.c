#include "controller/client.h"
#include "controller/drift.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK_MODULUS (1u << 29) /* range of the clock in STA, in ms */
#define CLOCK_STEP_MS 60000u     /* a larger step means that the clock was restarted */
#define BUSY_US       500000u    /* wait between two claims of a controller that another host has */
#define LOOK_US       10000000u  /* wait between two looks at another session's plan */
#define REFUSALS_MAX  5
#define LEAP_US       1000000u /* the tolerance of a reported time */
#define STEP_SEGMENT  1        /* after PLN; SEG for each segment, then FIX */

enum talk {
    TALK_CLAIM,  /* repeats HEL until the answer */
    TALK_LOOK,   /* sends one beat, to learn the controller's state */
    TALK_PLAN,   /* sends the plan, one sentence at a time */
    TALK_BEAT,   /* normal operation: beats and requests */
    TALK_REFUSE, /* the controller has another session, or lost ours: no beats, only looks */
};

struct client_status {
    enum controller_state state;
    unsigned segment;
    uint32_t left_ms;
};

struct client {
    struct client_config config;
    struct client_callbacks callbacks;
    void *ctx;
    struct sentence_reader reader;

    enum talk talk;
    unsigned step;     /* next sentence of the plan: PLN, SEG..., FIX */
    unsigned refusals; /* refusals of the plan since its first sentence */
    uint8_t waiting;   /* type of the unanswered sentence; SAY_COUNT: none */
    uint64_t said_us, beat_us, heard_us, hold_us;
    bool quiet;
    bool stored; /* as reported by the controller; the plan is read back before it counts as sent */
    bool usable, answers, has_plan, mine, run_wanted, run_taken, go_wanted, test_wanted,
        calibrate_wanted;
    bool run_said; /* RUN was sent and not refused, so the session may have begun */
    uint16_t calibrate;
    bool called, call_said, called_there; /* call of the steward: wanted, last sent, acknowledged */
    bool no_bell;                         /* the firmware does not know BEL */

    struct client_status at;
    struct client_status doubted; /* the last status, if implausible; otherwise UNHEARD */
    bool was_reset;               /* reset since the last state other than LOST */
    uint64_t at_us;               /* time of the status */
    uint32_t clock_ms, budget_ms, inputs, calibration;
    bool clock_known;
    enum sentence_word fault, reset;
    char board[16];
    unsigned resets, done;
    struct drift drift;
    char trouble[CLIENT_WORDS_MAX];
};

/* ---- reports for the record and for screens ---- */

static void record(const struct client *, const char *, ...) __attribute__((format(printf, 2, 3)));

static void record(const struct client *c, const char *format, ...)
{
    char words[CLIENT_WORDS_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    c->callbacks.happened(c->ctx, words);
}

/* Reports cuts, also those that a later state implies. */
static void tell_cuts(const struct client *c, struct client_status from, struct client_status to)
{
    unsigned end = to.segment;
    if (!controller_state_begun(from.state) || to.state == CONTROLLER_IDLE ||
        to.state == CONTROLLER_READY)
        return;
    if (to.state == CONTROLLER_CUT) /* in OVER, segment is already beyond the last */
        end++;
    if (from.state == CONTROLLER_CUT)
        from.segment++;
    for (unsigned i = from.segment; i < end; i++)
        record(c, "cut: the time of part %u is over", i + 1);
}

/* Reports a change of the controller's status for the record. */
static void tell(const struct client *c, struct client_status from, struct client_status to)
{
    unsigned part = to.segment + 1, tenths = (to.left_ms + 50) / 100;
    tell_cuts(c, from, to);
    switch (to.state) {
    case CONTROLLER_IDLE:
        if (controller_state_begun(from.state))
            record(c, c->was_reset ? "the controller was started anew and has no plan: it was "
                                     "exchanged, or its memory is damaged"
                                   : "aborted at the controller: the button was held with the key "
                                     "switch at PAUSE");
        break;
    case CONTROLLER_READY:
        record(c, "the plan is stored in the controller; it waits for the start");
        break;
    case CONTROLLER_WAIT:
        record(c, "part %u waits for the steward's word", part);
        break;
    case CONTROLLER_CONNECT:
        record(c, "%s part %u, %u.%u s left: its lines are joined, the clock stands",
               from.state == CONTROLLER_READY                               ? "started:"
               : from.state == CONTROLLER_CUT || from.segment != to.segment ? "next is"
                                                                            : "goes on with",
               part, tenths / 10, tenths % 10);
        break;
    case CONTROLLER_OPEN:
        record(c, "part %u runs, %u.%u s left", part, tenths / 10, tenths % 10);
        break;
    case CONTROLLER_CLOSING:
        record(c, "part %u: the cut is announced, %u.%u s left", part, tenths / 10, tenths % 10);
        break;
    case CONTROLLER_PAUSED:
        record(c, "pause: the key switch was turned, %u.%u s left of part %u; lines cut",
               tenths / 10, tenths % 10, part);
        break;
    case CONTROLLER_LOST:
        record(c,
               "interrupted: the controller heard no host for 3 s or was reset, %u.%u s "
               "left of part %u; lines cut",
               tenths / 10, tenths % 10, part);
        break;
    case CONTROLLER_FAULT:
        record(c, "fault: %s, %u.%u s left of part %u; lines cut until the key switch is turned",
               c->fault == SAY_STORE    ? "its memory does not keep what is written"
               : c->fault == SAY_BUDGET ? "the time for interruptions is spent"
                                        : "not told why",
               tenths / 10, tenths % 10, part);
        break;
    case CONTROLLER_OVER:
        record(c, "the plan is over");
        break;
    case CONTROLLER_CUT: /* tell_cuts() has reported it */
    case CONTROLLER_UNHEARD:
        break;
    }
}

struct client *client_create(const struct client_config *config,
                             const struct client_callbacks *callbacks, void *ctx)
{
    struct client *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->config = *config;
    c->callbacks = *callbacks;
    c->ctx = ctx;
    c->waiting = SAY_COUNT;
    c->at.state = c->doubted.state = CONTROLLER_UNHEARD;
    c->reset = SAY_COUNT;
    c->fault = SAY_NONE;
    c->calibration = WATCHDOG_CAL_BIAS;
    return c;
}

void client_destroy(struct client *client)
{
    free(client);
}

static uint16_t sum_byte(uint16_t sum, uint8_t byte)
{
    sum ^= (uint16_t)(byte << 8);
    for (unsigned i = 0; i < 8; i++)
        sum = (uint16_t)(sum & 0x8000 ? sum << 1 ^ 0x1021 : sum << 1);
    return sum;
}

static uint16_t sum_word(uint16_t sum, unsigned word)
{
    return sum_byte(sum_byte(sum, (uint8_t)word), (uint8_t)(word >> 8));
}

/* The checksum by which a plan is recognised. */
static uint16_t client_plan_sum(const struct client_plan *plan)
{
    uint16_t sum = 0xFFFF;
    sum = sum_byte(sum, (uint8_t)plan->count);
    sum = sum_byte(sum, (uint8_t)plan->connect_s);
    sum = sum_word(sum, plan->budget_s);
    for (unsigned i = 0; i < plan->count; i++) {
        sum = sum_word(sum, plan->segment[i].seconds);
        sum = sum_byte(sum, plan->segment[i].flags);
        sum = sum_word(sum, plan->segment[i].warn_s);
    }
    return sum ? sum : 1;
}

static void changed(struct client *c)
{
    c->callbacks.changed(c->ctx);
}

static void trouble(struct client *c, const char *text)
{
    if (strcmp(c->trouble, text) == 0)
        return;
    snprintf(c->trouble, sizeof c->trouble, "%s", text);
    if (*text)
        c->callbacks.happened(c->ctx, c->trouble);
    changed(c);
}

static void say(struct client *c, struct sentence_writer *w, enum sentence_word type,
                struct bl_time now)
{
    sentence_end(w);
    c->waiting = (uint8_t)type;
    c->said_us = now.mono_us;
    c->callbacks.send(c->ctx, w->text, w->length);
}

static void say_bare(struct client *c, enum sentence_word type, struct bl_time now)
{
    struct sentence_writer w;
    sentence_begin(&w, type, c->config.nonce);
    say(c, &w, type, now);
}

static void say_number(struct client *c, enum sentence_word type, uint32_t number,
                       struct bl_time now)
{
    struct sentence_writer w;
    sentence_begin(&w, type, c->config.nonce);
    sentence_put_number(&w, number);
    say(c, &w, type, now);
}

static void say_plan(struct client *c, struct bl_time now)
{
    const struct client_plan *plan = &c->config.plan;
    struct sentence_writer w;
    if (c->step == 0) {
        sentence_begin(&w, SAY_PLN, c->config.nonce);
        sentence_put_number(&w, plan->count);
        sentence_put_number(&w, plan->connect_s);
        sentence_put_number(&w, plan->budget_s);
        say(c, &w, SAY_PLN, now);
    } else if (c->step < STEP_SEGMENT + plan->count) {
        const struct client_segment *segment = &plan->segment[c->step - STEP_SEGMENT];
        sentence_begin(&w, SAY_SEG, c->config.nonce);
        sentence_put_number(&w, c->step - STEP_SEGMENT);
        sentence_put_number(&w, segment->seconds);
        sentence_put_number(&w, segment->flags);
        sentence_put_number(&w, segment->warn_s);
        say(c, &w, SAY_SEG, now);
    } else {
        say_bare(c, SAY_FIX, now);
    }
}

static void beat(struct client *c, struct bl_time now)
{
    say_bare(c, SAY_BEA, now);
    c->beat_us = now.mono_us + CLIENT_BEAT_US;
}

static void say_call(struct client *c, struct bl_time now)
{
    c->call_said = c->called;
    say_number(c, SAY_BEL, c->called, now);
}

static void say_run(struct client *c, struct bl_time now)
{
    c->run_said = c->run_said || c->run_wanted;
    say_number(c, SAY_RUN, c->at.segment, now);
}

/* Sends one sentence at a time: the controller's buffer is small. */
static void speak(struct client *c, struct bl_time now)
{
    if (!c->usable || c->quiet || now.mono_us < c->hold_us ||
        (c->waiting != SAY_COUNT && now.mono_us < c->said_us + CLIENT_ANSWER_US))
        return;
    /* RUN may have been obeyed. A second RUN would have another meaning. */
    if (c->waiting == SAY_RUN)
        c->beat_us = now.mono_us;
    c->waiting = SAY_COUNT; /* if still needed, the sentence is repeated below */
    switch (c->talk) {
    case TALK_REFUSE:
        c->talk = TALK_CLAIM;
        c->heard_us = now.mono_us; /* until now the controller was left alone */
        say_bare(c, SAY_HEL, now);
        break;
    case TALK_CLAIM:
        say_bare(c, SAY_HEL, now);
        break;
    case TALK_LOOK:
        beat(c, now);
        break;
    case TALK_PLAN:
        if (now.mono_us >= c->beat_us)
            beat(c, now);
        else
            say_plan(c, now);
        break;
    case TALK_BEAT:
        if (now.mono_us >= c->beat_us)
            beat(c, now);
        else if ((c->run_wanted && !c->run_taken) || c->go_wanted)
            say_run(c, now);
        else if (c->called != c->called_there && !c->no_bell)
            say_call(c, now);
        else if (c->calibrate_wanted)
            say_number(c, SAY_CAL, c->calibrate, now);
        else if (c->test_wanted)
            say_bare(c, SAY_TST, now);
        break;
    }
}

static void claim_again(struct client *c)
{
    c->stored = false; /* the plan may be lost, or another controller connected */
    c->talk = TALK_CLAIM;
    c->waiting = SAY_COUNT;
    c->hold_us = 0;
}

static void refuse(struct client *c, const char *text, struct bl_time now)
{
    c->talk = TALK_REFUSE;
    c->mine = false;
    c->waiting = SAY_COUNT;
    c->hold_us = now.mono_us + LOOK_US;
    trouble(c, text);
}

static void be_in_order(struct client *c)
{
    c->talk = TALK_BEAT;
    c->mine = true;
    changed(c);
}

/* Sends the plan again from its start, after a refusal or damage. */
static void send_plan_again(struct client *c, struct bl_time now)
{
    c->talk = TALK_PLAN;
    c->mine = false;
    c->step = 0;
    if (++c->refusals > REFUSALS_MAX)
        refuse(c,
               "the controller refuses the plan: see 'boothlink controller status'; it takes 1 to "
               "12 parts of together 5 s to 8 h",
               now);
}

static void send_plan(struct client *c)
{
    c->talk = TALK_PLAN;
    c->mine = false;
    c->step = 0;
    c->refusals = 0;
}

/* Decides by the controller's plan, after the first look at the controller. */
static void decide(struct client *c, bool has_plan, struct bl_time now)
{
    bool begun = controller_state_begun(c->at.state);
    bool ready = c->at.state == CONTROLLER_READY;
    bool stored = c->stored;
    c->stored = false;
    if (c->config.plan.count == 0)
        be_in_order(c);
    else if (c->config.begun && has_plan && (begun || ready || c->at.state == CONTROLLER_OVER))
        be_in_order(c);
    else if (c->config.begun)
        refuse(c,
               "the controller does not have this session's plan any more: it was aborted there or "
               "changed; begin another session (--session NAME) with the time that is left",
               now);
    else if (begun)
        refuse(c,
               "another session is in the controller: to abort it, turn the key switch to PAUSE, "
               "hold the button for 3 s, turn it back to RUN",
               now);
    else if (has_plan && ready)
        be_in_order(c);
    else if (stored)
        send_plan_again(c, now);
    else
        send_plan(c);
}

static void apply(struct client *c, struct client_status to, struct bl_time now)
{
    struct client_status from = c->at;
    c->at = to;
    c->at_us = now.mono_us;
    if (from.state != to.state || from.segment != to.segment) {
        if (c->talk != TALK_LOOK ||
            c->config.begun) /* events of another host's session are not reported */
            tell(c, from, to);
        if (to.state != CONTROLLER_LOST)
            c->was_reset = false;
        c->go_wanted = false;
        c->run_wanted = c->run_taken = false;
        if (controller_state_begun(to.state) && c->talk == TALK_BEAT)
            c->config.begun = true;
    }
    changed(c);
}

static void on_reset(struct client *c, struct bl_time now)
{
    c->clock_known = false;
    c->was_reset = true;
    memset(&c->drift, 0, sizeof c->drift);
    if (c->board[0]) { /* otherwise opening the port, or power-on, caused the reset */
        c->resets++;
        record(c, "the controller was reset");
    }
    if (c->mine && controller_state_begun(c->at.state)) /* the reset has cut the lines */
        apply(c, (struct client_status){CONTROLLER_LOST, c->at.segment, c->at.left_ms}, now);
    if (c->talk != TALK_REFUSE) {
        claim_again(c);
        speak(c, now);
    }
}

static void on_hello(struct client *c, struct sentence_reader *r, struct bl_time now)
{
    uint32_t version, sum, calibration;
    char board[sizeof c->board];
    if (c->waiting != SAY_HEL || c->talk != TALK_CLAIM || !sentence_number(r, 99999, &version))
        return;
    c->waiting = SAY_COUNT;
    if (version != WATCHDOG_VERSION) {
        char text[CLIENT_WORDS_MAX];
        snprintf(text, sizeof text,
                 "the controller speaks version %u of its sentences, this program %u: load the "
                 "firmware that belongs to it ('make flash')",
                 (unsigned)version, WATCHDOG_VERSION);
        refuse(c, text, now);
        return;
    }
    if (!sentence_name(r, board, sizeof board))
        return;
    enum sentence_word reset = sentence_word(r);
    if (!sentence_number(r, 65535, &sum) || !sentence_number(r, 65535, &calibration))
        return;
    memcpy(c->board, board, sizeof board);
    c->called_there = false;
    c->no_bell = false;
    c->reset = reset;
    c->calibration = (uint16_t)calibration;
    c->has_plan = c->config.plan.count && sum == client_plan_sum(&c->config.plan);
    c->talk = TALK_LOOK;
    if (!c->stored)
        record(c, "the controller answers: board %s, last reset %s, calibration %+ld", board,
               sentence_text(reset < SAY_COUNT ? reset : SAY_UNKNOWN),
               (long)calibration - WATCHDOG_CAL_BIAS);
}

/* True for an implausible status: time was gained, or more was lost than has passed. Checksums let
 * some damage pass. A repeated status is accepted. */
static bool is_doubtful(struct client *c, struct client_status to, struct bl_time now)
{
    struct client_status from = c->at, before = c->doubted;
    uint64_t past_us = now.mono_us - c->at_us + LEAP_US;
    if (from.state == CONTROLLER_LOST)
        past_us += CLIENT_SILENT_US; /* time that the controller counted before its clock stopped */
    uint64_t least_us = (uint64_t)to.left_ms * 1000 + past_us,
             left_us = (uint64_t)from.left_ms * 1000;
    bool gained =
        to.segment < from.segment || (to.segment == from.segment && to.left_ms > from.left_ms);
    bool lost = to.segment == from.segment ? least_us < left_us
                                           : to.segment > from.segment && past_us < left_us;
    bool again = before.state != CONTROLLER_UNHEARD && before.segment == to.segment &&
                 before.left_ms >= to.left_ms;
    bool doubted = c->talk == TALK_BEAT && (gained || lost) && !again &&
                   controller_state_begun(from.state) && controller_state_begun(to.state);
    c->doubted = to;
    if (!doubted)
        c->doubted.state = CONTROLLER_UNHEARD;
    return doubted;
}

static void on_status(struct client *c, struct sentence_reader *r, struct bl_time now)
{
    struct client_status to;
    uint32_t segment, left_ms, budget_ms, inputs, clock_ms;
    if (!controller_state_of(sentence_word(r), &to.state) || !sentence_number(r, 255, &segment) ||
        !sentence_number(r, 999999999, &left_ms) || !sentence_number(r, 999999999, &budget_ms) ||
        !sentence_number(r, 255, &inputs))
        return;
    enum sentence_word fault = sentence_word(r);
    if (!sentence_number(r, CLOCK_MODULUS - 1, &clock_ms))
        return;
    to.segment = segment;
    to.left_ms = left_ms;
    c->budget_ms = budget_ms;
    c->inputs = inputs;
    c->fault = fault;
    if (c->waiting == SAY_BEA)
        c->waiting = SAY_COUNT;
    if (c->clock_known &&
        (clock_ms + CLOCK_MODULUS - c->clock_ms) % CLOCK_MODULUS > CLOCK_STEP_MS) {
        on_reset(c, now);
        return;
    }
    c->clock_known = true;
    c->clock_ms = clock_ms;
    drift_take(&c->drift, clock_ms, CLOCK_MODULUS, now.mono_us);
    if (is_doubtful(c, to, now))
        return;
    if (c->run_taken) /* RUN was acknowledged, but the state did not change */
        c->run_wanted = c->run_taken = false;
    if (c->talk == TALK_LOOK && c->stored && c->has_plan && controller_state_begun(to.state))
        c->config.begun = true; /* begun by the box's button: note it in the record */
    if (c->talk == TALK_LOOK && c->run_said && c->has_plan && controller_state_begun(to.state))
        c->config.begun = true; /* the session began, but RUN's answer was lost with the port */
    apply(c, to, now);
    if (c->talk == TALK_LOOK)
        decide(c, c->has_plan, now);
    if (c->talk == TALK_BEAT)
        trouble(c, "");
}

static void on_event(struct client *c, struct sentence_reader *r, struct bl_time now)
{
    enum sentence_word what = sentence_word(r);
    struct client_status to;
    uint32_t segment, left_ms;
    if (!sentence_number(r, 255, &segment) || !sentence_number(r, 999999999, &left_ms))
        return;
    to.segment = segment;
    to.left_ms = left_ms;
    if (what == SAY_PAUSED)
        c->quiet = false; /* the steward is present: mended faults are checked again */
    if (what == SAY_BOOT) {
        on_reset(c, now);
    } else if (what == SAY_WARN) {
        record(c, "part %u: %u s left, the warning was given", to.segment + 1,
               (unsigned)((left_ms + 500) / 1000));
    } else if (controller_state_of(what, &to.state) &&
               (c->talk == TALK_PLAN || c->talk == TALK_BEAT) && !is_doubtful(c, to, now)) {
        bool stored = c->talk == TALK_PLAN && to.state == CONTROLLER_READY;
        apply(c, to, now);
        if (stored) { /* a checksum may miss damage: the stored plan is read back */
            claim_again(c);
            c->stored = true;
        } else if (c->waiting == SAY_FIX) {
            c->waiting = SAY_COUNT;
        }
    }
}

static void on_ack(struct client *c, struct sentence_reader *r)
{
    enum sentence_word type = sentence_word(r);
    if (type == SAY_COUNT || type != c->waiting)
        return;
    c->waiting = SAY_COUNT;
    switch (type) {
    case SAY_PLN:
    case SAY_SEG:
        if (c->talk == TALK_PLAN)
            c->step++;
        break;
    case SAY_RUN:
        c->run_taken = c->run_wanted; /* until the state changes */
        c->go_wanted = false;
        break;
    case SAY_CAL:
        c->calibrate_wanted = false;
        c->calibration = c->calibrate;
        c->done++;
        break;
    case SAY_TST:
        c->test_wanted = false;
        c->done++;
        break;
    case SAY_BEL: /* the state with which a later call is compared */
        c->called_there = c->call_said;
        break;
    default:
        break;
    }
}

static void on_refusal(struct client *c, struct sentence_reader *r, struct bl_time now)
{
    enum sentence_word type = sentence_word(r), why = sentence_word(r);
    if (why == SAY_NONCE) { /* after a reset, or a claim by another host */
        claim_again(c);
        return;
    }
    if (why == SAY_UNKNOWN && c->waiting == SAY_BEL) { /* an older firmware */
        c->waiting = SAY_COUNT;
        c->no_bell = true;
        return;
    }
    if (type != c->waiting)
        return; /* the answer was damaged; the sentence will be repeated */
    c->waiting = SAY_COUNT;
    if (type == SAY_HEL && why == SAY_BUSY) {
        c->hold_us = now.mono_us + BUSY_US;
        trouble(c, "another program has the controller: end that; it is free 3 s afterwards");
        return;
    }
    switch (type) {
    case SAY_PLN:
    case SAY_SEG:
    case SAY_FIX:
        if (c->talk == TALK_PLAN)
            send_plan_again(c, now);
        break;
    case SAY_RUN:
        if (why == SAY_KEY)
            record(c, "not started: the key switch does not stand at RUN");
        c->run_wanted = c->run_taken = c->go_wanted = c->run_said = false;
        changed(c);
        break;
    case SAY_CAL:
        c->calibrate_wanted = false;
        trouble(c, "the controller does not store the calibration while a session is in it");
        break;
    case SAY_TST:
        c->test_wanted = false;
        trouble(c, "the controller does not test its lamps while a session is in it");
        break;
    default:
        break;
    }
}

static void on_sentence(struct client *c, struct bl_time now)
{
    struct sentence_reader *r = &c->reader;
    bool ours = r->nonce == c->config.nonce;
    c->heard_us = now.mono_us;
    c->answers = true;
    switch (r->type) {
    case SAY_HEL:
        if (ours)
            on_hello(c, r, now);
        break;
    case SAY_STA:
        if (ours && c->talk != TALK_CLAIM)
            on_status(c, r, now);
        break;
    case SAY_EVT:
        on_event(c, r, now);
        break;
    case SAY_ACK:
        if (ours)
            on_ack(c, r);
        break;
    case SAY_NAK:
        on_refusal(c, r, now);
        break;
    default:
        break;
    }
}

void client_bytes(struct client *c, const char *bytes, size_t length, struct bl_time now)
{
    for (size_t i = 0; i < length; i++)
        if (sentence_feed(&c->reader, bytes[i]) == SENTENCE_READY)
            on_sentence(c, now);
    speak(c, now);
}

void client_port(struct client *c, bool usable, const char *reason, struct bl_time now)
{
    c->usable = usable;
    c->answers = false;
    c->heard_us = now.mono_us;
    memset(&c->reader, 0, sizeof c->reader);
    claim_again(c);
    if (usable)
        record(c, "the controller's port is there");
    trouble(c, usable ? "" : reason);
    speak(c, now);
    changed(c);
}

void client_tick(struct client *c, struct bl_time now)
{
    if (c->usable && !c->quiet && c->talk != TALK_REFUSE &&
        now.mono_us >= c->heard_us + CLIENT_SILENT_US) {
        c->heard_us = now.mono_us;
        c->answers = false;
        claim_again(c);
        trouble(c, "the controller does not answer: look at its cable, its power and its firmware");
    }
    speak(c, now);
}

uint64_t client_due(const struct client *c)
{
    uint64_t silent_us = c->talk != TALK_REFUSE ? c->heard_us + CLIENT_SILENT_US : BL_NEVER;
    uint64_t speak_us = c->waiting != SAY_COUNT ? c->said_us + CLIENT_ANSWER_US
                        : c->talk <= TALK_LOOK || c->talk == TALK_REFUSE ? 0
                                                                         : c->beat_us;
    if (!c->usable || c->quiet)
        return BL_NEVER;
    if (speak_us < c->hold_us)
        speak_us = c->hold_us;
    return silent_us < speak_us ? silent_us : speak_us;
}

void client_begun(struct client *c, struct bl_time now)
{
    if (c->config.begun)
        return;
    c->config.begun = true;
    if (c->talk != TALK_REFUSE)
        return;
    trouble(c, ""); /* the other session there was this one */
    claim_again(c);
    speak(c, now);
}

static bool may_start(const struct client *c)
{
    return c->talk == TALK_BEAT && !c->run_wanted &&
           (c->at.state == CONTROLLER_READY || c->at.state == CONTROLLER_WAIT);
}

enum bl_status client_start(struct client *c, struct bl_time now)
{
    if (!may_start(c))
        return BL_AGAIN;
    c->run_wanted = true;
    speak(c, now);
    return BL_OK;
}

void client_go(struct client *c, struct bl_time now)
{
    if (c->talk != TALK_BEAT || c->at.state != CONTROLLER_CONNECT || c->go_wanted)
        return;
    c->go_wanted = true;
    speak(c, now);
}

void client_be_quiet(struct client *c)
{
    c->quiet = true;
    c->waiting = SAY_COUNT;
    c->go_wanted = false;
}

void client_talk(struct client *c, struct bl_time now)
{
    if (!c->quiet)
        return;
    c->quiet = false;
    c->heard_us = now.mono_us;
    speak(c, now);
}

void client_call(struct client *c, bool called, struct bl_time now)
{
    if (c->called == called)
        return;
    c->called = called;
    speak(c, now);
}

void client_test(struct client *c, struct bl_time now)
{
    c->test_wanted = true;
    speak(c, now);
}

void client_calibrate(struct client *c, uint16_t value, struct bl_time now)
{
    c->calibrate_wanted = true;
    c->calibrate = value;
    speak(c, now);
}

void client_view(const struct client *c, struct client_view *view, struct bl_time now)
{
    uint64_t left_us = (uint64_t)c->at.left_ms * 1000, past_us = now.mono_us - c->at_us;
    bool runs = c->at.state == CONTROLLER_OPEN || c->at.state == CONTROLLER_CLOSING;
    bool lost = runs && past_us > CLIENT_SILENT_US; /* the clock has stopped, unheard */
    if (lost)
        past_us = CLIENT_SILENT_US;
    if (runs)
        left_us -= past_us < left_us ? past_us : left_us;
    *view = (struct client_view){
        .usable = c->usable,
        .answers = c->answers,
        .current = c->answers && c->talk == TALK_BEAT,
        .state = lost ? CONTROLLER_LOST : c->at.state,
        .starting = c->run_wanted,
        .may_start = may_start(c),
        .quiet = c->quiet,
        .mine = c->mine,
        .segment = c->at.segment,
        .left_us = left_us,
        .budget_us = (uint64_t)c->budget_ms * 1000,
        .inputs = c->inputs,
        .fault = c->fault,
        .refused = c->talk == TALK_REFUSE,
        .trouble = c->trouble,
        .reset = c->reset,
        .calibration = (uint16_t)c->calibration,
        .resets = c->resets,
        .done = c->done,
    };
    memcpy(view->board, c->board, sizeof view->board);
    view->drift_known = drift_tell(&c->drift, &view->drift_ppb, &view->drift_span_us);
}
