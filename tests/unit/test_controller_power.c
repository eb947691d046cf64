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

#include <cmocka.h>

#include "tests/sim/controller/rig.h"

/* A session of every kind of write: a plan after a plan, start, marks, a new record, a segment without
 * lines, a pause of the host's, a fault by the key's budget and the end. */
static const struct rig_segment plan[] = {
    {18, SEGMENT_LEFT, 0}, {2, 0, 0}, {5, SEGMENT_RIGHT, 0}};

#define COUNT (sizeof(plan) / sizeof(plan[0]))

/* What is true when the power goes. */
struct truth {
    bool answered;     /* the new plan is there, the host was told so */
    bool begun, ended; /* the session */
    unsigned segment;
    uint32_t left_ms;
};

static uint32_t total_ms(unsigned segment, uint32_t left_ms)
{
    for (segment++; segment < COUNT; segment++)
        left_ms += plan[segment].seconds * 1000;
    return left_ms;
}

static unsigned memory(const struct rig *rig, size_t at)
{
    return chip_ram(rig->chip, chip_watchdog(rig->chip) + (unsigned)at);
}

/* The truth is in the firmware's memory, and in what the host was told. */
static void look(struct rig *rig, struct truth *truth)
{
    unsigned state = memory(rig, offsetof(struct watchdog, state));

    truth->segment = memory(rig, offsetof(struct watchdog, segment));
    truth->left_ms = rig_left_ms(rig);
    truth->begun = state >= SAY_WAIT;
    truth->ended = state == SAY_OVER;
}

/* Lets time pass a little at a time, until the power goes or the event is there. */
static bool go(struct rig *rig, enum sentence_word until, uint32_t ms, struct truth *truth)
{
    unsigned seen = rig->events;

    for (uint32_t passed = 0; passed < ms; passed++) {
        struct truth now;

        look(rig, &now);
        if (now.left_ms || now.segment || now.ended)
            *truth = now;
        rig_pass(rig, 1);
        for (; seen != rig->events; seen++) {
            if (rig->event[seen % RIG_EVENTS].what == SAY_READY)
                truth->answered = true;
            if (rig->event[seen % RIG_EVENTS].what == until)
                return true;
        }
        if (chip_is_off(rig->chip))
            return false;
    }
    return false;
}

static void say_plan(struct rig *rig)
{
    char text[64];

    snprintf(text, sizeof(text), "%zu,0,30", COUNT);
    rig_ask(rig, "PLN", text);
    for (unsigned i = 0; i < COUNT; i++) {
        snprintf(text, sizeof(text), "%u,%u,%u,%u", i, plan[i].seconds, plan[i].flags, plan[i].warn);
        rig_ask(rig, "SEG", text);
    }
    rig_say(rig, "FIX", NULL);
}

/* From the plan to the end, or to the loss of power. */
static void session(struct rig *rig, struct truth *truth)
{
    memset(truth, 0, sizeof(*truth));
    say_plan(rig);
    if (!go(rig, SAY_READY, 1000, truth))
        return;
    rig_say(rig, "RUN", "0");
    if (!go(rig, SAY_OPEN, 1000, truth) || go(rig, SAY_COUNT, 17000, truth) ||
        chip_is_off(rig->chip))
        return;
    rig->silent = true;
    if (!go(rig, SAY_OPEN, 2000, truth) && chip_is_off(rig->chip))
        return;
    if (!go(rig, SAY_LOST, 4000, truth))
        return;
    go(rig, SAY_COUNT, 500, truth);
    rig->silent = false;
    go(rig, SAY_OVER, 9000, truth);
    go(rig, SAY_COUNT, 300, truth);
}
