/* The watchdog's core at moments that a whole session seldom meets: see also test_controller.c,
 * which tests the contract on the firmware's own ELF. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/chip/rig.h"

#define LEFT SEGMENT_A
#define TICK (uint64_t)16000 * WATCHDOG_TICK_MS

#define BYTE_OF(rig, field) memory((rig), offsetof(struct watchdog, field))

static const struct rig_segment minute[] = {{60, LEFT, 0}};

static uint8_t memory(const struct rig *rig, size_t at)
{
    return chip_ram(rig->chip, chip_watchdog(rig->chip) + (unsigned)at);
}

static uint32_t floor_ms(const struct rig *rig)
{
    uint32_t floor = 0;

    for (unsigned i = sizeof(floor); i > 0; i--)
        floor = floor << 8 | memory(rig, offsetof(struct watchdog, floor) + i - 1);
    return floor * WATCHDOG_TICK_MS;
}

static void open_minute(struct rig *rig, unsigned connect_s, unsigned budget_s)
{
    rig_open(rig);
    rig_plan(rig, minute, 1, connect_s, budget_s);
    rig_run(rig);
    assert_true(rig_wait(rig, SAY_OPEN, connect_s * 1000 + 500));
}

static void turn_key(struct rig *rig, bool run)
{
    chip_key_switch(rig->chip, run);
    rig_pass(rig, 200);
}

static void assert_state(struct rig *rig, enum sentence_word state, enum sentence_word fault)
{
    assert_int_equal(BYTE_OF(rig, state), state);
    assert_int_equal(BYTE_OF(rig, fault), fault);
}

/* A pause by the host may end at any tick; at some of them a record of the budget is due just then.
 * What is stored as left is always below the truth. */
static void come_back_after(unsigned ticks, unsigned connect_s)
{
    struct rig rig;

    open_minute(&rig, connect_s, 60);
    rig.silent = true;
    assert_true(rig_wait(&rig, SAY_LOST, 3500));
    chip_run(rig.chip, ticks * TICK);
    rig.silent = false;
    rig_say(&rig, "HEL", NULL);
    for (unsigned i = 0; i < WATCHDOG_TICKS(300 + connect_s * 1000); i++) {
        chip_run(rig.chip, TICK);
        if (BYTE_OF(&rig, state) == SAY_OPEN)
            assert_true(floor_ms(&rig) < rig_left_ms(&rig));
    }
    rig_pass(&rig, 2500);
    assert_state(&rig, SAY_OPEN, SAY_NONE);
    rig_close(&rig);
}

static void test_no_record_of_the_budget_starts_the_clock_unstored(void **state)
{
    (void)state;
    for (unsigned ticks = 1; ticks < WATCHDOG_TICKS(4200); ticks++) {
        come_back_after(ticks, 0);
        if (ticks % 4 == 0)
            come_back_after(ticks, 1);
    }
}

static void assert_guarded(struct rig *rig, enum sentence_word state)
{
    static const char *const said[][2] = {
        {"PLN", "1,0,0"}, {"SEG", "0,600,1,0"}, {"FIX", NULL}, {"CAL", "40000"}, {"TST", NULL}};

    for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
        uint32_t left = rig_left_ms(rig);

        assert_int_equal(BYTE_OF(rig, state), state);
        assert_int_equal(rig_ask(rig, said[i][0], said[i][1]), SAY_STATE);
        assert_true(rig_left_ms(rig) <= left);
    }
    assert_int_equal(chip_lamps(rig->chip) & 7, 0); /* no test of the lamps */
    assert_int_equal(rig_ask(rig, "HEL", NULL), SAY_COUNT);
    assert_int_equal(rig->calibration, WATCHDOG_CAL_BIAS);
}

static void test_no_state_of_a_session_takes_a_plan(void **state)
{
    static const struct rig_segment plan[] = {{20, LEFT, 0}, {5, LEFT | SEGMENT_WORD, 0}};
    struct rig rig;

    (void)state;
    rig_open(&rig);
    rig_plan(&rig, plan, 2, 10, 20);
    rig_run(&rig);
    assert_guarded(&rig, SAY_CONNECT);
    assert_true(rig_wait(&rig, SAY_OPEN, 10500));
    assert_guarded(&rig, SAY_OPEN);
    turn_key(&rig, false);
    assert_guarded(&rig, SAY_PAUSED);
    turn_key(&rig, true);
    assert_true(rig_wait(&rig, SAY_CLOSING, 40000));
    assert_int_equal(rig_ask(&rig, "PLN", "1,0,0"), SAY_STATE);
    assert_int_equal(rig_ask(&rig, "CAL", "40000"), SAY_STATE);
    assert_int_equal(rig_ask(&rig, "TST", NULL), SAY_STATE);
    assert_true(rig_wait(&rig, SAY_WAIT, 2000));
    rig.silent = true;
    assert_true(rig_wait(&rig, SAY_LOST, 3500));
    assert_true(rig_wait(&rig, SAY_FAULT, 22000));
    rig.silent = false;
    assert_guarded(&rig, SAY_FAULT);
    rig_close(&rig);
}

