/* The host's side of the controller against the controller's own core, in one process: a line
 * between them that loses, doubles and spoils bytes, resets, key turns, hosts that die.
 * Source: DESIGN.md, "Controller"; firmware/README.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "controller/client.h"
#include "tests/support/random.h"
#include "tests/support/watchdog_board.h"

#define WORDS_MAX 20000
#define NONCE     0x4A11

/* A host, a board and the line between them. */
struct rig {
    struct watchdog_board board;
    struct client *client;
    struct client_config config;
    struct dice dice;
    double spoil; /* chance of a byte */
    uint64_t now_us;
    uint64_t mono_base_us; /* the host's clock has another beginning, and another rate: */
    double rate;
    bool held;         /* the host is frozen */
    bool fresh, stale; /* a session that has not begun; it was told the state of the one before */
    char words[WORDS_MAX];
    uint64_t changes;
    unsigned bells; /* sentences about the steward's call */
    bool damage;    /* the next part of a plan passes its checksum with one second more */
};

static struct bl_time host_now(const struct rig *rig)
{
    uint64_t us = rig->mono_base_us + (uint64_t)((double)rig->now_us * rig->rate);
    return (struct bl_time){.mono_us = us, .wall_us = us};
}

static char spoiled(struct rig *rig, char byte)
{
    if (rig->spoil > 0 && (double)dice_below(&rig->dice, 1000000) < rig->spoil * 1e6)
        return (char)(byte ^ (1 << dice_below(&rig->dice, 8)));
    return byte;
}

static void on_send(void *ctx, const char *bytes, size_t length)
{
    struct rig *rig = ctx;
    rig->bells += length > 6 && memcmp(bytes, "$BLBEL", 6) == 0;
    struct sentence_writer damaged;
    if (rig->damage && length > 6 && memcmp(bytes, "$BLSEG", 6) == 0) {
        const struct client_segment *first = &rig->config.plan.segment[0];
        rig->damage = false;
        sentence_begin(&damaged, SAY_SEG, NONCE);
        sentence_put_number(&damaged, 0);
        sentence_put_number(&damaged, first->seconds + 1u);
        sentence_put_number(&damaged, first->flags);
        sentence_put_number(&damaged, first->warn_s);
        sentence_end(&damaged);
        bytes = damaged.text;
        length = damaged.length;
    }
    for (size_t i = 0; i < length; i++)
        watchdog_board_give(&rig->board, spoiled(rig, bytes[i]));
}

static void on_changed(void *ctx)
{
    struct rig *rig = ctx;
    struct client_view view;
    rig->changes++;
    if (!rig->client || !rig->fresh)
        return;
    client_view(rig->client, &view, host_now(rig));
    rig->stale = rig->stale || (view.mine && view.state != CONTROLLER_READY);
}

static void on_happened(void *ctx, const char *words)
{
    struct rig *rig = ctx;
    size_t used = strlen(rig->words);
    snprintf(rig->words + used, sizeof rig->words - used, "%s\n", words);
}

static void host_start(struct rig *rig)
{
    const struct client_callbacks callbacks = {on_send, on_changed, on_happened};
    rig->client = client_create(&rig->config, &callbacks, rig);
    assert_non_null(rig->client);
    client_port(rig->client, true, "", host_now(rig));
}

static void host_die(struct rig *rig)
{
    client_destroy(rig->client);
    rig->client = NULL;
}

static struct rig *rig_open(const char *what)
{
    static struct rig rig;
    memset(&rig, 0, sizeof rig);
    rig.dice = dice_make(what ? dice_seed(what) : 1);
    rig.rate = 1;
    rig.mono_base_us = 7000000000;
    rig.config = (struct client_config){.nonce = NONCE,
                                        .plan = {.count = 3,
                                                 .connect_s = 10,
                                                 .budget_s = 60,
                                                 .segment = {{20, SEGMENT_A | SEGMENT_LAMP_A, 5},
                                                             {10, SEGMENT_B, 0},
                                                             {3, SEGMENT_LAMP_BREAK, 0}}}};
    watchdog_board_power(&rig.board);
    watchdog_board_key_switch(&rig.board, true);
    return &rig;
}

