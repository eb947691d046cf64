/* The inside of the judge's terminal, for its files. */
#ifndef BOOTH_JUDGE_BOOTH_PRIVATE_H
#define BOOTH_JUDGE_BOOTH_PRIVATE_H

#include "booth/balloting.h"
#include "booth/booth_line.h"
#include "booth/judge_booth.h"
#include "booth/judge_lpp.h"
#include "booth/plan_source.h"
#include "session/judge_end.h"

struct judge_side {
    struct booth_line line; /* its head: the line's functions get the side */
    struct judge_end *end;
    const struct judge_end_view *view; /* the end's */
    uint64_t up_us;                    /* time of its line's last coming up */
    unsigned taken; /* times that its record was taken over from the other end, as applied */
    struct judge_lpp *folder; /* the line is an Entry's folder; NULL: it is a line */
};

#define JUDGE_FIRST_MAX 64

struct judge_booth {
    struct booth booth; /* its head: the booth's functions get the judge's booth */
    const struct judge_options *options;
    char session[SESSION_ID_MAX + 1];
    char style[STYLE_MAX + 1]; /* of the journal */
    struct style style_now;    /* of the pages */
    uint8_t starts;
    struct judge_side sides[SIDES];
    struct plan_clock plan;
    struct plan_source *source; /* counts, or follows who counts */
    bool resumed, plan_seen;
    bool was_counted; /* the latest part on record had a time limit: there was a plan */
    bool cables_seen, cables_b_left; /* by the record, see plan_followed_cables */
    bool all_ready;     /* once, the entities of all lines that are not cut were ready; before that
                         * no side is shown as open */
    unsigned chosen_in; /* the segment in which the judge's side was chosen: by the plan, or by his
                         * latest key on record */
    unsigned resume_index;
    uint64_t resume_remaining_us;
    struct balloting *ballot; /* NULL: none is asked for */
    struct ballot_signer signer;
    bool ballot_shown;        /* it came by itself */
    uint64_t ballot_typed_us; /* time of its coming, or of its typing while it waited to open */
    bool ballot_missed;       /* the judge was told that it is not given */
    bool lingers;             /* until the other end knows that the session is over */
    char unproven[100];       /* for the screen: which keys no seal covers */
    uint64_t sure_until_us;   /* F9 is taken although a line is not up; 0: it was not asked */
    uint32_t first_key[JUDGE_FIRST_MAX]; /* typed while the plan begins by them */
    unsigned first_keys;
    uint64_t clock_kept_us, last_typed_us;
    uint64_t shown_s;    /* of the plan's clock, on the screen */
    uint64_t last_up_us; /* time of a line's last coming up */
};

/* The first side that has a line, or the next one; NULL: no more. */
struct judge_side *judge_booth_side(struct judge_booth *b, struct judge_side *after);
#define EACH_SIDE(b, s)                                                                            \
    for (struct judge_side *s = judge_booth_side(b, NULL); s; s = judge_booth_side(b, s))

/* Has he one line alone? */
bool judge_is_single(struct judge_booth *b);

/* The side's name for the judge, who needs none of his only one. */
const char *judge_side_words(struct judge_booth *b, enum side side);

/* True if the controller has cut that side's line, as it should. */
static inline bool judge_side_is_cut(const struct judge_booth *b, enum side side)
{
    return b->source->ops->cuts(b->source, side);
}

/* F9 would start the clock on a line that is not up; pressed again within this time it does. */
#define JUDGE_SURE_US 30000000u

/* The plan's clock (judge_plan.c). _step makes the steps that are due, and records the rest if the
 * host counts; _apply tells the lines' ends of a step; _keep records the rest of the segment; _due
 * gives the next due time, for the clock or for the screen. */
void judge_plan_step(struct judge_booth *b, struct bl_time now);
void judge_plan_apply(struct judge_booth *b, struct bl_time now);
void judge_plan_keep(struct judge_booth *b, struct bl_time now);
uint64_t judge_plan_due(struct judge_booth *b, struct bl_time now);

/* A segment opens, or goes on. The judge then types to the first open side, unless his side was
 * chosen in the segment already and is open: then he stays there. */
void judge_plan_choose(struct judge_booth *b, unsigned index);

/* A spare machine has the records of the other ends: the plan's clock goes on where it stood. */
void judge_plan_take(struct judge_booth *b, struct bl_time now);

/* Fills the model for the screen; the booth is a judge's. */
void judge_booth_model(struct booth *booth, struct bl_time now);

/* Prints the final report as one JSON object. */
void judge_booth_report(struct judge_booth *b);

#endif
