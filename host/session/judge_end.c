#include "session/judge_end_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGEST_EVERY_US 1000000
/* The session and where it stands are told again when something else is, so often. */
#define SESSION_EVERY_US 5000000
#define SESSION_SOON_US  1000000 /* so soon after news of a segment */
#define END_EVERY_US     50000 /* END is repeated while there is time: 10 chances before the cut */

struct judge_end *judge_end_create(const struct judge_end_config *config,
                                   const struct end_ports *ports, void *ctx)
{
    struct judge_end *end = calloc(1, sizeof *end);
    if (!end)
        return NULL;
    end->config = *config;
    end->ports = *ports;
    end->ctx = ctx;
    end->page = page_create(&config->style);
    if (!sequence_init(&end->sequence) || !end->page) {
        judge_end_destroy(end);
        return NULL;
    }
    end->cut_us = BL_NEVER;
    end->last = UINT_MAX;
    end->differs_why = "";
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

/* What this end tells the other end, and in which order. */

static enum bl_status send_course(struct judge_end *end, const struct entry *entry, uint64_t n)
{
    struct wire wire = {.kind = WIRE_COURSE, .n = n, .time_us = entry->wall_us};
    if (entry->kind == ENTRY_END) {
        wire.generation = entry->as.end.generation;
        wire.placed = entry->as.end.placed;
        wire.outcome = (uint8_t)entry->as.end.outcome;
        memcpy(wire.digest, entry->as.end.digest, DIGEST_SIZE);
    } else {
        wire.generation = entry->as.segment.generation;
        wire.state = (uint8_t)entry->as.segment.state;
        wire.index = entry->as.segment.index;
    }
    return end_send(&end->ports, end->ctx, &wire);
}

/* What was recorded of segments up to key n of the order; BL_AGAIN: later. */
static enum bl_status send_courses(struct judge_end *end, uint64_t n, struct bl_time now)
{
    unsigned done = 0;
    enum bl_status status = BL_OK;
    while (done < end->courses && end->course_n[done] <= n) {
        const struct entry *entry = &end->course[done];
        status = send_course(end, entry, end->course_n[done]);
        if (status)
            break;
        end->said[entry->kind == ENTRY_END] = *entry;
        done++;
    }
    if (done && now.mono_us + SESSION_SOON_US < end->session_due_us)
        end->session_due_us = now.mono_us + SESSION_SOON_US;
    end->courses -= done;
    memmove(end->course, end->course + done, end->courses * sizeof end->course[0]);
    memmove(end->course_n, end->course_n + done, end->courses * sizeof end->course_n[0]);
    return status;
}

/* Sends the keys that the other end has not had on this connection. */
static enum bl_status send_keys(struct judge_end *end, struct bl_time now)
{
    for (;;) {
        if (send_courses(end, end->out.cursor, now))
            return BL_AGAIN;
        if (end->out.cursor == end->sequence.count)
            return BL_OK;
        if (end->under_way_count == END_RECORDS_MAX)
            return BL_AGAIN;
        enum bl_status status =
            end_send_run(&end->ports, end->ctx, &end->sequence, end->epoch, &end->out);
        if (status)
            return status;
        end->under_way[end->under_way_count].sent = end->ports.sent(end->ctx);
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

/* Tells the other end one thing of the to-do list. */
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
        wire.index = (uint8_t)end->index;
        wire.count = (uint8_t)end->count;
        wire.time_us = end->cut_us == BL_NEVER      ? UINT64_MAX
                       : end->cut_us <= now.mono_us ? 0
                                                    : end->cut_us - now.mono_us;
        wire.flag = (uint8_t)((end->enforced ? WIRE_SEGMENT_ENFORCED : 0) |
                              (end->index >= end->last ? WIRE_SEGMENT_LAST : 0));
        end->told_cut_us = end->cut_us;
        break;
    case TELL_END:
        wire.kind = WIRE_END;
        wire.generation = end->end_generation;
        wire.placed = end->sequence.by[PARTY_ENTITY];
        memcpy(wire.digest, end->end_digest, DIGEST_SIZE);
        break;
    case TELL_DIGEST:
        wire.kind = WIRE_DIGEST;
        page_digest(end->page, wire.digest);
        judge_end_seal(end, &wire);
        break;
    }
    return end_send(&end->ports, end->ctx, &wire);
}

static bool tell_if(struct judge_end *end, enum judge_tell what, struct bl_time now)
{
    if (!(end->to_tell & what))
        return true;
    if (tell(end, what, now))
        return false;
    end->to_tell &= ~(unsigned)what;
    return true;
}

static bool repeats_end(const struct judge_end *end)
{
    return end->end_open && end->segment == SEGMENT_CLOSING && end->sync == SYNC_LIVE &&
           !(end->to_tell & TELL_END);
}

/* All keys are on their way and a digest of them is not. */
static bool digest_waits(const struct judge_end *end)
{
    return end->sync == SYNC_LIVE && end->digest_n != end->sequence.count &&
           end->out.cursor == end->sequence.count && !(end->to_tell & TELL_DIGEST);
}

/* Tells the session again, and where its segment stands, to who may have missed it. */
static void tell_session(struct judge_end *end, struct bl_time now)
{
    if (now.mono_us >= end->session_due_us) {
        end->to_tell |= TELL_SESSION;
        end->session_due_us = now.mono_us + SESSION_EVERY_US;
    }
    if (!(end->to_tell & TELL_SESSION) || !tell_if(end, TELL_SESSION, now))
        return;
    for (unsigned i = 0; i < 2; i++) {
        const struct entry *entry = &end->said[i];
        if (entry->wall_us)
            send_course(end, entry, i ? entry->as.end.n : end->sequence.count);
    }
}

void judge_end_tell(struct judge_end *end, struct bl_time now)
{
    if (repeats_end(end) && now.mono_us >= end->end_due_us)
        end->to_tell |= TELL_END;
    if (end->sync == SYNC_DOWN)
        return;
    if (!tell_if(end, TELL_OFFER, now) || !tell_if(end, TELL_FETCH, now) ||
        !tell_if(end, TELL_TAKE, now) || !tell_if(end, TELL_DIFFERS, now) ||
        !tell_if(end, TELL_STEWARD, now))
        return;
    if (end->sync != SYNC_LIVE)
        return;
    if (digest_waits(end) && now.mono_us >= end->digest_due_us)
        end->to_tell |= TELL_DIGEST; /* from here on it waits for the link, not for time */
    if (!tell_if(end, TELL_SYNC, now))
        return;
    /* An opening is told before the segment's keys, everything else after them. */
    if (end->segment == SEGMENT_OPEN && !end->end_open && !tell_if(end, TELL_SEGMENT, now))
        return;
    if (send_keys(end, now))
        return;
    if (end->to_tell & TELL_END)
        end->end_due_us = now.mono_us + END_EVERY_US;
    if (!tell_if(end, TELL_END, now) || !tell_if(end, TELL_SEGMENT, now))
        return;
    if (digest_waits(end) && now.mono_us >= end->digest_due_us)
        end->to_tell |= TELL_DIGEST;
    if (end->to_tell & TELL_DIGEST && tell_if(end, TELL_DIGEST, now)) {
        end->digest_n = end->sequence.count;
        end->digest_due_us = now.mono_us + DIGEST_EVERY_US;
    }
    if (end->config.listened)
        tell_session(end, now);
}

/* When something is to be told without anything else happening; BL_NEVER. */
static uint64_t tell_due(const struct judge_end *end)
{
    if (repeats_end(end))
        return end->end_due_us;
    return digest_waits(end) ? end->digest_due_us : BL_NEVER;
}

/* What happens to it. */

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
    end->ports.changed(end->ctx);
}

