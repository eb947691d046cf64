/* Two ends of `check` on every cable of the table, in time that the test owns: what each finds,
 * with frames that get lost, and with bytes and frames that somebody made up. */
#include "base/bytes.h"
#include "link/cable.h"
#include "link/probe.h"
#include "link/probe_frame.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define WAIT_US  60000000u /* how long an end calls */
#define START_US 1000000u

enum { JUDGE, ENTITY, PILE = 1 << 16 };
enum { NUMBER_AT = 10 }; /* in a frame of the exchange */

static struct dice dice;
static struct bl_time now;

static struct side {
    struct probe *probe;
    unsigned outputs;
    uint32_t baud;
    uint8_t pile[PILE]; /* that came and was not heard yet */
    size_t piled;
    uint32_t id;
    struct frame_reader sent;
    uint16_t asked; /* the number of its last question */
} sides[2];

static const struct cable *cable;
static unsigned box_known;      /* the end that is told of the box; the other hears it from there */
static uint64_t entity_late_us; /* when that end is started */
static uint64_t gone_us;        /* when that end is ended by hand; 0: never */
static unsigned lost_percent;

static unsigned end_of(const void *ctx)
{
    return ctx == &sides[ENTITY];
}

/* Notes the number of a question that an end sends. */
static void look_for_question(struct side *side, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (frame_feed(&side->sent, bytes[i]) == FRAME_WHOLE &&
            frame_open(side->sent.frame, side->sent.length, PROBE_SEED) > NUMBER_AT + 1 &&
            side->sent.frame[0] == ASK) {
            struct bytes_in number = {.at = side->sent.frame + NUMBER_AT, .left = 2};
            side->asked = (uint16_t)bytes_get(&number, 2);
        }
}

static void on_send(void *ctx, const uint8_t *bytes, size_t length)
{
    unsigned from = end_of(ctx);
    look_for_question(ctx, bytes, length);
    if (dice_below(&dice, 100) < lost_percent)
        return;
    for (unsigned to = 0; to < 2; to++) {
        struct side *side = &sides[to];
        uint8_t heard = to == from ? CABLE_OWN_TX : CABLE_PEER_TX;
        if (!(cable->end[to].from[CABLE_RX] & heard) || side->piled + length > PILE)
            continue;
        for (size_t i = 0; i < length; i++)
            side->pile[side->piled++] = sides[from].baud == side->baud ? bytes[i] : 0x55;
    }
}

static void on_outputs(void *ctx, unsigned levels)
{
    ((struct side *)ctx)->outputs = levels;
}

static unsigned on_inputs(void *ctx)
{
    static const uint8_t bits[CABLE_INPUTS] = {0, LEVEL_CTS, LEVEL_DSR, LEVEL_DCD, LEVEL_RI};
    unsigned end = end_of(ctx), own = sides[end].outputs, peer = sides[!end].outputs, levels = 0;
    unsigned up = (own & LEVEL_RTS ? CABLE_OWN_RTS : 0) | (own & LEVEL_DTR ? CABLE_OWN_DTR : 0) |
                  (peer & LEVEL_RTS ? CABLE_PEER_RTS : 0) | (peer & LEVEL_DTR ? CABLE_PEER_DTR : 0);
    for (int i = CABLE_CTS; i < CABLE_INPUTS; i++) {
        unsigned by = cable->end[end].from[i];
        if (by && (by & up) == by)
            levels |= bits[i];
    }
    return levels;
}

static bool on_rate(void *ctx, uint32_t baud)
{
    ((struct side *)ctx)->baud = baud;
    return true;
}

static void begin_end(unsigned end, uint32_t baud, uint64_t wait_us)
{
    sides[end].id = (uint32_t)dice_next(&dice) | 1;
    sides[end].asked = 0;
    memset(&sides[end].sent, 0, sizeof sides[end].sent);
    struct probe_settings settings = {
        .self = {.judge = end == JUDGE,
                 .baud = baud,
                 .version = "1.2.3",
                 .box = cable->box && end == box_known,
                 .cable = end == JUDGE ? 'a' : 'b'},
        .id = sides[end].id,
        .quick = true,
        .wait_us = wait_us,
    };
    const struct probe_callbacks callbacks = {&sides[end], on_send, on_outputs, on_inputs, on_rate};
    sides[end].piled = 0;
    sides[end].outputs = 0;
    sides[end].baud = baud;
    sides[end].probe = probe_create(&settings, &callbacks);
    assert_non_null(sides[end].probe);
}

