/* Records over a line in memory, in simulated time, with everything that a cable does. */
#include "link/frame.h"
#include "tests/support/link_sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t base_seed;

static void test_bytes_of_a_key(void **state)
{
    static const struct {
        size_t record, wire;
    } keys[] = {{6, 16}, {9, 19}};
    struct sim *sim = sim_up(115200, base_seed, NULL);
    struct link_stats stats;
    (void)state;
    sim_run(sim, sim->now_us + 100 * MS, NULL);
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t record[9] = {0};
        uint64_t before = memory_bytes(sim->wire, 0);
        /* The receiver's checks want a longer record: only the line matters here. */
        link_core_send(sim->end[0].core, LINK_EXPRESS, record, keys[i].record);
        sim_pump(&sim->end[0]);
        assert_int_equal(memory_bytes(sim->wire, 0) - before, keys[i].wire);
        memory_unplug(sim->wire, sim->now_us, true);
        sim_run(sim, sim->now_us + 5 * S, NULL);
        memory_unplug(sim->wire, sim->now_us, false);
        assert_true(sim_run(sim, sim->now_us + 5 * S, sim_both_up));
        sim_run(sim, sim->now_us + 100 * MS, NULL);
    }
    /* The acknowledgement of one that is not answered. */
    uint64_t before = memory_bytes(sim->wire, 1);
    sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
    assert_true(sim_run(sim, sim->now_us + 10 * MS, sim_all_acked));
    assert_int_equal(memory_bytes(sim->wire, 1) - before, 9);
    link_core_stats(sim->end[0].core, &stats);
    assert_int_equal(stats.connections, 3);
    sim_destroy(sim);
}

static uint64_t answered_us(struct sim *sim, unsigned from)
{
    uint64_t sent_us = sim->now_us;
    sim_send(&sim->end[from], LINK_EXPRESS, SIM_RECORD);
    assert_true(sim_run(sim, sim->now_us + 100 * MS, sim_all_acked));
    return sim->now_us - sent_us;
}

/* Where others hear it, an entity's answer tells nothing of how busy its machine is. */
static void test_an_entity_answers_by_chance(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    struct link_stats stats;
    uint64_t least_us = UINT64_MAX, most_us = 0;
    (void)state;
    sim->end[1].answer_us = 20 * MS;
    sim_restart(&sim->end[1]);
    assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
    sim_run(sim, sim->now_us + 100 * MS, NULL);
    for (unsigned i = 0; i < 100; i++) {
        uint64_t took_us = answered_us(sim, 0);
        least_us = took_us < least_us ? took_us : least_us;
        most_us = took_us > most_us ? took_us : most_us;
        assert_in_range(answered_us(sim, 1), 0, 4 * MS); /* the judge's end */
    }
    assert_in_range(least_us, 0, 5 * MS);
    assert_in_range(most_us, 16 * MS, 25 * MS);
    /* A key of its own does not wait, and takes the answer along. */
    for (unsigned i = 0; i < 100; i++) {
        sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + 2 * MS, NULL);
        assert_in_range(answered_us(sim, 1), 0, 4 * MS);
    }
    link_core_stats(sim->end[0].core, &stats);
    assert_int_equal(stats.resent, 0);
    sim_destroy(sim);
}

/* A record that is sent from within the callbacks carries the acknowledgement of what it answers.
 * */
static void test_an_echo_carries_the_ack(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    (void)state;
    sim_run(sim, sim->now_us + 100 * MS, NULL);
    sim->end[0].echo = true;
    unsigned before = sim->end[0].frames_out;
    sim_send(&sim->end[1], LINK_EXPRESS, SIM_RECORD);
    assert_true(sim_run(sim, sim->now_us + 20 * MS, sim_all_acked));
    sim_run(sim, sim->now_us + 20 * MS, NULL);
    assert_int_equal(sim->end[0].frames_out - before, 1);
    assert_int_equal(sim->end[1].got[1][LINK_EXPRESS], 1);
    sim_destroy(sim);
}

/* One random hour on a bad line, in short: returns how many records arrived. */
static uint64_t storm(uint64_t seed)
{
    struct memory_faults faults = {0};
    struct sim *sim = sim_create(115200, seed, NULL);
    uint64_t arrived = 0;
    bool hub = seed % 2;
    faults.bit_error = 1e-4 * (1 + sim_roll(sim) % 10);
    if (hub)
        faults = (struct memory_faults){faults.bit_error / 10, 0.02, 0.02, 0.05};
    memory_faults(sim->wire, &faults);
    /* Cores learn from the wire how far frames may overtake each other. */
    for (unsigned i = 0; i < 2; i++) {
        sim_restart(&sim->end[i]);
    }
    for (unsigned step = 0; step < 3000; step++)
        sim_storm_step(sim, &(struct sim_odds){.restart = 4, .keys = 700, .large = 720});
    memory_faults(sim->wire, &(struct memory_faults){0});
    sim_run(sim, sim->now_us + 5 * S, NULL);
    assert_true(sim_run(sim, sim->now_us + 20 * S, sim_all_acked));
    for (unsigned i = 0; i < 2; i++) {
        struct sim_end *end = &sim->end[i];
        struct link_stats stats;
        link_core_stats(end->core, &stats);
        assert_int_equal(link_core_sent(end->core), end->sent[LINK_EXPRESS]);
        assert_int_equal(sim_other(end)->got[end->epoch][LINK_EXPRESS], end->sent[LINK_EXPRESS]);
        assert_int_equal(sim_other(end)->got[end->epoch][LINK_BULK], end->sent[LINK_BULK]);
        for (unsigned epoch = 0; epoch < SIM_EPOCHS; epoch++)
            arrived += end->got[epoch][0] + end->got[epoch][1];
    }
    sim_destroy(sim);
    return arrived;
}

