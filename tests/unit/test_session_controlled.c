/* Both ends of a line that a controller cuts: nothing can be told after a cut, a pause is no end,
 * and the two screens show one time. The unplugged wire is the open relay.
 * Source: DESIGN.md, "End of a segment" and "Controller". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/pair.h"

#define SEGMENT_US 60000000u
#define NOTICE_US  500000u

/* A pair in the first segment of two; the line's last one is the given one. */
static struct pair *pair_controlled(unsigned last)
{
    struct pair *pair = pair_create(dice_seed("controlled"), STARTS_EITHER);
    judge_end_plan(pair->judge, last, true);
    pair_run(pair, 2000000);
    judge_end_open(pair->judge, 0, 2, SEGMENT_US, false, pair_now(pair));
    pair_run(pair, 100000);
    return pair;
}

static struct entity_end_view entity(struct pair *pair)
{
    struct entity_end_view view;
    view = *entity_end_view(pair->entity);
    return view;
}

static struct judge_end_view judge(struct pair *pair)
{
    struct judge_end_view view;
    view = *judge_end_view(pair->judge);
    return view;
}

static void cut(struct pair *pair, bool open)
{
    memory_unplug(pair->wire, pair->now_us, open);
}

/* The announced cut, with the line open from then on. */
static void close_and_cut(struct pair *pair)
{
    judge_end_follow(pair->judge, NOTICE_US, pair_now(pair));
    judge_end_closing(pair->judge, pair_now(pair));
    pair_run(pair, NOTICE_US);
    cut(pair, true);
    judge_end_cut(pair->judge, false, pair_now(pair));
    pair_run(pair, 10000000);
}

static void test_entity_knows_the_cut_by_itself(void **state)
{
    (void)state;
    struct pair *pair = pair_controlled(1);
    assert_true(entity(pair).enforced);
    pair_type_judge(pair, "who?");
    pair_type_entity(pair, "me");
    close_and_cut(pair);
    assert_int_equal(judge(pair).outcome, CLOSE_AGREED);
    assert_int_equal(entity(pair).outcome, CLOSE_AGREED);
    assert_int_equal(entity(pair).segment, SEGMENT_CLOSED); /* it will be closed again */
    pair_check(pair, PAIR_EQUAL);
    pair_destroy(pair);
}

static void test_last_cut_ends_the_session_at_both_ends(void **state)
{
    (void)state;
    struct pair *pair = pair_controlled(0);
    pair_type_judge(pair, "so");
    close_and_cut(pair);
    assert_int_equal(entity(pair).segment, SEGMENT_FINISHED);
    assert_int_equal(entity(pair).outcome, CLOSE_AGREED);
    pair_destroy(pair);
}

static void test_cut_without_its_end_leaves_a_prefix(void **state)
{
    (void)state;
    struct pair *pair = pair_controlled(0);
    pair_type_judge(pair, "so");
    cut(pair, true);
    pair_run(pair, SEGMENT_US + 5000000);
    assert_int_equal(entity(pair).outcome, CLOSE_PREFIX);
    /* It may have been a pause: an Entry that left now would be missing. */
    assert_int_equal(entity(pair).segment, SEGMENT_CLOSED);
    pair_type_entity(pair, "waits");
    assert_int_equal(entity(pair).pending_count, 5);
    /* An attendant can tell. */
    assert_true(entity(pair).may_conclude);
    entity_end_conclude(pair->entity, pair_now(pair));
    assert_int_equal(entity(pair).segment, SEGMENT_FINISHED);
    assert_int_equal(entity(pair).outcome, CLOSE_PREFIX);
    assert_int_equal(entity(pair).pending_count, 0);
    assert_int_equal(entity(pair).unplaced, 5);
    assert_false(entity(pair).may_conclude);
    pair_destroy(pair);
}

static void test_only_the_last_part_can_be_concluded(void **state)
{
    (void)state;
    struct pair *pair = pair_controlled(1);
    pair_type_judge(pair, "so");
    entity_end_conclude(pair->entity, pair_now(pair)); /* it is open */
    assert_int_equal(entity(pair).segment, SEGMENT_OPEN);
    cut(pair, true);
    pair_run(pair, SEGMENT_US + 5000000);
    assert_int_equal(entity(pair).outcome, CLOSE_PREFIX);
    assert_false(entity(pair).may_conclude);
    entity_end_conclude(pair->entity, pair_now(pair));
    assert_int_equal(entity(pair).segment, SEGMENT_CLOSED);
    pair_destroy(pair);
}

