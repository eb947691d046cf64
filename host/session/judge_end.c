#include "session/judge_end_private.h"

#include "base/assert.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill_view(void *ctx);

struct judge_end *judge_end_create(const struct judge_end_config *config,
                                   const struct end_callbacks *callbacks, void *ctx)
{
    struct judge_end *end = calloc(1, sizeof *end);
    if (!end)
        return NULL;
    end->config = *config;
    end->callbacks = end_callbacks_of(callbacks, ctx);
    end->ctx = ctx;
    end->look = (struct end_look){.fill = fill_view, .end = end};
    end->page = page_create(&config->style);
    if (!sequence_init(&end->sequence) || !end->page) {
        judge_end_destroy(end);
        return NULL;
    }
    end->cut_us = BL_NEVER;
    end->last = UINT_MAX;
    end->slow_us = JUDGE_CLOCK_OFF_US;
    end->differs_why = "";
    fill_view(end);
    return end;
}

void judge_end_destroy(struct judge_end *end)
{
    if (!end)
        return;
    page_destroy(end->page);
    sequence_free(&end->sequence);
    free(end);
}

void judge_end_dress(struct judge_end *end, const struct style *style)
{
    END_CHANGES(end);
    end->config.style = *style;
    page_begin(end->page, style);
}

void judge_end_name(struct judge_end *end, const char *session)
{
    END_CHANGES(end);
    size_t length = strnlen(session, SESSION_ID_MAX);
    memcpy(end->session, session, length);
    end->session[length] = '\0';
}

static void changed(struct judge_end *end)
{
    end_changed(&end->callbacks);
}

static void note(struct judge_end *end, enum note_code code, uint32_t count, const char *text,
                 struct bl_time now)
{
    end_note(&end->callbacks, end->ctx, end->config.side, code, count, text, now.wall_us);
}

void judge_end_keep_segment(struct judge_end *end, uint64_t remaining_us, struct bl_time now)
{
    struct journal_record record = {.kind = JOURNAL_SEGMENT,
                                    .side = end->config.side,
                                    .wall_us = now.wall_us,
                                    .as.segment = {.generation = end->generation,
                                                   .index = (uint8_t)end->index,
                                                   .state = end->segment,
                                                   .remaining_us = remaining_us}};
    end_keep(&end->callbacks, end->ctx, &record);
    judge_end_tell_course(end, &record);
}

static void keep_close(struct judge_end *end, enum close_outcome outcome, struct bl_time now)
{
    struct journal_record record = {.kind = JOURNAL_CLOSE,
                                    .side = end->config.side,
                                    .wall_us = now.wall_us,
                                    .as.close = {.generation = end->close_generation,
                                                 .n = end->sequence.count,
                                                 .placed = end->sequence.by[PARTY_ENTITY],
                                                 .outcome = outcome}};
    memcpy(record.as.close.digest, end->close_digest, DIGEST_SIZE);
    end->outcome = outcome;
    end_keep(&end->callbacks, end->ctx, &record);
    judge_end_tell_course(end, &record);
}

void judge_end_settle(struct judge_end *end, struct bl_time now)
{
    end->close_open = false;
    end->to_tell &= ~(unsigned)TELL_CLOSE; /* drops a repetition that was not sent yet */
    keep_close(end, end->was_cut ? CLOSE_SETTLED : CLOSE_AGREED, now);
}

void judge_end_begin_close(struct judge_end *end)
{
    end->close_open = true;
    end->was_cut = false;
    end->outcome = CLOSE_NONE;
    end->close_generation = end->generation;
    page_digest(end->page, end->close_digest);
    end->to_tell |= TELL_CLOSE;
}

enum bl_status judge_end_put(struct judge_end *end, enum party party, const struct key_run *run,
                             uint64_t posted_us)
{
    bl_assert(run->count > 0);
    if (end->sequence.count + run->length > SEQUENCE_MAX)
        return BL_FULL;
    struct journal_record record = {
        .kind = JOURNAL_KEYS,
        .side = end->config.side,
        .wall_us = posted_us,
        .as.keys = {
            .epoch = end->epoch, .first = end->sequence.count + 1, .party = party, .run = *run}};
    enum bl_status status = end_keep(&end->callbacks, end->ctx, &record);
    if (status)
        return status;
    end->last_posted_us = posted_us;
    end_wrote(&end->written, end->sequence.count + 1, run);
    end_apply(&end->sequence, end->page, party, run, posted_us, NULL, NULL);
    changed(end);
    return BL_OK;
}

