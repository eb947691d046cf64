/* The controller's contract (DESIGN.md, "Controller"), on the firmware's own ELF: a test named
 * after each of its six points, the third in test_controller_cut.c. Also what a stuck pin does, and
 * how deep the stack gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/chip/rig.h"

#define LEFT  SEGMENT_A
#define RIGHT SEGMENT_B
#define BOTH  (LEFT | RIGHT)

#define PASS_MS 50 /* contacts may stay so long after the drive */

/* Lets time pass; at every 5 ms no line may be closed that is not in `lines`. */
static void pass_within(struct rig *rig, uint32_t ms, unsigned lines)
{
    for (uint32_t passed = 0; passed < ms; passed += 5) {
        rig_pass(rig, 5);
        assert_int_equal(rig_closed(rig) & ~lines, 0);
    }
}

static void test_point_1_closed_only_in_a_segment_that_says_so(void **state)
{
    static const struct rig_segment plan[] = {
        {5, LEFT, 0}, {10, RIGHT | SEGMENT_WORD, 0}, {5, 0, 0}, {5, BOTH, 0}};
    struct rig rig;

    (void)state;
    rig_open(&rig);
    pass_within(&rig, 500, 0);
    rig_plan(&rig, plan, 4, 1, 60);
    pass_within(&rig, 1000, 0); /* READY */
    rig_run(&rig);
    pass_within(&rig, 500, LEFT); /* CONNECT */
    assert_int_equal(rig_closed(&rig), LEFT);
    assert_true(rig_wait(&rig, SAY_CUT, 10000));
    rig_pass(&rig, PASS_MS);
    pass_within(&rig, 2000, 0); /* WAIT */
    assert_int_equal(rig.state, SAY_WAIT);
    rig_run(&rig);
    pass_within(&rig, 3000, RIGHT);
    assert_int_equal(rig_closed(&rig), RIGHT);
    chip_key_switch(rig.chip, false);
    rig_pass(&rig, 32 + PASS_MS);
    pass_within(&rig, 1000, 0); /* PAUSED */
    assert_int_equal(rig.state, SAY_PAUSED);
    chip_key_switch(rig.chip, true);
    assert_true(rig_wait(&rig, SAY_OPEN, 3000));
    rig.silent = true;
    assert_true(rig_wait(&rig, SAY_LOST, 4000));
    rig_pass(&rig, PASS_MS);
    pass_within(&rig, 1000, 0); /* LOST */
    rig.silent = false;
    assert_true(rig_wait(&rig, SAY_CUT, 10000));
    rig_pass(&rig, PASS_MS);
    pass_within(&rig, 4000, 0); /* a segment without lines */
    assert_int_equal(rig.segment, 2);
    assert_true(rig_wait(&rig, SAY_OPEN, 3000));
    rig_pass(&rig, 1000);
    assert_int_equal(rig_closed(&rig), BOTH);
    chip_off(rig.chip); /* no power */
    chip_run(rig.chip, CHIP_MS(rig.chip, PASS_MS));
    assert_int_equal(rig_closed(&rig), 0);
    chip_reset(rig.chip, CHIP_POWER);
    rig.silent = true;
    pass_within(&rig, 2000, 0); /* after a reset, until the host has answered */
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
    rig.silent = false;
    assert_true(rig_wait(&rig, SAY_OVER, 10000));
    rig_pass(&rig, PASS_MS);
    pass_within(&rig, 1000, 0);
    rig_close(&rig);
}

/* All that a host can say in a session is refused for the same reason. */
static void assert_refused(struct rig *rig, enum sentence_word why)
{
    static const char *const said[][2] = {{"PLN", "1,0,0"},     {"SEG", "0,600,1,0"},
                                          {"SEG", "1,600,1,0"}, {"FIX", NULL},
                                          {"CAL", "40000"},     {"TST", NULL}};

    for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
        uint32_t left = rig_left_ms(rig);

        assert_int_equal(rig_ask(rig, said[i][0], said[i][1]), why);
        assert_true(rig_left_ms(rig) <= left);
    }
}

