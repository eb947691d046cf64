#include "link/probe_private.h"

#include "link/core.h"

#include <stdlib.h>

#define HOLD_US      120000u
#define SCAN_US      2000000u /* the time at one speed: longer than between two calls or hellos */
#define SCAN_GARBAGE 64u      /* bytes after which other speeds are tried */

enum {
    ECHOES = 3, /* equal observations that count as one */
    HELLOS = 2,
    DEAF_CALLS = 36, /* in this time an end that hears nothing sees MOVES of ours */
    ALIKE_CALLS = 2,
    MOVES = 12,
    /* In this time an end that hears us hears DEAF_CALLS calls, with some losses. */
    MOVED_HOLDS = 4 * MOVES,
    CERTAIN_HOLDS = DEAF_CALLS + MOVED_HOLDS,
};

const uint32_t probe_rates[PROBE_RATES] = {9600,   19200,  38400,  57600,
                                           115200, 230400, 460800, 921600};

uint64_t probe_wire_us(const struct probe *probe, size_t bytes)
{
    return bytes * 10000000u / probe->baud;
}

static uint64_t hold_us(const struct probe *probe)
{
    return HOLD_US + 2 * probe_wire_us(probe, 64);
}

void probe_send(struct probe *probe, uint8_t type, uint16_t number, const uint8_t *body,
                size_t length)
{
    uint8_t frame[PROBE_BODY + FRAME_CRC];
    uint8_t wire[FRAME_STUFFED(sizeof frame)];
    struct bytes_out out = {.at = frame, .left = PROBE_BODY};
    bytes_put(&out, type, 1);
    bytes_put(&out, probe->settings.self.judge, 1);
    bytes_put(&out, probe->settings.id, 4);
    bytes_put(&out, probe->peer, 4);
    bytes_put(&out, number, 2);
    bytes_put_all(&out, body, length);
    probe->callbacks.send(probe->callbacks.ctx, wire,
                          frame_stuff(frame, frame_seal(frame, out.length, PROBE_SEED), wire));
}

bool probe_set_rate(struct probe *probe, uint32_t baud)
{
    if (!probe->callbacks.rate(probe->callbacks.ctx, baud))
        return false;
    probe->baud = baud;
    return true;
}

void probe_put_self(const struct probe *probe, struct bytes_out *out)
{
    const struct probe_self *self = &probe->settings.self;
    bytes_put(out,
              (self->has_secret ? 1u : 0u) | (probe->settings.quick ? 2u : 0u) |
                  (self->box ? 4u : 0u),
              1);
    bytes_put(out, self->baud, 4);
    bytes_put_all(out, self->fingerprint, sizeof self->fingerprint);
    bytes_put_all(out, self->version, PROBE_VERSION);
    bytes_put(out, (uint8_t)self->cable, 1);
}

void probe_get_self(struct bytes_in *in, struct probe_self *self, bool *quick)
{
    struct probe_self got = {.judge = self->judge};
    uint8_t flags = (uint8_t)bytes_get(in, 1);
    got.has_secret = flags & 1;
    got.baud = (uint32_t)bytes_get(in, 4);
    for (size_t i = 0; i < sizeof got.fingerprint; i++)
        got.fingerprint[i] = (uint8_t)bytes_get(in, 1);
    for (size_t i = 0; i < PROBE_VERSION; i++) {
        char c = (char)bytes_get(in, 1);
        got.version[i] = c == 0 || (c > ' ' && c < 127) ? c : '?';
    }
    if (in->bad)
        return;
    got.box = flags & 4;
    if (in->left > 0) { /* older versions end here */
        char cable = (char)bytes_get(in, 1);
        got.cable = cable == 'a' || cable == 'b' ? cable : 0;
    }
    *self = got;
    if (flags & 2)
        *quick = true;
}

/* Finds the outputs of this end that its inputs follow. Levels count if they were equal in the last
 * cycles, since the other end also switches outputs. */
