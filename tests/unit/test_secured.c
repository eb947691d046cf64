/* Lines with a secret, in simulated time: what a bad line, a restart and an attacker do to them. */
#include "link/secured_frame.h"
#include "tests/support/link_sim.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t base_seed;

static struct sim *keyed_up(uint32_t baud, const struct memory_faults *faults)
{
    struct sim *sim = sim_create_keyed(baud, base_seed, faults);
    assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
    return sim;
}

/* A frame of this kind is the last that was put on the wire, by this end. */
static bool is_last(const struct sim *sim, unsigned from, uint8_t kind)
{
    const struct sim_tape *tape = sim->tape;
    return tape->count && tape->frames[tape->count - 1].from == from &&
           tape->frames[tape->count - 1].bytes[0] == kind;
}

static struct sim_tape *new_tape(struct sim *sim)
{
    sim->tape = calloc(1, sizeof *sim->tape);
    assert_non_null(sim->tape);
    return sim->tape;
}

/* An attacker puts a frame on the wire, past the end that it seems to come from. */
static void inject(struct sim *sim, unsigned from, const uint8_t *frame, size_t length)
{
    struct sim_end *to = &sim->end[1 - from];
    to->layer->ops->frame(to->layer, to->core, sim->now_us, frame, length);
}

static void reads(struct sim_end *end, const char *text)
{
    if (!strstr(link_core_reason(end->core), text))
        fail_msg("\"%s\" is not in \"%s\"", text, link_core_reason(end->core));
}

static void test_comes_up_and_carries(void **state)
{
    static const uint32_t bauds[] = {9600, 115200, 921600, 0};
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct sim *sim = sim_create_keyed(bauds[i], base_seed, NULL);
        assert_true(sim_run(sim, sim->now_us + (i ? 300 * MS : 900 * MS), sim_both_up));
        for (unsigned j = 0; j < 50; j++) {
            sim_send(&sim->end[j % 2], LINK_EXPRESS, SIM_RECORD + j);
            sim_send(&sim->end[j % 2], LINK_BULK, LINK_RECORD_MAX);
        }
        assert_true(sim_run(sim, sim->now_us + 120 * S, sim_all_acked));
        assert_int_equal(sim->end[0].ups + sim->end[1].ups, 2);
        assert_int_equal(secured_sessions(sim->end[0].layer), 1);
        sim_destroy(sim);
    }
}

/* No frame of a line with a secret holds what was typed, and all are of one length: the keys, the
 * acknowledgements and what goes when nobody types. */
static void test_frames_tell_nothing(void **state)
{
    struct sim *sim = keyed_up(115200, NULL);
    struct sim_tape *tape;
    unsigned frames = 0;
    (void)state;
    sim_run(sim, sim->now_us + 100 * MS, NULL);
    tape = new_tape(sim);
    for (unsigned i = 0; i < 1000; i++) {
        const uint8_t record[5] = {0, 1}; /* as sim_send begins one: class, connection */
        tape->count = 0;
        sim_send(&sim->end[i % 2], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + 10 * MS + sim_roll(sim) % (i % 100 ? MS : 2 * S), NULL);
        assert_true(tape->count >= 1);
        for (unsigned j = 0; j < tape->count; j++, frames++) {
            assert_int_equal(tape->frames[j].length, 24 + SECURE_HEAD + SECURE_TAG);
            assert_null(memmem(tape->frames[j].bytes + 4, tape->frames[j].length - 4, record, 5));
        }
    }
    assert_true(frames >= 2000);
    assert_true(sim_run(sim, sim->now_us + S, sim_all_acked));
    sim_destroy(sim);
}

/* A random while on a bad line. */
static uint64_t storm(uint64_t seed)
{
    struct sim *sim = sim_create_keyed(115200, seed, NULL);
    struct memory_faults faults = {.bit_error = 1e-4 * (double)(sim_roll(sim) % 5)};
    uint64_t arrived = 0;
    if (seed % 2)
        faults = (struct memory_faults){0, 0.1, 0.05, 0.1};
    memory_faults(sim->wire, &faults);
    for (unsigned step = 0; step < 2000; step++)
        sim_storm_step(sim, &(struct sim_odds){.restart = 5, .keys = 900, .large = 900});
    memory_faults(sim->wire, &(struct memory_faults){0});
    sim_run(sim, sim->now_us + 5 * S, NULL);
    assert_true(sim_run(sim, sim->now_us + 20 * S, sim_all_acked));
    for (unsigned i = 0; i < 2; i++)
        for (unsigned epoch = 0; epoch < SIM_EPOCHS; epoch++)
            arrived += sim->end[i].got[epoch][0] + sim->end[i].got[epoch][1];
    sim_destroy(sim);
    return arrived;
}

