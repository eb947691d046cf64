/* The protocol over a line in memory, in simulated time, with everything that a cable does. */
#include "link/core.h"
#include "link/frame.h"
#include "link/memory.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { EPOCHS = 4096, HEAD = 9 };

#define MS 1000u
#define S  1000000u

struct sim;

struct end {
    struct sim *sim;
    unsigned index;
    struct link_core *core;
    enum link_role role;
    /* As a sender: connections so far, and records sent in this one by class. */
    uint32_t epoch;
    uint32_t sent[2];
    /* As a receiver: the sender's connection that is being read, and what came of each. */
    uint32_t reading;
    uint32_t got[EPOCHS][2];
    uint32_t got_since_up;
    enum bl_status answer; /* to the next records */
    bool echo;             /* answer each record from within its callback */
    unsigned frames_out, wakeups;
    unsigned progress, ups, downs;
    char last_down[LINK_REASON_MAX];
    uint64_t last_got_us;
};

/* Frames that went by, to be played again. */
struct tape {
    struct {
        uint8_t bytes[FRAME_MAX];
        size_t length;
        unsigned from;
    } frames[512];
    unsigned count;
};

struct sim {
    struct memory_wire *wire;
    struct end end[2];
    struct tape *tape;
    uint64_t now_us;
    struct dice dice;
};

static uint64_t base_seed;

static uint32_t roll(struct sim *sim)
{
    return (uint32_t)dice_next(&sim->dice);
}

static uint32_t random_u32(void *ctx)
{
    return roll(((struct end *)ctx)->sim);
}

static struct end *other(struct end *end)
{
    return &end->sim->end[1 - end->index];
}

static void send_record(struct end *end, enum link_class class, size_t length)
{
    uint8_t record[LINK_RECORD_MAX];
    if (length < HEAD)
        length = HEAD;
    memset(record, (int)length, length);
    record[0] = (uint8_t) class;
    memcpy(record + 1, &end->epoch, 4);
    memcpy(record + 5, &end->sent[class], 4);
    if (link_core_send(end->core, class, record, length) == BL_OK)
        end->sent[class]++;
}

static void on_state(void *ctx, enum link_state state, const char *reason)
{
    struct end *end = ctx;
    assert_true(strlen(reason) > 0 && strlen(reason) < LINK_REASON_MAX - 1);
    assert_int_equal(link_core_state(end->core), state);
    if (state == LINK_UP) {
        end->ups++;
        end->epoch++;
        assert_true(end->epoch < EPOCHS);
        end->sent[0] = end->sent[1] = 0;
        end->got_since_up = 0;
        assert_int_equal(link_core_sent(end->core), 0);
        assert_int_equal(link_core_acked(end->core), 0);
    } else if (state == LINK_DOWN) {
        end->downs++;
        snprintf(end->last_down, sizeof end->last_down, "%s", reason);
        /* What was acknowledged has arrived, whatever became of the rest. */
        assert_true(link_core_acked(end->core) <= link_core_sent(end->core));
        assert_true(link_core_acked(end->core) <= other(end)->got[end->epoch][LINK_EXPRESS]);
    }
}

static enum bl_status on_record(void *ctx, const uint8_t *record, size_t length)
{
    struct end *end = ctx;
    uint32_t epoch, number;
    unsigned class = record[0];
    if (end->answer != BL_OK)
        return end->answer;
    assert_true(length >= HEAD && class < 2);
    for (size_t i = HEAD; i < length; i++)
        assert_int_equal(record[i], (uint8_t)length);
    memcpy(&epoch, record + 1, 4);
    memcpy(&number, record + 5, 4);
    /* Within one of our connections all comes from one of theirs, and none comes in two of ours. */
    if (end->got_since_up++ == 0)
        assert_true(epoch > end->reading);
    else
        assert_int_equal(epoch, end->reading);
    end->reading = epoch;
    assert_int_equal(number, end->got[epoch][class]);
    end->got[epoch][class]++;
    end->last_got_us = end->sim->now_us;
    if (end->echo)
        send_record(end, LINK_EXPRESS, length);
    return BL_OK;
}

