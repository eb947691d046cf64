#include "session/entity_end_private.h"

#include "base/assert.h"
#include "session/seal.h"

#include <stdlib.h>
#include <string.h>

static void fill_view(void *ctx);

struct entity_end *entity_end_create(const struct end_callbacks *callbacks, void *ctx, bool held)
{
    struct entity_end *end = calloc(1, sizeof *end);
    if (!end)
        return NULL;
    end->callbacks = end_callbacks_of(callbacks, ctx);
    end->ctx = ctx;
    end->look = (struct end_look){.fill = fill_view, .end = end};
    end->held = held;
    end->cut_us = BL_NEVER;
    struct style style;
    style_default(&style); /* for the empty page before a session is known */
    end->page = page_create(&style);
    if (!sequence_init(&end->sequence) || !end->page) {
        entity_end_destroy(end);
        return NULL;
    }
    fill_view(end);
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

static bool is_open(const struct entity_end *end)
{
    return end->session[0] && end->synced_once && end->sync != SYNC_DIFFERS &&
           end->segment == SEGMENT_OPEN;
}

static bool is_early(const struct entity_end *end)
{
    return end->starts == STARTS_JUDGE && end->sequence.by[PARTY_JUDGE] == 0;
}

bool entity_end_may_go(const struct entity_end *end)
{
    /* A key sent after a request for all keys and placed before the answer would get a second
     * place. */
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
    end->written.keys = 0; /* the keys' numbers begin anew */
    end->generation = end->closed_generation = end->over_generation = 0;
    end->over_us = 0;
    end->segment = SEGMENT_WAITING;
    end->index = end->count = 0;
    end->cut_us = BL_NEVER;
    end->enforced = end->last = end->heard_plan = end->alone = false;
    end->alone_us = BL_NEVER;
    end->outcome = CLOSE_NONE;
    end->synced_once = false;
    return BL_OK;
}

void entity_end_changed(struct entity_end *end)
{
    end_changed(&end->callbacks);
}

enum bl_status entity_end_keep(struct entity_end *end, const struct journal_record *record)
{
    return end->replaying ? BL_OK : end_keep(&end->callbacks, end->ctx, record);
}

void entity_end_note(struct entity_end *end, enum note_code code, uint32_t count, const char *text)
{
    end_note(&end->callbacks, end->ctx, SIDE_LEFT, code, count, text, end->now.wall_us);
}

bool entity_end_is_over(const struct entity_end *end)
{
    return end->segment == SEGMENT_FINISHED ||
           (end->segment == SEGMENT_CLOSED && end->last &&
            !(end->outcome == CLOSE_PREFIX && end->closed_generation == end->generation));
}

/* Records that the keys from number `first` to `last` get no place. */
static void keep_unplaced(struct entity_end *end, uint64_t first, uint64_t last, size_t count)
{
    bl_assert(first > 0 && first <= last && last <= end->pressed);
    struct journal_record record = {.kind = JOURNAL_UNPLACED,
                                    .wall_us = end->now.wall_us,
                                    .as.unplaced = {.first = first, .last = last}};
    entity_end_keep(end, &record);
    end->unplaced += count;
    entity_end_changed(end);
}

static void leave_own(struct entity_end *end, size_t count)
{
    pressed_queue_drop(&end->own, count);
    end->sent -= end->sent < count ? end->sent : count;
    end->released -= end->released < count ? end->released : count;
    bl_assert(end->sent <= pressed_queue_count(&end->own));
    bl_assert(end->released <= pressed_queue_count(&end->own));
}

static void drop_own(struct entity_end *end, size_t count)
{
    const struct pressed_key *key = pressed_queue_at(&end->own);
    if (count == 0)
        return;
    keep_unplaced(end, key[0].k, key[count - 1].k, count);
    leave_own(end, count);
}

void entity_end_drop(struct entity_end *end, uint32_t generation)
{
    const struct pressed_key *key = pressed_queue_at(&end->own);
    size_t count = 0;
    while (count < pressed_queue_count(&end->own) && key[count].generation <= generation)
        count++;
    drop_own(end, count);
}

void entity_end_drop_before(struct entity_end *end, uint32_t generation)
{
    if (generation > 0)
        entity_end_drop(end, generation - 1);
}

static struct key_run one_key(const uint32_t *point, uint8_t text[UTF8_MAX])
{
    return (struct key_run){
        .point = point, .count = 1, .text = text, .length = utf8_encode(*point, text)};
}

/* A key of the entity is placed: removes it from the queue. A different key at the head means that
 * a power failure lost the placed key here. The placed key is then recorded as pressed, under the
 * next number. */
static void own_placed(struct entity_end *end, uint32_t point)
{
    if (end->sequence.count > end->skip_n)
        end->skip = 0; /* the judge's record lacks some of the keys to skip */
    if (end->skip) {
        end->skip--;
        return;
    }
    if (end->sequence.by[PARTY_ENTITY] > end->placed_before)
        entity_end_drop_before(end, end->generation);
    if (pressed_queue_count(&end->own) == 0 || key_queue_at(&end->own.keys)[0] != point) {
        drop_own(end, pressed_queue_count(&end->own));
        uint8_t text[UTF8_MAX];
        struct journal_record record = {.kind = JOURNAL_PRESSED,
                                        .as.pressed = {.first = ++end->pressed,
                                                       .segment = end->generation,
                                                       .run = one_key(&point, text)}};
        entity_end_keep(end, &record); /* wall_us 0: the time of the press is not known */
        return;
    }
    leave_own(end, 1);
}

void entity_end_on_key(void *ctx, const struct key_event *event)
{
    struct entity_end *end = ctx;
    if (event->point == KEY_RETURN)
        end->returned_us = end->now.mono_us;
    if (event->party == PARTY_JUDGE) {
        if (end->callbacks.judge_key)
            end->callbacks.judge_key(end->ctx, end->sequence.count, event->point);
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
    entity_end_drop_before(end, end->generation);
}

static enum bl_status on_keys(struct entity_end *end, const struct wire *wire, enum party party)
{
    if ((end->sync != SYNC_REPLAY && end->sync != SYNC_LIVE) || end->mark_us == 0 ||
        (wire_is_numbered(wire) && wire->n != end->sequence.count + 1))
        return BL_DATA;
    struct journal_record record = {.kind = JOURNAL_KEYS,
                                    .wall_us = wire_posted_us(wire, end->mark_us),
                                    .as.keys = {.epoch = end->epoch,
                                                .first = end->sequence.count + 1,
                                                .party = party,
                                                .run = wire_keys(wire)}};
    enum bl_status status = entity_end_keep(end, &record);
    if (status)
        return status;
    if (party == PARTY_JUDGE)
        end->other_us = end->now.mono_us;
    if (!end_apply(&end->sequence, end->page, party, &record.as.keys.run, record.wall_us,
                   entity_end_on_key, end))
        return BL_FULL;
    live_if_caught_up(end);
    entity_end_changed(end);
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
            end->callbacks.adopt(end->ctx, wire->session, wire->style, wire->starts);
        /* The session has no record: the next offer tries again. */
        if (status && !same && strcmp(wire->session, end->session) == 0)
            end->session[0] = '\0';
        if (status || !page_has_style(end->page, wire->style))
            return status ? status : BL_DATA;
    }
    end->sync = SYNC_ASKING;
    end->to_tell |= TELL_RESUME;
    return BL_OK;
}

void entity_end_restart_order(struct entity_end *end, uint64_t n)
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
        struct journal_record record = {.kind = JOURNAL_EPOCH,
                                        .wall_us = end->now.wall_us,
                                        .as.epoch = {.epoch = wire->epoch, .base = wire->n}};
        enum bl_status status = entity_end_keep(end, &record);
        if (status)
            return status;
        entity_end_restart_order(end, wire->n);
        entity_end_note(end, NOTE_REPAIR, 0,
                        "this end's page is made anew from the judge's record");
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
    live_if_caught_up(end);
    return BL_OK;
}

