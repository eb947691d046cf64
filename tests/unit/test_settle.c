/* Journals of two ends that lost different things become equal, or stay as they are. */
#include "journal/settle.h"
#include "tests/support/records.h"
#include "tests/support/fake_disk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t digest[8] = {1, 2, 3, 4, 5, 6, 7, 8};

/* The two journals of a test, on a disk of their own. */
struct pair {
    struct fake_disk *fake;
    struct journal *journal[PARTIES];
    struct order_set set[PARTIES];
};

static const char *const path[PARTIES] = {"judge", "entity"};

static void pair_open(struct pair *p, enum party end)
{
    struct journal_record header = records_header("s1", end, 1);
    struct bl_diag diag;
    memset(&p->set[end], 0, sizeof p->set[end]);
    if (journal_open(&p->journal[end], fake_disk_face(p->fake), path[end], &header, order_feed,
                     &p->set[end], NULL, &diag) != BL_OK)
        fail_msg("%s", diag.text);
}

static void pair_begin(struct pair *p)
{
    p->fake = fake_disk_create(1);
    pair_open(p, PARTY_JUDGE);
    pair_open(p, PARTY_ENTITY);
}

static void pair_reread(struct pair *p)
{
    for (unsigned i = 0; i < PARTIES; i++) {
        journal_close(p->journal[i]);
        order_free(&p->set[i]);
        pair_open(p, (enum party)i);
        assert_int_equal(p->set[i].status, BL_OK);
    }
}

static void pair_end(struct pair *p)
{
    for (unsigned i = 0; i < PARTIES; i++) {
        journal_close(p->journal[i]);
        order_free(&p->set[i]);
    }
    fake_disk_destroy(p->fake);
}

static void put(struct pair *p, enum party end, struct journal_record record)
{
    if (end == PARTY_ENTITY)
        record.side = SIDE_LEFT;
    assert_int_equal(journal_append(p->journal[end], &record), BL_OK);
}

static void put_both(struct pair *p, struct journal_record record)
{
    put(p, PARTY_JUDGE, record);
    put(p, PARTY_ENTITY, record);
}

static struct journal_record segment(enum side side, uint32_t generation, enum segment_state state)
{
    return (struct journal_record){.kind = JOURNAL_SEGMENT,
                                   .side = side,
                                   .as.segment = {.generation = generation, .state = state}};
}

static struct journal_record end_of(enum side side, uint32_t generation, uint64_t n,
                                    enum close_outcome outcome)
{
    return (struct journal_record){
        .kind = JOURNAL_CLOSE,
        .side = side,
        .as.close = {.generation = generation, .n = n, .outcome = outcome}};
}

static enum bl_status on_write(void *ctx, const struct journal_record *record)
{
    return journal_append(ctx, record);
}

/* Settles as the command does. */
static struct settle_plan settle(struct pair *p, enum side side)
{
    struct settle_plan plan;
    pair_reread(p);
    settle_plan(&plan, &p->set[PARTY_JUDGE], side, &p->set[PARTY_ENTITY]);
    if (plan.differs || plan.unknown || settle_is_done(&plan))
        return plan;
    for (unsigned i = 0; i < PARTIES; i++)
        assert_int_equal(settle_write(&plan, &p->set[PARTY_JUDGE], &p->set[PARTY_ENTITY],
                                      (enum party)i, digest, 99, on_write, p->journal[i]),
                         BL_OK);
    pair_reread(p);
    return plan;
}

static void assert_equal_orders(struct pair *p, enum side side, uint64_t count)
{
    const struct order *j = &p->set[PARTY_JUDGE].side[side];
    const struct order *e = &p->set[PARTY_ENTITY].side[SIDE_LEFT];
    assert_int_equal(j->count, count);
    assert_int_equal(e->count, count);
    assert_int_equal(j->holes + e->holes + j->conflicts + e->conflicts, 0);
    for (uint64_t n = 0; n < count; n++) {
        assert_int_equal(j->event[n].point, e->event[n].point);
        assert_int_equal(j->event[n].party, e->event[n].party);
        assert_int_equal(j->event[n].posted_us, e->event[n].posted_us);
    }
}

