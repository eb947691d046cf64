/* The controller of a scene: the firmware's core as it is, on a board with a store, relays in the
 * lines, a key switch and a serial cable to the judge's machine. Each turn of its tick is looked at
 * by an oracle: DESIGN.md, "Controller", points 1 to 5. */
#ifndef WORLD_CONTROLLER_H
#define WORLD_CONTROLLER_H

#include "scene.h"

#include "firmware/core/sentence.h"

struct controller;

/* Gives the scene's judge a controller, and the lines its relays: open, for it has no power before
 * the first second has begun. Call it after oracle_create. */
struct controller *controller_create(struct scene *scene);

/* The scene has another session, and another oracle; the controller has the last one's plan behind
 * it. */
void controller_next(struct controller *controller);

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

/* By so much the time left that a terminal knows may grow within a part: the judge's counts on for
 * 3 s while the controller is not heard, and begins with what its record has; an entity's counts on
 * while its line is cut. */
uint64_t controller_slack_us(const struct controller *controller, enum place place);

/* A person at the judge's screen turns the key switch where it asks for that. True: it asks for
 * F9. */
bool controller_asks(struct controller *controller, const struct screen_model *model);

#endif
