#include "session/entity_end.h"

#include "session/pressed_queue.h"
#include "session/seal.h"

#include <stdlib.h>
#include <string.h>

#define CUT_HEARD_US 1500000 /* what was sent before a cut may be heard so long after it */

enum entity_tell {
    TELL_RESUME = 1 << 0,
    TELL_DIFFERS = 1 << 1,
    TELL_STOOD = 1 << 2,
    TELL_TAIL = 1 << 3,
    TELL_TAIL_END = 1 << 4,
    TELL_READY = 1 << 5,
    TELL_STEWARD = 1 << 6,
    TELL_END_ACK = 1 << 7,
    TELL_REPAIR = 1 << 8,
};

struct entity_end {
    struct end_look look;
    struct entity_end_view view;
    struct end_ports ports;
    void *ctx;
    bool held;

    char session[SESSION_ID_MAX + 1]; /* "" before one is known */
    enum starts starts;
    struct sequence sequence;
    struct page *page;
    uint32_t epoch;
    uint64_t sealed; /* the judge's end's latest seal: up to this key; 0: none */
    uint8_t seal[SEAL_SIZE];

    struct pressed_queue own; /* keys without a place */
    uint64_t pressed;         /* keys pressed here, placed or not: the number k of the last */
    size_t sent;              /* of the queue, on this connection */
    size_t released;          /* of the queue: they may be sent; never fewer than were sent */
    uint64_t skip;   /* keys of ours that the judge's end sends again: not from the queue, */
    uint64_t skip_n; /* among the keys up to this number */
    uint64_t unplaced;

    /* This connection. */
    enum sync_state sync;
    unsigned to_tell;
    uint64_t sync_n;        /* live once we have that many */
    uint64_t placed_before; /* of our keys, before the present generation */
    uint64_t mark_us;
    struct key_stream tail; /* of the order, to a judge's end that lost it, */
    uint64_t tail_end;      /* up to this key */
    bool tail_good;
    uint8_t repair;  /* steps asked for so far */
    bool asked;      /* for all keys again: own ones wait until they come */
    struct wire end; /* the END to be acknowledged */

    bool synced_once, ready, steward_here, steward_there;
    enum segment_state segment;
    uint32_t generation, ended_generation;
    uint64_t ended_n;
    unsigned index, count;
    uint64_t cut_us;
    uint64_t stood_us; /* what was left of the segment when the line failed, or by the record; */
    uint64_t stood_wall_us, stood_left_us; /* which had so much left then */
    bool told;                             /* on this connection: in which segment we are */
    bool enforced, last; /* a controller cuts the line; no later segment of the plan is on it */
    enum end_outcome outcome;
    uint64_t differences, other_us;
    bool replaying; /* the journal is being read: nothing is written to it */
    struct bl_time now;
};

struct entity_end *entity_end_create(const struct end_ports *ports, void *ctx, bool held)
{
    struct entity_end *end = calloc(1, sizeof *end);
    if (!end)
        return NULL;
    end->ports = *ports;
    end->ctx = ctx;
    end->held = held;
    end->cut_us = BL_NEVER;
    struct style style;
    style_default(&style); /* an empty page until a session is known */
    end->page = page_create(&style);
    if (!sequence_init(&end->sequence) || !end->page) {
        entity_end_destroy(end);
        return NULL;
    }
    return end;
}

void entity_end_destroy(struct entity_end *end)
{
    if (!end)
        return;
    page_destroy(end->page);
    sequence_free(&end->sequence);
    free(end);
}

/* What this end tells the judge's end, and in which order. */

static bool under_way_full(struct entity_end *end)
{
    return end->ports.sent(end->ctx) - end->ports.acked(end->ctx) >= END_RECORDS_MAX;
}

/* The order's tail for the judge's end, which lost it. */
static enum bl_status send_tail(struct entity_end *end)
{
    /* The order may have begun anew in between: then there is no tail any more. */
    while (end->tail.cursor < end->tail_end && end->tail.cursor < end->sequence.count) {
        enum bl_status status = BL_AGAIN;
        if (!under_way_full(end))
            status = end_send_run(&end->ports, end->ctx, &end->sequence, end->epoch, &end->tail);
        if (status)
            return status;
    }
    return BL_OK;
}

/* Where the segment stood when this end heard of it last. That its time ran out since then, with
 * nobody at the other end, does not count. */