static void rig_close(struct rig *rig)
{
    host_die(rig);
}

/* Time goes on, a tick at a time, as both see it. */
static void run(struct rig *rig, uint64_t for_ms)
{
    for (uint64_t ms = 0; ms < for_ms; ms += WATCHDOG_TICK_MS) {
        char bytes[256];
        rig->now_us += WATCHDOG_TICK_MS * 1000;
        watchdog_board_tick(&rig->board);
        size_t length = watchdog_board_take(&rig->board, bytes, sizeof bytes);
        if (!rig->client || rig->held)
            continue;
        for (size_t i = 0; i < length; i++)
            bytes[i] = spoiled(rig, bytes[i]);
        if (length)
            client_bytes(rig->client, bytes, length, host_now(rig));
        /* A tick leaves nothing that is due at once: else the program would turn without rest. */
        for (unsigned ticks = 0; host_now(rig).mono_us >= client_due(rig->client); ticks++) {
            assert_true(ticks < 4);
            client_tick(rig->client, host_now(rig));
        }
    }
}

static struct client_view view(struct rig *rig)
{
    struct client_view v;
    client_view(rig->client, &v, host_now(rig));
    return v;
}

static void run_until(struct rig *rig, enum controller_state state, uint64_t most_ms)
{
    for (uint64_t ms = 0; view(rig).state != state; ms += 20) {
        if (ms >= most_ms)
            fail_msg("the client sees %s, not %s; the board is in %s; record:\n%s",
                     controller_state_word(view(rig).state), controller_state_word(state),
                     sentence_text(rig->board.watchdog->state), rig->words);
        run(rig, 20);
    }
}

static void assert_words(const struct rig *rig, const char *words)
{
    if (!strstr(rig->words, words))
        fail_msg("the record does not say '%s':\n%s", words, rig->words);
}

/* The plan is there, and started: in the connect phase of the first part. */
static struct rig *rig_started(const char *what)
{
    struct rig *rig = rig_open(what);
    host_start(rig);
    run_until(rig, CONTROLLER_READY, 5000);
    run(rig, 600);
    assert_true(view(rig).mine);
    assert_int_equal(client_start(rig->client, host_now(rig)), BL_OK);
    run_until(rig, CONTROLLER_CONNECT, 1000);
    return rig;
}

static void test_a_whole_session(void **state)
{
    (void)state;
    struct rig *rig = rig_started("a whole session");
    assert_int_equal(rig->board.watchdog->drive, SEGMENT_A);
    client_go(rig->client, host_now(rig));
    run_until(rig, CONTROLLER_OPEN, 1000);
    assert_in_range(view(rig).left_us, 19000000, 20000000);
    run(rig, 5000);
    assert_in_range(view(rig).left_us + 5000000, 19500000, 20050000);
    run_until(rig, CONTROLLER_CLOSING, 16000);
    run_until(rig, CONTROLLER_CONNECT, 2000);
    assert_int_equal(view(rig).segment, 1);
    assert_int_equal(rig->board.watchdog->drive, SEGMENT_B);
    run_until(rig, CONTROLLER_OPEN, 11000); /* nobody said that all are ready */
    run_until(rig, CONTROLLER_OVER, 20000);
    assert_words(rig, "the plan is stored in the controller");
    assert_words(rig, "started: part 1, 20.0 s left: its lines are joined");
    assert_words(rig, "part 1: 5 s left, the warning was given");
    assert_words(rig, "part 1: the cut is announced, 0.5 s left");
    assert_words(rig, "cut: the time of part 1 is over");
    assert_words(rig, "cut: the time of part 2 is over");
    assert_words(rig, "cut: the time of part 3 is over\nthe plan is over");
    assert_string_equal(view(rig).trouble, "");
    rig_close(rig);
}

