/* The Entries among which the judges or a coin choose: those still equal for a place at the end.
 * Pure. */
#ifndef CONTEST_EQUALS_H
#define CONTEST_EQUALS_H

#include "contest/act_body.h"

void equals_for_place(const struct contest *contest, unsigned place, struct act_entries *equals);

/* The Entries for the next coin: the first equals without a coin on which the judges were split, or
 * which need no conference. Otherwise the first equals without a coin; the act then refuses a coin
 * for them. */
void equals_for_coin(const struct contest *contest, struct act_entries *equals);

#endif
