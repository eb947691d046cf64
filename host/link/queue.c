#include "link/queue.h"

#include "base/assert.h"

#include <string.h>

enum {
    PIECE = 0x80,
    PIECE_FIRST = 0x40,
    PIECE_LAST = 0x20,
    PIECE_BULK = 0x10,
    WHOLE_MAX = 0x7F,
    /* Least room for a new record: in a smaller one the prefix takes too much. */
    PIECE_LEAST = 16,
};

static uint8_t *at(struct record_queue *queue, uint32_t offset)
{
    return &queue->bytes[(queue->head + offset) % QUEUE_BYTES];
}

bool queue_put(struct record_queue *queue, const uint8_t *record, size_t length)
{
    bl_assert(length > 0 && length <= LINK_RECORD_MAX && queue->used <= QUEUE_BYTES);
    if (QUEUE_BYTES - queue->used < length + 2)
        return false;
    *at(queue, queue->used++) = (uint8_t)length;
    *at(queue, queue->used++) = (uint8_t)(length >> 8);
    for (size_t i = 0; i < length; i++)
        *at(queue, queue->used++) = record[i];
    return true;
}

bool queue_empty(const struct record_queue *queue)
{
    return queue->used == 0;
}

static uint32_t front_length(struct record_queue *queue)
{
    return *at(queue, 0) | (uint32_t)*at(queue, 1) << 8;
}

/* Moves n bytes of the first record out. True: they end the record. */
static bool take(struct record_queue *queue, uint8_t *out, size_t n)
{
    uint32_t length = front_length(queue);
    bl_assert(queue->used >= 2 + length && n <= length - queue->begun);
    for (size_t i = 0; i < n; i++)
        out[i] = *at(queue, 2 + queue->begun++);
    if (queue->begun < length)
        return false;
    queue->head = (queue->head + 2 + length) % QUEUE_BYTES;
    queue->used -= 2 + length;
    queue->begun = 0;
    return true;
}

struct payload queue_pack(struct record_queue *queue, enum link_class class, uint8_t *out,
                          size_t room, size_t fill)
{
    struct payload payload = {0};
    uint32_t first = front_length(queue);
    if (!queue->begun && queue->used == 2 + first && first <= room) {
        take(queue, out, first);
        return (struct payload){.length = first, .alone = true, .records = 1};
    }
    while (!queue_empty(queue) && room - payload.length > 2) {
        uint8_t *piece = out + payload.length;
        size_t left = room - payload.length;
        size_t n = front_length(queue) - queue->begun;
        bool begins = queue->begun == 0;
        if (payload.length && payload.length + n + 1 > fill)
            break;
        if (begins && n <= WHOLE_MAX && n + 1 <= left) {
            piece[0] = (uint8_t)n;
            take(queue, piece + 1, n);
            payload.length += n + 1;
            payload.records++;
            continue;
        }
        if (n > left - 2) {
            n = left - 2;
            if (payload.length && n < PIECE_LEAST)
                break;
        }
        bool last = take(queue, piece + 2, n);
        piece[0] = (uint8_t)(PIECE | (begins ? PIECE_FIRST : 0) | (last ? PIECE_LAST : 0) |
                             (class == LINK_BULK ? PIECE_BULK : 0) | n >> 8);
        piece[1] = (uint8_t)n;
        payload.length += n + 2;
        payload.records += last;
    }
    return payload;
}

enum bl_status joiner_take(struct record_joiner *joiner, const uint8_t *payload, size_t length,
                           bool alone,
                           enum bl_status (*hand)(void *ctx, const uint8_t *record, size_t length),
                           void *ctx)
{
    enum bl_status status = BL_OK;
    if (alone)
        return length && length <= LINK_RECORD_MAX ? hand(ctx, payload, length) : BL_DATA;
    while (length && status == BL_OK) {
        uint8_t prefix = payload[0];
        size_t head = prefix & PIECE ? 2 : 1;
        size_t n = prefix;
        if (head > length)
            return BL_DATA;
        if (head == 2)
            n = (size_t)(prefix & 0x0F) << 8 | payload[1];
        if (n == 0 || n > length - head)
            return BL_DATA;
        payload += head;
        length -= head;
        if (head == 1) {
            status = hand(ctx, payload, n);
        } else {
            unsigned class = prefix & PIECE_BULK ? LINK_BULK : LINK_EXPRESS;
            bool first = prefix & PIECE_FIRST;
            if (first == joiner->part[class].open)
                return BL_DATA;
            if (first)
                joiner->part[class].length = 0;
            if (n > LINK_RECORD_MAX - joiner->part[class].length)
                return BL_DATA;
            memcpy(joiner->part[class].bytes + joiner->part[class].length, payload, n);
            joiner->part[class].length += n;
            joiner->part[class].open = !(prefix & PIECE_LAST);
            if (prefix & PIECE_LAST)
                status = hand(ctx, joiner->part[class].bytes, joiner->part[class].length);
        }
        payload += n;
        length -= n;
    }
    return status;
}