/* Eight bits of checksum let damage pass now and then: such a plan is sent again. */
static void test_damaged_plan_is_sent_again(void **state)
{
    (void)state;
    struct rig *rig = rig_open("damaged plan");
    rig->damage = true;
    host_start(rig);
    run(rig, 2000);
    assert_false(rig->damage);
    assert_int_equal(client_start(rig->client, host_now(rig)), BL_OK);
    run_until(rig, CONTROLLER_CONNECT, 1000);
    assert_words(rig, "started: part 1, 20.0 s left: its lines are joined");
    rig_close(rig);
}

/* Nor is a part over for one damaged sentence: neither its time, nor that the next one is there. */
static void test_damaged_time_is_not_believed(void **state)
{
    (void)state;
    for (unsigned segment = 0; segment < 2; segment++) {
        struct rig *rig = rig_started("damaged time");
        struct sentence_writer damaged;
        client_go(rig->client, host_now(rig));
        run_until(rig, CONTROLLER_OPEN, 1000);
        run(rig, 3000);
        uint64_t left_us = view(rig).left_us;
        sentence_begin(&damaged, SAY_EVT, NONCE);
        sentence_put_word(&damaged, SAY_CLOSING);
        sentence_put_number(&damaged, segment);
        sentence_put_number(&damaged, 500);
        sentence_end(&damaged);
        client_bytes(rig->client, damaged.text, damaged.length, host_now(rig));
        assert_int_equal(view(rig).state, CONTROLLER_OPEN);
        assert_int_equal(view(rig).segment, 0);
        assert_int_equal(view(rig).left_us, left_us);
        run_until(rig, CONTROLLER_CLOSING, 18000);
        assert_words(rig, "part 1: the cut is announced, 0.5 s left");
        rig_close(rig);
    }
}

/* The host is started so long after the board, and the box's button is pressed so long after that:
 * before, while or after the host looks what was stored. A plan that is started is on record. */
static bool starts_by_button(unsigned start_ms, unsigned button_ms)
{
    struct rig *rig = rig_open(NULL);
    run(rig, start_ms);
    host_start(rig);
    run(rig, button_ms);
    watchdog_board_button(&rig->board, true);
    run(rig, 200);
    watchdog_board_button(&rig->board, false);
    run(rig, 2000);
    bool started = rig->board.watchdog->state == SAY_CONNECT;
    assert_true(view(rig).mine);
    assert_string_equal(view(rig).trouble, "");
    if (started) {
        assert_words(rig, "started: part 1, 20.0 s left: its lines are joined");
        run_until(rig, CONTROLLER_OPEN, 11000);
    }
    rig_close(rig);
    return started;
}

static void test_started_while_it_is_looked_at(void **state)
{
    (void)state;
    struct rig *rig = rig_open("ready");
    unsigned ready_ms = 0, started = 0;
    host_start(rig);
    for (; rig->board.watchdog->state != SAY_READY; ready_ms += WATCHDOG_TICK_MS) {
        assert_true(ready_ms < 2000);
        run(rig, WATCHDOG_TICK_MS);
    }
    rig_close(rig);
    /* The board looks at its button once in so many ms. */
    for (unsigned start_ms = 0; start_ms < WATCHDOG_SLOW_MS; start_ms += WATCHDOG_TICK_MS)
        for (unsigned ms = 0; ms < ready_ms + 2 * WATCHDOG_SLOW_MS; ms += WATCHDOG_SLOW_MS)
            started += starts_by_button(start_ms, ms);
    assert_true(started > WATCHDOG_SLOW_MS / WATCHDOG_TICK_MS);
}

/* It is reset, or falls silent for a while, just when the plan has been stored: what it has is
 * asked for anew, and the record says why it was reset. */
