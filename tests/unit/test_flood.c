/* A line with a key on a hub full of strangers, in simulated time at the most that a wire of
 * 100 Mb/s carries: it stays up, what is said finds its way, and next to nothing goes on record.
 * The same for what an entity's own end may ask of the judge's as often as it likes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "booth/line_notes.h"
#include "journal/journal.h"
#include "link/layer.h"
#include "session/judge_end.h"
#include "tests/support/link_sim.h"

#define FRAMES_A_SECOND 148800u
#define SECONDS         10u
#define BYTES_A_SECOND  1024u

/* A record that only counts its bytes. */
struct record {
    uint64_t bytes, notes;
};

static enum bl_status keep(void *ctx, const struct journal_record *kept)
{
    struct record *record = ctx;
    uint8_t bytes[JOURNAL_RECORD_MAX];
    size_t length = journal_encode(kept, bytes);
    assert_true(length > 0);
    record->bytes += length;
    record->notes += kept->kind == JOURNAL_NOTE;
    return BL_OK;
}

static void note(void *ctx, uint32_t count, const char *text)
{
    struct journal_record record = {.kind = JOURNAL_NOTE,
                                    .wall_us = 1795000000000000u,
                                    .as.note = {.code = NOTE_LINE, .count = count, .text = text}};
    keep(ctx, &record);
}

/* What a stranger without the key can make: frames of every kind and version, with any MAC, as long
 * as those kinds are and not, and what looks like the protocol without a key. */
static size_t forge(struct dice *dice, uint8_t out[FRAME_MAX])
{
    static const uint8_t lengths[] = {34, 57, 57, 41, 9, 60, 17};
    size_t length = lengths[dice_below(dice, sizeof lengths)];
    for (size_t i = 0; i < length; i += 8) {
        uint64_t random = dice_next(dice);
        memcpy(out + i, &random, length - i < 8 ? length - i : 8);
    }
    out[0] = (uint8_t)(0x41 + dice_below(dice, 8));
    if (dice_below(dice, 2))
        out[1] = 1; /* the version that there is; or any */
    if (dice_below(dice, 8) == 0)
        memcpy(out, "\1BL\1", 4);
    return length;
}

static void test_strangers_on_a_hub(void **state)
{
    struct dice dice = dice_make(dice_seed("strangers"));
    struct sim *sim = sim_create_keyed(0, 7, NULL);
    struct record record[2] = {{0}, {0}};
    struct line_notes notes[2] = {{note, &record[0], false, "", {0}},
                                  {note, &record[1], false, "", {0}}};
    char said[2][LINK_REASON_MAX] = {"", ""};
    uint64_t frames = 0, changes = 0;
    (void)state;
    assert_true(sim_run(sim, sim->now_us + 3 * (uint64_t)S, sim_both_up));
    uint64_t from_us = sim->now_us;
    for (unsigned ms = 0; ms < SECONDS * 1000; ms++) {
        uint64_t due = (uint64_t)(ms + 1) * FRAMES_A_SECOND / 1000;
        for (; frames < due; frames++) {
            struct sim_end *end = &sim->end[frames % 2];
            uint8_t frame[FRAME_MAX];
            size_t length = forge(&dice, frame);
            end->layer->ops->frame(end->layer, end->core, sim->now_us, frame, length);
            const char *reason = link_core_reason(end->core);
            if (strcmp(reason, said[end->index]) != 0) {
                changes++;
                snprintf(said[end->index], sizeof said[0], "%s", reason);
            }
            line_notes_state(&notes[end->index], link_core_state(end->core), reason, sim->now_us);
        }
        for (unsigned i = 0; i < 2; i++)
            line_notes_due(&notes[i], sim->now_us);
        if (ms % 50 == 0)
            sim_send(&sim->end[ms / 50 % 2], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + MS, NULL);
    }
    assert_true(sim->now_us - from_us == SECONDS * (uint64_t)S);
    printf("# %llu forged frames in %u s of simulated time; what the line said changed %llu times; "
           "records of %llu and %llu bytes\n",
           (unsigned long long)frames, SECONDS, (unsigned long long)changes,
           (unsigned long long)record[0].bytes, (unsigned long long)record[1].bytes);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(sim->end[i].downs, 0);
        assert_int_equal(sim->end[i].ups, 1);
        assert_true(record[i].bytes > 0 && record[i].bytes <= SECONDS * BYTES_A_SECOND);
    }
    assert_true(changes <= 4); /* that it is connected, and no stranger's word */
    assert_true(sim_run(sim, sim->now_us + S, sim_all_acked));
    sim_destroy(sim);
}

