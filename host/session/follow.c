#include "session/follow.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { WAITING_MAX = 256 };

/* Time within which a heard time completes the low bits of a later one. */
#define NEAR_US 1800000000u

/* Keys that wait for a number or its confirmation, because a listener may miss frames unnoticed. */
struct waiting {
    uint64_t posted_us;
    uint8_t party, length, keys;
    uint8_t text[WIRE_TEXT_MAX];
};

struct follow {
    struct follow_callbacks callbacks;
    void *ctx;
    enum side side;
    bool begun;
    char session[SESSION_ID_MAX + 1], style[STYLE_MAX + 1];
    uint32_t epoch;
    uint64_t n;      /* number of the last key that was recorded or reported as missed */
    uint64_t cursor; /* number of the last numbered key in the stream */
    bool sure;       /* no gap was noticed since the cursor was set */
    bool open;       /* more keys may follow */
    /* The last heard state of a segment, and the last close. Repetitions are dropped. */
    struct follow_word segment, close;
    uint64_t mark_us;
    uint64_t near_us, near_heard_us; /* latest of the judge's times; the listener's time then */
    struct waiting waiting[WAITING_MAX];
    unsigned count;
    uint64_t keys; /* number of waiting keys */
};

struct follow *follow_create(enum side side, const struct follow_callbacks *callbacks, void *ctx)
{
    struct follow *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->side = side;
    f->callbacks = *callbacks;
    f->ctx = ctx;
    return f;
}

void follow_destroy(struct follow *f)
{
    free(f);
}

static size_t bytes_of(const uint8_t *text, size_t length, uint64_t keys)
{
    uint32_t point;
    size_t at = 0;
    while (keys-- && at < length)
        at += utf8_decode(text + at, length - at, &point);
    return at;
}

static unsigned keys_of(const struct key_run *run)
{
    unsigned keys = 0;
    for (size_t i = 0; i < run->length; i++)
        keys += (run->text[i] & 0xC0) != 0x80;
    return keys;
}

/* Records the keys after the cursor that are not recorded yet. A new connection repeats keys. */
static void put(struct follow *f, enum party party, const uint8_t *text, size_t length,
                unsigned keys, uint64_t posted_us)
{
    uint64_t known = f->n > f->cursor ? f->n - f->cursor : 0;
    f->cursor += keys;
    if (known >= keys)
        return;
    size_t skip = bytes_of(text, length, known);
    struct journal_record record = {
        .kind = JOURNAL_KEYS,
        .side = f->side,
        .wall_us = posted_us,
        .as.keys = {.epoch = f->epoch,
                    .first = f->cursor - keys + known + 1,
                    .party = party,
                    .run = {.text = text + skip, .length = length - skip}}};
    if (record.as.keys.first > f->n + 1)
        f->callbacks.missed(f->ctx, f->n + 1, record.as.keys.first - 1);
    f->n = f->cursor;
    f->open = true;
    f->callbacks.each(f->ctx, &record);
}

static void put_waiting(struct follow *f)
{
    for (unsigned i = 0; i < f->count; i++) {
        const struct waiting *w = &f->waiting[i];
        put(f, (enum party)w->party, w->text, w->length, w->keys, w->posted_us);
    }
    f->count = 0;
    f->keys = 0;
}

/* Records the waiting keys if the cursor is sure. */
static void put_sure(struct follow *f)
{
    if (f->sure)
        put_waiting(f);
}

/* The stream stands after key n. If the waiting keys do not end at n, all of them count as
 * missed. */
static void settle(struct follow *f, uint64_t n)
{
    if (f->sure && f->cursor + f->keys != n) {
        f->count = 0;
        f->keys = 0;
    } else {
        f->cursor = n >= f->keys ? n - f->keys : 0;
        put_waiting(f);
    }
    f->cursor = n;
    f->sure = true;
    if (n > f->n) {
        f->callbacks.missed(f->ctx, f->n + 1, n);
        f->n = n;
    }
}

static void note_time(struct follow *f, uint64_t time_us, uint64_t wall_us)
{
    f->near_us = time_us;
    f->near_heard_us = wall_us;
}

