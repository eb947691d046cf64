/* The messages of the judge's end to the other end, and their order. */
#include "session/judge_end_private.h"

#include "base/assert.h"

#include <string.h>

#define DIGEST_EVERY_US 1000000
/* Interval at which the session and its segment's state are told again. */
#define SESSION_EVERY_US 5000000
#define SESSION_SOON_US  1000000 /* time from news of a segment to their repetition */
#define CLOSE_EVERY_US   50000   /* interval of repeated CLOSEs */

static enum bl_status send_course(struct judge_end *end, const struct journal_record *record,
                                  uint64_t n)
{
    struct wire wire = {.kind = WIRE_COURSE, .n = n, .time_us = record->wall_us};
    if (record->kind == JOURNAL_CLOSE) {
        wire.generation = record->as.close.generation;
        wire.placed = record->as.close.placed;
        wire.outcome = (uint8_t)record->as.close.outcome;
        memcpy(wire.digest, record->as.close.digest, DIGEST_SIZE);
    } else {
        wire.generation = record->as.segment.generation;
        wire.state = (uint8_t)record->as.segment.state;
        wire.index = record->as.segment.index;
    }
    return end_send(&end->callbacks, &wire);
}

/* Sends the records of segments up to key n of the order. BL_AGAIN: later. */
static enum bl_status send_courses(struct judge_end *end, uint64_t n, struct bl_time now)
{
    unsigned done = 0;
    enum bl_status status = BL_OK;
    while (done < end->courses && end->course_n[done] <= n) {
        const struct journal_record *record = &end->course[done];
        status = send_course(end, record, end->course_n[done]);
        if (status)
            break;
        end->said[record->kind == JOURNAL_CLOSE] = *record;
        done++;
    }
    if (done && now.mono_us + SESSION_SOON_US < end->session_due_us)
        end->session_due_us = now.mono_us + SESSION_SOON_US;
    bl_assert(done <= end->courses);
    end->courses -= done;
    memmove(end->course, end->course + done, end->courses * sizeof end->course[0]);
    memmove(end->course_n, end->course_n + done, end->courses * sizeof end->course_n[0]);
    return status;
}

/* Sends this connection's unsent keys, and each segment record at its key. BL_AGAIN: later. */
static enum bl_status send_keys(struct judge_end *end, struct bl_time now)
{
    for (;;) {
        if (send_courses(end, end->out.cursor, now))
            return BL_AGAIN;
        bl_assert(end->out.cursor <= end->sequence.count);
        if (end->out.cursor == end->sequence.count)
            return BL_OK;
        if (end->under_way_count == END_RECORDS_MAX)
            return BL_AGAIN;
        enum bl_status status =
            end_send_run(&end->callbacks, &end->sequence, &end->written, end->epoch, &end->out);
        if (status)
            return status;
        end->under_way[end->under_way_count].sent = end->callbacks.sent(end->callbacks.link);
        end->under_way[end->under_way_count].n = end->out.cursor;
        end->under_way_count++;
    }
}

static void fill_sync(const struct judge_end *end, struct wire *wire)
{
    wire->epoch = end->epoch;
    wire->generation = end->generation;
    wire->n = end->sequence.count;
    wire->placed = end->placed_before;
    wire->flag = end->reset;
}

/* True if no record is under way. A digest then goes as bulk, after all keys so far, and covers
 * them. */
static bool is_quiet(const struct judge_end *end)
{
    const struct end_callbacks *callbacks = &end->callbacks;
    return callbacks->sent(callbacks->link) == callbacks->acked(callbacks->link);
}

/* True if no later part of the plan is on the line. The plan may have begun the line's last part
 * before the line does: that part is then still to come. */
static bool is_last(const struct judge_end *end)
{
    if (end->segment == SEGMENT_CLOSED && end->index == end->last)
        return end->part == end->last;
    return end->index >= end->last;
}

