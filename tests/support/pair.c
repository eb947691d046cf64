#include "tests/support/pair.h"

#include "link/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WALL_US    1795000000000000ull /* when the simulated time is 0 */
#define SYNC_US    80000               /* a write is on the disk so much later */
#define SESSION_ID "pair"

static const char *const paths[2] = {"judge.journal", "entity.journal"};
/* The journal opens one file at a time; its descriptor is wanted to sync it in simulated time. */
static enum bl_status (*inner_open)(void *, const char *, enum disk_mode, int *, uint64_t *);
static int opened_fd;

static enum bl_status open_and_tell(void *ctx, const char *path, enum disk_mode mode, int *fd,
                                    uint64_t *length)
{
    enum bl_status status = inner_open(ctx, path, mode, fd, length);
    opened_fd = *fd;
    return status;
}

struct bl_time pair_now(const struct pair *pair)
{
    return (struct bl_time){.mono_us = pair->now_us, .wall_us = WALL_US + pair->now_us};
}

static struct link_core *core_of(void *ctx)
{
    return ((struct pair_machine *)ctx)->core;
}

static enum bl_status on_keep(void *ctx, const struct journal_record *record)
{
    struct pair_machine *m = ctx;
    if (m->refuse_disk)
        return BL_FULL;
    if (m->sync_us == BL_NEVER)
        m->sync_us = m->pair->now_us + SYNC_US;
    return journal_append(m->journal, record);
}

static enum bl_status on_send(void *ctx, const uint8_t *record, size_t length)
{
    return link_core_send(core_of(ctx), LINK_EXPRESS, record, length);
}

static enum bl_status on_send_later(void *ctx, const uint8_t *record, size_t length)
{
    return link_core_send(core_of(ctx), LINK_BULK, record, length);
}

static uint64_t on_sent(void *ctx)
{
    return link_core_sent(core_of(ctx));
}

static uint64_t on_acked(void *ctx)
{
    return link_core_acked(core_of(ctx));
}

static void on_judge_key(void *ctx, uint64_t n, uint32_t point)
{
    struct pair *pair = ((struct pair_machine *)ctx)->pair;
    (void)point;
    if (n <= pair->last_given)
        return; /* an Entry is given each number once, also when a page is made anew */
    pair->last_given = n;
    pair->given++;
}

static void on_replay(void *ctx, const struct journal_record *record);

static void open_journal(struct pair_machine *m, const char *style)
{
    struct journal_record header = {
        .kind = JOURNAL_HEADER,
        .wall_us = WALL_US,
        .as.header = {.session = SESSION_ID,
                      .role = m->which == J ? PARTY_JUDGE : PARTY_ENTITY,
                      .style = style,
                      .starts = (uint8_t)m->pair->starts}};
    struct bl_diag diag = {""};
    struct journal_report found;
    if (journal_open(&m->journal, &m->face, paths[m->which], &header, on_replay, m, &found, &diag))
        fail_msg("%s", diag.text);
    m->fd = opened_fd;
    m->sync_us = BL_NEVER;
    if (m->which == J) {
        struct judge_start start = {.torn = found.torn_bytes,
                                    .damaged = (uint32_t)found.damaged,
                                    .boot = {1 + m->boot},
                                    .secret = {(uint8_t)dice_next(&m->pair->dice)}};
        judge_end_start(m->pair->judge, &start, pair_now(m->pair));
    }
}

static enum bl_status on_adopt(void *ctx, const char *session, const char *style, uint8_t starts)
{
    struct pair_machine *m = ctx;
    assert_string_equal(session, SESSION_ID);
    assert_int_equal(entity_end_begin(m->pair->entity, session, style, starts), BL_OK);
    open_journal(m, style);
    return BL_OK;
}

static const struct end_callbacks end_callbacks = {.keep = on_keep,
                                                   .send = on_send,
                                                   .send_later = on_send_later,
                                                   .sent = on_sent,
                                                   .acked = on_acked,
                                                   .judge_key = on_judge_key,
                                                   .adopt = on_adopt};

