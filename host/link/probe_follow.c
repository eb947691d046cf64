/* The entity's end after the meeting: it answers. */
#include "link/probe_private.h"

#define LINGER_US 1000000u  /* after the last question, which may be repeated */
#define AWAY_US   4000000u  /* silence at a speed being tried, before the end returns to its own */
#define LOST_US   20000000u /* silence at its own speed */

static void set_due(struct probe *probe, uint64_t due_us)
{
    if (due_us < probe->due_us)
        probe->due_us = due_us;
}

static void answer(struct probe *probe)
{
    probe_send(probe, ANSWER, probe->answered, probe->answer, probe->answer_length);
}

static void take_results(struct probe *probe, struct bytes_in *in)
{
    struct probe_result got = probe->result;
    got.seen = (struct cable_seen){.known = {CABLE_OWN | CABLE_PEER, CABLE_OWN | CABLE_PEER},
                                   .box = probe->settings.self.box || got.peer.box,
                                   .box_far = true};
    for (int end = 1; end >= 0; end--)
        for (int i = 0; i < CABLE_INPUTS; i++)
            got.seen.end[end].from[i] = (uint8_t)bytes_get(in, 1);
    got.offset_us = (int64_t)(0 - bytes_get(in, 8));
    got.precise_us = (uint32_t)bytes_get(in, 4);
    for (unsigned i = 0; i < PROBE_SLOTS; i++) {
        struct probe_rate *rate = &got.rate[i];
        rate->baud = (uint32_t)bytes_get(in, 4);
        rate->answered = bytes_get(in, 1);
        rate->sent = (uint16_t)bytes_get(in, 2);
        rate->arrived = (uint16_t)bytes_get(in, 2);
        rate->returned = (uint16_t)bytes_get(in, 2);
        rate->rtt_us = (uint32_t)bytes_get(in, 4);
    }
    if (in->bad)
        return;
    probe->result = got;
    probe->done = true;
}

static void change_rate(struct probe *probe, uint32_t baud)
{
    for (unsigned i = 0; i < PROBE_RATES; i++)
        if (baud == probe_rates[i] || baud == probe->result.baud)
            probe->next_baud = baud;
}

/* Makes the answer to a question. False: an unknown question. */
static bool make_answer(struct probe *probe, struct bl_time now, uint8_t op, struct bytes_in *in,
                        struct bytes_out *out)
{
    bytes_put(out, op, 1);
    switch (op) {
    case OP_SELF:
        probe_get_self(in, &probe->result.peer, &probe->settings.quick);
        probe_put_self(probe, out);
        return true;
    case OP_LEVELS:
        bytes_put(out, probe->callbacks.inputs(probe->callbacks.ctx), 1);
        return true;
    case OP_DRIVE:
        probe->callbacks.outputs(probe->callbacks.ctx, bytes_get(in, 1) & (LEVEL_RTS | LEVEL_DTR));
        probe->answer_waits = true;
        set_due(probe, now.mono_us + SETTLE_US);
        return true;
    case OP_RATE:
        change_rate(probe, (uint32_t)bytes_get(in, 4));
        return true;
    case OP_SYNC:
        probe->pings = 0;
        return true;
    case OP_PING:
        probe->pings++;
        bytes_put(out, now.wall_us, 8);
        bytes_put(out, now.wall_us, 8);
        bytes_put_all(out, in->at, in->left < 24 ? in->left : 24);
        return true;
    case OP_COUNT:
        bytes_put(out, probe->pings, 2);
        return true;
    case OP_DONE:
        take_results(probe, in);
        return true;
    default:
        return false;
    }
}

/* Begins to answer at the first question: the ends have met. */
static void begin(struct probe *probe, const struct head *head)
{
    probe->phase = PHASE_FOLLOW;
    probe->peer = head->id;
    probe->result.heard = true;
    probe->result.baud = probe->baud;
    probe->result.peer.judge = true;
    probe->answered = (uint16_t)(head->number - 1);
    probe->callbacks.outputs(probe->callbacks.ctx, LEVEL_RTS | LEVEL_DTR);
}

void follow_ask(struct probe *probe, struct bl_time now, const struct head *head,
                struct bytes_in *in)
{
    struct bytes_out out = {.at = probe->answer, .left = sizeof probe->answer};
    uint8_t op = (uint8_t)bytes_get(in, 1);
    if (probe->phase == PHASE_CALL && op == OP_SELF)
        begin(probe, head);
    if (probe->phase != PHASE_FOLLOW || head->id != probe->peer)
        return;
    probe->heard_us = now.mono_us;
    probe->due_us = now.mono_us + (probe->done                         ? LINGER_US
                                   : probe->baud == probe->result.baud ? LOST_US
                                                                       : AWAY_US);
    if (head->number != probe->answered) {
        if (!make_answer(probe, now, op, in, &out))
            return;
        probe->answered = head->number;
        probe->answer_length = out.length;
        if (probe->done)
            probe->due_us = now.mono_us + LINGER_US;
    } else if (op == OP_DRIVE && probe->answer_waits) {
        set_due(probe, now.mono_us + SETTLE_US);
    }
    if (!probe->answer_waits)
        answer(probe);
    if (probe->next_baud)
        set_due(probe, now.mono_us + probe_wire_us(probe, 2 * probe->answer_length + 40));
}

void follow_tick(struct probe *probe, struct bl_time now)
{
    if (now.mono_us < probe->due_us)
        return;
    bool away = probe->baud != probe->result.baud;
    probe->due_us = probe->heard_us + (away ? AWAY_US : LOST_US);
    if (probe->answer_waits) {
        probe->answer_waits = false;
        probe->answer[probe->answer_length++] =
            (uint8_t)probe->callbacks.inputs(probe->callbacks.ctx);
        answer(probe);
    } else if (probe->next_baud) {
        probe_set_rate(probe, probe->next_baud);
        probe->next_baud = 0;
        probe->heard_us = now.mono_us;
        probe->due_us = now.mono_us + (probe->baud == probe->result.baud ? LOST_US : AWAY_US);
    } else if (probe->done) {
        probe_finish(probe, PROBE_MET);
    } else if (away) {
        probe_set_rate(probe, probe->result.baud);
        probe->heard_us = now.mono_us;
        probe->due_us = now.mono_us + LOST_US;
    } else {
        probe_finish(probe, PROBE_LOST);
    }
}