static void test_storms(void **state)
{
    unsigned storms = getenv("SOAK") ? 500 : 12;
    (void)state;
    for (unsigned i = 0; i < storms; i++) {
        print_message("# storm SEED=%llu\n", (unsigned long long)(base_seed + i));
        assert_true(storm(base_seed + i) > 1000);
    }
}

static void test_restarts_of_each_end(void **state)
{
    struct sim *sim = keyed_up(115200, NULL);
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct sim_end *end = &sim->end[i];
        sim_run(sim, sim->now_us + 2 * S, NULL);
        sim_restart(end);
        assert_true(sim_run(sim, sim->now_us + S, sim_both_up));
        sim_run(sim, sim->now_us + 50 * MS,
                NULL); /* the other end may learn of it a little later */
        assert_string_equal(sim_other(end)->last_down, "the other terminal was started again");
        sim_send(end, LINK_EXPRESS, SIM_RECORD);
        sim_send(sim_other(end), LINK_EXPRESS, SIM_RECORD);
        assert_true(sim_run(sim, sim->now_us + 100 * MS, sim_all_acked));
    }
    sim_destroy(sim);
}

/* A connection outlives the keys that it began with. */
static void test_keys_change_below_a_connection(void **state)
{
    struct sim *sim = keyed_up(115200, &(struct memory_faults){.lose = 0.01});
    uint64_t hour_us = sim->now_us + 3660ull * S;
    (void)state;
    while (sim->now_us < hour_us) {
        sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + 700 * MS, NULL);
    }
    assert_true(sim_run(sim, sim->now_us + S, sim_all_acked));
    assert_true(secured_sessions(sim->end[0].layer) >= 2);
    assert_int_equal(secured_sessions(sim->end[0].layer), secured_sessions(sim->end[1].layer));
    assert_int_equal(sim->end[0].ups, 1);
    assert_int_equal(sim->end[0].downs, 0);
    sim_destroy(sim);
}

/* The handshake that follows goes wrong at every one of its frames: the session lives on. */
static void test_the_old_session_lives_until_the_next_one(void **state)
{
    (void)state;
    for (uint8_t kind = KIND_KNOCK; kind <= KIND_HAND2; kind++) {
        struct sim *sim = keyed_up(115200, NULL);
        struct sim_tape *tape = new_tape(sim);
        sim_run(sim, sim->now_us + 2 * S, NULL);
        /* A restart that the attacker lets begin its handshake, and no more, every 10 ms. */
        for (unsigned i = 0; i < tape->count; i++)
            if (tape->frames[i].bytes[0] == kind)
                for (unsigned j = 0; j < 100; j++)
                    inject(sim, tape->frames[i].from, tape->frames[i].bytes,
                           tape->frames[i].length);
        sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
        sim_send(&sim->end[1], LINK_EXPRESS, SIM_RECORD);
        assert_true(sim_run(sim, sim->now_us + 100 * MS, sim_all_acked));
        sim_run(sim, sim->now_us + 5 * S, NULL);
        assert_int_equal(sim->end[0].ups + sim->end[1].ups, 2);
        assert_int_equal(sim->end[0].downs + sim->end[1].downs, 0);
        sim_destroy(sim);
    }
}

/* Whether a layer's memory, to its guard page, has the secret key of this public one. */
static bool has_secret_of(const struct layer *layer, const uint8_t public_key[SECURE_KEY])
{
    const uint8_t *from = (const uint8_t *)layer, *end = NULL;
    unsigned long first, last;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    assert_non_null(maps);
    while (!end && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx rw", &first, &last) == 2 && first <= (unsigned long)from &&
            (unsigned long)from < last)
            end = (const uint8_t *)last;
    fclose(maps);
    assert_true(end && end - from > FRAME_MAX && end - from < 65536);
    for (; from + SECURE_KEY <= end; from++) {
        uint8_t of[SECURE_KEY];
        crypto_scalarmult_base(of, from);
        if (memcmp(of, public_key, SECURE_KEY) == 0)
            return true;
    }
    return false;
}

