/* The simulated chip: what simavr 1.6 does wrong is right here, as the firmware itself shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/chip/rig.h"

static const struct rig_segment both[] = {{600, SEGMENT_LINES, 0}};

static void open_running(struct rig *rig)
{
    rig_open(rig);
    rig_plan(rig, both, 1, 0, 600);
    rig_run(rig);
    rig_pass(rig, 1000);
    assert_int_equal(rig_closed(rig), SEGMENT_LINES);
}

/* simavr changes no pin's signal at a reset: a relay would hold for ever. */
static void test_pins_float_at_a_reset(void **state)
{
    struct rig rig;

    (void)state;
    open_running(&rig);
    rig.silent = true;
    chip_reset(rig.chip, CHIP_BUTTON);
    for (int line = 0; line < CHIP_LINES; line++)
        assert_true(chip_now(rig.chip) - chip_edge(rig.chip, line) <= CHIP_MS(rig.chip, 2));
    rig_pass(&rig, 50);
    assert_int_equal(rig_closed(&rig), 0);
    rig_close(&rig);
}

/* simavr reads inputs as 0 after a reset, and then what the pull-up said last: the key would turn
 * by itself. */
static void test_inputs_stay_as_they_are(void **state)
{
    struct rig rig;

    (void)state;
    for (int run = 0; run < 2; run++) {
        rig_open(&rig);
        rig_plan(&rig, both, 1, 0, 600);
        chip_key_switch(rig.chip, run);
        chip_button(rig.chip, !run);
        for (int i = 0; i < 3; i++) {
            rig_pass(&rig, 300);
            assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
            assert_int_equal(rig_ask(&rig, "BEA", NULL), SAY_COUNT);
            assert_int_equal(rig.inputs & (STATUS_KEY_SWITCH | STATUS_BUTTON),
                             run ? STATUS_KEY_SWITCH : STATUS_BUTTON);
            chip_reset(rig.chip, CHIP_BUTTON);
        }
        rig_close(&rig);
    }
}

struct counter {
    struct chip *chip;
    unsigned count;
    uint64_t first, last;
};

static void count_byte(void *user, uint8_t byte)
{
    struct counter *counter = user;

    (void)byte;
    if (counter->count++ == 0)
        counter->first = chip_now(counter->chip);
    counter->last = chip_now(counter->chip);
}

/* simavr sends eleven bits for a byte. */
static void test_a_byte_has_ten_bits(void **state)
{
    struct counter counter = {0};
    struct rig rig;
    uint64_t each;

    (void)state;
    rig_open(&rig);
    counter.chip = rig.chip;
    chip_on_byte(rig.chip, count_byte, &counter);
    rig_say(&rig, "HEL", NULL);
    chip_run(rig.chip, CHIP_MS(rig.chip, 3));
    assert_int_equal(counter.count, 0); /* 15 bytes take 3.9 ms to come */
    chip_run(rig.chip, CHIP_MS(rig.chip, 50));
    assert_true(counter.count > 30);
    each = (counter.last - counter.first) / (counter.count - 1);
    /* 16 MHz / 8 / 52 = 38,462 baud: 4,160 cycles */
    assert_in_range(each, 4150, 4170);
    rig_close(&rig);
}

/* simavr's EEPROM is never busy, and always erases. */
static void test_a_write_takes_its_time(void **state)
{
    struct rig rig;
    uint64_t writes, from;
    uint8_t store[1024];

    (void)state;
    rig_open(&rig);
    rig_ask(&rig, "HEL", NULL);
    writes = chip_writes(rig.chip);
    from = chip_now(rig.chip);
    assert_int_equal(rig_ask(&rig, "CAL", "32768"), SAY_COUNT);
    assert_int_equal(chip_writes(rig.chip) - writes, 4);
    assert_true(chip_now(rig.chip) - from >= CHIP_MS(rig.chip, 4 * 3.4));
    rig_plan(&rig, both, 1, 0, 600);
    rig_run(&rig);
    rig_pass(&rig, 13000);
    /* Marks clear bits and erase nothing: the byte shows them one after the other. */
    unsigned marked = 0;
    chip_store_get(rig.chip, store);
    for (unsigned at = 0; at < chip_kind.store; at++)
        marked += store[at] == 0x80;
    assert_true(marked >= 1);
    rig_close(&rig);
}

/* simavr forgets its timers at a reset: a byte on its way would stop the line, and the firmware's
 * tick never start. */
static void test_time_goes_on_after_a_reset(void **state)
{
    struct rig rig;

    (void)state;
    open_running(&rig);
    for (int i = 0; i < 5; i++) {
        rig_say(&rig, "BEA", NULL);
        chip_run(rig.chip, CHIP_MS(rig.chip, 1)); /* in the middle of it */
        chip_reset(rig.chip, i % 2 ? CHIP_BUTTON : CHIP_POWER);
        chip_run(rig.chip, CHIP_MS(rig.chip, 100));
        assert_int_equal(chip_sending(rig.chip), 0);
        assert_int_equal(rig_ask(&rig, "HEL", NULL), SAY_COUNT);
        rig_pass(&rig, 600);
        assert_int_equal(rig_closed(&rig), SEGMENT_LINES);
    }
    rig_close(&rig);
}

/* simavr sleeps when its processor does, and polls its UART by sleeping: an hour would take an
 * hour. */
static void test_virtual_time_is_free(void **state)
{
    struct timespec from, to;
    struct rig rig;

    (void)state;
    open_running(&rig);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    rig_pass(&rig, 500000);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    print_message("# 500 s took %.2f s of the processor\n",
                  (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9);
    assert_int_equal(rig.state, SAY_OPEN);
    assert_in_range(rig.clock_ms, 500000, 510000);
    rig_close(&rig);
}

/* Time passes in steps of any size alike. */
static void test_steps_are_exact(void **state)
{
    struct rig rig;
    uint64_t from;

    (void)state;
    open_running(&rig);
    from = chip_now(rig.chip);
    for (int i = 0; i < 1000; i++)
        chip_run(rig.chip, CHIP_MS(rig.chip, 1));
    assert_in_range(chip_now(rig.chip) - from, CHIP_MS(rig.chip, 1000), CHIP_MS(rig.chip, 1001));
    rig_close(&rig);
}

/* Static memory and stack together leave half of it free. */
static void test_the_stack_is_measured(void **state)
{
    struct rig rig;

    (void)state;
    open_running(&rig);
    rig_pass(&rig, 40000);
    chip_key_switch(rig.chip, false);
    rig_pass(&rig, 100);
    chip_key_switch(rig.chip, true);
    rig_pass(&rig, 3000);
    print_message("# the stack was %u bytes deep\n", chip_stack(rig.chip));
    assert_in_range(chip_stack(rig.chip), 20, 400);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pins_float_at_a_reset),
        cmocka_unit_test(test_inputs_stay_as_they_are),
        cmocka_unit_test(test_a_byte_has_ten_bits),
        cmocka_unit_test(test_a_write_takes_its_time),
        cmocka_unit_test(test_time_goes_on_after_a_reset),
        cmocka_unit_test(test_virtual_time_is_free),
        cmocka_unit_test(test_steps_are_exact),
        cmocka_unit_test(test_the_stack_is_measured),
    };

    return cmocka_run_group_tests_name("chip", tests, NULL, NULL);
}
