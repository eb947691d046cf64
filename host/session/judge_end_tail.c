/* Takes keys that the judge's end has lost, the tail, back from the other end.
 *
 * * The other end may be any program. So a process requests a tail at most once. Its record must
 * possibly lack keys at the start, and by that record the segment was not over. The tail waits
 * beside the order until it is complete. Keys under this end's own seal are proven. Keys without a
 * seal, those of the last second or so, are taken within narrow bounds, and the record names them.
 * Source: DESIGN.md, "Session". */
#include "session/judge_end_private.h"

#include "base/assert.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Longest span of keys without a seal. A digest with a seal goes about each second. */
#define UNPROVEN_SPAN_US 2000000u
/* Most keys of the judge without a seal: as many as may be unconfirmed. */
#define UNPROVEN_JUDGE_MAX END_UNCONFIRMED_MAX
/* A tail must be complete within FETCH_US plus FETCH_KEY_US for each key, and within
 * FETCH_MOST_US. */
#define FETCH_US      10000000u
#define FETCH_KEY_US  20000u
#define FETCH_MOST_US 120000000u
/* Most openings of segments that a record may have lost. */
#define GENERATIONS_LOST_MAX 16

static enum bl_status keep_start(struct judge_end *end, enum start_state state, struct bl_time now)
{
    struct journal_record record = {.kind = JOURNAL_START,
                                    .side = end->config.side,
                                    .wall_us = now.wall_us,
                                    .as.start = {.state = state, .damaged = end->damaged}};
    memcpy(record.as.start.boot, end->boot, BOOT_SIZE);
    memcpy(record.as.start.secret, end->secret, SEAL_SECRET);
    return end_keep(&end->callbacks, end->ctx, &record);
}

static bool is_zero(const uint8_t *bytes, size_t length)
{
    uint8_t any = 0;
    for (size_t i = 0; i < length; i++)
        any |= bytes[i];
    return any == 0;
}

/* True if the file may lack records of an earlier process. A power failure may lose records; the
 * end of a process alone does not. */
static bool may_lack(const struct judge_end *end, const struct judge_start *start)
{
    if (!end->has_secret)
        return start->torn || start->damaged > 0 || end->holed;
    if (end->started == START_LOST || start->torn || start->damaged > end->damaged || end->holed)
        return true;
    if (end->takes_over)
        return true;
    return end->started == START_WHOLE &&
           (is_zero(start->boot, BOOT_SIZE) || memcmp(start->boot, end->boot, BOOT_SIZE) != 0);
}

void judge_end_start(struct judge_end *end, const struct judge_start *start, struct bl_time now)
{
    END_CHANGES(end);
    end->lost = may_lack(end, start);
    end->fresh = !end->has_secret && end->sequence.count == 0 && end->generation == 0;
    end->was_open = end->segment <= SEGMENT_OPEN || (end->started == START_LOST && end->lost_open);
    if (!end->has_secret)
        memcpy(end->secret, start->secret, SEAL_SECRET);
    end->has_secret = true;
    end->damaged = start->damaged;
    memcpy(end->boot, start->boot, BOOT_SIZE);
    seal_begin(&end->seal, end->secret, end->session, end->config.side, end->epoch);
    end->seal_epoch = end->epoch;
    keep_start(end, end->lost ? START_LOST : START_WHOLE, now);
}

void judge_end_stop(struct judge_end *end, struct bl_time now)
{
    END_CHANGES(end);
    if (end->has_secret && !end->lost)
        keep_start(end, START_CLOSED, now);
}

void judge_end_whole(struct judge_end *end, struct bl_time now)
{
    end->asked = true;
    if (end->lost && keep_start(end, START_WHOLE, now) == BL_OK)
        end->lost = false;
}

void judge_end_seal(struct judge_end *end, struct wire *wire)
{
    if (!end->has_secret || end->sequence.count == 0)
        return;
    if (end->seal_epoch != end->epoch) {
        seal_begin(&end->seal, end->secret, end->session, end->config.side, end->epoch);
        end->seal_epoch = end->epoch;
    }
    seal_extend(&end->seal, end->secret, &end->sequence, end->sequence.count);
    wire->sealed = end->sequence.count;
    seal_take(&end->seal, wire->seal);
}