static bool hand1_is_out(struct sim *sim)
{
    return is_last(sim, 0, KIND_HAND1);
}

static bool hand2_is_out(struct sim *sim)
{
    return is_last(sim, 1, KIND_HAND2);
}

static bool session_is_tried(struct sim *sim)
{
    return is_last(sim, 0, KIND_DATA_JUDGE);
}

/* The secrets of a handshake are gone as soon as the keys are made of them, before anything has
 * shown that the other end has them too: who takes the machine then reads nothing that was said. */
static void test_handshake_secrets_are_wiped(void **state)
{
    struct sim *sim = sim_create_keyed(115200, base_seed, NULL);
    const struct sim_tape *tape = new_tape(sim);
    uint8_t judge[SECURE_KEY], entity[SECURE_KEY];
    (void)state;
    assert_true(sim_run(sim, sim->now_us + 10 * S, hand1_is_out));
    memcpy(judge, tape->frames[tape->count - 1].bytes + 1, SECURE_KEY);
    assert_true(has_secret_of(sim->end[0].layer, judge));
    assert_true(sim_run(sim, sim->now_us + 10 * S, hand2_is_out));
    memcpy(entity, tape->frames[tape->count - 1].bytes + 1, SECURE_KEY);
    assert_false(has_secret_of(sim->end[1].layer, entity));
    assert_true(has_secret_of(sim->end[0].layer, judge));
    assert_true(sim_run(sim, sim->now_us + 10 * S, session_is_tried));
    assert_int_equal(secured_sessions(sim->end[0].layer), 0);
    assert_false(has_secret_of(sim->end[0].layer, judge));
    assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
    assert_int_equal(secured_sessions(sim->end[0].layer), 1);
    sim_destroy(sim);
    /* Nor does one that came to nothing leave any. */
    sim = sim_create_keyed(115200, base_seed, NULL);
    tape = new_tape(sim);
    assert_true(sim_run(sim, sim->now_us + 10 * S, hand1_is_out));
    memcpy(judge, tape->frames[tape->count - 1].bytes + 1, SECURE_KEY);
    memory_unplug(sim->wire, sim->now_us, true);
    sim_run(sim, sim->now_us + 2 * S, NULL);
    assert_false(has_secret_of(sim->end[0].layer, judge));
    sim_destroy(sim);
}

/* A stranger of another version says nothing of a line that is up. */
static void test_another_version_while_up(void **state)
{
    struct sim *sim = keyed_up(115200, NULL);
    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        uint8_t call[] = {(uint8_t)(KIND_KNOCK + i % 3), 2, [CALL_LENGTH - 1] = 0};
        call[1] = (uint8_t)(2 + i % 200);
        inject(sim, i % 2, call, sizeof call);
        assert_string_equal(link_core_reason(sim->end[1 - i % 2].core), "connected");
    }
    sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
    assert_true(sim_run(sim, sim->now_us + S, sim_all_acked));
    assert_int_equal(sim->end[0].downs + sim->end[1].downs, 0);
    sim_destroy(sim);
}

static void test_words_for_wrong_keys(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct sim *sim = sim_create_keyed(115200, base_seed, NULL);
        sim_end(&sim->end[1]);
        if (i == 0)
            sim->end[1].secret[31] ^= 1;
        else if (i == 1)
            sim->end[1].line = "booth 4";
        else
            sim->end[1].keyed = false;
        sim_start(&sim->end[1]);
        sim_run(sim, sim->now_us + 20 * S, NULL);
        assert_int_equal(sim->end[0].ups + sim->end[1].ups, 0);
        if (i < 2) {
            reads(&sim->end[0], "the other terminal has another secret");
            reads(&sim->end[1], "the other terminal has another secret");
        } else {
            reads(&sim->end[0],
                  "this terminal has a secret for the line and the other one has none");
            reads(&sim->end[1],
                  "the other terminal has a secret for this line and this one has none");
        }
        sim_end(&sim->end[1]);
        sim->end[1].keyed = true;
        sim->end[1].line = sim->end[0].line;
        memcpy(sim->end[1].secret, sim->end[0].secret, SECURE_KEY);
        sim_start(&sim->end[1]);
        assert_true(sim_run(sim, sim->now_us + S, sim_both_up));
        sim_destroy(sim);
    }
}