static void on_progress(void *ctx)
{
    struct end *end = ctx;
    end->progress++;
}

static const struct link_handler handler = {on_state, on_record, on_progress};

static void on_frame(void *ctx, const uint8_t *frame, size_t length, size_t wire)
{
    struct end *end = ctx;
    assert_true(wire <= FRAME_STUFFED(length));
    link_core_frame(end->core, end->sim->now_us, frame, length);
}

static void on_garbage(void *ctx, size_t bytes)
{
    struct end *end = ctx;
    link_core_garbage(end->core, end->sim->now_us, bytes);
}

static void on_idle(void *ctx)
{
    (void)ctx;
}

static void pump(struct end *end)
{
    struct sim *sim = end->sim;
    struct link_wire wire;
    uint8_t frame[FRAME_MAX];
    memory_describe(sim->wire, end->index, &wire);
    while (memory_ready(sim->wire, end->index, sim->now_us)) {
        size_t n = link_core_output(end->core, sim->now_us, frame);
        if (n == 0)
            return;
        assert_true(n <= wire.frame_max);
        end->frames_out++;
        if (sim->tape && sim->tape->count < 512) {
            memcpy(sim->tape->frames[sim->tape->count].bytes, frame, n);
            sim->tape->frames[sim->tape->count].length = n;
            sim->tape->frames[sim->tape->count++].from = end->index;
        }
        memory_send(sim->wire, end->index, sim->now_us, frame, n);
    }
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Runs until the time; returns early when `until` (may be NULL) says so. */
static bool run(struct sim *sim, uint64_t until_us, bool (*until)(struct sim *sim))
{
    for (;;) {
        uint64_t next_us = until_us;
        for (unsigned i = 0; i < 2; i++)
            pump(&sim->end[i]);
        if (until && until(sim))
            return true;
        for (unsigned i = 0; i < 2; i++) {
            uint64_t ready_us = memory_ready_us(sim->wire, i);
            if (ready_us > sim->now_us)
                next_us = earlier(next_us, ready_us);
            next_us = earlier(next_us, memory_next_us(sim->wire, i));
            next_us = earlier(next_us, link_core_deadline(sim->end[i].core));
        }
        if (next_us < sim->now_us)
            next_us = sim->now_us;
        sim->now_us = next_us;
        if (next_us >= until_us)
            return false;
        for (unsigned i = 0; i < 2; i++) {
            if (memory_next_us(sim->wire, i) <= next_us) {
                memory_receive(sim->wire, i, next_us);
                sim->end[i].wakeups++;
            }
            if (link_core_deadline(sim->end[i].core) <= next_us) {
                link_core_tick(sim->end[i].core, next_us);
                sim->end[i].wakeups++;
                /* A tick that changes nothing would be called for ever. */
                pump(&sim->end[i]);
                if (memory_ready(sim->wire, i, next_us))
                    assert_true(link_core_deadline(sim->end[i].core) > next_us);
            }
        }
    }
}

static void start_end(struct end *end)
{
    struct link_wire wire;
    memory_describe(end->sim->wire, end->index, &wire);
    end->core = link_core_create(end->role, &wire, random_u32, &handler, end);
    assert_non_null(end->core);
    link_core_medium(end->core, end->sim->now_us, true, NULL);
}

static struct sim *sim_create(uint32_t baud, uint64_t seed, const struct memory_faults *faults)
{
    static const struct medium_events events = {
        .frame = on_frame, .garbage = on_garbage, .idle = on_idle};
    struct sim *sim = calloc(1, sizeof *sim);
    assert_non_null(sim);
    sim->dice = dice_make(seed);
    sim->now_us = 1000;
    sim->wire = memory_create(baud, seed);
    assert_non_null(sim->wire);
    if (faults)
        memory_faults(sim->wire, faults);
    for (unsigned i = 0; i < 2; i++) {
        sim->end[i].sim = sim;
        sim->end[i].index = i;
        sim->end[i].role = i ? LINK_ENTITY : LINK_JUDGE;
        memory_listen(sim->wire, i, &events, &sim->end[i]);
    }
    for (unsigned i = 0; i < 2; i++)
        start_end(&sim->end[i]);
    return sim;
}

static void sim_destroy(struct sim *sim)
{
    for (unsigned i = 0; i < 2; i++)
        link_core_destroy(sim->end[i].core);
    memory_destroy(sim->wire);
    free(sim->tape);
    free(sim);
}

static bool both_up(struct sim *sim)
{
    return link_core_state(sim->end[0].core) == LINK_UP &&
           link_core_state(sim->end[1].core) == LINK_UP;
}

static bool all_acked(struct sim *sim)
{
    for (unsigned i = 0; i < 2; i++)
        if (link_core_acked(sim->end[i].core) != link_core_sent(sim->end[i].core))
            return false;
    return both_up(sim);
}

static struct sim *sim_up(uint32_t baud, const struct memory_faults *faults)
{
    struct sim *sim = sim_create(baud, base_seed, faults);
    assert_true(run(sim, sim->now_us + 10 * S, both_up));
    return sim;
}

static void test_comes_up_at_once(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    (void)state;
    assert_true(run(sim, 20 * MS, both_up));
    assert_string_equal(link_core_reason(sim->end[0].core), "connected");
    sim_destroy(sim);
}

static void test_bytes_of_a_key(void **state)
{
    static const struct {
        size_t record, wire;
    } keys[] = {{6, 16}, {9, 19}};
    struct sim *sim = sim_up(115200, NULL);
    struct link_stats stats;
    (void)state;
    run(sim, sim->now_us + 100 * MS, NULL);
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t record[9] = {0};
        uint64_t before[2] = {memory_bytes(sim->wire, 0), memory_bytes(sim->wire, 1)};
        sim->end[1].answer = BL_OK;
        /* The receiver's checks want a longer record: only the line matters here. */
        link_core_send(sim->end[0].core, LINK_EXPRESS, record, keys[i].record);
        pump(&sim->end[0]);
        assert_int_equal(memory_bytes(sim->wire, 0) - before[0], keys[i].wire);
        memory_unplug(sim->wire, sim->now_us, true);
        run(sim, sim->now_us + 5 * S, NULL);
        memory_unplug(sim->wire, sim->now_us, false);
        assert_true(run(sim, sim->now_us + 5 * S, both_up));
        run(sim, sim->now_us + 100 * MS, NULL);
    }
    /* The acknowledgement of one that is not answered. */
    uint64_t before = memory_bytes(sim->wire, 1);
    send_record(&sim->end[0], LINK_EXPRESS, HEAD);
    assert_true(run(sim, sim->now_us + 10 * MS, all_acked));
    assert_int_equal(memory_bytes(sim->wire, 1) - before, 9);
    link_core_stats(sim->end[0].core, &stats);
    assert_int_equal(stats.connections, 3);
    sim_destroy(sim);
}

