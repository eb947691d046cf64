/* Both ends of a line over the simulated pair, and each alone against an other end that keeps no
 * rules: what must not happen, record by record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/pair.h"

/* One end alone, its other end played by the test. */
struct alone {
    uint64_t sent;
    unsigned adopted;
    uint64_t later;          /* what was sent in bulk */
    bool full;               /* the link has no room */
    bool deaf;               /* nothing is acknowledged */
    enum bl_status adopting; /* what the adoption of a session comes to */
    bool refuses;            /* nothing is begun */
    struct entity_end *entity;
    uint32_t asked;      /* the first key of the latest record that asked for places */
    unsigned repairs[2]; /* that were asked for, of the page and of the whole order */
};

static enum bl_status alone_keep(void *ctx, const struct journal_record *record)
{
    (void)ctx;
    (void)record;
    return BL_OK;
}

static enum bl_status alone_send(void *ctx, const uint8_t *record, size_t length)
{
    struct alone *alone = ctx;
    struct wire wire;
    if (alone->full)
        return BL_AGAIN;
    alone->sent++;
    if (wire_decode(&wire, record, length) == BL_OK && wire.kind == WIRE_NEW_KEYS)
        alone->asked = wire.point[0];
    else if (wire.kind == WIRE_REPAIR)
        alone->repairs[wire.flag]++;
    return BL_OK;
}

static enum bl_status alone_send_later(void *ctx, const uint8_t *record, size_t length)
{
    struct alone *alone = ctx;
    struct wire wire;
    assert_int_equal(wire_decode(&wire, record, length), BL_OK);
    assert_int_equal(wire.kind, WIRE_DIGEST);
    if (alone->full)
        return BL_AGAIN;
    alone->later++;
    return BL_OK;
}

static uint64_t alone_sent(void *ctx)
{
    return ((struct alone *)ctx)->sent;
}

static uint64_t alone_acked(void *ctx)
{
    const struct alone *alone = ctx;
    return alone->deaf ? 0 : alone->sent;
}

static enum bl_status alone_adopt(void *ctx, const char *session, const char *style, uint8_t starts)
{
    struct alone *alone = ctx;
    alone->adopted++;
    if (alone->refuses)
        return BL_DATA;
    assert_int_equal(entity_end_begin(alone->entity, session, style, starts), BL_OK);
    return alone->adopting;
}

static const struct end_callbacks alone_callbacks = {.keep = alone_keep,
                                                     .send = alone_send,
                                                     .send_later = alone_send_later,
                                                     .sent = alone_sent,
                                                     .acked = alone_acked,
                                                     .adopt = alone_adopt};

static struct bl_time at(uint64_t us)
{
    return (struct bl_time){.mono_us = us, .wall_us = 1795000000000000u + us};
}

static enum bl_status tell_judge(struct judge_end *end, const struct wire *wire, uint64_t us)
{
    uint8_t record[WIRE_MAX];
    return judge_end_record(end, record, wire_encode(wire, record), at(us));
}

/* A judge's end that is open and live, with an entity's end that has nothing; or one that may have
 * lost keys and has not met its other end yet. */
static struct judge_end *judge_begun(struct alone *alone, bool lost)
{
    struct judge_end_config config = {.side = SIDE_LEFT};
    style_default(&config.style);
    struct judge_end *end = judge_end_create(&config, &alone_callbacks, alone);
    judge_end_name(end, "alone");
    judge_end_start(end, &(struct judge_start){.torn = lost}, at(0));
    judge_end_open(end, 0, 0, UINT64_MAX, false, at(1));
    if (lost)
        return end;
    judge_end_link(end, true, at(2));
    tell_judge(end, &(struct wire){.kind = WIRE_RESUME, .session = "alone"}, 3);
    return end;
}

static struct judge_end *judge_alone(struct alone *alone)
{
    return judge_begun(alone, false);
}

