/* What goes wrong in a session: a list that the seed has drawn, before it begins. */
#ifndef WORLD_MISHAPS_H
#define WORLD_MISHAPS_H

#include "box.h"
#include "scene.h"

#define MISHAPS 40

enum mishap_kind {
    MISHAP_UNPLUG,  /* a cable is out */
    MISHAP_NOISE,   /* wrong bits on a cable */
    MISHAP_ADAPTER, /* an adapter is pulled out of its machine */
    MISHAP_KILL,    /* kill -9, at any moment */
    MISHAP_KILL_AT, /* in the midst of the work */
    MISHAP_POWER,   /* a power cut, at any moment */
    MISHAP_POWER_AT,
    MISHAP_STALL, /* no process of a machine runs */
    MISHAP_SLOW,  /* each awakes late */
    MISHAP_STEP,  /* a clock is set */
    MISHAP_KINDS,

    MISHAP_CONTROLLER = MISHAP_KINDS, /* and behind it the others of box.h */
    MISHAP_KINDS_ALL = MISHAP_CONTROLLER + BOX_MISHAPS
};

struct mishap {
    uint64_t at_us;
    enum mishap_kind kind;
    unsigned place; /* a machine */
    enum side side; /* a cable, */
    unsigned end;   /* and its end */
    uint64_t for_us;
    unsigned number; /* wrong bytes of a million, calls until the end, us of lateness */
};

/* Draws as many as come in `span_us`, `density` in 20 s at most; a controller's too, if there is
 * one. Returns how many. */
unsigned mishaps_draw(struct mishap mishap[MISHAPS], struct dice dice, unsigned density,
                      uint64_t span_us, bool controller);

/* Lets those happen to the scene whose bits are in `only`. */
void mishaps_begin(struct scene *scene, const struct mishap *mishap, unsigned count, uint64_t only);

/* All that is still out or bad is mended. */
void mishaps_end(struct scene *scene);

/* As "power cut at the judge's machine at 12.345 s, for 2.0 s". */
void mishap_text(const struct mishap *mishap, char *text, size_t size);

#endif
