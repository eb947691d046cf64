/* The controller of a scene, and what its judge's terminal shows beside it. */
#ifndef WORLD_CONTROLLER_H
#define WORLD_CONTROLLER_H

#include "box.h"
#include "scene.h"

/* Gives the scene's judge a controller, and the lines its relays: open, for it has no power before
 * the first second has begun. Call it after oracle_create. */
struct controller *controller_create(struct scene *scene);

/* The scene has another session, and another oracle; the controller has the last one's plan behind
 * it. */
void controller_next(struct controller *controller);

/* By so much the time left that a terminal knows may grow within a part: the judge's counts on for
 * 3 s while the controller is not heard, and begins with what its record has; an entity's counts on
 * while its line is cut. */
uint64_t controller_slack_us(const struct controller *controller, enum place place);

#endif