/* Completes the low bits to the time nearest to the judge's last heard time; if that is too old, to
 * the listener's clock. */
static uint64_t whole_time(const struct follow *f, uint32_t low_us, uint64_t wall_us)
{
    if (f->near_us && wall_us >= f->near_heard_us && wall_us - f->near_heard_us < NEAR_US)
        wall_us = f->near_us;
    return wall_us + (uint64_t)(int64_t)(int32_t)(low_us - (uint32_t)wall_us);
}

static void on_keys_at(struct follow *f, const struct wire *wire, enum party party,
                       uint64_t wall_us)
{
    uint64_t posted_us = whole_time(f, wire->low_us, wall_us);
    if (wire->n == 0)
        return;
    note_time(f, posted_us, wall_us);
    settle(f, wire->n - 1);
    put(f, party, wire->text, wire->length, (unsigned)wire->keys, posted_us);
}

static void on_keys(struct follow *f, const struct wire *wire, enum party party, uint64_t wall_us)
{
    uint64_t posted_us = f->mark_us ? wire_posted_us(wire, f->mark_us) : wall_us;
    unsigned keys = (unsigned)wire->keys;
    if (f->count == WAITING_MAX)
        put_sure(f);
    if (f->count == WAITING_MAX) {
        f->keys -= f->waiting[0].keys;
        memmove(f->waiting, f->waiting + 1, --f->count * sizeof f->waiting[0]);
    }
    struct waiting *w = &f->waiting[f->count++];
    *w = (struct waiting){.posted_us = posted_us,
                          .party = (uint8_t)party,
                          .length = (uint8_t)wire->length,
                          .keys = (uint8_t)keys};
    memcpy(w->text, wire->text, wire->length);
    f->keys += keys;
}

static void on_offer(struct follow *f, const struct wire *wire)
{
    if (f->begun && strcmp(wire->session, f->session) == 0)
        return;
    follow_leave(f);
    struct journal_record header = {.kind = JOURNAL_HEADER,
                                    .as.header = {.session = wire->session,
                                                  .role = PARTY_JUDGE,
                                                  .style = wire->style,
                                                  .starts = wire->starts}};
    memcpy(f->session, wire->session, sizeof f->session);
    memcpy(f->style, wire->style, sizeof f->style);
    f->begun = true;
    f->open = true;
    f->epoch = wire->epoch;
    f->n = f->cursor = 0;
    f->segment = f->close = (struct follow_word){0};
    f->sure = false;
    f->count = 0;
    f->keys = 0;
    f->callbacks.begin(f->ctx, &header);
}

static void take_epoch(struct follow *f, uint32_t epoch)
{
    if (f->begun && epoch > f->epoch) {
        struct journal_record record = {
            .kind = JOURNAL_EPOCH, .side = f->side, .as.epoch = {.epoch = epoch, .base = f->n}};
        f->callbacks.each(f->ctx, &record);
    }
    f->epoch = epoch;
}

static void on_session(struct follow *f, const struct wire *wire)
{
    on_offer(f, wire);
    take_epoch(f, wire->epoch);
    settle(f, wire->n);
}

static void on_sync(struct follow *f, const struct wire *wire)
{
    put_sure(f);
    take_epoch(f, wire->epoch);
    f->mark_us = 0;
    f->sure = false;
    f->count = 0;
    f->keys = 0;
}

static bool is_told(struct follow_word *last, struct follow_word word)
{
    bool told = last->generation == word.generation && last->word == word.word;
    *last = word;
    return told;
}

static void on_course(struct follow *f, const struct wire *wire)
{
    struct journal_record record = {.side = f->side, .wall_us = wire->time_us};
    if (wire->outcome == CLOSE_NONE) {
        if (is_told(&f->segment, (struct follow_word){wire->generation, wire->state}))
            return;
        put_sure(f); /* the waiting keys come before this record */
        f->open = f->open || wire->state <= SEGMENT_OPEN;
        record.kind = JOURNAL_SEGMENT;
        record.as.segment.generation = wire->generation;
        record.as.segment.index = wire->index;
        record.as.segment.state = (enum segment_state)wire->state;
        record.as.segment.remaining_us = UINT64_MAX;
    } else {
        if (is_told(&f->close, (struct follow_word){wire->generation, wire->outcome}))
            return;
        if (wire->n >= f->n) {
            settle(f, wire->n);
            f->open = false;
        }
        record.kind = JOURNAL_CLOSE;
        record.as.close.generation = wire->generation;
        record.as.close.n = wire->n;
        record.as.close.placed = wire->placed;
        record.as.close.outcome = (enum close_outcome)wire->outcome;
        memcpy(record.as.close.digest, wire->digest, sizeof record.as.close.digest);
    }
    f->callbacks.each(f->ctx, &record);
}

