#include "tests/chip/storm.h"

#include "tests/chip/rig.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRACE_MS 120 /* debouncing, the store, the pump and the relay */
#define STEP_MS  5

/* The lines of these differ, so that what is closed says which segment it is. */
static const struct rig_segment plan[] = {
    {9, SEGMENT_A, 3}, {3, 0, 0}, {14, SEGMENT_B, 5}, {7, SEGMENT_LINES, 0}};

#define COUNT     (sizeof(plan) / sizeof(plan[0]))
#define CONNECT_S 1

struct storm {
    struct rig rig;
    struct dice *dice;
    unsigned phase; /* the segment whose lines were closed last */
    uint64_t closed_ms[COUNT];
    unsigned openings[COUNT];
    unsigned happened;       /* each of these may open and close a line too shortly to be seen */
    unsigned last;           /* lines closed before */
    unsigned alone_ms;       /* since one line of two was closed alone */
    uint64_t heard, key_off; /* when the host spoke last, when the key was turned; ms */
    uint32_t total_ms;
    bool alive, key;
};

static uint64_t now_ms(const struct storm *storm)
{
    return chip_now(storm->rig.chip) / (chip_clock(storm->rig.chip) / 1000);
}

/* What the memory says at this instant, perhaps in the middle of a change. */
static uint32_t glance_ms(const struct rig *rig)
{
    unsigned segment =
        chip_ram(rig->chip, chip_watchdog(rig->chip) + offsetof(struct watchdog, segment));
    uint32_t left = rig_left_ms(rig);

    for (segment++; segment < COUNT; segment++)
        left += plan[segment].seconds * 1000;
    return left;
}

/* Not so while it starts after a reset: then the time that is left is not yet there. */
static bool is_in_session(const struct rig *rig)
{
    unsigned state =
        chip_ram(rig->chip, chip_watchdog(rig->chip) + offsetof(struct watchdog, state));

    return state >= SAY_WAIT && (rig_left_ms(rig) > 0 || state == SAY_CUT || state == SAY_OVER);
}

/* Two glances that agree. */
static uint32_t total_ms(const struct rig *rig)
{
    uint32_t before, after = glance_ms(rig);
    int tries = 0;

    do {
        before = after;
        chip_run(rig->chip, CHIP_MS(rig->chip, 1));
        after = glance_ms(rig);
        assert_true(++tries < 1000);
    } while (after > before || before - after > 4 || !is_in_session(rig));
    return after;
}

/* What is left, not read while it is being written. */
static uint32_t steady_ms(const struct rig *rig)
{
    uint32_t before, left = rig_left_ms(rig);

    do {
        before = left;
        chip_run(rig->chip, CHIP_MS(rig->chip, 1) / 100);
        left = rig_left_ms(rig);
    } while (left != before);
    return left;
}

/* What must hold at any time. */
static void look(struct storm *storm)
{
    unsigned closed = rig_closed(&storm->rig);
    uint64_t now = now_ms(storm);
    const struct rig_segment *segment;

    if (closed) {
        while (storm->phase < COUNT && (closed & ~plan[storm->phase].flags))
            storm->phase++;
        /* Past the last segment means that the plan went backwards. Where both lines are closed
         * their contacts need not move at once. */
        assert_true(storm->phase < COUNT);
        segment = &plan[storm->phase % COUNT];
        if (closed == (segment->flags & SEGMENT_LINES))
            storm->alone_ms = 0;
        else
            storm->alone_ms += STEP_MS;
        assert_true(storm->alone_ms <= GRACE_MS);
        storm->closed_ms[storm->phase] += STEP_MS;
        if (storm->last != closed)
            storm->openings[storm->phase]++;
        assert_true(storm->closed_ms[storm->phase] <=
                    segment->seconds * 1000 + (storm->openings[storm->phase] + storm->happened) *
                                                  (CONNECT_S * 1000 + GRACE_MS));
        assert_true(now - storm->heard <= WATCHDOG_LEASE_MS + GRACE_MS);
        assert_true(storm->key || now - storm->key_off <= GRACE_MS);
    } else {
        storm->alone_ms = 0;
    }
    storm->last = closed;
}

static void pass(struct storm *storm, uint32_t ms)
{
    for (uint32_t passed = 0; passed < ms; passed += STEP_MS) {
        rig_pass(&storm->rig, STEP_MS);
        if (!storm->rig.silent)
            storm->heard = now_ms(storm);
        look(storm);
    }
}

