#include "booth/judge_booth_private.h"

#include "base/assert.h"

void judge_plan_apply(struct judge_booth *b, struct bl_time now)
{
    const struct plan *plan = b->plan.plan;
    EACH_SIDE (b, s) {
        const struct judge_end_view *view = s->view;
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
            if (plan->segment[b->plan.index].open[s->line.side]) {
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
    bl_assert(index < b->plan.plan->count);
    const bool *open = b->plan.plan->segment[index].open;
    if (b->chosen_in == index && open[b->booth.active])
        return;
    EACH_SIDE (b, s) {
        if (open[s->line.side]) {
            b->booth.active = s->line.side;
            break;
        }
    }
    b->chosen_in = index;
}

void judge_plan_step(struct judge_booth *b, struct bl_time now)
{
    while (b->booth.stage == RUNNING && now.mono_us >= b->plan.due_us &&
           plan_clock_step(&b->plan, now.mono_us))
        judge_plan_apply(b, now);
    if (!b->source->ops->enforced && b->plan.plan->count && b->plan.state == SEGMENT_OPEN &&
        now.mono_us >= b->clock_kept_us + PLAN_KEPT_EVERY_US)
        judge_plan_keep(b, now);
}

void judge_plan_keep(struct judge_booth *b, struct bl_time now)
{
    struct judge_side *first = judge_booth_side(b, NULL);
    EACH_SIDE (b, s)
        if (plan_clock_open(&b->plan, s->line.side))
            first = s;
    judge_end_clock(first->end, b->plan.index, plan_clock_remaining(&b->plan, now.mono_us), now);
    b->clock_kept_us = now.mono_us;
}

/* The time of the judge's last key on that side; 0: no key. */
static uint64_t typed_us(const struct judge_side *s)
{
    const struct sequence *order = judge_end_sequence(s->end);
    uint64_t n = order->count;
    while (n > 0 && order->event[n - 1].party != PARTY_JUDGE)
        n--;
    return n ? order->event[n - 1].posted_us : 0;
}

/* Sets the plan's clock by the other ends' records: the latest segment, with the least time left.
 * If there is a controller, its state counts instead. */
static void take_clock(struct judge_booth *b, struct bl_time now)
{
    uint64_t latest_us = 0;
    b->plan_seen = false;
    EACH_SIDE (b, s) {
        const struct judge_end_view *view = s->view;
        unsigned index = view->stood == SEGMENT_FINISHED ? b->plan.plan->count : view->stood_index;
        uint64_t left_us = view->stood == SEGMENT_OPEN ? view->stood_us : 0;
        b->all_ready = b->all_ready || view->n > 0;
        if (typed_us(s) > latest_us) {
            latest_us = typed_us(s);
            b->booth.active = s->line.side;
            b->chosen_in = view->index;
        }
        if (!view->taken || view->stood == SEGMENT_WAITING)
            continue;
        if (!b->plan_seen || index > b->resume_index ||
            (index == b->resume_index && left_us < b->resume_remaining_us)) {
            b->resume_index = index;
            b->resume_remaining_us = left_us;
        }
        b->plan_seen = true;
    }
    if (!b->plan_seen || b->plan.plan->count == 0)
        return;
    bool later = b->source->ops->enforced || b->plan.state == SEGMENT_WAITING ||
                 b->resume_index > b->plan.index ||
                 (b->resume_index == b->plan.index &&
                  b->resume_remaining_us < plan_clock_remaining(&b->plan, now.mono_us));
    if (later && b->plan.state != SEGMENT_FINISHED)
        b->source->ops->resume(b->source, now);
}

void judge_plan_take(struct judge_booth *b, struct bl_time now)
{
    bool taken = false;
    EACH_SIDE (b, s) {
        const struct judge_end_view *view = s->view;
        if (view->takes && s->line.up && view->sync != SYNC_DIFFERS)
            return; /* this end's record is still to come */
        taken = taken || view->taken != s->taken;
    }
    if (!taken)
        return;
    EACH_SIDE (b, s)
        s->taken = s->view->taken;
    take_clock(b, now);
    b->booth.changed = true;
}

uint64_t judge_plan_due(struct judge_booth *b, struct bl_time now)
{
    uint64_t due = b->plan.due_us;
    if (b->booth.screen && b->plan.plan->count && b->plan.state == SEGMENT_OPEN) {
        /* Due at the next change of the seconds shown: a drawing in each turn of the loop would
         * cause the next turn. */
        uint64_t remaining_us = plan_clock_remaining(&b->plan, now.mono_us);
        uint64_t shown_s = (remaining_us + 999999) / 1000000;
        booth_sooner(&due, now.mono_us + remaining_us % 1000000 + 1);
        b->booth.changed = b->booth.changed || shown_s != b->shown_s;
        b->shown_s = shown_s;
    }
    return due;
}