/* The time for a key placed now: at least the time of the key before. */
static uint64_t posted_at(const struct judge_end *end, struct bl_time now)
{
    return now.wall_us > end->last_posted_us ? now.wall_us : end->last_posted_us;
}

static bool may_place(const struct judge_end *end)
{
    return end->segment == SEGMENT_OPEN && end->synced_once && !end->close_open &&
           end->sync != SYNC_DIFFERS && !end->fetching;
}

static bool has_room(const struct judge_end *end)
{
    return end->under_way_count < END_RECORDS_MAX &&
           end->sequence.count - end->confirmed < END_UNCONFIRMED_MAX;
}

static void place_typed(struct judge_end *end, struct bl_time now)
{
    while (end->typed.count && may_place(end) && has_room(end)) {
        uint8_t text[WIRE_TEXT_MAX];
        size_t length;
        size_t most = END_UNCONFIRMED_MAX - (size_t)(end->sequence.count - end->confirmed);
        size_t keys = key_queue_text(&end->typed, 0, most, text, sizeof text, &length);
        const struct key_run run = {
            .point = key_queue_at(&end->typed), .count = keys, .text = text, .length = length};
        if (judge_end_put(end, PARTY_JUDGE, &run, posted_at(end, now)))
            return;
        key_queue_drop(&end->typed, keys);
        judge_end_tell(end, now);
    }
}

static void refuse(struct judge_end *end, const uint32_t *points, size_t count, const char *why,
                   struct bl_time now)
{
    char text[KEY_REFUSED_TEXT];
    end->refused += count;
    key_refused_text(text, why, points, count);
    note(end, NOTE_REFUSED, (uint32_t)count, text, now);
    changed(end);
}

/* True if keys are refused until the ends meet. False for a process that continues a record: keys
 * then wait, as with a line that is down. */
static bool must_meet(const struct judge_end *end)
{
    return judge_end_may_take(end) || (!end->synced_once && end->differs_why[0]);
}

static enum key_answer answer_for(const struct judge_end *end)
{
    if (end->segment != SEGMENT_OPEN)
        return KEY_REFUSED_CLOSED;
    if (end->paused)
        return KEY_REFUSED_PAUSED;
    if (must_meet(end) || end->sync == SYNC_DIFFERS)
        return KEY_REFUSED_APART;
    return KEY_TAKEN;
}

static uint64_t since_return(const struct judge_end *end, struct bl_time now)
{
    enum party party;
    uint64_t at_us;
    return page_returned(end->page, &party, &at_us) && now.wall_us > at_us ? now.wall_us - at_us
                                                                           : 0;
}

enum key_answer judge_end_place(struct judge_end *end, uint32_t point, struct bl_time now)
{
    END_CHANGES(end);
    uint8_t text[UTF8_MAX];
    enum key_answer answer = answer_for(end);
    if (answer != KEY_TAKEN) {
        refuse(end, &point, 1, "refused: ", now);
        return answer;
    }
    answer = end_typing(&end->config.typing, end->page, PARTY_JUDGE, &end->typed,
                        since_return(end, now), point);
    if (answer != KEY_TAKEN) {
        refuse(end, &point, 1, end_typing_note(answer), now);
        return answer;
    }
    if (!may_place(end) || !has_room(end) || end->typed.count)
        return KEY_WAIT;
    const struct key_run run = {
        .point = &point, .count = 1, .text = text, .length = utf8_encode(point, text)};
    if (judge_end_put(end, PARTY_JUDGE, &run, posted_at(end, now)))
        return KEY_REFUSED_FULL;
    judge_end_tell(end, now);
    return KEY_TAKEN;
}

enum key_answer judge_end_key(struct judge_end *end, uint32_t point, struct bl_time now)
{
    END_CHANGES(end);
    enum key_answer answer = judge_end_place(end, point, now);
    if (answer != KEY_WAIT)
        return answer;
    if (!key_queue_push(&end->typed, point))
        return KEY_WAIT;
    changed(end);
    return KEY_TAKEN;
}

