#include "rules/model.h"

#include "late/glpk.h"

#include <math.h>
#include <stdlib.h>

#define COLUMNS_MAX 800   /* most seats: with more GLPK would take minutes */
#define LABELS_MAX  2500  /* most columns of a program without rounds */
#define WORK_MAX    4.0e7 /* nodes times columns times rows: a few seconds */
#define MEETS_MAX   SCHEDULE_MEETINGS_MAX
#define ROUND       1000.0 /* cost of a round; larger than any unevenness */

struct model {
    const struct search_task *task;
    glp_prob *lp;
    unsigned rounds; /* 0: the program has no rounds */
    int used;        /* column used + 1 + r is 1 if round r is used */
    int length;
    int index[1 + LABELS_MAX + 4 * SCHEDULE_ENTRIES_MAX * SCHEDULE_ENTRIES_MAX];
    double value[1 + LABELS_MAX + 4 * SCHEDULE_ENTRIES_MAX * SCHEDULE_ENTRIES_MAX];
};

static void term(struct model *m, int column, double value)
{
    m->index[++m->length] = column;
    m->value[m->length] = value;
}

/* Ends the row: low <= sum, sum <= high or sum == low, by GLPK's type. A row without terms is
 * dropped. */
static void row(struct model *m, int type, double low, double high)
{
    if (m->length == 0)
        return;
    int number = late_glpk.add_rows(m->lp, 1);
    late_glpk.set_row_bnds(m->lp, number, type, low, high);
    late_glpk.set_mat_row(m->lp, number, m->length, m->index, m->value);
    m->length = 0;
}

static int column(struct model *m, double cost, double most, int kind)
{
    int number = late_glpk.add_cols(m->lp, 1);
    late_glpk.set_obj_coef(m->lp, number, cost);
    late_glpk.set_col_kind(m->lp, number, kind);
    late_glpk.set_col_bnds(m->lp, number, most > 0 ? GLP_DB : GLP_FX, 0, most);
    return number;
}

static unsigned moments(const struct model *m)
{
    return m->rounds ? m->rounds : 1;
}

static bool may(const struct model *m, unsigned pair, unsigned c)
{
    return m->task->pair[pair].may >> c & 1;
}

static int seat(const struct model *m, unsigned pair, unsigned c, unsigned round)
{
    return (int)((pair * m->task->people[SEARCH_CONFEDERATE] + c) * moments(m) + round) + 1;
}

static bool is_of(const struct model *m, unsigned pair, unsigned c, unsigned kind, unsigned who)
{
    return (kind == SEARCH_CONFEDERATE ? c : m->task->pair[pair].who[kind]) == who;
}

/* Adds the terms of all seats of a person: in one round, or in all if round == moments; with one
 * confederate, or with all if with == SEARCH_NOBODY. */
static void add_seats(struct model *m, unsigned kind, unsigned who, unsigned round, unsigned with)
{
    for (unsigned p = 0; p < m->task->pairs; p++)
        for (unsigned c = 0; c < m->task->people[SEARCH_CONFEDERATE]; c++)
            if (may(m, p, c) && is_of(m, p, c, kind, who) && (with == SEARCH_NOBODY || with == c))
                for (unsigned r = 0; r < moments(m); r++)
                    if (round == moments(m) || round == r)
                        term(m, seat(m, p, c, r), 1);
}

/* Each pair meets once, in one round, with one confederate. */
static void add_choices(struct model *m)
{
    unsigned there = m->task->people[SEARCH_CONFEDERATE];
    for (unsigned p = 0; p < m->task->pairs; p++)
        for (unsigned c = 0; c < there; c++)
            for (unsigned r = 0; r < moments(m); r++)
                column(m, 0, may(m, p, c), may(m, p, c) ? GLP_BV : GLP_CV);
    for (unsigned p = 0; p < m->task->pairs; p++) {
        for (unsigned c = 0; c < there; c++)
            for (unsigned r = 0; r < moments(m) && may(m, p, c); r++)
                term(m, seat(m, p, c, r), 1);
        row(m, GLP_FX, 1, 1);
    }
}

