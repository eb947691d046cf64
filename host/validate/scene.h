/* Programs in sandboxes that are played with at the same time: the Entry alone, or both ends of its
 * communications program with a line (scene_line.h), with or without the Entry. Each program is an
 * actor (actor.h). One wait listens to all. */
#ifndef VALIDATE_SCENE_H
#define VALIDATE_SCENE_H

#include "validate/scene_line.h"

enum scene_part { PART_ENTRY, PART_JUDGE, PART_ENTITY, PARTS };

struct actor;
struct scene;

/* Takes over the line, also on failure. line NULL: no line. NULL: no memory. */
struct scene *scene_create(struct scene_line *line);

/* Ends the scene and all its processes. NULL is allowed. */
void scene_close(struct scene *scene);

/* The actor of a part; NULL if there is none. actor_open() sets it. */
struct actor *scene_actor(const struct scene *scene, enum scene_part part);

struct scene_line *scene_line(struct scene *scene);

/* Waits until an event, or until until_us (monotonic; a past time does not wait), and handles the
 * event. */
void scene_turn(struct scene *scene, uint64_t until_us);

/* Runs until the condition holds, or until the time is over. Returns the condition, which is
 * evaluated after each event. until NULL: lets the time pass. */
bool scene_run(struct scene *scene, unsigned ms, bool (*until)(void *ctx), void *ctx);

uint64_t scene_now_us(void);

/* The average recent lateness of our own timers on this machine. */
unsigned scene_late_us(const struct scene *scene);

#endif
