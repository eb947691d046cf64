/* How two ends find each other, lose each other, and what they say of it. */
#include "link/frame.h"
#include "tests/support/link_sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t base_seed;

static void test_comes_up_at_once(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    (void)state;
    assert_true(sim_run(sim, 20 * MS, sim_both_up));
    assert_string_equal(link_core_reason(sim->end[0].core), "connected");
    sim_destroy(sim);
}

static void test_cable_out_and_in(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    (void)state;
    memory_unplug(sim->wire, sim->now_us, true);
    sim_run(sim, sim->now_us + 4 * S, NULL);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(link_core_state(sim->end[i].core), LINK_CONNECTING);
        assert_non_null(strstr(link_core_reason(sim->end[i].core), "nothing heard for 3 s"));
        assert_int_equal(link_core_send(sim->end[i].core, LINK_EXPRESS, (const uint8_t *)"x", 1),
                         BL_DOWN);
    }
    memory_unplug(sim->wire, sim->now_us, false);
    assert_true(sim_run(sim, sim->now_us + 500 * MS, sim_both_up));
    sim_destroy(sim);
}

static void test_restart_of_the_other_end(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    (void)state;
    for (unsigned round = 0; round < 5; round++) {
        sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + 50 * MS, NULL);
        sim_restart(&sim->end[1]);
        assert_false(sim_run(sim, sim->now_us + 20 * MS, NULL));
        assert_true(sim_both_up(sim));
        assert_int_equal(sim->end[0].downs, round + 1);
        assert_string_equal(sim->end[0].last_down, "the other terminal was started again");
        sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
        assert_true(sim_run(sim, sim->now_us + 50 * MS, sim_all_acked));
    }
    sim_destroy(sim);
}

static void play(struct sim *sim, const struct sim_tape *tape, unsigned to)
{
    for (unsigned i = 0; i < tape->count; i++) {
        if (tape->frames[i].from != to)
            link_core_frame(sim->end[to].core, sim->now_us, tape->frames[i].bytes,
                            tape->frames[i].length);
        sim_pump(&sim->end[to]);
    }
}

/* All that was ever said in older connections, said again, changes nothing in a later one. */
static void test_old_frames_are_rejected(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    struct sim_tape *tape = calloc(1, sizeof *tape);
    (void)state;
    assert_non_null(tape);
    sim->tape = tape;
    assert_true(sim_run(sim, sim->now_us + S, sim_both_up));
    for (unsigned i = 0; i < 100; i++) {
        sim_send(&sim->end[i % 2], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + 2 * MS, NULL);
    }
    assert_true(sim_run(sim, sim->now_us + S, sim_all_acked));
    sim_restart(&sim->end[1]);
    sim_run(sim, sim->now_us + S, NULL);
    assert_true(sim_both_up(sim));
    sim->tape = NULL;
    assert_true(tape->count > 100);
    for (unsigned i = 0; i < 100; i++) {
        sim_send(&sim->end[i % 2], LINK_EXPRESS, SIM_RECORD);
        if (i % 10 == 0) {
            play(sim, tape, 0);
            play(sim, tape, 1);
        }
        sim_run(sim, sim->now_us + 5 * MS, NULL);
    }
    assert_true(sim_run(sim, sim->now_us + S, sim_all_acked));
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(sim->end[i].ups, 2);
        assert_int_equal(sim->end[i].downs, i == 0);
    }
    sim->tape = tape;
    sim_destroy(sim);
}

static void test_words_for_a_mirror(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    (void)state;
    memory_loop_back(sim->wire, 0, true);
    sim_run(sim, sim->now_us + S, NULL);
    assert_int_equal(link_core_state(sim->end[0].core), LINK_CONNECTING);
    assert_non_null(strstr(link_core_reason(sim->end[0].core), "looped back"));
    /* Put right, it goes on by itself. */
    memory_loop_back(sim->wire, 0, false);
    assert_true(sim_run(sim, sim->now_us + S, sim_both_up));
    /* A mirror in mid-connection gives nothing of it back as if it came from the other end. */
    memory_loop_back(sim->wire, 0, true);
    memory_mute(sim->wire, 1, true);
    sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
    sim_run(sim, sim->now_us + 5 * S, NULL);
    assert_int_equal(sim->end[0].reading, 0);
    assert_non_null(strstr(link_core_reason(sim->end[0].core), "looped back"));
    sim_destroy(sim);
}

static void test_words_for_the_same_role(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    (void)state;
    sim_end(&sim->end[1]);
    sim->end[1].role = LINK_JUDGE;
    sim_start(&sim->end[1]);
    sim_run(sim, sim->now_us + S, NULL);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(sim->end[i].ups, 0);
        assert_non_null(strstr(link_core_reason(sim->end[i].core), "both ends are judge"));
    }
    sim_end(&sim->end[1]);
    sim->end[1].role = LINK_ANY;
    sim_start(&sim->end[1]);
    assert_true(sim_run(sim, sim->now_us + S, sim_both_up));
    sim_destroy(sim);
}

