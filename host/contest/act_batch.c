#include "contest/act_batch.h"

#include "base/growing.h"

#include <stdlib.h>
#include <string.h>

enum bl_status act_batch_begin(struct act_batch *batch, const struct contest *contest,
                               struct bl_diag *diag)
{
    *batch = (struct act_batch){.with = contest_create()};
    if (!batch->with)
        return bl_fail(diag, BL_NOMEM, "no memory");
    contest_assign(batch->with, contest);
    return BL_OK;
}

void act_batch_free(struct act_batch *batch)
{
    contest_destroy(batch->with);
    free(batch->act);
}

enum bl_status act_batch_add(struct act_batch *batch, const struct act_body *act, int64_t at_us,
                             struct bl_diag *diag)
{
    json_t *json = act_body_write(act);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    const struct act tried = {
        .at_us = at_us, .author = "", .kind = act_kind_name(act->kind), .body = text};
    struct act_body *more = growing_array(batch->act, batch->count, &batch->room, sizeof *more);
    enum bl_status status = !more   ? bl_fail(diag, BL_NOMEM, "no memory")
                            : !text ? bl_fail(diag, BL_DATA, "the texts must be UTF-8")
                                    : contest_apply(batch->with, &tried, diag);
    batch->act = more ? more : batch->act;
    if (status == BL_OK)
        batch->act[batch->count++] = *act;
    json_decref(json);
    free(text);
    return status;
}