static void test_reset_when_just_stored(void **state)
{
    (void)state;
    for (unsigned silent = 0; silent < 2; silent++) {
        struct rig *rig = rig_open("just stored");
        host_start(rig);
        for (unsigned ms = 0; !strstr(rig->words, "the plan is stored"); ms += WATCHDOG_TICK_MS) {
            assert_true(ms < 2000);
            run(rig, WATCHDOG_TICK_MS);
        }
        assert_false(view(rig).mine);
        rig->words[0] = '\0';
        if (silent) {
            rig->spoil = 1;
            run(rig, 4000);
            rig->spoil = 0;
        } else {
            watchdog_board_reset(&rig->board, SAY_BROWNOUT);
        }
        run(rig, 2000);
        assert_true(view(rig).mine);
        assert_words(rig, silent ? "the controller answers: board "
                                 : "the controller was reset\nthe controller answers: board ");
        if (!silent)
            assert_words(rig, "last reset BROWNOUT");
        rig_close(rig);
    }
}

static void test_key_pauses_and_goes_on(void **state)
{
    (void)state;
    struct rig *rig = rig_started("key");
    client_go(rig->client, host_now(rig));
    run_until(rig, CONTROLLER_OPEN, 1000);
    run(rig, 3000);
    watchdog_board_key_switch(&rig->board, false);
    run_until(rig, CONTROLLER_PAUSED, 1000);
    uint64_t left_us = view(rig).left_us;
    run(rig, 30000);
    assert_int_equal(view(rig).left_us, left_us);
    assert_int_equal(rig->board.watchdog->drive, 0);
    watchdog_board_key_switch(&rig->board, true);
    run_until(rig, CONTROLLER_OPEN, 12000);
    assert_true(view(rig).left_us <= left_us);
    assert_words(rig, "pause: the key switch was turned, 1");
    assert_words(rig, "goes on with part 1, 1");
    rig_close(rig);
}

static void test_abort(void **state)
{
    (void)state;
    struct rig *rig = rig_started("abort");
    run_until(rig, CONTROLLER_OPEN, 11000);
    watchdog_board_key_switch(&rig->board, false);
    run_until(rig, CONTROLLER_PAUSED, 1000);
    watchdog_board_button(&rig->board, true);
    run_until(rig, CONTROLLER_IDLE, 6000);
    watchdog_board_button(&rig->board, false);
    assert_words(rig, "aborted at the controller");
    run(rig, 5000);
    assert_int_equal(view(rig).state, CONTROLLER_IDLE); /* and the plan is not sent again */
    rig_close(rig);
}

/* Another board is plugged in, in the middle of a session: nobody held a button. */
static void test_exchanged_board(void **state)
{
    (void)state;
    struct rig *rig = rig_started("exchanged board");
    run_until(rig, CONTROLLER_OPEN, 11000);
    watchdog_board_power(&rig->board);
    watchdog_board_key_switch(&rig->board, true);
    run(rig, 8000);
    assert_words(rig, "the controller was started anew and has no plan");
    assert_null(strstr(rig->words, "the button was held"));
    rig_close(rig);
}

static void test_start_wants_the_key(void **state)
{
    (void)state;
    struct rig *rig = rig_open("start wants the key");
    watchdog_board_key_switch(&rig->board, false);
    host_start(rig);
    run_until(rig, CONTROLLER_READY, 5000);
    run(rig, 600);
    client_start(rig->client, host_now(rig));
    run(rig, 2000);
    assert_int_equal(view(rig).state, CONTROLLER_READY);
    assert_false(view(rig).inputs & STATUS_KEY_SWITCH);
    assert_words(rig, "not started: the key switch does not stand at RUN");
    watchdog_board_key_switch(&rig->board, true);
    run(rig, 1000);
    client_start(rig->client, host_now(rig));
    run_until(rig, CONTROLLER_CONNECT, 1000);
    rig_close(rig);
}

/* kill -9 of the host, for as long as may be: the lines open in 3 s, it goes on with what is left.
 */
static void test_host_killed(void **state)
{
    (void)state;
    struct rig *rig = rig_started("host killed");
    run_until(rig, CONTROLLER_OPEN, 11000);
    run(rig, 2000);
    uint64_t left_us = view(rig).left_us;
    host_die(rig);
    run(rig, 4000);
    assert_int_equal(rig->board.watchdog->drive, 0);
    run(rig, 20000);
    rig->config.begun = true;
    host_start(rig);
    run_until(rig, CONTROLLER_OPEN, 12000);
    assert_true(view(rig).mine);
    assert_true(view(rig).left_us <= left_us);
    assert_true(view(rig).left_us + 3500000 >= left_us);
    run_until(rig, CONTROLLER_OVER, 60000);
    rig_close(rig);
}