static void test_words_for_another_speed(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    (void)state;
    memory_baud(sim->wire, 1, 57600);
    sim_run(sim, sim->now_us + 6 * S, NULL);
    assert_non_null(strstr(link_core_reason(sim->end[0].core), "another speed"));
    assert_non_null(strstr(link_core_reason(sim->end[0].core), "115200 baud"));
    memory_baud(sim->wire, 1, 115200);
    assert_true(sim_run(sim, sim->now_us + S, sim_both_up));
    sim_destroy(sim);
}

static void test_words_for_a_broken_wire(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    (void)state;
    memory_mute(sim->wire, 0, true);
    sim_run(sim, sim->now_us + 6 * S, NULL);
    assert_non_null(strstr(link_core_reason(sim->end[0].core), "does not hear this one"));
    assert_string_equal(link_core_reason(sim->end[1].core), "waiting for the other terminal");
    memory_mute(sim->wire, 0, false);
    assert_true(sim_run(sim, sim->now_us + S, sim_both_up));
    sim_destroy(sim);
}

/* A hello of another version says nothing of a line that is up. */
static void test_another_version_while_up(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        uint8_t frame[40] = {1, 'B', 'L', (uint8_t)(2 + i % 200), [8] = 7};
        size_t n = frame_seal(frame, 17, 0x424C3031u);
        link_core_frame(sim->end[i % 2].core, sim->now_us, frame, n);
        assert_string_equal(link_core_reason(sim->end[i % 2].core), "connected");
    }
    sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
    assert_true(sim_run(sim, sim->now_us + S, sim_all_acked));
    assert_int_equal(sim->end[0].downs + sim->end[1].downs, 0);
    sim_destroy(sim);
}

static void test_words_for_another_version(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    uint8_t hello[32] = {1, 'B', 'L', 9, 'w', 'h', 'o'};
    (void)state;
    memory_unplug(sim->wire, sim->now_us, true);
    size_t n = frame_seal(hello, 7, 0x424C3031u);
    link_core_frame(sim->end[0].core, sim->now_us, hello, n);
    assert_non_null(strstr(link_core_reason(sim->end[0].core), "version 9"));
    sim_destroy(sim);
}

/* Two ends that refuse each other's records: both say why, and leave the line alone for a while. */
static void test_refusals_back_off(void **state)
{
    static const struct {
        enum bl_status answer;
        const char *here, *there;
    } cases[] = {
        {BL_OTHER_VERSION, "of another version of boothlink: install the same on both",
         "the other terminal is of another version of boothlink: install the same on both"},
        {BL_FULL, "could not take what came: full", "look at its disk"},
        {BL_DATA, "could not take what came: wrong data", "its screen says why"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sim *sim = sim_create(115200, base_seed, NULL);
        uint64_t end_us = sim->now_us + 60 * (uint64_t)S;
        sim->end[1].answer = cases[i].answer;
        while (sim->now_us < end_us) {
            if (sim_both_up(sim))
                sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
            sim_run(sim, sim->now_us + MS, NULL);
            if (link_core_state(sim->end[1].core) == LINK_CONNECTING && sim->end[1].downs)
                assert_non_null(strstr(link_core_reason(sim->end[1].core), cases[i].here));
        }
        assert_in_range(sim->end[0].ups, 5, 12); /* after 1, 2, 4, 8, 8 ... seconds */
        assert_non_null(strstr(sim->end[1].last_down, cases[i].here));
        assert_non_null(strstr(sim->end[0].last_down, cases[i].there));
        /* What is mended works at once, and the next fault is not held against it. */
        sim->end[1].answer = BL_OK;
        assert_true(sim_run(sim, sim->now_us + 9 * (uint64_t)S, sim_both_up));
        sim_run(sim, sim->now_us + 11 * (uint64_t)S, NULL);
        sim->end[1].answer = BL_FULL;
        sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + 500 * MS, NULL);
        assert_false(sim_both_up(sim));
        sim->end[1].answer = BL_OK;
        assert_true(sim_run(sim, sim->now_us + S, sim_both_up));
        sim_destroy(sim);
    }
}

/* An end that only ever connects anew, as an older version does that takes no record of ours, gets
 * one connection a second. */
static void test_connections_are_few(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    uint64_t end_us = sim->now_us + 20 * (uint64_t)S;
    (void)state;
    while (sim->now_us < end_us) {
        if (sim_both_up(sim))
            sim_restart(&sim->end[1]);
        sim_run(sim, sim->now_us + MS, NULL);
    }
    assert_in_range(sim->end[0].ups, 10, 32);
    sim_run(sim, sim->now_us + 3 * (uint64_t)S, NULL);
    assert_true(sim_both_up(sim));
    sim_destroy(sim);
}