/* What is pressed between the END and the cut goes on no page, and waits for nothing. */
static void test_keys_after_the_end_do_not_wait(void **state)
{
    (void)state;
    for (unsigned last = 0; last < 2; last++) {
        struct pair *pair = pair_controlled(last);
        pair_type_judge(pair, "so");
        judge_end_follow(pair->judge, NOTICE_US, pair_now(pair));
        judge_end_closing(pair->judge, pair_now(pair));
        pair_run(pair, NOTICE_US / 2);
        pair_type_entity(pair, "late");
        cut(pair, true);
        judge_end_cut(pair->judge, false, pair_now(pair));
        pair_run(pair, 10000000);
        assert_int_equal(entity(pair).segment, last ? SEGMENT_CLOSED : SEGMENT_FINISHED);
        assert_int_equal(entity(pair).pending_count, 0);
        assert_int_equal(entity(pair).unplaced, 4);
        pair_destroy(pair);
    }
}

/* The contacts open a moment after the drive: what the judge's end says then is still heard. */
static void test_cut_that_is_heard(void **state)
{
    (void)state;
    struct pair *pair = pair_controlled(0);
    pair_type_judge(pair, "so");
    judge_end_closing(pair->judge, pair_now(pair));
    pair_run(pair, NOTICE_US);
    judge_end_cut(pair->judge, false, pair_now(pair));
    pair_run(pair, 20000);
    cut(pair, true);
    pair_run(pair, SEGMENT_US + 10000000);
    assert_int_equal(entity(pair).segment, SEGMENT_FINISHED);
    assert_int_equal(entity(pair).outcome, CLOSE_AGREED);
    pair_destroy(pair);
}

/* The entity's clock was faster than the controller's: its end comes all the same. */
static void test_end_after_time_ran_out(void **state)
{
    (void)state;
    struct pair *pair = pair_controlled(0);
    pair_type_judge(pair, "so");
    pair_run(pair, SEGMENT_US + 5000000);
    assert_int_equal(entity(pair).outcome, CLOSE_PREFIX);
    judge_end_closing(pair->judge, pair_now(pair));
    pair_run(pair, NOTICE_US);
    assert_int_equal(judge(pair).outcome, CLOSE_AGREED);
    assert_int_equal(entity(pair).outcome, CLOSE_SETTLED);
    cut(pair, true);
    pair_run(pair, 10000000);
    assert_int_equal(entity(pair).segment, SEGMENT_FINISHED);
    pair_check(pair, PAIR_EQUAL);
    pair_destroy(pair);
}

/* The time ran out in a pause, which says nothing of when the segment ends: what was pressed before
 * its end, and is read after it, is on no page. */
static void test_late_key_after_a_pause(void **state)
{
    (void)state;
    struct pair *pair = pair_controlled(1);
    pair_type_judge(pair, "so");
    judge_end_pause(pair->judge, 30000000, pair_now(pair));
    cut(pair, true);
    pair_run(pair, SEGMENT_US + 5000000);
    assert_int_equal(entity(pair).segment, SEGMENT_CLOSED);
    cut(pair, false);
    pair_run(pair, 3000000);
    judge_end_open(pair->judge, 0, 2, 30000000, true, pair_now(pair));
    pair_run(pair, 1000000);
    struct bl_time pressed = pair_now(pair);
    pair_run(pair, 1000000);
    close_and_cut(pair);
    assert_int_equal(entity(pair).segment, SEGMENT_CLOSED);
    assert_int_equal(entity_end_key(pair->entity, 'x', pressed), KEY_TAKEN);
    assert_int_equal(entity(pair).pending_count, 0);
    assert_int_equal(entity(pair).unplaced, 1);
    pair_destroy(pair);
}