static void hear(struct side *side)
{
    static uint8_t bytes[PILE];
    size_t length = side->piled;
    memcpy(bytes, side->pile, length);
    side->piled = 0;
    probe_hear(side->probe, now, bytes, length);
}

/* The entity's end is not started yet, or was ended. */
static bool is_away(unsigned end)
{
    return end == ENTITY && (now.mono_us < START_US + entity_late_us ||
                             (gone_us && now.mono_us > START_US + gone_us));
}

/* Both run until both are over. */
static void run(const struct cable *with, uint32_t judge_baud, uint32_t entity_baud)
{
    cable = with;
    now = (struct bl_time){.mono_us = START_US, .wall_us = 1700000000000000u};
    begin_end(JUDGE, judge_baud, WAIT_US);
    begin_end(ENTITY, entity_baud, WAIT_US);
    for (unsigned round = 0; round < 1000000; round++) {
        uint64_t due_us = BL_NEVER, step_us;
        bool over = true;
        for (unsigned end = 0; end < 2; end++) {
            if (is_away(end)) {
                sides[end].piled = 0;
                over &= now.mono_us > START_US + entity_late_us;
                continue;
            }
            hear(&sides[end]);
            probe_tick(sides[end].probe, now);
            over &= probe_result(sides[end].probe)->outcome != PROBE_CALLING;
        }
        if (over)
            return;
        if (sides[0].piled || sides[1].piled) {
            step_us = 1000;
        } else {
            for (unsigned end = 0; end < 2; end++)
                if (!is_away(end) && probe_deadline(sides[end].probe) < due_us)
                    due_us = probe_deadline(sides[end].probe);
            if (due_us == BL_NEVER) /* this end is over before the other was started */
                due_us = START_US + entity_late_us + 1;
            step_us = due_us > now.mono_us ? due_us - now.mono_us : 1;
        }
        now.mono_us += step_us;
        now.wall_us += step_us;
    }
    fail_msg("no end");
}

static void finish(void)
{
    for (unsigned end = 0; end < 2; end++) {
        probe_destroy(sides[end].probe);
        sides[end].probe = NULL;
    }
}

static bool crosses(const struct cable *with)
{
    return with->end[0].from[CABLE_RX] == CABLE_PEER_TX &&
           with->end[1].from[CABLE_RX] == CABLE_PEER_TX;
}

static void finds_cable(const struct probe_result *result, const struct cable *wanted)
{
    const struct cable *match[32];
    size_t count = cable_match(&result->seen, match, 32);
    bool found = false;
    for (size_t i = 0; i < count && i < 32; i++)
        found |= match[i] == wanted;
    if (!found)
        fail_msg("%s was not found", wanted->name);
    if (crosses(wanted) && !wanted->box) /* the box carries no handshake by which to tell them */
        assert_int_equal(count, 1);
}

static void test_every_cable(void **state)
{
    (void)state;
    for (const struct cable *with = cables; with->name; with++)
        for (unsigned turns = 0; turns < 5; turns++) {
            box_known = turns % 2;
            run(with, 115200, 115200);
            for (unsigned end = 0; end < 2; end++) {
                const struct probe_result *result = probe_result(sides[end].probe);
                assert_true((result->outcome == PROBE_MET) == crosses(with));
                if (!with->box || result->heard || end == box_known)
                    finds_cable(result, with);
                if (result->outcome == PROBE_MET)
                    assert_int_equal(result->peer.cable, end == JUDGE ? 'b' : 'a');
            }
            finish();
        }
}

/* The outcome at each end of each row of wiring/cables.txt and box.txt, as OUTCOME:CABLE,CABLE:
 * no two look the same in what matters, but where data does not cross, much cannot be told apart.
 * NULL: it can know nothing. */
