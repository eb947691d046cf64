#include "mishaps.h"

#include "controller.h"

#include <stdio.h>
#include <stdlib.h>

#define FIRST_US (3 * SECOND)

static unsigned roll(struct dice *dice, uint64_t below)
{
    return (unsigned)dice_below(dice, below);
}

unsigned mishaps_draw(struct mishap mishap[MISHAPS], struct dice dice, unsigned density,
                      uint64_t span_us, bool controller)
{
    unsigned count = 0;
    if (!density)
        return 0;
    for (uint64_t at_us = FIRST_US + roll(&dice, 10 * SECOND); at_us < span_us && count < MISHAPS;
         at_us += SECOND / 2 + roll(&dice, 20 * SECOND / density)) {
        /* All is drawn for each, so that one's numbers do not depend on another's kind. */
        struct mishap *m = &mishap[count++];
        m->at_us = at_us;
        m->kind = (enum mishap_kind)roll(&dice, controller ? MISHAP_KINDS_ALL : MISHAP_KINDS);
        m->place = roll(&dice, PLACES);
        m->side = (enum side)roll(&dice, SIDES);
        m->end = roll(&dice, 2);
        m->for_us = 10000 + roll(&dice, roll(&dice, 2) ? 6 * SECOND : SECOND / 2);
        m->number = 1 + roll(&dice, roll(&dice, 3) ? 200 : 5000);
    }
    return count;
}

/* A mishap of a scene. */
struct happening {
    struct scene *scene;
    struct mishap mishap;
};

/* Mishaps of a controller, and their ends. */

static void begin_of_controller(struct controller *c, const struct mishap *m)
{
    static const enum sentence_word reason[] = {SAY_BUTTON, SAY_BROWNOUT, SAY_WATCHDOG};
    if (m->kind == MISHAP_CONTROLLER_PORT)
        cable_adapter(controller_cable(c), 0, false);
    else if (m->kind == MISHAP_CONTROLLER_UNPLUG)
        cable_plug(controller_cable(c), false);
    else if (m->kind == MISHAP_CONTROLLER_NOISE)
        cable_noise(controller_cable(c), m->number * 10);
    else if (m->kind == MISHAP_CONTROLLER_POWER)
        controller_cut_power(c, m->for_us, m->end);
    else if (m->kind == MISHAP_CONTROLLER_POWER_AT)
        controller_fuse(c, m->number, m->for_us);
    else if (m->kind == MISHAP_CONTROLLER_RESET)
        controller_reset(c, reason[m->number % 3]);
    else if (m->kind == MISHAP_CONTROLLER_KEY)
        controller_key_switch(c, false);
    else
        controller_button(c, true);
}

static void end_of_controller(struct controller *c, enum mishap_kind kind)
{
    if (kind == MISHAP_CONTROLLER_PORT)
        cable_adapter(controller_cable(c), 0, true);
    else if (kind == MISHAP_CONTROLLER_UNPLUG)
        cable_plug(controller_cable(c), true);
    else if (kind == MISHAP_CONTROLLER_NOISE)
        cable_noise(controller_cable(c), 0);
    else if (kind == MISHAP_CONTROLLER_KEY)
        controller_key_switch(c, true);
    else if (kind == MISHAP_CONTROLLER_BUTTON)
        controller_button(c, false);
}

static void on_over(void *ctx)
{
    struct happening *h = ctx;
    struct cable *cable = h->scene->cable[h->mishap.side];
    if (h->mishap.kind >= MISHAP_KINDS)
        end_of_controller(h->scene->controller, h->mishap.kind);
    else if (h->mishap.kind == MISHAP_UNPLUG)
        cable_plug(cable, true);
    else if (h->mishap.kind == MISHAP_NOISE)
        cable_noise(cable, 0);
    else if (h->mishap.kind == MISHAP_ADAPTER)
        cable_adapter(cable, h->mishap.end, true);
    free(h);
}

static void on_mishap(void *ctx)
{
    struct happening *h = ctx;
    const struct mishap *m = &h->mishap;
    struct scene *s = h->scene;
    struct station *st = &s->station[m->place];
    char text[120];
    mishap_text(m, text, sizeof text);
    world_log("MISHAP", "%s", text);
    switch (m->kind) {
    case MISHAP_UNPLUG:
        cable_plug(s->cable[m->side], false);
        break;
    case MISHAP_NOISE:
        cable_noise(s->cable[m->side], m->number);
        break;
    case MISHAP_ADAPTER:
        cable_adapter(s->cable[m->side], m->end, false);
        break;
    case MISHAP_KILL:
        scene_kill(s, m->place, m->for_us);
        break;
    case MISHAP_POWER:
        scene_cut_power(s, m->place, SECOND + m->for_us);
        break;
    case MISHAP_KILL_AT:
        st->kills++;
        if (process_lives(st->process))
            process_fuse(st->process, m->number, false);
        break;
    case MISHAP_POWER_AT:
        st->power_cuts++;
        if (process_lives(st->process))
            process_fuse(st->process, m->number, true);
        break;
    case MISHAP_STALL:
        machine_stall(st->machine, m->for_us);
        break;
    case MISHAP_SLOW:
        machine_slow(st->machine, 50 * m->number);
        break;
    case MISHAP_STEP:
        st->steps++;
        machine_step(st->machine, m->end ? (int64_t)m->for_us : -(int64_t)m->for_us);
        break;
    default:
        begin_of_controller(s->controller, m);
    }
    world_at(world_now() + m->for_us, on_over, h);
}

