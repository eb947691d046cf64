/* A world in a process of its own: a crash ends that world alone, and what a killed terminal held
 * in memory goes with it. */
#ifndef WORLD_ALONE_H
#define WORLD_ALONE_H

#include <stddef.h>

#define ALONE_WRONG 400

/* Calls run() there, with at most so many seconds of a processor. *result is of that size, and
 * begins with a text of ALONE_WRONG bytes, which says how it crashed if it did. */
void world_apart(void (*run)(const void *setup, void *result), const void *setup, void *result,
                 size_t size, unsigned seconds);

#endif