void judge_end_generation(struct judge_end *end, uint32_t generation)
{
    if (end->lost && !end->asked && generation > end->generation &&
        generation - end->generation <= GENERATIONS_LOST_MAX)
        end->generation = generation; /* a power failure lost the records of segments; their numbers
                                       * must not be used again */
}

static bool is_over(const struct judge_end *end)
{
    return !end->was_open && end->segment > SEGMENT_OPEN;
}

void judge_end_tail_begin(struct judge_end *end, const struct wire *wire, struct bl_time now)
{
    bl_assert(wire->n >= end->sequence.count && wire->n <= SEQUENCE_MAX);
    uint64_t most_us = FETCH_US + (wire->n - end->sequence.count) * FETCH_KEY_US;
    end->fetching = true;
    end->tail =
        (struct tail){.n = wire->n,
                      .chain = wire->chain,
                      .sealed = wire->sealed <= wire->n ? wire->sealed : 0,
                      .count = end->sequence.count,
                      .last_us = end->last_posted_us,
                      .due_us = now.mono_us + (most_us < FETCH_MOST_US ? most_us : FETCH_MOST_US)};
    memcpy(end->tail.seal, wire->seal, SEAL_SIZE);
}

const char *judge_end_fetch(struct judge_end *end, const struct wire *wire, struct bl_time now)
{
    if (!end->lost || end->asked)
        return "the other end has keys that were never placed here, and this record lacks nothing";
    if (is_over(end))
        return "the other end has keys that this record lacks, but their part is over";
    if (wire->n > SEQUENCE_MAX)
        return "the other end has more keys than a record holds";
    judge_end_tail_begin(end, wire, now);
    return NULL;
}

enum bl_status judge_end_tail_mark(struct judge_end *end, const struct wire *wire)
{
    if (!end->fetching || wire->time_us == 0)
        return BL_DATA;
    end->tail.mark_us = wire->time_us;
    return BL_OK;
}

enum bl_status judge_end_tail_keys(struct judge_end *end, const struct wire *wire)
{
    struct tail *tail = &end->tail;
    uint64_t posted_us = wire_posted_us(wire, tail->mark_us);
    struct key_event event = {.posted_us = posted_us,
                              .party = wire->kind == WIRE_JUDGE_KEYS ? PARTY_JUDGE : PARTY_ENTITY};
    if (!end->fetching || tail->mark_us == 0 || posted_us < tail->last_us ||
        posted_us < tail->mark_us)
        return BL_DATA;
    for (size_t i = 0; i < wire->keys; i++) {
        if (tail->count >= tail->n)
            return BL_DATA;
        event.point = wire->point[i];
        bl_assert(tail->count >= end->sequence.count && tail->count < SEQUENCE_MAX);
        end->sequence.event[tail->count++] = event; /* behind the order's keys */
    }
    tail->last_us = posted_us;
    return BL_OK;
}

/* Number of the tail's last key under this end's own seal; 0: none. */
static uint64_t proven(const struct judge_end *end)
{
    const struct tail *tail = &end->tail;
    struct seal seal;
    uint8_t value[SEAL_SIZE];
    if (tail->sealed <= end->sequence.count || tail->sealed > tail->count)
        return 0;
    seal_begin(&seal, end->secret, end->session, end->config.side, end->epoch);
    seal_extend(&seal, end->secret, &end->sequence, tail->sealed);
    seal_take(&seal, value);
    return seal_equals(value, tail->seal) ? tail->sealed : 0;
}

void judge_end_tail_count(const struct judge_end *end, uint64_t from, uint64_t to,
                          uint64_t by[PARTIES])
{
    by[PARTY_JUDGE] = by[PARTY_ENTITY] = 0;
    bl_assert(from > 0 && to <= SEQUENCE_MAX);
    for (uint64_t n = from; n <= to; n++)
        by[end->sequence.event[n - 1].party]++;
}

/* True if the keys without a seal are within the bounds: a short span, before the segment's
 * closing, with few keys of the judge. */
static bool can_be_true(const struct judge_end *end, uint64_t from, struct bl_time now)
{
    const struct key_event *event = end->sequence.event;
    uint64_t by[PARTIES];
    uint64_t most_us = end->segment > SEGMENT_OPEN ? end->closing_us : now.wall_us;
    judge_end_tail_count(end, from, end->tail.n, by);
    return by[PARTY_JUDGE] <= UNPROVEN_JUDGE_MAX && event[end->tail.n - 1].posted_us <= most_us &&
           event[end->tail.n - 1].posted_us - event[from - 1].posted_us <= UNPROVEN_SPAN_US;
}