void follow_record(struct follow *f, const uint8_t *record, size_t length, uint64_t wall_us)
{
    struct wire wire;
    enum party party;
    if (wire_decode(&wire, record, length))
        return;
    wire_places(&wire, &party);
    switch (wire.kind) {
    case WIRE_OFFER:
        on_offer(f, &wire);
        break;
    case WIRE_SYNC:
        on_sync(f, &wire);
        break;
    case WIRE_MARK:
        if (wire.n == 0)
            break;
        settle(f, wire.n - 1);
        f->mark_us = wire.time_us;
        note_time(f, wire.time_us, wall_us);
        break;
    case WIRE_JUDGE_KEYS:
    case WIRE_ENTITY_KEYS:
        on_keys(f, &wire, party, wall_us);
        break;
    case WIRE_JUDGE_KEYS_AT:
    case WIRE_ENTITY_KEYS_AT:
        on_keys_at(f, &wire, party, wall_us);
        break;
    case WIRE_SESSION:
        on_session(f, &wire);
        break;
    case WIRE_DIGEST:
        settle(f, wire.n);
        break;
    case WIRE_CLOSE:
        settle(f, wire.n);
        f->open = false;
        break;
    case WIRE_COURSE:
        on_course(f, &wire);
        break;
    case WIRE_NEW_KEYS:
    case WIRE_RESUME:
    case WIRE_FETCH:
    case WIRE_TAIL_END:
    case WIRE_DIFFERS:
    case WIRE_SEGMENT:
    case WIRE_CLOSE_ACK:
    case WIRE_REPAIR:
    case WIRE_STEWARD:
    case WIRE_READY:
    case WIRE_TAKE:
    case WIRE_STOOD:
        break;
    }
}

void follow_past_add(struct follow_past *past, const struct journal_record *record)
{
    if (record->kind == JOURNAL_KEYS)
        past->n = record->as.keys.first + keys_of(&record->as.keys.run) - 1;
    else if (record->kind == JOURNAL_SEGMENT)
        past->segment =
            (struct follow_word){record->as.segment.generation, (uint8_t)record->as.segment.state};
    else if (record->kind == JOURNAL_CLOSE)
        past->close =
            (struct follow_word){record->as.close.generation, (uint8_t)record->as.close.outcome};
}

void follow_known(struct follow *f, const struct follow_past *past)
{
    f->n = past->n;
    f->segment = past->segment;
    f->close = past->close;
}

void follow_gap(struct follow *f)
{
    put_sure(f);
    f->sure = false;
    f->open = f->begun;
    f->count = 0; /* keys from before the gap count as missed */
    f->keys = 0;
}

void follow_leave(struct follow *f)
{
    put_sure(f);
    if (!f->begun || !f->open)
        return;
    f->open = false;
    f->callbacks.unknown(f->ctx, f->n);
}

int follow_tells_role(const uint8_t *record, size_t length)
{
    struct wire wire;
    if (wire_decode(&wire, record, length))
        return 0;
    switch (wire.kind) {
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
        return 1;
    case WIRE_NEW_KEYS:
    case WIRE_RESUME:
    case WIRE_TAIL_END:
    case WIRE_CLOSE_ACK:
    case WIRE_REPAIR:
    case WIRE_READY:
    case WIRE_STOOD:
        return -1;
    case WIRE_JUDGE_KEYS:
    case WIRE_ENTITY_KEYS:
    case WIRE_MARK:
    case WIRE_DIFFERS:
    case WIRE_STEWARD:
        return 0;
    }
    return 0;
}