static void note(struct judge_end *end, enum note_code code, uint32_t count, const char *text,
                 struct bl_time now)
{
    end_note(&end->ports, end->ctx, end->config.side, code, count, text, now.wall_us);
}

/* Tells on the line what was recorded of a segment. */
static void tell_course(struct judge_end *end, const struct entry *entry)
{
    if (entry->kind == ENTRY_SEGMENT) {
        if (end->course_generation == end->generation && end->course_state == end->segment)
            return; /* its clock alone was recorded */
        end->course_generation = end->generation;
        end->course_state = end->segment;
    }
    if (end->courses == COURSES_MAX) {
        end->courses--;
        memmove(end->course, end->course + 1, end->courses * sizeof end->course[0]);
        memmove(end->course_n, end->course_n + 1, end->courses * sizeof end->course_n[0]);
    }
    end->course_n[end->courses] = end->sequence.count;
    end->course[end->courses++] = *entry;
}

void judge_end_keep_segment(struct judge_end *end, uint64_t remaining_us, struct bl_time now)
{
    struct entry entry = {.kind = ENTRY_SEGMENT,
                          .side = end->config.side,
                          .wall_us = now.wall_us,
                          .as.segment = {.generation = end->generation,
                                         .index = (uint8_t)end->index,
                                         .state = end->segment,
                                         .remaining_us = remaining_us}};
    end->ports.keep(end->ctx, &entry);
    tell_course(end, &entry);
}

