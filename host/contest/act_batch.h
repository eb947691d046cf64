/* Acts that are to be appended one after the other: each is tried on a copy of the contest, behind
 * those before it. Pure. */
#ifndef CONTEST_ACT_BATCH_H
#define CONTEST_ACT_BATCH_H

#include "contest/act_body.h"

struct act_batch {
    struct contest *with; /* the contest as they make it */
    struct act_body *act; /* their texts are the caller's */
    size_t count, room;
};

/* Free it after an error too, which is BL_NOMEM. */
enum bl_status act_batch_begin(struct act_batch *batch, const struct contest *contest,
                               struct bl_diag *diag);
void act_batch_free(struct act_batch *batch);

/* An act of that time, in us since 1970, of a kind without JSON. BL_DATA: against the rules, or of
 * wrong form; then the batch is as it was. */
enum bl_status act_batch_add(struct act_batch *batch, const struct act_body *act, int64_t at_us,
                             struct bl_diag *diag);

#endif
