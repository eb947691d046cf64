/* A thousand sessions that really run, on the core of the firmware and the host's side of it: plans
 * by dice that the controller acknowledges, starts, and counts to their end, while the power is
 * cut, browns out, the host dies or is silent, the line spoils bytes and the key is turned. A model
 * beside it says which lines may be closed. Between the sessions time goes on, 49.7 days in all, so
 * that the counters of milliseconds run over. Source: DESIGN.md, "Controller", points 1 to 5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "controller/client.h"
#include "tests/support/random.h"
#include "tests/support/watchdog_board.h"

#define PLANS     1000u
#define DAYS_MS   4294967296ull /* 49.7 days */
#define GRACE_MS  100u          /* debouncing, the main loop's turn */
#define PATIENCE  300000u       /* ms of a session; then it is given up */
#define EVENT_MS  4000u         /* on average between two events */
#define CONNECT_S 2u

struct model {
    struct watchdog_board board;
    struct client *client; /* NULL: the host is dead */
    struct client_config config;
    struct dice dice;
    uint64_t now_ms, heard_ms, key_off_ms;
    unsigned spoil; /* one byte in so many; 0: none */
    bool silent;    /* nothing comes from the host */
    bool accepted;  /* the plan is acknowledged */
    unsigned segment, openings;
    uint8_t drive;
    uint64_t open_ms; /* of the segment, its lines closed and its time counted */
    uint64_t left_ms; /* of the whole plan, at most */
    struct {
        unsigned plans, over, power, brownouts, resets, deaths, silences, keys, spoiled;
    } sum;
};

static uint32_t roll(struct model *m, uint32_t below)
{
    return (uint32_t)dice_below(&m->dice, below);
}

static struct bl_time host_now(const struct model *m)
{
    return (struct bl_time){.mono_us = 5000000 + m->now_ms * 1000,
                            .wall_us = 1795000000000000u + m->now_ms * 1000};
}

static void on_send(void *ctx, const char *bytes, size_t length)
{
    struct model *m = ctx;
    if (m->silent)
        return;
    m->heard_ms = m->now_ms;
    for (size_t i = 0; i < length; i++)
        watchdog_board_give(&m->board, m->spoil && roll(m, m->spoil) == 0
                                           ? (char)(bytes[i] ^ (1 << roll(m, 8)))
                                           : bytes[i]);
}

static void on_changed(void *ctx)
{
    (void)ctx;
}

static void on_happened(void *ctx, const char *words)
{
    (void)ctx;
    (void)words;
}

static void host_start(struct model *m)
{
    const struct client_callbacks callbacks = {on_send, on_changed, on_happened};
    m->client = client_create(&m->config, &callbacks, m);
    assert_non_null(m->client);
    client_port(m->client, true, "", host_now(m));
}

/* What the plan has from a segment on, with so much left of it. */
static uint64_t whole_ms(const struct model *m, unsigned segment, uint64_t left_ms)
{
    for (segment++; segment < m->config.plan.count; segment++)
        left_ms += m->config.plan.segment[segment].seconds * 1000u;
    return left_ms;
}

static bool counts(unsigned state)
{
    return state == SAY_OPEN || state == SAY_CLOSING;
}