/* A record that is sent from within the handler carries the acknowledgement of what it answers. */
static void test_an_echo_carries_the_ack(void **state)
{
    struct sim *sim = sim_up(115200, NULL);
    (void)state;
    run(sim, sim->now_us + 100 * MS, NULL);
    sim->end[0].echo = true;
    unsigned before = sim->end[0].frames_out;
    send_record(&sim->end[1], LINK_EXPRESS, HEAD);
    assert_true(run(sim, sim->now_us + 20 * MS, all_acked));
    run(sim, sim->now_us + 20 * MS, NULL);
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
    faults.bit_error = 1e-4 * (1 + roll(sim) % 10);
    if (hub)
        faults = (struct memory_faults){faults.bit_error / 10, 0.02, 0.02, 0.05};
    memory_faults(sim->wire, &faults);
    /* Cores learn from the wire how far frames may overtake each other. */
    for (unsigned i = 0; i < 2; i++) {
        link_core_destroy(sim->end[i].core);
        start_end(&sim->end[i]);
    }
    for (unsigned step = 0; step < 3000; step++) {
        struct end *end = &sim->end[roll(sim) % 2];
        uint32_t what = roll(sim) % 1000;
        if (what < 2) {
            memory_unplug(sim->wire, sim->now_us, true);
            run(sim, sim->now_us + 100 * MS + roll(sim) % (5 * S), NULL);
            memory_unplug(sim->wire, sim->now_us, false);
        } else if (what < 4) {
            end->downs++;
            link_core_destroy(end->core);
            start_end(end);
        } else if (what < 700) {
            for (unsigned i = roll(sim) % 4; i < 4; i++)
                send_record(end, LINK_EXPRESS, roll(sim) % 20);
        } else if (what < 720) {
            send_record(end, LINK_EXPRESS, roll(sim) % LINK_RECORD_MAX + 1);
        } else {
            send_record(end, LINK_BULK, roll(sim) % LINK_RECORD_MAX + 1);
        }
        run(sim, sim->now_us + roll(sim) % (10 * MS), NULL);
    }
    memory_faults(sim->wire, &(struct memory_faults){0});
    run(sim, sim->now_us + 5 * S, NULL);
    assert_true(run(sim, sim->now_us + 20 * S, all_acked));
    for (unsigned i = 0; i < 2; i++) {
        struct end *end = &sim->end[i];
        struct link_stats stats;
        link_core_stats(end->core, &stats);
        assert_int_equal(link_core_sent(end->core), end->sent[LINK_EXPRESS]);
        assert_int_equal(other(end)->got[end->epoch][LINK_EXPRESS], end->sent[LINK_EXPRESS]);
        assert_int_equal(other(end)->got[end->epoch][LINK_BULK], end->sent[LINK_BULK]);
        for (unsigned epoch = 0; epoch < EPOCHS; epoch++)
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
    struct sim *sim = sim_up(115200, NULL);
    struct link_stats stats;
    uint64_t start_us;
    (void)state;
    run(sim, sim->now_us + 500 * MS, NULL);
    start_us = sim->now_us;
    memory_mute(sim->wire, 0, true);
    send_record(&sim->end[0], LINK_EXPRESS, HEAD);
    pump(&sim->end[0]);
    memory_mute(sim->wire, 0, false);
    send_record(&sim->end[0], LINK_EXPRESS, HEAD);
    assert_true(run(sim, sim->now_us + 10 * MS, some_lost));
    assert_true(run(sim, start_us + 15 * MS, all_acked));
    link_core_stats(sim->end[0].core, &stats);
    assert_int_equal(stats.resent, 1);
    /* The last one has nothing behind it that could show its loss: the timer does. */
    start_us = sim->now_us;
    memory_mute(sim->wire, 0, true);
    send_record(&sim->end[0], LINK_EXPRESS, HEAD);
    pump(&sim->end[0]);
    memory_mute(sim->wire, 0, false);
    assert_true(run(sim, start_us + 100 * MS, all_acked));
    assert_true(sim->now_us - start_us > 70 * MS);
    sim_destroy(sim);
}

/* Out and in again within the 3 s is the same connection, and a full window comes over quickly. */
static void test_a_short_unplugging(void **state)
{
    struct sim *sim = sim_up(115200, NULL);
    (void)state;
    memory_unplug(sim->wire, sim->now_us, true);
    for (unsigned i = 0; i < 100; i++) {
        send_record(&sim->end[0], LINK_EXPRESS, HEAD);
        run(sim, sim->now_us + 20 * MS, NULL);
    }
    memory_unplug(sim->wire, sim->now_us, false);
    assert_true(run(sim, sim->now_us + 1500 * MS, all_acked));
    assert_int_equal(sim->end[1].got[1][LINK_EXPRESS], 100);
    assert_int_equal(sim->end[0].ups, 1);
    sim_destroy(sim);
}

static void test_express_goes_before_bulk(void **state)
{
    struct sim *sim = sim_up(115200, NULL);
    uint64_t start_us;
    (void)state;
    while (sim->end[0].sent[LINK_BULK] < 15)
        send_record(&sim->end[0], LINK_BULK, LINK_RECORD_MAX);
    run(sim, sim->now_us + 50 * MS, NULL);
    start_us = sim->now_us;
    send_record(&sim->end[0], LINK_EXPRESS, HEAD);
    assert_true(run(sim, sim->now_us + 60 * MS, all_acked));
    /* It waits for one frame of 20 ms and 4 ms more at most, then goes itself. */
    assert_true(sim->end[1].last_got_us - start_us < 27 * MS);
    assert_true(sim->end[1].got[1][LINK_BULK] < 15);
    sim_destroy(sim);
}

static void test_the_line_is_used(void **state)
{
    static const struct {
        uint32_t baud;
        size_t record;
        unsigned percent;
    } cases[] = {{115200, 1024, 90}, {115200, 200, 90}, {921600, 1024, 90}, {9600, 100, 78}};
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct sim *sim = sim_up(cases[i].baud, NULL);
        uint64_t start_us = sim->now_us;
        uint64_t line = cases[i].baud / 10 * 5;
        while (sim->now_us - start_us < 5 * S) {
            for (unsigned end = 0; end < 2; end++)
                for (unsigned n = 0; n < 40; n++)
                    send_record(&sim->end[end], LINK_BULK, cases[i].record);
            run(sim, sim->now_us + 50 * MS, NULL);
        }
        for (unsigned end = 0; end < 2; end++) {
            uint64_t payload = sim->end[end].got[1][LINK_BULK] * cases[i].record;
            if (payload * 100 < line * cases[i].percent)
                fail_msg("%u baud: %llu of %llu bytes", cases[i].baud, (unsigned long long)payload,
                         (unsigned long long)line);
        }
        sim_destroy(sim);
    }
}

