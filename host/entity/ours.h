/* The command line of an adapter (rules/kind.h), a program of ours that takes an Entry's place at
 * its terminal: "--OWN 'VALUE'", and its further options. */
#ifndef ENTITY_OURS_H
#define ENTITY_OURS_H

#include "entity/program.h"

#include <limits.h>

/* The sandbox's command for it: the program may lie outside, and is passed as a descriptor. */
#define OURS_BOXED "exec /proc/self/fd/3 "
#define OURS_MAX   10000

/* Zeroed is the start. */
struct ours {
    char text[OURS_MAX];
    size_t used;
    bool full; /* it had no room for all options */
};

/* Adds the adapter's own word with this value, and sets the options for such an Entry. Its server,
 * if it has one, is the sandbox's only way out. `ours` and value must live as long as the
 * options. */
void ours_set(struct ours *ours, struct program_options *options, enum kind_id kind,
              const char *value);

/* Adds an option, with any value. */
void ours_add(struct ours *ours, const char *name, const char *value);

#endif
