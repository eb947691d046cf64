/* Both ends of a line over the simulated pair: everyday courses, one by one. The storms and the
 * cuts have tests of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "session/key_queue.h"
#include "tests/support/pair.h"

static void test_keys_cross(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    pair_type_judge(pair, "Hi\r");
    pair_type_entity(pair, "yes?\b!\r");
    pair_expect(pair, "Hi\ryes?\b!\r");
    assert_int_equal(pair->given, 3);
    pair_destroy(pair);
}

/* What the entity types before the judge's first key waits for it. */
static void test_judge_begins(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    struct entity_end_view view;
    pair_type_entity(pair, "x");
    pair_run(pair, 2000000);
    assert_int_equal(judge_end_sequence(pair->judge)->count, 0);
    assert_false(entity_end_view(pair->entity)->may_go);
    view = *entity_end_view(pair->entity);
    assert_true(view.early && !view.may_type && view.pending_count == 1);
    pair_type_judge(pair, "a");
    assert_true(entity_end_view(pair->entity)->may_go);
    pair_type_entity(pair, "b");
    pair_expect(pair, "axb");
    pair_destroy(pair);
}

/* Across a close: what was typed before it is on no page, what is typed after it goes when the next
 * segment is open, whether the end is killed in between or not. */
static void test_typed_across_a_close(void **state)
{
    (void)state;
    for (unsigned killed = 0; killed < 2; killed++) {
        struct pair *pair = pair_open(STARTS_EITHER);
        struct entity_end_view view;
        pair_type_entity(pair, "seen");
        pair_run(pair, 1000000);
        judge_end_closing(pair->judge, pair_now(pair));
        pair_run(pair, 100000);
        pair_type_entity(pair, "unseen");
        pair_run(pair, 400000);
        struct bl_time before = pair_now(pair);
        judge_end_cut(pair->judge, false, pair_now(pair));
        pair_run(pair, 1000000);
        view = *entity_end_view(pair->entity);
        assert_int_equal(view.pending_count, 0);
        assert_int_equal(view.unplaced, 6);
        if (killed) {
            pair_kill(pair, E);
            pair_start(pair, E);
            pair_run(pair, 3000000);
        }
        /* Made in a folder before the end, and read after it. */
        before.wall_us -= 1000;
        assert_int_equal(entity_end_key(pair->entity, 'x', before), KEY_TAKEN);
        view = *entity_end_view(pair->entity);
        assert_int_equal(view.pending_count, 0);
        assert_int_equal(view.unplaced, 7);
        pair_type_entity(pair, ", later");
        pair_run(pair, 1000000);
        assert_int_equal(judge_end_sequence(pair->judge)->count, 4);
        if (killed) {
            pair_kill(pair, E);
            pair_start(pair, E);
            pair_run(pair, 3000000);
        }
        judge_end_open(pair->judge, 1, 2, UINT64_MAX, false, pair_now(pair));
        pair_run(pair, 1000000);
        pair_expect(pair, "seen, later");
        pair_destroy(pair);
    }
}

/* The line's last segment is over, the plan is not: nothing comes there any more, so a key is
 * refused. One that a restarted end took, not knowing it yet, waits no longer than that. */
static void test_typed_after_the_last_close(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_EITHER);
    struct entity_end_view view;
    judge_end_plan(pair->judge, 0, false);
    pair_type_entity(pair, "seen");
    pair_run(pair, 1000000);
    judge_end_closing(pair->judge, pair_now(pair));
    pair_run(pair, 500000);
    judge_end_cut(pair->judge, false, pair_now(pair));
    pair_run(pair, 1000000);
    assert_int_equal(entity_end_view(pair->entity)->segment, SEGMENT_CLOSED);
    assert_int_equal(entity_end_key(pair->entity, 'x', pair_now(pair)), KEY_REFUSED_CLOSED);
    view = *entity_end_view(pair->entity);
    assert_int_equal(view.pressed, 4);
    assert_int_equal(view.pending_count, 0);
    pair_kill(pair, E);
    pair_start(pair, E);
    assert_int_equal(entity_end_key(pair->entity, 'y', pair_now(pair)), KEY_TAKEN);
    pair_run(pair, 3000000);
    view = *entity_end_view(pair->entity);
    assert_int_equal(view.pending_count, 0);
    assert_int_equal(view.unplaced, 1);
    assert_int_equal(entity_end_key(pair->entity, 'z', pair_now(pair)), KEY_REFUSED_CLOSED);
    pair_expect(pair, "seen");
    pair_destroy(pair);
}