/* Sends one due message. */
static enum bl_status tell(struct judge_end *end, enum judge_tell what, struct bl_time now)
{
    struct wire wire = {.generation = end->generation, .n = end->sequence.count};
    switch (what) {
    case TELL_OFFER:
    case TELL_SESSION:
        wire.kind = what == TELL_OFFER ? WIRE_OFFER : WIRE_SESSION;
        wire.epoch = end->epoch;
        wire.starts = (uint8_t)end->config.starts;
        memcpy(wire.session, end->session, sizeof wire.session);
        style_format(&end->config.style, wire.style);
        break;
    case TELL_FETCH:
        wire.kind = WIRE_FETCH;
        wire.chain = sequence_chain(&end->sequence, end->sequence.count);
        break;
    case TELL_TAKE:
        wire.kind = WIRE_TAKE;
        break;
    case TELL_DIFFERS:
        wire.kind = WIRE_DIFFERS;
        break;
    case TELL_SYNC:
        wire.kind = WIRE_SYNC;
        fill_sync(end, &wire);
        break;
    case TELL_STEWARD:
        wire.kind = WIRE_STEWARD;
        wire.flag = end->steward_here;
        break;
    case TELL_SEGMENT:
        wire.kind = WIRE_SEGMENT;
        wire.state = (uint8_t)(end->paused ? SEGMENT_WAITING : end->segment);
        wire.index = (uint8_t)(end->segment == SEGMENT_CLOSED ? end->part : end->index);
        wire.count = (uint8_t)end->count;
        wire.time_us = end->cut_us == BL_NEVER      ? UINT64_MAX
                       : end->cut_us <= now.mono_us ? 0
                                                    : end->cut_us - now.mono_us;
        wire.flag = (uint8_t)((end->enforced ? WIRE_SEGMENT_ENFORCED : 0) |
                              (is_last(end) ? WIRE_SEGMENT_LAST : 0));
        end->told_cut_us = end->cut_us;
        end->told_us = now.mono_us;
        break;
    case TELL_CLOSE:
        wire.kind = WIRE_CLOSE;
        wire.generation = end->close_generation;
        wire.placed = end->sequence.by[PARTY_ENTITY];
        memcpy(wire.digest, end->close_digest, DIGEST_SIZE);
        break;
    case TELL_DIGEST:
        wire.kind = WIRE_DIGEST;
        page_digest(end->page, wire.digest);
        judge_end_seal(end, &wire);
        if (is_quiet(end) && !end->met_anew)
            return end_send_later(&end->callbacks, &wire);
        break;
    }
    bl_assert(wire.kind);
    return end_send(&end->callbacks, &wire);
}

static bool tell_if(struct judge_end *end, enum judge_tell what, struct bl_time now)
{
    if (!(end->to_tell & what))
        return true;
    if (tell(end, what, now))
        return false;
    end->to_tell &= ~(unsigned)what;
    if (what == TELL_SEGMENT) {
        end->told_sent = end->callbacks.sent(end->callbacks.link);
        end->heard_it = false;
    }
    return true;
}

bool judge_end_told(const struct judge_end *end)
{
    return !(end->to_tell & TELL_SEGMENT) &&
           (end->heard_it || end->callbacks.acked(end->callbacks.link) >= end->told_sent);
}

/* The other end counts the told time left from the message's arrival. After a late acknowledgement
 * the time is told again; on a slow line, once. */
void judge_end_hear_told(struct judge_end *end, struct bl_time now)
{
    if (end->heard_it || !judge_end_told(end))
        return;
    end->heard_it = true;
    bool runs = end->segment == SEGMENT_OPEN && !end->paused && end->cut_us != BL_NEVER;
    if (!runs || now.mono_us - end->told_us <= end->slow_us) {
        end->slow_us = JUDGE_CLOCK_OFF_US;
        return;
    }
    end->slow_us *= 2;
    end->to_tell |= TELL_SEGMENT;
}

/* Messages sent on the last connection may be lost. An open CLOSE is told again once the ends have
 * met. */
void judge_end_tell_anew(struct judge_end *end)
{
    end->to_tell &= TELL_SEGMENT;
    end->reset = false;
    end->under_way_count = 0;
    if (end->generation && !end->heard_it)
        end->to_tell |= TELL_SEGMENT;
}

static bool repeats_close(const struct judge_end *end)
{
    return end->close_open && end->segment == SEGMENT_CLOSING && end->sync == SYNC_LIVE &&
           !(end->to_tell & TELL_CLOSE);
}

static bool digest_waits(const struct judge_end *end)
{
    return end->sync == SYNC_LIVE && end->digest_n != end->sequence.count &&
           end->out.cursor == end->sequence.count && !(end->to_tell & TELL_DIGEST);
}