#define NO_DATA   "mute:data-straight,data-open,one-way,short-data,short-ground"
#define HALF      "deaf:one-way,short-ground"
#define BOX       "met:box,handshake-open,handshake-short,crossed-both"
#define TO_JUDGE  "deaf:open-3-judge,open-2-entity"
#define TO_ENTITY "deaf:open-2-judge,open-3-entity"
static const struct {
    const char *name, *end[2];
} wanted[] = {
    {"full", {"met:full", "met:full"}},
    {"3-wire", {"met:3-wire", "met:3-wire"}},
    {"loop-back", {"met:loop-back", "met:loop-back"}},
    {"partial", {"met:partial", "met:partial"}},
    {"5-wire", {"met:5-wire", "met:5-wire"}},
    {"7-wire", {"met:7-wire", "met:7-wire"}},
    {"ri", {"met:ri", "met:ri"}},
    {"straight", {"silence", "silence"}},
    {"data-straight", {NO_DATA, NO_DATA}},
    {"handshake-swapped", {"met:handshake-swapped", "met:handshake-swapped"}},
    {"data-open", {NO_DATA, NO_DATA}},
    {"one-way", {NO_DATA, HALF}},
    {"one-way-3", {NULL, "deaf:one-way-3"}},
    {"cts-open", {"met:cts-open", "met:cts-open"}},
    {"dtr-open", {"met:dtr-open", "met:dtr-open"}},
    {"ground-open", {"silence", "silence"}},
    {"short-data", {NO_DATA, NO_DATA}},
    {"short-ground", {NO_DATA, HALF}},
    {"short-rts", {"met:short-rts", "met:short-rts"}},
    {"plug-a", {"echo:plug-a", "silence"}},
    {"plug-data", {"echo:plug-data", "silence"}},
    {"nothing", {"silence", "silence"}},
    {"box", {BOX, BOX}},
    {"handshake-open", {BOX, BOX}},
    {"handshake-looped-judge", {"met:handshake-looped-judge", "met:handshake-looped-judge"}},
    {"handshake-looped-entity", {"met:handshake-looped-entity", "met:handshake-looped-entity"}},
    {"handshake-short", {BOX, BOX}},
    {"crossed-both", {BOX, BOX}},
    {"crossed-judge", {"silence", "silence"}},
    {"crossed-entity", {"silence", "silence"}},
    {"open-2-judge", {"silence", TO_ENTITY}},
    {"open-3-judge", {TO_JUDGE, "silence"}},
    {"open-5-judge", {"silence", "silence"}},
    {"open-2-entity", {TO_JUDGE, "silence"}},
    {"open-3-entity", {"silence", TO_ENTITY}},
    {"open-5-entity", {"silence", "silence"}},
    {"none-judge", {"silence", "silence"}},
    {"none-entity", {"silence", "silence"}},
};

static const char *found(unsigned end)
{
    static const char *const words[] = {
        [PROBE_MET] = "met",   [PROBE_SILENCE] = "silence", [PROBE_ECHO] = "echo",
        [PROBE_DEAF] = "deaf", [PROBE_MUTE] = "mute",
    };
    static char text[400];
    const struct probe_result *result = probe_result(sides[end].probe);
    const struct cable *match[32];
    size_t count = cable_match(&result->seen, match, 32);
    assert_true(result->outcome < sizeof words / sizeof *words && words[result->outcome]);
    size_t length = (size_t)snprintf(text, sizeof text, "%s", words[result->outcome]);
    for (size_t i = 0; i < count && result->outcome != PROBE_SILENCE; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%c%s", i ? ',' : ':',
                                   match[i]->name);
    return text;
}

static void test_found_exactly(void **state)
{
    size_t rows = 0;
    (void)state;
    box_known = JUDGE;
    for (const struct cable *with = cables; with->name; with++, rows++)
        for (unsigned turns = 0; turns < 5; turns++) {
            size_t row = 0;
            while (strcmp(wanted[row].name, with->name) != 0)
                assert_true(++row < sizeof wanted / sizeof *wanted);
            run(with, 115200, 115200);
            for (unsigned end = 0; end < 2; end++)
                if (wanted[row].end[end])
                    assert_string_equal(found(end), wanted[row].end[end]);
            finish();
        }
    assert_int_equal(rows, sizeof wanted / sizeof *wanted);
}