/* The order is sent again while both type: no key is asked for twice. */
static void test_keys_typed_while_the_order_is_sent_again(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    struct entity_end_view view;
    unsigned taken = 3;
    pair_type_judge(pair, "abc");
    pair_type_entity(pair, "xyz");
    pair_run(pair, 3000000);
    entity_end_sequence(pair->entity)->event[1].point = 'B';
    view = *entity_end_view(pair->entity);
    page_apply((struct page *)view.page, &(struct key_event){.point = 'X', .party = PARTY_JUDGE});
    for (unsigned i = 0; i < 3000; i++) {
        if (i % 50 == 0)
            judge_end_key(pair->judge, 'j', pair_now(pair));
        taken += entity_end_key(pair->entity, '0' + i % 10, pair_now(pair)) == KEY_TAKEN;
        pair_run(pair, 1000);
    }
    view = *entity_end_view(pair->entity);
    assert_true(view.differences > 0);
    pair_settle(pair, 20000000);
    pair_check(pair, PAIR_EQUAL);
    assert_int_equal(judge_end_sequence(pair->judge)->by[PARTY_ENTITY], taken);
    pair_destroy(pair);
}

static uint8_t *journal_copy(struct pair *pair, unsigned which, size_t *length)
{
    const uint8_t *bytes = fake_disk_bytes(pair->machine[which].disk,
                                           which == J ? "judge.journal" : "entity.journal", length);
    uint8_t *copy = test_malloc(*length);
    memcpy(copy, bytes, *length);
    return copy;
}

/* The record that counts lacks keys of the entity that this entity's end had placed: its next keys
 * are neither held back nor asked for twice, also after a restart. */
static void test_epoch_without_some_keys_of_the_entity(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    size_t judge_length, entity_length;
    pair_type_judge(pair, "a");
    pair_type_entity(pair, "b");
    uint8_t *judge = journal_copy(pair, J, &judge_length);
    pair_type_entity(pair, "cd");
    uint8_t *entity = journal_copy(pair, E, &entity_length);
    pair_kill(pair, E);
    pair_kill(pair, J);
    fake_disk_put(pair->machine[J].disk, "judge.journal", judge, judge_length);
    fake_disk_put(pair->machine[E].disk, "entity.journal", "", 0);
    pair_start(pair, J);
    pair_start(pair, E);
    pair_run(pair, 5000000);
    pair_type_judge(pair, "xyz");
    pair_kill(pair, E);
    fake_disk_put(pair->machine[E].disk, "entity.journal", entity, entity_length);
    pair_start(pair, E);
    pair_run(pair, 5000000);
    judge_end_new_epoch(pair->judge, pair_now(pair));
    pair_run(pair, 5000000);
    pair_expect(pair, "abxyz");
    pair_type_entity(pair, "e");
    pair_expect(pair, "abxyze");
    pair_kill(pair, E);
    pair_start(pair, E);
    pair_run(pair, 5000000);
    pair_expect(pair, "abxyze");
    pair_type_entity(pair, "f");
    pair_expect(pair, "abxyzef");
    test_free(judge);
    test_free(entity);
    pair_destroy(pair);
}

/* While the records differ nothing is placed, also when the line goes down meanwhile. */
static void test_difference_outlasts_the_line(void **state)
{
    (void)state;
    struct alone alone = {0};
    struct judge_end *end = judge_alone(&alone);
    assert_int_equal(judge_end_key(end, 'a', at(10)), KEY_TAKEN);
    tell_judge(end, &(struct wire){.kind = WIRE_DIFFERS}, 20);
    assert_int_equal(judge_end_key(end, 'b', at(30)), KEY_REFUSED_APART);
    judge_end_link(end, false, at(40));
    assert_int_equal(judge_end_key(end, 'c', at(50)), KEY_REFUSED_APART);
    judge_end_link(end, true, at(60));
    assert_int_equal(judge_end_key(end, 'd', at(70)), KEY_REFUSED_APART);
    assert_int_equal(judge_end_sequence(end)->count, 1);
    judge_end_destroy(end);
}