static void test_storms(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        uint64_t arrived = storm(base_seed + i);
        if (arrived < 200)
            fail_msg("seed %llu: only %llu records arrived", (unsigned long long)(base_seed + i),
                     (unsigned long long)arrived);
    }
}

static bool some_lost(struct sim *sim)
{
    struct link_stats stats;
    link_core_stats(sim->end[0].core, &stats);
    return stats.resent > 0;
}

static void test_a_lost_frame_goes_again_at_once(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    struct link_stats stats;
    uint64_t start_us;
    (void)state;
    sim_run(sim, sim->now_us + 500 * MS, NULL);
    start_us = sim->now_us;
    memory_mute(sim->wire, 0, true);
    sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
    sim_pump(&sim->end[0]);
    memory_mute(sim->wire, 0, false);
    sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
    assert_true(sim_run(sim, sim->now_us + 10 * MS, some_lost));
    assert_true(sim_run(sim, start_us + 15 * MS, sim_all_acked));
    link_core_stats(sim->end[0].core, &stats);
    assert_int_equal(stats.resent, 1);
    /* The last one has nothing behind it that could show its loss: the timer does. */
    start_us = sim->now_us;
    memory_mute(sim->wire, 0, true);
    sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
    sim_pump(&sim->end[0]);
    memory_mute(sim->wire, 0, false);
    assert_true(sim_run(sim, start_us + 100 * MS, sim_all_acked));
    assert_true(sim->now_us - start_us > 70 * MS);
    sim_destroy(sim);
}

/* Out and in again within the 3 s is the same connection, and a full window comes over quickly. */
static void test_a_short_unplugging(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    (void)state;
    memory_unplug(sim->wire, sim->now_us, true);
    for (unsigned i = 0; i < 100; i++) {
        sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + 20 * MS, NULL);
    }
    memory_unplug(sim->wire, sim->now_us, false);
    assert_true(sim_run(sim, sim->now_us + 1500 * MS, sim_all_acked));
    assert_int_equal(sim->end[1].got[1][LINK_EXPRESS], 100);
    assert_int_equal(sim->end[0].ups, 1);
    sim_destroy(sim);
}

static void test_express_goes_before_bulk(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    uint64_t start_us;
    (void)state;
    while (sim->end[0].sent[LINK_BULK] < 15)
        sim_send(&sim->end[0], LINK_BULK, LINK_RECORD_MAX);
    sim_run(sim, sim->now_us + 50 * MS, NULL);
    start_us = sim->now_us;
    sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
    assert_true(sim_run(sim, sim->now_us + 60 * MS, sim_all_acked));
    /* It waits for one frame of 20 ms and 4 ms more at most, then goes itself. */
    assert_true(sim->end[1].last_got_us - start_us < 27 * MS);
    assert_true(sim->end[1].got[1][LINK_BULK] < 15);
    sim_destroy(sim);
}

/* A digest with its seal, 33 bytes, on a slow line: wherever in it a key comes, a frame as long as
 * a key's is before it at most, and the 4 ms by which the system is given a frame ahead. */
static void test_a_key_passes_a_digest(void **state)
{
    enum { DIGEST = 33, KEY_BYTES = 19, BYTE_US = 1042 };
    uint64_t most = 0;
    (void)state;
    for (unsigned wait = 0; wait < 120; wait++) {
        struct sim *sim = sim_up(9600, base_seed, NULL);
        uint64_t sent_us, before;
        sim_run(sim, sim->now_us + 300 * MS, NULL);
        sim_send(&sim->end[0], LINK_BULK, DIGEST);
        sim_run(sim, sim->now_us + wait * MS, NULL);
        sent_us = sim->now_us;
        sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
        assert_true(sim_run(sim, sim->now_us + S, sim_all_acked));
        before = (sim->end[1].last_got_us - sent_us) / BYTE_US;
        before = before > KEY_BYTES ? before - KEY_BYTES : 0;
        most = before > most ? before : most;
        sim_run(sim, sim->now_us + S, NULL);
        assert_int_equal(sim->end[1].got[1][LINK_BULK], 1);
        sim_destroy(sim);
    }
    assert_in_range(most, 1, KEY_BYTES + 4);
}

