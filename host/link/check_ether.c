#include "link/check_ether.h"

#include "base/loop.h"
#include "base/privilege.h"
#include "link/interfaces.h"
#include "link/link.h"

#include <stdio.h>
#include <string.h>

/* Waits after the line is up. LISTEN_US: for a record of a running session. GREET_US: for the two
 * greetings. The last: for the last acknowledgement to go out. */
#define LISTEN_US 1000000u
#define GREET_US  10000000u
#define STAY_US   500000u

/* The check's record, which measures the round trip. No session has a record of this kind. */
static const uint8_t greeting[] = "boothlink check";

struct ether {
    struct check_line *line;
    uv_loop_t loop;
    struct link *link;
    struct bl_timer timer;
    bool greeted, heard, leaving;
};

static void leave_when_done(struct ether *ether)
{
    if (ether->leaving || !ether->heard || link_acked(ether->link) == 0)
        return;
    ether->leaving = true;
    bl_timer_set(&ether->timer, bl_mono_us() + STAY_US);
}

static void stop(struct ether *ether)
{
    struct link_stats stats;
    link_stats(ether->link, &stats);
    ether->line->ether.rtt_us = stats.rtt_us;
    /* A session ignores the greeting as unknown, or only acknowledges it. */
    ether->line->ether.session |= ether->line->ether.up && !ether->heard;
    link_close(ether->link);
    bl_timer_close(&ether->timer, NULL);
}

static void on_timer(struct bl_timer *timer)
{
    struct ether *ether = timer->data;
    if (ether->line->ether.up && !ether->greeted) {
        ether->greeted = true;
        bl_timer_set(timer, bl_mono_us() + GREET_US);
        if (ether->line->ether.session)
            stop(ether);
        else
            link_send(ether->link, LINK_EXPRESS, greeting, sizeof greeting);
    } else {
        stop(ether);
    }
}

static void on_state(void *ctx, enum link_state state, const char *reason)
{
    struct ether *ether = ctx;
    struct check_ether_result *result = &ether->line->ether;
    if (state == LINK_UP && !result->up) {
        result->up = true;
        bl_timer_set(&ether->timer, bl_mono_us() + LISTEN_US);
    }
    if (!result->up)
        snprintf(result->reason, sizeof result->reason, "%s", reason);
}

static enum bl_status on_record(void *ctx, const uint8_t *record, size_t length)
{
    struct ether *ether = ctx;
    if (length != sizeof greeting || memcmp(record, greeting, length) != 0)
        ether->line->ether.session = true;
    else
        ether->heard = true;
    leave_when_done(ether);
    return BL_OK;
}

static void on_progress(void *ctx)
{
    leave_when_done(ctx);
}

enum bl_status check_ether(struct check_line *line, const uint8_t *secret, bool last)
{
    const struct link_callbacks callbacks = {
        .state = on_state, .record = on_record, .progress = on_progress};
    const struct link_options options = {
        .role = line->settings.self.judge ? LINK_JUDGE : LINK_ENTITY,
        .secret = secret,
        .insecure = !secret,
    };
    struct ether ether = {.line = line};
    const char *name = strchr(line->port, ':') + 1;
    snprintf(line->ether.interface, sizeof line->ether.interface, "%.*s", (int)strcspn(name, "/"),
             name);
    line->ether.asked = true;
    line->ether.keyed = secret;
    uv_loop_init(&ether.loop);
    enum bl_status status = bl_timer_init(&ether.loop, &ether.timer, on_timer, &ether);
    if (status == BL_OK) {
        status = link_open(&ether.link, &ether.loop, line->port, &options, &callbacks, &ether,
                           &line->diag);
        if (status == BL_OK && last) {
            status = privilege_drop(&line->diag);
            if (status)
                link_close(ether.link);
        }
        if (status == BL_OK)
            bl_timer_set(&ether.timer, bl_mono_us() + line->settings.wait_us);
        else
            bl_timer_close(&ether.timer, NULL);
        uv_run(&ether.loop, UV_RUN_DEFAULT);
    } else {
        bl_fail(&line->diag, status, "%s: no timer can be had", line->port);
    }
    uv_loop_close(&ether.loop);
    return status;
}

/* The interface's speed in Mb/s; 0: unknown (veth, no carrier). */
static unsigned speed_of(const char *interface)
{
    char path[64];
    unsigned speed = 0;
    snprintf(path, sizeof path, "/sys/class/net/%s/speed", interface);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%u", &speed) != 1)
        speed = 0;
    if (file)
        fclose(file);
    return speed < 1000000 ? speed : 0;
}

void check_judge_ether(const struct check_line *line, struct check_report *report)
{
    const struct check_ether_result *ether = &line->ether;
    struct interface_info info;
    char problem[200];
    unsigned speed = speed_of(ether->interface);
    interface_look(&info, ether->interface);
    if (interface_problem(&info, problem, sizeof problem)) {
        check_add(report, CHECK_FAULT, "cable", "%s", problem);
        check_next(report, "Plug the cable in at both ends, and look for the lamps beside it.");
    } else {
        check_add(report, CHECK_GOOD, "cable", "%s has a carrier", ether->interface);
        if (speed)
            check_add(report, CHECK_NOTE, "", "at %u Mb/s", speed);
    }
    if (ether->session) {
        check_add(report, CHECK_FAULT, "other end", "it runs boothlink, but not check");
        check_other_end(line, true, "ether:INTERFACE", report);
    } else if (ether->up) {
        check_add(report, CHECK_GOOD, "other end", "found%s",
                  ether->keyed ? ", and it has the same secret" : "; none was asked for");
        if (ether->rtt_us)
            check_add(report, CHECK_NOTE, "", "round trip %u.%02u ms", ether->rtt_us / 1000,
                      ether->rtt_us / 10 % 100);
    } else {
        check_add(report, CHECK_FAULT, "other end", "not found: %s", ether->reason);
        check_other_end(line, false, "ether:INTERFACE", report);
    }
}