static void on_replay(void *ctx, const struct journal_record *record)
{
    struct pair_machine *m = ctx;
    if (m->which == J)
        judge_end_replay(m->pair->judge, record);
    else if (record->kind == JOURNAL_HEADER)
        entity_end_begin(m->pair->entity, record->as.header.session, record->as.header.style,
                         record->as.header.starts);
    else
        entity_end_replay(m->pair->entity, record);
}

static void on_state(void *ctx, enum link_state state, const char *reason)
{
    struct pair_machine *m = ctx;
    bool up = state == LINK_UP;
    (void)reason;
    if (up == m->link_up)
        return;
    m->link_up = up;
    if (m->which == J)
        judge_end_link(m->pair->judge, up, pair_now(m->pair));
    else
        entity_end_link(m->pair->entity, up, pair_now(m->pair));
}

static enum bl_status on_record(void *ctx, const uint8_t *record, size_t length)
{
    struct pair_machine *m = ctx;
    return m->which == J ? judge_end_record(m->pair->judge, record, length, pair_now(m->pair))
                         : entity_end_record(m->pair->entity, record, length, pair_now(m->pair));
}

static void on_progress(void *ctx)
{
    struct pair_machine *m = ctx;
    if (m->which == J)
        judge_end_progress(m->pair->judge, pair_now(m->pair));
    else
        entity_end_progress(m->pair->entity, pair_now(m->pair));
}

static bool on_frame(void *ctx, const uint8_t *frame, size_t length, size_t wire)
{
    struct pair_machine *m = ctx;
    (void)wire;
    return m->running && link_core_frame(m->core, m->pair->now_us, frame, length);
}

static bool on_early(void *ctx, const uint8_t *frame, size_t length, size_t wire)
{
    struct pair_machine *m = ctx;
    (void)wire;
    return m->running && link_core_early(m->core, m->pair->now_us, frame, length);
}

static void on_garbage(void *ctx, size_t bytes)
{
    struct pair_machine *m = ctx;
    if (m->running)
        link_core_garbage(m->core, m->pair->now_us, bytes);
}

static void on_idle(void *ctx)
{
    (void)ctx;
}

static uint32_t on_random(void *ctx)
{
    return (uint32_t)dice_next(&((struct pair_machine *)ctx)->pair->dice);
}

void pair_start(struct pair *pair, unsigned which)
{
    static const struct link_callbacks callbacks = {
        .state = on_state, .record = on_record, .progress = on_progress};
    struct pair_machine *m = &pair->machine[which];
    struct link_wire wire;
    memory_describe(pair->wire, which, &wire);
    m->core =
        link_core_create(which == J ? LINK_JUDGE : LINK_ENTITY, &wire, on_random, &callbacks, m);
    m->link_up = false;
    m->journal = NULL;
    m->sync_us = BL_NEVER;
    if (which == J) {
        struct judge_end_config config = {
            .side = SIDE_LEFT, .starts = pair->starts, .listened = pair->listened};
        char style[STYLE_MAX + 1];
        config.style = pair->style;
        style_format(&config.style, style);
        pair->judge = judge_end_create(&config, &end_callbacks, m);
        judge_end_name(pair->judge, SESSION_ID);
        open_journal(m, style);
    } else {
        size_t length;
        pair->last_given = 0;
        pair->entity = entity_end_create(&end_callbacks, m, pair->held);
        if (fake_disk_bytes(m->disk, paths[E], &length) && length)
            open_journal(m, "split");
        entity_end_ready(pair->entity);
    }
    m->running = true;
    link_core_medium(m->core, pair->now_us, true, "");
    if (which == J && pair->open) {
        struct judge_end_view view;
        view = *judge_end_view(pair->judge);
        judge_end_open(pair->judge, 0, 0, UINT64_MAX, view.generation > 0, pair_now(pair));
    }
}

static void stop(struct pair *pair, unsigned which)
{
    struct pair_machine *m = &pair->machine[which];
    if (!m->running)
        return;
    m->running = false;
    journal_close(m->journal);
    m->journal = NULL;
    link_core_destroy(m->core);
    m->core = NULL;
    if (which == J) {
        judge_end_destroy(pair->judge);
        pair->judge = NULL;
    } else {
        entity_end_destroy(pair->entity);
        pair->entity = NULL;
    }
}

