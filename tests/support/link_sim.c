#include "tests/support/link_sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

uint32_t sim_roll(struct sim *sim)
{
    return (uint32_t)dice_next(&sim->dice);
}

static uint32_t random_u32(void *ctx)
{
    return sim_roll(((struct sim_end *)ctx)->sim);
}

static uint64_t wall_us(void *ctx)
{
    const struct sim_end *end = ctx;
    return end->sim->now_us;
}

static void random_bytes(void *ctx, uint8_t *out, size_t length)
{
    for (size_t i = 0; i < length; i++)
        out[i] = (uint8_t)random_u32(ctx);
}

struct sim_end *sim_other(struct sim_end *end)
{
    return &end->sim->end[1 - end->index];
}

void sim_send(struct sim_end *end, enum link_class class, size_t length)
{
    uint8_t record[LINK_RECORD_MAX];
    if (length < SIM_RECORD)
        length = SIM_RECORD;
    memset(record, (int)length, length);
    record[0] = (uint8_t) class;
    memcpy(record + 1, &end->epoch, 4);
    memcpy(record + 5, &end->sent[class], 4);
    if (link_core_send(end->core, class, record, length) == BL_OK)
        end->sent[class]++;
}

static void on_state(void *ctx, enum link_state state, const char *reason)
{
    struct sim_end *end = ctx;
    assert_true(strlen(reason) > 0 && strlen(reason) < LINK_REASON_MAX - 1);
    assert_int_equal(link_core_state(end->core), state);
    if (state == LINK_UP) {
        end->ups++;
        end->epoch++;
        assert_true(end->epoch < SIM_EPOCHS);
        end->sent[0] = end->sent[1] = 0;
        end->got_since_up = 0;
        assert_int_equal(link_core_sent(end->core), 0);
        assert_int_equal(link_core_acked(end->core), 0);
    } else if (state == LINK_DOWN) {
        end->downs++;
        snprintf(end->last_down, sizeof end->last_down, "%s", reason);
        /* What was acknowledged has arrived, whatever became of the rest. */
        assert_true(link_core_acked(end->core) <= link_core_sent(end->core));
        assert_true(link_core_acked(end->core) <= sim_other(end)->got[end->epoch][LINK_EXPRESS]);
    }
}

static enum bl_status on_record(void *ctx, const uint8_t *record, size_t length)
{
    struct sim_end *end = ctx;
    uint32_t epoch, number;
    unsigned class = record[0];
    if (end->answer != BL_OK)
        return end->answer;
    assert_true(length >= SIM_RECORD && class < 2);
    for (size_t i = SIM_RECORD; i < length; i++)
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
        sim_send(end, LINK_EXPRESS, length);
    return BL_OK;
}

static void on_progress(void *ctx)
{
    struct sim_end *end = ctx;
    end->progress++;
}

static const struct link_callbacks callbacks = {
    .state = on_state, .record = on_record, .progress = on_progress};

static bool on_frame(void *ctx, const uint8_t *frame, size_t length, size_t wire)
{
    struct sim_end *end = ctx;
    assert_true(wire <= FRAME_STUFFED(length));
    return end->layer->ops->frame(end->layer, end->core, end->sim->now_us, frame, length);
}

static bool on_early(void *ctx, const uint8_t *frame, size_t length, size_t wire)
{
    struct sim_end *end = ctx;
    assert_true(wire <= FRAME_STUFFED(length));
    return end->layer->ops->early(end->layer, end->core, end->sim->now_us, frame, length);
}

static void on_garbage(void *ctx, size_t bytes)
{
    struct sim_end *end = ctx;
    link_core_garbage(end->core, end->sim->now_us, bytes);
}

static void on_idle(void *ctx)
{
    (void)ctx;
}

