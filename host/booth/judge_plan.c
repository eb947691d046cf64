/* The plan at the judge's terminal: what the steps of its clock do to the lines' ends, and what of
 * it goes on record. Who moves the clock is the plan source's affair. */
#include "booth/judge_booth_private.h"

void judge_plan_apply(struct judge_booth *b, struct bl_time now)
{
    const struct plan *plan = b->plan.plan;
    EACH_SIDE (b, s) {
        const struct judge_end_view *view = judge_end_view(s->end);
        switch (b->plan.state) {
        case SEGMENT_CLOSING:
            judge_end_closing(s->end, now);
            break;
        case SEGMENT_FINISHED:
            judge_end_cut(s->end, true, now);
            break;
        case SEGMENT_OPEN:
            if (view->segment == SEGMENT_CLOSING || view->segment == SEGMENT_OPEN)
                judge_end_cut(s->end, false, now);
            if (plan->segment[b->plan.index].open[s->port.side]) {
                judge_end_open(s->end, b->plan.index, plan->count,
                               plan_clock_remaining(&b->plan, now.mono_us), false, now);
                judge_plan_choose(b, b->plan.index);
            } else {
                judge_end_clock(s->end, b->plan.index, plan_clock_remaining(&b->plan, now.mono_us),
                                now);
            }
            break;
        case SEGMENT_WAITING:
        case SEGMENT_CLOSED:
            break;
        }
    }
    b->clock_kept_us = now.mono_us;
    b->booth.changed = true;
}

void judge_plan_choose(struct judge_booth *b, unsigned index)
{
    const bool *open = b->plan.plan->segment[index].open;
    if (b->chosen_in == index && open[b->booth.active])
        return;
    EACH_SIDE (b, s) {
        if (open[s->port.side]) {
            b->booth.active = s->port.side;
            break;
        }
    }
    b->chosen_in = index;
}

void judge_plan_step(struct judge_booth *b, struct bl_time now)
{
    while (b->booth.stage == RUNNING && plan_clock_step(&b->plan, now.mono_us))
        judge_plan_apply(b, now);
}

void judge_plan_keep(struct judge_booth *b, struct bl_time now)
{
    struct judge_side *first = judge_booth_side(b, NULL);
    EACH_SIDE (b, s)
        if (plan_clock_open(&b->plan, s->port.side))
            first = s;
    judge_end_clock(first->end, b->plan.index, plan_clock_remaining(&b->plan, now.mono_us), now);
    b->clock_kept_us = now.mono_us;
}

uint64_t judge_plan_due(struct judge_booth *b, struct bl_time now)
{
    uint64_t due = plan_clock_due(&b->plan);
    if (b->booth.screen && b->plan.plan->count && b->plan.state == SEGMENT_OPEN) {
        /* the next change of the seconds shown */
        booth_sooner(&due, now.mono_us + plan_clock_remaining(&b->plan, now.mono_us) % 1000000 + 1);
        b->booth.changed = true;
    }
    return due;
}