void pair_kill(struct pair *pair, unsigned which)
{
    fake_disk_kill(pair->machine[which].disk);
    stop(pair, which);
}

void pair_lose(struct pair *pair, unsigned which, enum fake_loss loss)
{
    fake_disk_power_loss(pair->machine[which].disk, loss);
    pair->machine[which].boot++;
    stop(pair, which);
}

void pair_power_loss(struct pair *pair, unsigned which)
{
    static const enum fake_loss losses[] = {FAKE_LOSS_ALL, FAKE_LOSS_PREFIX, FAKE_LOSS_TORN};
    pair_lose(pair, which, losses[dice_below(&pair->dice, 3)]);
}

void pair_close(struct pair *pair, unsigned which)
{
    struct pair_machine *m = &pair->machine[which];
    if (which == J)
        judge_end_stop(pair->judge, pair_now(pair));
    m->face.sync(m->face.ctx, m->fd);
    stop(pair, which);
}

struct pair *pair_create(uint64_t seed, enum starts starts)
{
    struct style style;
    style_default(&style);
    return pair_create_styled(seed, starts, &style);
}

struct pair *pair_create_styled(uint64_t seed, enum starts starts, const struct style *style)
{
    static const struct medium_callbacks events = {
        .frame = on_frame, .early = on_early, .garbage = on_garbage, .idle = on_idle};
    struct pair *pair = calloc(1, sizeof *pair);
    pair->dice = dice_make(seed);
    pair->starts = starts;
    pair->style = *style;
    pair->wire = memory_create(PAIR_BAUD, seed);
    for (unsigned i = 0; i < 2; i++) {
        struct pair_machine *m = &pair->machine[i];
        m->pair = pair;
        m->which = i;
        m->disk = fake_disk_create(seed + i);
        m->face = *fake_disk_face(m->disk);
        inner_open = m->face.open;
        m->face.open = open_and_tell;
        memory_listen(pair->wire, i, &events, m);
        pair_start(pair, i);
    }
    return pair;
}

void pair_destroy(struct pair *pair)
{
    for (unsigned i = 0; i < 2; i++) {
        stop(pair, i);
        fake_disk_destroy(pair->machine[i].disk);
    }
    memory_destroy(pair->wire);
    free(pair);
}

static void sooner(uint64_t *due, uint64_t at)
{
    if (at < *due)
        *due = at;
}

/* All that is due at this instant. */
static void act(struct pair *pair)
{
    struct bl_time now = pair_now(pair);
    for (unsigned i = 0; i < 2; i++) {
        struct pair_machine *m = &pair->machine[i];
        memory_receive(pair->wire, i, pair->now_us); /* into the void, if the machine is off */
        if (!m->running)
            continue;
        if (link_core_deadline(m->core) <= pair->now_us)
            link_core_tick(m->core, pair->now_us);
        if (i == J && judge_end_view(pair->judge)->due_us <= pair->now_us)
            judge_end_tick(pair->judge, now);
        if (i == E && entity_end_view(pair->entity)->due_us <= pair->now_us)
            entity_end_tick(pair->entity, now);
        if (m->journal && m->sync_us <= pair->now_us) {
            if (!m->stuck)
                m->face.sync(m->face.ctx, m->fd);
            m->sync_us = BL_NEVER;
        }
        while (memory_ready(pair->wire, i, pair->now_us)) {
            uint8_t frame[FRAME_MAX];
            size_t length = link_core_output(m->core, pair->now_us, frame);
            if (length == 0)
                break;
            if (pair->listener)
                pair->listener(pair->listener_ctx, i, frame, length);
            memory_send(pair->wire, i, pair->now_us, frame, length);
        }
    }
}

