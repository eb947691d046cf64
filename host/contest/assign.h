/* Which confederate sits in which meeting, by GLPK. Pure. */
#ifndef CONTEST_ASSIGN_H
#define CONTEST_ASSIGN_H

#include "contest/schedule.h"

/* Gives every meeting of a schedule that has its rounds a confederate who is there, nobody twice in
 * a round, so that each judge and each Entry meets them as evenly as can be: round by round as
 * assignment problems, and where that is uneven as one integer program, searched up to a bound of
 * nodes (not of time, so that the answer is the same each time). Every round must have no more
 * meetings than there are confederates. BL_NOMEM or BL_SOFTWARE when the solver fails. */
enum bl_status assign_confederates(struct schedule *schedule, const struct schedule_need *need,
                                   struct schedule_bound *bound, struct bl_diag *diag);

#endif
