/* The storm in simulated time, on the pages of each style: both ends type at once while the line
 * flips bits and is unplugged, and both ends are killed, or lose their power, at random keys.
 * Source: DESIGN.md, "Session". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/pair.h"

#define KEY_EVERY_US 5000 /* 200 keys a second */

/* Key number i of a party, a function of the number alone so that a restart goes on with it. */
static uint32_t key_number(unsigned party, uint64_t i)
{
    static const uint32_t odd[] = {KEY_RETURN, KEY_BACKSPACE, KEY_TAB, 0xE9, 0x4E2D, 0x1F600};
    uint64_t x = (i * 2654435761u + party * 40503u) ^ (i >> 3);
    return x % 23 == 0 ? odd[x / 23 % 6] : 0x21 + (uint32_t)(x % 94);
}

struct storm {
    struct pair *pair;
    uint64_t target;
    uint64_t judge_due_us, entity_due_us;
    bool power; /* ends lose their power, not only their process */
};

static void type(struct storm *storm)
{
    struct pair *pair = storm->pair;
    struct judge_end_view judge;
    struct entity_end_view entity;
    if (pair->judge && pair->now_us >= storm->judge_due_us) {
        judge = *judge_end_view(pair->judge);
        if (judge.by_judge < storm->target && judge.may_type &&
            judge_end_place(pair->judge, key_number(0, judge.by_judge), pair_now(pair)) ==
                KEY_TAKEN)
            storm->judge_due_us = pair->now_us + KEY_EVERY_US;
    }
    if (pair->entity && pair->now_us >= storm->entity_due_us) {
        entity = *entity_end_view(pair->entity);
        if (entity.pressed < storm->target && entity.may_type &&
            entity.pending_count < END_UNCONFIRMED_MAX &&
            entity_end_key(pair->entity, key_number(1, entity.pressed), pair_now(pair)) ==
                KEY_TAKEN)
            storm->entity_due_us = pair->now_us + KEY_EVERY_US;
    }
}

static void strike(struct storm *storm)
{
    struct pair *pair = storm->pair;
    unsigned which = (unsigned)dice_below(&pair->dice, 2);
    bool unplug = dice_below(&pair->dice, 2);
    if (unplug)
        memory_unplug(pair->wire, pair->now_us, true);
    if (!unplug || dice_below(&pair->dice, 4) == 0) {
        if (storm->power && dice_below(&pair->dice, 2))
            pair_power_loss(pair, which);
        else
            pair_kill(pair, which);
    }
    pair_run(pair, dice_below(&pair->dice, 4000000));
    memory_unplug(pair->wire, pair->now_us, false);
    if (!pair->machine[which].running)
        pair_start(pair, which);
}

static void run_storm(uint64_t seed, uint64_t target, bool power)
{
    struct storm storm = {.target = target, .power = power};
    struct style style;
    struct pair *pair;
    struct judge_end_view judge;
    struct entity_end_view entity;
    uint64_t strike_us = 3000000;
    style_begin(&style, (enum style_form)(seed % STYLE_FORMS), 1);
    pair = storm.pair = pair_create_styled(seed, STARTS_EITHER, &style);
    memory_faults(pair->wire, &(struct memory_faults){.bit_error = 1e-4});
    pair->open = true;
    judge_end_open(pair->judge, 0, 0, UINT64_MAX, false, pair_now(pair));
    do {
        type(&storm);
        pair_run(pair, 1000);
        if (pair->now_us >= strike_us) {
            strike(&storm);
            pair_check(pair, power ? PAIR_COMMON : PAIR_PREFIX);
            strike_us = pair->now_us + dice_below(&pair->dice, target * 500);
        }
        judge = *judge_end_view(pair->judge);
        entity = *entity_end_view(pair->entity);
        assert_true(pair->now_us < 3600000000u);
    } while (judge.by_judge < target || entity.pressed < target);
    pair_settle(pair, 60000000);
    pair_check(pair, PAIR_EQUAL);

    /* Nothing lost, doubled or out of order: each party's keys are its script's. */
    const struct sequence *sequence = judge_end_sequence(pair->judge);
    uint64_t seen[PARTIES] = {0};
    assert_int_equal(sequence->by[PARTY_JUDGE], target);
    if (!power)
        assert_int_equal(sequence->by[PARTY_ENTITY], target);
    for (uint64_t i = 0; i < sequence->count; i++) {
        unsigned party = sequence->event[i].party;
        assert_int_equal(sequence->event[i].point, key_number(party, seen[party]));
        seen[party]++;
    }
    pair_destroy(pair);
}

static void storms(const char *name, bool power, unsigned count, uint64_t target)
{
    const char *soak = getenv("SOAK");
    uint64_t seed = dice_seed(name);
    if (soak) {
        count = 20;
        target = 10000;
    }
    for (unsigned i = 0; i < count; i++)
        run_storm(seed + i, target, power);
}

static void test_storm_of_kills(void **state)
{
    (void)state;
    storms("storm of kills", false, 4, 2000);
}

static void test_storm_of_power_losses(void **state)
{
    (void)state;
    storms("storm of power losses", true, 6, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_storm_of_kills),
        cmocka_unit_test(test_storm_of_power_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