static void test_room_and_progress(void **state)
{
    struct sim *sim = sim_up(115200, NULL);
    uint8_t record[LINK_RECORD_MAX] = {0};
    unsigned taken = 0;
    (void)state;
    assert_int_equal(link_core_send(sim->end[0].core, LINK_BULK, record, 0), BL_USAGE);
    assert_int_equal(link_core_send(sim->end[0].core, LINK_BULK, record, LINK_RECORD_MAX + 1),
                     BL_USAGE);
    do {
        taken = sim->end[0].sent[LINK_BULK];
        send_record(&sim->end[0], LINK_BULK, LINK_RECORD_MAX);
    } while (sim->end[0].sent[LINK_BULK] > taken);
    assert_in_range(taken, 10, 64);
    assert_int_equal(link_core_send(sim->end[0].core, LINK_BULK, record, LINK_RECORD_MAX),
                     BL_AGAIN);
    assert_int_equal(sim->end[0].progress, 0);
    run(sim, sim->now_us + 500 * MS, NULL);
    assert_true(sim->end[0].progress > 0);
    sim_destroy(sim);
}

static void test_idle(void **state)
{
    struct sim *sim = sim_up(115200, NULL);
    unsigned frames[2], wakeups[2];
    (void)state;
    run(sim, sim->now_us + 3 * S, NULL);
    for (unsigned i = 0; i < 2; i++) {
        frames[i] = sim->end[i].frames_out;
        wakeups[i] = sim->end[i].wakeups;
    }
    run(sim, sim->now_us + 60 * S, NULL);
    for (unsigned i = 0; i < 2; i++) {
        assert_in_range(sim->end[i].frames_out - frames[i], 45, 60);
        assert_in_range(sim->end[i].wakeups - wakeups[i], 45, 125);
        assert_int_equal(sim->end[i].ups, 1);
    }
    sim_destroy(sim);
}