bool entity_end_page_equals(struct entity_end *end, const uint8_t digest[DIGEST_SIZE])
{
    uint8_t ours[DIGEST_SIZE];
    page_digest(end->page, ours);
    if (memcmp(ours, digest, DIGEST_SIZE) == 0) {
        end->repair = 0;
        return true;
    }
    end->differences++;
    entity_end_note(end, NOTE_DIFFERENCE, 0, "the page differs from the judge's");
    end_rebuild(&end->sequence, end->page);
    entity_end_changed(end);
    page_digest(end->page, ours);
    if (memcmp(ours, digest, DIGEST_SIZE) == 0) {
        entity_end_note(end, NOTE_REPAIR, 0,
                        "the page was made anew from the keys and is equal again");
        end->repair = 0;
        return true;
    }
    if (end->repair < 2)
        end->repair++;
    end->to_tell |= TELL_REPAIR;
    return false;
}

static void on_digest(struct entity_end *end, const struct wire *wire)
{
    if (end->sync != SYNC_LIVE || wire->n > end->sequence.count)
        return;
    if (wire->n == end->sequence.count) /* with other keys here the digest says nothing */
        entity_end_page_equals(end, wire->digest);
    if (!wire->sealed || (wire->sealed == end->sealed && seal_equals(wire->seal, end->seal)))
        return;
    struct journal_record record = {.kind = JOURNAL_SEAL,
                                    .wall_us = end->now.wall_us,
                                    .as.seal = {.epoch = end->epoch, .n = wire->sealed}};
    memcpy(record.as.seal.seal, wire->seal, SEAL_SIZE);
    entity_end_keep(end, &record);
    end->sealed = wire->sealed;
    memcpy(end->seal, wire->seal, SEAL_SIZE);
}

