/* "boothlink controller selftest" and "calibrate". */
#include "cli/controller.h"

#include "controller/plan.h"
#include "controller/drift.h"

#include <stdio.h>
#include <stdlib.h>

/* Each relay closes for two seconds: one click when it closes, one when it opens. */
static const char test_plan[] = "2 pause,2 x,2 y";
enum { TEST_A = 1, TEST_B = 2, TEST_PARTS = 3 };

struct selftest {
    bool as_json, started, lamps;
    bool seen[TEST_PARTS];  /* the part came */
    bool wrong[TEST_PARTS]; /* a relay other than the driven one answered */
    bool open_after;
    unsigned said;
};

static void say(struct selftest *t, unsigned part)
{
    static const char *const words[TEST_PARTS] = {
        "lines open: no relay may be heard",
        "A closes: one click, and its lamp",
        "A opens and B closes: two clicks, and the other lamp",
    };
    if (t->as_json || part < t->said)
        return;
    printf("  %s\n", words[part]);
    fflush(stdout);
    t->said = part + 1;
}

static void look_selftest(struct controller_talk *talk, const struct client_view *view,
                          struct bl_time now)
{
    static const unsigned lines[TEST_PARTS] = {0, STATUS_A, STATUS_B};
    struct selftest *t = talk->data;
    unsigned driven = view->inputs & (STATUS_A | STATUS_B);
    if (!view->mine)
        return;
    if (!t->started && !(view->inputs & STATUS_KEY_SWITCH)) {
        talk_end(talk, bl_fail(talk->diag, BL_AGAIN,
                               "%s: the key switch stands at PAUSE: turn it to RUN and start the "
                               "test again",
                               talk->port));
    } else if (view->state == CONTROLLER_READY && view->done == 0) {
        if (!t->as_json && !t->lamps)
            printf("  all lamps and the buzzer, for a second\n");
        t->lamps = true;
        client_test(talk->client, now);
    } else if (view->state == CONTROLLER_READY && !t->started) {
        t->started = true;
        client_start(talk->client, now);
    } else if (view->state == CONTROLLER_OPEN && view->segment < TEST_PARTS) {
        say(t, view->segment);
        t->seen[view->segment] = true;
        /* The driven line is known from STA only, a while after a change. */
        if (view->left_us < 1200000 && driven != lines[view->segment])
            t->wrong[view->segment] = true;
    } else if (view->state == CONTROLLER_OVER && driven == 0) {
        t->open_after = true;
        talk_end(talk, BL_OK);
    } else if (view->state == CONTROLLER_FAULT || view->state == CONTROLLER_PAUSED) {
        talk_end(talk, BL_OK);
    }
}

static struct client_plan selftest_plan(void)
{
    struct plan plan;
    struct client_plan out;
    plan_parse(&plan, test_plan, NULL);
    controller_plan(&out, &plan, false, NULL);
    out.connect_s = 0;
    out.segment[TEST_A].flags = SEGMENT_A | SEGMENT_LAMP_A;
    out.segment[TEST_B].flags = SEGMENT_B | SEGMENT_LAMP_B;
    return out;
}

enum bl_status controller_selftest(const char *port, bool as_json, json_t **found, bool *good,
                                   struct bl_diag *diag)
{
    struct selftest t = {.as_json = as_json};
    struct controller_talk talk = {
        .port = port, .config.plan = selftest_plan(), .look = look_selftest, .data = &t};
    *good = false;
    enum bl_status status = talk_run(&talk, diag);
    if (status)
        return status;
    bool left = t.seen[TEST_A] && !t.wrong[TEST_A];
    bool right = t.seen[TEST_B] && !t.wrong[TEST_B];
    bool open = t.seen[0] && !t.wrong[0] && t.open_after;
    *good = left && right && open && t.lamps;
    *found = json_pack("{s:b,s:b,s:b,s:b,s:b}", "lamps", t.lamps, "left", left, "right", right,
                       "open_otherwise", open, "ok", *good);
    if (as_json)
        return BL_OK;
    if (*good) {
        printf("The controller drove each relay as it should and none at the end. If you did not "
               "hear a click\nfor each, its coil or its cable is broken: change the board.\n");
    } else {
        printf("NOT all right: %s%s%s. Do not use this board: run the test again, then change "
               "it.\n",
               open ? "" : "a line is driven that should be open",
               !open && !(left && right) ? "; " : "",
               left && right ? ""
               : left        ? "B was not driven"
                             : "A was not driven");
    }
    return BL_OK;
}

