/* The judge's terminal: one or two lines, one journal and one screen on one loop. */
#ifndef BOOTH_JUDGE_BOOTH_H
#define BOOTH_JUDGE_BOOTH_H

#include "booth/booth.h"
#include "rules/ruleset.h"

struct judge_options {
    struct booth_options booth;
    const char *port[SIDES]; /* NULL: no line on that side */
    struct plan plan;        /* count 0: no plan; the lines are open from the start */
    enum starts starts;
    struct style style;
    struct typing_rules typing;
    const struct ruleset *ruleset; /* the rules of the ballot; NULL: none */
    const char *controller;        /* the controller's port; NULL: none */
    bool b_left;                   /* cable B is the left side's */
    bool begin_by_key;             /* the plan waits for F9; false: it begins when the lines are
                                    * up */
    bool begin_typed; /* the judge's first key begins the plan, and is typed when its line is
                       * open */
};

/* Runs until the session is over or a person leaves. Errors, with diag: those of the start. */
enum bl_status judge_booth_run(const struct judge_options *options, struct bl_diag *diag);

#endif