/* Where the pacing lets keys go, one that was under way when the line went down, or the process,
 * has to be let go again. */
static void test_held_keys_are_let_go_again(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_EITHER);
    struct entity_end_held held;
    pair->held = true;
    pair_kill(pair, E);
    pair_start(pair, E);
    pair_run(pair, 3000000);
    pair_type_entity(pair, "ab");
    pair_run(pair, 1000000);
    assert_int_equal(judge_end_sequence(pair->judge)->count, 0);
    entity_end_release(pair->entity, pair_now(pair));
    pair_run(pair, 1000000);
    assert_int_equal(judge_end_sequence(pair->judge)->count, 1);
    pair_type_entity(pair, "cde");
    memory_unplug(pair->wire, pair->now_us, true);
    entity_end_release(pair->entity, pair_now(pair));
    held = entity_end_view(pair->entity)->held;
    assert_int_equal(held.under_way, 1);
    assert_int_equal(held.count, 3);
    pair_run(pair, 5000000);
    memory_unplug(pair->wire, pair->now_us, false);
    pair_run(pair, 5000000);
    held = entity_end_view(pair->entity)->held;
    assert_int_equal(held.under_way, 0);
    assert_int_equal(held.count, 4);
    assert_int_equal(held.point[0], 'b');
    pair_kill(pair, E);
    pair_start(pair, E);
    pair_run(pair, 3000000);
    held = entity_end_view(pair->entity)->held;
    assert_int_equal(held.count, 4);
    assert_int_equal(held.key[0].k, 2);
    assert_true(entity_end_view(pair->entity)->may_go);
    for (unsigned i = 0; i < 4; i++)
        entity_end_release(pair->entity, pair_now(pair));
    pair_expect(pair, "abcde");
    pair_destroy(pair);
}

/* Keys that are taken back before they were let go are on no page; their numbers stay theirs. */
static void test_erased_keys_are_on_no_page(void **state)
{
    (void)state;
    for (unsigned killed = 0; killed < 2; killed++) {
        struct pair *pair = pair_open(STARTS_EITHER);
        struct entity_end_held held;
        struct entity_end_view view;
        pair->held = true;
        pair_kill(pair, E);
        pair_start(pair, E);
        pair_run(pair, 3000000);
        pair_type_entity(pair, "abcx\b");
        entity_end_erase(pair->entity, 2, pair_now(pair));
        pair_type_entity(pair, "\b");
        entity_end_erase(pair->entity, 2, pair_now(pair));
        pair_type_entity(pair, "d");
        entity_end_erase(pair->entity, 9, pair_now(pair)); /* so many are not there */
        if (killed) {
            pair_kill(pair, E);
            pair_start(pair, E);
            pair_run(pair, 3000000);
        }
        held = entity_end_view(pair->entity)->held;
        assert_int_equal(held.count, 3);
        assert_int_equal(held.key[2].k, 7);
        for (unsigned i = 0; i < 3; i++)
            entity_end_release(pair->entity, pair_now(pair));
        entity_end_erase(pair->entity, 1, pair_now(pair)); /* it has gone */
        pair_expect(pair, "abd");
        view = *entity_end_view(pair->entity);
        assert_int_equal(view.unplaced, 4);
        assert_int_equal(view.pressed, 7);
        pair_destroy(pair);
    }
}