static void test_goodbye(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    (void)state;
    sim_run(sim, sim->now_us + 100 * MS, NULL);
    sim_send(&sim->end[1], LINK_EXPRESS, SIM_RECORD);
    while (!sim->end[0].got_since_up) { /* no acknowledgement is out: the goodbye has it */
        sim_pump(&sim->end[1]);
        sim->now_us += MS;
        memory_receive(sim->wire, 0, sim->now_us);
    }
    link_core_end(sim->end[0].core, true);
    sim_run(sim, sim->now_us + 50 * MS, NULL);
    assert_int_equal(sim->end[1].downs, 1);
    assert_int_equal(link_core_acked(sim->end[1].core), 1);
    assert_string_equal(sim->end[1].last_down, "the other terminal was closed");
    assert_int_equal(link_core_state(sim->end[1].core), LINK_CONNECTING);
    /* Nothing is told to one that has said goodbye. */
    assert_int_equal(sim->end[0].downs, 0);
    sim_destroy(sim);
}

/* A burst of noise over the goodbye: the other end need not find out by silence. */
static void test_a_goodbye_is_lost(void **state)
{
    (void)state;
    for (unsigned keyed = 0; keyed < 2; keyed++) {
        struct sim *sim =
            keyed ? sim_create_keyed(115200, base_seed, NULL) : sim_create(115200, base_seed, NULL);
        assert_true(sim_run(sim, sim->now_us + 10 * (uint64_t)S, sim_both_up));
        sim_run(sim, sim->now_us + 100 * MS, NULL);
        sim_send(&sim->end[1], LINK_EXPRESS, SIM_RECORD);
        link_core_end(sim->end[0].core, true);
        memory_unplug(sim->wire, sim->now_us, true);
        sim_run(sim, sim->now_us + 50 * MS, NULL);
        memory_unplug(sim->wire, sim->now_us, false);
        assert_int_equal(sim->end[1].downs, 0);
        sim_run(sim, sim->now_us + 100 * MS, NULL);
        assert_int_equal(sim->end[1].downs, 1);
        assert_string_equal(sim->end[1].last_down, "the other terminal was closed");
        assert_true(link_core_deadline(sim->end[0].core) == UINT64_MAX);
        sim_destroy(sim);
    }
}

static void test_the_medium_goes_and_comes(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    (void)state;
    link_core_medium(sim->end[0].core, sim->now_us, false, "the adapter is gone");
    assert_int_equal(link_core_state(sim->end[0].core), LINK_DOWN);
    assert_string_equal(link_core_reason(sim->end[0].core), "the adapter is gone");
    assert_true(link_core_deadline(sim->end[0].core) == UINT64_MAX);
    sim_run(sim, sim->now_us + 4 * S, NULL);
    link_core_medium(sim->end[0].core, sim->now_us, true, NULL);
    assert_true(sim_run(sim, sim->now_us + S, sim_both_up));
    sim_destroy(sim);
}

/* What a medium has to tell is the reason, also while the line is up, until it is old. */
static void test_words_of_the_medium(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    struct link_core *core = sim->end[0].core;
    (void)state;
    link_core_notice(core, sim->now_us, "a third end is kept out");
    assert_int_equal(link_core_state(core), LINK_UP);
    assert_string_equal(link_core_reason(core), "a third end is kept out");
    sim_run(sim, sim->now_us + 2900 * MS, NULL);
    assert_string_equal(link_core_reason(core), "a third end is kept out");
    sim_run(sim, sim->now_us + 200 * MS, NULL);
    assert_string_equal(link_core_reason(core), "connected");
    assert_int_equal(sim->end[0].downs, 0);

    link_core_medium(core, sim->now_us, false, "no carrier");
    link_core_notice(core, sim->now_us, "nobody hears this");
    assert_string_equal(link_core_reason(core), "no carrier");
    memory_unplug(sim->wire, sim->now_us, true);
    link_core_medium(core, sim->now_us, true, "waiting for the other terminal on eth0");
    assert_string_equal(link_core_reason(core), "waiting for the other terminal on eth0");
    link_core_notice(core, sim->now_us, "this is a third end");
    assert_string_equal(link_core_reason(core), "this is a third end");
    sim_run(sim, sim->now_us + 4 * S, NULL);
    assert_string_equal(link_core_reason(core), "waiting for the other terminal on eth0");
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comes_up_at_once),
        cmocka_unit_test(test_cable_out_and_in),
        cmocka_unit_test(test_restart_of_the_other_end),
        cmocka_unit_test(test_old_frames_are_rejected),
        cmocka_unit_test(test_words_for_a_mirror),
        cmocka_unit_test(test_words_for_the_same_role),
        cmocka_unit_test(test_words_for_another_speed),
        cmocka_unit_test(test_words_for_a_broken_wire),
        cmocka_unit_test(test_words_for_another_version),
        cmocka_unit_test(test_another_version_while_up),
        cmocka_unit_test(test_refusals_back_off),
        cmocka_unit_test(test_connections_are_few),
        cmocka_unit_test(test_goodbye),
        cmocka_unit_test(test_a_goodbye_is_lost),
        cmocka_unit_test(test_the_medium_goes_and_comes),
        cmocka_unit_test(test_words_of_the_medium),
    };
    base_seed = dice_seed("link_connect");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
