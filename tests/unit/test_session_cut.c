/* The end of a segment: 1,000 announced cuts, 1,000 unannounced ones, and kills around END, at
 * random moments on a line that flips bits. Source: DESIGN.md, "End of a segment". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/pair.h"

#define CUTS      1000
#define PAIR_CUTS 20 /* with one pair: a page of thousands of rows only costs time */
#define EPOCHS    50
#define NOTICE_US 500000 /* the controller's `closing`, and the host's until there is one */

struct cuts {
    struct pair *pair;
    uint64_t seed;
    unsigned index;
    uint32_t key;
};

/* A new pair after every PAIR_CUTS cuts, each with a seed of its own. */
static struct pair *pair_for(struct cuts *cuts, unsigned cut)
{
    if (cut % PAIR_CUTS == 0) {
        if (cuts->pair)
            pair_destroy(cuts->pair);
        cuts->pair = pair_create(cuts->seed + cut, STARTS_EITHER);
        memory_faults(cuts->pair->wire, &(struct memory_faults){.bit_error = 1e-4});
        pair_run(cuts->pair, 2000000);
    }
    return cuts->pair;
}

/* Opens the next segment, waits until both ends are in it, and types at both for a while, a burst
 * now and then so that the line is full. */
static void open_and_type(struct cuts *cuts, uint64_t length_us)
{
    struct pair *pair = cuts->pair;
    struct entity_end_view entity;
    uint64_t until_us;
    judge_end_open(pair->judge, cuts->index++ % 200, 200, length_us + NOTICE_US, false,
                   pair_now(pair));
    do {
        pair_run(pair, 1000);
        entity = *entity_end_view(pair->entity);
    } while (!entity.may_type);
    until_us = pair->now_us + dice_below(&pair->dice, 60000);
    while (pair->now_us < until_us) {
        unsigned burst = dice_below(&pair->dice, 8) ? 1 : 200;
        for (unsigned i = 0; i < burst; i++) {
            judge_end_key(pair->judge, 'a' + cuts->key % 26, pair_now(pair));
            entity_end_key(pair->entity, 'A' + cuts->key % 26, pair_now(pair));
            cuts->key++;
        }
        pair_run(pair, dice_below(&pair->dice, 5000));
    }
}

static void test_announced_cuts_are_agreed(void **state)
{
    (void)state;
    struct cuts cuts = {.seed = dice_seed("announced cuts")};
    for (unsigned i = 0; i < CUTS; i++) {
        struct pair *pair = pair_for(&cuts, i);
        struct judge_end_view judge;
        struct entity_end_view entity;
        open_and_type(&cuts, 10000000);
        judge_end_closing(pair->judge, pair_now(pair));
        uint64_t n = judge_end_sequence(pair->judge)->count;
        uint64_t cut_us = pair->now_us + NOTICE_US;
        while (pair->now_us < cut_us) { /* both ends go on typing into the end */
            judge_end_key(pair->judge, 'x', pair_now(pair));
            entity_end_key(pair->entity, 'y', pair_now(pair));
            pair_run(pair, 25000);
        }
        judge_end_cut(pair->judge, false, pair_now(pair));
        judge = *judge_end_view(pair->judge);
        entity = *entity_end_view(pair->entity);
        assert_int_equal(judge.outcome, CLOSE_AGREED);
        assert_int_equal(entity.outcome, CLOSE_AGREED);
        assert_int_equal(judge.n, n); /* nothing was placed after the announcement */
        pair_check(pair, PAIR_EQUAL);
        pair_run(pair, 100000);
        while (entity_end_view(pair->entity)->segment != SEGMENT_CLOSED)
            pair_run(pair, 1000);
        /* What was typed into the end is on no page. */
        assert_int_equal(entity_end_view(pair->entity)->pending_count, 0);
    }
    pair_destroy(cuts.pair);
}

static void test_unannounced_cuts_leave_a_prefix(void **state)
{
    (void)state;
    struct cuts cuts = {.seed = dice_seed("unannounced cuts")};
    for (unsigned i = 0; i < CUTS; i++) {
        struct pair *pair = pair_for(&cuts, i);
        struct judge_end_view judge;
        struct entity_end_view entity;
        open_and_type(&cuts, 200000);
        memory_unplug(pair->wire, pair->now_us, true);
        judge_end_cut(pair->judge, false, pair_now(pair));
        pair_run(pair, 5000000); /* the entity's end sees its time run out */
        judge = *judge_end_view(pair->judge);
        entity = *entity_end_view(pair->entity);
        assert_int_equal(judge.outcome, CLOSE_UNCONFIRMED);
        assert_true(entity.outcome == CLOSE_PREFIX || entity.segment != SEGMENT_OPEN);
        pair_check(pair, PAIR_PREFIX);
        memory_unplug(pair->wire, pair->now_us, false);
        pair_settle(pair, 20000000);
        judge = *judge_end_view(pair->judge);
        entity = *entity_end_view(pair->entity);
        assert_int_equal(judge.outcome, CLOSE_SETTLED);
        assert_true(entity.outcome == CLOSE_SETTLED || entity.outcome == CLOSE_AGREED);
        pair_check(pair, PAIR_EQUAL);
    }
    pair_destroy(cuts.pair);
}

