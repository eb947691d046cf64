/* The judge's end after the meeting: asks one question after the other, and repeats each until its
 * answer. */
#include "link/probe_private.h"

#define AGAIN_US    100000u
#define PATIENCE_US 12000000u /* longer than the other end needs to return to its own speed */
#define SYNC_US     2000000u
#define SWITCH_US   60000u /* time for the other end to change its speed */

enum step { SELF, LEVELS, DRIVE, RATE, SYNC, PING, COUNT, BACK, DONE };

enum { PINGS_LEAST = 8, PINGS_MOST = 64, PINGS_BAUD = 2000, PING_FILL = 40 };

static struct probe_rate *slot_of(struct probe *probe)
{
    return &probe->result.rate[probe->slot];
}

/* Finds the next speed to try. False: none. */
static bool next_slot(struct probe *probe)
{
    while (!probe->settings.quick && probe->slot + 1 < PROBE_SLOTS) {
        uint32_t baud = probe_rates[probe->slot++];
        if (baud != probe->result.baud) {
            *slot_of(probe) = (struct probe_rate){.baud = baud};
            return true;
        }
    }
    return false;
}

/* Pseudo-random contents, different in each test frame. */
static void put_fill(struct probe *probe, struct bytes_out *out)
{
    uint32_t x = probe->settings.id ^ ((uint32_t)probe->number * 2654435761u);
    for (unsigned i = 0; i < PING_FILL; i++) {
        x ^= x << 13; /* xorshift32, Marsaglia 2003 */
        x ^= x >> 17;
        x ^= x << 5;
        bytes_put(out, x & 0xFF, 1);
    }
}

static void put_results(struct probe *probe, struct bytes_out *out)
{
    const struct probe_result *result = &probe->result;
    for (int end = 0; end < 2; end++)
        bytes_put_all(out, result->seen.end[end].from, CABLE_INPUTS);
    bytes_put(out, (uint64_t)result->offset_us, 8);
    bytes_put(out, result->precise_us, 4);
    for (unsigned i = 0; i < PROBE_SLOTS; i++) {
        const struct probe_rate *rate = &result->rate[i];
        bytes_put(out, rate->baud, 4);
        bytes_put(out, rate->answered, 1);
        bytes_put(out, rate->sent, 2);
        bytes_put(out, rate->arrived, 2);
        bytes_put(out, rate->returned, 2);
        bytes_put(out, rate->rtt_us, 4);
    }
}

static void put_question(struct probe *probe, struct bytes_out *out)
{
    switch ((enum step)probe->step) {
    case SELF:
        bytes_put(out, OP_SELF, 1);
        probe_put_self(probe, out);
        return;
    case LEVELS:
        bytes_put(out, OP_LEVELS, 1);
        return;
    case DRIVE:
        bytes_put(out, OP_DRIVE, 1);
        bytes_put(out, probe->place, 1);
        return;
    case RATE:
        bytes_put(out, OP_RATE, 1);
        bytes_put(out, slot_of(probe)->baud, 4);
        return;
    case SYNC:
        bytes_put(out, OP_SYNC, 1);
        return;
    case PING:
        bytes_put(out, OP_PING, 1);
        put_fill(probe, out);
        return;
    case COUNT:
        bytes_put(out, OP_COUNT, 1);
        return;
    case BACK:
        bytes_put(out, OP_RATE, 1);
        bytes_put(out, probe->result.baud, 4);
        return;
    case DONE:
        bytes_put(out, OP_DONE, 1);
        put_results(probe, out);
        return;
    }
}

static void ask(struct probe *probe, struct bl_time now, enum step step, unsigned place,
                uint64_t wait_us)
{
    struct bytes_out out = {.at = probe->question, .left = sizeof probe->question};
    uint64_t patience_us = step == SYNC && probe->slot ? SYNC_US : PATIENCE_US;
    probe->step = step;
    probe->place = place;
    probe->number++;
    probe->asked = false;
    put_question(probe, &out);
    probe->question_length = out.length;
    probe->until_us = now.mono_us + wait_us + patience_us;
    probe->due_us = now.mono_us + wait_us;
    if (wait_us == 0)
        talk_tick(probe, now);
}

static void ask_levels(struct probe *probe, struct bl_time now, unsigned setting)
{
    probe->callbacks.outputs(probe->callbacks.ctx, setting);
    ask(probe, now, LEVELS, setting, SETTLE_US);
}

void talk_begin(struct probe *probe, struct bl_time now)
{
    probe->phase = PHASE_TALK;
    probe->result.rate[0] = (struct probe_rate){.baud = probe->baud};
    probe->callbacks.outputs(probe->callbacks.ctx, LEVEL_RTS | LEVEL_DTR);
    ask(probe, now, SELF, 0, 0);
}

static void ping(struct probe *probe, struct bl_time now, unsigned place)
{
    unsigned count = probe->baud / PINGS_BAUD;
    if (count < PINGS_LEAST)
        count = PINGS_LEAST;
    if (count > PINGS_MOST)
        count = PINGS_MOST;
    if (place == count) {
        ask(probe, now, COUNT, 0, 0);
        return;
    }
    slot_of(probe)->sent++;
    probe->ping_us = now.mono_us;
    probe->ping_wall_us = now.wall_us;
    ask(probe, now, PING, place, 0);
}

/* Goes to the next speed, or to the end. The other end returns to its own speed by itself. */
static void next_rate(struct probe *probe, struct bl_time now)
{
    probe_set_rate(probe, probe->result.baud);
    if (next_slot(probe))
        ask(probe, now, RATE, 0, SWITCH_US);
    else
        ask(probe, now, DONE, 0, SWITCH_US);
}

