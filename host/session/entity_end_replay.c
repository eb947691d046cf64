/* Restores the entity's end from its own journal. */
#include "session/entity_end_private.h"

#include <string.h>

static void replay_pressed(struct entity_end *end, const struct journal_record *record)
{
    const struct key_run *run = &record->as.pressed.run;
    if (record->as.pressed.first <= end->pressed)
        return; /* own_placed() has counted this key already */
    for (size_t i = 0; i < run->count; i++) {
        struct pressed_key key = {.k = ++end->pressed,
                                  .pressed_us = record->wall_us,
                                  .generation = record->as.pressed.segment};
        if (record->wall_us)
            pressed_queue_push(&end->own, run->point[i], &key);
    }
}

static void replay_unplaced(struct entity_end *end, uint64_t first, uint64_t last)
{
    const struct pressed_key *key = pressed_queue_at(&end->own);
    size_t from = 0, count = 0;
    while (from < pressed_queue_count(&end->own) && key[from].k < first)
        from++;
    while (from + count < pressed_queue_count(&end->own) && key[from + count].k <= last)
        count++;
    pressed_queue_remove(&end->own, from, count);
    end->unplaced += count;
}

/* Reckons the segment's time left: it ran at least until the latest record. */
static void replay_stood(struct entity_end *end, const struct journal_record *record)
{
    if (record->kind == JOURNAL_SEGMENT) {
        end->stood_left_us = record->as.segment.remaining_us;
        end->stood_wall_us = record->wall_us;
    }
    uint64_t ran_us =
        record->wall_us > end->stood_wall_us ? record->wall_us - end->stood_wall_us : 0;
    if (end->segment != SEGMENT_OPEN && record->kind != JOURNAL_SEGMENT)
        return;
    if (end->stood_left_us == UINT64_MAX)
        end->stood_us = UINT64_MAX;
    else
        end->stood_us = ran_us < end->stood_left_us ? end->stood_left_us - ran_us : 0;
}

void entity_end_resume(struct entity_end *end, struct bl_time now)
{
    END_CHANGES(end);
    end->returned_us = now.mono_us; /* the time of the latest Return is not known by this clock */
    bool paused = end->segment == SEGMENT_WAITING && end->generation > 0;
    if ((end->segment == SEGMENT_OPEN || paused) && end->stood_us != UINT64_MAX)
        end->cut_us = now.mono_us + end->stood_us;
    end->now = now;
    entity_end_expect(end);
}

void entity_end_replay(struct entity_end *end, const struct journal_record *record)
{
    END_CHANGES(end);
    end->replaying = true;
    replay_stood(end, record);
    switch (record->kind) {
    case JOURNAL_KEYS:
        if (record->as.keys.first != end->sequence.count + 1)
            break; /* keys before this record are damaged: the judge's end sends all keys again */
        end_apply(&end->sequence, end->page, record->as.keys.party, &record->as.keys.run,
                  record->wall_us, entity_end_on_key, end);
        end->epoch = record->as.keys.epoch;
        break;
    case JOURNAL_PRESSED:
        replay_pressed(end, record);
        break;
    case JOURNAL_UNPLACED:
        replay_unplaced(end, record->as.unplaced.first, record->as.unplaced.last);
        break;
    case JOURNAL_EPOCH:
        end->epoch = record->as.epoch.epoch;
        entity_end_restart_order(end, record->as.epoch.base);
        break;
    case JOURNAL_SEGMENT:
        end->generation = record->as.segment.generation;
        end->segment = record->as.segment.state;
        entity_end_mark_over(end, record->wall_us);
        if (end->segment == SEGMENT_WAITING || end->segment == SEGMENT_OPEN)
            entity_end_go_on(end, end->generation);
        end->index = record->as.segment.index;
        break;
    case JOURNAL_CLOSE:
        end->outcome = record->as.close.outcome;
        end->closed_generation = record->as.close.generation;
        end->closed_n = record->as.close.n;
        break;
    case JOURNAL_SEAL:
        end->sealed = record->as.seal.epoch == end->epoch ? record->as.seal.n : 0;
        memcpy(end->seal, record->as.seal.seal, SEAL_SIZE);
        break;
    case JOURNAL_NOTE:
        end->steward_here = end_steward_after(record, end->steward_here);
        break;
    case JOURNAL_HEADER:
    case JOURNAL_DELIVERED:
    case JOURNAL_START:
        break;
    }
    end->replaying = false;
}