static void test_point_2_time_never_grows(void **state)
{
    static const struct rig_segment plan[] = {{60, LEFT, 0}, {5, RIGHT, 0}};
    struct rig rig;
    uint32_t left;

    (void)state;
    rig_open(&rig);
    rig_plan(&rig, plan, 2, 0, 60);
    rig_run(&rig);
    rig_pass(&rig, 3000);
    assert_refused(&rig, SAY_STATE);
    assert_int_equal(rig_ask(&rig, "RUN", "0"), SAY_STATE);
    assert_int_equal(rig_ask(&rig, "RUN", "1"), SAY_ORDER);
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
    rig.nonce = 0x9999;
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_BUSY);
    assert_refused(&rig, SAY_NONCE);
    rig.nonce = RIG_NONCE;
    assert_int_equal(rig_ask(&rig, "BEA", NULL), SAY_COUNT);
    assert_int_equal(rig.state, SAY_OPEN);

    chip_key_switch(rig.chip, false);
    assert_true(rig_wait(&rig, SAY_PAUSED, 1000));
    left = rig_left_ms(&rig);
    rig_pass(&rig, 20000);
    assert_int_equal(rig_left_ms(&rig), left);
    assert_refused(&rig, SAY_STATE);
    assert_int_equal(rig_ask(&rig, "RUN", "0"), SAY_STATE);
    assert_int_equal(rig.event[(rig.events - 1) % RIG_EVENTS].left_ms, left);
    chip_key_switch(rig.chip, true);
    assert_true(rig_wait(&rig, SAY_OPEN, 1000));
    assert_in_range(rig_left_ms(&rig), left - 100, left);

    /* The steward alone aborts: the key at PAUSE and the button held. */
    chip_button(rig.chip, true);
    rig_pass(&rig, 4000);
    assert_int_equal(rig.state, SAY_OPEN);
    chip_button(rig.chip, false);
    chip_key_switch(rig.chip, false);
    rig_pass(&rig, 1000);
    chip_button(rig.chip, true);
    assert_true(rig_wait(&rig, SAY_IDLE, 4000));
    chip_reset(rig.chip, CHIP_POWER); /* and that is on record */
    chip_key_switch(rig.chip, true);
    chip_button(rig.chip, false);
    chip_run(rig.chip, CHIP_MS(rig.chip, 100));
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
    assert_int_equal(rig.plan, 0);
    assert_int_equal(rig_ask(&rig, "BEA", NULL), SAY_COUNT);
    assert_int_equal(rig.state, SAY_IDLE);
    assert_int_equal(rig.damaged, 0);
    rig_close(&rig);
}

static void test_point_4_a_silent_host(void **state)
{
    static const struct rig_segment plan[] = {{60, LEFT, 0}};
    struct rig rig;
    uint32_t left, budget;

    (void)state;
    rig_open(&rig);
    rig_plan(&rig, plan, 1, 1, 10);
    rig_run(&rig);
    assert_true(rig_wait(&rig, SAY_OPEN, 2000));
    rig_pass(&rig, 2000);
    left = rig_left_ms(&rig);
    rig.silent = true;
    assert_true(rig_wait(&rig, SAY_LOST, 3100));
    assert_in_range(left - rig_left_ms(&rig), 2400, 3100); /* these are spent */
    left = rig_left_ms(&rig);
    rig_pass(&rig, PASS_MS);
    assert_int_equal(rig_closed(&rig), 0);
    for (unsigned lit = 0, i = 0; !lit; i++) {
        lit = chip_lamps(rig.chip) & 8;
        rig_pass(&rig, 50);
        assert_true(i < 40);
    }
    rig_pass(&rig, 3000);
    assert_int_equal(rig_left_ms(&rig), left);
    rig.silent = false;
    assert_true(rig_wait(&rig, SAY_OPEN, 3000)); /* it goes on by itself */
    assert_true(rig_closed(&rig) == LEFT);
    assert_true(rig_left_ms(&rig) <= left);
    assert_int_equal(rig_ask(&rig, "BEA", NULL), SAY_COUNT);
    budget = rig.budget_ms;
    assert_in_range(budget, 3000, 6900); /* 10 s less the pause and its connect phase */

    rig.silent = true; /* all pauses together fit in it */
    assert_true(rig_wait(&rig, SAY_LOST, 3100));
    assert_true(rig_wait(&rig, SAY_FAULT, budget + 100));
    left = rig_left_ms(&rig);
    rig.silent = false;
    rig_pass(&rig, 5000);
    assert_int_equal(rig.state, SAY_FAULT);
    assert_int_equal(rig.fault, SAY_BUDGET);
    assert_true(chip_lamps(rig.chip) & 8);
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
    assert_int_equal(rig_ask(&rig, "RUN", "0"), SAY_STATE);
    chip_reset(rig.chip, CHIP_POWER); /* no way round it */
    chip_run(rig.chip, CHIP_MS(rig.chip, 100));
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
    rig_pass(&rig, 5000);
    assert_int_equal(rig.state, SAY_FAULT);
    assert_int_equal(rig.fault, SAY_BUDGET);
    assert_int_equal(rig_closed(&rig), 0);
    chip_key_switch(rig.chip, false); /* the key alone */
    rig_pass(&rig, 500);
    chip_key_switch(rig.chip, true);
    assert_true(rig_wait(&rig, SAY_OPEN, 3000));
    assert_true(rig_left_ms(&rig) <= left);
    rig.silent = true; /* nothing is left of the budget */
    assert_true(rig_wait(&rig, SAY_LOST, 3100));
    rig_pass(&rig, 200);
    rig.silent = false;
    rig_pass(&rig, 3000);
    assert_int_equal(rig_ask(&rig, "BEA", NULL), SAY_COUNT);
    assert_int_equal(rig.state, SAY_FAULT); /* and the key has not been turned since */
    assert_int_equal(rig.fault, SAY_BUDGET);
    assert_int_equal(rig_closed(&rig), 0);
    rig_close(&rig);
}