static void give_up(struct probe *probe, struct bl_time now)
{
    switch ((enum step)probe->step) {
    case SYNC:
    case COUNT:
        if (probe->slot == 0)
            break;
        slot_of(probe)->answered = false;
        next_rate(probe, now);
        return;
    case BACK:
        next_rate(probe, now);
        return;
    case DONE: /* the judge's end has all results; the other end may have them */
        probe_finish(probe, PROBE_MET);
        return;
    case PING:
        ping(probe, now, probe->place + 1);
        return;
    case SELF:
    case LEVELS:
    case DRIVE:
    case RATE:
        break;
    }
    probe_finish(probe, PROBE_LOST);
}

void talk_tick(struct probe *probe, struct bl_time now)
{
    if (now.mono_us < probe->due_us)
        return;
    /* A test frame is sent once, since lost frames are counted. */
    if (now.mono_us >= probe->until_us || (probe->asked && probe->step == PING)) {
        give_up(probe, now);
        return;
    }
    probe->asked = true;
    probe_send(probe, ASK, probe->number, probe->question, probe->question_length);
    probe->due_us = now.mono_us + AGAIN_US + probe_wire_us(probe, 2 * PROBE_BODY);
}

/* The offset of RFC 5905 (section 8), from the fastest round trip. */
static void take_times(struct probe *probe, struct bl_time now, struct bytes_in *in)
{
    struct probe_rate *rate = slot_of(probe);
    uint64_t there_in = bytes_get(in, 8), there_out = bytes_get(in, 8);
    uint64_t rtt_us = now.mono_us - probe->ping_us;
    if (in->bad || (rate->rtt_us && rtt_us >= rate->rtt_us))
        return;
    rate->rtt_us = (uint32_t)rtt_us;
    if (probe->result.precise_us && rtt_us / 2 >= probe->result.precise_us)
        return;
    probe->result.precise_us = (uint32_t)(rtt_us / 2 + 1);
    /* Halved before the sum: the other end may send any number. */
    probe->result.offset_us =
        (int64_t)(there_in - probe->ping_wall_us) / 2 + (int64_t)(there_out - now.wall_us) / 2;
}

static void learn_cable(struct probe *probe)
{
    struct cable_seen *seen = &probe->result.seen;
    *seen = (struct cable_seen){.known = {CABLE_OWN | CABLE_PEER, CABLE_OWN | CABLE_PEER},
                                .box = probe->settings.self.box || probe->result.peer.box};
    seen->end[0].from[CABLE_RX] = seen->end[1].from[CABLE_RX] = CABLE_PEER_TX;
    cable_follow(&seen->end[0], probe->near, CABLE_OWN_RTS, CABLE_OWN_DTR);
    cable_follow(&seen->end[1], probe->far, CABLE_PEER_RTS, CABLE_PEER_DTR);
    cable_follow(&seen->end[0], probe->own_near, CABLE_PEER_RTS, CABLE_PEER_DTR);
    cable_follow(&seen->end[1], probe->own_far, CABLE_OWN_RTS, CABLE_OWN_DTR);
}

static void answer_levels(struct probe *probe, struct bl_time now, uint8_t far)
{
    probe->near[probe->place] = (uint8_t)probe->callbacks.inputs(probe->callbacks.ctx);
    probe->far[probe->place] = far;
    if (probe->place < 3) {
        ask_levels(probe, now, probe->place + 1);
    } else {
        probe->callbacks.outputs(probe->callbacks.ctx, LEVEL_RTS | LEVEL_DTR);
        ask(probe, now, DRIVE, 0, SETTLE_US);
    }
}

static void answer_drive(struct probe *probe, struct bl_time now, uint8_t far)
{
    probe->own_near[probe->place] = (uint8_t)probe->callbacks.inputs(probe->callbacks.ctx);
    probe->own_far[probe->place] = far;
    if (probe->place < 3) {
        ask(probe, now, DRIVE, probe->place + 1, 0);
    } else {
        learn_cable(probe);
        ask(probe, now, SYNC, 0, 0);
    }
}

void talk_answer(struct probe *probe, struct bl_time now, const struct head *head,
                 struct bytes_in *in)
{
    bool quick = false;
    uint8_t op = (uint8_t)bytes_get(in, 1);
    if (op == OP_PING && (probe->step == PING || probe->step == COUNT) &&
        (uint16_t)(probe->number - head->number) <= PINGS_MOST)
        slot_of(probe)->returned++; /* a late answer counts, too */
    if (head->number != probe->number || in->bad)
        return;
    switch ((enum step)probe->step) {
    case SELF:
        probe_get_self(in, &probe->result.peer, &quick);
        probe->settings.quick |= quick;
        ask_levels(probe, now, 0);
        return;
    case LEVELS:
        answer_levels(probe, now, (uint8_t)bytes_get(in, 1));
        return;
    case DRIVE:
        answer_drive(probe, now, (uint8_t)bytes_get(in, 1));
        return;
    case RATE:
        probe_set_rate(probe, slot_of(probe)->baud);
        ask(probe, now, SYNC, 0, SWITCH_US);
        return;
    case SYNC:
        slot_of(probe)->answered = true;
        ping(probe, now, 0);
        return;
    case PING:
        take_times(probe, now, in);
        ping(probe, now, probe->place + 1);
        return;
    case COUNT:
        slot_of(probe)->arrived = (uint16_t)bytes_get(in, 2);
        if (probe->slot)
            ask(probe, now, BACK, 0, 0);
        else
            next_rate(probe, now);
        return;
    case BACK:
        next_rate(probe, now);
        return;
    case DONE:
        probe_finish(probe, PROBE_MET);
        return;
    }
}
