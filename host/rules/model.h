/* A whole schedule as one integer program, for GLPK. Constraints seat each pair once. The objective
 * puts wishes first, then few rounds, then evenness. The program proves the search's answer best,
 * finds a better answer, or gives up after a number of nodes. Equal input gives an equal result.
 * Pure. */
#ifndef RULES_MODEL_H
#define RULES_MODEL_H

#include "rules/search.h"

enum model_verdict {
    MODEL_BEST,    /* the answer, possibly a new one, is proven best */
    MODEL_UNKNOWN, /* the program is too large or took too many nodes */
};

/* Looks for a better answer of at most `rounds_most` rounds. rounds_least: a known lower bound.
 * BL_OK or BL_NOMEM. */
enum bl_status model_improve(struct search_answer *answer, enum model_verdict *verdict,
                             const struct search_task *task, unsigned rounds_least,
                             unsigned rounds_most, struct bl_diag *diag);

/* Finds a number of wishes that every schedule, of any number of rounds, leaves open; 0 if the
 * program is too large. BL_OK or BL_NOMEM. */
enum bl_status model_missing_least(unsigned *missing, const struct search_task *task,
                                   struct bl_diag *diag);

#endif
