/* The schedule that a contest should have now. Begun rounds stay, rounds that still hold are kept,
 * and the rest is made anew (rules/schedule.h). Pure. */
#ifndef CONTEST_PLAN_H
#define CONTEST_PLAN_H

#include "contest/act_body.h"

struct contest_planned {
    unsigned booths; /* under a design: games at once, set by the caller; 0: as before */
    bool games;      /* under a design: the seed draws all games anew */
    struct schedule_bound bound; /* of the new rounds */
    unsigned kept;               /* unchanged rounds still to come */
    unsigned made;               /* new rounds */
    unsigned first_made;         /* the first new round, from 0; kept rounds may follow it */
    bool changed;                /* the contest's present schedule differs */
};

/* Fills `rest` with the rounds to come, the first of them number 0. Before the first round of a
 * contest or of a trial, all rounds are made; also with `optimal`, then in the fewest rounds
 * instead of by the rules' printed table. Later a round is kept if all of its people can still
 * meet; the others are made anew, in their places. If a judge or an Entry is gone and a new plan is
 * no better, their meetings are struck out and all others stay. BL_DATA as schedule_make(); also if
 * a judge knows a foil (long bet II
 *
 * 7). Under a design: game_plan.h. */
enum bl_status contest_plan(const struct contest *contest, bool optimal, struct schedule *rest,
                            struct contest_planned *planned, struct bl_diag *diag);

/* The act that makes `rest` the contest's rounds to come. */
struct act_body contest_plan_act(const struct contest *contest, const struct schedule *rest,
                                 const struct contest_planned *planned);

/* The meetings still needed: all pairs, without those of begun rounds, of withdrawn people and of
 * conflicts; and the number of past meetings. Large; the caller allocates it. */
void contest_need(const struct contest *contest, struct schedule_need *need);

#endif