static void fill_stood(const struct entity_end *end, struct wire *wire)
{
    bool expired = end->outcome == END_PREFIX && end->ended_generation == end->generation;
    bool open =
        end->generation > 0 && (end->segment < SEGMENT_CLOSING ||
                                (expired && end->segment == SEGMENT_CLOSED && !end->enforced));
    wire->kind = WIRE_STOOD;
    wire->state = (uint8_t)(open ? SEGMENT_OPEN : end->segment);
    wire->index = (uint8_t)end->index;
    wire->time_us = open ? end->stood_us : end->segment == SEGMENT_WAITING ? UINT64_MAX : 0;
}

static enum bl_status tell(struct entity_end *end, enum entity_tell what)
{
    struct wire wire = {
        .epoch = end->epoch, .generation = end->generation, .n = end->sequence.count};
    switch (what) {
    case TELL_RESUME:
        wire.kind = WIRE_RESUME;
        wire.chain = sequence_chain(&end->sequence, end->sequence.count);
        memcpy(wire.session, end->session, sizeof wire.session);
        if (end->sealed <= end->sequence.count)
            wire.sealed = end->sealed;
        memcpy(wire.seal, end->seal, SEAL_SIZE);
        break;
    case TELL_DIFFERS:
        wire.kind = WIRE_DIFFERS;
        break;
    case TELL_STOOD:
        fill_stood(end, &wire);
        break;
    case TELL_TAIL:
        return send_tail(end);
    case TELL_TAIL_END:
        wire.kind = WIRE_TAIL_END;
        wire.flag = end->tail_good;
        break;
    case TELL_READY:
        wire.kind = WIRE_READY;
        break;
    case TELL_STEWARD:
        wire.kind = WIRE_STEWARD;
        wire.flag = end->steward_here;
        break;
    case TELL_END_ACK:
        wire = end->end;
        wire.kind = WIRE_END_ACK;
        break;
    case TELL_REPAIR:
        wire.kind = WIRE_REPAIR;
        wire.flag = end->repair > 1;
        end->asked = end->asked || wire.flag;
        break;
    }
    return end_send(&end->ports, end->ctx, &wire);
}

/* Asks places for the keys that have been released and not been sent on this connection. */
static void send_own(struct entity_end *end)
{
    while (end->sent < end->released && !under_way_full(end)) {
        uint8_t text[WIRE_TEXT_MAX];
        struct wire wire = {.kind = WIRE_NEW_KEYS, .text = text};
        size_t keys = key_queue_text(&end->own.keys, end->sent, end->released - end->sent, text,
                                     sizeof text, &wire.length);
        if (end_send(&end->ports, end->ctx, &wire))
            return;
        end->sent += keys;
    }
}

/* Tells the other end whatever is to be told and can be sent now, in order. */
static void tell_all(struct entity_end *end)
{
    if (end->sync == SYNC_DOWN)
        return;
    for (unsigned what = TELL_RESUME; what <= TELL_REPAIR; what <<= 1) {
        if (!(end->to_tell & what))
            continue;
        if (tell(end, (enum entity_tell)what))
            return;
        end->to_tell &= ~what;
    }
    if (!entity_end_may_go(end))
        return;
    if (!end->held)
        end->released = pressed_queue_count(&end->own);
    send_own(end);
}

/* Is the line open to the entity's keys, as far as this end knows? */
static bool is_open(const struct entity_end *end)
{
    return end->session[0] && end->synced_once && end->sync != SYNC_DIFFERS &&
           end->segment == SEGMENT_OPEN;
}

/* The judge has to begin, and has not. */
static bool is_early(const struct entity_end *end)
{
    return end->starts == STARTS_JUDGE && end->sequence.by[PARTY_JUDGE] == 0;
}

bool entity_end_may_go(const struct entity_end *end)
{
    /* What is sent after the question and placed before the answer would be asked for twice; and
     * in a pause nothing is placed. */
    return end->sync == SYNC_LIVE && !end->asked && end->told && is_open(end) && !is_early(end);
}

enum bl_status entity_end_begin(struct entity_end *end, const char *session, const char *line,
                                uint8_t starts)
{
    END_CHANGES(end);
    struct style style;
    if (starts > STARTS_EITHER || strlen(session) > SESSION_ID_MAX)
        return BL_DATA;
    style_default(&style);
    enum bl_status status = style_read(&style, line, NULL);
    if (status)
        return status;
    page_begin(end->page, &style);
    memcpy(end->session, session, strlen(session) + 1);
    end->starts = (enum starts)starts;
    sequence_clear(&end->sequence);
    pressed_queue_drop(&end->own, pressed_queue_count(&end->own));
    end->epoch = 0;
    end->sealed = 0;
    end->pressed = end->unplaced = end->skip = 0;
    end->sent = end->released = 0;
    end->generation = end->ended_generation = 0;
    end->segment = SEGMENT_WAITING;
    end->index = end->count = 0;
    end->cut_us = BL_NEVER;
    end->enforced = end->last = false;
    end->outcome = END_NONE;
    end->synced_once = false;
    return BL_OK;
}