static void test_kills_around_end(void **state)
{
    (void)state;
    struct cuts cuts = {.seed = dice_seed("kills around END")};
    for (unsigned i = 0; i < CUTS; i++) {
        struct pair *pair = pair_for(&cuts, i);
        unsigned which = (unsigned)dice_below(&pair->dice, 2);
        bool power = dice_below(&pair->dice, 2);
        struct judge_end_view judge;
        struct entity_end_view entity;
        open_and_type(&cuts, 10000000);
        judge_end_closing(pair->judge, pair_now(pair));
        uint64_t n = judge_end_sequence(pair->judge)->count;
        pair_run(pair, dice_below(&pair->dice, 30000));
        if (power)
            pair_power_loss(pair, which);
        else
            pair_kill(pair, which);
        pair_run(pair, dice_below(&pair->dice, 1000000));
        pair_start(pair, which);
        if (!power)
            pair_check(pair, PAIR_PREFIX);
        /* What the terminal does after a restart: it takes the segment up again, and then it is
         * cut. */
        judge = *judge_end_view(pair->judge);
        if (judge.segment == SEGMENT_OPEN)
            judge_end_open(pair->judge, 0, 200, NOTICE_US, true, pair_now(pair));
        judge_end_closing(pair->judge, pair_now(pair));
        judge_end_cut(pair->judge, false, pair_now(pair));
        pair_run(pair, 5000000);
        judge = *judge_end_view(pair->judge);
        if (judge.sync == SYNC_DIFFERS) {
            /* What the judge's machine lost is not asked for where its record ends behind the
             * segment before. */
            assert_true(power && which == J);
            judge_end_new_epoch(pair->judge, pair_now(pair));
        }
        pair_settle(pair, 20000000);
        judge = *judge_end_view(pair->judge);
        entity = *entity_end_view(pair->entity);
        if (!power) { /* with the power a machine may lose that there was a segment at all */
            assert_int_equal(judge.n, n);
            assert_true(judge.outcome == CLOSE_AGREED || judge.outcome == CLOSE_SETTLED);
            assert_true(entity.outcome == CLOSE_AGREED || entity.outcome == CLOSE_SETTLED);
        }
        assert_int_not_equal(judge.outcome, CLOSE_UNCONFIRMED);
        assert_int_not_equal(entity.outcome, CLOSE_PREFIX);
        pair_check(pair, PAIR_EQUAL);
    }
    pair_destroy(cuts.pair);
}

/* The judge's machine loses all that it had, twice, so that the epoch which it begins the second
 * time had begun before. The entity's, which lost that last beginning with its power, takes it up:
 * its keys are of an epoch before, and not others of the same. */
static void test_a_new_epoch_is_new_to_both_ends(void **state)
{
    (void)state;
    struct cuts cuts = {.seed = dice_seed("new epochs")};
    for (unsigned i = 0; i < EPOCHS; i++) {
        struct judge_end_view judge;
        cuts.pair = pair_create(cuts.seed + i, STARTS_EITHER);
        cuts.index = 0;
        pair_run(cuts.pair, 2000000);
        for (unsigned loss = 0; loss < 2; loss++) {
            open_and_type(&cuts, 10000000);
            pair_lose(cuts.pair, J, FAKE_LOSS_ALL);
            pair_start(cuts.pair, J);
            judge_end_closing(cuts.pair->judge, pair_now(cuts.pair));
            judge_end_cut(cuts.pair->judge, false, pair_now(cuts.pair));
            pair_run(cuts.pair, 5000000);
            judge_end_new_epoch(cuts.pair->judge, pair_now(cuts.pair));
            pair_settle(cuts.pair, 20000000);
        }
        open_and_type(&cuts, 10000000);
        pair_lose(cuts.pair, E, FAKE_LOSS_ALL);
        pair_start(cuts.pair, E);
        pair_run(cuts.pair, 5000000);
        judge = *judge_end_view(cuts.pair->judge);
        if (judge.sync == SYNC_DIFFERS)
            fail_msg("pair %u: %s", i, judge.differs_why);
        pair_check(cuts.pair, PAIR_EQUAL);
        pair_destroy(cuts.pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_announced_cuts_are_agreed),
        cmocka_unit_test(test_unannounced_cuts_leave_a_prefix),
        cmocka_unit_test(test_kills_around_end),
        cmocka_unit_test(test_a_new_epoch_is_new_to_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
