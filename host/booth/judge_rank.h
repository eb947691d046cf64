/* The verbs "judge --rank" and "judge --correct": a judge reads the pages of sessions again,
 * without a line, and gives ranks or corrects a ballot. */
#ifndef BOOTH_JUDGE_RANK_H
#define BOOTH_JUDGE_RANK_H

#include "booth/booth.h"
#include "rules/vote.h"

struct judge_rank_options {
    const struct booth_options *booth; /* session is the ranks' name */
    const char *journal[VOTE_RANKS_MAX];
    unsigned journals;
    bool correct; /* no ranks: the ballot of one journal is corrected */
};

enum bl_status judge_rank_run(const struct judge_rank_options *options, struct bl_diag *diag);

#endif