static void test_words_for_roles_and_mirrors(void **state)
{
    static const enum link_role roles[] = {LINK_JUDGE, LINK_ENTITY};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct sim *sim = sim_create_keyed(115200, base_seed, NULL);
        for (unsigned j = 0; j < 2; j++) {
            sim->end[j].role = roles[i];
            sim_restart(&sim->end[j]);
        }
        sim_run(sim, sim->now_us + 2 * S, NULL);
        for (unsigned j = 0; j < 2; j++)
            reads(&sim->end[j], i ? "both ends are entity terminals" : "both ends are judge");
        memory_loop_back(sim->wire, 0, true);
        memory_loop_back(sim->wire, 1, true);
        sim_run(sim, sim->now_us + 5 * S, NULL);
        for (unsigned j = 0; j < 2; j++)
            reads(&sim->end[j], "the line is looped back");
        sim_destroy(sim);
    }
}

/* Two byte pipes have no roles: one of them begins, whichever it is, also after restarts. */
static void test_ends_without_roles(void **state)
{
    struct sim *sim = sim_create_keyed(115200, base_seed, NULL);
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        sim->end[0].role = sim->end[1].role = LINK_ANY;
        sim_restart(&sim->end[i % 2]);
        if (i == 0)
            sim_restart(&sim->end[1]);
        assert_true(sim_run(sim, sim->now_us + 3 * S, sim_both_up));
        sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
        assert_true(sim_run(sim, sim->now_us + 3 * S, sim_all_acked));
        sim_run(sim, sim->now_us + sim_roll(sim) % (2 * S), NULL);
    }
    sim_destroy(sim);
}

/* What was recorded, of this connection and of older ones, in any order and at any time, to either
 * end: nothing of it is accepted, as the ends' books show, and nothing comes down. */
static void test_replay_and_reflection(void **state)
{
    struct sim *sim = keyed_up(115200, NULL);
    struct sim_tape *tape = new_tape(sim), old;
    (void)state;
    for (unsigned i = 0; i < 60; i++) {
        sim_send(&sim->end[i % 2], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + 20 * MS, NULL);
    }
    sim_restart(&sim->end[1]);
    assert_true(sim_run(sim, sim->now_us + S, sim_both_up));
    for (unsigned i = 0; i < 60; i++) {
        sim_send(&sim->end[i % 2], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + 20 * MS, NULL);
    }
    old = *tape;
    unsigned ups = sim->end[0].ups + sim->end[1].ups;
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < old.count; i++) {
            unsigned which = sim_roll(sim) % old.count;
            inject(sim, sim_roll(sim) % 2, old.frames[which].bytes, old.frames[which].length);
            if (i % 8 == 0)
                sim_run(sim, sim->now_us + 5 * MS, NULL);
        }
        sim_send(&sim->end[round % 2], LINK_EXPRESS, SIM_RECORD);
    }
    assert_true(sim_run(sim, sim->now_us + 2 * S, sim_all_acked));
    assert_int_equal(sim->end[0].ups + sim->end[1].ups, ups);
    /* With the true other end gone, a whole recorded conversation brings nothing up. */
    sim_restart(&sim->end[0]);
    memory_unplug(sim->wire, sim->now_us, true);
    for (unsigned i = 0; i < old.count; i++) {
        inject(sim, 1, old.frames[i].bytes, old.frames[i].length);
        sim_run(sim, sim->now_us + 5 * MS, NULL);
    }
    assert_int_not_equal(link_core_state(sim->end[0].core), LINK_UP);
    memory_unplug(sim->wire, sim->now_us, false);
    assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
    sim_destroy(sim);
}

/* The other end has fallen silent, and what it said last is said again and again: the line is down
 * as soon as it would be without. */