/* What an end must see of the other to tell that no data comes, it sees before that one has its
 * answer and goes. */
static void test_no_end_goes_too_soon(void **state)
{
    (void)state;
    lost_percent = 10;
    for (const struct cable *with = cables; with->name; with++)
        for (unsigned turns = 0; turns < 100; turns++) {
            run(with, 115200, 115200);
            if (probe_result(sides[JUDGE].probe)->outcome == PROBE_MUTE ||
                probe_result(sides[ENTITY].probe)->outcome == PROBE_MUTE) {
                if (now.mono_us >= WAIT_US)
                    fail_msg("%s, turn %u: an end called until it had waited", with->name, turns);
            }
            finish();
        }
    lost_percent = 0;
}

/* The other end is started when this one has nearly given up: what is wrong is not told of before
 * it is certain, and a good cable is not called bad. */
static void test_other_end_comes_late(void **state)
{
    (void)state;
    for (const struct cable *with = cables; with->name; with++) {
        bool hears = with->end[JUDGE].from[CABLE_RX] == CABLE_PEER_TX;
        for (entity_late_us = WAIT_US - 3000000; entity_late_us < WAIT_US;
             entity_late_us += 700000) {
            run(with, 115200, 115200);
            const struct probe_result *result = probe_result(sides[JUDGE].probe);
            if (crosses(with))
                assert_int_equal(result->outcome, PROBE_MET);
            else if (hears)
                assert_int_equal(result->outcome, PROBE_DEAF);
            else if (result->outcome == PROBE_SILENCE)
                assert_true(result->called_us >= WAIT_US);
            finish();
        }
    }
    entity_late_us = 0;
}

/* An end that was heard a little and then ended is no broken wire. */
static void test_other_end_goes_at_once(void **state)
{
    (void)state;
    gone_us = 1000000;
    for (const struct cable *with = cables; with->name; with++) {
        if (with->end[JUDGE].from[CABLE_RX] != CABLE_PEER_TX || crosses(with))
            continue;
        run(with, 115200, 115200);
        assert_int_equal(probe_result(sides[JUDGE].probe)->outcome, PROBE_LOST);
        finish();
    }
    gone_us = 0;
}

static void test_counts_down(void **state)
{
    (void)state;
    cable = cables;
    now = (struct bl_time){.mono_us = START_US, .wall_us = 1700000000000000u};
    begin_end(JUDGE, 115200, 5000000);
    uint64_t left_us = probe_left_us(sides[JUDGE].probe, now.mono_us);
    assert_int_equal(left_us, 5000000);
    while (probe_result(sides[JUDGE].probe)->outcome == PROBE_CALLING) {
        probe_tick(sides[JUDGE].probe, now);
        assert_true(probe_left_us(sides[JUDGE].probe, now.mono_us) <= left_us);
        left_us = probe_left_us(sides[JUDGE].probe, now.mono_us);
        now.mono_us += 10000;
    }
    assert_int_equal(left_us, 0);
    assert_int_equal(probe_result(sides[JUDGE].probe)->outcome, PROBE_SILENCE);
    probe_destroy(sides[JUDGE].probe);
}

static void test_lost_frames(void **state)
{
    (void)state;
    lost_percent = 20;
    for (unsigned turns = 0; turns < 50; turns++) {
        run(cables, 115200, 115200);
        const struct probe_rate *rate = &probe_result(sides[JUDGE].probe)->rate[0];
        assert_int_equal(probe_result(sides[JUDGE].probe)->outcome, PROBE_MET);
        assert_int_equal(probe_result(sides[ENTITY].probe)->outcome, PROBE_MET);
        assert_true(rate->returned <= rate->arrived && rate->arrived <= rate->sent);
        finds_cable(probe_result(sides[JUDGE].probe), cables);
        finish();
    }
    lost_percent = 0;
}

