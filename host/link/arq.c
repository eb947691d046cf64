/* Records within one connection: selective acknowledgement, loss found by the order of
 * transmission, and the timer of RFC 6298. */
#include "link/core_private.h"

#include "base/assert.h"

#include <stdio.h>
#include <string.h>

#define RTO_SLACK_US 10000u  /* more than the time of three frames, for two loops and two kernels */
#define RTO_FIRST_US 200000u /* added while no round trip is measured */
/* Waiting keys travel in several short frames instead of one long frame. A long frame is lost more
 * often, and its loss is then found by the timer only. */
#define EXPRESS_FILL 48
#define RTO_CAP_US   1000000u /* the longest timeout: a person waits */

static uint32_t rto_floor_us(const struct link_core *core)
{
    return 3 * core_frame_us(core) + RTO_SLACK_US;
}

static uint32_t rto_bounded_us(const struct link_core *core, uint64_t rto_us)
{
    if (rto_us < rto_floor_us(core))
        rto_us = rto_floor_us(core);
    return rto_us > RTO_CAP_US ? RTO_CAP_US : (uint32_t)rto_us;
}

void arq_begin(struct link_core *core, uint64_t now_us)
{
    core->arq = (struct arq){
        .room = core->arq.room,
        .bulk = core->arq.bulk,
        .timer_us = now_us,
        .rto_us = rto_bounded_us(core, rto_floor_us(core) + RTO_FIRST_US),
        .ack_due = true, /* our frame proves to the other end that we are in this connection */
    };
    for (unsigned class = 0; class < 2; class ++) {
        core->queue[class].head = core->queue[class].used = core->queue[class].begun = 0;
        core->joiner.part[class].open = false;
    }
    core->sent = core->acked = 0;
    core->room_wanted = core->progress_due = false;
}

static struct arq_out *slot_out(struct arq *arq, uint32_t number)
{
    return &arq->out[number % ARQ_WINDOW];
}

static uint8_t *payload_out(struct link_core *core, uint32_t number)
{
    return core->payloads_out + (size_t)(number % ARQ_WINDOW) * core->arq.room;
}

static uint8_t *payload_in(struct link_core *core, uint32_t number)
{
    return core->payloads_in + (size_t)(number % ARQ_WINDOW) * FRAME_MAX;
}

static void set_out(struct arq *arq, struct arq_out *slot, enum slot_state state)
{
    arq->flying -= slot->state == SLOT_FLYING;
    arq->lost -= slot->state == SLOT_LOST;
    slot->state = (uint8_t)state;
    arq->flying += state == SLOT_FLYING;
    arq->lost += state == SLOT_LOST;
    bl_assert(arq->flying + arq->lost <= arq->next - arq->base);
}

/* Updates the round trip's estimate: RFC 6298, section 2. */
static void measure(struct link_core *core, uint64_t rtt_us)
{
    struct arq *arq = &core->arq;
    uint32_t rtt = rtt_us > RTO_CAP_US ? RTO_CAP_US : (uint32_t)rtt_us + 1;
    if (arq->srtt_us == 0) {
        arq->srtt_us = rtt;
        arq->rttvar_us = rtt / 2;
    } else {
        uint32_t off = rtt > arq->srtt_us ? rtt - arq->srtt_us : arq->srtt_us - rtt;
        arq->rttvar_us = (3 * arq->rttvar_us + off) / 4;
        arq->srtt_us = (7 * arq->srtt_us + rtt) / 8;
    }
    arq->rto_us = rto_bounded_us(core, arq->srtt_us + 4 * (uint64_t)arq->rttvar_us);
}

struct news {
    bool any;
    bool timed; /* only a frame sent once gives a round trip (Karn) */
    uint64_t timed_order;
    uint64_t rtt_us;
};

static void note_arrival(struct arq *arq, const struct arq_out *slot, uint64_t now_us,
                         struct news *news)
{
    news->any = true;
    if (slot->order > arq->order_known)
        arq->order_known = slot->order;
    if (!slot->resent && (!news->timed || slot->order > news->timed_order)) {
        news->timed = true;
        news->timed_order = slot->order;
        news->rtt_us = now_us - slot->sent_us;
    }
}