static void test_controller_reset(void **state)
{
    (void)state;
    struct rig *rig = rig_started("controller reset");
    run_until(rig, CONTROLLER_OPEN, 11000);
    run(rig, 3000);
    uint64_t left_us = view(rig).left_us;
    watchdog_board_reset(&rig->board, SAY_BROWNOUT);
    run(rig, 200);
    assert_int_equal(rig->board.watchdog->drive & ~SEGMENT_A, 0);
    run_until(rig, CONTROLLER_OPEN, 13000);
    assert_int_equal(view(rig).resets, 1);
    assert_true(view(rig).left_us <= left_us);
    assert_true(view(rig).left_us + 3000000 >= left_us);
    assert_words(rig, "the controller was reset\n");
    assert_words(rig, "last reset BROWNOUT");
    run_until(rig, CONTROLLER_OVER, 60000);
    rig_close(rig);
}

static void test_port_lost_and_back(void **state)
{
    (void)state;
    struct rig *rig = rig_started("port lost");
    run_until(rig, CONTROLLER_OPEN, 11000);
    client_port(rig->client, false, "the port is gone", host_now(rig));
    rig->held = true;
    assert_string_equal(view(rig).trouble, "the port is gone");
    run(rig, 2000);
    assert_int_equal(view(rig).state, CONTROLLER_OPEN); /* as far as anybody can know here */
    run(rig, 2000);
    assert_int_equal(view(rig).state, CONTROLLER_LOST);
    assert_int_equal(rig->board.watchdog->drive, 0);
    rig->held = false;
    client_port(rig->client, true, "", host_now(rig));
    run_until(rig, CONTROLLER_OPEN, 12000);
    assert_string_equal(view(rig).trouble, "");
    rig_close(rig);
}

/* Two programs at one controller: the second is told so, and gets it when the first has gone. */
static void test_two_hosts(void **state)
{
    (void)state;
    struct rig *rig = rig_open("two hosts");
    host_start(rig);
    run_until(rig, CONTROLLER_READY, 5000);
    run(rig, 600);
    host_die(rig);
    rig->config.nonce = NONCE + 1;
    rig->config.plan.segment[0].seconds = 25;
    host_start(rig);
    run(rig, 500);
    assert_false(view(rig).mine);
    assert_non_null(strstr(view(rig).trouble, "another program has the controller"));
    run_until(rig, CONTROLLER_READY, 6000);
    run(rig, 1000);
    assert_true(view(rig).mine);
    assert_string_equal(view(rig).trouble, "");
    rig_close(rig);
}

/* A session that runs is never taken over by another, nor its plan changed. */
static void test_foreign_session(void **state)
{
    (void)state;
    struct rig *rig = rig_started("foreign session");
    run_until(rig, CONTROLLER_OPEN, 11000);
    host_die(rig);
    run(rig, 10000);
    uint32_t left = rig->board.watchdog->left;
    rig->config.nonce = NONCE + 1;
    host_start(rig);
    run(rig, 9000);
    assert_false(view(rig).mine);
    assert_non_null(strstr(view(rig).trouble, "another session is in the controller"));
    assert_int_equal(rig->board.watchdog->left, left);
    assert_int_equal(rig->board.watchdog->drive, 0);
    /* The steward aborts it: then the controller is taken. */
    watchdog_board_key_switch(&rig->board, false);
    run(rig, 500);
    watchdog_board_button(&rig->board, true);
    run(rig, 4000);
    watchdog_board_button(&rig->board, false);
    watchdog_board_key_switch(&rig->board, true);
    run_until(rig, CONTROLLER_READY, 30000);
    run(rig, 1000);
    assert_true(view(rig).mine);
    rig_close(rig);
}

