/* The command line of an adapter (rules/kind.h): "--OWN 'VALUE'", and further options. */
#ifndef ENTITY_OURS_H
#define ENTITY_OURS_H

#include "entity/program.h"

#include <limits.h>

/* Starts an adapter in a sandbox. Its program may be hidden there, so it is passed as a
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
 * adapter. For a kind that reaches a server the value is the server's address, the sandbox's only
 * way out. `ours` and value must outlive the options. */
void ours_set(struct ours *ours, struct program_options *options, enum kind_id kind,
              const char *value);

/* Adds an option. The value is quoted, and may be any text. */
void ours_add(struct ours *ours, const char *name, const char *value);

#endif