/* The queue has room for 4,096 keys, whatever the line does; what finds none is lost. */
static void test_a_full_queue_takes_no_more(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    unsigned taken = 0;
    while (entity_end_key(pair->entity, 'a' + taken % 26, pair_now(pair)) == KEY_TAKEN)
        taken++;
    assert_int_equal(taken, KEY_QUEUE_MAX);
    assert_int_equal(entity_end_key(pair->entity, 'x', pair_now(pair)), KEY_WAIT);
    pair_type_judge(pair, "j");
    pair_settle(pair, 60000000);
    pair_check(pair, PAIR_EQUAL);
    assert_int_equal(judge_end_sequence(pair->judge)->by[PARTY_ENTITY], KEY_QUEUE_MAX);
    pair_destroy(pair);
}

static void test_either_begins(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_EITHER);
    pair_type_entity(pair, "Hello, my name is X and I am the human");
    pair_type_judge(pair, "so");
    pair_expect(pair, "Hello, my name is X and I am the humanso");
    pair_destroy(pair);
}

/* The entity's own key is not on its page before the judge's end has placed it. */
static void test_own_key_waits_for_its_place(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_EITHER);
    struct entity_end_view view;
    memory_unplug(pair->wire, pair->now_us, true);
    assert_int_equal(entity_end_key(pair->entity, 'k', pair_now(pair)), KEY_TAKEN);
    pair_run(pair, 1000000);
    view = *entity_end_view(pair->entity);
    assert_int_equal(view.n, 0);
    assert_int_equal(view.pending_count, 1);
    assert_int_equal(view.pending[0], 'k');
    memory_unplug(pair->wire, pair->now_us, false);
    pair_expect(pair, "k");
    pair_destroy(pair);
}

/* What is typed at a restarted end waits until it has found the other one again. */
static void test_restarted_judge_places_nothing_alone(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    pair_type_judge(pair, "one");
    memory_unplug(pair->wire, pair->now_us, true);
    pair_kill(pair, J);
    pair_start(pair, J);
    pair_run(pair, 1000000);
    assert_int_equal(judge_end_key(pair->judge, 'x', pair_now(pair)), KEY_TAKEN);
    assert_int_equal(judge_end_sequence(pair->judge)->count, 3);
    assert_int_equal(judge_end_view(pair->judge)->typed_count, 1);
    memory_unplug(pair->wire, pair->now_us, false);
    pair_run(pair, 5000000);
    pair_type_judge(pair, "two");
    pair_expect(pair, "onextwo");
    pair_destroy(pair);
}

/* The judge's end loses its disk's tail with the power; the other end still has it. */
static void test_tail_is_fetched_after_power_loss(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    pair_type_judge(pair, "abc");
    pair_run(pair, 500000);
    for (const char *c = "defgh"; *c; c++)
        judge_end_key(pair->judge, (uint8_t)*c, pair_now(pair));
    pair_run(pair, 20000); /* over the wire, and not yet on the disk */
    assert_int_equal(entity_end_sequence(pair->entity)->count, 8);
    pair_lose(pair, J, FAKE_LOSS_ALL);
    pair_start(pair, J);
    assert_int_equal(judge_end_sequence(pair->judge)->count, 3);
    pair_run(pair, 5000000);
    pair_type_judge(pair, "i");
    pair_expect(pair, "abcdefghi");
    pair_destroy(pair);
}

/* The entity's end loses everything; it gets it back. */
static void test_entity_machine_is_replaced(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    pair_type_judge(pair, "abc");
    pair_type_entity(pair, "def");
    pair_kill(pair, E);
    fake_disk_put(pair->machine[E].disk, "entity.journal", "", 0);
    pair_start(pair, E);
    pair_run(pair, 5000000);
    pair_type_entity(pair, "g");
    pair_expect(pair, "abcdefg");
    pair_destroy(pair);
}