#define CAL_MOST 24576 /* 0.6 % in both directions: a ceramic resonator has 0.5 % */

struct calibration {
    uint64_t span_us, until_us;
    bool as_json, measured;
    int64_t ppb;
    int was, value;
};

static void look_calibration(struct controller_talk *talk, const struct client_view *view,
                             struct bl_time now)
{
    struct calibration *c = talk->data;
    if (!view->mine)
        return;
    if (c->measured) {
        if (view->done)
            talk_end(talk, BL_OK);
        else if (view->trouble[0])
            talk_end(talk, bl_fail(talk->diag, BL_BUSY, "%s: %s", talk->port, view->trouble));
        return;
    }
    if (controller_state_begun(view->state)) {
        talk_end(talk, bl_fail(talk->diag, BL_BUSY,
                               "%s: a session is in the controller: calibrate it afterwards",
                               talk->port));
        return;
    }
    if (!view->drift_known || view->drift_span_us < c->span_us)
        return;
    c->measured = true;
    c->ppb = view->drift_ppb;
    c->was = view->calibration;
    int64_t value = c->was + c->ppb * (WATCHDOG_CAL_UNIT / 1000) / 1000000;
    if (llabs(value - (int)WATCHDOG_CAL_BIAS) > CAL_MOST) {
        talk_end(talk, bl_fail(talk->diag, BL_DATA,
                               "%s: its clock is off by %.0f ppm, more than can be corrected: the "
                               "board has a fault",
                               talk->port, (double)c->ppb / 1000));
        return;
    }
    c->value = (int)value;
    client_calibrate(talk->client, (uint16_t)value, now);
}

enum bl_status controller_calibrate(const char *port, unsigned seconds, bool as_json,
                                    struct bl_diag *diag)
{
    struct calibration c = {.span_us = (uint64_t)seconds * 1000000u, .as_json = as_json};
    struct controller_talk talk = {.port = port, .look = look_calibration, .data = &c};
    bool disciplined = bl_clock_disciplined();
    if (!as_json) {
        printf("Compares the controller's clock with this machine's for %u s.\n", seconds);
        if (!disciplined)
            printf("This machine's own clock is not disciplined by NTP: the result is only as good "
                   "as its crystal.\n");
        fflush(stdout);
    }
    enum bl_status status = talk_run(&talk, diag);
    if (status || talk.interrupted)
        return status ? status : bl_fail(diag, BL_AGAIN, "%s: interrupted, nothing stored", port);
    if (as_json)
        command_json(json_pack("{s:f,s:i,s:i,s:i,s:b}", "fast_ppm", (double)c.ppb / 1000, "was",
                               c.was - (int)WATCHDOG_CAL_BIAS, "calibration",
                               c.value - (int)WATCHDOG_CAL_BIAS, "seconds", (int)seconds,
                               "clock_disciplined", disciplined),
                     JSON_COMPACT);
    else
        printf(
            "It was %.1f ppm %s (%.3f s in 25 minutes), measured to %.0f ppm. Calibration %+d is "
            "stored; it was %+d.\nNext: run this again; it should then say less than that.\n",
            (double)llabs(c.ppb) / 1000, c.ppb < 0 ? "slow" : "fast",
            (double)llabs(c.ppb) * 1500 / 1e9, (double)DRIFT_ERROR_US / seconds,
            c.value - (int)WATCHDOG_CAL_BIAS, c.was - (int)WATCHDOG_CAL_BIAS);
    return BL_OK;
}