/* One whose record has a key, and whose other end has one more. */
static struct judge_end *judge_that_lost(struct alone *alone, struct wire *resume, uint64_t mark_us)
{
    struct judge_end *end = judge_begun(alone, true);
    struct sequence order;
    const struct journal_record kept = {
        .kind = JOURNAL_KEYS,
        .wall_us = mark_us,
        .as.keys = {.first = 1,
                    .party = PARTY_JUDGE,
                    .run = {.point = (const uint32_t[]){'a'}, .count = 1}}};
    judge_end_replay(end, &kept);
    assert_true(sequence_init(&order));
    sequence_append(&order, &judge_end_sequence(end)->event[0]);
    sequence_append(&order, &(struct key_event){.posted_us = mark_us, .point = 'b'});
    *resume = (struct wire){.kind = WIRE_RESUME, .n = 2, .session = "alone"};
    resume->chain = sequence_chain(&order, 2);
    sequence_free(&order);
    judge_end_link(end, true, at(60));
    return end;
}

/* While the tail comes from the other end, the judge's keys wait: they belong behind it. */
static void test_nothing_is_placed_before_the_tail(void **state)
{
    (void)state;
    struct alone alone = {0};
    struct judge_end_view view;
    struct wire resume;
    const uint64_t mark_us = at(40).wall_us;
    struct judge_end *end = judge_that_lost(&alone, &resume, mark_us);
    tell_judge(end, &resume, 70);
    assert_int_equal(judge_end_key(end, 'c', at(80)), KEY_TAKEN);
    tell_judge(end, &(struct wire){.kind = WIRE_MARK, .n = 2, .time_us = mark_us}, 90);
    tell_judge(end,
               &(struct wire){.kind = WIRE_JUDGE_KEYS, .text = (const uint8_t *)"b", .length = 1},
               100);
    assert_int_equal(judge_end_sequence(end)->count, 1);
    tell_judge(end, &(struct wire){.kind = WIRE_TAIL_END, .flag = 1}, 110);
    view = *judge_end_view(end);
    assert_int_equal(view.sync, SYNC_LIVE);
    assert_int_equal(view.n, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(judge_end_sequence(end)->event[i].point, 'a' + i);
    judge_end_destroy(end);
}

/* Once the records differ no tail is taken any more, nor one whose times run backwards. */
static void test_hostile_tail(void **state)
{
    (void)state;
    struct alone alone = {0};
    struct wire resume;
    struct judge_end *end = judge_that_lost(&alone, &resume, at(40).wall_us);
    const struct wire keys = {
        .kind = WIRE_ENTITY_KEYS, .dt_us = 9, .text = (const uint8_t *)"b", .length = 1};
    tell_judge(end, &resume, 70);
    tell_judge(end, &(struct wire){.kind = WIRE_MARK, .n = 2, .time_us = UINT64_MAX - 2}, 80);
    assert_int_equal(tell_judge(end, &keys, 90), BL_DATA);
    tell_judge(end, &(struct wire){.kind = WIRE_MARK, .n = 2, .time_us = 1}, 100);
    assert_int_equal(tell_judge(end, &keys, 110), BL_DATA);
    tell_judge(end, &(struct wire){.kind = WIRE_MARK, .n = 2, .time_us = at(50).wall_us}, 120);
    tell_judge(end, &(struct wire){.kind = WIRE_DIFFERS}, 130);
    assert_int_equal(tell_judge(end, &keys, 140), BL_DATA);
    assert_int_equal(judge_end_sequence(end)->count, 1);
    judge_end_destroy(end);
}

/* A digest that is due and finds no room waits for the link, not for a time that is past. */
static void test_full_link_is_waited_for(void **state)
{
    (void)state;
    struct alone alone = {0};
    struct judge_end *end = judge_alone(&alone);
    judge_end_key(end, 'a', at(1000));
    judge_end_progress(end, at(1100));
    judge_end_key(end, 'b', at(2000));
    uint64_t due_us = judge_end_view(end)->due_us;
    assert_true(due_us > 2000 && due_us < 2000000);
    alone.full = true;
    judge_end_tick(end, at(due_us));
    assert_true(judge_end_view(end)->due_us > due_us);
    alone.full = false;
    const uint64_t later = alone.later;
    judge_end_progress(end, at(due_us + 1000));
    assert_int_equal(alone.later, later + 1);
    judge_end_destroy(end);
}

/* Nor does it begin while a key is under way, which it might then be taken for older than. */
static void test_a_digest_waits_for_keys(void **state)
{
    (void)state;
    struct alone alone = {0};
    struct judge_end *end = judge_alone(&alone);
    judge_end_key(end, 'a', at(1000));
    judge_end_progress(end, at(1100));
    judge_end_key(end, 'b', at(2000));
    alone.deaf = true;
    uint64_t due_us = judge_end_view(end)->due_us;
    judge_end_tick(end, at(due_us));
    judge_end_progress(end, at(due_us + 500));
    const uint64_t before = alone.later, sent = alone.sent;
    alone.deaf = false;
    judge_end_progress(end, at(due_us + 1000));
    assert_int_equal(alone.later, before + 1);
    /* On a line that is never quiet it takes its turn. */
    judge_end_key(end, 'c', at(due_us + 2000));
    alone.deaf = true;
    judge_end_tick(end, at(due_us + 1002000));
    assert_int_equal(alone.sent, sent + 1);
    judge_end_key(end, 'd', at(due_us + 2003000));
    assert_int_equal(alone.later, before + 1);
    assert_int_equal(alone.sent, sent + 3);
    judge_end_destroy(end);
}

/* Where it stands was told on a connection that is gone: the next one counts anew. */
static void test_what_was_told_is_of_one_connection(void **state)
{
    (void)state;
    struct alone alone = {.deaf = true};
    struct judge_end *end = judge_alone(&alone);
    assert_false(judge_end_view(end)->told);
    judge_end_link(end, false, at(1000));
    alone.deaf = false;
    judge_end_link(end, true, at(2000));
    judge_end_progress(end, at(3000));
    assert_false(judge_end_view(end)->told);
    tell_judge(end, &(struct wire){.kind = WIRE_RESUME, .session = "alone"}, 4000);
    judge_end_progress(end, at(5000));
    assert_true(judge_end_view(end)->told);
    judge_end_link(end, false, at(6000));
    assert_true(judge_end_view(end)->told);
    judge_end_destroy(end);
}

/* A session whose record could not be opened is not taken for adopted: the next offer tries again.
 */
static void test_adoption_is_tried_again(void **state)
{
    (void)state;
    struct alone alone = {.adopting = BL_BUSY};
    struct wire offer = {.kind = WIRE_OFFER, .session = "alone", .style = "split"};
    uint8_t record[WIRE_MAX];
    size_t length = wire_encode(&offer, record);
    alone.entity = entity_end_create(&alone_callbacks, &alone, false);
    for (unsigned i = 1; i <= 2; i++) {
        entity_end_link(alone.entity, true, at(i * 100));
        assert_int_equal(entity_end_record(alone.entity, record, length, at(i * 100 + 10)),
                         alone.adopting);
        entity_end_link(alone.entity, false, at(i * 100 + 20));
        assert_int_equal(alone.adopted, i);
        alone.adopting = BL_OK;
    }
    entity_end_link(alone.entity, true, at(300));
    assert_int_equal(entity_end_record(alone.entity, record, length, at(310)), BL_OK);
    assert_int_equal(alone.adopted, 2);
    entity_end_destroy(alone.entity);
}

static void hear(struct alone *alone, struct wire wire, uint64_t us)
{
    uint8_t record[WIRE_MAX];
    size_t length = wire_encode(&wire, record);
    assert_int_equal(entity_end_record(alone->entity, record, length, at(us)), BL_OK);
}

/* Numbers of pressed keys begin anew with a session: what was written under one of them in the
 * session before is not taken for the key that has it now. */
static void test_another_sessions_key_is_not_sent(void **state)
{
    static const uint32_t point = 'b';
    const struct journal_record pressed = {
        .kind = JOURNAL_PRESSED,
        .wall_us = at(1).wall_us,
        .as.pressed = {.first = 1, .segment = 1, .run = {.point = &point, .count = 1}}};
    struct alone alone = {.adopting = BL_OK};
    (void)state;
    alone.entity = entity_end_create(&alone_callbacks, &alone, false);
    assert_int_equal(entity_end_begin(alone.entity, "first", "split", STARTS_EITHER), BL_OK);
    assert_int_equal(entity_end_key(alone.entity, 'a', at(10)), KEY_TAKEN);
    assert_int_equal(entity_end_begin(alone.entity, "second", "split", STARTS_EITHER), BL_OK);
    entity_end_replay(alone.entity, &pressed);
    assert_int_equal(entity_end_view(alone.entity)->pending_count, 1);
    entity_end_link(alone.entity, true, at(100));
    hear(&alone,
         (struct wire){
             .kind = WIRE_OFFER, .session = "second", .style = "split", .starts = STARTS_EITHER},
         110);
    hear(&alone, (struct wire){.kind = WIRE_SYNC, .generation = 1}, 120);
    hear(&alone,
         (struct wire){
             .kind = WIRE_SEGMENT, .generation = 1, .state = SEGMENT_OPEN, .time_us = UINT64_MAX},
         130);
    assert_int_equal(alone.asked, 'b');
    entity_end_destroy(alone.entity);
}

/* Where the pages differ the page is to be made anew first, and then the whole order. */
static void test_repairs_come_in_steps(void **state)
{
    struct alone alone = {.adopting = BL_OK};
    (void)state;
    alone.entity = entity_end_create(&alone_callbacks, &alone, false);
    assert_int_equal(entity_end_begin(alone.entity, "alone", "split", STARTS_EITHER), BL_OK);
    entity_end_link(alone.entity, true, at(100));
    hear(&alone,
         (struct wire){
             .kind = WIRE_OFFER, .session = "alone", .style = "split", .starts = STARTS_EITHER},
         110);
    hear(&alone, (struct wire){.kind = WIRE_SYNC, .generation = 1}, 120);
    for (unsigned i = 0; i < 3; i++) {
        hear(&alone, (struct wire){.kind = WIRE_DIGEST, .digest = {1}}, 130 + i);
        assert_int_equal(alone.repairs[0], 1);
        assert_int_equal(alone.repairs[1], i);
    }
    entity_end_destroy(alone.entity);
}

/* By its own clock a part was over, and it goes on: the end that was written down is none. */
static void test_a_part_that_goes_on_has_no_end(void **state)
{
    struct alone alone = {.adopting = BL_OK};
    (void)state;
    alone.entity = entity_end_create(&alone_callbacks, &alone, false);
    assert_int_equal(entity_end_begin(alone.entity, "alone", "split", STARTS_EITHER), BL_OK);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t from_us = 1 + i * 10000000;
        entity_end_link(alone.entity, true, at(from_us));
        hear(&alone,
             (struct wire){
                 .kind = WIRE_OFFER, .session = "alone", .style = "split", .starts = STARTS_EITHER},
             from_us);
        hear(&alone, (struct wire){.kind = WIRE_SYNC, .generation = 1}, from_us);
        hear(&alone,
             (struct wire){
                 .kind = WIRE_SEGMENT, .generation = 1, .state = SEGMENT_OPEN, .time_us = 1000000},
             from_us);
        assert_int_equal(entity_end_view(alone.entity)->outcome, CLOSE_NONE);
        entity_end_link(alone.entity, false, at(from_us + 500000));
        entity_end_tick(alone.entity, at(from_us + 1500000));
        assert_int_equal(entity_end_view(alone.entity)->outcome, CLOSE_PREFIX);
    }
    entity_end_destroy(alone.entity);
}

