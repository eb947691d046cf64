#include "session/screen_model.h"

void screen_side_judge(struct screen_side *side, const struct judge_end_view *view)
{
    *side = (struct screen_side){
        .page = view->page,
        .pending = view->typed,
        .pending_count = view->typed_count,
        .steward_here = view->steward_here,
    };
}

void screen_side_entity(struct screen_side *side, const struct entity_end_view *view)
{
    *side = (struct screen_side){
        .page = view->page,
        .title = "ENTITY",
        .active = view->may_type,
        .pending = view->pending,
        .pending_count = view->pending_count,
        .steward_here = view->steward_here,
        .steward_there = view->steward_there,
    };
}

uint64_t screen_remaining_us(const struct entity_end_view *view, uint64_t now_us)
{
    if (view->enforced && view->sync != SYNC_LIVE && view->segment < SEGMENT_CLOSING)
        return UINT64_MAX; /* the controller's clock may stand */
    if (view->cut_us == BL_NEVER || view->segment >= SEGMENT_CLOSED)
        return UINT64_MAX;
    return view->cut_us > now_us ? view->cut_us - now_us : 0;
}

bool screen_is_cut(const struct entity_end_view *view)
{
    return view->enforced && (view->segment == SEGMENT_FINISHED ||
                              (view->segment == SEGMENT_CLOSED && view->sync != SYNC_LIVE));
}