static void changed(struct entity_end *end)
{
    end->ports.changed(end->ctx);
}

static enum bl_status keep(struct entity_end *end, const struct entry *entry)
{
    return end->replaying ? BL_OK : end->ports.keep(end->ctx, entry);
}

static void note(struct entity_end *end, enum note_code code, uint32_t count, const char *text)
{
    end_note(&end->ports, end->ctx, SIDE_LEFT, code, count, text, end->now.wall_us);
}

/* Does nothing come on this line any more? A cut without its END may have been a pause. */
static bool is_over(const struct entity_end *end)
{
    return end->segment == SEGMENT_FINISHED ||
           (end->segment == SEGMENT_CLOSED && end->last &&
            !(end->outcome == END_PREFIX && end->ended_generation == end->generation));
}

/* Puts on record that the keys from number `first` to `last` are on no page. */
static void keep_unplaced(struct entity_end *end, uint64_t first, uint64_t last, size_t count)
{
    struct entry entry = {.kind = ENTRY_UNPLACED,
                          .wall_us = end->now.wall_us,
                          .as.unplaced = {.first = first, .last = last}};
    keep(end, &entry);
    end->unplaced += count;
    changed(end);
}

/* The first keys of the queue leave it. */
static void leave_own(struct entity_end *end, size_t count)
{
    pressed_queue_drop(&end->own, count);
    end->sent -= end->sent < count ? end->sent : count;
    end->released -= end->released < count ? end->released : count;
}

/* The segment of the first keys is over: they stay in the journal and on no page. */
static void drop_own(struct entity_end *end, size_t count)
{
    const struct pressed_key *key = pressed_queue_at(&end->own);
    if (count == 0)
        return;
    keep_unplaced(end, key[0].k, key[count - 1].k, count);
    leave_own(end, count);
}

/* The same for all keys of the segments up to this one. */
static void drop_until(struct entity_end *end, uint32_t generation)
{
    const struct pressed_key *key = pressed_queue_at(&end->own);
    size_t count = 0;
    while (count < pressed_queue_count(&end->own) && key[count].generation <= generation)
        count++;
    drop_own(end, count);
}

static void drop_before(struct entity_end *end, uint32_t generation)
{
    if (generation > 0)
        drop_until(end, generation - 1);
}

/* One of our keys has its place: it leaves the queue. What does not fit the queue was lost here
 * with the power, and the judge's end still had it: the number is kept for it. */
static void own_placed(struct entity_end *end, uint32_t point)
{
    if (end->sequence.count > end->skip_n)
        end->skip = 0; /* of those some are not in the record that counts */
    if (end->skip) {
        end->skip--;
        return;
    }
    if (end->sequence.by[PARTY_ENTITY] > end->placed_before)
        drop_before(end, end->generation);
    if (pressed_queue_count(&end->own) == 0 || key_queue_at(&end->own.keys)[0] != point) {
        drop_own(end, pressed_queue_count(&end->own));
        uint8_t text[UTF8_MAX];
        struct entry entry = {.kind = ENTRY_PRESSED,
                              .as.pressed = {.first = ++end->pressed,
                                             .segment = end->generation,
                                             .text = text,
                                             .length = utf8_encode(point, text)}};
        keep(end, &entry); /* wall_us 0: not known any more */
        return;
    }
    leave_own(end, 1);
}

static void on_each(void *ctx, const struct key_event *event)
{
    struct entity_end *end = ctx;
    if (event->party == PARTY_JUDGE) {
        if (end->ports.judge_key)
            end->ports.judge_key(end->ctx, end->sequence.count, event->point);
    } else {
        own_placed(end, event->point);
    }
}

static void live_if_caught_up(struct entity_end *end)
{
    if (end->sync != SYNC_REPLAY || end->sequence.count < end->sync_n)
        return;
    end->sync = SYNC_LIVE;
    end->synced_once = true;
    drop_before(end, end->generation);
}

static enum bl_status on_keys(struct entity_end *end, const struct wire *wire, enum party party)
{
    if ((end->sync != SYNC_REPLAY && end->sync != SYNC_LIVE) || end->mark_us == 0 ||
        (wire_is_numbered(wire) && wire->n != end->sequence.count + 1))
        return BL_DATA;
    struct entry entry = {.kind = ENTRY_KEYS,
                          .wall_us = wire_posted_us(wire, end->mark_us),
                          .as.keys = {.epoch = end->epoch,
                                      .first = end->sequence.count + 1,
                                      .party = party,
                                      .text = wire->text,
                                      .length = wire->length}};
    enum bl_status status = keep(end, &entry);
    if (status)
        return status;
    if (party == PARTY_JUDGE)
        end->other_us = end->now.mono_us;
    if (!end_apply(&end->sequence, end->page, party, wire->text, wire->length, entry.wall_us,
                   on_each, end))
        return BL_FULL;
    live_if_caught_up(end);
    changed(end);
    return BL_OK;
}

