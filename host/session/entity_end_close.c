/* Segments at the entity's end. Source: DESIGN.md, "End of a segment". */
#include "session/entity_end_private.h"

#include <string.h>

#define CUT_HEARD_US 1500000 /* time after a cut in which records sent before it may still arrive */
#define ALONE_US     60000000u
#define OTHERS_US    (UINT64_C(3600) * 1000000)

static void keep_close(struct entity_end *end, uint32_t generation, const uint8_t *digest,
                       enum close_outcome outcome)
{
    struct journal_record record = {.kind = JOURNAL_CLOSE,
                                    .wall_us = end->now.wall_us,
                                    .as.close = {.generation = generation,
                                                 .n = end->sequence.count,
                                                 .placed = end->sequence.by[PARTY_ENTITY],
                                                 .outcome = outcome}};
    memcpy(record.as.close.digest, digest, DIGEST_SIZE);
    end->outcome = outcome;
    end->closed_generation = generation;
    end->closed_n = end->sequence.count;
    entity_end_keep(end, &record);
}

enum bl_status entity_end_on_close(struct entity_end *end, const struct wire *wire)
{
    if (end->sync != SYNC_LIVE || wire->n != end->sequence.count)
        return BL_DATA;
    bool repeated = end->close.kind == WIRE_CLOSE && wire->generation == end->close.generation &&
                    wire->n == end->close.n && wire->generation == end->closed_generation &&
                    memcmp(wire->digest, end->close.digest, DIGEST_SIZE) == 0;
    if (!repeated && !entity_end_page_equals(end, wire->digest))
        return BL_OK;
    /* A CLOSE of an earlier segment only gets its answer again. */
    bool late = wire->generation < end->closed_generation;
    if (!late && (wire->generation != end->closed_generation || wire->n != end->closed_n ||
                  end->outcome == CLOSE_PREFIX)) {
        bool settled = wire->generation == end->closed_generation;
        if (end->enforced && end->segment == SEGMENT_CLOSED &&
            wire->generation == end->generation) {
            end->segment = SEGMENT_CLOSING; /* our clock was fast: the cut is still to come */
            entity_end_mark_over(end, end->now.wall_us);
        }
        entity_end_drop(end, wire->generation);
        keep_close(end, wire->generation, wire->digest, settled ? CLOSE_SETTLED : CLOSE_AGREED);
    }
    if (wire->generation == end->generation && end->segment == SEGMENT_OPEN)
        end->segment = SEGMENT_CLOSING;
    end->close = *wire;
    end->to_tell |= TELL_CLOSE_ACK;
    entity_end_changed(end);
    return BL_OK;
}

void entity_end_mark_over(struct entity_end *end, uint64_t wall_us)
{
    if (end->segment < SEGMENT_CLOSED && end->generation &&
        end->over_generation == end->generation) {
        end->over_generation = 0; /* it was a pause, and the segment goes on */
        pressed_queue_lower(&end->own, end->generation);
    }
    if (end->segment < SEGMENT_CLOSED || end->over_generation == end->generation)
        return;
    end->over_generation = end->generation;
    end->over_us = wall_us;
}

/* Records the segment. The caller has already recorded the keys without a place. */
static void keep_segment(struct entity_end *end, uint64_t remaining_us)
{
    entity_end_mark_over(end, end->now.wall_us);
    struct journal_record record = {.kind = JOURNAL_SEGMENT,
                                    .wall_us = end->now.wall_us,
                                    .as.segment = {.generation = end->generation,
                                                   .index = (uint8_t)end->index,
                                                   .state = end->segment,
                                                   .remaining_us = remaining_us}};
    entity_end_keep(end, &record);
}

static bool is_unbegun(const struct entity_end *end)
{
    return end->segment == SEGMENT_WAITING && end->generation == 0 && end->session[0];
}

/* The length of the wait for the judge's end. The wait is long on a line that a controller cuts,
 * where nothing is heard during the other line's parts. */
static uint64_t away_us(const struct entity_end *end)
{
    return end->enforced && !end->last && end->generation ? OTHERS_US : ALONE_US;
}

void entity_end_expect(struct entity_end *end)
{
    if (end->segment != SEGMENT_CLOSED && !is_unbegun(end))
        return;
    end->alone = false;
    end->alone_us = end->now.mono_us + away_us(end);
}

static void be_cut(struct entity_end *end)
{
    end->last = end->last || end->segment == SEGMENT_FINISHED;
    end->segment = end->last ? SEGMENT_FINISHED : SEGMENT_CLOSED;
    entity_end_expect(end);
    if (end->closed_generation == end->generation)
        entity_end_drop(end, entity_end_is_over(end) ? UINT32_MAX : end->generation);
    keep_segment(end, 0);
    entity_end_note(end, NOTE_CONTROLLER, 0,
                    end->last ? "the controller cuts the line: the time is over, the last part ends"
                              : "the controller cuts the line: the time of this part is over");
    entity_end_changed(end);
}

void entity_end_go_on(struct entity_end *end, uint32_t generation)
{
    if (end->outcome == CLOSE_PREFIX && end->closed_generation == generation) {
        end->outcome = CLOSE_NONE;
        end->closed_generation = 0;
    }
}

/* True if our clock was fast: the last part counts as cut here, but the judge's end still announces
 * its end or its cut. */
static bool was_fast(const struct entity_end *end, const struct wire *wire)
{
    return end->enforced && end->segment == SEGMENT_FINISHED &&
           (wire->state == SEGMENT_CLOSING || wire->state == SEGMENT_CLOSED) &&
           wire->generation == end->generation && end->closed_generation == end->generation;
}

