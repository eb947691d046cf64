/* Acts to be appended one after the other. Each act is checked on a copy of the contest with the
 * acts before. Pure. */
#ifndef CONTEST_ACT_BATCH_H
#define CONTEST_ACT_BATCH_H

#include "contest/act_body.h"

struct act_batch {
    struct contest *with; /* the contest with these acts */
    struct act_body *act; /* the acts; their texts are the caller's */
    size_t count, room;
};

/* BL_NOMEM: the caller frees the batch also then. */
enum bl_status act_batch_begin(struct act_batch *batch, const struct contest *contest,
                               struct bl_diag *diag);
void act_batch_free(struct act_batch *batch);

/* Adds an act with this time, in us since 1970, of a kind without JSON. BL_DATA: the act is
 * malformed or against the rules, and the batch is unchanged. */
enum bl_status act_batch_add(struct act_batch *batch, const struct act_body *act, int64_t at_us,
                             struct bl_diag *diag);

#endif