/* The same session with other pages is refused, and the one that is there stays. */
static void test_other_pages_are_refused(void **state)
{
    (void)state;
    struct alone alone = {.adopting = BL_OK};
    struct wire offer = {.kind = WIRE_OFFER, .session = "alone", .style = "scroll columns=40"};
    struct entity_end_view view;
    uint8_t record[WIRE_MAX];
    alone.entity = entity_end_create(&alone_callbacks, &alone, false);
    entity_end_link(alone.entity, true, at(100));
    assert_int_equal(entity_end_record(alone.entity, record, wire_encode(&offer, record), at(110)),
                     BL_OK);
    alone.refuses = true;
    for (unsigned i = 2; i <= 3; i++) {
        snprintf(offer.style, sizeof offer.style, "%s", i == 2 ? "web" : "no style");
        entity_end_link(alone.entity, false, at(i * 100));
        entity_end_link(alone.entity, true, at(i * 100));
        assert_int_equal(
            entity_end_record(alone.entity, record, wire_encode(&offer, record), at(i * 100 + 10)),
            BL_DATA);
        assert_int_equal(alone.adopted, i);
        view = *entity_end_view(alone.entity);
        assert_string_equal(view.session, "alone");
        assert_true(page_has_style(view.page, "scroll columns=40"));
    }
    /* Asked for as it was, it goes on. */
    snprintf(offer.style, sizeof offer.style, "scroll columns=40 prompt.judge=>");
    entity_end_link(alone.entity, false, at(400));
    entity_end_link(alone.entity, true, at(400));
    assert_int_equal(entity_end_record(alone.entity, record, wire_encode(&offer, record), at(410)),
                     BL_OK);
    assert_int_equal(alone.adopted, 3);
    entity_end_destroy(alone.entity);
}