static enum bl_status on_offer(struct entity_end *end, const struct wire *wire)
{
    bool same = strcmp(wire->session, end->session) == 0;
    if (wire->version != WIRE_VERSION)
        return BL_OTHER_VERSION;
    if (end->sync == SYNC_DOWN)
        return BL_DATA;
    if (!same || !page_has_style(end->page, wire->style)) {
        enum bl_status status =
            end->ports.adopt(end->ctx, wire->session, wire->style, wire->starts);
        /* Begun, but without its record: the next offer tries again. */
        if (status && !same && strcmp(wire->session, end->session) == 0)
            end->session[0] = '\0';
        if (status || !page_has_style(end->page, wire->style))
            return status ? status : BL_DATA;
    }
    end->sync = SYNC_ASKING;
    end->to_tell |= TELL_RESUME;
    return BL_OK;
}

/* The order comes again from its first key, the keys up to number n before any new ones. */
static void restart_order(struct entity_end *end, uint64_t n)
{
    end->skip += end->sequence.by[PARTY_ENTITY];
    end->skip_n = n;
    end->sealed = 0;
    sequence_clear(&end->sequence);
    page_clear(end->page);
}

static enum bl_status on_sync(struct entity_end *end, const struct wire *wire)
{
    if (wire->flag) {
        struct entry entry = {.kind = ENTRY_EPOCH,
                              .wall_us = end->now.wall_us,
                              .as.epoch = {.epoch = wire->epoch, .base = wire->n}};
        enum bl_status status = keep(end, &entry);
        if (status)
            return status;
        restart_order(end, wire->n);
        note(end, NOTE_REPAIR, 0, "this end's page is made anew from the judge's record");
    }
    end->epoch = wire->epoch;
    end->sync = SYNC_REPLAY;
    end->sync_n = wire->n;
    end->placed_before = wire->placed;
    end->generation = wire->generation;
    end->mark_us = 0;
    end->sent = end->released = 0;
    end->asked = false;
    if (end->ready)
        end->to_tell |= TELL_READY;
    if (end->steward_here)
        end->to_tell |= TELL_STEWARD;
    live_if_caught_up(end);
    return BL_OK;
}

/* Is our page the judge's? If not, it is made anew from our keys, and if that does not help the
 * judge's end is asked: first to do the same, then to send all keys again. */
static bool page_equals(struct entity_end *end, const uint8_t digest[DIGEST_SIZE])
{
    uint8_t ours[DIGEST_SIZE];
    page_digest(end->page, ours);
    if (memcmp(ours, digest, DIGEST_SIZE) == 0) {
        end->repair = 0;
        return true;
    }
    end->differences++;
    note(end, NOTE_DIFFERENCE, 0, "the page differs from the judge's");
    end_rebuild(&end->sequence, end->page);
    changed(end);
    page_digest(end->page, ours);
    if (memcmp(ours, digest, DIGEST_SIZE) == 0) {
        note(end, NOTE_REPAIR, 0, "the page was made anew from the keys and is equal again");
        end->repair = 0;
        return true;
    }
    if (end->repair < 2)
        end->repair++;
    end->to_tell |= TELL_REPAIR;
    return false;
}

static void keep_end(struct entity_end *end, uint32_t generation, const uint8_t *digest,
                     enum end_outcome outcome)
{
    struct entry entry = {.kind = ENTRY_END,
                          .wall_us = end->now.wall_us,
                          .as.end = {.generation = generation,
                                     .n = end->sequence.count,
                                     .placed = end->sequence.by[PARTY_ENTITY],
                                     .outcome = outcome}};
    memcpy(entry.as.end.digest, digest, DIGEST_SIZE);
    end->outcome = outcome;
    end->ended_generation = generation;
    end->ended_n = end->sequence.count;
    keep(end, &entry);
}