/* The line's word changes with every frame: without a key anybody can do that. */
static void test_reasons_are_held_down(void **state)
{
    struct record record = {0};
    struct line_notes notes = {note, &record, false, "", {0}};
    (void)state;
    for (unsigned i = 0; i < 600000; i++) { /* a minute */
        char reason[LINK_REASON_MAX];
        snprintf(reason, sizeof reason, "the other terminal speaks version %u", i % 255);
        line_notes_state(&notes, i % 3 == 0 ? LINK_UP : LINK_CONNECTING, reason,
                         1000000 + i * 100ull);
        line_notes_due(&notes, 1000000 + i * 100ull);
    }
    printf("# %llu notes, %llu bytes\n", (unsigned long long)record.notes,
           (unsigned long long)record.bytes);
    assert_in_range(record.notes, 20, 30);
    /* All that was held back is a number in the end. */
    uint64_t due_us = line_notes_due(&notes, 1000000 + 60000000);
    assert_true(due_us != BL_NEVER);
    uint64_t had = record.notes;
    assert_true(line_notes_due(&notes, due_us) == BL_NEVER);
    assert_int_equal(record.notes, had + 1);
}

/* The judge's end alone, against an entity's end that asks and asks. */

static enum bl_status take(void *ctx, const uint8_t *record, size_t length)
{
    (void)ctx;
    (void)record;
    (void)length;
    return BL_OK;
}

static uint64_t none(void *ctx)
{
    (void)ctx;
    return 0;
}

static struct bl_time at(uint64_t us)
{
    return (struct bl_time){.mono_us = us, .wall_us = 1795000000000000u + us};
}

static void tell(struct judge_end *end, struct wire wire, uint64_t us)
{
    uint8_t record[WIRE_MAX];
    memcpy(wire.session, "flood", 6);
    judge_end_record(end, record, wire_encode(&wire, record), at(us));
}

/* The stranger does one thing as often as possible, in tests of their own: an end that differs does
 * nothing else. */
enum { ASKS_REPAIRS = 1, CALLS = 2, LIES = 4 };

static void say_all(struct judge_end *end, unsigned does, unsigned i, uint64_t us)
{
    if (i % 10000 == 0) { /* and it connects anew each second */
        judge_end_link(end, false, at(us));
        judge_end_link(end, true, at(us));
        tell(end, (struct wire){.kind = WIRE_RESUME, .n = does & LIES && i % 20000 == 0 ? 5 : 0},
             us);
    }
    if (does & CALLS)
        tell(end, (struct wire){.kind = WIRE_STEWARD, .flag = i & 1}, us);
    if (does & ASKS_REPAIRS)
        tell(end, (struct wire){.kind = WIRE_REPAIR, .flag = i & 1}, us);
    if (does & LIES && i % 16 == 0)
        tell(end, (struct wire){.kind = WIRE_DIFFERS}, us);
}

static void ask_for(unsigned does)
{
    static const struct end_callbacks callbacks = {
        .keep = keep, .send = take, .sent = none, .acked = none};
    struct record record = {0};
    struct judge_end_config config = {.side = SIDE_LEFT};
    style_default(&config.style);
    struct judge_end *end = judge_end_create(&config, &callbacks, &record);
    judge_end_name(end, "flood");
    judge_end_start(end, &(struct judge_start){.damaged = 0}, at(1));
    judge_end_open(end, 0, 0, UINT64_MAX, false, at(1));
    struct record before = record;
    uint64_t us = 1000000;
    for (unsigned i = 0; i < SECONDS * 10000; i++, us += 100) {
        say_all(end, does, i, us);
        if (us >= judge_end_view(end)->due_us)
            judge_end_tick(end, at(us));
    }
    const struct judge_end_view *view = judge_end_view(end);
    printf("# %u: %llu notes, %llu bytes in %u s; %llu differences and repairs\n", does,
           (unsigned long long)(record.notes - before.notes),
           (unsigned long long)(record.bytes - before.bytes), SECONDS,
           (unsigned long long)view->differences);
    assert_true(record.bytes - before.bytes <= SECONDS * BYTES_A_SECOND);
    if (does == CALLS)
        assert_int_equal(record.notes, before.notes); /* nothing on this side tells of a call */
    else
        assert_in_range(record.notes - before.notes, 6, 6 + SECONDS / 10 + 1);
    assert_true(view->differences <= 3 * SECONDS + 3);
    if (does & ASKS_REPAIRS && !(does & LIES))
        assert_true(view->differences >= SECONDS - 1);
    judge_end_destroy(end);
}

static void test_repairs(void **state)
{
    (void)state;
    ask_for(ASKS_REPAIRS);
}

static void test_calls(void **state)
{
    (void)state;
    ask_for(CALLS);
}

static void test_lies(void **state)
{
    (void)state;
    ask_for(ASKS_REPAIRS | CALLS | LIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strangers_on_a_hub),
        cmocka_unit_test(test_reasons_are_held_down),
        cmocka_unit_test(test_repairs),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