/* A spare machine, whose record knows nothing of the session that runs: it is refused like any
 * other, until the record of the machine before comes. */
static void test_spare_machine(void **state)
{
    (void)state;
    struct rig *rig = rig_started("spare machine");
    run_until(rig, CONTROLLER_OPEN, 11000);
    run(rig, 2000);
    uint64_t left_us = view(rig).left_us;
    host_die(rig);
    run(rig, 10000);
    host_start(rig);
    run(rig, 6000);
    assert_true(view(rig).refused);
    assert_false(view(rig).mine);
    client_begun(rig->client, host_now(rig));
    assert_string_equal(view(rig).trouble, ""); /* at once: a steward would obey it */
    run_until(rig, CONTROLLER_OPEN, 12000);     /* not only when the next look is due */
    assert_true(view(rig).mine);
    assert_string_equal(view(rig).trouble, "");
    assert_true(view(rig).left_us <= left_us);
    run_until(rig, CONTROLLER_OVER, 60000);
    rig_close(rig);
}

static void test_session_that_is_gone(void **state)
{
    (void)state;
    struct rig *rig = rig_open("session gone");
    rig->config.begun = true;
    host_start(rig);
    run(rig, 3000);
    assert_false(view(rig).mine);
    assert_non_null(strstr(view(rig).trouble, "does not have this session's plan any more"));
    assert_int_equal(rig->board.watchdog->state, SAY_IDLE);
    rig_close(rig);
}

static void test_silent_controller(void **state)
{
    (void)state;
    struct rig *rig = rig_open("silent");
    rig->spoil = 1; /* nothing gets through */
    host_start(rig);
    run(rig, 5000);
    assert_false(view(rig).answers);
    assert_non_null(strstr(view(rig).trouble, "does not answer"));
    rig->spoil = 0;
    run_until(rig, CONTROLLER_READY, 5000);
    rig_close(rig);
}

/* How far the time that the host shows is from the board's, while both are in one open segment. */
static uint64_t apart_us(struct rig *rig)
{
    const struct watchdog *w = rig->board.watchdog;
    uint64_t board_us = (uint64_t)w->left * WATCHDOG_TICK_MS * 1000, host_us = view(rig).left_us;
    if (view(rig).state != CONTROLLER_OPEN || w->state != SAY_OPEN ||
        view(rig).segment != w->segment)
        return 0;
    return host_us > board_us ? host_us - board_us : board_us - host_us;
}

/* A line that spoils bytes, hosts that die, resets: the plan always comes to its end, once, and
 * the client's time is the board's. */
static void test_storms(void **state)
{
    (void)state;
    uint64_t seed = dice_seed("storms");
    for (unsigned round = 0; round < 60; round++) {
        struct rig *rig = rig_open(NULL);
        rig->dice = dice_make(seed + round);
        rig->spoil = 0.002;
        rig->config.plan.budget_s = 3600;
        host_start(rig);
        uint32_t last = UINT32_MAX;
        unsigned segment = 0;
        for (unsigned step = 0; step < 4000 && view(rig).state != CONTROLLER_OVER; step++) {
            if (view(rig).state == CONTROLLER_READY &&
                client_start(rig->client, host_now(rig)) == BL_OK)
                rig->config.begun = true; /* on record before it is said */
            run(rig, 20 + dice_below(&rig->dice, 200));
            const struct watchdog *w = rig->board.watchdog;
            if (controller_state_begun(w->state)) {
                if (w->segment != segment)
                    last = UINT32_MAX;
                segment = w->segment;
                assert_true(w->left <= last);
                last = w->left;
            }
            /* A checksum of eight bits lets a spoiled sentence pass now and then; one of the next
             * puts it right. */
            for (unsigned sentence = 0; apart_us(rig) > 100000; sentence++) {
                assert_true(sentence < 4);
                run(rig, 1000);
            }
            if (dice_below(&rig->dice, 300) == 0) {
                watchdog_board_reset(&rig->board, SAY_WATCHDOG);
            } else if (dice_below(&rig->dice, 300) == 0) {
                host_die(rig);
                run(rig, dice_below(&rig->dice, 6000));
                host_start(rig);
            }
        }
        if (view(rig).state != CONTROLLER_OVER)
            fail_msg("round %u: not over, %s:\n%s", round,
                     sentence_text(rig->board.watchdog->state), rig->words);
        rig_close(rig);
    }
}

