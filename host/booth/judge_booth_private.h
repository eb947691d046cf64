/* Internal declarations of the judge's terminal, for its files. */
#ifndef BOOTH_JUDGE_BOOTH_PRIVATE_H
#define BOOTH_JUDGE_BOOTH_PRIVATE_H

#include "booth/balloting.h"
#include "booth/booth_line.h"
#include "booth/judge_booth.h"
#include "booth/judge_lpp.h"
#include "booth/plan_source.h"
#include "session/judge_end.h"

struct judge_side {
    struct booth_line line; /* first: functions of the line get the side */
    struct judge_end *end;
    const struct judge_end_view *view; /* the end's */
    uint64_t up_us;                    /* the last time at which its line came up */
    unsigned taken;                    /* view->taken at the last look */
    struct judge_lpp *folder;          /* the line is an Entry's folder; NULL: a real line */
};

#define JUDGE_FIRST_MAX 64

struct judge_booth {
    struct booth booth; /* first: functions of the booth get the judge's booth */
    const struct judge_options *options;
    char session[SESSION_ID_MAX + 1];
    char style[STYLE_MAX + 1]; /* the journal's style */
    struct style style_now;    /* the pages' style */
    uint8_t starts;
    struct judge_side sides[SIDES];
    struct plan_clock plan;
    struct plan_source *source; /* counts the plan, or follows its counter */
    bool resumed, plan_seen;
    bool was_counted; /* the latest recorded part had a time limit: there was a plan */
    bool cables_seen, cables_b_left; /* cables as the record has them, see plan_followed_cables */
    bool all_ready; /* the entities of all lines that are not cut were once ready; before that no
                     * script types, and no plan begins by itself */
    unsigned chosen_in; /* the segment in which the judge's side was chosen: by the plan, or by the
                    * latest recorded key */
    unsigned resume_index;
    uint64_t resume_remaining_us;
    struct balloting *ballot; /* NULL: the rules ask for none */
    struct ballot_signer signer;
    bool ballot_shown;        /* the form was offered when the lines were over */
    uint64_t ballot_typed_us; /* time of the last character, or of the form's offer */
    bool ballot_missed;       /* the judge was told that the ballot is not given */
    bool lingers;             /* stays until the other end knows that the session is over */
    char unproven[100];       /* text on the screen about keys without a seal */
    uint64_t
        sure_until_us; /* until then a second F9 starts the clock although a line is not up; 0: no
                        * first F9 */
    uint32_t first_key[JUDGE_FIRST_MAX]; /* typed before the plan, which these keys start */
    unsigned first_keys;
    uint64_t clock_kept_us, last_typed_us;
    uint64_t shown_s;    /* seconds of the plan's clock on the screen */
    uint64_t last_up_us; /* the last time at which a line came up */
};

/* The first side with a line, or the next one; NULL: no more. */
struct judge_side *judge_booth_side(struct judge_booth *b, struct judge_side *after);
#define EACH_SIDE(b, s)                                                                            \
    for (struct judge_side *s = judge_booth_side(b, NULL); s; s = judge_booth_side(b, s))

/* The side's name for the judge; an only side is "this line". */
const char *judge_side_words(struct judge_booth *b, enum side side);

/* True if the controller has cut that side's line by the plan. */
static inline bool judge_side_is_cut(const struct judge_booth *b, enum side side)
{
    return b->source->ops->cuts(b->source, side);
}

/* F9 would start the clock with a line that is not up: a second F9 within this time does. */
#define JUDGE_SURE_US 30000000u

/* The plan's clock (judge_plan.c). _step makes the due steps, and records the rest if the host
 * counts; _apply tells the lines' ends of a step; _keep records the rest of the segment; _due gives
 * the next due time, for the clock or for the screen. */
void judge_plan_step(struct judge_booth *b, struct bl_time now);
void judge_plan_apply(struct judge_booth *b, struct bl_time now);
void judge_plan_keep(struct judge_booth *b, struct bl_time now);
uint64_t judge_plan_due(struct judge_booth *b, struct bl_time now);

/* A segment opens, or goes on. The judge then types to the first open side; the judge stays at a
 * side that was chosen in this segment and is open. */
void judge_plan_choose(struct judge_booth *b, unsigned index);

/* A spare machine has the records of the other ends: the plan's clock goes on from there. */
void judge_plan_take(struct judge_booth *b, struct bl_time now);

/* Fills the model for the screen; the booth is a judge's. */
void judge_booth_model(struct booth *booth, struct bl_time now);

/* Prints the final report as one JSON object. */
void judge_booth_report(struct judge_booth *b);

#endif
