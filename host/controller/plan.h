/* A session's plan for a controller. */
#ifndef CONTROLLER_PLAN_H
#define CONTROLLER_PLAN_H

#include "controller/client.h"
#include "session/plan.h"

/* A silent host's interruptions may last so long together before a fault latches. */
#define CONTROLLER_BUDGET_S 600
/* The warning comes so long before a cut, in segments of at least three times that. */
#define CONTROLLER_WARN_S 60

/* The session's plan goes by side, the controller's relays and lamps by cable: its A is cable
 * A's, its B cable B's. b_left: cable B is plugged for the left side in this session, and A for
 * the right. BL_USAGE: the plan has no segment, more than a controller keeps, or lasts too short or
 * too long. */
enum bl_status controller_plan(struct client_plan *out, const struct plan *plan, bool b_left,
                               struct bl_diag *diag);

#endif
