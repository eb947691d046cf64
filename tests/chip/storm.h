/* What may happen to a controller in a contest, by dice, against what must never happen. Runs on
 * the chip and on the core alike. */
#ifndef SIM_STORM_H
#define SIM_STORM_H

#define STORM_SENTENCES 1000000 /* in a long run */

/* The tests, for a program's main: 100 sessions against a model, and so many sentences; with SOAK
 * in the environment 1,000 and a million. A chip that is slow to simulate plays a 50th of them, and
 * with SOAK all. */
int storm_run(const char *name, unsigned sentences);

#endif