/* Records that cannot be brought together stop the line until a steward opens a new epoch. */
static void test_difference_needs_a_steward(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    struct judge_end_view view;
    pair_type_judge(pair, "abc");
    pair_run(pair, 500000);
    judge_end_key(pair->judge, 'd', pair_now(pair));
    judge_end_key(pair->judge, 'e', pair_now(pair));
    pair_run(pair, 20000);
    assert_int_equal(entity_end_sequence(pair->entity)->count, 5);
    pair_kill(pair, E);
    fake_disk_power_loss(pair->machine[J].disk, FAKE_LOSS_ALL);
    pair_kill(pair, J);
    /* The judge's end goes on with another entity's machine, and then the first one comes back. */
    size_t length;
    const uint8_t *bytes = fake_disk_bytes(pair->machine[E].disk, "entity.journal", &length);
    uint8_t *copy = test_malloc(length);
    memcpy(copy, bytes, length);
    fake_disk_put(pair->machine[E].disk, "entity.journal", "", 0);
    pair_start(pair, J);
    pair_start(pair, E);
    pair_run(pair, 5000000);
    uint64_t lost = judge_end_sequence(pair->judge)->count;
    assert_true(lost < 5);
    pair_type_judge(pair, "xyzxyz");
    pair_kill(pair, E);
    fake_disk_put(pair->machine[E].disk, "entity.journal", copy, length);
    test_free(copy);
    pair_start(pair, E);
    pair_run(pair, 5000000);
    view = *judge_end_view(pair->judge);
    assert_int_equal(view.sync, SYNC_DIFFERS);
    assert_int_equal(judge_end_key(pair->judge, 'q', pair_now(pair)), KEY_REFUSED_APART);
    judge_end_new_epoch(pair->judge, pair_now(pair));
    pair_settle(pair, 5000000);
    pair_check(pair, PAIR_EQUAL);
    pair_type_judge(pair, "q");
    pair_settle(pair, 5000000);
    pair_check(pair, PAIR_EQUAL);
    /* The epoch is in both journals: after a kill of both they agree at once. */
    pair_kill(pair, J);
    pair_kill(pair, E);
    pair_start(pair, J);
    pair_start(pair, E);
    pair_settle(pair, 10000000);
    pair_check(pair, PAIR_EQUAL);
    pair_destroy(pair);
}

/* A page that was damaged in memory is noticed within a second or so and made anew. */
static void test_damaged_page_is_repaired(void **state)
{
    (void)state;
    static const unsigned ends[] = {E, J};
    for (unsigned i = 0; i < 2; i++) {
        struct pair *pair = pair_open(STARTS_JUDGE);
        struct judge_end_view judge;
        struct entity_end_view entity;
        pair_type_judge(pair, "abc");
        pair_run(pair, 3000000);
        judge = *judge_end_view(pair->judge);
        entity = *entity_end_view(pair->entity);
        struct key_event stray = {.point = 'X', .party = PARTY_JUDGE};
        page_apply((struct page *)(ends[i] == E ? entity.page : judge.page), &stray);
        pair_type_judge(pair, "d");
        pair_run(pair, 3000000);
        judge = *judge_end_view(pair->judge);
        entity = *entity_end_view(pair->entity);
        assert_true(judge.differences + entity.differences > 0);
        pair_expect(pair, "abcd");
        pair_destroy(pair);
    }
}

/* Keys in the events themselves were damaged in memory at the entity's end. */
static void test_damaged_order_is_sent_again(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    pair_type_judge(pair, "abc");
    pair_type_entity(pair, "xyz");
    pair_run(pair, 3000000);
    entity_end_sequence(pair->entity)->event[1].point = 'B';
    struct entity_end_view view;
    view = *entity_end_view(pair->entity);
    struct key_event stray = {.point = 'X', .party = PARTY_JUDGE};
    page_apply((struct page *)view.page, &stray);
    pair_type_judge(pair, "d");
    pair_run(pair, 5000000);
    pair_expect(pair, "abcxyzd");
    pair_type_entity(pair, "!");
    pair_expect(pair, "abcxyzd!");
    pair_destroy(pair);
}