static void test_cable_out_and_in(void **state)
{
    struct sim *sim = sim_up(115200, NULL);
    (void)state;
    memory_unplug(sim->wire, sim->now_us, true);
    run(sim, sim->now_us + 4 * S, NULL);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(link_core_state(sim->end[i].core), LINK_CONNECTING);
        assert_non_null(strstr(link_core_reason(sim->end[i].core), "nothing heard for 3 s"));
        assert_int_equal(link_core_send(sim->end[i].core, LINK_EXPRESS, (const uint8_t *)"x", 1),
                         BL_DOWN);
    }
    memory_unplug(sim->wire, sim->now_us, false);
    assert_true(run(sim, sim->now_us + 500 * MS, both_up));
    sim_destroy(sim);
}

static void test_restart_of_the_other_end(void **state)
{
    struct sim *sim = sim_up(115200, NULL);
    (void)state;
    for (unsigned round = 0; round < 5; round++) {
        send_record(&sim->end[0], LINK_EXPRESS, HEAD);
        run(sim, sim->now_us + 50 * MS, NULL);
        link_core_destroy(sim->end[1].core);
        start_end(&sim->end[1]);
        assert_false(run(sim, sim->now_us + 20 * MS, NULL));
        assert_true(both_up(sim));
        assert_int_equal(sim->end[0].downs, round + 1);
        assert_string_equal(sim->end[0].last_down, "the other terminal was started again");
        send_record(&sim->end[0], LINK_EXPRESS, HEAD);
        assert_true(run(sim, sim->now_us + 50 * MS, all_acked));
    }
    sim_destroy(sim);
}