void judge_end_link(struct judge_end *end, bool up, struct bl_time now)
{
    END_CHANGES(end);
    end->sync = up ? SYNC_ASKING : SYNC_DOWN;
    judge_end_tell_anew(end);
    end->fetching = false;
    end->ready = false;
    end->repair_asked = end->repair_all = false;
    if (up) {
        end->to_tell |= TELL_OFFER;
        if (end->steward_here)
            end->to_tell |= TELL_STEWARD;
        judge_end_tell(end, now);
    }
    changed(end);
}

void judge_end_live(struct judge_end *end, uint64_t n, struct bl_time now)
{
    bl_assert(n <= end->sequence.count);
    end->sync = SYNC_LIVE;
    end->synced_once = true;
    end->differs_why = "";
    judge_end_whole(end, now);
    end->out = (struct key_stream){.cursor = n, .numbered = end->config.listened};
    end->session_due_us = now.mono_us;
    end->confirmed = n;
    end->under_way_count = 0;
    end->digest_n = 0;
    end->met_anew = true;
    end->to_tell |= TELL_SYNC | TELL_SEGMENT;
    if (end->close_open)
        end->to_tell |= TELL_CLOSE;
    judge_end_tell(end, now);
    place_typed(end, now);
    changed(end);
}

void judge_end_differs(struct judge_end *end, const char *why, struct bl_time now)
{
    char text[NOTE_MAX];
    end->sync = SYNC_DIFFERS;
    end->fetching = false;
    end->synced_once = false; /* no key is placed until a steward settles the difference */
    end->differences++;
    end->differs_why = why;
    end->to_tell |= TELL_DIFFERS;
    snprintf(text, sizeof text, "the records of the two ends differ; a steward must decide: %s",
             why);
    judge_end_heard(end, NOTE_DIFFERENCE, text, now);
    judge_end_tell(end, now);
    changed(end);
}

static void on_resume(struct judge_end *end, const struct wire *wire, struct bl_time now)
{
    const char *why = NULL;
    judge_end_generation(end, wire->generation);
    end->epoch_there = wire->epoch < UINT32_MAX ? wire->epoch : 0; /* no epoch follows UINT32_MAX */
    if (strcmp(wire->session, end->session) != 0) {
        why = "the other end is in another session";
    } else if (end->takes_over) {
        why = judge_end_take_begin(end, wire, now);
    } else if (judge_end_take_ask(end, wire)) {
        why = judge_end_take_ask(end, wire);
    } else if (wire->n == 0 || wire->epoch < end->epoch) {
        end->reset = wire->n > 0 || wire->epoch != end->epoch;
        judge_end_live(end, 0, now);
    } else if (wire->epoch > end->epoch) {
        why = "the other end counts more epochs";
    } else if (wire->n > end->sequence.count) {
        why = judge_end_fetch(end, wire, now);
        if (!why) {
            end->to_tell |= TELL_FETCH;
            judge_end_tell(end, now);
        }
    } else if (sequence_chain(&end->sequence, wire->n) == wire->chain) {
        judge_end_live(end, wire->n, now);
    } else {
        why = "the other end has other keys";
    }
    if (why)
        judge_end_differs(end, why, now);
}

static void on_tail_end(struct judge_end *end, const struct wire *wire, struct bl_time now)
{
    const char *why = judge_end_tail_end(end, wire, now);
    if (!why && end->takes_over)
        why = judge_end_take_end(end, now);
    if (why) {
        judge_end_differs(end, why, now);
        return;
    }
    if (end->close_open)
        page_digest(end->page, end->close_digest);
    judge_end_live(end, end->sequence.count, now);
}

static enum bl_status on_new_keys(struct judge_end *end, const struct wire *wire,
                                  struct bl_time now)
{
    /* Keys outside a segment are dropped; the journal of the entity's end has them. */
    if (end->sync != SYNC_LIVE || !may_place(end))
        return BL_OK;
    if (end->config.starts == STARTS_JUDGE && end->sequence.by[PARTY_JUDGE] == 0)
        return BL_OK;
    const struct key_run run = wire_keys(wire);
    enum bl_status status = judge_end_put(end, PARTY_ENTITY, &run, posted_at(end, now));
    end->other_us = now.mono_us;
    judge_end_tell(end, now);
    return status == BL_FULL && end->sequence.count + wire->length > SEQUENCE_MAX ? BL_OK : status;
}

