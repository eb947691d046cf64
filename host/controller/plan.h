/* Converts a session's plan for a controller. */
#ifndef CONTROLLER_PLAN_H
#define CONTROLLER_PLAN_H

#include "controller/client.h"
#include "session/plan.h"

/* Total time of interruptions by a silent host before a fault latches. */
#define CONTROLLER_BUDGET_S 600
/* Time from the warning to the cut, in segments of at least three times that length. */
#define CONTROLLER_WARN_S 60

/* Converts the plan's sides to the controller's cables: relay and lamp A belong to cable A, B to
 * cable B. b_left: in this session cable B is on the left side and A on the right. BL_USAGE: the
 * plan has no segment, more than a controller stores, or is too short or too long. */
enum bl_status controller_plan(struct client_plan *out, const struct plan *plan, bool b_left,
                               struct bl_diag *diag);

#endif