static void test_a_prefix_is_completed(void **state)
{
    struct settle_plan plan;
    struct pair p;
    (void)state;
    pair_begin(&p);
    put_both(&p, segment(SIDE_RIGHT, 1, SEGMENT_OPEN));
    put_both(&p, records_keys(SIDE_RIGHT, PARTY_JUDGE, 1, 10, "hi\r"));
    put(&p, PARTY_JUDGE, records_keys(SIDE_RIGHT, PARTY_ENTITY, 4, 20, "y\xc3\xb6"));
    put(&p, PARTY_JUDGE, records_keys(SIDE_RIGHT, PARTY_ENTITY, 6, 21, "\b"));
    put_both(&p, segment(SIDE_RIGHT, 1, SEGMENT_CLOSED));
    put(&p, PARTY_JUDGE, end_of(SIDE_RIGHT, 1, 6, CLOSE_UNCONFIRMED));
    put(&p, PARTY_ENTITY, end_of(SIDE_LEFT, 1, 3, CLOSE_PREFIX));
    plan = settle(&p, SIDE_RIGHT);
    assert_int_equal(plan.n, 6);
    assert_int_equal(plan.lacks[PARTY_JUDGE], 0);
    assert_int_equal(plan.lacks[PARTY_ENTITY], 3);
    assert_equal_orders(&p, SIDE_RIGHT, 6);
    for (unsigned i = 0; i < PARTIES; i++) {
        const struct order *o = &p.set[i].side[i == PARTY_JUDGE ? SIDE_RIGHT : SIDE_LEFT];
        assert_int_equal(o->outcome, CLOSE_SETTLED);
        assert_int_equal(o->close_n, 6);
        assert_int_equal(o->close_generation, 1);
    }
    plan = settle(&p, SIDE_RIGHT);
    assert_true(settle_is_done(&plan));
    pair_end(&p);
}

static void test_a_judge_that_lost_its_tail_gets_it_back(void **state)
{
    struct settle_plan plan;
    struct pair p;
    (void)state;
    pair_begin(&p);
    put_both(&p, segment(SIDE_LEFT, 1, SEGMENT_OPEN));
    put_both(&p, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 10, "hi"));
    put(&p, PARTY_ENTITY, records_keys(SIDE_LEFT, PARTY_JUDGE, 3, 20, "!\r"));
    put(&p, PARTY_ENTITY, segment(SIDE_LEFT, 1, SEGMENT_CLOSED));
    put(&p, PARTY_ENTITY, end_of(SIDE_LEFT, 1, 4, CLOSE_AGREED));
    plan = settle(&p, SIDE_LEFT);
    assert_int_equal(plan.lacks[PARTY_JUDGE], 2);
    assert_int_equal(plan.lacks[PARTY_ENTITY], 0);
    assert_true(plan.close[PARTY_JUDGE]);
    assert_false(plan.close[PARTY_ENTITY]);
    assert_equal_orders(&p, SIDE_LEFT, 4);
    plan = settle(&p, SIDE_LEFT);
    assert_true(settle_is_done(&plan));
    pair_end(&p);
}

static void test_an_open_segment_is_not_ended(void **state)
{
    struct settle_plan plan;
    struct pair p;
    (void)state;
    pair_begin(&p);
    put_both(&p, segment(SIDE_LEFT, 1, SEGMENT_OPEN));
    put(&p, PARTY_JUDGE, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 10, "hi"));
    plan = settle(&p, SIDE_LEFT);
    assert_equal_orders(&p, SIDE_LEFT, 2);
    assert_false(p.set[PARTY_JUDGE].side[SIDE_LEFT].closed);
    assert_false(p.set[PARTY_ENTITY].side[SIDE_LEFT].closed);
    plan = settle(&p, SIDE_LEFT);
    assert_true(settle_is_done(&plan));
    pair_end(&p);
}

static void test_equal_keys_whose_end_was_not_confirmed(void **state)
{
    struct settle_plan plan;
    struct pair p;
    (void)state;
    pair_begin(&p);
    put_both(&p, segment(SIDE_LEFT, 2, SEGMENT_OPEN));
    put_both(&p, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 10, "hi"));
    put_both(&p, segment(SIDE_LEFT, 2, SEGMENT_FINISHED));
    put(&p, PARTY_JUDGE, end_of(SIDE_LEFT, 2, 2, CLOSE_UNCONFIRMED));
    put(&p, PARTY_ENTITY, end_of(SIDE_LEFT, 2, 2, CLOSE_AGREED));
    plan = settle(&p, SIDE_LEFT);
    assert_true(plan.close[PARTY_JUDGE]);
    assert_false(plan.close[PARTY_ENTITY]);
    plan = settle(&p, SIDE_LEFT);
    assert_true(settle_is_done(&plan));
    pair_end(&p);
}