static void on_close_ack(struct judge_end *end, const struct wire *wire, struct bl_time now)
{
    if (!end->close_open || wire->generation != end->close_generation ||
        wire->n != end->sequence.count || memcmp(wire->digest, end->close_digest, DIGEST_SIZE) != 0)
        return;
    end->confirmed = end->sequence.count;
    judge_end_settle(end, now);
    place_typed(end, now);
    judge_end_tell(end, now);
    changed(end);
}

enum bl_status judge_end_record(struct judge_end *end, const uint8_t *record, size_t length,
                                struct bl_time now)
{
    END_CHANGES(end);
    struct wire wire;
    enum bl_status status = wire_decode(&wire, record, length);
    if (status)
        return status;
    switch (wire.kind) {
    case WIRE_NEW_KEYS:
        return on_new_keys(end, &wire, now);
    case WIRE_RESUME:
        if (wire.version != WIRE_VERSION)
            return BL_OTHER_VERSION;
        if (end->sync == SYNC_ASKING && !end->fetching)
            on_resume(end, &wire, now);
        return BL_OK;
    case WIRE_MARK:
        return judge_end_tail_mark(end, &wire);
    case WIRE_JUDGE_KEYS:
    case WIRE_ENTITY_KEYS:
        return judge_end_tail_keys(end, &wire);
    case WIRE_TAIL_END:
        if (!end->fetching)
            return BL_DATA;
        on_tail_end(end, &wire, now);
        return BL_OK;
    case WIRE_STOOD:
        return judge_end_take_stood(end, &wire);
    case WIRE_CLOSE_ACK:
        on_close_ack(end, &wire, now);
        return BL_OK;
    case WIRE_REPAIR:
        if (end->sync == SYNC_LIVE)
            judge_end_asked_repair(end, wire.flag, now);
        return BL_OK;
    case WIRE_DIFFERS:
        if (end->sync != SYNC_DIFFERS)
            judge_end_differs(end, "the other end says so", now);
        return BL_OK;
    case WIRE_STEWARD:
        return BL_OK; /* of an older entity's end: not for the judge's side */
    case WIRE_READY:
        end->ready = true;
        changed(end);
        return BL_OK;
    case WIRE_OFFER:
    case WIRE_FETCH:
    case WIRE_SYNC:
    case WIRE_SEGMENT:
    case WIRE_CLOSE:
    case WIRE_DIGEST:
    case WIRE_COURSE:
    case WIRE_JUDGE_KEYS_AT:
    case WIRE_ENTITY_KEYS_AT:
    case WIRE_SESSION:
    case WIRE_TAKE:
        return BL_DATA; /* only a judge's end sends these */
    }
    return BL_DATA;
}

void judge_end_progress(struct judge_end *end, struct bl_time now)
{
    END_CHANGES(end);
    uint64_t acked = end->callbacks.acked(end->callbacks.link);
    unsigned done = 0;
    judge_end_hear_told(end, now);
    while (done < end->under_way_count && end->under_way[done].sent <= acked)
        end->confirmed = end->under_way[done++].n;
    end->under_way_count -= done;
    memmove(end->under_way, end->under_way + done, end->under_way_count * sizeof end->under_way[0]);
    place_typed(end, now);
    judge_end_tell(end, now);
}

void judge_end_open(struct judge_end *end, unsigned index, unsigned count, uint64_t remaining_us,
                    bool again, struct bl_time now)
{
    END_CHANGES(end);
    if (again && end->segment != SEGMENT_OPEN)
        return; /* the segment's end was announced already, and stands */
    if (!again) {
        end->generation++;
        end->placed_before = end->sequence.by[PARTY_ENTITY];
    }
    end->segment = SEGMENT_OPEN;
    end->paused = false;
    end->index = end->part = index;
    end->count = count;
    end->cut_us = remaining_us == UINT64_MAX ? BL_NEVER : now.mono_us + remaining_us;
    end->to_tell |= TELL_SEGMENT;
    judge_end_keep_segment(end, remaining_us, now);
    judge_end_tell(end, now);
    changed(end);
}

void judge_end_plan(struct judge_end *end, unsigned last, bool enforced)
{
    END_CHANGES(end);
    end->enforced = enforced;
    end->last = last;
}

