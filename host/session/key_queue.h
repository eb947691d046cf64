/* A bounded queue of keys, contiguous in memory for a screen. */
#ifndef SESSION_KEY_QUEUE_H
#define SESSION_KEY_QUEUE_H

#include "base/assert.h"
#include "base/utf8.h"
#include "session/event.h"

#include <string.h>

#define KEY_QUEUE_MAX 4096

struct key_queue {
    uint32_t point[2 * KEY_QUEUE_MAX]; /* twice the room, so keys are seldom moved */
    size_t head, count;
};

static inline const uint32_t *key_queue_at(const struct key_queue *queue)
{
    return queue->point + queue->head;
}

static inline bool key_queue_push(struct key_queue *queue, uint32_t point)
{
    if (queue->count == KEY_QUEUE_MAX)
        return false;
    if (queue->head + queue->count == 2 * KEY_QUEUE_MAX) {
        memmove(queue->point, key_queue_at(queue), queue->count * sizeof queue->point[0]);
        queue->head = 0;
    }
    queue->point[queue->head + queue->count++] = point;
    return true;
}

static inline void key_queue_drop(struct key_queue *queue, size_t count)
{
    bl_assert(count <= queue->count);
    queue->head += count;
    queue->count -= count;
    if (queue->count == 0)
        queue->head = 0;
}

/* Writes keys of the queue from index `from` on as UTF-8, at most `most` keys and `room` bytes.
 * Returns the number of keys. */
static inline size_t key_queue_text(const struct key_queue *queue, size_t from, size_t most,
                                    uint8_t *text, size_t room, size_t *length)
{
    size_t keys = 0;
    *length = 0;
    while (keys < most && from + keys < queue->count && room - *length >= UTF8_MAX) {
        *length += utf8_encode(key_queue_at(queue)[from + keys], text + *length);
        keys++;
    }
    return keys;
}

#endif