void mishaps_begin(struct scene *s, const struct mishap *mishap, unsigned count, uint64_t only)
{
    for (unsigned i = 0; i < count; i++) {
        if (!(only >> i & 1))
            continue;
        struct happening *h = malloc(sizeof *h);
        *h = (struct happening){s, mishap[i]};
        world_at(mishap[i].at_us, on_mishap, h);
    }
}

void mishaps_end(struct scene *s)
{
    world_log("MISHAP", "no more");
    for (unsigned side = 0; side < SIDES; side++) {
        cable_plug(s->cable[side], true);
        cable_noise(s->cable[side], 0);
        for (unsigned end = 0; end < 2; end++)
            cable_adapter(s->cable[side], end, true);
    }
    if (s->controller) {
        for (unsigned kind = MISHAP_KINDS; kind < MISHAP_KINDS_ALL; kind++)
            end_of_controller(s->controller, kind);
        controller_fuse(s->controller, 0, 0);
    }
    for (unsigned i = 0; i < PLACES; i++) {
        machine_slow(s->station[i].machine, 100);
        if (process_lives(s->station[i].process))
            process_fuse(s->station[i].process, 0, false);
    }
}

static void text_of_controller(const struct mishap *m, char *text, size_t size)
{
    static const char *const texts[] = {"the controller's adapter is pulled",
                                        "the controller's cable is out",
                                        "noise on the controller's cable",
                                        "a power cut at the controller",
                                        "a power cut at the controller in its store's write",
                                        "the controller is reset",
                                        "the key switch stands at PAUSE",
                                        "the button is pressed"};
    snprintf(text, size, "%s (%u) at %.3f s, for %.3f s", texts[m->kind - MISHAP_KINDS], m->number,
             (double)m->at_us / 1e6, (double)m->for_us / 1e6);
}

void mishap_text(const struct mishap *m, char *text, size_t size)
{
    static const char *const places[] = {"the judge's machine", "the left machine",
                                         "the right machine"};
    static const char *const sides[] = {"left", "right"};
    double at = (double)m->at_us / 1e6, lasts = (double)m->for_us / 1e6;
    switch (m->kind) {
    case MISHAP_UNPLUG:
        snprintf(text, size, "the %s cable is out at %.3f s, for %.3f s", sides[m->side], at,
                 lasts);
        break;
    case MISHAP_NOISE:
        snprintf(text, size,
                 "%u of a million bytes are wrong on the %s cable at %.3f s, for %.3f s", m->number,
                 sides[m->side], at, lasts);
        break;
    case MISHAP_ADAPTER:
        snprintf(text, size,
                 "the adapter of the %s cable is pulled at the %s's end at %.3f s, for %.3f s",
                 sides[m->side], m->end ? "entity" : "judge", at, lasts);
        break;
    case MISHAP_KILL:
        snprintf(text, size, "kill -9 on %s at %.3f s, for %.3f s", places[m->place], at, lasts);
        break;
    case MISHAP_KILL_AT:
        snprintf(text, size, "kill -9 on %s at its call %u after %.3f s", places[m->place],
                 m->number, at);
        break;
    case MISHAP_POWER:
        snprintf(text, size, "a power cut at %s at %.3f s, for %.3f s", places[m->place], at,
                 lasts + 1);
        break;
    case MISHAP_POWER_AT:
        snprintf(text, size, "a power cut at %s at its call %u after %.3f s", places[m->place],
                 m->number, at);
        break;
    case MISHAP_STALL:
        snprintf(text, size, "%s stands still at %.3f s, for %.3f s", places[m->place], at, lasts);
        break;
    case MISHAP_SLOW:
        snprintf(text, size, "%s awakes up to %u us late from %.3f s on", places[m->place],
                 50 * m->number, at);
        break;
    case MISHAP_STEP:
        snprintf(text, size, "the clock of %s is set %s %.3f s at %.3f s", places[m->place],
                 m->end ? "forward by" : "back by", lasts, at);
        break;
    default:
        text_of_controller(m, text, size);
    }
}