static void test_two_speeds(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROBE_RATES; i++) {
        run(cables, 57600, probe_rates[i]);
        assert_int_equal(probe_result(sides[JUDGE].probe)->outcome, PROBE_MET);
        assert_int_equal(probe_result(sides[JUDGE].probe)->peer.baud, probe_rates[i]);
        assert_int_equal(probe_result(sides[ENTITY].probe)->peer.baud, 57600);
        finish();
    }
}

/* Frames with a right checksum and any contents, and bytes without sense, at any moment. */
static void test_made_up(void **state)
{
    static const uint8_t types[] = {CALL, ASK, ANSWER, 0};
    unsigned asked = 0;
    (void)state;
    for (unsigned turns = 0; turns < 200; turns++) {
        cable = cables;
        now = (struct bl_time){.mono_us = START_US, .wall_us = 1700000000000000u};
        begin_end(turns % 2, 115200, 20000000);
        struct side *side = &sides[turns % 2];
        uint32_t id = side->id;
        for (unsigned n = 0; n < 2000 && probe_result(side->probe)->outcome == PROBE_CALLING; n++) {
            uint8_t frame[PROBE_BODY + FRAME_CRC], wire[FRAME_STUFFED(sizeof frame)];
            struct bytes_out out = {.at = frame, .left = PROBE_BODY};
            bytes_put(&out, types[dice_below(&dice, 4)], 1);
            bytes_put(&out, dice_below(&dice, 3), 1);
            bytes_put(&out, dice_below(&dice, 3) ? 7 : id, 4);
            bytes_put(&out, dice_below(&dice, 3) ? id : 7, 4);
            bytes_put(&out, side->asked + dice_below(&dice, 3), 2);
            for (uint64_t left = dice_below(&dice, PROBE_BODY - 12); left; left--)
                bytes_put(&out, dice_below(&dice, left % 4 ? 10 : 256), 1);
            size_t length = frame_stuff(frame, frame_seal(frame, out.length, PROBE_SEED), wire);
            if (dice_below(&dice, 10) == 0)
                wire[dice_below(&dice, length)] ^= 0x10;
            probe_hear(side->probe, now, wire, length);
            now.mono_us += dice_below(&dice, 300000);
            probe_tick(side->probe, now);
            side->piled = 0;
        }
        asked += side->asked > 0;
        probe_destroy(side->probe);
    }
    assert_true(asked > 10); /* it went far enough to ask */
}

static void test_nearest(void **state)
{
    struct cable_seen seen = {.known = {CABLE_OWN | CABLE_PEER, CABLE_OWN | CABLE_PEER}};
    struct cable_difference differ;
    (void)state;
    memcpy(seen.end, cables[0].end, sizeof seen.end);
    cable_nearest(&seen, &differ);
    assert_string_equal(differ.cable->name, "full");
    assert_int_equal(differ.wires, 0);
    seen.end[1].from[CABLE_CTS] = 0;
    cable_nearest(&seen, &differ);
    assert_string_equal(differ.cable->name, "full");
    assert_int_equal(differ.wires, 1);
    assert_string_equal(differ.wire[0], "pin 7 (RTS) here to pin 8 (CTS) there: missing");
}

static void test_drawing_fits(void **state)
{
    (void)state;
    for (const struct cable *with = cables; with->name; with++) {
        struct cable_seen seen = {.known = {CABLE_OWN | CABLE_PEER, CABLE_OWN | CABLE_PEER}};
        char text[1600];
        memcpy(seen.end, with->end, sizeof seen.end);
        size_t length = cable_draw(&seen, text, sizeof text);
        assert_int_equal(length, strlen(text));
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= 76);
        /* Too little room cuts it, and no more. */
        for (size_t room = 1; room < 200; room++) {
            length = cable_draw(&seen, text, room);
            assert_true(length < room && strlen(text) == length);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cable),
        cmocka_unit_test(test_found_exactly),
        cmocka_unit_test(test_no_end_goes_too_soon),
        cmocka_unit_test(test_other_end_comes_late),
        cmocka_unit_test(test_other_end_goes_at_once),
        cmocka_unit_test(test_counts_down),
        cmocka_unit_test(test_lost_frames),
        cmocka_unit_test(test_two_speeds),
        cmocka_unit_test(test_made_up),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_drawing_fits),
    };
    dice = dice_make(dice_seed("probe"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
