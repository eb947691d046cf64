#include "tests/support/duo.h"

#include "base/utf8.h"
#include "journal/journal.h"
#include "session/entity_end.h"
#include "session/judge_end.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WALL_US   1795000000000000ull
#define FILE_MAX  65536
#define QUEUE_MAX 16
#define SESSION   "duo"

/* The judge's keys and the entity's, each with its own number; what the hostile end says the judge
 * typed is none of them. */
enum { JUDGE_KEYS = 0x4E00, ENTITY_KEYS = 0xAC00, KEYS = 5000, FORGED = 'X' };
enum { J, E };

struct machine {
    struct duo *duo;
    unsigned which;
    uint8_t file[FILE_MAX];
    size_t length, synced;
    bool full; /* the disk takes nothing */
    uint8_t boot;
    struct {
        uint8_t bytes[WIRE_MAX];
        size_t length;
    } queue[QUEUE_MAX]; /* records under way from here */
    unsigned queued;
    uint64_t sent, acked, taken; /* taken: by the other end, and its acknowledgement under way */
    unsigned typed;
};

struct duo {
    enum duo_partner partner;
    uint32_t (*next)(void *ctx);
    void *ctx;
    uint64_t now_us;
    struct machine machine[2];
    struct judge_end *judge; /* NULL: off */
    struct entity_end *entity;
    struct style style;
    bool up;
    bool apart; /* the judge's record lost something, or was declared to count, and the ends have
                   not met since */
    uint64_t unproven_first, unproven_last;
    bool was_open;    /* the segment, on the record that the judge's end took up, or before it one
                         that lacked keys as well and was never live */
    bool may_lack;    /* the judge's machine lost its power, and its end has not been live since, */
    bool lacked;      /* nor was an earlier judge's end that lacked keys, by the record; */
    bool lost_open;   /* its segment was open, as was_open; */
    size_t whole;     /* and if it was live, the record says so before its byte number whole */
    uint64_t fetched; /* by the present judge's end */
    enum segment_state segment; /* before this step, */
    enum sync_state sync;       /* as this */
    uint64_t checked;           /* keys of the judge's order that were looked at */
    uint32_t last[PARTIES];
    char fault[160];
};

struct duo_sum duo_sum;

static uint32_t roll(struct duo *d, uint32_t below)
{
    return d->next(d->ctx) % below;
}

static struct bl_time now(const struct duo *d)
{
    return (struct bl_time){.mono_us = d->now_us, .wall_us = WALL_US + d->now_us};
}

