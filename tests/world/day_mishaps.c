#include "day_mishaps.h"

#include <stdio.h>
#include <stdlib.h>

#define FIRST_US (3 * SECOND)
#define LAST_US  (300 * SECOND)
#define WHOLE    30 /* times the pauses of a whole day */

static unsigned roll(struct dice *dice, uint64_t below)
{
    return (unsigned)dice_below(dice, below);
}

/* In the place of every so manieth mishap, of other dice: a seed's others stay as they are. */
#define LATER 10

/* And of a day with a desk. */
#define OF_DESKS 2

/* And of a day with controllers, of dice of their own. */
#define OF_CONTROLLERS 5

bool day_is_controlled(const struct day_setup *setup)
{
    struct dice dice = dice_make(setup->seed * 53 + 19);
    bool drawn = dice_below(&dice, 3) == 0 && !setup->plain;
    return setup->lines == CONTROLLED || (setup->lines == BY_SEED && drawn);
}

unsigned day_mishaps_draw(struct day_mishap mishap[DAY_MISHAPS], const struct day_setup *setup)
{
    struct dice dice = dice_make(setup->seed * 43 + 13), later = dice_make(setup->seed * 47 + 17);
    struct dice boxes = dice_make(setup->seed * 59 + 23);
    struct dice nets = dice_make(setup->seed * 67 + 31);
    unsigned count = 0, slower = setup->whole ? WHOLE : 1;
    if (!setup->mishaps)
        return 0;
    for (uint64_t at_us = FIRST_US + roll(&dice, 10 * SECOND);
         at_us < slower * LAST_US && count < DAY_MISHAPS;
         at_us += SECOND / 2 + slower * (uint64_t)roll(&dice, 20 * SECOND / setup->mishaps)) {
        /* All is drawn for each, so that one's numbers do not depend on another's kind. */
        struct day_mishap *m = &mishap[count++];
        m->at_us = at_us;
        m->kind = (enum day_mishap_kind)roll(&dice, DAY_PLAIN_KINDS);
        m->seat = roll(&dice, DAY_SEATS);
        m->end = roll(&dice, 2);
        m->for_us = 10000 + roll(&dice, roll(&dice, 2) ? 6 * SECOND : SECOND / 2);
        m->number = 1 + roll(&dice, roll(&dice, 3) ? 200 : 3000);
        if (roll(&later, LATER) == 0 && !setup->plain)
            m->kind = (enum day_mishap_kind)(DAY_PLAIN_KINDS +
                                             roll(&later, DAY_CONTROLLER - DAY_PLAIN_KINDS));
        m->what = (enum box_mishap)roll(&boxes, BOX_MISHAPS);
        if (roll(&boxes, OF_CONTROLLERS) == 0 && day_is_controlled(setup))
            m->kind = DAY_CONTROLLER;
        m->net = (enum net_mishap)roll(&nets, NET_MISHAPS);
        if (roll(&nets, OF_DESKS) == 0 && setup->desk == DESK_ALONE)
            m->kind = DAY_DESK;
    }
    return count;
}

struct happening {
    struct day *day;
    struct day_mishap mishap;
    struct seat *seat;
    struct stick *stick;
};

static struct cable *cable_of(const struct happening *h)
{
    struct cable *const *cables = h->day->cable[h->seat->booth - 1];
    return h->seat->judge && h->day->rules->pairs ? cables[h->mishap.number % 2]
                                                  : cables[h->seat->cable];
}

static struct controller *controller_of(const struct happening *h)
{
    return h->day->controller[h->seat->booth - 1];
}

static void on_over(void *ctx)
{
    struct happening *h = ctx;
    switch (h->mishap.kind) {
    case DAY_CONTROLLER:
        controller_mishap_over(controller_of(h), h->mishap.what);
        break;
    case DAY_DESK:
        day_desk_mishap_over(h->seat, h->mishap.net);
        break;
    case DAY_STICK_PULLED:
    case DAY_STICK_PULLED_AT:
        if (!stick_machine(h->stick) && h->day->pulled_us + SECOND <= world_now() &&
            day_board_says(h->seat, "The stick may be taken out.") &&
            machine_stalled_us(h->seat->machine) + SECOND < world_now())
            day_wrong(h->day, "stick", "%s says that it may be taken out, and it is out",
                      machine_name(h->seat->machine));
        if (h->stick && h->day->carried == h->seat && !stick_machine(h->stick))
            stick_put(h->stick, h->seat->machine);
        break;
    case DAY_UNPLUG:
        cable_plug(cable_of(h), true);
        break;
    case DAY_NOISE:
        cable_noise(cable_of(h), 0);
        break;
    case DAY_ADAPTER:
        cable_adapter(cable_of(h), h->mishap.end, true);
        break;
    case DAY_SLOW:
        machine_slow(h->seat->machine, 100);
        break;
    case DAY_FULL:
        machine_fill(h->seat->machine, UINT64_MAX);
        break;
    default:
        break;
    }
    free(h);
}

#define NETS 5 /* times as long: a network is away for a round */