static void learn_own(struct probe *probe)
{
    struct cable_seen *seen = &probe->result.seen;
    uint8_t same[4], steady = 0xF, high = 0xF;
    for (unsigned setting = 0; setting < 4; setting++) {
        same[setting] = probe->inputs[0][setting];
        for (unsigned cycle = 1; cycle < CYCLES; cycle++)
            steady &= (uint8_t) ~(probe->inputs[cycle][setting] ^ same[setting]);
        high &= same[setting];
    }
    for (unsigned setting = 0; setting < 4; setting++)
        same[setting] &= steady;
    probe->result.high = high & steady;
    cable_follow(&seen->end[0], same, CABLE_OWN_RTS, CABLE_OWN_DTR);
    seen->known[0] |= CABLE_OWN;
}

static void call(struct probe *probe)
{
    uint8_t body[PROBE_BODY];
    struct bytes_out out = {.at = body, .left = sizeof body};
    bytes_put(&out, probe->setting, 1);
    probe_put_self(probe, &out);
    probe_send(probe, CALL, (uint16_t)probe->holds, body, out.length);
}

void probe_finish(struct probe *probe, enum probe_outcome outcome)
{
    struct cable_seen *seen = &probe->result.seen;
    if (outcome != PROBE_MET && probe->holds >= CYCLES * 4)
        learn_own(probe);
    seen->moving = outcome == PROBE_MUTE || outcome == PROBE_DEAF;
    seen->box = probe->settings.self.box || probe->result.peer.box;
    if (outcome == PROBE_ECHO)
        seen->end[0].from[CABLE_RX] = CABLE_OWN_TX;
    if (outcome == PROBE_MUTE)
        seen->known[0] |= CABLE_PEER_TX;
    if (outcome == PROBE_DEAF) {
        seen->end[0].from[CABLE_RX] = CABLE_PEER_TX;
        seen->known[0] |= CABLE_PEER_TX;
        seen->known[1] |= CABLE_PEER_TX;
    }
    /* The other end also needs ALIKE_CALLS calls to find that both roles are the same. */
    for (unsigned i = 0; outcome == PROBE_SAME_SIDE && i < ALIKE_CALLS; i++)
        call(probe);
    probe->result.outcome = outcome;
    probe->phase = PHASE_OVER;
    probe->due_us = BL_NEVER;
    probe->callbacks.outputs(probe->callbacks.ctx, LEVEL_RTS | LEVEL_DTR);
}

/* Tries the next speed in the list. The entity's end keeps its speed, so that the two can meet. */
static void scan(struct probe *probe, uint64_t now_us)
{
    if (!probe->settings.self.judge || probe->result.heard)
        return;
    if (probe->scan == 0 && probe->strange < SCAN_GARBAGE)
        return;
    if (probe->scan && now_us < probe->scan_us)
        return;
    probe->scan_us = now_us + SCAN_US;
    probe->strange = 0;
    /* From the fastest down: the default is fast, old settings are slow. */
    for (bool set = false; !set;) {
        unsigned place = probe->scan++ % (PROBE_RATES + 1);
        set = place == PROBE_RATES || probe_set_rate(probe, probe_rates[PROBE_RATES - 1 - place]);
        if (place == PROBE_RATES)
            probe_set_rate(probe, probe->settings.self.baud);
    }
    frame_abandon(&probe->reader);
}

/* The time until which the other end is called. After a sign of the other end the time is extended
 * until the sign's meaning is certain. An end that starts within the last second is thus not taken
 * for a bad cable. */
static uint64_t until_us(const struct probe *probe)
{
    uint64_t us = probe->began_us + probe->settings.wait_us;
    uint64_t sure_us = probe->sign_us + CERTAIN_HOLDS * (SETTLE_US + hold_us(probe));
    return probe->sign_us && sure_us > us ? sure_us : us;
}

/* The outcome of calls without a meeting, at the end of the time. */
static enum probe_outcome outcome_of_waiting(const struct probe *probe)
{
    if (probe->result.garbage >= SCAN_GARBAGE)
        return PROBE_GARBAGE;
    if (probe->alike)
        return PROBE_SAME_SIDE;
    if (probe->result.heard) /* the other end may have ended once it was heard */
        return probe->deaf >= DEAF_CALLS / 2 ? PROBE_DEAF : PROBE_LOST;
    return probe->moves >= MOVES ? PROBE_MUTE : PROBE_SILENCE;
}

