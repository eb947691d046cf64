/* Controllers of a day: one in each booth, with the plan of session after session. */
#include "box.h"
#include "day.h"

#include <stdio.h>
#include <string.h>

#define LOOK_US (SECOND / 2)

static void on_wrong(void *ctx, const char *oracle, const char *text)
{
    const struct seat *judge = ctx;
    day_wrong(judge->day, oracle, "%s: %s", machine_name(judge->machine), text);
}

/* The judge's machine goes on to its next session, which may have the cables the other way. */
static void on_look(void *ctx, struct controller *c)
{
    struct seat *judge = ctx;
    struct process *terminal = machine_screen(judge->machine);
    const struct meeting *m = terminal ? day_meeting(judge, terminal) : NULL;
    if (!m || m == judge->held)
        return;
    judge->held = m;
    controller_session(c, &judge->day->plan, m->seat[1 + SIDE_LEFT]->cable != 0);
}

void day_controllers_stand(struct day *day)
{
    for (unsigned i = 0; i < day->seats && day->controlled; i++) {
        struct seat *judge = &day->seat[i];
        struct cable *const *cable = day->cable[judge->booth - 1];
        char name[24];
        if (!judge->judge)
            continue;
        snprintf(name, sizeof name, "booth-%u-box", judge->booth);
        day->controller[judge->booth - 1] =
            controller_stand(&(struct controller_site){.name = name,
                                                       .number = judge->booth,
                                                       .judge = judge->machine,
                                                       .cable = {cable[0], cable[1]},
                                                       .ctx = judge,
                                                       .wrong = on_wrong,
                                                       .look = on_look});
    }
}

void day_controllers_begin(struct day *day)
{
    struct bl_diag diag;
    if (plan_parse(&day->plan, day->plan_text, &diag))
        world_die("%s", diag.text);
    for (unsigned i = 0; i < DAY_BOOTHS; i++) {
        if (!day->controller[i])
            continue;
        controller_session(day->controller[i], &day->plan, false);
        controller_switch_on(day->controller[i]);
    }
}

bool day_controller_asks(struct seat *judge)
{
    struct controller *c = judge->day->controller[judge->booth - 1];
    if (c && world_now() >= judge->looked_us + LOOK_US) {
        judge->looked_us = world_now();
        judge->confirms = controller_asks(c, judge->model);
    }
    return c && judge->confirms;
}
