/* The command line of a program of ours that stands for an Entry at its terminal's line, an adapter
 * (rules/kind.h): "--OWN 'VALUE'", and its further options. */
#ifndef ENTITY_OURS_H
#define ENTITY_OURS_H

#include "entity/program.h"

#include <limits.h>

/* The sandbox's command for it: the program may lie outside, and comes as a descriptor. */
#define OURS_BOXED "exec /proc/self/fd/3 "
#define OURS_MAX   10000

/* Zeroed is the start. */
struct ours {
    char text[OURS_MAX];
    size_t used;
    bool full; /* it had no room for all */
};

/* Adds its own word with this value, and makes the options those of such an Entry; its server, if
 * it reaches one, in the sandbox by the one way out. `ours` and value must live as long as they do.
 */
void ours_set(struct ours *ours, struct program_options *options, enum kind_id kind,
              const char *value);

/* Adds an option, with any value. */
void ours_add(struct ours *ours, const char *name, const char *value);

#endif
