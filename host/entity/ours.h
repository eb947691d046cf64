/* The command line of an adapter (rules/kind.h), a program of ours that takes an Entry's place:
 * "--OWN 'VALUE'", and further options. */
#ifndef ENTITY_OURS_H
#define ENTITY_OURS_H

#include "entity/program.h"

#include <limits.h>

/* Starts an adapter in a sandbox. Its program, which the sandbox may not show, is passed as a
 * descriptor. */
#define OURS_BOXED "exec /proc/self/fd/3 "
#define OURS_MAX   10000

/* All zeros at the start. */
struct ours {
    char text[OURS_MAX];
    size_t used;
    bool full; /* the text had no room for all options */
};

/* Adds the option of the kind's name with this value, and sets the program's options for the
 * adapter. The value of a kind that reaches a server is the server's address, the sandbox's only
 * way out. `ours` and value must live as long as the options. */
void ours_set(struct ours *ours, struct program_options *options, enum kind_id kind,
              const char *value);

/* Adds an option. The value may be any text: it is quoted. */
void ours_add(struct ours *ours, const char *name, const char *value);

#endif
