/* The whole of a schedule as one integer program, for GLPK: the seats of all rounds, with the
 * wishes before the rounds, and the rounds before evenness. Pure. It proves the search's answer, or
 * finds a better one; a bounded number of nodes, not of time, so the answer is the same each
 * time. */
#ifndef RULES_MODEL_H
#define RULES_MODEL_H

#include "rules/search.h"

enum model_verdict {
    MODEL_BEST,    /* the answer, which may be a new one, is proven to be the best */
    MODEL_UNKNOWN, /* the program is too large, or took too many nodes */
};

/* Looks for a better answer in at most `rounds_most` rounds; rounds_least is known. BL_NOMEM is the
 * only status but BL_OK. */
enum bl_status model_improve(struct search_answer *answer, enum model_verdict *verdict,
                             const struct search_task *task, unsigned rounds_least,
                             unsigned rounds_most, struct bl_diag *diag);

/* The number of wishes left open by every schedule, of any number of rounds; 0 if the program is
 * too large to tell. BL_NOMEM is the only status but BL_OK. */
enum bl_status model_missing_least(unsigned *missing, const struct search_task *task,
                                   struct bl_diag *diag);

#endif