static void fault(struct duo *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fault(struct duo *d, const char *format, ...)
{
    va_list args;
    if (d->fault[0])
        return;
    va_start(args, format);
    vsnprintf(d->fault, sizeof d->fault, format, args);
    va_end(args);
}

/* The ports. */

static enum bl_status on_keep(void *ctx, const struct journal_record *kept)
{
    struct machine *m = ctx;
    uint8_t record[JOURNAL_RECORD_MAX];
    size_t length = journal_encode(kept, record);
    if (length == 0) {
        fault(m->duo, "an kept of kind %d cannot be written", kept->kind);
        return BL_DATA;
    }
    if (m->full || m->length + length > FILE_MAX)
        return BL_FULL;
    memcpy(m->file + m->length, record, length);
    m->length += length;
    return BL_OK;
}

static enum bl_status on_send(void *ctx, const uint8_t *record, size_t length)
{
    struct machine *m = ctx;
    if (!m->duo->up)
        return BL_DOWN;
    if (m->queued == QUEUE_MAX)
        return BL_AGAIN;
    memcpy(m->queue[m->queued].bytes, record, length);
    m->queue[m->queued++].length = length;
    m->sent++;
    return BL_OK;
}

static uint64_t on_sent(void *ctx)
{
    return ((struct machine *)ctx)->sent;
}

static uint64_t on_acked(void *ctx)
{
    return ((struct machine *)ctx)->acked;
}

static enum bl_status on_adopt(void *ctx, const char *session, const char *style, uint8_t starts)
{
    struct machine *m = ctx;
    struct journal_record header = {
        .kind = JOURNAL_HEADER,
        .wall_us = WALL_US,
        .as.header = {.session = session, .role = PARTY_ENTITY, .style = style, .starts = starts}};
    enum bl_status status = entity_end_begin(m->duo->entity, session, style, starts);
    return status ? status : on_keep(m, &header);
}

static const struct end_callbacks callbacks = {
    .keep = on_keep, .send = on_send, .sent = on_sent, .acked = on_acked, .adopt = on_adopt};

/* The journals. */

static void replay(const struct machine *m, struct judge_end *judge, struct entity_end *entity)
{
    struct journal_scratch scratch;
    struct journal_record record;
    for (size_t at = 0; at < m->length;) {
        long n = journal_decode(m->file + at, m->length - at, &record, &scratch);
        if (n <= 0)
            return;
        if (judge)
            judge_end_replay(judge, &record);
        else if (record.kind == JOURNAL_HEADER)
            entity_end_begin(entity, record.as.header.session, record.as.header.style,
                             record.as.header.starts);
        else
            entity_end_replay(entity, &record);
        at += (size_t)n;
    }
}

static struct judge_end *judge_from(struct duo *d)
{
    struct judge_end_config config = {
        .side = SIDE_LEFT, .style = d->style, .starts = STARTS_EITHER};
    struct judge_end *end = judge_end_create(&config, &callbacks, &d->machine[J]);
    replay(&d->machine[J], end, NULL);
    judge_end_name(end, SESSION);
    return end;
}

static void same(struct duo *d, const char *whose, const struct sequence *a, const struct page *p,
                 const struct sequence *b, const struct page *q)
{
    uint8_t digest[2][DIGEST_SIZE];
    page_digest(p, digest[0]);
    page_digest(q, digest[1]);
    if (a->count != b->count || memcmp(digest[0], digest[1], DIGEST_SIZE) != 0)
        fault(d, "%s journal, read again, gives another page: %llu keys, not %llu", whose,
              (unsigned long long)b->count, (unsigned long long)a->count);
}

/* What is shown is what the journal gives. */
static void compare_replay(struct duo *d)
{
    struct judge_end_view live, again;
    struct entity_end_view there, there_again;
    if (d->judge) {
        struct judge_end *end = judge_from(d);
        live = *judge_end_view(d->judge);
        again = *judge_end_view(end);
        same(d, "the judge's", judge_end_sequence(d->judge), live.page, judge_end_sequence(end),
             again.page);
        judge_end_destroy(end);
    }
    if (d->entity) {
        struct entity_end *end = entity_end_create(&callbacks, &d->machine[E], false);
        replay(&d->machine[E], NULL, end);
        there = *entity_end_view(d->entity);
        there_again = *entity_end_view(end);
        same(d, "the entity's", entity_end_sequence(d->entity), there.page,
             entity_end_sequence(end), there_again.page);
        entity_end_destroy(end);
    }
}

/* What happens. */

static void set_line(struct duo *d, bool up)
{
    up = up && d->judge && (d->entity || d->partner == DUO_HOSTILE);
    for (unsigned i = 0; i < 2; i++) {
        struct machine *m = &d->machine[i];
        m->queued = 0;
        m->sent = m->acked = m->taken = 0;
    }
    d->up = false;
    if (d->judge)
        judge_end_link(d->judge, false, now(d));
    if (d->entity)
        entity_end_link(d->entity, false, now(d));
    if (!up)
        return;
    d->up = true;
    judge_end_link(d->judge, true, now(d));
    if (d->entity)
        entity_end_link(d->entity, true, now(d));
}

static void start(struct duo *d, unsigned which)
{
    struct machine *m = &d->machine[which];
    if (which == J) {
        struct judge_end_view view;
        struct judge_start begin = {.boot = {1 + m->boot}, .secret = {42}};
        struct journal_record header = {
            .kind = JOURNAL_HEADER,
            .wall_us = WALL_US,
            .as.header = {.session = SESSION, .role = PARTY_JUDGE, .style = "split"}};
        if (m->length == 0)
            on_keep(m, &header);
        d->judge = judge_from(d);
        judge_end_start(d->judge, &begin, now(d));
        d->fetched = 0;
        d->sync = SYNC_DOWN;
        m->synced = m->synced ? m->synced : m->length; /* a new file is synced at once */
        view = *judge_end_view(d->judge);
        d->was_open = view.segment <= SEGMENT_OPEN || (d->lacked && d->lost_open);
        d->lost_open = d->may_lack ? d->was_open : d->lost_open;
        d->lacked = d->may_lack;
        if (view.segment == SEGMENT_OPEN)
            judge_end_open(d->judge, 0, 9, 1000000, true, now(d));
        else if (view.segment == SEGMENT_CLOSING)
            judge_end_cut(d->judge, false, now(d));
        view = *judge_end_view(d->judge);
        d->segment = view.segment;
    } else if (d->partner == DUO_HONEST) {
        d->entity = entity_end_create(&callbacks, m, false);
        replay(m, NULL, d->entity);
    }
}

static void stop(struct duo *d, unsigned which, bool power)
{
    struct machine *m = &d->machine[which];
    duo_sum.kills++;
    duo_sum.power_losses += power;
    set_line(d, false);
    if (which == J) {
        judge_end_destroy(d->judge);
        d->judge = NULL;
    } else {
        entity_end_destroy(d->entity);
        d->entity = NULL;
    }
    if (!power)
        return;
    m->boot++;
    m->full = false;
    d->may_lack = d->may_lack || which == J;
    d->apart = d->apart || (which == J && m->length != m->synced);
    if (which == J) {
        d->checked = 0; /* the order may be shorter now */
        d->lacked = d->lacked || m->synced < d->whole;
    }
    m->length = m->synced;
}

/* The other end takes the oldest record that is under way; what it refuses ends the connection. */
static void deliver(struct duo *d, unsigned from)
{
    struct machine *m = &d->machine[from];
    enum bl_status status = BL_OK;
    if (!d->up || m->queued == 0)
        return;
    uint8_t record[WIRE_MAX];
    size_t length = m->queue[0].length;
    memcpy(record, m->queue[0].bytes, length);
    memmove(m->queue, m->queue + 1, --m->queued * sizeof m->queue[0]);
    if (from == E)
        status = judge_end_record(d->judge, record, length, now(d));
    else if (d->entity)
        status = entity_end_record(d->entity, record, length, now(d));
    if (status)
        set_line(d, false);
    else
        m->taken++;
}

static void acknowledge(struct duo *d, unsigned which)
{
    struct machine *m = &d->machine[which];
    if (!d->up)
        return;
    m->acked = m->taken;
    if (which == J)
        judge_end_progress(d->judge, now(d));
    else if (d->entity)
        entity_end_progress(d->entity, now(d));
}

static void type(struct duo *d, unsigned which, unsigned count)
{
    struct machine *m = &d->machine[which];
    for (; count && m->typed < KEYS; count--) {
        if (which == J && d->judge)
            judge_end_key(d->judge, JUDGE_KEYS + m->typed++, now(d));
        else if (which == E && d->entity)
            entity_end_key(d->entity, ENTITY_KEYS + m->typed++, now(d));
    }
}

/* A step of the plan. */
static void plan(struct duo *d)
{
    struct judge_end_view view;
    if (!d->judge)
        return;
    view = *judge_end_view(d->judge);
    switch (view.segment) {
    case SEGMENT_WAITING:
    case SEGMENT_CLOSED:
        judge_end_open(d->judge, 0, 9, 1000000, false, now(d));
        break;
    case SEGMENT_OPEN:
        judge_end_closing(d->judge, now(d));
        break;
    case SEGMENT_CLOSING:
    case SEGMENT_FINISHED:
        judge_end_cut(d->judge, false, now(d));
    }
}

/* A record of the hostile end's: any fields, near those that would fit. */
static void lie(struct duo *d)
{
    const struct sequence *order = judge_end_sequence(d->judge);
    struct judge_end_view view;
    uint8_t record[WIRE_MAX], text[WIRE_TEXT_MAX];
    struct wire wire = {.kind = (enum wire_kind)(1 + roll(d, WIRE_SESSION)),
                        .text = text,
                        .session = SESSION,
                        .style = "split",
                        .epoch = roll(d, 8) ? 0 : roll(d, 3),
                        .generation = roll(d, 4),
                        .flag = (uint8_t)roll(d, 3),
                        .state = (uint8_t)roll(d, 5),
                        .outcome = (uint8_t)roll(d, 5),
                        .dt_us = roll(d, 4) ? roll(d, 1000) : d->next(d->ctx),
                        .time_us = now(d).wall_us + roll(d, 2000000) - 1000000,
                        .sealed = roll(d, 3) ? 0 : 1 + roll(d, 50)};
    view = *judge_end_view(d->judge);
    if (roll(d, 3) == 0) {
        static const enum wire_kind likely[] = {WIRE_RESUME, WIRE_MARK, WIRE_JUDGE_KEYS,
                                                WIRE_TAIL_END, WIRE_NEW_KEYS};
        wire.kind = likely[roll(d, 5)];
    }
    for (unsigned keys = 1 + roll(d, 3); keys; keys--)
        wire.length += utf8_encode(wire.kind == WIRE_JUDGE_KEYS ? FORGED : 'e' + roll(d, 3),
                                   text + wire.length);
    wire.n = roll(d, 4) ? order->count : order->count + roll(d, 5);
    if (view.sync == SYNC_ASKING && roll(d, 2)) { /* as an honest end begins */
        wire.kind = WIRE_RESUME;
        wire.n = order->count;
        wire.sealed = 0;
    }
    wire.placed = order->by[PARTY_ENTITY];
    wire.chain = sequence_chain(order, wire.n);
    if (roll(d, 4) == 0 && wire.n > order->count) {
        /* It knows the keys that it will send, so its chain is right. */
        struct sequence next = *order;
        struct key_event kept[8];
        memcpy(kept, next.event + next.count, sizeof kept);
        for (; next.count < wire.n; next.count++)
            next.event[next.count] = (struct key_event){wire.time_us, FORGED, (uint8_t)PARTY_JUDGE};
        wire.chain = sequence_chain(&next, wire.n);
        memcpy(next.event + order->count, kept, sizeof kept);
    }
    duo_sum.lies++;
    page_digest(view.page, wire.digest);
    size_t length = wire_encode(&wire, record);
    if (roll(d, 8) == 0)
        for (unsigned i = 0; i < 3; i++)
            record[roll(d, (uint32_t)length)] ^= (uint8_t)(1u << roll(d, 8));
    if (judge_end_record(d->judge, record, length, now(d)))
        set_line(d, false);
    else
        d->machine[J].taken += d->machine[J].queued > 0;
    d->machine[J].queued = 0;
}

/* The attack: the line goes down and up, and the end there has more than was ever placed, the
 * judge's words among it, and all of it fits together. */
static void lie_well(struct duo *d)
{
    const struct sequence *order = judge_end_sequence(d->judge);
    struct sequence more = *order;
    struct key_event kept[4];
    uint64_t had = order->count, posted_us = now(d).wall_us - roll(d, 2000);
    uint32_t count = 1 + roll(d, 4);
    uint8_t text[UTF8_MAX], record[WIRE_MAX];
    if (had && posted_us < order->event[had - 1].posted_us)
        posted_us = order->event[had - 1].posted_us;
    memcpy(kept, more.event + had, sizeof kept);
    for (; more.count < had + count; more.count++)
        more.event[more.count] =
            (struct key_event){.posted_us = posted_us, .point = FORGED, .party = PARTY_JUDGE};
    const struct wire words[] = {
        {.kind = WIRE_RESUME,
         .session = SESSION,
         .n = more.count,
         .chain = sequence_chain(&more, more.count)},
        {.kind = WIRE_MARK, .n = had + 1, .time_us = posted_us},
        {.kind = WIRE_JUDGE_KEYS, .text = text, .length = utf8_encode(FORGED, text)},
        {.kind = WIRE_JUDGE_KEYS, .text = text, .length = 1},
        {.kind = WIRE_JUDGE_KEYS, .text = text, .length = 1},
        {.kind = WIRE_JUDGE_KEYS, .text = text, .length = 1},
        {.kind = WIRE_TAIL_END, .flag = 1}};
    memcpy(more.event + had, kept, sizeof kept);
    set_line(d, true);
    for (uint32_t i = 0; i < 7; i++) {
        if (i >= 2 + count && i < 6)
            continue;
        judge_end_record(d->judge, record, wire_encode(&words[i], record), now(d));
    }
    d->machine[J].queued = 0;
    duo_sum.lies++;
}

/* What must hold after each step. */

static void check_judge(struct duo *d)
{
    struct judge_end_view view;
    const struct sequence *order = judge_end_sequence(d->judge);
    view = *judge_end_view(d->judge);
    if (view.unproven_first) {
        if (!d->unproven_first || view.unproven_first < d->unproven_first)
            d->unproven_first = view.unproven_first;
        if (view.unproven_last > d->unproven_last)
            d->unproven_last = view.unproven_last;
    }
    uint64_t fetched = view.fetched[PARTY_JUDGE] + view.fetched[PARTY_ENTITY];
    if (fetched != d->fetched && !d->may_lack)
        fault(d, "%llu keys were fetched by a process that lost none",
              (unsigned long long)(fetched - d->fetched));
    if (fetched != d->fetched && d->segment > SEGMENT_OPEN && !d->was_open)
        fault(d, "keys were fetched whose segment was over by the record that was taken up");
    d->fetched = fetched;
    d->segment = view.segment;
    if (view.sync == SYNC_LIVE && d->sync != SYNC_LIVE && !d->machine[J].full) {
        d->whole = d->lacked ? d->machine[J].length : d->whole;
        d->may_lack = d->lacked = false; /* and that is on record */
    }
    d->sync = view.sync;
    if (order->count < d->checked)
        fault(d, "the judge's order became shorter");
    if (d->checked == 0)
        d->last[PARTY_JUDGE] = d->last[PARTY_ENTITY] = 0;
    for (; d->checked < order->count; d->checked++) {
        const struct key_event *event = &order->event[d->checked];
        uint64_t n = d->checked + 1;
        if (d->checked && event->posted_us < event[-1].posted_us)
            fault(d, "key %llu was placed before the one before it", (unsigned long long)n);
        if (event->posted_us > now(d).wall_us)
            fault(d, "key %llu has a time to come", (unsigned long long)n);
        if (d->unproven_first && n >= d->unproven_first && n <= d->unproven_last)
            continue;
        if (event->party == PARTY_JUDGE &&
            (event->point < JUDGE_KEYS || event->point >= JUDGE_KEYS + KEYS))
            fault(d, "key %llu is the judge's, who never typed it", (unsigned long long)n);
        if (event->party == PARTY_ENTITY && d->partner == DUO_HOSTILE)
            continue;
        if (event->point <= d->last[event->party])
            fault(d, "key %llu is doubled or out of its order", (unsigned long long)n);
        d->last[event->party] = event->point;
    }
    if (judge_end_view(d->judge)->due_us <= d->now_us && d->up &&
        d->machine[J].queued < QUEUE_MAX) {
        judge_end_tick(d->judge, now(d));
        if (judge_end_view(d->judge)->due_us <= d->now_us && d->machine[J].queued < QUEUE_MAX)
            fault(d, "the judge's end waits for a time that is past");
    }
}

static void check(struct duo *d)
{
    if (d->judge)
        check_judge(d);
    if (!d->judge || !d->entity)
        return;
    const struct sequence *judge = judge_end_sequence(d->judge);
    const struct sequence *entity = entity_end_sequence(d->entity);
    struct judge_end_view view;
    view = *judge_end_view(d->judge);
    if (view.sync == SYNC_DIFFERS && !d->apart)
        fault(d, "honest ends differ: %s", view.differs_why);
    if (d->apart)
        return;
    uint64_t n = entity->count ? entity->count - 1 : 0;
    const struct key_event *ours = &judge->event[n], *theirs = &entity->event[n];
    if (entity->count > judge->count ||
        (entity->count && (ours->point != theirs->point || ours->party != theirs->party ||
                           ours->posted_us != theirs->posted_us)))
        fault(d, "the entity's page is no prefix of the judge's");
}

static void step(struct duo *d)
{
    uint32_t what = roll(d, 256);
    unsigned which = roll(d, 2);
    struct machine *m = &d->machine[which];
    d->now_us += roll(d, 8) ? roll(d, 20000) : roll(d, 3000000);
    if (what < 60) {
        type(d, which, roll(d, 8) ? 1 + roll(d, 3) : 1 + roll(d, 60));
    } else if (what < 170) {
        if (d->partner == DUO_HOSTILE && d->judge && d->up && which == E)
            roll(d, 8) ? lie(d) : lie_well(d);
        else
            deliver(d, which);
    } else if (what < 210) {
        acknowledge(d, which);
    } else if (what < 222) {
        m->synced = m->length;
    } else if (what < 226) {
        set_line(d, roll(d, 4));
    } else if (what < 231) {
        plan(d);
    } else if (what < 235) {
        if (which == J && d->judge)
            judge_end_steward(d->judge, roll(d, 2), now(d));
        else if (d->entity)
            entity_end_steward(d->entity, roll(d, 2), now(d));
    } else if (what < 238) {
        m->full = !m->full && roll(d, 4) == 0;
    } else if (what < 242) {
        if (which == J ? d->judge != NULL : d->entity != NULL)
            stop(d, which, roll(d, 3) == 0);
    } else if (what < 246) {
        struct judge_end_view view;
        if (d->judge) {
            view = *judge_end_view(d->judge);
            duo_sum.epochs += view.sync == SYNC_DIFFERS;
            if (view.sync == SYNC_DIFFERS)
                judge_end_new_epoch(d->judge, now(d));
        }
    } else {
        if (d->judge && judge_end_view(d->judge)->due_us <= d->now_us)
            judge_end_tick(d->judge, now(d));
        if (d->entity && entity_end_view(d->entity)->due_us <= d->now_us)
            entity_end_tick(d->entity, now(d));
    }
    for (unsigned i = 0; i < 2; i++)
        if (i == J ? !d->judge : !d->entity && d->partner == DUO_HONEST)
            if (roll(d, 4) == 0)
                start(d, i);
    if (!d->up && roll(d, 4) == 0)
        set_line(d, true);
}

/* All is mended: the honest ends must agree, with a steward's word at most. */
static void settle(struct duo *d)
{
    struct judge_end_view judge;
    struct entity_end_view entity;
    for (unsigned i = 0; i < 2; i++) {
        d->machine[i].full = false;
        if (i == J ? !d->judge : !d->entity)
            start(d, i);
    }
    set_line(d, true);
    for (unsigned turn = 0; turn < 3000; turn++) {
        d->now_us += 10000;
        for (unsigned i = 0; i < 2; i++) {
            deliver(d, i);
            acknowledge(d, i);
        }
        if (!d->up)
            set_line(d, true);
        if (judge_end_view(d->judge)->due_us <= d->now_us)
            judge_end_tick(d->judge, now(d));
        if (entity_end_view(d->entity)->due_us <= d->now_us)
            entity_end_tick(d->entity, now(d));
        judge = *judge_end_view(d->judge);
        entity = *entity_end_view(d->entity);
        if (judge.sync == SYNC_DIFFERS) {
            if (!d->apart)
                fault(d, "honest ends differ at last: %s", judge.differs_why);
            judge_end_new_epoch(d->judge, now(d));
        }
        if (judge.sync == SYNC_LIVE && entity.sync == SYNC_LIVE && judge.settled &&
            entity.pending_count == 0 && judge.n == entity.n && turn > 300)
            break;
    }
    d->apart = false;
    check(d);
    if (judge.n != entity.n || judge.sync != SYNC_LIVE || entity.sync != SYNC_LIVE)
        fault(d, "the ends do not agree at last: %llu and %llu keys, states %d and %d",
              (unsigned long long)judge.n, (unsigned long long)entity.n, judge.sync, entity.sync);
}

const char *duo_play(enum duo_partner partner, unsigned steps, uint32_t (*next)(void *ctx),
                     void *ctx)
{
    static struct duo d;
    memset(&d, 0, sizeof d);
    d.partner = partner;
    d.next = next;
    d.ctx = ctx;
    d.now_us = 1000000;
    style_default(&d.style);
    for (unsigned i = 0; i < 2; i++) {
        d.machine[i].duo = &d;
        d.machine[i].which = i;
        start(&d, i);
    }
    set_line(&d, true);
    plan(&d);
    for (unsigned i = 0; i < steps && !d.fault[0]; i++) {
        step(&d);
        check(&d);
    }
    if (!d.fault[0])
        compare_replay(&d);
    if (!d.fault[0] && partner == DUO_HONEST) {
        settle(&d);
        compare_replay(&d);
    }
    if (d.judge) {
        struct judge_end_view view;
        view = *judge_end_view(d.judge);
        duo_sum.keys += view.n;
        duo_sum.fetched += view.fetched[PARTY_JUDGE] + view.fetched[PARTY_ENTITY];
        duo_sum.unproven += view.unproven_first ? view.unproven_last - view.unproven_first + 1 : 0;
    }
    judge_end_destroy(d.judge);
    entity_end_destroy(d.entity);
    return d.fault[0] ? d.fault : NULL;
}
