/* The games of a design in a contest's file: games-per-condition of rules/games.h, among the judges
 * and Entries in the contest. Pure. */
#ifndef CONTEST_GAME_PLAN_H
#define CONTEST_GAME_PLAN_H

#include "contest/plan.h"

/* Draws all games anew for this many booths; they replace all rounds. The key is the contest's
 * seed; before the seed is known, zeros, which give as many rounds. BL_DATA as games_draw(), or
 * more than SCHEDULE_MEETINGS_MAX games; BL_NOMEM. */
enum bl_status game_plan_draw(struct contest *contest, unsigned booths, struct bl_diag *diag);

/* contest_plan() under a design. Before the first round all games are drawn if people or booths
 * have changed. Later the games to come stay, except those of people who are gone or kept apart.
 * BL_USAGE: no number of booths is known. */
enum bl_status game_plan(const struct contest *contest, struct schedule *rest,
                         struct contest_planned *planned, struct bl_diag *diag);

/* Checks a meeting against the schedule: nobody twice in a round, in either role, and no two people
 * meet twice. */
enum bl_status game_plan_check(const struct contest *contest, const struct meeting *meeting,
                               struct bl_diag *diag);

#endif