static void on_fetch(struct entity_end *end, const struct wire *wire)
{
    end->tail_good =
        wire->n <= end->sequence.count && sequence_chain(&end->sequence, wire->n) == wire->chain;
    end->tail = (struct key_stream){.cursor = wire->n};
    end->tail_end = end->tail_good ? end->sequence.count : wire->n;
    end->to_tell |= TELL_TAIL | TELL_TAIL_END;
}

static void on_take(struct entity_end *end)
{
    entity_end_note(
        end, NOTE_TAKEN, (uint32_t)end->sequence.count,
        "another machine at the judge's end has no record of the session: it takes this one's");
    end->sync = SYNC_ASKING;
    end->tail_good = true;
    end->tail = (struct key_stream){.cursor = 0};
    end->tail_end = end->sequence.count;
    end->to_tell |= TELL_STOOD | TELL_TAIL | TELL_TAIL_END;
    entity_end_changed(end);
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
        entity_end_note(end, NOTE_DIFFERENCE, 0,
                        "the records of the two ends differ; a steward must decide");
        entity_end_changed(end);
        return BL_OK;
    case WIRE_SEGMENT:
        entity_end_on_segment(end, wire);
        return BL_OK;
    case WIRE_CLOSE:
        return entity_end_on_close(end, wire);
    case WIRE_DIGEST:
        on_digest(end, wire);
        return BL_OK;
    case WIRE_STEWARD:
        if (end->steward_there == (wire->flag != 0))
            return BL_OK;
        end->steward_there = wire->flag;
        entity_end_note(end, NOTE_STEWARD, 0,
                        wire->flag ? "the judge's end calls the steward"
                                   : "the judge's end takes the call back");
        entity_end_changed(end);
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
    case WIRE_CLOSE_ACK:
    case WIRE_REPAIR:
    case WIRE_READY:
    case WIRE_STOOD:
        return BL_DATA; /* only an entity's end sends these */
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
        entity_end_tell(end);
    return status;
}

void entity_end_link(struct entity_end *end, bool up, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    if (!up && end->told && end->segment == SEGMENT_OPEN)
        end->stood_us = end->cut_us == BL_NEVER      ? UINT64_MAX
                        : end->cut_us <= now.mono_us ? 0
                                                     : end->cut_us - now.mono_us;
    if (!up && end->sync != SYNC_DOWN)
        entity_end_expect(end);
    end->sync = up ? SYNC_ASKING : SYNC_DOWN;
    end->told = false;
    end->to_tell = 0;
    if (up)
        end->steward_there = false;
    end->sent = end->released = 0;
    end->repair = 0;
    end->asked = false;
    entity_end_changed(end);
}

