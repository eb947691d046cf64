#include "controller/plan.h"

enum bl_status controller_plan(struct client_plan *out, const struct plan *plan, bool b_left,
                               struct bl_diag *diag)
{
    uint32_t total = 0;
    if (plan->count == 0)
        return bl_fail(diag, BL_USAGE,
                       "a controller needs a plan: add --plan, as '300 left,300 right,600 review'");
    if (plan->count > WATCHDOG_SEGMENTS)
        return bl_fail(diag, BL_USAGE, "plan: a controller takes at most %d parts, this has %u",
                       WATCHDOG_SEGMENTS, plan->count);
    *out = (struct client_plan){
        .count = plan->count, .connect_s = WATCHDOG_CONNECT_S, .budget_s = CONTROLLER_BUDGET_S};
    for (unsigned i = 0; i < plan->count; i++) {
        const struct plan_segment *segment = &plan->segment[i];
        unsigned flags = 0;
        if (segment->open[b_left ? SIDE_RIGHT : SIDE_LEFT])
            flags |= SEGMENT_A | SEGMENT_LAMP_A;
        if (segment->open[b_left ? SIDE_LEFT : SIDE_RIGHT])
            flags |= SEGMENT_B | SEGMENT_LAMP_B;
        out->segment[i] = (struct client_segment){
            .seconds = (uint16_t)segment->seconds,
            .flags = (uint8_t)(flags ? flags : SEGMENT_LAMP_BREAK),
            .warn_s = flags && segment->seconds >= 3 * CONTROLLER_WARN_S ? CONTROLLER_WARN_S : 0,
        };
        total += segment->seconds;
    }
    if (total < WATCHDOG_PLAN_MIN_S || total > WATCHDOG_PLAN_MAX_S)
        return bl_fail(diag, BL_USAGE,
                       "plan: a controller takes %d s to %d s in all, this has %u s",
                       WATCHDOG_PLAN_MIN_S, WATCHDOG_PLAN_MAX_S, (unsigned)total);
    return BL_OK;
}