static uint64_t next(struct pair *pair)
{
    uint64_t due = UINT64_MAX;
    for (unsigned i = 0; i < 2; i++) {
        struct pair_machine *m = &pair->machine[i];
        sooner(&due, memory_next_us(pair->wire, i));
        if (!m->running)
            continue;
        sooner(&due, link_core_deadline(m->core));
        if (!memory_ready(pair->wire, i, pair->now_us))
            sooner(&due, memory_ready_us(pair->wire, i));
        sooner(&due, m->sync_us);
    }
    if (pair->judge)
        sooner(&due, judge_end_view(pair->judge)->due_us);
    if (pair->entity)
        sooner(&due, entity_end_view(pair->entity)->due_us);
    return due;
}

void pair_run(struct pair *pair, uint64_t for_us)
{
    uint64_t until_us = pair->now_us + for_us;
    for (;;) {
        act(pair);
        uint64_t due = next(pair);
        if (due > until_us)
            break;
        pair->now_us = due > pair->now_us ? due : pair->now_us + 1;
    }
    pair->now_us = until_us;
    act(pair);
}

void pair_settle(struct pair *pair, uint64_t most_us)
{
    uint64_t until_us = pair->now_us + most_us;
    for (;;) {
        struct judge_end_view judge;
        struct entity_end_view entity;
        judge = *judge_end_view(pair->judge);
        entity = *entity_end_view(pair->entity);
        if (judge.sync == SYNC_LIVE && entity.sync == SYNC_LIVE && judge.settled &&
            entity.pending_count == 0 && judge.n == entity.n)
            return;
        if (pair->now_us >= until_us)
            fail_msg("not settled: judge sync %d n %llu confirmed %llu typed %zu, entity sync %d n "
                     "%llu pending %zu",
                     judge.sync, (unsigned long long)judge.n, (unsigned long long)judge.confirmed,
                     judge.typed_count, entity.sync, (unsigned long long)entity.n,
                     entity.pending_count);
        pair_run(pair, 10000);
    }
}

void pair_check(struct pair *pair, enum pair_relation relation)
{
    const struct sequence *judge = judge_end_sequence(pair->judge);
    const struct sequence *entity = entity_end_sequence(pair->entity);
    uint64_t count = entity->count < judge->count ? entity->count : judge->count;
    if (relation != PAIR_COMMON)
        assert_true(entity->count <= judge->count);
    if (relation == PAIR_EQUAL)
        assert_int_equal(entity->count, judge->count);
    for (uint64_t i = 0; i < count; i++) {
        assert_int_equal(entity->event[i].point, judge->event[i].point);
        assert_int_equal(entity->event[i].party, judge->event[i].party);
        assert_int_equal(entity->event[i].posted_us, judge->event[i].posted_us);
    }
    if (relation == PAIR_EQUAL) {
        struct judge_end_view a;
        struct entity_end_view b;
        uint8_t digest_a[DIGEST_SIZE], digest_b[DIGEST_SIZE];
        a = *judge_end_view(pair->judge);
        b = *entity_end_view(pair->entity);
        page_digest(a.page, digest_a);
        page_digest(b.page, digest_b);
        assert_memory_equal(digest_a, digest_b, DIGEST_SIZE);
    }
}

struct pair *pair_open(enum starts starts)
{
    struct pair *pair = pair_create(1, starts);
    pair->open = true;
    judge_end_open(pair->judge, 0, 0, UINT64_MAX, false, pair_now(pair));
    pair_run(pair, 2000000);
    return pair;
}

void pair_type_judge(struct pair *pair, const char *text)
{
    for (; *text; text++) {
        assert_int_equal(judge_end_key(pair->judge, (uint8_t)*text, pair_now(pair)), KEY_TAKEN);
        pair_run(pair, 50000);
    }
}

void pair_type_entity(struct pair *pair, const char *text)
{
    for (; *text; text++) {
        assert_int_equal(entity_end_key(pair->entity, (uint8_t)*text, pair_now(pair)), KEY_TAKEN);
        pair_run(pair, 50000);
    }
}

void pair_expect(struct pair *pair, const char *order)
{
    const struct sequence *sequence = judge_end_sequence(pair->judge);
    pair_settle(pair, 10000000);
    pair_check(pair, PAIR_EQUAL);
    assert_int_equal(sequence->count, strlen(order));
    for (size_t i = 0; order[i]; i++)
        assert_int_equal(sequence->event[i].point, (uint8_t)order[i]);
}
