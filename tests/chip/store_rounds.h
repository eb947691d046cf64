/* A controller's store of records, tried on a memory whose power goes at any write. The program
 * links one of firmware/store/ and defines its memory. */
#ifndef CHIP_STORE_ROUNDS_H
#define CHIP_STORE_ROUNDS_H

#include "tests/support/random.h"

#include <setjmp.h>
#include <stdbool.h>

/* The memory's power. A write leaves the memory as a loss of power may, where store_power_goes()
 * says so, and then calls store_power_off(). */
bool store_power_goes(void);
void store_power_off(void) __attribute__((noreturn));
struct dice *store_dice(void);

/* The memory is worn out: a write changes nothing. */
bool store_sticks(void);

/* The test program. A record that is being stored when the power goes may be lost together with
 * the one before, where that is not kept; a record of time never. */
int store_rounds(const char *name, bool keeps_before);

#endif