/* It is out, and comes again. */
static void pull(void *ctx)
{
    struct happening *h = ctx;
    h->stick = h->day->stick[h->seat->judge ? ROOM_JUDGES : ROOM_BACK];
    world_log("MISHAP", "the stick is pulled");
    if (stick_machine(h->stick) == h->seat->machine)
        stick_pull(h->stick);
    h->day->pulled_us = world_now();
    world_at(world_now() + SECOND + h->mishap.for_us, on_over, h);
}

void day_mishaps_carried(struct day *day, struct seat *seat)
{
    struct happening *h = day->pulling;
    struct process *p = machine_screen(seat->machine);
    if (!h)
        return;
    day->pulling = NULL;
    h->seat = seat;
    if (h->mishap.kind == DAY_STICK_PULLED_AT && p)
        process_fuse_call(p, 1 + h->mishap.number % 40, pull, h);
    else
        world_at(world_now() + h->mishap.for_us % (SECOND / 2), pull, h);
}

static void start_later(const struct happening *h)
{
    struct seat *s = h->seat;
    s->off = true;
    world_at(world_now() + SECOND + h->mishap.for_us, day_start, s);
}

/* The end of a process, or the power's. */
static void end_machine(const struct happening *h)
{
    struct seat *s = h->seat;
    struct process *p = machine_screen(s->machine);
    bool power = h->mishap.kind == DAY_POWER || h->mishap.kind == DAY_POWER_AT;
    if (h->mishap.kind == DAY_POWER || h->mishap.kind == DAY_KILL_ALL) {
        if (power)
            machine_cut_power(s->machine);
        else
            machine_kill(s->machine);
        start_later(h);
    } else if (p && h->mishap.kind == DAY_KILL) {
        process_kill(p);
    } else if (p) {
        process_fuse(p, h->mishap.number, power);
    }
}

static void on_mishap(void *ctx)
{
    struct happening *h = ctx;
    const struct day_mishap *m = &h->mishap;
    char text[120];
    if (h->day->calm || h->seat->off) {
        free(h);
        return;
    }
    day_mishap_text(m, text, sizeof text);
    world_log("MISHAP", "%s (%s)", text, machine_name(h->seat->machine));
    switch (m->kind) {
    case DAY_STICK_PULLED:
    case DAY_STICK_PULLED_AT:
        free(h->day->pulling);
        h->day->pulling = h; /* when the next comes into a machine */
        return;
    case DAY_CONTROLLER:
        controller_mishap(controller_of(h), m->what, m->number, m->end, m->for_us);
        break;
    case DAY_DESK:
        day_desk_mishap(h->seat, m->net, m->number, m->for_us);
        world_at(world_now() + NETS * m->for_us, on_over, h);
        return;
    case DAY_UNPLUG:
        cable_plug(cable_of(h), false);
        break;
    case DAY_NOISE:
        cable_noise(cable_of(h), m->number);
        break;
    case DAY_ADAPTER:
        cable_adapter(cable_of(h), m->end, false);
        break;
    case DAY_STALL:
        h->seat->stalls++;
        machine_stall(h->seat->machine, m->for_us);
        break;
    case DAY_SLOW:
        machine_slow(h->seat->machine, 50 * m->number);
        break;
    case DAY_FULL:
        h->seat->fills++;
        machine_fill(h->seat->machine, m->number);
        break;
    case DAY_STEP:
        h->seat->steps++;
        machine_step(h->seat->machine, m->end ? (int64_t)m->for_us : -(int64_t)m->for_us);
        break;
    default:
        end_machine(h);
    }
    world_at(world_now() + m->for_us, on_over, h);
}

void day_mishaps_begin(struct day *day, const struct day_mishap *mishap, unsigned count,
                       uint64_t only)
{
    for (unsigned i = 0; i < count; i++) {
        if (!(only >> i & 1))
            continue;
        struct happening *h = malloc(sizeof *h);
        *h = (struct happening){day, mishap[i], &day->seat[mishap[i].seat % day->seats], NULL};
        world_at(mishap[i].at_us, on_mishap, h);
    }
}

void day_mishap_text(const struct day_mishap *m, char *text, size_t size)
{
    const char *texts[DAY_MISHAP_KINDS] = {
        [DAY_STICK_PULLED] = "the stick is pulled",
        [DAY_STICK_PULLED_AT] = "the stick is pulled in the midst of the work",
        [DAY_UNPLUG] = "a cable is out",
        [DAY_NOISE] = "noise on a cable",
        [DAY_ADAPTER] = "an adapter is pulled",
        [DAY_KILL] = "kill -9 of what has the screen",
        [DAY_KILL_AT] = "kill -9 at a call",
        [DAY_KILL_ALL] = "kill -9 of all that runs",
        [DAY_POWER] = "a power cut",
        [DAY_POWER_AT] = "a power cut at a call",
        [DAY_STALL] = "the machine stands still",
        [DAY_SLOW] = "it awakes late",
        [DAY_STEP] = "its clock is set",
        [DAY_FULL] = "its disk is full",
    };
    if (m->kind == DAY_DESK)
        texts[DAY_DESK] = net_mishaps[m->net];
    if (m->kind == DAY_CONTROLLER)
        texts[DAY_CONTROLLER] = box_mishaps[m->what];
    snprintf(text, size, "%s, machine %u, end %u (%u), at %.3f s, for %.3f s", texts[m->kind],
             m->seat, m->end, m->number, (double)m->at_us / 1e6, (double)m->for_us / 1e6);
}