void entity_end_on_segment(struct entity_end *end, const struct wire *wire)
{
    if (was_fast(end, wire))
        return;
    bool new_one = wire->generation != end->generation || wire->state != end->segment;
    bool was_open = end->segment == SEGMENT_OPEN || end->segment == SEGMENT_CLOSING;
    end->generation = wire->generation;
    entity_end_drop_before(end, end->generation);
    end->segment = (enum segment_state)wire->state;
    end->index = wire->index;
    end->count = wire->count;
    end->cut_us = wire->time_us == UINT64_MAX ? BL_NEVER : end->now.mono_us + wire->time_us;
    end->told = true;
    end->enforced = wire->flag & WIRE_SEGMENT_ENFORCED;
    end->last = wire->flag & WIRE_SEGMENT_LAST;
    end->heard_plan = true;
    end->alone = false;
    end->alone_us = BL_NEVER;
    if (end->segment == SEGMENT_WAITING || end->segment == SEGMENT_OPEN)
        entity_end_go_on(end, end->generation);
    bool over = end->sync == SYNC_LIVE && end->generation && end->segment >= SEGMENT_CLOSED;
    if (over)
        entity_end_drop(end, end->generation);
    if (end->sync == SYNC_LIVE && entity_end_is_over(end))
        entity_end_drop(end, UINT32_MAX); /* pressed before the end knew */
    if (end->enforced && was_open && end->segment >= SEGMENT_CLOSED)
        be_cut(end);
    else if (new_one)
        keep_segment(end, wire->time_us);
    if (over && end->closed_generation != end->generation) {
        /* The announced end means that our CLOSE was answered. A power failure has lost the record
         * of the answer. */
        uint8_t digest[DIGEST_SIZE];
        page_digest(end->page, digest);
        keep_close(end, end->generation, digest, CLOSE_SETTLED);
    }
    entity_end_changed(end);
}

static void expire(struct entity_end *end)
{
    uint8_t digest[DIGEST_SIZE];
    page_digest(end->page, digest);
    end->segment = SEGMENT_CLOSED;
    entity_end_expect(end);
    keep_segment(end, 0);
    keep_close(end, end->generation, digest, CLOSE_PREFIX);
    if (end->enforced)
        entity_end_note(end, NOTE_CONTROLLER, 0,
                        "the line was cut, and its part had not ended before");
    entity_end_changed(end);
}

/* The CLOSE was answered and the segment's time is over, but the judge's end does not confirm the
 * cut. Ends the segment. */
static void be_over(struct entity_end *end)
{
    end->segment = SEGMENT_CLOSED;
    entity_end_expect(end);
    entity_end_drop(end, end->generation);
    keep_segment(end, 0);
    entity_end_changed(end);
}

static bool is_paused(const struct entity_end *end)
{
    return end->segment == SEGMENT_WAITING && end->generation > 0;
}

/* Between parts: the end of the wait for the judge's end. In a part: the cut, by the last told
 * time. After a controller's unannounced cut a CLOSE may still come until the connection's loss is
 * noticed. */
uint64_t entity_end_cut_due(const struct entity_end *end)
{
    if (is_unbegun(end))
        return end->sync == SYNC_DOWN && !end->alone ? end->alone_us : BL_NEVER;
    if (is_paused(end))
        return end->sync == SYNC_DOWN && !end->alone && end->cut_us != BL_NEVER
                   ? end->cut_us + away_us(end)
                   : BL_NEVER;
    if (end->segment == SEGMENT_CLOSED)
        return end->sync == SYNC_DOWN && !end->alone ? end->alone_us : BL_NEVER;
    if (end->cut_us == BL_NEVER)
        return BL_NEVER;
    if (end->segment == SEGMENT_OPEN && end->closed_generation != end->generation) {
        if (end->sync != SYNC_LIVE)
            return end->cut_us;
        return end->enforced ? end->cut_us + CUT_HEARD_US : BL_NEVER;
    }
    if (end->enforced)
        return end->segment == SEGMENT_CLOSING ? end->cut_us : BL_NEVER;
    bool runs = end->segment == SEGMENT_OPEN || end->segment == SEGMENT_CLOSING;
    return runs && end->sync == SYNC_DOWN ? end->cut_us : BL_NEVER;
}

void entity_end_tick(struct entity_end *end, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    if (now.mono_us < entity_end_cut_due(end))
        return;
    if (end->segment == SEGMENT_CLOSED || end->segment == SEGMENT_WAITING) {
        end->alone = true;
        entity_end_changed(end);
        return;
    }
    if (end->closed_generation != end->generation)
        expire(end);
    else if (end->enforced)
        be_cut(end);
    else
        be_over(end);
}

bool entity_end_may_conclude(const struct entity_end *end)
{
    if (end->segment != SEGMENT_CLOSED && !is_paused(end) && !is_unbegun(end))
        return false;
    if (end->enforced && end->segment == SEGMENT_CLOSED && end->last)
        return !entity_end_is_over(end);
    return end->alone && end->sync == SYNC_DOWN;
}

void entity_end_conclude(struct entity_end *end, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    if (!entity_end_may_conclude(end))
        return;
    bool paused = is_paused(end);
    end->segment = SEGMENT_FINISHED;
    entity_end_drop(end, UINT32_MAX);
    keep_segment(end, 0);
    if (paused) {
        uint8_t digest[DIGEST_SIZE];
        page_digest(end->page, digest);
        keep_close(end, end->generation, digest, CLOSE_PREFIX);
    }
    entity_end_note(end, NOTE_CONTROLLER, 0,
                    "an attendant says that the session is over: its end was not confirmed");
    entity_end_changed(end);
}
