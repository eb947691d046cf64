#ifndef BOOTH_JUDGE_BOOTH_PRIVATE_H
#define BOOTH_JUDGE_BOOTH_PRIVATE_H

#include "booth/balloting.h"
#include "booth/booth_line.h"
#include "booth/judge_booth.h"
#include "booth/judge_lpp.h"
#include "booth/plan_source.h"
#include "session/judge_end.h"

struct judge_side {
    struct booth_line line; /* first member: functions of booth_line.h pass it as the side */
    struct judge_end *end;
    const struct judge_end_view *view;
    uint64_t up_us;           /* time at which the side's line last came up */
    unsigned taken;           /* view->taken at the last judge_plan_take() */
    struct judge_lpp *folder; /* an Entry's folder instead of the line; NULL: a line */
};

#define JUDGE_FIRST_MAX 64

struct judge_booth {
    struct booth booth; /* first member: functions of booth_line.h pass it as the judge's booth */
    const struct judge_options *options;
    char session[SESSION_ID_MAX + 1];
    char style[STYLE_MAX + 1]; /* the journal's style */
    struct style style_now;
    uint8_t starts;
    struct judge_side sides[SIDES];
    struct plan_clock plan;
    struct plan_source *source; /* the plan's clock */
    bool resumed, plan_seen;
    bool was_counted;                /* the latest recorded part had a time limit */
    bool cables_seen, cables_b_left; /* the record names the cables; by the record, B is the left
                                      * side's */
    bool all_ready;     /* the entities of all lines that are not cut have been ready. Until then no
                     * script types, and no plan begins by itself */
    unsigned chosen_in; /* segment in which the plan, or the latest recorded key, chose the judge's
                         * side */
    unsigned resume_index;
    uint64_t resume_remaining_us;
    struct balloting *ballot; /* NULL: the rules ask for none */
    struct ballot_signer signer;
    bool ballot_shown;        /* the form was offered after the last part with an open line */
    uint64_t ballot_typed_us; /* time of the form's offer or of the last typed character */
    bool ballot_missed;       /* the judge was told that no ballot is given */
    bool lingers;             /* stays until each other end knows that the session is over */
    char unproven[100];       /* the screen's text about keys without a seal */
    uint64_t
        sure_until_us; /* until this time a second F9 starts the clock although a line is not up; 0:
                        * no F9 yet */
    uint32_t first_key[JUDGE_FIRST_MAX]; /* keys typed before the plan; the first of them begins
                                          * it */
    unsigned first_keys;
    uint64_t clock_kept_us, last_typed_us;
    uint64_t shown_s;    /* seconds left, as the screen shows them */
    uint64_t last_up_us; /* time at which a line last came up */
};

/* The first side with a line; with `after`, the next one. NULL: none. */
struct judge_side *judge_booth_side(struct judge_booth *b, struct judge_side *after);
#define EACH_SIDE(b, s)                                                                            \
    for (struct judge_side *s = judge_booth_side(b, NULL); s; s = judge_booth_side(b, s))

/* The side's name for the judge: "this line" if there is only one. */
const char *judge_side_words(struct judge_booth *b, enum side side);

/* True if the controller keeps that side's line cut, by the plan. */
static inline bool judge_side_is_cut(const struct judge_booth *b, enum side side)
{
    return b->source->ops->cuts(b->source, side);
}

/* The time within which a second F9 starts the clock although a line is not up. */
#define JUDGE_SURE_US 30000000u

/* The plan's clock (judge_plan.c). _step makes the clock's due steps, and records the time left if
 * the host counts. _apply tells a step to the lines' ends. _keep records the time left. _due
 * returns the next due time, of the clock or of the screen. */
void judge_plan_step(struct judge_booth *b, struct bl_time now);
void judge_plan_apply(struct judge_booth *b, struct bl_time now);
void judge_plan_keep(struct judge_booth *b, struct bl_time now);
uint64_t judge_plan_due(struct judge_booth *b, struct bl_time now);

/* Chooses the judge's side when a segment opens or goes on: an open side that was chosen in this
 * segment before, otherwise the first open side. */
void judge_plan_choose(struct judge_booth *b, unsigned index);

/* Sets the plan's clock on a spare machine, by the other ends' records. */
void judge_plan_take(struct judge_booth *b, struct bl_time now);

void judge_booth_model(struct booth *booth, struct bl_time now);

void judge_booth_report(struct judge_booth *b);

#endif