static void test_each_fault_wants_its_own_turn_of_the_key(void **state)
{
    struct rig rig;

    (void)state;
    open_minute(&rig, 0, 5);
    for (unsigned i = 0; i < 3; i++) {
        rig.silent = true;
        assert_true(rig_wait(&rig, SAY_FAULT, 9000));
        rig.silent = false;
        rig_pass(&rig, 3000);
        assert_state(&rig, SAY_FAULT, SAY_BUDGET);
        assert_int_equal(rig_closed(&rig), 0);
        turn_key(&rig, false);
        assert_state(&rig, SAY_FAULT, SAY_BUDGET);
        turn_key(&rig, true);
        assert_state(&rig, SAY_OPEN, SAY_NONE);
    }
    rig_close(&rig);
}

static void test_a_plan_is_begun_by_PLN_alone(void **state)
{
    struct rig rig;
    uint8_t store[1024];

    (void)state;
    rig_open(&rig);
    rig_plan(&rig, minute, 1, 0, 60);
    /* The plan's first byte in either of its places: more segments than there is room for. */
    chip_store_get(rig.chip, store);
    store[0] = 255;
    store[WATCHDOG_PLAN + 2] = 255;
    chip_store_put(rig.chip, store);
    chip_reset(rig.chip, CHIP_POWER);
    chip_run(rig.chip, CHIP_MS(rig.chip, 100));
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
    assert_int_equal(rig.plan, 0);
    assert_int_equal(rig_ask(&rig, "SEG", "0,60,1,0"), SAY_ORDER);
    assert_int_equal(rig_ask(&rig, "FIX", NULL), SAY_ORDER);

    rig_plan(&rig, minute, 1, 0, 60);
    rig_run(&rig);
    chip_button(rig.chip, true);
    chip_key_switch(rig.chip, false);
    assert_true(rig_wait(&rig, SAY_IDLE, 5000)); /* aborted: the plan is gone, too */
    assert_int_equal(rig_ask(&rig, "SEG", "0,60,1,0"), SAY_ORDER);
    assert_int_equal(rig_ask(&rig, "RUN", "0"), SAY_STATE);
    rig_close(&rig);
}

static void test_a_store_that_keeps_nothing(void **state)
{
    struct rig rig;
    uint32_t left;

    (void)state;
    rig_open(&rig);
    rig_plan(&rig, minute, 1, 0, 60);
    assert_int_equal(rig_ask(&rig, "PLN", "1,0,60"), SAY_COUNT);
    assert_int_equal(rig_ask(&rig, "SEG", "0,30,2,0"), SAY_COUNT);
    chip_store_stick(rig.chip, true);
    assert_int_equal(rig_ask(&rig, "FIX", NULL), SAY_STORE);
    assert_state(&rig, SAY_IDLE, SAY_NONE);
    assert_int_equal(rig_ask(&rig, "RUN", "0"), SAY_STATE);
    chip_store_stick(rig.chip, false);
    /* The same place is tried again: the plan that was stored before is still in the other. */
    assert_int_equal(rig_ask(&rig, "PLN", "1,0,60"), SAY_COUNT);
    assert_int_equal(rig_ask(&rig, "SEG", "0,30,2,0"), SAY_COUNT);
    chip_cut(rig.chip, 0, CHIP_ERASED);
    rig_say(&rig, "FIX", NULL);
    chip_run(rig.chip, CHIP_MS(rig.chip, 100));
    assert_true(chip_is_off(rig.chip));
    chip_reset(rig.chip, CHIP_POWER);
    chip_run(rig.chip, CHIP_MS(rig.chip, 100));
    assert_state(&rig, SAY_READY, SAY_NONE);
    rig_plan(&rig, minute, 1, 0, 60);
    rig_run(&rig);
    assert_true(rig_wait(&rig, SAY_OPEN, 500));

    chip_store_stick(rig.chip, true);
    assert_true(rig_wait(&rig, SAY_FAULT, 2500));
    assert_state(&rig, SAY_FAULT, SAY_STORE);
    assert_int_equal(rig_closed(&rig), 0);
    left = rig_left_ms(&rig);
    turn_key(&rig, false);
    turn_key(&rig, true); /* it is tried once for each turn */
    assert_state(&rig, SAY_FAULT, SAY_STORE);
    chip_store_stick(rig.chip, false);
    rig_pass(&rig, 2000);
    assert_state(&rig, SAY_FAULT, SAY_STORE);
    turn_key(&rig, false);
    turn_key(&rig, true);
    assert_state(&rig, SAY_OPEN, SAY_NONE);
    assert_in_range(rig_left_ms(&rig), left - 300, left);

    /* A session whose abort could not be stored is not gone on with. */
    chip_store_stick(rig.chip, true);
    chip_button(rig.chip, true);
    chip_key_switch(rig.chip, false);
    assert_true(rig_wait(&rig, SAY_FAULT, 4000));
    chip_button(rig.chip, false);
    chip_store_stick(rig.chip, false);
    turn_key(&rig, true);
    assert_state(&rig, SAY_IDLE, SAY_NONE);
    assert_int_equal(rig_closed(&rig), 0);
    rig_close(&rig);
}