static void reset_by(struct rig *rig, unsigned how)
{
    unsigned resets = chip_resets(rig->chip);

    if (how < 3) {
        chip_reset(rig->chip, (enum chip_reset)how);
    } else {
        chip_hang(rig->chip);
        for (int ms = 0; ms < 1000 && chip_resets(rig->chip) == resets; ms++)
            chip_run(rig->chip, CHIP_MS(rig->chip, 1));
    }
    assert_int_equal(chip_resets(rig->chip), resets + 1);
}

static void test_point_5_its_own_resets(void **state)
{
    static const struct rig_segment plan[] = {{600, RIGHT, 0}};
    static const enum sentence_word reasons[] = {SAY_POWER, SAY_BROWNOUT, SAY_BUTTON, SAY_WATCHDOG};
    struct rig rig;

    (void)state;
    rig_open(&rig);
    rig_plan(&rig, plan, 1, 0, 600);
    rig_run(&rig);
    assert_true(rig_wait(&rig, SAY_OPEN, 2000));
    for (unsigned i = 0; i < rig_share(40); i++) {
        uint32_t truth, left;

        rig_pass(&rig, 1000 + i * 337);
        assert_int_equal(rig_closed(&rig), RIGHT);
        if (i % 4 == 3) {
            chip_hang(rig.chip);
            chip_run(rig.chip, CHIP_MS(rig.chip, 10));
        }
        truth = rig_left_ms(&rig);
        reset_by(&rig, i % 4);
        rig.silent = true;
        rig_pass(&rig, 100 + i * 97); /* not counted */
        assert_int_equal(rig_closed(&rig), 0);
        left = rig_left_ms(&rig);
        assert_in_range(left, truth > 2000 ? truth - 2000 : 0, truth);
        if (i % 4 == 2)
            assert_int_equal(left, truth); /* memory was kept */
        rig.silent = false;
        assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
        assert_int_equal(rig.reset, reasons[i % 4] != SAY_BROWNOUT || chip_kind.tells_brownout
                                        ? reasons[i % 4]
                                        : SAY_POWER);
        assert_true(rig_wait(&rig, SAY_OPEN, 2000));
        assert_true(rig_left_ms(&rig) <= truth);
    }
    rig_close(&rig);
}

/* 10 years of 8 h days, 100,000 erasures (data sheets: ATmega328P 8.1, W25Q16JV 9.6). */
static void test_point_5_the_store_lasts(void **state)
{
    static const struct rig_segment plan[] = {{3600, RIGHT, 0}};
    const double sessions = 10 * 365.25 * 8; /* of an hour */
    uint64_t sum = 0;
    uint32_t most = 0;
    unsigned count = 0;
    struct rig rig;

    (void)state;
    rig_open(&rig);
    rig_plan(&rig, plan, 1, 0, 600);
    rig_run(&rig);
    assert_true(rig_wait(&rig, SAY_CUT, 3700000));
    /* Records go round: in an hour the ring of an EEPROM twice and 74 times in part. The average
     * counts. */
    for (unsigned at = 0; at < chip_kind.store; at++) {
        uint32_t wear = chip_wear(rig.chip, at);

        if (wear > most)
            most = wear;
        sum += wear > 1 ? wear : 0;
        count += wear > 1;
    }
    print_message("# %u erasures of a byte in an hour at most\n", most);
    assert_true(most <= 4);
    assert_true((count ? (double)sum / count : most) * sessions <= 100000);
    rig_close(&rig);
}

