/* Scores, ranks and choices of many Entries at once, as acts that are checked together before any
 * is recorded. After a fault nothing has changed, and a repetition gives only the acts that are not
 * on record yet. Pure. */
#ifndef CONTEST_BULK_H
#define CONTEST_BULK_H

#include "contest/act_batch.h"

/* The acts for a JSON object with any of screening, ranks, invited, chosen and lost. `why` is their
 * reason and must live as long; `correct`: ranks replace lists on record. The caller frees the
 * batch after an error too: BL_DATA names the object's fault, or the rule that an act breaks. */
enum bl_status bulk_acts(const struct contest *contest, json_t *data, const char *why, bool correct,
                         struct act_batch *acts, struct bl_diag *diag);

#endif
