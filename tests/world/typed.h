/* A command that somebody types at a machine, as a process of its own there. */
#ifndef WORLD_TYPED_H
#define WORLD_TYPED_H

#include "world.h"

/* Runs "boothlink" with the words of the line, which "|" is between, to its end. Returns what it
 * has printed, valid until the next one; *code: its exit code, -1: it did not end in an hour. */
const char *typed_run(struct machine *machine, const char *line, int *code);

/* That command's complaints. */
const char *typed_complaints(void);

#endif
