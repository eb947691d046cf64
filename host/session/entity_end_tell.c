/* The messages of the entity's end to the judge's end, and their order. */
#include "session/entity_end_private.h"

#include <string.h>

static bool under_way_full(struct entity_end *end)
{
    return end->callbacks.sent(end->callbacks.link) - end->callbacks.acked(end->callbacks.link) >=
           END_RECORDS_MAX;
}

/* Sends the tail of the order, which the judge's end has lost. BL_AGAIN: to be called again
 * later. */
static enum bl_status send_tail(struct entity_end *end)
{
    static const struct end_written none = {.keys = 0};
    /* A restarted order has no tail. */
    while (end->tail.cursor < end->tail_end && end->tail.cursor < end->sequence.count) {
        enum bl_status status = BL_AGAIN;
        if (!under_way_full(end))
            status = end_send_run(&end->callbacks, &end->sequence, &none, end->epoch, &end->tail);
        if (status)
            return status;
    }
    return BL_OK;
}

/* The segment's state as last told by the judge's end. Time without the judge's end does not
 * count. */
static void fill_stood(const struct entity_end *end, struct wire *wire)
{
    bool expired = end->outcome == CLOSE_PREFIX && end->closed_generation == end->generation;
    bool open = end->generation > 0 &&
                (end->segment < SEGMENT_CLOSING || (expired && end->segment == SEGMENT_CLOSED));
    wire->kind = WIRE_STOOD;
    wire->state = (uint8_t)(open ? SEGMENT_OPEN : end->segment);
    wire->index = (uint8_t)end->index;
    wire->time_us = open ? end->stood_us : end->segment == SEGMENT_WAITING ? UINT64_MAX : 0;
}

static enum bl_status tell(struct entity_end *end, enum entity_tell what)
{
    struct wire wire = {
        .epoch = end->epoch, .generation = end->generation, .n = end->sequence.count};
    switch (what) {
    case TELL_RESUME:
        wire.kind = WIRE_RESUME;
        wire.chain = sequence_chain(&end->sequence, end->sequence.count);
        memcpy(wire.session, end->session, sizeof wire.session);
        if (end->sealed <= end->sequence.count)
            wire.sealed = end->sealed;
        memcpy(wire.seal, end->seal, SEAL_SIZE);
        break;
    case TELL_DIFFERS:
        wire.kind = WIRE_DIFFERS;
        break;
    case TELL_STOOD:
        fill_stood(end, &wire);
        break;
    case TELL_TAIL:
        return send_tail(end);
    case TELL_TAIL_END:
        wire.kind = WIRE_TAIL_END;
        wire.flag = end->tail_good;
        break;
    case TELL_READY:
        wire.kind = WIRE_READY;
        break;
    case TELL_CLOSE_ACK:
        wire = end->close;
        wire.kind = WIRE_CLOSE_ACK;
        break;
    case TELL_REPAIR:
        wire.kind = WIRE_REPAIR;
        wire.flag = end->repair > 1;
        end->asked = end->asked || wire.flag;
        break;
    }
    return end_send(&end->callbacks, &wire);
}

static void send_own(struct entity_end *end)
{
    while (end->sent < end->released && !under_way_full(end)) {
        uint8_t text[WIRE_TEXT_MAX];
        struct wire wire = {.kind = WIRE_NEW_KEYS, .text = text};
        size_t keys = end->released - end->sent;
        uint64_t first = pressed_queue_at(&end->own)[end->sent].k;
        wire.length = end_written_text(&end->written, first, keys, text);
        if (wire.length == 0)
            keys = key_queue_text(&end->own.keys, end->sent, keys, text, sizeof text, &wire.length);
        if (end_send(&end->callbacks, &wire))
            return;
        end->sent += keys;
    }
}

void entity_end_tell(struct entity_end *end)
{
    if (end->sync == SYNC_DOWN)
        return;
    for (unsigned what = TELL_RESUME; what <= TELL_REPAIR; what <<= 1) {
        if (!(end->to_tell & what))
            continue;
        if (tell(end, (enum entity_tell)what))
            return;
        end->to_tell &= ~what;
    }
    if (!entity_end_may_go(end))
        return;
    if (!end->held)
        end->released = pressed_queue_count(&end->own);
    send_own(end);
}