/* What must hold after each tick. */
static void look(struct model *m)
{
    const struct watchdog *w = m->board.watchdog;
    const struct client_plan *plan = &m->config.plan;
    uint8_t lines = w->drive & SEGMENT_LINES;
    if (lines) {
        if (!m->accepted)
            fail_msg("a line is closed and no plan is accepted");
        if (w->state != SAY_CONNECT && !counts(w->state))
            fail_msg("a line is closed in state %u", w->state);
        if (w->segment >= plan->count || lines != (plan->segment[w->segment].flags & SEGMENT_LINES))
            fail_msg("lines %u are closed in segment %u", lines, w->segment);
        if (w->segment < m->segment)
            fail_msg("segment %u has come again after %u", w->segment, m->segment);
        if (m->now_ms - m->heard_ms > WATCHDOG_LEASE_MS + GRACE_MS)
            fail_msg("a line is closed, the host silent for %u ms",
                     (unsigned)(m->now_ms - m->heard_ms));
        if (!(m->board.inputs & STATUS_KEY_SWITCH) && m->now_ms - m->key_off_ms > GRACE_MS)
            fail_msg("a line is closed with the key at PAUSE");
        if (w->segment > m->segment) {
            m->segment = w->segment;
            m->open_ms = m->openings = 0;
        }
        m->openings += m->drive == 0;
        m->open_ms += counts(w->state) ? WATCHDOG_TICK_MS : 0;
        if (m->open_ms > plan->segment[m->segment].seconds * 1000u + m->openings * WATCHDOG_TICK_MS)
            fail_msg("segment %u was open for %u ms", m->segment, (unsigned)m->open_ms);
    }
    m->drive = lines;
    if (m->accepted && controller_state_begun(w->state))
        m->config.begun = true; /* so the host's record says, when it comes back */
    if (m->accepted && counts(w->state)) {
        uint64_t left_ms = whole_ms(m, w->segment, (uint64_t)w->left * WATCHDOG_TICK_MS);
        if (left_ms > m->left_ms)
            fail_msg("%u ms were gained", (unsigned)(left_ms - m->left_ms));
        m->left_ms = left_ms;
    }
}

static void pass(struct model *m, uint64_t for_ms)
{
    for (uint64_t ms = 0; ms < for_ms; ms += WATCHDOG_TICK_MS) {
        char bytes[256];
        m->now_ms += WATCHDOG_TICK_MS;
        watchdog_board_tick(&m->board);
        size_t length = watchdog_board_take(&m->board, bytes, sizeof bytes);
        for (size_t i = 0; i < length; i++)
            if (m->spoil && roll(m, m->spoil) == 0)
                bytes[i] = (char)(bytes[i] ^ (1 << roll(m, 8)));
        if (m->client && length)
            client_bytes(m->client, bytes, length, host_now(m));
        if (m->client && client_due(m->client) <= host_now(m).mono_us)
            client_tick(m->client, host_now(m));
        look(m);
    }
}

static void turn_key(struct model *m, bool run)
{
    m->key_off_ms = m->now_ms;
    watchdog_board_key_switch(&m->board, run);
}

static void cut_power(struct model *m)
{
    uint64_t off_ms = roll(m, 4000);
    m->now_ms += off_ms; /* nothing runs; the host finds out */
    memset(m->board.watchdog, (int)roll(m, 256), sizeof *m->board.watchdog);
    watchdog_board_reset(&m->board, SAY_POWER);
}

static void happen(struct model *m)
{
    switch (roll(m, 8)) {
    case 0:
        m->sum.power++;
        cut_power(m);
        break;
    case 1:
        m->sum.brownouts++;
        watchdog_board_reset(&m->board, SAY_BROWNOUT);
        break;
    case 2:
        m->sum.resets++;
        watchdog_board_reset(&m->board, roll(m, 2) ? SAY_WATCHDOG : SAY_BUTTON);
        break;
    case 3:
        m->sum.deaths++;
        client_destroy(m->client);
        m->client = NULL;
        pass(m, roll(m, 5000));
        host_start(m);
        break;
    case 4:
        m->sum.silences++;
        m->silent = true;
        pass(m, roll(m, 6000));
        m->silent = false;
        break;
    case 5:
        m->sum.keys++;
        turn_key(m, false);
        pass(m, roll(m, 1500));
        turn_key(m, true);
        break;
    default:
        m->sum.spoiled++;
        m->spoil = m->spoil ? 0 : 50 + roll(m, 500);
    }
}

