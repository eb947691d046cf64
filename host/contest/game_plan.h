/* The games of a design in a contest's file: games-per-condition of rules/games.h, among the judges
 * who are there, with the Entries who are. Pure. */
#ifndef CONTEST_GAME_PLAN_H
#define CONTEST_GAME_PLAN_H

#include "contest/plan.h"

/* Draws them anew for so many booths at once, in the place of all rounds: with the contest's seed,
 * or where that is not known yet, with a key of zeros, which gives as many rounds. BL_DATA as
 * games_draw(), or there are more than SCHEDULE_MEETINGS_MAX; BL_NOMEM. */
enum bl_status game_plan_draw(struct contest *contest, unsigned booths, struct bl_diag *diag);

/* contest_plan() of a design. Before the first round, where people or booths are others than those
 * of the draw, all games are drawn; else those of the rounds to come stay, without the games of who
 * is gone or is kept apart. */
enum bl_status game_plan(const struct contest *contest, struct schedule *rest,
                         struct contest_planned *planned, struct bl_diag *diag);

/* BL_OK if a meeting may be beside those of the schedule: nobody in a round twice, in whatever
 * role, and no two meet twice. */
enum bl_status game_plan_check(const struct contest *contest, const struct meeting *meeting,
                               struct bl_diag *diag);

#endif