static enum bl_status on_end(struct entity_end *end, const struct wire *wire)
{
    if (end->sync != SYNC_LIVE || wire->n != end->sequence.count)
        return BL_DATA;
    bool repeated = end->end.kind == WIRE_END && wire->generation == end->end.generation &&
                    wire->n == end->end.n && wire->generation == end->ended_generation &&
                    memcmp(wire->digest, end->end.digest, DIGEST_SIZE) == 0;
    if (!repeated && !page_equals(end, wire->digest))
        return BL_OK;
    if (wire->generation != end->ended_generation || wire->n != end->ended_n ||
        end->outcome == END_PREFIX) {
        bool settled = wire->generation == end->ended_generation;
        drop_until(end, wire->generation);
        keep_end(end, wire->generation, wire->digest, settled ? END_SETTLED : END_AGREED);
        if (end->enforced && end->segment == SEGMENT_CLOSED && wire->generation == end->generation)
            end->segment = SEGMENT_CLOSING; /* our clock was fast: the cut is still to come */
    }
    if (wire->generation == end->generation && end->segment == SEGMENT_OPEN)
        end->segment = SEGMENT_CLOSING;
    end->end = *wire;
    end->to_tell |= TELL_END_ACK;
    changed(end);
    return BL_OK;
}

/* The judge's end says how its page is, and seals the order that stands on it. */
static void on_digest(struct entity_end *end, const struct wire *wire)
{
    if (end->sync != SYNC_LIVE || wire->n != end->sequence.count)
        return;
    page_equals(end, wire->digest);
    if (!wire->sealed || (wire->sealed == end->sealed && seal_equals(wire->seal, end->seal)))
        return;
    struct entry entry = {.kind = ENTRY_SEAL,
                          .wall_us = end->now.wall_us,
                          .as.seal = {.epoch = end->epoch, .n = wire->sealed}};
    memcpy(entry.as.seal.seal, wire->seal, SEAL_SIZE);
    keep(end, &entry);
    end->sealed = wire->sealed;
    memcpy(end->seal, wire->seal, SEAL_SIZE);
}

static void keep_segment(struct entity_end *end, uint64_t remaining_us)
{
    struct entry entry = {.kind = ENTRY_SEGMENT,
                          .wall_us = end->now.wall_us,
                          .as.segment = {.generation = end->generation,
                                         .index = (uint8_t)end->index,
                                         .state = end->segment,
                                         .remaining_us = remaining_us}};
    keep(end, &entry);
}

/* The controller cut the line after its END was told: from here on nobody can tell us anything, but
 * for a word that was on its way before the contacts opened. */
static void be_cut(struct entity_end *end)
{
    end->last = end->last || end->segment == SEGMENT_FINISHED;
    end->segment = end->last ? SEGMENT_FINISHED : SEGMENT_CLOSED;
    keep_segment(end, 0);
    note(end, NOTE_CONTROLLER, 0,
         end->last ? "the controller cuts the line: the time is over, the last part ends"
                   : "the controller cuts the line: the time of this part is over");
    if (end->ended_generation == end->generation)
        drop_until(end, is_over(end) ? UINT32_MAX : end->generation);
    changed(end);
}

/* The line was cut before its end was told, and now its segment goes on: it was a pause. */
static void go_on(struct entity_end *end, uint32_t generation)
{
    if (end->outcome == END_PREFIX && end->ended_generation == generation) {
        end->outcome = END_NONE;
        end->ended_generation = 0;
    }
}

static void on_segment(struct entity_end *end, const struct wire *wire)
{
    bool new_one = wire->generation != end->generation || wire->state != end->segment;
    bool was_open = end->segment == SEGMENT_OPEN || end->segment == SEGMENT_CLOSING;
    end->generation = wire->generation;
    drop_before(end, end->generation);
    end->segment = (enum segment_state)wire->state;
    end->index = wire->index;
    end->count = wire->count;
    end->cut_us = wire->time_us == UINT64_MAX ? BL_NEVER : end->now.mono_us + wire->time_us;
    end->told = true;
    end->enforced = wire->flag & WIRE_SEGMENT_ENFORCED;
    end->last = wire->flag & WIRE_SEGMENT_LAST;
    if (end->segment == SEGMENT_WAITING || end->segment == SEGMENT_OPEN)
        go_on(end, end->generation);
    if (end->enforced && was_open && end->segment >= SEGMENT_CLOSED)
        be_cut(end);
    else if (new_one)
        keep_segment(end, wire->time_us);
    if (end->sync == SYNC_LIVE && end->generation && end->segment >= SEGMENT_CLOSED) {
        /* The judge's end tells this after its END was answered: if that is not on record here, it
         * went with the power. */
        drop_until(end, end->generation);
        if (end->ended_generation != end->generation) {
            uint8_t digest[DIGEST_SIZE];
            page_digest(end->page, digest);
            keep_end(end, end->generation, digest, END_SETTLED);
        }
    }
    if (end->sync == SYNC_LIVE && is_over(end))
        drop_until(end, UINT32_MAX); /* pressed before this end knew */
    changed(end);
}

