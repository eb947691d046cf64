#include "entity/pace.h"

#include "base/time.h"

/* A key that is late by less than LATE_MAX_US catches up. At least LATE_GAP_US lies between two
 * such keys. */
#define LATE_MAX_US 200000u
#define LATE_GAP_US (PACE_LEAST_US / 2)

/* The longest time that a key takes from its typist to this code. */
#define WAY_US 2000u

#define PAUSE_MAX_US      1000000u
#define KNOWN_GAP_US      5000u /* a smaller gap counts as unknown: the keys came at once */
#define UNKNOWN_US        60000u
#define UNKNOWN_SPREAD_US 30000u

static uint32_t draw(uint32_t interval_us, uint32_t spread_us, uint32_t random)
{
    uint64_t span = 2u * (uint64_t)spread_us + 1u;
    return interval_us - spread_us + (uint32_t)((random * span) >> 32);
}

static void draw_next(struct pace *pace, uint32_t random)
{
    const struct pace_config *config = &pace->config;
    pace->chance_us = (random & 0xFFFF) * PACE_CHANCE_US >> 16;
    pace->gap_us = config->mode == PACE_OWN ? draw(UNKNOWN_US, UNKNOWN_SPREAD_US, random)
                                            : draw(config->interval_us, config->spread_us, random);
}

void pace_start(struct pace *pace, const struct pace_config *config, uint32_t random)
{
    *pace = (struct pace){.config = *config};
    draw_next(pace, random);
}

void pace_renew(struct pace *pace)
{
    pace->live = pace->stalled = false;
    pace->placed = pace->under_way = 0;
    pace->asked_us = pace->message_k = 0;
}

static bool is_paced(const struct pace *pace)
{
    return pace->config.mode != PACE_OWN;
}

static void wait_until(struct pace *pace, uint64_t us)
{
    if (is_paced(pace) && us > pace->next_us)
        pace->next_us = us;
}

void pace_wait(struct pace *pace, uint64_t until_us)
{
    pace->waited_us = until_us;
    if (until_us > pace->next_us)
        pace->next_us = until_us;
}

void pace_line(struct pace *pace, bool live, uint64_t placed, size_t under_way, uint64_t now_us)
{
    bool moved = placed != pace->placed || pace->under_way == 0;
    /* The judge sees a key when it is placed: the gap counts from that time. */
    if (under_way == 0 && pace->under_way)
        wait_until(pace, now_us + pace->gap_us);
    if (live && !pace->live) {
        /* A terminal that draws a page is a little later than one at a console. A random time hides
         * that. */
        pace->live_us = now_us;
        pace->ready_us = now_us + PACE_READY_US + pace->chance_us;
    }
    if (live && (!pace->live || (pace->stalled && moved)))
        wait_until(pace, now_us + pace->gap_us); /* a key may have gone just before the outage */
    if (moved || !live || !pace->live)
        pace->moved_us = now_us;
    pace->stalled = under_way && now_us - pace->moved_us > PACE_STALL_US;
    pace->live = live;
    pace->placed = placed;
    pace->under_way = under_way;
}

void pace_asked(struct pace *pace, uint64_t now_us)
{
    if (pace->asked_us == 0)
        pace->asked_us = now_us;
}

bool pace_erases(const struct pace *pace, const struct pace_queue *queue)
{
    if (pace->config.mode != PACE_MESSAGE || queue->count == 0)
        return false;
    return queue->point[queue->count - 1] != KEY_RETURN &&
           queue->key[queue->count - 1].k > pace->message_k;
}

/* The time at which the first key would go on a line that always carries keys. */
static uint64_t own_time(const struct pace *pace, const struct pressed_key *first)
{
    uint64_t after_us = pace->own_us + PACE_LEAST_US;
    return first->pressed_us > after_us ? first->pressed_us : after_us;
}

/* The gap to keep between the last gone key and the queue's first key; 0: the first was pressed
 * after the last went. */
static uint64_t own_gap(const struct pace *pace, const struct pressed_key *first)
{
    if (first->pressed_us >= pace->went_us)
        return 0;
    bool waited = first->pressed_us < pace->live_us || first->pressed_us < pace->waited_us;
    if (waited && first->pressed_us < pace->pressed_us + KNOWN_GAP_US)
        return pace->gap_us;
    uint64_t gap_us = own_time(pace, first) - pace->own_us;
    return gap_us < PAUSE_MAX_US ? gap_us : PAUSE_MAX_US;
}