/* Nor does a segment of another session of this terminal, which has the same number. */
static void test_late_key_of_another_session(void **state)
{
    (void)state;
    struct pair *pair = pair_controlled(1);
    char line[STYLE_MAX + 1];
    style_format(&pair->style, line);
    close_and_cut(pair);
    uint32_t generation = judge(pair).generation;
    struct bl_time pressed = pair_now(pair);
    pair_run(pair, 1000000);
    struct journal_record record = {
        .kind = JOURNAL_SEGMENT,
        .wall_us = pair_now(pair).wall_us,
        .as.segment = {.generation = generation, .state = SEGMENT_CLOSED}};
    assert_int_equal(entity_end_begin(pair->entity, "another", line, STARTS_EITHER), BL_OK);
    entity_end_replay(pair->entity, &record);
    assert_int_equal(entity_end_key(pair->entity, 'x', pressed), KEY_TAKEN);
    assert_int_equal(entity(pair).pending_count, 0);
    assert_int_equal(entity(pair).unplaced, 1);
    pair_destroy(pair);
}

/* What was pressed when the segment seemed over belongs to it when it goes on: at its end no key is
 * left for the next one, and none stands before keys that were pressed after it. */
static void keys_in_a_pause(bool restarted)
{
    struct pair *pair = pair_controlled(1);
    pair_type_judge(pair, "so");
    judge_end_pause(pair->judge, 30000000, pair_now(pair));
    cut(pair, true);
    pair_run(pair, SEGMENT_US + 5000000);
    assert_int_equal(entity(pair).segment, SEGMENT_CLOSED);
    assert_int_equal(entity_end_key(pair->entity, 'a', pair_now(pair)), KEY_TAKEN);
    if (restarted) {
        pair_kill(pair, E);
        pair_start(pair, E);
    }
    assert_int_equal(entity(pair).pending_count, 1);
    cut(pair, false);
    pair_run(pair, 3000000);
    judge_end_open(pair->judge, 0, 2, NOTICE_US, true, pair_now(pair));
    judge_end_closing(pair->judge, pair_now(pair)); /* and places nothing more */
    pair_run(pair, NOTICE_US / 2);
    assert_int_equal(entity(pair).segment, SEGMENT_CLOSING);
    assert_int_equal(entity_end_key(pair->entity, 'b', pair_now(pair)), KEY_TAKEN);
    close_and_cut(pair);
    assert_int_equal(entity(pair).segment, SEGMENT_CLOSED);
    assert_int_equal(entity(pair).pending_count, 0);
    assert_int_equal(entity(pair).unplaced, 2);
    pair_destroy(pair);
}

static void test_keys_in_a_pause(void **state)
{
    (void)state;
    keys_in_a_pause(false);
    keys_in_a_pause(true);
}

/* What was under way in a pause keeps its place, however long it lasts. */
static void pause_of(uint64_t pause_us)
{
    struct pair *pair = pair_controlled(0);
    pair_type_judge(pair, "one ");
    assert_int_equal(entity_end_key(pair->entity, 'x', pair_now(pair)), KEY_TAKEN);
    cut(pair, true);
    assert_int_equal(entity_end_key(pair->entity, 'y', pair_now(pair)), KEY_TAKEN);
    assert_int_equal(judge_end_key(pair->judge, '1', pair_now(pair)), KEY_TAKEN);
    judge_end_pause(pair->judge, 50000000, pair_now(pair));
    assert_true(judge(pair).paused);
    assert_int_equal(judge_end_key(pair->judge, 'n', pair_now(pair)), KEY_REFUSED_PAUSED);
    pair_run(pair, pause_us);

    /* The line is closed, the clock stands still. */
    cut(pair, false);
    pair_run(pair, 3000000);
    assert_int_equal(judge(pair).sync, SYNC_LIVE);
    assert_int_equal(entity(pair).segment, SEGMENT_WAITING);
    assert_int_equal(entity_end_key(pair->entity, 'z', pair_now(pair)), KEY_TAKEN);
    judge_end_open(pair->judge, 0, 2, 50000000, true, pair_now(pair));
    pair_run(pair, 1000000);
    assert_int_equal(entity(pair).segment, SEGMENT_OPEN);
    assert_in_range(entity(pair).cut_us - pair->now_us, 48000000, 49100000);
    pair_type_entity(pair, " two");
    assert_int_equal(entity(pair).unplaced, 0);
    close_and_cut(pair);
    assert_int_equal(judge(pair).outcome, CLOSE_AGREED);
    assert_int_equal(entity(pair).outcome, CLOSE_AGREED);
    assert_int_equal(judge(pair).by_entity, 7);
    assert_int_equal(judge(pair).by_judge, 5);
    pair_check(pair, PAIR_EQUAL);
    pair_destroy(pair);
}