/* Finishes if more calls cannot make the ends meet. */
static void judge(struct probe *probe, uint64_t now_us)
{
    bool cycled = probe->holds >= CYCLES * 4;
    if (!probe->sign_us && (probe->moves || probe->result.heard))
        probe->sign_us = now_us;
    probe->result.called_us = now_us - probe->began_us;
    if (probe->hellos >= HELLOS)
        probe_finish(probe, PROBE_LINK);
    else if (probe->alike >= ALIKE_CALLS && cycled)
        probe_finish(probe, PROBE_SAME_SIDE);
    else if (probe->echoes >= ECHOES && cycled)
        probe_finish(probe, PROBE_ECHO);
    else if (probe->deaf >= DEAF_CALLS && cycled)
        probe_finish(probe, PROBE_DEAF);
    else if (probe->moved_holds >= MOVED_HOLDS && cycled && !probe->result.heard &&
             !probe->result.garbage && !probe->echoes)
        probe_finish(probe, PROBE_MUTE);
    else if (now_us >= until_us(probe) && cycled)
        probe_finish(probe, outcome_of_waiting(probe));
}

/* Draws the next setting of the outputs. A cycle goes through all settings in a random order. With
 * a fixed order, two ends that began together would take each other's outputs for their own. */
static unsigned draw_setting(struct probe *probe)
{
    unsigned count = 4 - probe->holds % 4, nth;
    if (count == 4)
        probe->settings_left = 0xF;
    probe->dice ^= probe->dice << 13; /* xorshift32, Marsaglia 2003 */
    probe->dice ^= probe->dice >> 17;
    probe->dice ^= probe->dice << 5;
    nth = probe->dice % count;
    for (unsigned setting = 0;; setting++)
        if (probe->settings_left & 1u << setting && nth-- == 0) {
            probe->settings_left &= ~(1u << setting);
            return setting;
        }
}

static void note_inputs(struct probe *probe, uint8_t levels)
{
    unsigned cycle = probe->holds / 4 % CYCLES, before = (cycle + CYCLES - 1) % CYCLES;
    uint8_t moved = (uint8_t)(levels ^ probe->level);
    if (probe->holds % 4 == 0)
        probe->wobble[cycle] = 0;
    probe->wobble[cycle] |= moved;
    if (probe->holds >= 4)
        moved |= levels ^ probe->inputs[before][probe->setting];
    probe->inputs[cycle][probe->setting] = levels;
    probe->result.seen.moved |= moved;
    probe->signal |= levels;
    probe->moves += moved != 0;
    probe->moved_holds += probe->moves >= MOVES;
    probe->holds++;
}

static void next_hold(struct probe *probe, uint64_t now_us)
{
    if (probe->called) {
        note_inputs(probe, (uint8_t)probe->callbacks.inputs(probe->callbacks.ctx));
        judge(probe, now_us);
        if (probe->phase != PHASE_CALL)
            return;
        scan(probe, now_us);
    }
    probe->setting = draw_setting(probe);
    probe->callbacks.outputs(probe->callbacks.ctx, probe->setting);
    probe->called = false;
    probe->due_us = now_us + SETTLE_US;
}

static void call_tick(struct probe *probe, uint64_t now_us)
{
    if (!probe->began_us) {
        probe->began_us = now_us;
        probe_set_rate(probe, probe->settings.self.baud);
        next_hold(probe, now_us);
    } else if (!probe->called) {
        probe->level = probe->callbacks.inputs(probe->callbacks.ctx);
        probe->called = true;
        call(probe);
        probe->due_us = now_us + hold_us(probe);
    } else {
        next_hold(probe, now_us);
    }
}