static void ask_digest(struct judge_end *end, struct bl_time now)
{
    if (!digest_waits(end) || (now.mono_us < end->digest_due_us && !end->met_anew))
        return;
    end->to_tell |= TELL_DIGEST;
    end->digest_asked_us = now.mono_us;
}

/* Sends the digest when the line is quiet, or after a second of a busy line. After a meeting of the
 * ends the digest goes at once, since the keys of an outage are older than UNPROVEN_SPAN_US. */
static bool tell_digest(struct judge_end *end, struct bl_time now)
{
    return end->to_tell & TELL_DIGEST &&
           (is_quiet(end) || end->met_anew ||
            now.mono_us >= end->digest_asked_us + DIGEST_EVERY_US) &&
           tell_if(end, TELL_DIGEST, now);
}

static void tell_session(struct judge_end *end, struct bl_time now)
{
    if (now.mono_us >= end->session_due_us) {
        end->to_tell |= TELL_SESSION;
        end->session_due_us = now.mono_us + SESSION_EVERY_US;
    }
    if (!(end->to_tell & TELL_SESSION) || !tell_if(end, TELL_SESSION, now))
        return;
    for (unsigned i = 0; i < 2; i++) {
        const struct journal_record *record = &end->said[i];
        if (record->wall_us)
            send_course(end, record, i ? record->as.close.n : end->sequence.count);
    }
}

void judge_end_tell(struct judge_end *end, struct bl_time now)
{
    if (repeats_close(end) && now.mono_us >= end->close_due_us)
        end->to_tell |= TELL_CLOSE;
    if (end->sync == SYNC_DOWN)
        return;
    if (!tell_if(end, TELL_OFFER, now) || !tell_if(end, TELL_FETCH, now) ||
        !tell_if(end, TELL_TAKE, now) || !tell_if(end, TELL_DIFFERS, now) ||
        !tell_if(end, TELL_STEWARD, now))
        return;
    if (end->sync != SYNC_LIVE)
        return;
    ask_digest(end, now);
    if (!tell_if(end, TELL_SYNC, now))
        return;
    /* An opening is told before the segment's keys; other states are told after them. */
    if (end->segment == SEGMENT_OPEN && !end->close_open && !tell_if(end, TELL_SEGMENT, now))
        return;
    if (send_keys(end, now))
        return;
    if (end->to_tell & TELL_CLOSE)
        end->close_due_us = now.mono_us + CLOSE_EVERY_US;
    if (!tell_if(end, TELL_CLOSE, now) || !tell_if(end, TELL_SEGMENT, now))
        return;
    ask_digest(end, now);
    if (tell_digest(end, now)) {
        end->digest_n = end->sequence.count;
        end->digest_due_us = now.mono_us + DIGEST_EVERY_US;
        end->met_anew = false;
    }
    if (end->config.listened)
        tell_session(end, now);
}

/* The time at which a message is due without another event; BL_NEVER: none. */
static uint64_t judge_end_tell_due(const struct judge_end *end)
{
    if (repeats_close(end))
        return end->close_due_us;
    return digest_waits(end) ? end->digest_due_us : BL_NEVER;
}

uint64_t judge_end_due(const struct judge_end *end)
{
    uint64_t due_us = judge_end_tell_due(end), calls_us = judge_end_calls_due(end);
    if (end->fetching && end->tail.due_us < due_us)
        due_us = end->tail.due_us;
    return calls_us < due_us ? calls_us : due_us;
}

void judge_end_tell_course(struct judge_end *end, const struct journal_record *record)
{
    if (record->kind == JOURNAL_SEGMENT) {
        if (end->course_generation == end->generation && end->course_state == end->segment)
            return; /* only the time left has changed */
        end->course_generation = end->generation;
        end->course_state = end->segment;
    }
    if (end->courses == COURSES_MAX) {
        end->courses--;
        memmove(end->course, end->course + 1, end->courses * sizeof end->course[0]);
        memmove(end->course_n, end->course_n + 1, end->courses * sizeof end->course_n[0]);
    }
    end->course_n[end->courses] = end->sequence.count;
    end->course[end->courses++] = *record;
}
