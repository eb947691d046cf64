/* A spare machine at the judge's end of a line. The first machine failed during the session, with
 * its record. On an attendant's word the record is taken from the other end. These keys are proven
 * only by the line's secret and the other end's word, as the record says: the secret of the seals
 * is lost with the failed machine. Keys that the other end had not received are lost, at most
 * END_UNCONFIRMED_MAX. Source: DESIGN.md, "Session". */
#include "session/judge_end_private.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

bool judge_end_may_take(const struct judge_end *end)
{
    return (end->fresh || end->takes_over) && !end->synced_once && end->sequence.count == 0;
}

const char *judge_end_take_ask(const struct judge_end *end, const struct wire *wire)
{
    bool begun = wire->n > 0 || (end->last != UINT_MAX && wire->generation > 0);
    return begun && judge_end_may_take(end)
               ? "the session has begun, and this machine has no record of it; a spare machine "
                 "can take it over"
               : NULL;
}

void judge_end_take_over(struct judge_end *end, struct bl_time now)
{
    END_CHANGES(end);
    if (!judge_end_may_take(end))
        return;
    if (!end->takes_over)
        end_note(&end->callbacks, end->ctx, end->config.side, NOTE_TAKEN, 0,
                 "this machine takes the place of one that failed: the attendant says so",
                 now.wall_us);
    end->takes_over = end->lost = true;
    end->differs_why = "";
    end_changed(&end->callbacks);
    if (end->sync != SYNC_DIFFERS)
        return;
    end->sync = SYNC_ASKING; /* the other end will answer a new offer */
    end->to_tell &= ~(unsigned)TELL_DIFFERS;
    end->to_tell |= TELL_OFFER;
    judge_end_tell(end, now);
}

const char *judge_end_take_begin(struct judge_end *end, const struct wire *wire, struct bl_time now)
{
    if (wire->n > SEQUENCE_MAX)
        return "the other end has more keys than a record holds";
    if (wire->epoch > end->epoch) {
        struct journal_record record = {.kind = JOURNAL_EPOCH,
                                        .side = end->config.side,
                                        .wall_us = now.wall_us,
                                        .as.epoch = {.epoch = wire->epoch}};
        if (end_keep(&end->callbacks, end->ctx, &record))
            return "the record cannot be written";
        end->epoch = wire->epoch;
    }
    end->stood = (struct wire){.kind = WIRE_TAKE};
    judge_end_tail_begin(end, wire, now);
    end->to_tell |= TELL_TAKE;
    judge_end_tell(end, now);
    return NULL;
}

enum bl_status judge_end_take_stood(struct judge_end *end, const struct wire *wire)
{
    if (!end->takes_over || !end->fetching)
        return BL_DATA;
    end->stood = *wire;
    return BL_OK;
}

/* The segment goes on at the failed machine's time. If the segment was over, its CLOSE begins. A
 * segment that a controller has opened here meanwhile is the same or a later one. */
static void take_segment(struct judge_end *end, struct bl_time now)
{
    bool open = end->segment == SEGMENT_OPEN || end->segment == SEGMENT_CLOSING;
    end->placed_before = end->sequence.by[PARTY_ENTITY];
    end->generation = end->stood.generation;
    if (open) {
        end->generation += end->generation == 0 || end->index != end->stood.index;
        return;
    }
    end->segment = (enum segment_state)end->stood.state;
    end->index = end->part = end->stood.index;
    if (end->segment == SEGMENT_OPEN && end->stood.time_us != UINT64_MAX)
        end->cut_us = now.mono_us + end->stood.time_us;
    judge_end_keep_segment(end, end->stood.time_us, now);
    if (end->segment < SEGMENT_CLOSING)
        return;
    judge_end_begin_close(end);
    end->was_cut = true;
}

const char *judge_end_take_end(struct judge_end *end, struct bl_time now)
{
    uint64_t by[PARTIES], n = end->tail.n;
    char text[NOTE_MAX];
    if (end->stood.kind != WIRE_STOOD)
        return "the other end does not say where the session stood";
    judge_end_tail_count(end, 1, n, by);
    int length = snprintf(
        text, sizeof text,
        "taken over from the other end: %" PRIu64 " key%s, %" PRIu64 " of the judge and %" PRIu64
        " of the entity; lost are what the other end had not heard, at most the "
        "judge's last %u keys",
        n, BL_S(n), by[PARTY_JUDGE], by[PARTY_ENTITY], (unsigned)END_UNCONFIRMED_MAX);
    uint64_t last_us = n ? end->sequence.event[n - 1].posted_us : 0;
    if (last_us > now.wall_us)
        snprintf(text + length, sizeof text - (size_t)length, "; its clock was %" PRIu64 " s ahead",
                 (last_us - now.wall_us) / 1000000 + 1);
    end_note(&end->callbacks, end->ctx, end->config.side, NOTE_TAKEN, (uint32_t)n, text,
             now.wall_us);
    if (!judge_end_tail_place(end, n))
        return "the record is full";
    take_segment(end, now);
    end->fetched[PARTY_JUDGE] += by[PARTY_JUDGE];
    end->fetched[PARTY_ENTITY] += by[PARTY_ENTITY];
    end->takes_over = false;
    end->taken++;
    return NULL;
}