static void test_point_6_the_connect_phase(void **state)
{
    static const struct rig_segment plan[] = {
        {5, LEFT, 0}, {5, RIGHT | SEGMENT_WORD, 0}, {5, RIGHT | SEGMENT_WORD, 0}};
    struct rig rig;

    (void)state;
    rig_open(&rig);
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
    assert_int_equal(rig_ask(&rig, "PLN", "1,11,60"), SAY_RANGE);
    rig_plan(&rig, plan, 3, 10, 60);
    rig_run(&rig);
    rig_pass(&rig, 9900);
    assert_int_equal(rig.state, SAY_CONNECT);
    assert_int_equal(rig_closed(&rig), LEFT);
    assert_int_equal(rig_left_ms(&rig), 5000);
    assert_true(rig_wait(&rig, SAY_OPEN, 200));  /* the clock starts at the opening */
    assert_true(rig_wait(&rig, SAY_WAIT, 6000)); /* or waits for the steward's word */
    rig_pass(&rig, 20000);
    assert_int_equal(rig.state, SAY_WAIT);
    assert_int_equal(rig_closed(&rig), 0);
    rig_run(&rig);
    assert_true(rig_wait(&rig, SAY_WAIT, 17000));
    rig_pass(&rig, 1000);
    chip_button(rig.chip, true); /* which may be the button */
    assert_true(rig_wait(&rig, SAY_CONNECT, 1000));
    chip_button(rig.chip, false);
    assert_true(rig_wait(&rig, SAY_OPEN, 10100));
    assert_true(rig_wait(&rig, SAY_OVER, 6000));
    rig_close(&rig);
}

static void test_a_stuck_pin_drops_the_relay(void **state)
{
    static const struct rig_segment plan[] = {{30, BOTH, 0}};
    struct rig rig;

    (void)state;
    rig_open(&rig);
    rig_plan(&rig, plan, 1, 0, 60);
    rig_run(&rig);
    rig_pass(&rig, 1000);
    for (int i = 0; i < 4; i++) {
        int line = i % 2;

        assert_int_equal(rig_closed(&rig), BOTH);
        chip_stick(rig.chip, line, i / 2);
        rig_pass(&rig, PASS_MS);
        assert_int_equal(rig_closed(&rig), BOTH & ~(1 << line));
        rig_pass(&rig, 1000);
        assert_int_equal(rig_closed(&rig), BOTH & ~(1 << line));
        chip_stick(rig.chip, line, CHIP_FREE);
        rig_pass(&rig, 100);
    }
    rig_close(&rig);
}

static void test_sounds_lamps_and_calibration(void **state)
{
    static const struct rig_segment plan[] = {{10, LEFT | SEGMENT_LAMP_A, 4},
                                              {5, SEGMENT_LAMP_BREAK, 0}};
    struct rig rig;
    uint64_t from;

    (void)state;
    rig_open(&rig);
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
    assert_int_equal(rig_ask(&rig, "TST", NULL), SAY_COUNT);
    rig_pass(&rig, 500);
    assert_int_equal(chip_lamps(rig.chip), 31);
    rig_pass(&rig, 600);
    assert_int_equal(chip_lamps(rig.chip), 0);
    assert_int_equal(rig_ask(&rig, "CAL", "8191"), SAY_RANGE);
    assert_int_equal(rig_ask(&rig, "CAL", "57345"), SAY_RANGE);
    assert_int_equal(rig_ask(&rig, "CAL", "36864"), SAY_COUNT); /* slower by a thousandth */
    chip_reset(rig.chip, CHIP_POWER);
    chip_run(rig.chip, CHIP_MS(rig.chip, 100));
    assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
    assert_int_equal(rig.calibration, 36864);
    rig_plan(&rig, plan, 2, 1, 60);
    rig_run(&rig);
    rig_pass(&rig, 900);
    assert_true(rig_run_to_tick(&rig, 1000));
    from = chip_now(rig.chip);
    rig_pass(&rig, 3000);
    assert_int_equal(chip_lamps(rig.chip), 1);
    assert_true(rig_wait(&rig, SAY_WARN, 4000));
    assert_true(chip_lamps(rig.chip) & 16);
    rig_pass(&rig, 3800);
    assert_true(rig_run_to_drive(&rig, 1000));
    assert_in_range(chip_now(rig.chip) - from, CHIP_MS(rig.chip, 10008) - 1000,
                    CHIP_MS(rig.chip, 10008) + 1000);
    rig_pass(&rig, 2000);
    assert_int_equal(chip_lamps(rig.chip), 4);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_1_closed_only_in_a_segment_that_says_so),
        cmocka_unit_test(test_point_2_time_never_grows),
        cmocka_unit_test(test_point_4_a_silent_host),
        cmocka_unit_test(test_point_5_its_own_resets),
        cmocka_unit_test(test_point_6_the_connect_phase),
        cmocka_unit_test(test_a_stuck_pin_drops_the_relay),
        cmocka_unit_test(test_sounds_lamps_and_calibration),
    };
    /* An hour, which a chip that is slow to simulate has in long runs. */
    const struct CMUnitTest an_hour[] = {cmocka_unit_test(test_point_5_the_store_lasts)};
    bool short_run = rig_share(10) < 10;

    return cmocka_run_group_tests_name("controller", tests, NULL, NULL) +
           (short_run ? 0 : cmocka_run_group_tests_name("controller_store", an_hour, NULL, NULL));
}