/* A call stays when its end is killed, and one that was taken back while the line was down is not
 * shown for ever. */
static void test_stewards_call_ends_with_its_caller(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    judge_end_steward(pair->judge, true, pair_now(pair));
    pair_run(pair, 100000);
    pair_kill(pair, J);
    assert_true(entity_end_view(pair->entity)->steward_there); /* as far as is known */
    pair_start(pair, J);
    pair_run(pair, 5000000);
    assert_true(entity_end_view(pair->entity)->steward_there);
    memory_unplug(pair->wire, pair->now_us, true);
    pair_run(pair, 5000000);
    judge_end_steward(pair->judge, false, pair_now(pair));
    memory_unplug(pair->wire, pair->now_us, false);
    pair_run(pair, 5000000);
    assert_false(entity_end_view(pair->entity)->steward_there);
    pair_destroy(pair);
}

/* Records that make sense one by one, in any order: whatever they bring about, neither end waits
 * for a time that is past. */
static void test_records_out_of_turn(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("records out of turn"));
    for (unsigned round = 0; round < 20; round++) {
        struct alone alone = {0};
        struct judge_end *judge = judge_alone(&alone);
        struct entity_end *entity = entity_end_create(&alone_callbacks, &alone, false);
        alone.entity = entity;
        for (uint64_t us = 100; us < 3000000; us += 1 + dice_below(&dice, 3000)) {
            static const char *const names[] = {"alone", "alone", "alone", "other"};
            uint8_t record[WIRE_MAX], text[] = {(uint8_t)('a' + dice_below(&dice, 3)), 'x'};
            struct wire wire = {.kind = (enum wire_kind)(1 + dice_below(&dice, WIRE_READY)),
                                .dt_us = (uint32_t)dice_below(&dice, 9),
                                .text = text,
                                .length = 1 + dice_below(&dice, 2),
                                .epoch = (uint32_t)dice_below(&dice, 3),
                                .generation = (uint32_t)dice_below(&dice, 3),
                                .n = dice_below(&dice, 5),
                                .placed = dice_below(&dice, 3),
                                .time_us = dice_below(&dice, 4) ? us + dice_below(&dice, 5000)
                                                                : UINT64_MAX - 3,
                                .flag = dice_below(&dice, 4) == 0,
                                .starts = STARTS_EITHER,
                                .state = (uint8_t)dice_below(&dice, 4),
                                .style = "split"};
            memcpy(wire.session, names[dice_below(&dice, 4)], 6);
            size_t length = wire_encode(&wire, record);
            alone.full = dice_below(&dice, 5) == 0;
            switch (dice_below(&dice, 12)) {
            case 0:
                judge_end_link(judge, dice_below(&dice, 2), at(us));
                entity_end_link(entity, dice_below(&dice, 2), at(us));
                break;
            case 1:
                judge_end_key(judge, 'j', at(us));
                entity_end_key(entity, 'e', at(us));
                break;
            case 2:
                judge_end_closing(judge, at(us));
                break;
            case 3:
                judge_end_cut(judge, false, at(us));
                judge_end_open(judge, 0, 9, 100000, false, at(us));
                break;
            case 4:
                judge_end_new_epoch(judge, at(us));
                break;
            default:
                judge_end_record(judge, record, length, at(us));
                entity_end_record(entity, record, length, at(us));
            }
            judge_end_tick(judge, at(us));
            entity_end_tick(entity, at(us));
            assert_true(judge_end_view(judge)->due_us > us);
            assert_true(entity_end_view(entity)->due_us > us);
            judge_end_progress(judge, at(us));
            entity_end_progress(entity, at(us));
        }
        judge_end_destroy(judge);
        entity_end_destroy(entity);
    }
}