static void test_the_key_counts_from_the_reset_on(void **state)
{
    struct rig rig;

    (void)state;
    open_minute(&rig, 5, 60);
    chip_key_switch(rig.chip, false);
    for (unsigned i = 0; i < 100; i++) {
        chip_reset(rig.chip, CHIP_BUTTON);
        chip_run(rig.chip, i % 16 * TICK / 4);
        rig_say(&rig, "HEL", NULL);
        for (unsigned tick = 0; tick < 50; tick++) {
            chip_run(rig.chip, TICK);
            assert_int_equal(BYTE_OF(&rig, drive), 0);
        }
        assert_state(&rig, SAY_PAUSED, SAY_NONE);
    }
    rig_close(&rig);
}

static void test_what_no_host_may_say(void **state)
{
    static const struct {
        const char *type, *more;
        enum sentence_word why;
    } said[] = {
        {"PLN", "0,0,0", SAY_RANGE},       {"PLN", "13,0,0", SAY_RANGE},
        {"PLN", "1,11,0", SAY_RANGE},      {"PLN", "1,0,3601", SAY_RANGE},
        {"PLN", "2,0,5", SAY_COUNT},       {"FIX", NULL, SAY_ORDER},
        {"SEG", "1,60,1,0", SAY_ORDER},    {"SEG", "0,0,1,0", SAY_RANGE},
        {"SEG", "0,28801,1,0", SAY_RANGE}, {"SEG", "0,60,64,0", SAY_RANGE},
        {"SEG", "0,60,1,60", SAY_RANGE},   {"SEG", "0,28799,1,28798", SAY_COUNT},
        {"FIX", NULL, SAY_ORDER},          {"SEG", "1,2,1,0", SAY_RANGE},
        {"SEG", "1,1,1,0", SAY_COUNT},     {"SEG", "2,1,1,0", SAY_ORDER},
        {"PLN", "1,0,0", SAY_COUNT},       {"SEG", "0,4,1,0", SAY_COUNT},
        {"FIX", NULL, SAY_RANGE},          {"RUN", "0", SAY_STATE},
    };
    struct rig rig;

    (void)state;
    rig_open(&rig);
    rig.nonce = 0; /* nobody's, also before anybody has claimed it */
    assert_int_equal(rig_ask(&rig, "PLN", "1,0,0"), SAY_NONCE);
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_NONCE);
    rig.nonce = RIG_NONCE;
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
    for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
        rig_pass(&rig, 10);
        assert_int_equal(rig_ask(&rig, said[i].type, said[i].more), said[i].why);
    }
    rig_plan(&rig, minute, 1, 0, 60);
    rig.nonce++;
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_BUSY);
    rig.nonce--;
    assert_int_equal(rig_ask(&rig, "RUN", "1"), SAY_ORDER);
    turn_key(&rig, false);
    assert_int_equal(rig_ask(&rig, "RUN", "0"), SAY_KEY);
    turn_key(&rig, true);
    rig.silent = true;
    rig_pass(&rig, 4000);
    chip_button(rig.chip, true); /* nor the steward, when there is no host */
    rig_pass(&rig, 200);
    assert_state(&rig, SAY_READY, SAY_NONE);
    rig_close(&rig);
}

static void test_links_that_form_again_after_a_loss_use_the_budget(void **state)
{
    struct rig rig;

    (void)state;
    open_minute(&rig, 10, 5);
    rig.silent = true;
    assert_true(rig_wait(&rig, SAY_LOST, 3500));
    rig.silent = false;
    assert_true(rig_wait(&rig, SAY_CONNECT, 1000));
    assert_true(rig_wait(&rig, SAY_FAULT, 5000));
    assert_state(&rig, SAY_FAULT, SAY_BUDGET);
    turn_key(&rig, false);
    turn_key(&rig, true); /* after a pause by the key it is not counted */
    assert_state(&rig, SAY_CONNECT, SAY_NONE);
    assert_true(rig_wait(&rig, SAY_OPEN, 10500));
    rig_close(&rig);
}

