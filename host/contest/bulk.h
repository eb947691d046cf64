/* Scores, ranks and choices of many Entries at once, as acts that are checked together before any
 * is recorded. After a fault nothing has changed. A repetition gives the acts that are not on
 * record yet. Pure. */
#ifndef CONTEST_BULK_H
#define CONTEST_BULK_H

#include "contest/act_batch.h"

/* Makes the acts of a JSON object with any of screening, ranks, invited, chosen and lost. `why` is
 * their reason, and outlives them. `correct`: ranks replace lists on record. The caller also frees
 * the batch after an error. BL_DATA names the object's fault, or the broken rule. */
enum bl_status bulk_acts(const struct contest *contest, json_t *data, const char *why, bool correct,
                         struct act_batch *acts, struct bl_diag *diag);

#endif