/* The host's clock runs by so much faster or slower; the least of ticks is 2 ms. */
static void test_drift(void **state)
{
    (void)state;
    static const int ppm[] = {0, 50, -50, 500, -5000, 5000};
    for (unsigned i = 0; i < sizeof ppm / sizeof ppm[0]; i++) {
        struct rig *rig = rig_open("drift");
        rig->rate = 1 / (1 + ppm[i] / 1e6); /* the controller is fast by that */
        rig->config.plan.count = 0;
        host_start(rig);
        run(rig, 5000);
        assert_false(view(rig).drift_known);
        run(rig, 300000);
        assert_true(view(rig).drift_known);
        int64_t off = view(rig).drift_ppb - ppm[i] * 1000;
        if (off < -15000 || off > 15000)
            fail_msg("%d ppm measured as %lld ppb", ppm[i], (long long)view(rig).drift_ppb);
        rig_close(rig);
    }
}

/* What is connected is wrong: no second is counted until the key was turned to PAUSE and back, or
 * the host talks again, and then the segment has all its time. */
static void test_quiet_host_counts_nothing(void **state)
{
    (void)state;
    struct rig *rig = rig_started("a quiet host");
    for (unsigned i = 0; i < 2; i++) {
        run(rig, 3000);
        client_be_quiet(rig->client);
        run_until(rig, CONTROLLER_LOST, 3500);
        run(rig, 20000);
        assert_true(view(rig).quiet);
        assert_int_equal(view(rig).state, CONTROLLER_LOST);
        assert_int_equal(rig->board.watchdog->drive, 0);
        assert_int_equal(client_due(rig->client), BL_NEVER);
        assert_int_equal(rig->board.watchdog->left, WATCHDOG_TICKS(20000));
        if (i == 0) {
            watchdog_board_key_switch(&rig->board, false);
            run_until(rig, CONTROLLER_PAUSED, 1000);
            assert_false(view(rig).quiet);
            run(rig, 5000);
            watchdog_board_key_switch(&rig->board, true);
        } else {
            client_talk(rig->client, host_now(rig));
        }
        run_until(rig, CONTROLLER_CONNECT, 1000);
        assert_true(view(rig).left_us == 20000000);
    }
    client_go(rig->client, host_now(rig));
    run_until(rig, CONTROLLER_OPEN, 1000);
    rig_close(rig);
}

/* The next session on a controller, with the same plan, is never told that it is over. */
static void test_next_session_is_fresh(void **state)
{
    (void)state;
    struct rig *rig = rig_started("the next session");
    client_go(rig->client, host_now(rig));
    run_until(rig, CONTROLLER_OVER, 60000);
    host_die(rig);
    run(rig, 5000);
    rig->config.nonce = NONCE + 1;
    rig->fresh = true;
    host_start(rig);
    run_until(rig, CONTROLLER_READY, 5000);
    assert_true(view(rig).mine);
    assert_false(rig->stale);
    rig_close(rig);
}

static void test_orders_without_a_session(void **state)
{
    (void)state;
    struct rig *rig = rig_open("orders");
    rig->config.plan.count = 0;
    host_start(rig);
    run(rig, 2000);
    client_test(rig->client, host_now(rig));
    run(rig, 200);
    assert_int_equal(view(rig).done, 1);
    client_calibrate(rig->client, WATCHDOG_CAL_BIAS + 400, host_now(rig));
    run(rig, 500);
    assert_int_equal(view(rig).done, 2);
    watchdog_board_reset(&rig->board, SAY_POWER);
    run(rig, 2000);
    assert_int_equal(view(rig).calibration, WATCHDOG_CAL_BIAS + 400);
    rig_close(rig);
}