static void turn_key(struct storm *storm, bool run)
{
    if (storm->key && !run)
        storm->key_off = now_ms(storm);
    storm->key = run;
    chip_key_switch(storm->rig.chip, run);
}

static void lose_power(struct storm *storm)
{
    struct chip *chip = storm->rig.chip;

    chip_cut(chip, 0, (enum chip_tear)dice_below(storm->dice, 3));
    for (int i = 0; i < 1000 && !chip_is_off(chip); i++)
        pass(storm, STEP_MS);
    chip_off(chip);
    pass(storm, 20 * (1 + (uint32_t)dice_below(storm->dice, 20)));
    chip_reset(chip, CHIP_POWER);
}

static void host_dies(struct storm *storm)
{
    storm->rig.silent = true;
    pass(storm, (uint32_t)dice_below(storm->dice, 9000));
    if (dice_below(storm->dice, 2))
        storm->rig.nonce = (uint16_t)(1 + dice_below(storm->dice, 0xffff)); /* another takes over */
    pass(storm, 5000);
    storm->rig.silent = false;
}

static void noise(struct storm *storm)
{
    char bytes[200];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)dice_next(storm->dice);
    chip_send(storm->rig.chip, bytes, dice_below(storm->dice, sizeof(bytes)));
    chip_send(storm->rig.chip, "\r\n", 2);
}

static void happen(struct storm *storm)
{
    struct chip *chip = storm->rig.chip;

    storm->happened++;
    switch (dice_below(storm->dice, 9)) {
    case 0:
        host_dies(storm);
        break;
    case 1:
        chip_reset(chip, CHIP_BUTTON);
        break;
    case 2:
        chip_reset(chip, CHIP_BROWNOUT);
        break;
    case 3:
        chip_hang(chip);
        break;
    case 4:
        lose_power(storm);
        break;
    case 5:
        turn_key(storm, false);
        pass(storm, (uint32_t)dice_below(storm->dice, 4000));
        turn_key(storm, true);
        break;
    case 6: /* a cable out and in */
        storm->rig.silent = true;
        pass(storm, (uint32_t)dice_below(storm->dice, 2500));
        storm->rig.silent = false;
        break;
    default:
        noise(storm);
    }
}

/* One session: hosts that are killed and come back with another nonce, resets of every kind, losses
 * of power while the store is written, turns of the key, damaged and lost bytes. Fails the test
 * when a line is closed that its segment does not close, closes again after its segment, outlasts
 * key or host, or when time grows. Returns whether the session came to its end. */
static bool storm_session(struct dice *dice)
{
    struct storm storm = {.dice = dice, .key = true};
    struct rig *rig = &storm.rig;
    uint32_t total;
    bool over = false;

    rig_open(rig);
    rig_plan(rig, plan, COUNT, CONNECT_S, (unsigned)dice_below(dice, 120));
    rig_run(rig);
    storm.heard = now_ms(&storm);
    total = total_ms(rig);
    for (int i = 0; i < 150 && !over; i++) {
        uint32_t left;

        pass(&storm, (uint32_t)dice_below(dice, 1500));
        if (dice_below(dice, 6) == 0)
            happen(&storm);
        rig_say(rig, "HEL", NULL); /* as a host does that has lost its answers */
        pass(&storm, 40);
        over = rig->state == SAY_OVER;
        left = total_ms(rig);
        assert_true(over || left <= total);
        total = left;
        if (rig->state == SAY_FAULT) {
            turn_key(&storm, false);
            pass(&storm, 500);
            turn_key(&storm, true);
        }
    }
    rig_close(rig);
    return over;
}

static const char *const types[] = {"HEL", "PLN", "SEG", "FIX", "RUN", "BEA", "CAL",
                                    "TST", "ACK", "STA", "EVT", "NAK", "XYZ"};

/* One sentence into text; returns its length. */
static size_t sentence_make(struct dice *dice, char *text, size_t size)
{
    char body[100];
    uint8_t sum = 0;
    size_t length;

    length = (size_t)snprintf(body, sizeof(body), "BL%s,%04X", types[dice_below(dice, 13)],
                              dice_below(dice, 8) ? RIG_NONCE : (unsigned)dice_below(dice, 65536));
    for (unsigned fields = (unsigned)dice_below(dice, 6); fields > 0; fields--)
        length += (size_t)snprintf(body + length, sizeof(body) - length, ",%u",
                                   (unsigned)dice_below(dice, 1u << dice_below(dice, 30)));
    for (size_t i = 0; i < length; i++)
        sum ^= (uint8_t)body[i];
    length = (size_t)snprintf(text, size, "$%s*%02X\r\n", body, sum);
    if (dice_below(dice, 3) == 0)
        text[dice_below(dice, length)] = (char)dice_next(dice);
    if (dice_below(dice, 20) == 0)
        length = dice_below(dice, length);
    if (dice_below(dice, 20) == 0) {
        for (size_t i = 0; i < length; i++)
            text[i] = (char)dice_next(dice);
    }
    return length;
}

