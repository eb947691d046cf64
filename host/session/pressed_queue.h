/* The keys of an entity's end without a place, in the order in which they were pressed. Bounded;
 * the code points are contiguous, for a screen. */
#ifndef SESSION_PRESSED_QUEUE_H
#define SESSION_PRESSED_QUEUE_H

#include "base/assert.h"
#include "session/key_queue.h"

struct pressed_queue {
    struct key_queue keys;
    struct pressed_key key[2 * KEY_QUEUE_MAX]; /* key[i] belongs to keys.point[i] */
};

static inline size_t pressed_queue_count(const struct pressed_queue *queue)
{
    return queue->keys.count;
}

static inline const struct pressed_key *pressed_queue_at(const struct pressed_queue *queue)
{
    return queue->key + queue->keys.head;
}

static inline bool pressed_queue_push(struct pressed_queue *queue, uint32_t point,
                                      const struct pressed_key *key)
{
    size_t head = queue->keys.head;
    if (!key_queue_push(&queue->keys, point))
        return false;
    if (queue->keys.head != head)
        memmove(queue->key, queue->key + head, (queue->keys.count - 1) * sizeof queue->key[0]);
    queue->key[queue->keys.head + queue->keys.count - 1] = *key;
    return true;
}

static inline void pressed_queue_drop(struct pressed_queue *queue, size_t count)
{
    key_queue_drop(&queue->keys, count);
}

/* Moves keys of later generations to this generation, whose segment goes on after it seemed to end.
 * Generations never fall along the queue. */
static inline void pressed_queue_lower(struct pressed_queue *queue, uint32_t generation)
{
    for (size_t i = 0; i < queue->keys.count; i++)
        if (queue->key[queue->keys.head + i].generation > generation)
            queue->key[queue->keys.head + i].generation = generation;
}

/* Removes `count` keys from index `from` on. */
static inline void pressed_queue_remove(struct pressed_queue *queue, size_t from, size_t count)
{
    bl_assert(from <= queue->keys.count && count <= queue->keys.count - from);
    size_t at = queue->keys.head + from, left = queue->keys.count - from - count;
    memmove(queue->keys.point + at, queue->keys.point + at + count,
            left * sizeof queue->keys.point[0]);
    memmove(queue->key + at, queue->key + at + count, left * sizeof queue->key[0]);
    queue->keys.count -= count;
}

#endif