static void test_a_difference_is_named_and_nothing_planned(void **state)
{
    static const struct {
        enum party party;
        uint64_t posted_us;
        const char *text;
    } other[] = {{PARTY_JUDGE, 10, "hx"}, {PARTY_ENTITY, 10, "hi"}, {PARTY_JUDGE, 11, "hi"}};
    static const uint64_t at[] = {2, 1, 1};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct settle_plan plan;
        struct pair p;
        size_t before, after;
        pair_begin(&p);
        put(&p, PARTY_JUDGE, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 10, "hi!"));
        put(&p, PARTY_ENTITY,
            records_keys(SIDE_LEFT, other[i].party, 1, other[i].posted_us, other[i].text));
        fake_disk_bytes(p.fake, "entity", &before);
        plan = settle(&p, SIDE_LEFT);
        assert_int_equal(plan.differs, at[i]);
        fake_disk_bytes(p.fake, "entity", &after);
        assert_int_equal(before, after);
        pair_end(&p);
    }
}

static void test_the_entity_s_new_epoch_starts_at_0(void **state)
{
    struct journal_record epoch = {.kind = JOURNAL_EPOCH, .as.epoch = {.epoch = 2, .base = 2}};
    struct settle_plan plan;
    struct pair p;
    (void)state;
    pair_begin(&p);
    put(&p, PARTY_JUDGE, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 10, "hi"));
    put(&p, PARTY_ENTITY, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 10, "ho"));
    put(&p, PARTY_JUDGE, epoch);
    epoch.as.epoch.base = 0;
    put(&p, PARTY_ENTITY, epoch);
    put(&p, PARTY_ENTITY, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 10, "hi"));
    plan = settle(&p, SIDE_LEFT);
    assert_true(settle_is_done(&plan));
    assert_equal_orders(&p, SIDE_LEFT, 2);
    pair_end(&p);
}

static void test_an_epoch_that_the_entity_never_heard_of(void **state)
{
    struct journal_record epoch = {.kind = JOURNAL_EPOCH, .as.epoch = {.epoch = 2, .base = 2}};
    struct settle_plan plan;
    struct pair p;
    (void)state;
    pair_begin(&p);
    put(&p, PARTY_JUDGE, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 10, "hi"));
    put(&p, PARTY_ENTITY, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 10, "hour"));
    put(&p, PARTY_JUDGE, epoch);
    plan = settle(&p, SIDE_LEFT);
    assert_true(plan.anew);
    assert_equal_orders(&p, SIDE_LEFT, 2);
    assert_int_equal(p.set[PARTY_ENTITY].side[SIDE_LEFT].event[1].point, 'i');
    plan = settle(&p, SIDE_LEFT);
    assert_true(settle_is_done(&plan));
    pair_end(&p);
}

static void test_the_side_is_found_by_its_keys(void **state)
{
    struct order_set *judge, *entity;
    struct pair p;
    enum side side;
    (void)state;
    pair_begin(&p);
    judge = &p.set[PARTY_JUDGE];
    entity = &p.set[PARTY_ENTITY];
    put(&p, PARTY_JUDGE, records_keys(SIDE_RIGHT, PARTY_JUDGE, 1, 10, "hi"));
    pair_reread(&p);
    assert_int_equal(settle_side(judge, entity, &side), BL_OK);
    assert_int_equal(side, SIDE_RIGHT);
    put(&p, PARTY_JUDGE, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 20, "hi"));
    pair_reread(&p);
    assert_int_equal(settle_side(judge, entity, &side), BL_USAGE);
    put(&p, PARTY_ENTITY, records_keys(SIDE_LEFT, PARTY_JUDGE, 1, 20, "h"));
    pair_reread(&p);
    assert_int_equal(settle_side(judge, entity, &side), BL_OK);
    assert_int_equal(side, SIDE_LEFT);
    put(&p, PARTY_ENTITY, records_keys(SIDE_LEFT, PARTY_JUDGE, 2, 30, "x"));
    pair_reread(&p);
    assert_int_equal(settle_side(judge, entity, &side), BL_DATA);
    assert_int_equal(side, SIDE_LEFT);
    pair_end(&p);
}