static void play(struct sim *sim, const struct tape *tape, unsigned to)
{
    for (unsigned i = 0; i < tape->count; i++) {
        if (tape->frames[i].from != to)
            link_core_frame(sim->end[to].core, sim->now_us, tape->frames[i].bytes,
                            tape->frames[i].length);
        pump(&sim->end[to]);
    }
}

/* All that was ever said in older connections, said again, changes nothing in a later one. */
static void test_old_frames_are_rejected(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    struct tape *tape = calloc(1, sizeof *tape);
    (void)state;
    assert_non_null(tape);
    sim->tape = tape;
    assert_true(run(sim, sim->now_us + S, both_up));
    for (unsigned i = 0; i < 100; i++) {
        send_record(&sim->end[i % 2], LINK_EXPRESS, HEAD);
        run(sim, sim->now_us + 2 * MS, NULL);
    }
    assert_true(run(sim, sim->now_us + S, all_acked));
    link_core_destroy(sim->end[1].core);
    start_end(&sim->end[1]);
    run(sim, sim->now_us + S, NULL);
    assert_true(both_up(sim));
    sim->tape = NULL;
    assert_true(tape->count > 100);
    for (unsigned i = 0; i < 100; i++) {
        send_record(&sim->end[i % 2], LINK_EXPRESS, HEAD);
        if (i % 10 == 0) {
            play(sim, tape, 0);
            play(sim, tape, 1);
        }
        run(sim, sim->now_us + 5 * MS, NULL);
    }
    assert_true(run(sim, sim->now_us + S, all_acked));
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
    run(sim, sim->now_us + S, NULL);
    assert_int_equal(link_core_state(sim->end[0].core), LINK_CONNECTING);
    assert_non_null(strstr(link_core_reason(sim->end[0].core), "looped back"));
    /* Put right, it goes on by itself. */
    memory_loop_back(sim->wire, 0, false);
    assert_true(run(sim, sim->now_us + S, both_up));
    /* A mirror in mid-connection gives nothing of it back as if it came from the other end. */
    memory_loop_back(sim->wire, 0, true);
    memory_mute(sim->wire, 1, true);
    send_record(&sim->end[0], LINK_EXPRESS, HEAD);
    run(sim, sim->now_us + 5 * S, NULL);
    assert_int_equal(sim->end[0].reading, 0);
    assert_non_null(strstr(link_core_reason(sim->end[0].core), "looped back"));
    sim_destroy(sim);
}

static void test_words_for_the_same_role(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    (void)state;
    link_core_destroy(sim->end[1].core);
    sim->end[1].role = LINK_JUDGE;
    start_end(&sim->end[1]);
    run(sim, sim->now_us + S, NULL);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(sim->end[i].ups, 0);
        assert_non_null(strstr(link_core_reason(sim->end[i].core), "both ends are judge"));
    }
    link_core_destroy(sim->end[1].core);
    sim->end[1].role = LINK_ANY;
    start_end(&sim->end[1]);
    assert_true(run(sim, sim->now_us + S, both_up));
    sim_destroy(sim);
}

static void test_words_for_another_speed(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    (void)state;
    memory_baud(sim->wire, 1, 57600);
    run(sim, sim->now_us + 6 * S, NULL);
    assert_non_null(strstr(link_core_reason(sim->end[0].core), "another speed"));
    assert_non_null(strstr(link_core_reason(sim->end[0].core), "115200 baud"));
    memory_baud(sim->wire, 1, 115200);
    assert_true(run(sim, sim->now_us + S, both_up));
    sim_destroy(sim);
}