void judge_end_pause(struct judge_end *end, uint64_t remaining_us, struct bl_time now)
{
    END_CHANGES(end);
    if (end->segment == SEGMENT_CLOSING && end->cut_us == BL_NEVER)
        end->cut_us = now.mono_us + remaining_us; /* an earlier process announced the end */
    if (end->segment != SEGMENT_OPEN || end->paused)
        return;
    end->paused = true;
    end->cut_us = now.mono_us + remaining_us;
    end->to_tell |= TELL_SEGMENT;
    judge_end_keep_segment(end, remaining_us, now);
    judge_end_tell(end, now);
    changed(end);
}

void judge_end_follow(struct judge_end *end, uint64_t remaining_us, struct bl_time now)
{
    END_CHANGES(end);
    if (end->segment != SEGMENT_OPEN || end->paused)
        return;
    end->cut_us = now.mono_us + remaining_us;
    uint64_t off_us = end->cut_us > end->told_cut_us ? end->cut_us - end->told_cut_us
                                                     : end->told_cut_us - end->cut_us;
    if (off_us <= JUDGE_CLOCK_OFF_US)
        return;
    end->to_tell |= TELL_SEGMENT;
    judge_end_tell(end, now);
}

void judge_end_clock(struct judge_end *end, unsigned index, uint64_t remaining_us,
                     struct bl_time now)
{
    END_CHANGES(end);
    end->index = index;
    judge_end_keep_segment(end, remaining_us, now);
}

void judge_end_closing(struct judge_end *end, struct bl_time now)
{
    END_CHANGES(end);
    if (end->segment != SEGMENT_OPEN)
        return;
    end->segment = SEGMENT_CLOSING;
    end->closing_us = now.wall_us;
    end->paused = false;
    judge_end_keep_segment(
        end, end->cut_us == BL_NEVER || end->cut_us < now.mono_us ? 0 : end->cut_us - now.mono_us,
        now);
    if (end->typed.count) {
        refuse(end, key_queue_at(&end->typed), end->typed.count, "refused, typed too late: ", now);
        key_queue_drop(&end->typed, end->typed.count);
    }
    if (!end->close_open)
        judge_end_begin_close(end);
    judge_end_tell(end, now);
    changed(end);
}

void judge_end_cut(struct judge_end *end, bool finished, struct bl_time now)
{
    END_CHANGES(end);
    if (end->segment == SEGMENT_OPEN)
        judge_end_closing(end, now);
    end->segment = finished ? SEGMENT_FINISHED : SEGMENT_CLOSED;
    judge_end_keep_segment(end, 0, now);
    if (end->close_open && !end->was_cut) {
        end->was_cut = true;
        keep_close(end, CLOSE_UNCONFIRMED, now);
    }
    end->to_tell |= TELL_SEGMENT;
    judge_end_tell(end, now);
    changed(end);
}

void judge_end_steward(struct judge_end *end, bool called, struct bl_time now)
{
    END_CHANGES(end);
    end->steward_here = called;
    end->to_tell |= TELL_STEWARD;
    note(end, NOTE_STEWARD, 0, called ? END_STEWARD_CALLED : END_STEWARD_BACK, now);
    judge_end_tell(end, now);
    changed(end);
}

void judge_end_new_epoch(struct judge_end *end, struct bl_time now)
{
    END_CHANGES(end);
    if (end->sync != SYNC_DIFFERS)
        return;
    /* The new epoch is above the other end's as well, since this end may have lost records. */
    uint32_t epoch = (end->epoch_there > end->epoch ? end->epoch_there : end->epoch) + 1;
    struct journal_record record = {.kind = JOURNAL_EPOCH,
                                    .side = end->config.side,
                                    .wall_us = now.wall_us,
                                    .as.epoch = {.epoch = epoch, .base = end->sequence.count}};
    if (end_keep(&end->callbacks, end->ctx, &record))
        return;
    end->epoch = epoch;
    end->reset = true;
    end->takes_over = false;
    if (end->close_open)
        page_digest(end->page, end->close_digest);
    end->to_tell &= ~(unsigned)TELL_DIFFERS;
    judge_end_live(end, 0, now);
}

void judge_end_tick(struct judge_end *end, struct bl_time now)
{
    END_CHANGES(end);
    judge_end_tail_tick(end, now);
    judge_end_calls_tick(end, now);
    judge_end_tell(end, now);
}