void sim_pump(struct sim_end *end)
{
    struct sim *sim = end->sim;
    struct link_wire wire;
    uint8_t frame[FRAME_MAX];
    memory_describe(sim->wire, end->index, &wire);
    while (memory_ready(sim->wire, end->index, sim->now_us)) {
        size_t n = end->layer->ops->output(end->layer, end->core, sim->now_us, frame);
        if (n == 0)
            return;
        assert_true(n <= wire.frame_max);
        end->frames_out++;
        if (sim->listener)
            sim->listener(sim->listener_ctx, end->index, frame, n);
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

bool sim_run(struct sim *sim, uint64_t until_us, bool (*until)(struct sim *sim))
{
    for (;;) {
        uint64_t next_us = until_us;
        for (unsigned i = 0; i < 2; i++)
            sim_pump(&sim->end[i]);
        if (until && until(sim))
            return true;
        for (unsigned i = 0; i < 2; i++) {
            uint64_t ready_us = memory_ready_us(sim->wire, i);
            if (ready_us > sim->now_us)
                next_us = earlier(next_us, ready_us);
            next_us = earlier(next_us, memory_next_us(sim->wire, i));
            next_us = earlier(
                next_us, sim->end[i].layer->ops->deadline(sim->end[i].layer, sim->end[i].core));
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
            if (sim->end[i].layer->ops->deadline(sim->end[i].layer, sim->end[i].core) <= next_us) {
                sim->end[i].layer->ops->tick(sim->end[i].layer, sim->end[i].core, next_us);
                sim->end[i].wakeups++;
                /* A tick that changes nothing would be called for ever. */
                sim_pump(&sim->end[i]);
                if (memory_ready(sim->wire, i, next_us))
                    assert_true(sim->end[i].layer->ops->deadline(sim->end[i].layer,
                                                                 sim->end[i].core) > next_us);
            }
        }
    }
}

void sim_start(struct sim_end *end)
{
    struct link_wire wire;
    memory_describe(end->sim->wire, end->index, &wire);
    wire.answer_us = end->answer_us;
    end->layer = layer_plain();
    if (end->keyed) {
        const struct secured_config config = {.role = end->role,
                                              .secret = end->secret,
                                              .line = end->line,
                                              .referee = end->referee,
                                              .frame_max = wire.frame_max,
                                              .random = random_bytes,
                                              .wall_us = wall_us,
                                              .ctx = end};
        end->layer = secured_create(&config);
        assert_non_null(end->layer);
    }
    end->layer->ops->wire(end->layer, &wire);
    end->core = link_core_create(end->role, &wire, random_u32, &callbacks, end);
    assert_non_null(end->core);
    end->layer->ops->medium(end->layer, end->core, end->sim->now_us, true, NULL);
}

void sim_end(struct sim_end *end)
{
    link_core_destroy(end->core);
    layer_destroy(end->layer);
    end->core = NULL;
    end->layer = NULL;
}

void sim_restart(struct sim_end *end)
{
    sim_end(end);
    sim_start(end);
}

struct sim *sim_create(uint32_t baud, uint64_t seed, const struct memory_faults *faults)
{
    static const struct medium_callbacks events = {
        .frame = on_frame, .early = on_early, .garbage = on_garbage, .idle = on_idle};
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
        sim->end[i].line = "";
        sim->end[i].role = i ? LINK_ENTITY : LINK_JUDGE;
        memory_listen(sim->wire, i, &events, &sim->end[i]);
    }
    for (unsigned i = 0; i < 2; i++)
        sim_start(&sim->end[i]);
    return sim;
}

struct sim *sim_create_keyed(uint32_t baud, uint64_t seed, const struct memory_faults *faults)
{
    struct sim *sim = sim_create(baud, seed, faults);
    for (unsigned i = 0; i < 2; i++) {
        struct sim_end *end = &sim->end[i];
        end->keyed = true;
        end->line = "booth 3";
        memset(end->secret, 0x5A, sizeof end->secret);
        sim_restart(end);
    }
    return sim;
}

void sim_destroy(struct sim *sim)
{
    for (unsigned i = 0; i < 2; i++)
        sim_end(&sim->end[i]);
    memory_destroy(sim->wire);
    free(sim->tape);
    free(sim);
}

void sim_storm_step(struct sim *sim, const struct sim_odds *odds)
{
    struct sim_end *end = &sim->end[sim_roll(sim) % 2];
    uint32_t what = sim_roll(sim) % 1000;
    if (what < 2) {
        memory_unplug(sim->wire, sim->now_us, true);
        sim_run(sim, sim->now_us + 100 * MS + sim_roll(sim) % (5 * S), NULL);
        memory_unplug(sim->wire, sim->now_us, false);
    } else if (what < odds->restart) {
        sim_restart(end);
    } else if (what < odds->keys) {
        for (unsigned i = sim_roll(sim) % 4; i < 4; i++)
            sim_send(end, LINK_EXPRESS, sim_roll(sim) % 20);
    } else if (what < odds->large) {
        sim_send(end, LINK_EXPRESS, sim_roll(sim) % LINK_RECORD_MAX + 1);
    } else {
        sim_send(end, LINK_BULK, sim_roll(sim) % LINK_RECORD_MAX + 1);
    }
    sim_run(sim, sim->now_us + sim_roll(sim) % (10 * MS), NULL);
}

bool sim_both_up(struct sim *sim)
{
    return link_core_state(sim->end[0].core) == LINK_UP &&
           link_core_state(sim->end[1].core) == LINK_UP;
}

bool sim_all_acked(struct sim *sim)
{
    for (unsigned i = 0; i < 2; i++)
        if (link_core_acked(sim->end[i].core) != link_core_sent(sim->end[i].core))
            return false;
    return sim_both_up(sim);
}

struct sim *sim_up(uint32_t baud, uint64_t seed, const struct memory_faults *faults)
{
    struct sim *sim = sim_create(baud, seed, faults);
    assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
    return sim;
}