static void on_fetch(struct entity_end *end, const struct wire *wire)
{
    end->tail_good =
        wire->n <= end->sequence.count && sequence_chain(&end->sequence, wire->n) == wire->chain;
    end->tail = (struct key_stream){.cursor = wire->n};
    end->tail_end = end->tail_good ? end->sequence.count : wire->n;
    end->to_tell |= TELL_TAIL | TELL_TAIL_END;
}

/* Another machine at the judge's end, with nothing on record: it is given all that is here. */
static void on_take(struct entity_end *end)
{
    note(end, NOTE_TAKEN, (uint32_t)end->sequence.count,
         "another machine at the judge's end has no record of the session: it takes this one's");
    end->sync = SYNC_ASKING;
    end->tail_good = true;
    end->tail = (struct key_stream){.cursor = 0};
    end->tail_end = end->sequence.count;
    end->to_tell |= TELL_STOOD | TELL_TAIL | TELL_TAIL_END;
    changed(end);
}

static enum bl_status dispatch(struct entity_end *end, const struct wire *wire)
{
    enum party party;
    if (wire_places(wire, &party))
        return on_keys(end, wire, party);
    switch (wire->kind) {
    case WIRE_MARK:
        if (wire->n != end->sequence.count + 1 || wire->time_us == 0)
            return BL_DATA;
        end->mark_us = wire->time_us;
        return BL_OK;
    case WIRE_OFFER:
        return on_offer(end, wire);
    case WIRE_FETCH:
        on_fetch(end, wire);
        return BL_OK;
    case WIRE_TAKE:
        if (end->sync != SYNC_ASKING && end->sync != SYNC_DIFFERS)
            return BL_DATA;
        on_take(end);
        return BL_OK;
    case WIRE_SYNC:
        return end->session[0] ? on_sync(end, wire) : BL_DATA;
    case WIRE_DIFFERS:
        end->sync = SYNC_DIFFERS;
        end->differences++;
        note(end, NOTE_DIFFERENCE, 0, "the records of the two ends differ; a steward must decide");
        changed(end);
        return BL_OK;
    case WIRE_SEGMENT:
        on_segment(end, wire);
        return BL_OK;
    case WIRE_END:
        return on_end(end, wire);
    case WIRE_DIGEST:
        on_digest(end, wire);
        return BL_OK;
    case WIRE_STEWARD:
        if (end->steward_there == (wire->flag != 0))
            return BL_OK;
        end->steward_there = wire->flag;
        note(end, NOTE_STEWARD, 0,
             wire->flag ? "the judge's end calls the steward"
                        : "the judge's end takes the call back");
        changed(end);
        return BL_OK;
    case WIRE_COURSE:
    case WIRE_SESSION:
        return BL_OK;
    case WIRE_JUDGE_KEYS:
    case WIRE_ENTITY_KEYS:
    case WIRE_JUDGE_KEYS_AT:
    case WIRE_ENTITY_KEYS_AT:
    case WIRE_NEW_KEYS:
    case WIRE_RESUME:
    case WIRE_TAIL_END:
    case WIRE_END_ACK:
    case WIRE_REPAIR:
    case WIRE_READY:
    case WIRE_STOOD:
        return BL_DATA; /* an entity's end never gets these */
    }
    return BL_DATA;
}

enum bl_status entity_end_record(struct entity_end *end, const uint8_t *record, size_t length,
                                 struct bl_time now)
{
    END_CHANGES(end);
    struct wire wire;
    enum bl_status status = wire_decode(&wire, record, length);
    end->now = now;
    if (!status && !end->session[0] && wire.kind != WIRE_OFFER)
        status = BL_DATA;
    if (!status)
        status = dispatch(end, &wire);
    if (!status)
        tell_all(end);
    return status;
}

/* The cut came and no END with it: what is here is a prefix of the judge's page. */
static void expire(struct entity_end *end)
{
    uint8_t digest[DIGEST_SIZE];
    page_digest(end->page, digest);
    end->segment = SEGMENT_CLOSED;
    keep_segment(end, 0);
    keep_end(end, end->generation, digest, END_PREFIX);
    if (end->enforced)
        note(end, NOTE_CONTROLLER, 0, "the line was cut, and its end was not told before");
    changed(end);
}

/* When the line is, or was, cut by the time that was told last; BL_NEVER. A cut by a controller is
 * not told, and while the connection has not noticed it an END may still come. */
static uint64_t cut_due(const struct entity_end *end)
{
    if (end->cut_us == BL_NEVER)
        return BL_NEVER;
    if (end->segment == SEGMENT_OPEN && end->ended_generation != end->generation) {
        if (end->sync != SYNC_LIVE)
            return end->cut_us;
        return end->enforced ? end->cut_us + CUT_HEARD_US : BL_NEVER;
    }
    return end->segment == SEGMENT_CLOSING && end->enforced ? end->cut_us : BL_NEVER;
}