static void take_ack(struct link_core *core, uint64_t now_us, uint8_t ack, const uint8_t *bitmap,
                     size_t bitmap_length)
{
    struct arq *arq = &core->arq;
    struct news news = {0};
    uint8_t advance = (uint8_t)(ack - (uint8_t)arq->base);
    if (advance > arq->next - arq->base)
        return;
    for (; advance; advance--, arq->base++) {
        struct arq_out *slot = slot_out(arq, arq->base);
        if (slot->state != SLOT_HELD)
            note_arrival(arq, slot, now_us, &news);
        set_out(arq, slot, SLOT_FREE);
        core->acked += slot->express;
        core->progress_due = true;
    }
    for (uint32_t i = 0; i < bitmap_length * 8; i++) {
        uint32_t number = arq->base + 1 + i;
        if (number - arq->base >= arq->next - arq->base)
            break;
        struct arq_out *slot = slot_out(arq, number);
        if (bitmap[i / 8] >> i % 8 & 1 && slot->state != SLOT_HELD) {
            note_arrival(arq, slot, now_us, &news);
            set_out(arq, slot, SLOT_HELD);
        }
    }
    if (!news.any)
        return;
    if (news.timed)
        measure(core, news.rtt_us);
    arq->backoff = 0;
    arq->timer_us = now_us;
    for (uint32_t number = arq->base; arq->flying && number != arq->next; number++) {
        struct arq_out *slot = slot_out(arq, number);
        if (slot->state == SLOT_FLYING && slot->order + core->wire.reorder < arq->order_known)
            set_out(arq, slot, SLOT_LOST);
    }
}

static enum bl_status hand_over(void *ctx, const uint8_t *record, size_t length)
{
    struct link_core *core = ctx;
    enum bl_status status = core->callbacks.record(core->ctx, record, length);
    core->stats.records_in++;
    return core->closed ? BL_DOWN : status;
}

/* Hands over a frame's records. False: the connection has ended. */
static bool deliver(struct link_core *core, uint64_t now_us, const uint8_t *payload, size_t length,
                    bool alone)
{
    char text[LINK_REASON_MAX];
    enum bl_status status = joiner_take(&core->joiner, payload, length, alone, hand_over, core);
    if (core->closed)
        return false;
    if (status == BL_OK) {
        core->arq.expected++;
        return true;
    }
    core->refusal.due = true;
    core->refusal.ack = (uint8_t)core->arq.expected;
    core->refusal.seed = core->connection.seed_out;
    core->refusal.why = status == BL_OTHER_VERSION             ? BYE_VERSION
                        : status == BL_FULL || status == BL_IO ? BYE_FULL
                                                               : BYE_REFUSED;
    snprintf(text, sizeof text, "this end could not take what came: %s", bl_status_text(status));
    connect_refuse(core, now_us, text);
    return false;
}

void arq_answer(struct link_core *core, uint64_t now_us)
{
    struct arq *arq = &core->arq;
    if (arq->ack_due)
        return;
    arq->ack_due = true;
    if (core->wire.answer_us)
        arq->ack_us = now_us + core->random_u32(core->ctx) % core->wire.answer_us;
}

static void take_data(struct link_core *core, uint64_t now_us, uint8_t number8,
                      const uint8_t *payload, size_t length, bool alone)
{
    struct arq *arq = &core->arq;
    uint8_t ahead = (uint8_t)(number8 - (uint8_t)arq->expected);
    uint32_t number = arq->expected + ahead;
    struct arq_in *slot = &arq->in[number % ARQ_WINDOW];
    arq_answer(core, now_us);
    if (ahead >= ARQ_WINDOW || slot->held) {
        core->stats.doubled++;
        return;
    }
    if (ahead) {
        memcpy(payload_in(core, number), payload, length);
        *slot = (struct arq_in){.length = (uint16_t)length, .alone = alone, .held = true};
        arq->held++;
        return;
    }
    while (deliver(core, now_us, payload, length, alone)) {
        slot = &arq->in[arq->expected % ARQ_WINDOW];
        if (!slot->held)
            return;
        bl_assert(arq->held > 0);
        slot->held = false;
        arq->held--;
        payload = payload_in(core, arq->expected);
        length = slot->length;
        alone = slot->alone;
    }
}

static const char *bye_text(uint8_t why)
{
    switch (why) {
    case BYE_VERSION:
        return "the other terminal is of another version of boothlink: install the same on both";
    case BYE_FULL:
        return "the other terminal cannot record what this one sends: look at its disk";
    default:
        return "the other terminal refused what this one sent: its screen says why";
    }
}