static void test_replays_keep_nothing_up(void **state)
{
    struct sim *sim = keyed_up(115200, NULL);
    const struct sim_tape *tape = new_tape(sim);
    (void)state;
    for (unsigned i = 0; i < 60; i++) {
        sim_send(&sim->end[i % 2], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + 20 * MS, NULL);
    }
    unsigned count = tape->count;
    memory_mute(sim->wire, 1, true);
    for (unsigned i = 0; i < 200; i++) {
        for (unsigned j = 0; j < count; j++)
            if (tape->frames[j].from == 1)
                inject(sim, 1, tape->frames[j].bytes, tape->frames[j].length);
        sim_run(sim, sim->now_us + 50 * MS, NULL);
    }
    assert_int_not_equal(link_core_state(sim->end[0].core), LINK_UP);
    assert_int_equal(sim->end[0].downs, 1);
    memory_mute(sim->wire, 1, false);
    assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
    sim_destroy(sim);
}

/* Junk and cut, long and spoilt real frames at the rate of the wire, while the line works and while
 * it comes up: it is up within 2 s of the end of the attack. */
/* A first message with a key of zeros, when none has been answered: it is not the same again. */
static void test_hand_of_zeros(void **state)
{
    struct sim *sim = sim_create_keyed(115200, base_seed, NULL);
    uint8_t hand[57] = {0x44}, out[FRAME_MAX];
    struct sim_end *entity = &sim->end[1];
    (void)state;
    assert_true(sim_run(sim, sim->now_us + 3 * (uint64_t)S, sim_both_up));
    sim_run(sim, sim->now_us + S, NULL);
    while (entity->layer->ops->output(entity->layer, entity->core, sim->now_us, out) > 0)
        ;
    entity->layer->ops->frame(entity->layer, entity->core, sim->now_us, hand, sizeof hand);
    assert_int_equal(entity->layer->ops->output(entity->layer, entity->core, sim->now_us, out), 0);
    sim_destroy(sim);
}

static void test_flood(void **state)
{
    (void)state;
    for (unsigned up = 0; up < 2; up++) {
        struct sim *sim = up ? keyed_up(115200, NULL) : sim_create_keyed(115200, base_seed, NULL);
        struct sim_tape *tape = new_tape(sim);
        unsigned rounds = getenv("SOAK") ? 1000000 : 10000;
        for (unsigned i = 0; i < rounds; i++) {
            uint8_t frame[FRAME_MAX];
            size_t length = 1 + sim_roll(sim) % (i % 8 ? 90 : FRAME_MAX);
            for (size_t j = 0; j < length; j++)
                frame[j] = (uint8_t)sim_roll(sim);
            if (i % 2 && tape->count) {
                unsigned which = sim_roll(sim) % tape->count;
                length = tape->frames[which].length;
                memcpy(frame, tape->frames[which].bytes, length);
                if (i % 4 == 1)
                    frame[sim_roll(sim) % length] ^= (uint8_t)(1u << sim_roll(sim) % 8);
                else if (i % 8 == 3)
                    length = 1 + sim_roll(sim) % length;
            } else if (i % 3) {
                frame[0] = (uint8_t)(KIND_KNOCK + sim_roll(sim) % 8);
            }
            inject(sim, i / 2 % 2, frame, length);
            if (i % 10 == 0)
                sim_run(sim, sim->now_us + 10 * MS, NULL);
            if (tape->count == 512)
                tape->count = 0;
        }
        if (up)
            assert_int_equal(sim->end[0].downs + sim->end[1].downs, 0);
        assert_true(sim_run(sim, sim->now_us + 2 * S, sim_both_up));
        sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
        assert_true(sim_run(sim, sim->now_us + 2 * S, sim_all_acked));
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comes_up_and_carries),
        cmocka_unit_test(test_frames_tell_nothing),
        cmocka_unit_test(test_storms),
        cmocka_unit_test(test_restarts_of_each_end),
        cmocka_unit_test(test_keys_change_below_a_connection),
        cmocka_unit_test(test_the_old_session_lives_until_the_next_one),
        cmocka_unit_test(test_handshake_secrets_are_wiped),
        cmocka_unit_test(test_another_version_while_up),
        cmocka_unit_test(test_words_for_wrong_keys),
        cmocka_unit_test(test_words_for_roles_and_mirrors),
        cmocka_unit_test(test_ends_without_roles),
        cmocka_unit_test(test_replay_and_reflection),
        cmocka_unit_test(test_replays_keep_nothing_up),
        cmocka_unit_test(test_hand_of_zeros),
        cmocka_unit_test(test_flood),
    };
    base_seed = dice_seed("secured");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
