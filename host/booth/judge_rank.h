/* "judge --rank" and "judge --correct": a judge's ranks after the sessions, with all pages of the
 * sessions to read, and without a line. */
#ifndef BOOTH_JUDGE_RANK_H
#define BOOTH_JUDGE_RANK_H

#include "booth/booth.h"
#include "rules/vote.h"

struct judge_rank_options {
    const struct booth_options *booth; /* session: the ranks' name; script, headless, json */
    const char *journal[VOTE_RANKS_MAX];
    unsigned journals;
    bool correct; /* not ranks: the ballot of this one journal */
};

enum bl_status judge_rank_run(const struct judge_rank_options *options, struct bl_diag *diag);

#endif