static void keep_end(struct judge_end *end, enum end_outcome outcome, struct bl_time now)
{
    struct entry entry = {.kind = ENTRY_END,
                          .side = end->config.side,
                          .wall_us = now.wall_us,
                          .as.end = {.generation = end->end_generation,
                                     .n = end->sequence.count,
                                     .placed = end->sequence.by[PARTY_ENTITY],
                                     .outcome = outcome}};
    memcpy(entry.as.end.digest, end->end_digest, DIGEST_SIZE);
    end->outcome = outcome;
    end->ports.keep(end->ctx, &entry);
    tell_course(end, &entry);
}

void judge_end_open_end(struct judge_end *end)
{
    end->end_open = true;
    end->was_cut = false;
    end->outcome = END_NONE;
    end->end_generation = end->generation;
    page_digest(end->page, end->end_digest);
    end->to_tell |= TELL_END;
}

enum bl_status judge_end_put(struct judge_end *end, enum party party, const uint8_t *text,
                             size_t length, uint64_t posted_us)
{
    if (end->sequence.count + length > SEQUENCE_MAX)
        return BL_FULL;
    struct entry entry = {.kind = ENTRY_KEYS,
                          .side = end->config.side,
                          .wall_us = posted_us,
                          .as.keys = {.epoch = end->epoch,
                                      .first = end->sequence.count + 1,
                                      .party = party,
                                      .text = text,
                                      .length = length}};
    enum bl_status status = end->ports.keep(end->ctx, &entry);
    if (status)
        return status;
    end->last_posted_us = posted_us;
    end_apply(&end->sequence, end->page, party, text, length, posted_us, NULL, NULL);
    changed(end);
    return BL_OK;
}

/* The judge's clock for a key placed now: it never steps back, whatever the machine's clock does.
 */
static uint64_t posted_at(const struct judge_end *end, struct bl_time now)
{
    return now.wall_us > end->last_posted_us ? now.wall_us : end->last_posted_us;
}

static bool may_place(const struct judge_end *end)
{
    return end->segment == SEGMENT_OPEN && end->synced_once && !end->end_open &&
           end->sync != SYNC_DIFFERS && !end->fetching;
}

static bool has_room(const struct judge_end *end)
{
    return end->under_way_count < END_RECORDS_MAX &&
           end->sequence.count - end->confirmed < END_UNCONFIRMED_MAX;
}

