/* GLPK, loaded late. */
#ifndef LATE_GLPK_H
#define LATE_GLPK_H

#include "late/late.h"

#include <glpk.h>

/* clang-format off */
#define LATE_GLPK(_) \
    _(glp_, add_cols) \
    _(glp_, add_rows) \
    _(glp_, create_prob) \
    _(glp_, delete_prob) \
    _(glp_, get_num_cols) \
    _(glp_, get_num_rows) \
    _(glp_, get_obj_coef) \
    _(glp_, init_iocp) \
    _(glp_, intopt) \
    _(glp_, ios_best_node) \
    _(glp_, ios_node_bound) \
    _(glp_, ios_reason) \
    _(glp_, ios_terminate) \
    _(glp_, mip_col_val) \
    _(glp_, mip_obj_val) \
    _(glp_, mip_status) \
    _(glp_, set_col_bnds) \
    _(glp_, set_col_kind) \
    _(glp_, set_mat_row) \
    _(glp_, set_obj_coef) \
    _(glp_, set_obj_dir) \
    _(glp_, set_row_bnds) \
    _(glp_, term_out) \
    _(glp_, version)
/* clang-format on */

extern struct late_glpk {
    LATE_GLPK(LATE_MEMBER)
} late_glpk;

#endif