/* Any bytes from the line: refused or harmless, never a crash; the sanitizers watch. */
static void test_hostile_records(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("hostile records"));
    struct pair *pair = pair_open(STARTS_JUDGE);
    pair_type_judge(pair, "abc");
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t record[64];
        size_t length = dice_below(&dice, sizeof record) + 1;
        for (size_t k = 0; k < length; k++)
            record[k] = (uint8_t)dice_next(&dice);
        record[0] = (uint8_t)dice_below(&dice, 20);
        if (record[0] == WIRE_SYNC || record[0] == WIRE_FETCH)
            record[1 + dice_below(&dice, 4)] = 0;
        judge_end_record(pair->judge, record, length, pair_now(pair));
        assert_true(judge_end_sequence(pair->judge)->count < 100000);
    }
    pair_destroy(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_typed_while_the_order_is_sent_again),
        cmocka_unit_test(test_epoch_without_some_keys_of_the_entity),
        cmocka_unit_test(test_difference_outlasts_the_line),
        cmocka_unit_test(test_nothing_is_placed_before_the_tail),
        cmocka_unit_test(test_hostile_tail),
        cmocka_unit_test(test_full_link_is_waited_for),
        cmocka_unit_test(test_a_digest_waits_for_keys),
        cmocka_unit_test(test_what_was_told_is_of_one_connection),
        cmocka_unit_test(test_adoption_is_tried_again),
        cmocka_unit_test(test_another_sessions_key_is_not_sent),
        cmocka_unit_test(test_repairs_come_in_steps),
        cmocka_unit_test(test_a_part_that_goes_on_has_no_end),
        cmocka_unit_test(test_other_pages_are_refused),
        cmocka_unit_test(test_stewards_call_ends_with_its_caller),
        cmocka_unit_test(test_records_out_of_turn),
        cmocka_unit_test(test_hostile_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
