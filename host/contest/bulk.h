/* Scores, ranks and choices of many Entries at once, as acts that are looked at together before any
 * is recorded: after a fault nothing has changed, and a second time gives only what is not on the
 * record yet. Pure. */
#ifndef CONTEST_BULK_H
#define CONTEST_BULK_H

#include "contest/act_body.h"

/* The acts of a JSON object with any of screening, ranks, invited, chosen and lost, as an array of
 * [KIND, BODY], which is the caller's; why is their reason, correct: in the place of lists that
 * were given. Errors (BL_DATA): what is wrong with the object, or the rule that an act breaks. */
enum bl_status bulk_acts(const struct contest *contest, json_t *data, const char *why, bool correct,
                         json_t **acts, struct bl_diag *diag);

#endif