bool arq_frame(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length)
{
    uint8_t type = frame[0] & TYPE_MASK;
    uint8_t flags = (uint8_t)(frame[0] & ~TYPE_MASK);
    size_t at = type == TYPE_DATA ? DATA_HEAD : 2;
    const uint8_t *bitmap = NULL;
    size_t bitmap_length = 0;
    if (length < at || flags & ~(FLAG_BITMAP | FLAG_PIECES))
        return false;
    if (flags & FLAG_BITMAP) {
        if (length == at || frame[at] > length - at - 1 || frame[at] > ARQ_WINDOW / 8)
            return false;
        bitmap_length = frame[at];
        bitmap = frame + at + 1;
        at += 1 + bitmap_length;
    }
    if (type == TYPE_BYE && length == at + 1) {
        connect_refuse(core, now_us, bye_text(frame[at]));
        return true;
    }
    if ((type == TYPE_DATA) != (length > at))
        return false;
    switch (type) {
    case TYPE_DATA:
        take_ack(core, now_us, frame[1], bitmap, bitmap_length);
        take_data(core, now_us, frame[2], frame + at, length - at, !(flags & FLAG_PIECES));
        return true;
    case TYPE_ACK:
        take_ack(core, now_us, frame[1], bitmap, bitmap_length);
        return true;
    case TYPE_BYE:
        take_ack(core, now_us, frame[1], NULL,
                 0); /* a BYE may be the only frame that acknowledges the last record */
        connect_drop(core, now_us, "the other terminal was closed");
        return true;
    default:
        return false;
    }
}

static uint64_t oldest_flying_us(const struct arq *arq)
{
    uint64_t oldest = UINT64_MAX;
    for (uint32_t number = arq->base; number != arq->next; number++) {
        const struct arq_out *slot = &arq->out[number % ARQ_WINDOW];
        if (slot->state == SLOT_FLYING && slot->sent_us < oldest)
            oldest = slot->sent_us;
    }
    return oldest;
}

static uint64_t resend_deadline(const struct link_core *core)
{
    const struct arq *arq = &core->arq;
    uint64_t from, wait;
    if (!arq->flying)
        return UINT64_MAX;
    from = oldest_flying_us(arq);
    wait = (uint64_t)arq->rto_us << (arq->backoff < 8 ? arq->backoff : 8);
    return (from > arq->timer_us ? from : arq->timer_us) + (wait > RTO_CAP_US ? RTO_CAP_US : wait);
}

uint64_t arq_deadline(const struct link_core *core)
{
    uint64_t deadline = resend_deadline(core);
    return core->arq.ack_us && core->arq.ack_us < deadline ? core->arq.ack_us : deadline;
}

void arq_tick(struct link_core *core, uint64_t now_us)
{
    struct arq *arq = &core->arq;
    if (now_us >= arq->ack_us)
        arq->ack_us = 0;
    if (now_us < resend_deadline(core))
        return;
    /* Takes every frame that has been under way for rto_us as lost. While nothing comes back, one
     * frame at a time is sent again, as a test. */
    for (uint32_t number = arq->base; number != arq->next; number++) {
        struct arq_out *slot = slot_out(arq, number);
        if (slot->state == SLOT_FLYING && slot->sent_us + arq->rto_us <= now_us)
            set_out(arq, slot, SLOT_LOST);
    }
    arq->timer_us = now_us;
    arq->backoff++;
    arq->probe = true;
}

/* Writes the bitmap of held frames after its length. Returns the bytes; 0: no frame is held. */
static size_t write_bitmap(const struct arq *arq, uint8_t out[1 + ARQ_WINDOW / 8])
{
    size_t length = 0;
    if (!arq->held)
        return 0;
    memset(out, 0, 1 + ARQ_WINDOW / 8);
    for (uint32_t i = 0; i + 1 < ARQ_WINDOW; i++) {
        if (arq->in[(arq->expected + 1 + i) % ARQ_WINDOW].held) {
            out[1 + i / 8] |= (uint8_t)(1u << i % 8);
            length = i / 8 + 1;
        }
    }
    out[0] = (uint8_t)length;
    return length ? 1 + length : 0;
}