void entity_end_progress(struct entity_end *end, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    entity_end_tell(end);
}

/* The generation for a key pressed now: the present segment's, or after its end the next one's. */
static uint32_t generation_now(const struct entity_end *end)
{
    return end->generation + (end->generation == 0 || end->segment >= SEGMENT_CLOSED);
}

/* True for a key that was pressed in the last segment but read after its end, as from a folder. The
 * key counts as read in time, without a place. */
static bool is_late(const struct entity_end *end, const struct bl_time *pressed)
{
    return end->segment >= SEGMENT_CLOSED && end->over_generation == end->generation &&
           pressed->wall_us < end->over_us && pressed_queue_count(&end->own) == 0;
}

void entity_end_rules(struct entity_end *end, const struct typing_rules *rules)
{
    end->typing = *rules;
}

enum key_answer entity_end_key(struct entity_end *end, uint32_t point, struct bl_time pressed)
{
    END_CHANGES(end);
    uint8_t text[UTF8_MAX];
    end->now = pressed;
    if (!end->session[0])
        return KEY_REFUSED_APART;
    if (entity_end_is_over(end))
        return KEY_REFUSED_CLOSED;
    uint64_t since_us = pressed.mono_us > end->returned_us ? pressed.mono_us - end->returned_us : 0;
    enum key_answer answer =
        end_typing(&end->typing, end->page, PARTY_ENTITY, &end->own.keys, since_us, point);
    if (answer != KEY_TAKEN)
        return answer;
    if (pressed_queue_count(&end->own) == KEY_QUEUE_MAX)
        return KEY_WAIT;
    bool late = is_late(end, &pressed);
    struct pressed_key key = {.k = end->pressed + 1,
                              .pressed_us = pressed.wall_us,
                              .generation = late ? end->generation : generation_now(end)};
    struct journal_record record = {
        .kind = JOURNAL_PRESSED,
        .wall_us = key.pressed_us,
        .as.pressed = {.first = key.k, .segment = key.generation, .run = one_key(&point, text)}};
    if (entity_end_keep(end, &record))
        return KEY_REFUSED_FULL;
    end->pressed++;
    pressed_queue_push(&end->own, point, &key);
    end_wrote(&end->written, key.k, &record.as.pressed.run);
    if (late)
        entity_end_drop(end, key.generation);
    entity_end_tell(end);
    entity_end_changed(end);
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

void entity_end_release(struct entity_end *end, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    if (end->released < pressed_queue_count(&end->own))
        end->released++;
    entity_end_tell(end);
}

void entity_end_steward(struct entity_end *end, bool called, struct bl_time now)
{
    END_CHANGES(end);
    end->now = now;
    end->steward_here = called;
    if (end->session[0])
        entity_end_note(end, NOTE_STEWARD, 0, called ? END_STEWARD_CALLED : END_STEWARD_BACK);
    entity_end_changed(end);
}

void entity_end_ready(struct entity_end *end)
{
    END_CHANGES(end);
    if (end->ready)
        return;
    end->ready = true;
    if (end->sync == SYNC_REPLAY || end->sync == SYNC_LIVE) {
        end->to_tell |= TELL_READY;
        entity_end_tell(end);
    }
}

void entity_end_unready(struct entity_end *end)
{
    end->ready = false;
    end->to_tell &= ~(unsigned)TELL_READY;
}

static void fill_view(void *ctx)
{
    struct entity_end *end = ctx;
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
        .last = end->last,
        .may_type = is_open(end) && !is_early(end),
        .early = is_open(end) && is_early(end),
        .may_conclude = entity_end_may_conclude(end),
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
        .due_us = entity_end_cut_due(end),
        .may_go = entity_end_may_go(end),
        .held = {.under_way = end->released,
                 .count = pressed_queue_count(&end->own) - end->released,
                 .point = key_queue_at(&end->own.keys) + end->released,
                 .key = pressed_queue_at(&end->own) + end->released},
    };
}

const struct entity_end_view *entity_end_view(struct entity_end *end)
{
    if (end->look.changing)
        fill_view(end);
    return &end->view;
}

const struct sequence *entity_end_sequence(const struct entity_end *end)
{
    return &end->sequence;
}