static void take_call(struct probe *probe, struct bl_time now, const struct head *head,
                      struct bytes_in *in)
{
    struct probe_result *result = &probe->result;
    bytes_get(in, 1);
    result->peer.judge = head->role;
    probe_get_self(in, &result->peer, &probe->settings.quick);
    if (in->bad)
        return;
    if (head->id != probe->peer)
        probe->deaf = 0;
    probe->peer = head->id;
    result->heard = true;
    result->baud = probe->baud;
    if (head->role == probe->settings.self.judge) {
        probe->alike++;
    } else if (head->peer != probe->settings.id) {
        probe->deaf++;
    } else if (probe->settings.self.judge) {
        talk_begin(probe, now);
    }
}

static void take_frame(struct probe *probe, struct bl_time now)
{
    struct frame_reader *reader = &probe->reader;
    struct bytes_in in = {.at = reader->frame,
                          .left = frame_open(reader->frame, reader->length, PROBE_SEED)};
    struct head head = {0};
    if (in.left == 0) {
        if (!link_core_is_hello(reader->frame, reader->length))
            return;
        probe->hellos++;
        probe->strange = probe->result.garbage = 0;
        return;
    }
    head.type = (uint8_t)bytes_get(&in, 1);
    head.role = (uint8_t)bytes_get(&in, 1);
    head.id = (uint32_t)bytes_get(&in, 4);
    head.peer = (uint32_t)bytes_get(&in, 4);
    head.number = (uint16_t)bytes_get(&in, 2);
    if (in.bad || head.id == 0 || head.role > 1)
        return;
    probe->strange = probe->result.garbage = 0;
    if (head.id == probe->settings.id) {
        probe->echoes++;
        return;
    }
    if (probe->phase == PHASE_CALL && head.type == CALL)
        take_call(probe, now, &head, &in);
    if (head.peer != probe->settings.id)
        return;
    if (head.type == ASK && !probe->settings.self.judge && head.role)
        follow_ask(probe, now, &head, &in);
    else if (head.type == ANSWER && probe->phase == PHASE_TALK && head.id == probe->peer)
        talk_answer(probe, now, &head, &in);
}

void probe_hear(struct probe *probe, struct bl_time now, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length && probe->phase != PHASE_OVER; i++) {
        probe->strange++;
        probe->result.garbage++;
        if (frame_feed(&probe->reader, bytes[i]) == FRAME_WHOLE)
            take_frame(probe, now);
    }
}

void probe_tick(struct probe *probe, struct bl_time now)
{
    switch (probe->phase) {
    case PHASE_CALL:
        if (now.mono_us >= probe->due_us)
            call_tick(probe, now.mono_us);
        break;
    case PHASE_TALK:
        talk_tick(probe, now);
        break;
    case PHASE_FOLLOW:
        follow_tick(probe, now);
        break;
    case PHASE_OVER:
        break;
    }
}

void probe_stop(struct probe *probe)
{
    probe->settings.wait_us = 0;
}

uint64_t probe_deadline(const struct probe *probe)
{
    return probe->due_us;
}

const struct probe_result *probe_result(const struct probe *probe)
{
    return &probe->result;
}

uint32_t probe_trying(const struct probe *probe)
{
    return probe->phase == PHASE_CALL ? 0 : probe->baud;
}

bool probe_has_signal(const struct probe *probe)
{
    return probe->signal != 0;
}

uint64_t probe_left_us(const struct probe *probe, uint64_t now_us)
{
    uint64_t us = probe->began_us ? until_us(probe) : now_us + probe->settings.wait_us;
    return us > now_us ? us - now_us : 0;
}

struct probe *probe_create(const struct probe_settings *settings,
                           const struct probe_callbacks *callbacks)
{
    struct probe *probe = calloc(1, sizeof *probe);
    if (!probe)
        return NULL;
    probe->settings = *settings;
    probe->result.seen.box = settings->self.box;
    probe->result.seen.box_far = !settings->self.judge;
    probe->callbacks = *callbacks;
    probe->baud = settings->self.baud;
    probe->dice = settings->id;
    return probe;
}

void probe_destroy(struct probe *probe)
{
    free(probe);
}