/* Places what was typed ahead, as much as may be under way. */
static void place_typed(struct judge_end *end, struct bl_time now)
{
    while (end->typed.count && may_place(end) && has_room(end)) {
        uint8_t text[WIRE_TEXT_MAX];
        size_t length;
        size_t most = END_UNCONFIRMED_MAX - (size_t)(end->sequence.count - end->confirmed);
        size_t keys = key_queue_text(&end->typed, 0, most, text, sizeof text, &length);
        if (judge_end_put(end, PARTY_JUDGE, text, length, posted_at(end, now)))
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

static enum key_answer answer_for(const struct judge_end *end)
{
    if (end->segment != SEGMENT_OPEN)
        return KEY_REFUSED_CLOSED;
    if (end->paused)
        return KEY_REFUSED_PAUSED;
    if (!end->synced_once || end->sync == SYNC_DIFFERS)
        return KEY_REFUSED_APART;
    return KEY_TAKEN;
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
    if (!may_place(end) || !has_room(end) || end->typed.count)
        return KEY_WAIT;
    if (judge_end_put(end, PARTY_JUDGE, text, utf8_encode(point, text), posted_at(end, now)))
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
    end->to_tell &= TELL_SEGMENT | TELL_END;
    end->reset = false;
    end->fetching = false;
    end->under_way_count = 0;
    end->ready = false;
    judge_end_calls_link(end, up);
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
    end->sync = SYNC_LIVE;
    end->synced_once = true;
    end->differs_why = "";
    judge_end_whole(end, now);
    end->out = (struct key_stream){.cursor = n, .numbered = end->config.listened};
    end->session_due_us = now.mono_us;
    end->confirmed = n;
    end->under_way_count = 0;
    end->digest_n = 0;
    end->to_tell |= TELL_SYNC | TELL_SEGMENT;
    if (end->end_open)
        end->to_tell |= TELL_END;
    judge_end_tell(end, now);
    place_typed(end, now);
    changed(end);
}

void judge_end_differs(struct judge_end *end, const char *why, struct bl_time now)
{
    char text[NOTE_MAX];
    end->sync = SYNC_DIFFERS;
    end->fetching = false;
    end->synced_once = false; /* nothing is placed until this is settled, be the line up or down */
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
    if (end->end_open)
        page_digest(end->page, end->end_digest);
    judge_end_live(end, end->sequence.count, now);
}

static enum bl_status on_new_keys(struct judge_end *end, const struct wire *wire,
                                  struct bl_time now)
{
    /* Keys that come outside their segment are left to the journal of the end where they were
     * pressed: nothing of them is kept here. */
    if (end->sync != SYNC_LIVE || !may_place(end))
        return BL_OK;
    if (end->config.starts == STARTS_JUDGE && end->sequence.by[PARTY_JUDGE] == 0)
        return BL_OK;
    enum bl_status status =
        judge_end_put(end, PARTY_ENTITY, wire->text, wire->length, posted_at(end, now));
    end->other_us = now.mono_us;
    judge_end_tell(end, now);
    return status == BL_FULL && end->sequence.count + wire->length > SEQUENCE_MAX ? BL_OK : status;
}

static void on_end_ack(struct judge_end *end, const struct wire *wire, struct bl_time now)
{
    if (!end->end_open || wire->generation != end->end_generation ||
        wire->n != end->sequence.count || memcmp(wire->digest, end->end_digest, DIGEST_SIZE) != 0)
        return;
    end->end_open = false;
    end->confirmed = end->sequence.count;
    keep_end(end, end->was_cut ? END_SETTLED : END_AGREED, now);
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
    case WIRE_END_ACK:
        on_end_ack(end, &wire, now);
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
        judge_end_asked_steward(end, wire.flag, now);
        return BL_OK;
    case WIRE_READY:
        end->ready = true;
        changed(end);
        return BL_OK;
    case WIRE_OFFER:
    case WIRE_FETCH:
    case WIRE_SYNC:
    case WIRE_SEGMENT:
    case WIRE_END:
    case WIRE_DIGEST:
    case WIRE_COURSE:
    case WIRE_JUDGE_KEYS_AT:
    case WIRE_ENTITY_KEYS_AT:
    case WIRE_SESSION:
    case WIRE_TAKE:
        return BL_DATA; /* a judge's end never gets these */
    }
    return BL_DATA;
}

void judge_end_progress(struct judge_end *end, struct bl_time now)
{
    END_CHANGES(end);
    uint64_t acked = end->ports.acked(end->ctx);
    unsigned done = 0;
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
        return; /* its end was announced already: it stays so */
    if (!again) {
        end->generation++;
        end->placed_before = end->sequence.by[PARTY_ENTITY];
    }
    end->segment = SEGMENT_OPEN;
    end->paused = false;
    end->index = index;
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
    end->paused = false;
    judge_end_keep_segment(
        end, end->cut_us == BL_NEVER || end->cut_us < now.mono_us ? 0 : end->cut_us - now.mono_us,
        now);
    if (end->typed.count) {
        refuse(end, key_queue_at(&end->typed), end->typed.count, "refused, typed too late: ", now);
        key_queue_drop(&end->typed, end->typed.count);
    }
    if (!end->end_open)
        judge_end_open_end(end);
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
    if (end->end_open && !end->was_cut) {
        end->was_cut = true;
        keep_end(end, END_UNCONFIRMED, now);
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
    struct entry entry = {.kind = ENTRY_EPOCH,
                          .side = end->config.side,
                          .wall_us = now.wall_us,
                          .as.epoch = {.epoch = end->epoch + 1, .base = end->sequence.count}};
    if (end->ports.keep(end->ctx, &entry))
        return;
    end->epoch++;
    end->reset = true;
    if (end->end_open)
        page_digest(end->page, end->end_digest);
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

uint64_t judge_end_due(const struct judge_end *end)
{
    uint64_t due_us = tell_due(end), calls_us = judge_end_calls_due(end);
    if (end->fetching && end->tail.due_us < due_us)
        due_us = end->tail.due_us;
    return calls_us < due_us ? calls_us : due_us;
}

void judge_end_replay(struct judge_end *end, const struct entry *entry)
{
    END_CHANGES(end);
    if (entry->kind == ENTRY_HEADER || entry->side != end->config.side)
        return;
    switch (entry->kind) {
    case ENTRY_KEYS:
        if (entry->as.keys.first != end->sequence.count + 1) {
            /* Keys before these are damaged: the other end gives them all again. */
            end->holed = end->holed || entry->as.keys.first > end->sequence.count + 1;
            break;
        }
        end_apply(&end->sequence, end->page, entry->as.keys.party, entry->as.keys.text,
                  entry->as.keys.length, entry->wall_us, NULL, NULL);
        end->last_posted_us = entry->wall_us;
        break;
    case ENTRY_EPOCH:
        end->epoch = entry->as.epoch.epoch;
        break;
    case ENTRY_SEGMENT:
        if (entry->as.segment.generation != end->generation) {
            end->generation = entry->as.segment.generation;
            end->placed_before = end->sequence.by[PARTY_ENTITY];
        }
        if (entry->as.segment.state == SEGMENT_CLOSING && end->segment == SEGMENT_OPEN)
            judge_end_open_end(end);
        end->segment = entry->as.segment.state;
        end->index = entry->as.segment.index;
        break;
    case ENTRY_END:
        end->outcome = entry->as.end.outcome;
        end->end_open = end->outcome == END_UNCONFIRMED;
        end->was_cut = end->end_open;
        break;
    case ENTRY_START:
        end->has_secret = true;
        end->takes_over = end->takes_over && entry->as.start.state == START_LOST;
        end->started = entry->as.start.state;
        end->damaged = entry->as.start.damaged;
        memcpy(end->boot, entry->as.start.boot, BOOT_SIZE);
        memcpy(end->secret, entry->as.start.secret, SEAL_SECRET);
        break;
    case ENTRY_SEAL:
    case ENTRY_HEADER:
    case ENTRY_PRESSED:
    case ENTRY_UNPLACED:
    case ENTRY_DELIVERED:
        break;
    case ENTRY_NOTE:
        end->steward_here = end_steward_after(entry, end->steward_here);
        end->takes_over = end->takes_over || entry->as.note.code == NOTE_TAKEN;
        break;
    }
}

const struct judge_end_view *judge_end_view(struct judge_end *end)
{
    if (!end_look_wants(&end->look))
        return &end->view;
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
        .settled = end->confirmed == end->sequence.count && !end->typed.count && !end->end_open,
        .told = !(end->to_tell & TELL_SEGMENT),
        .ready = end->ready,
        .steward_here = end->steward_here,
        .steward_there = end->steward_there,
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
        .may_take = end->sync == SYNC_DIFFERS && judge_end_may_take(end),
        .takes = end->takes_over,
        .taken = end->taken,
        .stood_index = end->stood.index,
        .stood = (enum segment_state)end->stood.state,
        .stood_us = end->stood.time_us,
    };
    return &end->view;
}

const struct sequence *judge_end_sequence(const struct judge_end *end)
{
    return &end->sequence;
}