/* The tail's keys are stored after the order, which grows over them. */
bool judge_end_tail_place(struct judge_end *end, uint64_t n)
{
    struct sequence whole = end->sequence;
    whole.count = n;
    while (end->sequence.count < n) {
        uint8_t text[WIRE_TEXT_MAX];
        uint32_t point[WIRE_TEXT_MAX];
        struct key_run run = {.point = point, .text = text};
        const struct key_event *event = &whole.event[end->sequence.count];
        enum party party = (enum party)event->party;
        uint64_t posted_us = event->posted_us;
        run.count = sequence_run(&whole, end->sequence.count + 1, text, sizeof text, &run.length);
        bl_assert(run.count > 0);
        for (size_t i = 0; i < run.count; i++)
            point[i] = event[i].point;
        if (judge_end_put(end, party, &run, posted_us))
            return false;
    }
    return true;
}

static void note_tail(struct judge_end *end, uint64_t sealed, uint64_t n, struct bl_time now)
{
    uint64_t first = end->sequence.count + 1, by[PARTIES];
    char text[NOTE_MAX];
    judge_end_tail_count(end, first, n, by);
    snprintf(text, sizeof text,
             "fetched from the other end what this end had lost: keys %" PRIu64 " to %" PRIu64
             ", %" PRIu64 " of the judge and %" PRIu64 " of the entity",
             first, n, by[PARTY_JUDGE], by[PARTY_ENTITY]);
    end_note(&end->callbacks, end->ctx, end->config.side, NOTE_REPAIR, (uint32_t)(n - first + 1),
             text, now.wall_us);
    end->fetched[PARTY_JUDGE] += by[PARTY_JUDGE];
    end->fetched[PARTY_ENTITY] += by[PARTY_ENTITY];
    if (sealed >= n)
        return;
    first = sealed >= first ? sealed + 1 : first;
    judge_end_tail_count(end, first, n, by);
    snprintf(text, sizeof text,
             "keys %" PRIu64 " to %" PRIu64 ", %" PRIu64 " of the judge and %" PRIu64
             " of the entity, are the other end's word alone: no seal covers them",
             first, n, by[PARTY_JUDGE], by[PARTY_ENTITY]);
    end_note(&end->callbacks, end->ctx, end->config.side, NOTE_UNPROVEN, (uint32_t)(n - first + 1),
             text, now.wall_us);
    end->unproven_first = first;
    end->unproven_last = n;
}

const char *judge_end_tail_end(struct judge_end *end, const struct wire *wire, struct bl_time now)
{
    const struct tail *tail = &end->tail;
    struct sequence whole = end->sequence;
    uint64_t had = end->sequence.count, sealed = proven(end), known = sealed > had ? sealed : had;
    bool complete = wire->flag && tail->count == tail->n;
    end->fetching = false;
    whole.count = tail->count;
    complete = complete && sequence_chain(&whole, tail->n) == tail->chain;
    if (end->takes_over)
        return complete ? NULL : "the keys that the other end sent are not those that it has";
    if (is_over(end))
        return "the part is over before the other end's keys were here";
    if (tail->sealed > had && !sealed)
        return "the seal that the other end shows is not this end's on these keys";
    bool rest = complete && known < tail->n && can_be_true(end, known + 1, now);
    uint64_t n = rest ? tail->n : known;
    if (n > had) {
        if (end->close_open && end->segment == SEGMENT_OPEN)
            judge_end_settle(end, now); /* the CLOSE was of the segment before */
        note_tail(end, known, n, now);
        if (!judge_end_tail_place(end, n))
            return "the record is full";
    }
    if (n == tail->n && complete)
        return NULL;
    return complete ? "the other end has keys that no seal covers and that cannot have been lost"
                    : "the keys that the other end sent are not those that it has";
}

void judge_end_tail_tick(struct judge_end *end, struct bl_time now)
{
    if (end->fetching && now.mono_us >= end->tail.due_us)
        judge_end_differs(end, "the other end does not send the keys that it has", now);
}