static void test_the_line_is_used(void **state)
{
    static const struct {
        uint32_t baud;
        size_t record;
        unsigned percent;
        enum link_class class;
    } cases[] = {{115200, 1024, 90, LINK_BULK},
                 {115200, 200, 90, LINK_BULK},
                 {921600, 1024, 90, LINK_BULK},
                 {9600, 100, 78, LINK_EXPRESS}};
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct sim *sim = sim_up(cases[i].baud, base_seed, NULL);
        uint64_t start_us = sim->now_us;
        uint64_t line = cases[i].baud / 10 * 5;
        while (sim->now_us - start_us < 5 * S) {
            for (unsigned end = 0; end < 2; end++)
                for (unsigned n = 0; n < 40; n++)
                    sim_send(&sim->end[end], cases[i].class, cases[i].record);
            sim_run(sim, sim->now_us + 50 * MS, NULL);
        }
        for (unsigned end = 0; end < 2; end++) {
            uint64_t payload = sim->end[end].got[1][cases[i].class] * cases[i].record;
            if (payload * 100 < line * cases[i].percent)
                fail_msg("%u baud: %llu of %llu bytes", cases[i].baud, (unsigned long long)payload,
                         (unsigned long long)line);
        }
        sim_destroy(sim);
    }
}

static void test_room_and_progress(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    uint8_t record[LINK_RECORD_MAX] = {0};
    unsigned taken = 0;
    (void)state;
    assert_int_equal(link_core_send(sim->end[0].core, LINK_BULK, record, 0), BL_USAGE);
    assert_int_equal(link_core_send(sim->end[0].core, LINK_BULK, record, LINK_RECORD_MAX + 1),
                     BL_USAGE);
    do {
        taken = sim->end[0].sent[LINK_BULK];
        sim_send(&sim->end[0], LINK_BULK, LINK_RECORD_MAX);
    } while (sim->end[0].sent[LINK_BULK] > taken);
    assert_in_range(taken, 10, 64);
    assert_int_equal(link_core_send(sim->end[0].core, LINK_BULK, record, LINK_RECORD_MAX),
                     BL_AGAIN);
    assert_int_equal(sim->end[0].progress, 0);
    sim_run(sim, sim->now_us + 500 * MS, NULL);
    assert_true(sim->end[0].progress > 0);
    sim_destroy(sim);
}

static void test_idle(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    unsigned frames[2], wakeups[2];
    (void)state;
    sim_run(sim, sim->now_us + 3 * S, NULL);
    for (unsigned i = 0; i < 2; i++) {
        frames[i] = sim->end[i].frames_out;
        wakeups[i] = sim->end[i].wakeups;
    }
    sim_run(sim, sim->now_us + 60 * S, NULL);
    for (unsigned i = 0; i < 2; i++) {
        assert_in_range(sim->end[i].frames_out - frames[i], 45, 60);
        assert_in_range(sim->end[i].wakeups - wakeups[i], 45, 125);
        assert_int_equal(sim->end[i].ups, 1);
    }
    sim_destroy(sim);
}

static void test_what_cannot_be_kept_is_not_acknowledged(void **state)
{
    struct sim *sim = sim_up(115200, base_seed, NULL);
    (void)state;
    sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
    assert_true(sim_run(sim, sim->now_us + S, sim_all_acked));
    sim->end[1].answer = BL_FULL;
    uint64_t acked = link_core_acked(sim->end[0].core);
    sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
    sim_run(sim, sim->now_us + 3 * MS, NULL);
    assert_int_equal(link_core_acked(sim->end[0].core), acked);
    assert_int_equal(sim->end[1].downs, 1);
    assert_non_null(strstr(sim->end[1].last_down, "full"));
    sim->end[1].answer = BL_OK;
    sim_run(sim, sim->now_us + 900 * MS, NULL);
    assert_false(sim_both_up(sim)); /* not at once: it would be full again */
    assert_non_null(strstr(sim->end[0].last_down, "look at its disk"));
    sim_run(sim, sim->now_us + 200 * MS, NULL);
    assert_true(sim_both_up(sim));
    assert_int_equal(sim->end[0].epoch, 2);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_of_a_key),
        cmocka_unit_test(test_an_entity_answers_by_chance),
        cmocka_unit_test(test_an_echo_carries_the_ack),
        cmocka_unit_test(test_storms),
        cmocka_unit_test(test_a_lost_frame_goes_again_at_once),
        cmocka_unit_test(test_a_short_unplugging),
        cmocka_unit_test(test_express_goes_before_bulk),
        cmocka_unit_test(test_a_key_passes_a_digest),
        cmocka_unit_test(test_the_line_is_used),
        cmocka_unit_test(test_room_and_progress),
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_what_cannot_be_kept_is_not_acknowledged),
    };
    base_seed = dice_seed("link_core");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
