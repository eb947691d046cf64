/* The controller as a box that stands somewhere: the firmware's core as it is, on a board with a
 * store, relays in the lines, a key switch and a serial cable to the judge's machine. Each turn of
 * its tick is looked at by an oracle: DESIGN.md, "Controller", points 1 to 5. */
#ifndef WORLD_BOX_H
#define WORLD_BOX_H

#include "firmware/core/sentence.h"
#include "session/plan.h"
#include "tests/world/world.h"

struct controller;

/* Its place: the judge's machine, and the cables through its LEFT and its RIGHT sockets. */
struct controller_site {
    const char *name; /* of its machine and its device */
    unsigned number;  /* of its dice */
    struct machine *judge;
    struct cable *cable[SIDES]; /* NULL: none */
    void *ctx;
    void (*wrong)(void *ctx, const char *oracle, const char *text);
    void (*look)(void *ctx, struct controller *controller); /* before each tick; NULL: nobody */
};

/* In a day's booth: the machine is made, its lines are open. It is switched on when all cables
 * are there, and its judge's machine has another session from time to time, by that plan. */
struct controller *controller_stand(const struct controller_site *site);
void controller_switch_on(struct controller *controller);
void controller_session(struct controller *controller, const struct plan *plan, bool b_left);

/* Its store and its lines are as they were left. */
void controller_destroy(struct controller *controller);

/* It is without power for so long. With usb, its adapter goes and comes with it. */
void controller_cut_power(struct controller *controller, uint64_t off_us, bool usb);

/* The same, while it writes its writes-th next byte into its store, from 1; 0: no longer. */
void controller_fuse(struct controller *controller, unsigned writes, uint64_t off_us);

/* A reset for that reason; its memory keeps what it holds. */
void controller_reset(struct controller *controller, enum sentence_word reason);

/* The key switch stands at RUN, or at PAUSE; the button is pressed, or not. */
void controller_key_switch(struct controller *controller, bool run);
void controller_button(struct controller *controller, bool pressed);

/* A steward aborts the session there: with the key switch at PAUSE he holds the button. */
void controller_abort(struct controller *controller);

/* The two cables are swapped at its sockets, or no longer. */
void controller_swap(struct controller *controller, bool swapped);

/* The lines that it joins now, as bits of watchdog.h. */
uint8_t controller_driven(const struct controller *controller);

/* Its lamps and its buzzer now, as bits of board_io.h. */
uint8_t controller_lamps(const struct controller *controller);

/* The cable to the judge's machine, which has end 0. */
struct cable *controller_cable(struct controller *controller);

/* A person at the judge's screen turns the key switch where it asks for that. True: it asks for
 * F9. */
bool controller_asks(struct controller *controller, const struct screen_model *model);

/* What goes wrong with it. */
enum box_mishap {
    BOX_PORT,   /* its adapter is pulled */
    BOX_UNPLUG, /* its cable is out */
    BOX_NOISE,
    BOX_POWER,    /* a power cut, at any moment */
    BOX_POWER_AT, /* in the midst of a write into its store */
    BOX_RESET,
    BOX_KEY, /* its key switch is turned to PAUSE, and back */
    BOX_BUTTON,
    BOX_MISHAPS
};
extern const char *const box_mishaps[BOX_MISHAPS];

/* Begins and ends one. number: wrong bytes of 100,000, writes until the end, the reset's reason. */
void controller_mishap(struct controller *controller, enum box_mishap what, unsigned number,
                       bool usb, uint64_t for_us);
void controller_mishap_over(struct controller *controller, enum box_mishap what);

#endif
