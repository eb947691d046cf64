/* The controller's power goes at every byte that it writes into its EEPROM in a session, and each
 * time the byte is left written, erased or as garbage: contract "Controller", point 5, on the
 * firmware's own ELF. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/chip/rig.h"

#define TEARS 3
#define SOME  16   /* of so many writes one has each tear, on a chip that is slow to simulate */
#define LESS  2000 /* ms that may be lost */

/* A session with every kind of write: a plan where there was one, the start, marks, a new record, a
 * segment without lines, a silent host, the end. */
static const struct rig_segment plan[] = {{18, SEGMENT_A, 0}, {2, 0, 0}, {5, SEGMENT_B, 0}};
static const struct rig_segment plan_before[] = {{77, SEGMENT_B, 0}};

#define COUNT (sizeof(plan) / sizeof(plan[0]))

static struct {
    uint32_t plan, plan_before; /* their checksums, as HEL tells them */
    bool answered;              /* the host was told that the new plan is there */
    uint64_t writes;            /* seen */
    unsigned cuts;
} sweep;

static unsigned memory(const struct rig *rig, size_t at)
{
    return chip_ram(rig->chip, chip_watchdog(rig->chip) + (unsigned)at);
}

/* What is left of all segments together, by the firmware's memory. */
static uint32_t total_ms(const struct rig *rig)
{
    unsigned state = memory(rig, offsetof(struct watchdog, state));
    unsigned segment = memory(rig, offsetof(struct watchdog, segment));
    uint32_t left = state == SAY_READY ? plan[0].seconds * 1000 : rig_left_ms(rig);

    for (segment++; segment < COUNT; segment++)
        left += plan[segment].seconds * 1000;
    return state == SAY_OVER ? 0 : left;
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr,                                                                        \
                    "write %ju, tear %d: not so: %s (state %u, truth %u ms, found %u ms)\n",       \
                    (uintmax_t)chip_writes(rig->chip), tear, #condition,                           \
                    memory(rig, offsetof(struct watchdog, state)), truth, found);                  \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

/* In a process of its own, while a byte is being written. */
static bool survives(struct rig *rig, enum chip_tear tear)
{
    uint32_t truth = 0, found = 0;
    bool begun;

    rig->silent = true;
    chip_cut(rig->chip, 0, tear);
    for (int ms = 0; ms < 5 && !chip_is_off(rig->chip); ms++)
        chip_run(rig->chip, CHIP_MS(rig->chip, 1));
    CHECK(chip_is_off(rig->chip));
    begun = memory(rig, offsetof(struct watchdog, state)) >= SAY_WAIT;
    truth = total_ms(rig);
    chip_run(rig->chip, CHIP_MS(rig->chip, 50));
    CHECK(rig_closed(rig) == 0);

    chip_reset(rig->chip, CHIP_POWER);
    for (int ms = 0; ms < 200; ms += 10) {
        chip_run(rig->chip, CHIP_MS(rig->chip, 10));
        CHECK(rig_closed(rig) == 0);
    }
    found = total_ms(rig);
    rig_ask(rig, "HEL", NULL);
    CHECK(rig->plan == sweep.plan || (rig->plan == sweep.plan_before && !sweep.answered));
    if (begun) {
        CHECK(found <= truth);
        CHECK(found + LESS >= truth);
        rig->silent = false;
        rig_pass(rig, 400); /* and it goes on */
        rig_ask(rig, "BEA", NULL);
        CHECK((rig_closed(rig) & ~plan[rig->segment % COUNT].flags) == 0);
        CHECK(rig->state == SAY_READY || rig->state == SAY_OPEN || rig->state == SAY_CLOSING ||
              rig->state == SAY_OVER);
    }
    CHECK(rig->fault == SAY_NONE || !begun);
    return true;
}

static void cut_everywhere(struct rig *rig)
{
    for (int tear = 0; tear < TEARS; tear++) {
        if (rig_share(10) < 10 && chip_writes(rig->chip) % SOME != (unsigned)tear)
            continue;

        pid_t child = fork();
        int status;

        assert_int_not_equal(child, -1);
        if (child == 0)
            _exit(survives(rig, (enum chip_tear)tear) ? 0 : 1);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        sweep.cuts++;
    }
}

/* Lets time pass until the event, cutting at every byte. */
static bool go(struct rig *rig, enum sentence_word until, uint32_t ms)
{
    unsigned seen = rig->events;

    for (uint32_t passed = 0; passed < ms; passed++) {
        rig_pass(rig, 1);
        for (; seen != rig->events; seen++) {
            enum sentence_word what = rig->event[seen % RIG_EVENTS].what;

            sweep.answered |= what == SAY_READY;
            if (what == until)
                return true;
        }
        if (sweep.writes != chip_writes(rig->chip)) {
            /* A write is shorter than two of these, so none is missed. */
            assert_int_equal(chip_writes(rig->chip), sweep.writes + 1);
            sweep.writes++;
            cut_everywhere(rig);
        }
    }
    return false;
}

static void say_plan(struct rig *rig)
{
    char text[64];

    snprintf(text, sizeof(text), "%zu,0,30", COUNT);
    rig_ask(rig, "PLN", text);
    for (unsigned i = 0; i < COUNT; i++) {
        snprintf(text, sizeof(text), "%u,%u,%u,%u", i, plan[i].seconds, plan[i].flags,
                 plan[i].warn);
        rig_ask(rig, "SEG", text);
    }
    rig_say(rig, "FIX", NULL);
}

static void test_point_5_power_lost_at_every_byte(void **state)
{
    struct rig rig;

    (void)state;
    rig_open(&rig);
    rig_plan(&rig, plan, COUNT, 0, 30); /* to learn its checksum */
    rig_ask(&rig, "HEL", NULL);
    sweep.plan = rig.plan;
    rig_plan(&rig, plan_before, 1, 0, 60);
    rig_ask(&rig, "HEL", NULL);
    sweep.plan_before = rig.plan;
    assert_int_not_equal(sweep.plan, sweep.plan_before);
    sweep.writes = chip_writes(rig.chip);

    say_plan(&rig);
    assert_true(go(&rig, SAY_READY, 1000));
    rig_say(&rig, "RUN", "0");
    assert_true(go(&rig, SAY_OPEN, 1000));
    go(&rig, SAY_COUNT, 16500);
    rig.silent = true;
    go(&rig, SAY_OPEN, 1000);
    rig.silent = false;
    assert_true(go(&rig, SAY_CUT, 4000));
    rig.silent = true;
    assert_true(go(&rig, SAY_LOST, 4000));
    go(&rig, SAY_COUNT, 5000); /* of the budget, which is charged too */
    rig.silent = false;
    assert_true(go(&rig, SAY_OVER, 9000));
    go(&rig, SAY_COUNT, 200);
    assert_int_equal(chip_resets(rig.chip), 1);
    print_message("# %u losses of power\n", sweep.cuts);
    assert_true(sweep.cuts >= TEARS * (rig_share(10) < 10 ? chip_kind.plan_writes / SOME
                                                          : chip_kind.plan_writes));
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_5_power_lost_at_every_byte),
    };

    return cmocka_run_group_tests_name("controller_power", tests, NULL, NULL);
}