/* The time at which a silence after the queue's last key ends a message; now, if the key's time
 * lies in the future. */
static uint64_t silent_us(const struct pace_queue *queue, uint64_t now_us)
{
    uint64_t pressed_us = queue->key[queue->count - 1].pressed_us;
    return pressed_us > now_us ? now_us : pressed_us + PACE_SILENCE_US;
}

/* The number of keys in the queue's first message; 0: not complete. */
static size_t message_length(const struct pace_queue *queue, uint64_t now_us)
{
    for (size_t i = 0; i < queue->count; i++)
        if (queue->point[i] == KEY_RETURN)
            return i + 1;
    return silent_us(queue, now_us) <= now_us ? queue->count : 0;
}

static uint64_t message_due(const struct pace *pace, const struct pace_queue *queue,
                            uint64_t now_us)
{
    uint64_t due_us = pace->next_us;
    if (queue->key[0].k <= pace->message_k)
        return due_us;
    if (message_length(queue, now_us) == 0)
        return silent_us(queue, now_us);
    if (pace->asked_us && pace->asked_us + pace->config.after_us > due_us)
        due_us = pace->asked_us + pace->config.after_us;
    return due_us;
}

/* The time at which the queue's first key may go if no rule of the pace delays it. */
static uint64_t free_due(const struct pace *pace, const struct pace_queue *queue, uint64_t now_us)
{
    uint64_t pressed_us = queue->key[0].pressed_us;
    return (pressed_us < now_us ? pressed_us : now_us) + pace->config.hold_us;
}

/* The time at which the queue's first key is, or was, due. */
static uint64_t first_due(const struct pace *pace, const struct pace_queue *queue, uint64_t now_us)
{
    uint64_t due_us = free_due(pace, queue, now_us);
    if (pace->config.mode == PACE_MESSAGE) {
        uint64_t message_us = message_due(pace, queue, now_us);
        due_us = due_us > message_us ? due_us : message_us;
    } else if (pace->begun && (!is_paced(pace) || queue->key[0].pressed_us < pace->live_us)) {
        uint64_t after_us = pace->was_due_us + own_gap(pace, &queue->key[0]);
        due_us = due_us > after_us ? due_us : after_us;
    }
    if (pace->next_us > due_us)
        due_us = pace->next_us;
    if (pace->ready_us > due_us)
        due_us = pace->ready_us;
    return due_us;
}

uint64_t pace_due(const struct pace *pace, const struct pace_queue *queue, uint64_t now_us)
{
    if (!pace->live || queue->count == 0 || pace->stalled || (is_paced(pace) && pace->under_way))
        return BL_NEVER;
    uint64_t due_us = first_due(pace, queue, now_us);
    if (pace->begun && pace->went_us + LATE_GAP_US > due_us)
        due_us = pace->went_us + LATE_GAP_US;
    return due_us > now_us ? due_us : now_us;
}

void pace_went(struct pace *pace, const struct pace_queue *queue, uint64_t now_us, uint32_t random)
{
    uint64_t due_us = first_due(pace, queue, now_us);
    if (pace->config.mode == PACE_MESSAGE && queue->key[0].k > pace->message_k) {
        size_t length = message_length(queue, now_us);
        pace->message_k = queue->key[length ? length - 1 : 0].k;
        pace->asked_us = 0;
    }
    pace->own_us = pace->begun ? own_time(pace, &queue->key[0]) : queue->key[0].pressed_us;
    pace->begun = true;
    pace->went_us = now_us;
    pace->pressed_us = queue->key[0].pressed_us;
    draw_next(pace, random);
    wait_until(pace, now_us + pace->gap_us);
    /* A terminal that was busy for a moment catches up, since its load must stay hidden. After a
     * key without delay the gap counts from the time at which the key went: otherwise the key's way
     * from a keyboard or a folder would be missing in the next gap. */
    uint64_t late_us = due_us < now_us ? now_us - due_us : 0;
    bool came = due_us == free_due(pace, queue, now_us) && late_us < WAY_US;
    pace->was_due_us = came || late_us >= LATE_MAX_US ? now_us : due_us;
    if (!is_paced(pace))
        pace->next_us = pace->was_due_us + PACE_LEAST_US;
}