static void test_pressed_times_are_joined(void **state)
{
    static const struct {
        uint32_t point;
        uint64_t pressed_us;
    } placed[] = {{'a', 100}, {'b', 100}, {'e', 300}, {'f', 0}, {'g', 500}, {'?', 0}, {'h', 0}};
    struct journal_record pressed = {.kind = JOURNAL_PRESSED, .wall_us = 100};
    struct journal_record unplaced = {.kind = JOURNAL_UNPLACED,
                                      .as.unplaced = {.first = 3, .last = 4}};
    struct order_set set = {0};
    struct order_join join = {.set = &set};
    static const struct {
        uint64_t first, wall_us;
        const char *text;
    } press[] = {{1, 100, "abcd"}, {5, 300, "e"}, {6, 0, "f"}, {7, 500, "gh"}};
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        pressed.wall_us = press[i].wall_us;
        pressed.as.pressed.first = press[i].first;
        pressed.as.pressed.run.text = (const uint8_t *)press[i].text;
        pressed.as.pressed.run.length = strlen(press[i].text);
        order_feed(&set, &pressed);
        if (i == 0)
            order_feed(&set, &unplaced);
    }
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(order_join_next(&join, placed[i].point), placed[i].pressed_us);
    order_free(&set);
}

static void test_numbers_beyond_belief_are_refused(void **state)
{
    struct journal_record unplaced = {.kind = JOURNAL_UNPLACED,
                                      .as.unplaced = {1, (uint64_t)1 << 62}};
    struct journal_record keys = records_keys(SIDE_LEFT, PARTY_JUDGE, ORDER_MAX, 1, "ab");
    struct order_set set = {0};
    (void)state;
    order_feed(&set, &unplaced);
    assert_int_equal(set.status, BL_FULL);
    set.status = BL_OK;
    order_feed(&set, &keys);
    assert_int_equal(set.status, BL_FULL);
    order_free(&set);
}

/* Both ends write one conversation; each loses some of its records, and the tail of one. */
static void test_random_losses(void **state)
{
    struct dice dice = dice_make(dice_seed("random_losses"));
    (void)state;
    for (int round = 0; round < 200; round++) {
        const uint64_t records = 1 + dice_below(&dice, 60);
        const uint64_t tail = dice_below(&dice, records + 1);
        const enum party short_end = (enum party)dice_below(&dice, 2);
        const enum side side = (enum side)dice_below(&dice, 2);
        struct settle_plan plan;
        struct pair p;
        uint64_t n = 0;
        pair_begin(&p);
        put_both(&p, segment(side, 1, SEGMENT_OPEN));
        for (uint64_t i = 0; i < records; i++) {
            static const char text[] = "abcdefghijklmnop\rqrst\b\b";
            char part[25];
            uint64_t from = dice_below(&dice, sizeof text - 1);
            snprintf(part, sizeof part, "%.*s", 1 + (int)dice_below(&dice, 5), text + from);
            struct journal_record e = records_keys(side, (enum party)dice_below(&dice, 2), n + 1,
                                                   1000 + dice_below(&dice, 3), part);
            n += strlen(part);
            /* A record that is lost inside is lost at one end only, or nobody could help. */
            unsigned lost = (unsigned)dice_below(&dice, 8);
            for (unsigned end = 0; end < PARTIES; end++)
                if (lost != end && (end != short_end || i < tail))
                    put(&p, (enum party)end, e);
                else if (lost == end && end != short_end && i >= tail)
                    put(&p, (enum party)end, e);
        }
        put_both(&p, segment(side, 1, SEGMENT_CLOSED));
        plan = settle(&p, side);
        assert_int_equal(plan.differs, 0);
        assert_int_equal(plan.unknown, 0);
        assert_equal_orders(&p, side, n);
        plan = settle(&p, side);
        assert_true(settle_is_done(&plan));
        pair_end(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_prefix_is_completed),
        cmocka_unit_test(test_a_judge_that_lost_its_tail_gets_it_back),
        cmocka_unit_test(test_an_open_segment_is_not_ended),
        cmocka_unit_test(test_equal_keys_whose_end_was_not_confirmed),
        cmocka_unit_test(test_a_difference_is_named_and_nothing_planned),
        cmocka_unit_test(test_the_entity_s_new_epoch_starts_at_0),
        cmocka_unit_test(test_an_epoch_that_the_entity_never_heard_of),
        cmocka_unit_test(test_the_side_is_found_by_its_keys),
        cmocka_unit_test(test_pressed_times_are_joined),
        cmocka_unit_test(test_numbers_beyond_belief_are_refused),
        cmocka_unit_test(test_random_losses),
    };
    return cmocka_run_group_tests_name("settle", tests, NULL, NULL);
}
