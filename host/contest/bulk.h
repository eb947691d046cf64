/* Scores, ranks and choices of many Entries at once, as acts looked at together before any is
 * recorded: after a fault nothing has changed, and a second time gives only the acts not on the
 * record yet. Pure. */
#ifndef CONTEST_BULK_H
#define CONTEST_BULK_H

#include "contest/act_batch.h"

/* The acts of a JSON object with any of screening, ranks, invited, chosen and lost. `why` is their
 * reason and lives as long; correct: in the place of lists that were given. The batch is freed
 * after an error too: BL_DATA names the object's fault, or the rule an act breaks. */
enum bl_status bulk_acts(const struct contest *contest, json_t *data, const char *why, bool correct,
                         struct act_batch *acts, struct bl_diag *diag);

#endif