void entity_end_tick(struct entity_end *end, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    if (now.mono_us < cut_due(end))
        return;
    if (end->segment == SEGMENT_OPEN)
        expire(end);
    else
        be_cut(end);
}

uint64_t entity_end_due(const struct entity_end *end)
{
    return cut_due(end);
}

void entity_end_link(struct entity_end *end, bool up, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    if (!up && end->told && end->segment == SEGMENT_OPEN)
        end->stood_us = end->cut_us == BL_NEVER      ? UINT64_MAX
                        : end->cut_us <= now.mono_us ? 0
                                                     : end->cut_us - now.mono_us;
    end->sync = up ? SYNC_ASKING : SYNC_DOWN;
    end->told = false;
    end->to_tell = 0;
    if (up)
        end->steward_there = false; /* the other end says so again if it is true */
    end->sent = end->released = 0;
    end->repair = 0;
    end->asked = false;
    changed(end);
}

void entity_end_progress(struct entity_end *end, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    tell_all(end);
}

/* The segment that a key pressed now belongs to: the present one, or the next one when it is over.
 */
static uint32_t generation_now(const struct entity_end *end)
{
    return end->generation + (end->generation == 0 || end->segment >= SEGMENT_CLOSED);
}

enum key_answer entity_end_key(struct entity_end *end, uint32_t point, struct bl_time pressed)
{
    END_CHANGES(end);
    uint8_t text[UTF8_MAX];
    end->now = pressed;
    if (!end->session[0])
        return KEY_REFUSED_APART;
    if (is_over(end))
        return KEY_REFUSED_CLOSED;
    if (pressed_queue_count(&end->own) == KEY_QUEUE_MAX)
        return KEY_WAIT;
    struct pressed_key key = {
        .k = end->pressed + 1, .pressed_us = pressed.wall_us, .generation = generation_now(end)};
    struct entry entry = {.kind = ENTRY_PRESSED,
                          .wall_us = key.pressed_us,
                          .as.pressed = {.first = key.k,
                                         .segment = key.generation,
                                         .text = text,
                                         .length = utf8_encode(point, text)}};
    if (keep(end, &entry))
        return KEY_REFUSED_FULL;
    end->pressed++;
    pressed_queue_push(&end->own, point, &key);
    tell_all(end);
    changed(end);
    return KEY_TAKEN;
}

void entity_end_erase(struct entity_end *end, size_t keys, struct bl_time now)
{
    size_t count = pressed_queue_count(&end->own);
    const struct pressed_key *key = pressed_queue_at(&end->own);
    if (keys == 0 || keys > count - end->released)
        return;
    END_CHANGES(end);
    end->now = now;
    keep_unplaced(end, key[count - keys].k, key[count - 1].k, keys);
    pressed_queue_remove(&end->own, count - keys, keys);
}

void entity_end_held(const struct entity_end *end, struct entity_end_held *held)
{
    *held = (struct entity_end_held){
        .under_way = end->released,
        .count = pressed_queue_count(&end->own) - end->released,
        .point = key_queue_at(&end->own.keys) + end->released,
        .key = pressed_queue_at(&end->own) + end->released,
    };
}

void entity_end_release(struct entity_end *end, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    if (end->released < pressed_queue_count(&end->own))
        end->released++;
    tell_all(end);
}

/* Cut by a controller in the last part, with its end untold. */
static bool may_conclude(const struct entity_end *end)
{
    return end->enforced && end->last && end->segment == SEGMENT_CLOSED && !is_over(end);
}

void entity_end_conclude(struct entity_end *end, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    if (!may_conclude(end))
        return;
    end->segment = SEGMENT_FINISHED;
    keep_segment(end, 0);
    note(end, NOTE_CONTROLLER, 0,
         "an attendant says that the session is over: the cut was not confirmed");
    drop_until(end, UINT32_MAX);
    changed(end);
}

void entity_end_steward(struct entity_end *end, bool called, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    end->steward_here = called;
    end->to_tell |= TELL_STEWARD;
    if (end->session[0])
        note(end, NOTE_STEWARD, 0, called ? END_STEWARD_CALLED : END_STEWARD_BACK);
    tell_all(end);
    changed(end);
}

void entity_end_ready(struct entity_end *end)
{
    END_CHANGES(end);
    if (end->ready)
        return;
    end->ready = true;
    if (end->sync == SYNC_REPLAY || end->sync == SYNC_LIVE) {
        end->to_tell |= TELL_READY;
        tell_all(end);
    }
}