static void test_a_pause_in_the_last_half_second(void **state)
{
    static const struct rig_segment plan[] = {{5, LEFT, 0}};
    struct rig rig;
    unsigned seen;

    (void)state;
    rig_open(&rig);
    rig_plan(&rig, plan, 1, 0, 60);
    rig_run(&rig);
    assert_true(rig_wait(&rig, SAY_CLOSING, 6000));
    turn_key(&rig, false);
    assert_state(&rig, SAY_PAUSED, SAY_NONE);
    seen = rig.events;
    chip_key_switch(rig.chip, true);
    assert_true(rig_wait(&rig, SAY_CUT, 1000));
    for (bool closing = false; seen != rig.events; seen++) {
        enum sentence_word what = rig.event[seen % RIG_EVENTS].what;

        assert_int_not_equal(what, SAY_OPEN); /* the ends are told again that it closes */
        closing |= what == SAY_CLOSING;
        assert_true(closing || what != SAY_CUT);
    }
    rig_close(&rig);
}

/* The numbers of the records come round after an hour. */
static void test_power_lost_now_and_then_in_eight_hours(void **state)
{
    static const struct rig_segment plan[] = {{28800, LEFT, 0}};
    struct rig rig;

    (void)state;
    rig_open(&rig);
    rig_plan(&rig, plan, 1, 0, 3600);
    rig_run(&rig);
    assert_true(rig_wait(&rig, SAY_OPEN, 500));
    for (unsigned i = 0; i < 90; i++) {
        uint32_t truth, left;

        rig_pass(&rig, 300000 + i * 1111 % 16000);
        assert_state(&rig, SAY_OPEN, SAY_NONE);
        truth = rig_left_ms(&rig);
        chip_reset(rig.chip, i % 2 ? CHIP_POWER : CHIP_BROWNOUT);
        left = rig_left_ms(&rig);
        assert_in_range(left, truth - 2000, truth);
        rig_say(&rig, "HEL", NULL);
    }
    rig_close(&rig);
}

/* What memory says is left after a reset is believed only with its sum, and within the record's
 * reach. */
static void test_memory_is_believed_within_limits(void **state)
{
    struct rig rig;

    (void)state;
    for (unsigned how = 0; how < 3; how++) {
        uint32_t truth, left;

        open_minute(&rig, 0, 60);
        rig_pass(&rig, 1000);
        truth = rig_left_ms(&rig) / WATCHDOG_TICK_MS;
        left = truth + (how == 1 ? 1500 : 20);
        if (how > 0) {
            for (unsigned i = 0; i < sizeof(left); i++)
                chip_set_ram(rig.chip, chip_watchdog(rig.chip) + i, (uint8_t)(left >> i * 8));
        }
        if (how == 1) {
            uint16_t sum = (uint16_t)~left;
            unsigned at = chip_watchdog(rig.chip) + (unsigned)offsetof(struct watchdog, warm);

            chip_set_ram(rig.chip, at, (uint8_t)sum);
            chip_set_ram(rig.chip, at + 1, (uint8_t)(sum >> 8));
        }
        chip_reset(rig.chip, CHIP_BUTTON);
        if (how == 0)
            assert_int_equal(rig_left_ms(&rig), truth * WATCHDOG_TICK_MS);
        else
            assert_int_equal(rig_left_ms(&rig), floor_ms(&rig));
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_record_of_the_budget_starts_the_clock_unstored),
        cmocka_unit_test(test_no_state_of_a_session_takes_a_plan),
        cmocka_unit_test(test_each_fault_wants_its_own_turn_of_the_key),
        cmocka_unit_test(test_a_plan_is_begun_by_PLN_alone),
        cmocka_unit_test(test_a_store_that_keeps_nothing),
        cmocka_unit_test(test_the_key_counts_from_the_reset_on),
        cmocka_unit_test(test_what_no_host_may_say),
        cmocka_unit_test(test_links_that_form_again_after_a_loss_use_the_budget),
        cmocka_unit_test(test_a_pause_in_the_last_half_second),
        cmocka_unit_test(test_power_lost_now_and_then_in_eight_hours),
        cmocka_unit_test(test_memory_is_believed_within_limits),
    };

    return cmocka_run_group_tests_name("watchdog", tests, NULL, NULL);
}