/* A chip that is slow to simulate has all of the short run in a long one. */
static bool is_soak(void)
{
    return getenv("SOAK") && !chip_kind.slow;
}

/* A storm is long: of a chip that is slow to simulate a fifth of its share is played. */
static unsigned storm_share(unsigned count)
{
    unsigned share = rig_share(count);

    return share < count ? share / 5 : count;
}

/* Acts of steward and host at one of a number of sentences: each state comes. */
static void meanwhile(struct rig *rig, unsigned at, unsigned number)
{
    if (at == number * 3 / 10 || at == number / 2)
        chip_key_switch(rig->chip, at == number / 2);
    if (at == number * 7 / 10) {
        rig->silent = true;
        rig_pass(rig, 4000);
    }
    if (at == number * 9 / 10)
        rig->silent = false;
}

/* So many sentences, random, mutated and well formed but wrong, before a session and in it, while
 * the steward turns the key and the host falls silent. No line closes that a plan does not close,
 * no time grows, nothing resets. */
static void storm_sentences(struct dice *dice, unsigned count)
{
    static const struct rig_segment long_plan[] = {{28000, SEGMENT_A, 0}};
    struct rig rig;
    const unsigned number = count / 2 < 1000 ? count / 2 : 1000;
    unsigned said = 0, seen = 0;

    rig_open(&rig);
    rig_plan(&rig, long_plan, 1, 0, 3600);
    /* Before the start the storm may well make a plan; that nothing closes is all that counts. */
    for (; said < count / 2; said++) {
        char text[160];
        size_t length = sentence_make(dice, text, sizeof(text));

        if (memmem(text, length, "RUN", 3))
            continue;
        chip_send(rig.chip, text, length);
        chip_run(rig.chip, CHIP_MS(rig.chip, 12));
        assert_int_equal(rig_closed(&rig), 0);
    }
    rig.nonce = RIG_NONCE;
    chip_send(rig.chip, "\r\n", 2);
    rig.silent = true;
    rig_pass(&rig, 4000); /* whoever claimed it by a lucky nonce is gone */
    rig.silent = false;
    rig_plan(&rig, long_plan, 1, 0, 3600);
    rig_run(&rig);
    rig_pass(&rig, 500);
    for (; said < count; said++) {
        char text[160];
        uint32_t left = steady_ms(&rig);

        meanwhile(&rig, (said - count / 2) % number, number);
        chip_send(rig.chip, text, sentence_make(dice, text, sizeof(text)));
        rig_pass(&rig, 12);
        seen |=
            1u << chip_ram(rig.chip, chip_watchdog(rig.chip) + offsetof(struct watchdog, state));
        assert_int_equal(rig_closed(&rig) & ~SEGMENT_A, 0);
        assert_true(steady_ms(&rig) <= left);
    }
    assert_int_equal(chip_resets(rig.chip), 1);
    print_message("# %u sentences in %ju s of the controller's time\n", said,
                  (uintmax_t)(chip_now(rig.chip) / chip_clock(rig.chip)));
    /* It was there in the states that a session can stand in. */
    assert_true(seen & 1u << SAY_OPEN);
    assert_true(seen & 1u << SAY_PAUSED);
    assert_true(seen & 1u << SAY_LOST);
    rig_close(&rig);
}

static void test_schedules(void **state)
{
    struct dice dice = dice_make(dice_seed("schedules"));
    unsigned ended = 0, count = is_soak() ? 1000 : storm_share(100);

    (void)state;
    for (unsigned i = 0; i < count; i++)
        ended += storm_session(&dice);
    print_message("# %u of %u sessions came to their end\n", ended, count);
    assert_true(ended >= count / 2);
}

static void test_sentences(void **state)
{
    const unsigned *sentences = *state;
    struct dice dice = dice_make(dice_seed("sentences"));

    storm_sentences(&dice, is_soak() ? STORM_SENTENCES : storm_share(*sentences));
}

int storm_run(const char *name, unsigned sentences)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedules),
        cmocka_unit_test_prestate(test_sentences, &sentences),
    };

    return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}
