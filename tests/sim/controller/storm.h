/* What may happen to a controller in a contest, by dice, against what must never happen. Runs on
 * the chip and on the core alike. */
#ifndef SIM_STORM_H
#define SIM_STORM_H

#include "tests/support/random.h"

#include <stdbool.h>

/* One session: hosts that are killed and come back with another nonce, resets of every kind, losses
 * of power while the store is written, turns of the key, damaged and lost bytes. Fails the test
 * when a line is closed that its segment does not close, closes again after its segment, outlasts
 * key or host, or when time grows. Returns whether the session came to its end. */
bool storm_session(struct dice *dice);

/* So many sentences, random, mutated and well formed but wrong, at a controller in every state. No
 * line closes that a plan does not close, no time grows, nothing resets. */
void storm_sentences(struct dice *dice, unsigned count);

#endif
