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

static enum box_mishap box_mishap(enum mishap_kind kind)
{
    return (enum box_mishap)(kind - MISHAP_CONTROLLER);
}

static void on_over(void *ctx)
{
    struct happening *h = ctx;
    struct cable *cable = h->scene->cable[h->mishap.side];
    if (h->mishap.kind >= MISHAP_KINDS)
        controller_mishap_over(h->scene->controller, box_mishap(h->mishap.kind));
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
        controller_mishap(s->controller, box_mishap(m->kind), m->number, m->end, m->for_us);
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
        for (unsigned what = 0; what < BOX_MISHAPS; what++)
            controller_mishap_over(s->controller, what);
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
    snprintf(text, size, "%s (%u) at %.3f s, for %.3f s", box_mishaps[box_mishap(m->kind)],
             m->number, (double)m->at_us / 1e6, (double)m->for_us / 1e6);
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