static void test_pauses(void **state)
{
    (void)state;
    static const uint64_t pauses[] = {100000, 1000000, 2900000, 3100000, 10000000, 200000000};
    for (unsigned i = 0; i < sizeof pauses / sizeof pauses[0]; i++)
        pause_of(pauses[i]);
}

/* The entity's end was started again in the pause, and its journal says that the line was cut
 * without an end. */
static void test_entity_restarted_in_a_pause(void **state)
{
    (void)state;
    struct pair *pair = pair_controlled(0);
    pair_type_judge(pair, "one ");
    judge_end_pause(pair->judge, 30000000, pair_now(pair));
    cut(pair, true);
    pair_run(pair, SEGMENT_US + 1000000);
    assert_int_equal(entity(pair).outcome, CLOSE_PREFIX);
    pair_kill(pair, E);
    pair_start(pair, E);
    cut(pair, false);
    pair_run(pair, 3000000);
    judge_end_open(pair->judge, 0, 2, 30000000, true, pair_now(pair));
    pair_run(pair, 1000000);
    pair_type_entity(pair, "two");
    close_and_cut(pair);
    assert_int_equal(judge(pair).outcome, CLOSE_AGREED);
    assert_int_equal(entity(pair).outcome, CLOSE_AGREED);
    pair_check(pair, PAIR_EQUAL);
    pair_destroy(pair);
}

/* This machine's clock runs otherwise than the controller's: the entity's end is told anew. */
static void test_both_show_the_controllers_time(void **state)
{
    (void)state;
    struct pair *pair = pair_controlled(0);
    uint64_t remaining_us = SEGMENT_US;
    for (unsigned i = 0; i < 50; i++) {
        pair_run(pair, 1000000);
        remaining_us -= 995000; /* half a per cent slow */
        judge_end_follow(pair->judge, remaining_us, pair_now(pair));
        pair_run(pair, 50000);
        uint64_t shown_us = entity(pair).cut_us - pair->now_us;
        uint64_t off_us =
            shown_us > remaining_us ? shown_us - remaining_us : remaining_us - shown_us;
        assert_in_range(off_us, 0, JUDGE_CLOCK_OFF_US + 100000);
    }
    pair_destroy(pair);
}

/* What tells the time left was on its way for a second or two, in which the cable was out. */
static void test_the_time_came_late(void **state)
{
    (void)state;
    struct pair *pair = pair_controlled(0);
    uint64_t cut_us = pair->now_us + SEGMENT_US / 2;
    cut(pair, true);
    judge_end_follow(pair->judge, SEGMENT_US / 2, pair_now(pair));
    pair_run(pair, 1500000);
    cut(pair, false);
    pair_run(pair, 3000000);
    assert_in_range(entity(pair).cut_us, cut_us, cut_us + JUDGE_CLOCK_OFF_US);
    pair_destroy(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entity_knows_the_cut_by_itself),
        cmocka_unit_test(test_last_cut_ends_the_session_at_both_ends),
        cmocka_unit_test(test_cut_without_its_end_leaves_a_prefix),
        cmocka_unit_test(test_only_the_last_part_can_be_concluded),
        cmocka_unit_test(test_keys_after_the_end_do_not_wait),
        cmocka_unit_test(test_cut_that_is_heard),
        cmocka_unit_test(test_end_after_time_ran_out),
        cmocka_unit_test(test_late_key_after_a_pause),
        cmocka_unit_test(test_late_key_of_another_session),
        cmocka_unit_test(test_keys_in_a_pause),
        cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_entity_restarted_in_a_pause),
        cmocka_unit_test(test_both_show_the_controllers_time),
        cmocka_unit_test(test_the_time_came_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