static void replay_pressed(struct entity_end *end, const struct entry *entry)
{
    const uint8_t *text = entry->as.pressed.text;
    size_t length = entry->as.pressed.length, taken;
    uint32_t point;
    if (entry->as.pressed.first <= end->pressed)
        return; /* the number was kept for a key that had its place already */
    while ((taken = utf8_decode(text, length, &point))) {
        struct pressed_key key = {.k = ++end->pressed,
                                  .pressed_us = entry->wall_us,
                                  .generation = entry->as.pressed.segment};
        if (entry->wall_us)
            pressed_queue_push(&end->own, point, &key);
        text += taken;
        length -= taken;
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

/* The segment's time ran at least until the latest entry. */
static void replay_stood(struct entity_end *end, const struct entry *entry)
{
    if (entry->kind == ENTRY_SEGMENT) {
        end->stood_left_us = entry->as.segment.remaining_us;
        end->stood_wall_us = entry->wall_us;
    }
    uint64_t ran_us = entry->wall_us > end->stood_wall_us ? entry->wall_us - end->stood_wall_us : 0;
    if (end->segment != SEGMENT_OPEN && entry->kind != ENTRY_SEGMENT)
        return; /* its time had run out */
    if (end->stood_left_us == UINT64_MAX)
        end->stood_us = UINT64_MAX;
    else
        end->stood_us = ran_us < end->stood_left_us ? end->stood_left_us - ran_us : 0;
}

void entity_end_replay(struct entity_end *end, const struct entry *entry)
{
    END_CHANGES(end);
    end->replaying = true;
    replay_stood(end, entry);
    switch (entry->kind) {
    case ENTRY_KEYS:
        if (entry->as.keys.first != end->sequence.count + 1)
            break; /* keys before these are damaged: the other end gives them all again */
        end_apply(&end->sequence, end->page, entry->as.keys.party, entry->as.keys.text,
                  entry->as.keys.length, entry->wall_us, on_each, end);
        end->epoch = entry->as.keys.epoch;
        break;
    case ENTRY_PRESSED:
        replay_pressed(end, entry);
        break;
    case ENTRY_UNPLACED:
        replay_unplaced(end, entry->as.unplaced.first, entry->as.unplaced.last);
        break;
    case ENTRY_EPOCH:
        end->epoch = entry->as.epoch.epoch;
        restart_order(end, entry->as.epoch.base);
        break;
    case ENTRY_SEGMENT:
        end->generation = entry->as.segment.generation;
        end->segment = entry->as.segment.state;
        if (end->segment == SEGMENT_WAITING || end->segment == SEGMENT_OPEN)
            go_on(end, end->generation);
        end->index = entry->as.segment.index;
        break;
    case ENTRY_END:
        end->outcome = entry->as.end.outcome;
        end->ended_generation = entry->as.end.generation;
        end->ended_n = entry->as.end.n;
        break;
    case ENTRY_SEAL:
        end->sealed = entry->as.seal.epoch == end->epoch ? entry->as.seal.n : 0;
        memcpy(end->seal, entry->as.seal.seal, SEAL_SIZE);
        break;
    case ENTRY_NOTE:
        end->steward_here = end_steward_after(entry, end->steward_here);
        break;
    case ENTRY_HEADER:
    case ENTRY_DELIVERED:
    case ENTRY_START:
        break;
    }
    end->replaying = false;
}

/* What it shows of itself. */

const struct entity_end_view *entity_end_view(struct entity_end *end)
{
    if (!end_look_wants(&end->look))
        return &end->view;
    end->view = (struct entity_end_view){
        .filled = end->view.filled + 1,
        .page = end->page,
        .session = end->session,
        .pending = key_queue_at(&end->own.keys),
        .pending_count = pressed_queue_count(&end->own),
        .sync = end->sync,
        .segment = end->segment,
        .index = end->index,
        .count = end->count,
        .cut_us = end->cut_us,
        .enforced = end->enforced,
        .paused = end->segment == SEGMENT_WAITING && end->generation > 0,
        .may_type = is_open(end) && !is_early(end),
        .early = is_open(end) && is_early(end),
        .may_conclude = may_conclude(end),
        .steward_here = end->steward_here,
        .steward_there = end->steward_there,
        .n = end->sequence.count,
        .by_judge = end->sequence.by[PARTY_JUDGE],
        .by_entity = end->sequence.by[PARTY_ENTITY],
        .pressed = end->pressed,
        .unplaced = end->unplaced,
        .differences = end->differences,
        .outcome = end->outcome,
        .other_us = end->other_us,
    };
    return &end->view;
}

const struct sequence *entity_end_sequence(const struct entity_end *end)
{
    return &end->sequence;
}