/* One seat for each person in a round. Used rounds come before unused ones. */
static void add_rounds(struct model *m, unsigned least)
{
    m->used = late_glpk.get_num_cols(m->lp);
    for (unsigned r = 0; r < m->rounds; r++) {
        int used = column(m, ROUND, 1, GLP_BV);
        if (r < least)
            late_glpk.set_col_bnds(m->lp, used, GLP_FX, 1, 1);
    }
    for (unsigned kind = 0; kind < SEARCH_KINDS; kind++) {
        for (unsigned who = 0; who < m->task->people[kind]; who++) {
            for (unsigned r = 0; r < m->rounds; r++) {
                add_seats(m, kind, who, r, SEARCH_NOBODY);
                if (m->length)
                    term(m, m->used + 1 + (int)r, -1);
                row(m, GLP_UP, 0, 0);
            }
        }
    }
    for (unsigned r = 0; r + 1 < m->rounds; r++) {
        term(m, m->used + 1 + (int)r, 1);
        term(m, m->used + 2 + (int)r, -1);
        row(m, GLP_LO, 0, 0);
    }
}

/* Rounds are interchangeable. So the person with the most pairs gets round 0 for the first pair,
 * round 1 for the second, and so on. This makes proofs hundreds of times as fast. */
static void break_symmetry(struct model *m)
{
    const struct search_task *task = m->task;
    unsigned kind = 0, who = 0, next = 0;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < task->people[k]; i++)
            if (task->degree[k][i] > task->degree[kind][who]) {
                kind = k;
                who = i;
            }
    for (unsigned p = 0; p < task->pairs; p++) {
        if (task->pair[p].who[kind] != who)
            continue;
        for (unsigned c = 0; c < task->people[SEARCH_CONFEDERATE]; c++)
            for (unsigned r = 0; r < m->rounds; r++)
                if (r != next)
                    late_glpk.set_col_bnds(m->lp, seat(m, p, c, r), GLP_FX, 0, 0);
        next++;
    }
}

/* A soft constraint with a cost: a person's meetings with a confederate, or all meetings of a
 * confederate, are at least or at most `limit`. */
static void add_wish(struct model *m, unsigned kind, unsigned who, unsigned with, bool least,
                     double limit, double cost)
{
    add_seats(m, kind, who, moments(m), with);
    if (m->length == 0)
        return;
    term(m, column(m, cost, MEETS_MAX, GLP_CV), least ? 1 : -1);
    row(m, least ? GLP_LO : GLP_UP, limit, limit);
}

static void add_wishes(struct model *m, double wish, double even)
{
    const struct search_task *task = m->task;
    for (unsigned kind = 0; kind < 2; kind++) {
        for (unsigned i = 0; i < task->people[kind]; i++) {
            for (unsigned c = 0; c < task->people[SEARCH_CONFEDERATE]; c++) {
                double met = task->before[kind][i][c];
                if (!(task->allowed[kind][i] >> c & 1))
                    continue;
                if (met < 1)
                    add_wish(m, kind, i, c, true, 1, wish);
                if (even > 0) {
                    add_wish(m, kind, i, c, true, task->low[kind][i] - met, even);
                    add_wish(m, kind, i, c, false, task->high[kind][i] - met, even);
                }
            }
        }
    }
    for (unsigned c = 0; c < task->people[SEARCH_CONFEDERATE] && even > 0; c++) {
        double load = task->load_before[c];
        if (!(task->there >> c & 1))
            continue;
        add_wish(m, SEARCH_CONFEDERATE, c, SEARCH_NOBODY, true,
                 task->low[SEARCH_CONFEDERATE][c] - load, even);
        add_wish(m, SEARCH_CONFEDERATE, c, SEARCH_NOBODY, false,
                 task->high[SEARCH_CONFEDERATE][c] - load, even);
    }
}

static void add_cutoff(struct model *m, double most)
{
    for (int c = 1; c <= late_glpk.get_num_cols(m->lp); c++)
        if (late_glpk.get_obj_coef(m->lp, c) > 0)
            term(m, c, late_glpk.get_obj_coef(m->lp, c));
    row(m, GLP_UP, 0, most);
}

struct watch {
    double nodes_left, bound; /* no solution costs less */
};

static void on_node(glp_tree *tree, void *info)
{
    struct watch *watch = info;
    int best = late_glpk.ios_best_node(tree);
    if (late_glpk.ios_reason(tree) != GLP_ISELECT)
        return;
    if (best)
        watch->bound = late_glpk.ios_node_bound(tree, best);
    if (--watch->nodes_left < 0)
        late_glpk.ios_terminate(tree);
}