/* What steward and terminals do as the state asks. */
static void serve(struct model *m)
{
    struct client_view view;
    client_view(m->client, &view, host_now(m));
    if (view.mine && !m->accepted && view.state == CONTROLLER_READY) {
        m->accepted = true;
        m->sum.plans++;
        m->left_ms = whole_ms(m, 0, m->config.plan.segment[0].seconds * 1000u);
    }
    if (view.mine && (view.state == CONTROLLER_READY || view.state == CONTROLLER_WAIT))
        client_start(m->client, host_now(m));
    if (view.mine && view.state == CONTROLLER_CONNECT && roll(m, 4) == 0)
        client_go(m->client, host_now(m));
    if (view.state == CONTROLLER_FAULT) {
        turn_key(m, false);
        pass(m, 500);
        turn_key(m, true);
    }
}

static void choose_plan(struct model *m)
{
    static const uint8_t lines[] = {SEGMENT_A, SEGMENT_B, SEGMENT_LINES, 0};
    struct client_plan *plan = &m->config.plan;
    m->config = (struct client_config){.nonce = (uint16_t)(1 + roll(m, 65535))};
    plan->count = 2 + roll(m, 4);
    plan->connect_s = roll(m, CONNECT_S + 1);
    plan->budget_s = roll(m, 300);
    for (unsigned i = 0; i < plan->count; i++)
        plan->segment[i] = (struct client_segment){
            .seconds = (uint16_t)(3 + roll(m, 5)),
            .flags = (uint8_t)(lines[roll(m, 4)] | (i && roll(m, 3) == 0 ? SEGMENT_WORD : 0))};
}

/* Returns whether the session came to its end. */
static bool play_session(struct model *m)
{
    bool over = false;
    choose_plan(m);
    m->accepted = m->silent = false;
    m->spoil = 0;
    m->segment = m->openings = 0;
    m->open_ms = m->drive = 0;
    host_start(m);
    for (uint64_t end_ms = m->now_ms + PATIENCE; !over && m->now_ms < end_ms;) {
        struct client_view view;
        pass(m, 40);
        serve(m);
        if (m->accepted && roll(m, EVENT_MS / 40) == 0)
            happen(m);
        client_view(m->client, &view, host_now(m));
        over = m->accepted && view.mine && view.state == CONTROLLER_OVER;
    }
    client_destroy(m->client);
    m->client = NULL;
    return over;
}

/* Nobody is there. In a long run each tick of it happens; else the counters are moved on. */
static void rest(struct model *m, uint64_t ms)
{
    m->accepted = false;
    if (getenv("SOAK")) {
        pass(m, ms);
        return;
    }
    pass(m, 5000);
    m->now_ms += ms;
    m->board.watchdog->clock += (uint32_t)(ms / WATCHDOG_SLOW_MS);
}

static void test_sessions(void **state)
{
    static struct model m;
    (void)state;
    m.dice = dice_make(dice_seed("controller sessions"));
    watchdog_board_power(&m.board);
    watchdog_board_key_switch(&m.board, true);
    m.board.watchdog->clock = UINT32_MAX - 100000; /* it runs over too */
    while (m.sum.plans < PLANS) {
        unsigned before = m.sum.plans;
        if (play_session(&m))
            m.sum.over++;
        if (m.sum.plans == before)
            fail_msg("a plan was not acknowledged: state %u, fault %u", m.board.watchdog->state,
                     m.board.watchdog->fault);
        rest(&m, DAYS_MS / PLANS);
        if (m.board.watchdog->state != SAY_OVER && m.board.watchdog->state != SAY_IDLE) {
            watchdog_board_power(&m.board); /* the steward takes the spare one */
            watchdog_board_key_switch(&m.board, true);
        }
    }
    printf("# %u plans acknowledged, %u came to their end; %u power cuts, %u brown-outs, %u "
           "resets, "
           "%u hosts died, %u fell silent, %u turns of the key, %u bad lines; %.1f days\n",
           m.sum.plans, m.sum.over, m.sum.power, m.sum.brownouts, m.sum.resets, m.sum.deaths,
           m.sum.silences, m.sum.keys, m.sum.spoiled, (double)m.now_ms / 86400000);
    assert_true(m.sum.over > PLANS / 2);
    assert_true(m.sum.power > 100 && m.sum.brownouts > 100 && m.now_ms >= DAYS_MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sessions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