/* What is shown in five seconds. */
static uint8_t shown(struct rig *rig)
{
    run(rig, 1000);
    rig->board.shown = 0;
    run(rig, 5000);
    return rig->board.shown;
}

#define CALL (IO_LAMP_BREAK | IO_LAMP_FAULT | IO_BUZZER)

/* The steward's call is seen and heard at the box, whatever it is about, and changes no line and no
 * time. */
static void test_steward_is_called(void **state)
{
    (void)state;
    struct rig *rig = rig_started("steward");
    client_call(rig->client, true, host_now(rig));
    assert_int_equal(shown(rig) & CALL, CALL); /* in the connect phase */
    client_go(rig->client, host_now(rig));
    run_until(rig, CONTROLLER_OPEN, 1000);
    uint64_t left_us = view(rig).left_us;
    assert_int_equal(shown(rig) & CALL, CALL);
    assert_in_range(view(rig).left_us + 6000000, left_us - 50000, left_us + 50000);
    assert_int_equal(rig->board.watchdog->drive, SEGMENT_A);
    unsigned bells = rig->bells;
    watchdog_board_reset(&rig->board, SAY_WATCHDOG); /* it is told again */
    run(rig, 2000);
    assert_true(rig->bells > bells);
    assert_int_equal(shown(rig) & CALL, CALL);
    client_call(rig->client, false, host_now(rig));
    run_until(rig, CONTROLLER_CONNECT, 20000);
    assert_int_equal(shown(rig) & IO_LAMP_FAULT, 0);
    client_call(rig->client, true, host_now(rig));
    run(rig, 500);
    host_die(rig); /* who calls is gone, and another does not call */
    run(rig, 100);
    rig->config.begun = true;
    host_start(rig);
    run(rig, 3000);
    assert_int_equal(shown(rig) & IO_LAMP_FAULT, 0); /* the buzzer may tell of a part's end */
    rig_close(rig);
}

/* Firmware that does not know the sentence is asked once. */
static void test_no_bell(void **state)
{
    struct sentence_writer w;
    (void)state;
    struct rig *rig = rig_started("no bell");
    client_call(rig->client, true, host_now(rig));
    assert_int_equal(rig->bells, 1);
    sentence_begin(&w, SAY_NAK, NONCE);
    sentence_put_word(&w, SAY_UNKNOWN);
    sentence_put_word(&w, SAY_UNKNOWN);
    sentence_end(&w);
    client_bytes(rig->client, w.text, w.length, host_now(rig));
    for (unsigned i = 0; i < 10; i++) {
        client_call(rig->client, i % 2, host_now(rig));
        run(rig, 700);
    }
    assert_int_equal(rig->bells, 1);
    assert_true(view(rig).mine);
    rig_close(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_whole_session),
        cmocka_unit_test(test_damaged_plan_is_sent_again),
        cmocka_unit_test(test_damaged_time_is_not_believed),
        cmocka_unit_test(test_started_while_it_is_looked_at),
        cmocka_unit_test(test_reset_when_just_stored),
        cmocka_unit_test(test_key_pauses_and_goes_on),
        cmocka_unit_test(test_abort),
        cmocka_unit_test(test_exchanged_board),
        cmocka_unit_test(test_start_wants_the_key),
        cmocka_unit_test(test_host_killed),
        cmocka_unit_test(test_controller_reset),
        cmocka_unit_test(test_port_lost_and_back),
        cmocka_unit_test(test_two_hosts),
        cmocka_unit_test(test_foreign_session),
        cmocka_unit_test(test_spare_machine),
        cmocka_unit_test(test_session_that_is_gone),
        cmocka_unit_test(test_silent_controller),
        cmocka_unit_test(test_storms),
        cmocka_unit_test(test_drift),
        cmocka_unit_test(test_quiet_host_counts_nothing),
        cmocka_unit_test(test_next_session_is_fresh),
        cmocka_unit_test(test_orders_without_a_session),
        cmocka_unit_test(test_steward_is_called),
        cmocka_unit_test(test_no_bell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
