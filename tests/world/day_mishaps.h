/* Mishaps of a day: a list that the seed has drawn, before it begins. */
#ifndef WORLD_DAY_MISHAPS_H
#define WORLD_DAY_MISHAPS_H

#include "box.h"
#include "day_desk.h"

#define DAY_MISHAPS 60

enum day_mishap_kind {
    DAY_STICK_PULLED,    /* the stick that is carried next is out, and comes again */
    DAY_STICK_PULLED_AT, /* in the midst of the work */
    DAY_UNPLUG,          /* a cable is out */
    DAY_NOISE,           /* wrong bits on a cable */
    DAY_ADAPTER,         /* an adapter is pulled out of its machine */
    DAY_KILL,            /* kill -9 of what has the screen: the board, or a session's terminal */
    DAY_KILL_AT,
    DAY_KILL_ALL, /* of all that runs on a machine */
    DAY_POWER,
    DAY_POWER_AT,
    DAY_STALL,
    DAY_SLOW,
    DAY_STEP,
    DAY_PLAIN_KINDS,
    DAY_FULL = DAY_PLAIN_KINDS, /* a disk */
    DAY_CONTROLLER,             /* what goes wrong with one */
    DAY_DESK,                   /* with desk, courier and network */
    DAY_MISHAP_KINDS
};

struct day_mishap {
    uint64_t at_us;
    enum day_mishap_kind kind;
    unsigned seat, end;   /* a machine; of a cable, the end at it or the other */
    enum box_mishap what; /* DAY_CONTROLLER */
    enum net_mishap net;  /* DAY_DESK */
    uint64_t for_us;
    unsigned number; /* wrong bytes of a million, calls until the end, us of lateness,
                        bytes of room */
};

/* Has each booth a controller? A third of the days have. */
bool day_is_controlled(const struct day_setup *setup);

/* Draws as many as come. Returns how many. */
unsigned day_mishaps_draw(struct day_mishap mishap[DAY_MISHAPS], const struct day_setup *setup);

/* Lets those happen whose bits are in `only`, until the day is calm. */
void day_mishaps_begin(struct day *day, const struct day_mishap *mishap, unsigned count,
                       uint64_t only);

/* A stick has come into that machine. */
void day_mishaps_carried(struct day *day, struct seat *seat);

/* As "power cut at machine 3 at 12.345 s, for 2.0 s", where machines are counted from 0. */
void day_mishap_text(const struct day_mishap *mishap, char *text, size_t size);

#endif
