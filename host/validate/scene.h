/* Programs in sandboxes played with, one or more at the same time: the Entry alone, or the judge's
 * and the entity's end of its communications program, which a line joins (scene_line.h), with or
 * without the Entry beside them. Each is an actor (actor.h); one wait hears them all. */
#ifndef VALIDATE_SCENE_H
#define VALIDATE_SCENE_H

#include "validate/scene_line.h"

enum scene_part { PART_ENTRY, PART_JUDGE, PART_ENTITY, PARTS };

struct actor;
struct scene;

/* Takes the line over, also at a failure; NULL: none joins them. NULL: no memory. */
struct scene *scene_create(struct scene_line *line);

/* Ends all of it; nothing is left running. NULL is allowed. */
void scene_close(struct scene *scene);

/* The actor of a part; NULL: nobody. actor_open() puts him there. */
struct actor *scene_actor(const struct scene *scene, enum scene_part part);

struct scene_line *scene_line(struct scene *scene);

/* Waits until something has happened, until_us at the latest (monotonic; a past time: does not
 * wait), and takes it. */
void scene_turn(struct scene *scene, uint64_t until_us);

/* Runs until the condition holds, which is asked after all that happens and when the time is up,
 * and says whether it did. until NULL: lets the time go by. */
bool scene_run(struct scene *scene, unsigned ms, bool (*until)(void *ctx), void *ctx);

uint64_t scene_now_us(void);

/* The average lateness of our own timers on this machine of late. */
unsigned scene_late_us(const struct scene *scene);

#endif
