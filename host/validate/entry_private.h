/* The checks of an Entry, one function for each row of checks.c. */
#ifndef VALIDATE_ENTRY_PRIVATE_H
#define VALIDATE_ENTRY_PRIVATE_H

#include "validate/validate_private.h"

#define ENTRY_CHECK(name) void name(struct validate *validate, struct finding *finding)

ENTRY_CHECK(entry_start_time);

#endif
