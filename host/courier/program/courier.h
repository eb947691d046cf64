/* The courier's work, without the start of its program. */
#ifndef COURIER_PROGRAM_COURIER_H
#define COURIER_PROGRAM_COURIER_H

#include <stdbool.h>

struct courier;

/* Runs until a signal, and returns the program's exit status. *out keeps the memory of the loop's
 * handles, which is never freed. */
int courier_run(struct courier **out, int argc, char **argv);

/* True: a stick has brought another key, with which the program is to begin anew. */
bool courier_has_new_key(const struct courier *courier);

#endif