void judge_end_replay(struct judge_end *end, const struct journal_record *record)
{
    END_CHANGES(end);
    if (record->kind == JOURNAL_HEADER || record->side != end->config.side)
        return;
    switch (record->kind) {
    case JOURNAL_KEYS:
        if (record->as.keys.first != end->sequence.count + 1) {
            /* Keys before this record are damaged: the other end sends all keys again. */
            end->holed = end->holed || record->as.keys.first > end->sequence.count + 1;
            break;
        }
        end_apply(&end->sequence, end->page, record->as.keys.party, &record->as.keys.run,
                  record->wall_us, NULL, NULL);
        if (end->close_open) /* records fetched after it */
            page_digest(end->page, end->close_digest);
        end->last_posted_us = record->wall_us;
        break;
    case JOURNAL_EPOCH:
        end->epoch = record->as.epoch.epoch;
        break;
    case JOURNAL_SEGMENT:
        if (record->as.segment.generation != end->generation) {
            end->generation = record->as.segment.generation;
            end->placed_before = end->sequence.by[PARTY_ENTITY];
        }
        if (record->as.segment.state == SEGMENT_CLOSING && end->segment == SEGMENT_OPEN) {
            end->closing_us = record->wall_us;
            judge_end_begin_close(end);
        }
        end->segment = record->as.segment.state;
        end->index = record->as.segment.index;
        if (end->segment == SEGMENT_OPEN)
            end->part = end->index;
        break;
    case JOURNAL_CLOSE:
        end->outcome = record->as.close.outcome;
        end->close_open = end->outcome == CLOSE_UNCONFIRMED;
        end->was_cut = end->close_open;
        break;
    case JOURNAL_START:
        end->has_secret = true;
        if (end->started != START_LOST)
            end->lost_open = end->segment <= SEGMENT_OPEN;
        end->takes_over = end->takes_over && record->as.start.state == START_LOST;
        end->started = record->as.start.state;
        end->damaged = record->as.start.damaged;
        memcpy(end->boot, record->as.start.boot, BOOT_SIZE);
        memcpy(end->secret, record->as.start.secret, SEAL_SECRET);
        break;
    case JOURNAL_SEAL:
    case JOURNAL_HEADER:
    case JOURNAL_PRESSED:
    case JOURNAL_UNPLACED:
    case JOURNAL_DELIVERED:
        break;
    case JOURNAL_NOTE:
        end->steward_here = end_steward_after(record, end->steward_here);
        end->takes_over = end->takes_over || record->as.note.code == NOTE_TAKEN;
        break;
    }
}

static void fill_view(void *ctx)
{
    struct judge_end *end = ctx;
    end->view = (struct judge_end_view){
        .filled = end->view.filled + 1,
        .page = end->page,
        .typed = key_queue_at(&end->typed),
        .typed_count = end->typed.count,
        .sync = end->sync,
        .segment = end->segment,
        .generation = end->generation,
        .index = end->index,
        .paused = end->paused,
        .may_type = answer_for(end) == KEY_TAKEN,
        .settled = end->confirmed == end->sequence.count && !end->typed.count && !end->close_open,
        .told = judge_end_told(end),
        .ready = end->ready,
        .steward_here = end->steward_here,
        .n = end->sequence.count,
        .confirmed = end->confirmed,
        .by_judge = end->sequence.by[PARTY_JUDGE],
        .by_entity = end->sequence.by[PARTY_ENTITY],
        .refused = end->refused,
        .differences = end->differences,
        .differs_why = end->sync == SYNC_DIFFERS ? end->differs_why : "",
        .fetched = {end->fetched[PARTY_JUDGE], end->fetched[PARTY_ENTITY]},
        .unproven_first = end->unproven_first,
        .unproven_last = end->unproven_last,
        .outcome = end->outcome,
        .other_us = end->other_us,
        .may_take = end->differs_why[0] && judge_end_may_take(end),
        .takes = end->takes_over,
        .taking = end->takes_over && end->fetching,
        .taken = end->taken,
        .stood_index = end->stood.index,
        .stood = (enum segment_state)end->stood.state,
        .stood_us = end->stood.time_us,
        .due_us = judge_end_due(end),
    };
}

const struct judge_end_view *judge_end_view(struct judge_end *end)
{
    if (end->look.changing)
        fill_view(end);
    return &end->view;
}

const struct sequence *judge_end_sequence(const struct judge_end *end)
{
    return &end->sequence;
}