static int solve(struct model *m, struct watch *watch)
{
    glp_iocp control;
    watch->nodes_left = WORK_MAX / late_glpk.get_num_cols(m->lp) / late_glpk.get_num_rows(m->lp);
    watch->bound = 0;
    late_glpk.init_iocp(&control);
    control.msg_lev = GLP_MSG_OFF;
    control.presolve = GLP_ON;
    control.clq_cuts = GLP_ON;
    control.cb_func = on_node;
    control.cb_info = watch;
    return late_glpk.intopt(m->lp, &control);
}

static enum bl_status model_create(struct model **out, const struct search_task *task,
                                   unsigned rounds, struct bl_diag *diag)
{
    enum bl_status status = late_load(&late_glpk, diag);
    struct model *m;
    if (status != BL_OK)
        return status;
    m = calloc(1, sizeof *m);
    if (!m)
        return bl_fail(diag, BL_NOMEM, "no memory");
    late_glpk.term_out(GLP_OFF);
    m->task = task;
    m->rounds = rounds;
    m->lp = late_glpk.create_prob();
    late_glpk.set_obj_dir(m->lp, GLP_MIN);
    *out = m;
    return BL_OK;
}

static void model_destroy(struct model *m)
{
    late_glpk.delete_prob(m->lp);
    free(m);
}

static void take(const struct model *m, struct search_answer *answer)
{
    unsigned rounds = 0;
    for (unsigned r = 0; r < m->rounds; r++) {
        bool used = false;
        for (unsigned p = 0; p < m->task->pairs; p++) {
            for (unsigned c = 0; c < m->task->people[SEARCH_CONFEDERATE]; c++) {
                if (!may(m, p, c) || late_glpk.mip_col_val(m->lp, seat(m, p, c, r)) < 0.5)
                    continue;
                answer->round[p] = (uint16_t)rounds;
                answer->confederate[p] = (person_number)c;
                used = true;
            }
        }
        rounds += used;
    }
    answer->rounds = rounds;
    answer->cost = search_cost_of(m->task, answer);
}

enum bl_status model_improve(struct search_answer *answer, enum model_verdict *verdict,
                             const struct search_task *task, unsigned rounds_least,
                             unsigned rounds_most, struct bl_diag *diag)
{
    const double wish = ROUND * (rounds_most + 1);
    struct watch watch;
    struct model *m;
    enum bl_status made;
    *verdict = MODEL_UNKNOWN;
    if (task->pairs * task->people[SEARCH_CONFEDERATE] * rounds_most > COLUMNS_MAX)
        return BL_OK;
    made = model_create(&m, task, rounds_most, diag);
    if (made != BL_OK)
        return made;
    add_choices(m);
    add_rounds(m, rounds_least);
    break_symmetry(m);
    add_wishes(m, wish, 1);
    add_cutoff(m, wish * answer->cost.missing + ROUND * answer->rounds + answer->cost.uneven - 1);
    int failed = solve(m, &watch), status = late_glpk.mip_status(m->lp);
    if ((failed == 0 || failed == GLP_ESTOP) && (status == GLP_OPT || status == GLP_FEAS))
        take(m, answer);
    if ((failed == 0 && (status == GLP_OPT || status == GLP_NOFEAS)) || failed == GLP_ENOPFS)
        *verdict = MODEL_BEST;
    model_destroy(m);
    return BL_OK;
}

enum bl_status model_missing_least(unsigned *missing, const struct search_task *task,
                                   struct bl_diag *diag)
{
    struct watch watch;
    struct model *m;
    enum bl_status made;
    *missing = 0;
    if (task->pairs * task->people[SEARCH_CONFEDERATE] > LABELS_MAX)
        return BL_OK;
    made = model_create(&m, task, 0, diag);
    if (made != BL_OK)
        return made;
    add_choices(m);
    add_wishes(m, 1, 0);
    int failed = solve(m, &watch);
    if (failed == 0 && late_glpk.mip_status(m->lp) == GLP_OPT)
        *missing = (unsigned)lround(late_glpk.mip_obj_val(m->lp));
    else if (watch.bound > 0)
        *missing = (unsigned)ceil(watch.bound - 1e-6);
    model_destroy(m);
    return BL_OK;
}