static void test_steward(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    judge_end_steward(pair->judge, true, pair_now(pair));
    pair_run(pair, 100000);
    assert_true(entity_end_view(pair->entity)->steward_there);
    entity_end_steward(pair->entity, true, pair_now(pair));
    judge_end_steward(pair->judge, false, pair_now(pair));
    pair_run(pair, 100000);
    assert_true(entity_end_view(pair->entity)->steward_here);
    assert_false(entity_end_view(pair->entity)->steward_there);

    /* A call stays until it is taken back, whatever becomes of the terminal. */
    pair_kill(pair, E);
    pair_start(pair, E);
    pair_run(pair, 5000000);
    assert_true(entity_end_view(pair->entity)->steward_here);
    entity_end_steward(pair->entity, false, pair_now(pair));
    judge_end_steward(pair->judge, true, pair_now(pair));
    pair_run(pair, 100000);
    for (unsigned which = J; which <= E; which++) {
        pair_kill(pair, which);
        pair_start(pair, which);
        pair_run(pair, 5000000);
    }
    assert_true(judge_end_view(pair->judge)->steward_here);
    assert_true(entity_end_view(pair->entity)->steward_there);
    assert_false(entity_end_view(pair->entity)->steward_here);
    pair_destroy(pair);
}

static size_t waiting(struct pair *pair)
{
    struct entity_end_view view;
    view = *entity_end_view(pair->entity);
    return view.pending_count;
}

/* A paste at both ends at once: nothing lost, bounded, and typed order kept. */
static void test_paste(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_EITHER);
    unsigned judge = 0, entity = 0;
    uint64_t start_us = pair->now_us;
    while (judge < 4000 || entity < 4000) {
        while (judge < 4000 &&
               judge_end_key(pair->judge, 'a' + judge % 26, pair_now(pair)) == KEY_TAKEN)
            judge++;
        while (entity < 4000 && waiting(pair) < END_UNCONFIRMED_MAX &&
               entity_end_key(pair->entity, 'A' + entity % 26, pair_now(pair)) == KEY_TAKEN)
            entity++;
        pair_run(pair, 1000);
    }
    pair_settle(pair, 20000000);
    pair_check(pair, PAIR_EQUAL);
    print_message("# 4,000 keys each way at once took %.2f s of simulated time\n",
                  (double)(pair->now_us - start_us) / 1e6);
    const struct sequence *sequence = judge_end_sequence(pair->judge);
    unsigned seen[2] = {0, 0};
    for (uint64_t i = 0; i < sequence->count; i++) {
        unsigned party = sequence->event[i].party;
        assert_int_equal(sequence->event[i].point,
                         (party == PARTY_JUDGE ? 'a' : 'A') + seen[party] % 26);
        seen[party]++;
    }
    assert_int_equal(seen[0], 4000);
    assert_int_equal(seen[1], 4000);
    pair_destroy(pair);
}

/* What cannot be journalled did not happen. */
static void test_full_disk(void **state)
{
    (void)state;
    struct pair *pair = pair_open(STARTS_JUDGE);
    pair_type_judge(pair, "abc");
    pair->machine[J].refuse_disk = true;
    assert_int_equal(judge_end_key(pair->judge, 'x', pair_now(pair)), KEY_REFUSED_FULL);
    pair_run(pair, 1000000);
    assert_int_equal(judge_end_sequence(pair->judge)->count, 3);
    pair->machine[J].refuse_disk = false;
    pair_type_judge(pair, "d");
    pair_expect(pair, "abcd");
    pair_destroy(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_cross),
        cmocka_unit_test(test_judge_begins),
        cmocka_unit_test(test_typed_across_a_close),
        cmocka_unit_test(test_typed_after_the_last_close),
        cmocka_unit_test(test_held_keys_are_let_go_again),
        cmocka_unit_test(test_erased_keys_are_on_no_page),
        cmocka_unit_test(test_a_full_queue_takes_no_more),
        cmocka_unit_test(test_either_begins),
        cmocka_unit_test(test_own_key_waits_for_its_place),
        cmocka_unit_test(test_restarted_judge_places_nothing_alone),
        cmocka_unit_test(test_tail_is_fetched_after_power_loss),
        cmocka_unit_test(test_entity_machine_is_replaced),
        cmocka_unit_test(test_difference_needs_a_steward),
        cmocka_unit_test(test_damaged_page_is_repaired),
        cmocka_unit_test(test_damaged_order_is_sent_again),
        cmocka_unit_test(test_steward),
        cmocka_unit_test(test_paste),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