static void test_words_for_a_broken_wire(void **state)
{
    struct sim *sim = sim_create(115200, base_seed, NULL);
    (void)state;
    memory_mute(sim->wire, 0, true);
    run(sim, sim->now_us + 6 * S, NULL);
    assert_non_null(strstr(link_core_reason(sim->end[0].core), "does not hear this one"));
    assert_string_equal(link_core_reason(sim->end[1].core), "waiting for the other terminal");
    memory_mute(sim->wire, 0, false);
    assert_true(run(sim, sim->now_us + S, both_up));
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

static void test_goodbye(void **state)
{
    struct sim *sim = sim_up(115200, NULL);
    (void)state;
    run(sim, sim->now_us + 100 * MS, NULL);
    link_core_goodbye(sim->end[0].core);
    run(sim, sim->now_us + 50 * MS, NULL);
    assert_int_equal(sim->end[1].downs, 1);
    assert_string_equal(sim->end[1].last_down, "the other terminal was closed");
    assert_int_equal(link_core_state(sim->end[1].core), LINK_CONNECTING);
    /* Nothing is told to one that has said goodbye. */
    assert_int_equal(sim->end[0].downs, 0);
    sim_destroy(sim);
}

static void test_what_cannot_be_kept_is_not_acknowledged(void **state)
{
    struct sim *sim = sim_up(115200, NULL);
    (void)state;
    send_record(&sim->end[0], LINK_EXPRESS, HEAD);
    assert_true(run(sim, sim->now_us + S, all_acked));
    sim->end[1].answer = BL_FULL;
    uint64_t acked = link_core_acked(sim->end[0].core);
    send_record(&sim->end[0], LINK_EXPRESS, HEAD);
    run(sim, sim->now_us + 3 * MS, NULL);
    assert_int_equal(link_core_acked(sim->end[0].core), acked);
    assert_int_equal(sim->end[1].downs, 1);
    assert_non_null(strstr(sim->end[1].last_down, "full"));
    sim->end[1].answer = BL_OK;
    run(sim, sim->now_us + 100 * MS, NULL);
    assert_true(both_up(sim));
    assert_int_equal(sim->end[0].epoch, 2);
    sim_destroy(sim);
}

static void test_the_medium_goes_and_comes(void **state)
{
    struct sim *sim = sim_up(115200, NULL);
    (void)state;
    link_core_medium(sim->end[0].core, sim->now_us, false, "the adapter is gone");
    assert_int_equal(link_core_state(sim->end[0].core), LINK_DOWN);
    assert_string_equal(link_core_reason(sim->end[0].core), "the adapter is gone");
    assert_true(link_core_deadline(sim->end[0].core) == UINT64_MAX);
    run(sim, sim->now_us + 4 * S, NULL);
    link_core_medium(sim->end[0].core, sim->now_us, true, NULL);
    assert_true(run(sim, sim->now_us + S, both_up));
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comes_up_at_once),
        cmocka_unit_test(test_bytes_of_a_key),
        cmocka_unit_test(test_an_echo_carries_the_ack),
        cmocka_unit_test(test_a_lost_frame_goes_again_at_once),
        cmocka_unit_test(test_a_short_unplugging),
        cmocka_unit_test(test_express_goes_before_bulk),
        cmocka_unit_test(test_the_line_is_used),
        cmocka_unit_test(test_room_and_progress),
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_cable_out_and_in),
        cmocka_unit_test(test_restart_of_the_other_end),
        cmocka_unit_test(test_old_frames_are_rejected),
        cmocka_unit_test(test_words_for_a_mirror),
        cmocka_unit_test(test_words_for_the_same_role),
        cmocka_unit_test(test_words_for_another_speed),
        cmocka_unit_test(test_words_for_a_broken_wire),
        cmocka_unit_test(test_words_for_another_version),
        cmocka_unit_test(test_goodbye),
        cmocka_unit_test(test_what_cannot_be_kept_is_not_acknowledged),
        cmocka_unit_test(test_the_medium_goes_and_comes),
        cmocka_unit_test(test_storms),
    };
    base_seed = dice_seed("link_core");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