static void answered(struct arq *arq)
{
    arq->ack_due = false;
    arq->ack_us = 0;
}

static size_t write_data(struct link_core *core, uint64_t now_us, uint32_t number,
                         const uint8_t *bitmap, size_t bitmap_length, uint8_t *out)
{
    struct arq *arq = &core->arq;
    struct arq_out *slot = slot_out(arq, number);
    size_t n = DATA_HEAD;
    out[0] = (uint8_t)(TYPE_DATA | (slot->alone ? 0 : FLAG_PIECES));
    out[1] = (uint8_t)arq->expected;
    out[2] = (uint8_t)number;
    if (bitmap_length) {
        out[0] |= FLAG_BITMAP;
        memcpy(out + n, bitmap, bitmap_length);
        n += bitmap_length;
    }
    bl_assert(slot->length > 0 && n + slot->length <= FRAME_MAX - 4);
    memcpy(out + n, payload_out(core, number), slot->length);
    n += slot->length;
    slot->sent_us = now_us;
    slot->order = ++arq->order;
    set_out(arq, slot, SLOT_FLYING);
    answered(arq);
    return core_seal(out, n, core->connection.seed_out);
}

static size_t write_ack(struct link_core *core, const uint8_t *bitmap, size_t bitmap_length,
                        uint8_t *out)
{
    out[0] = (uint8_t)(TYPE_ACK | (bitmap_length ? FLAG_BITMAP : 0));
    out[1] = (uint8_t)core->arq.expected;
    if (bitmap_length)
        memcpy(out + 2, bitmap, bitmap_length);
    answered(&core->arq);
    return core_seal(out, 2 + bitmap_length, core->connection.seed_out);
}

/* Fills the next slot from a queue. False: nothing is waiting, or no more frames may be under
 * way. */
static bool fill_slot(struct link_core *core, size_t room)
{
    struct arq *arq = &core->arq;
    uint32_t under_way = arq->next - arq->base;
    enum link_class class = LINK_EXPRESS;
    struct payload payload;
    if (queue_empty(&core->queue[LINK_EXPRESS]))
        class = LINK_BULK;
    if (queue_empty(&core->queue[class]) ||
        under_way >= (class == LINK_BULK ? ARQ_BULK_WINDOW : ARQ_WINDOW))
        return false;
    if (class == LINK_BULK && room > arq->bulk)
        room = arq->bulk;
    payload = queue_pack(&core->queue[class], class, payload_out(core, arq->next), room,
                         class == LINK_EXPRESS ? EXPRESS_FILL : room);
    *slot_out(arq, arq->next) = (struct arq_out){
        .length = (uint16_t)payload.length,
        .express = class == LINK_EXPRESS ? (uint16_t)payload.records : 0,
        .alone = payload.alone,
    };
    bl_assert(payload.length > 0 && payload.length <= room);
    arq->next++;
    if (core->room_wanted) {
        core->room_wanted = false;
        core->progress_due = true;
    }
    return true;
}

size_t arq_output(struct link_core *core, uint64_t now_us, uint8_t *out)
{
    struct arq *arq = &core->arq;
    uint8_t bitmap[1 + ARQ_WINDOW / 8];
    size_t bitmap_length = arq->ack_due ? write_bitmap(arq, bitmap) : 0;
    if (arq->lost && (arq->backoff == 0 || arq->probe)) {
        uint32_t number = arq->base;
        for (; slot_out(arq, number)->state != SLOT_LOST; number++)
            bl_assert(number != arq->next);
        /* A frame that was packed before a bitmap was due may have no room for the bitmap. */
        if (slot_out(arq, number)->length + bitmap_length > arq->room)
            return write_ack(core, bitmap, bitmap_length, out);
        slot_out(arq, number)->resent = true;
        core->stats.resent++;
        arq->probe = false;
        return write_data(core, now_us, number, bitmap, bitmap_length, out);
    }
    if (fill_slot(core, arq->room - bitmap_length))
        return write_data(core, now_us, arq->next - 1, bitmap, bitmap_length, out);
    bool answers = arq->ack_due && now_us >= arq->ack_us;
    return answers ? write_ack(core, bitmap, bitmap_length, out) : 0;
}

size_t arq_last(struct link_core *core, uint8_t *out)
{
    return write_ack(core, NULL, 0, out);
}
