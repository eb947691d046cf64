/* The host counts the plan, and cuts no line. */
#include "booth/judge_booth_private.h"
#include "booth/messages.h"

#include <stdlib.h>

static enum bl_status counted_claim(struct plan_source *source, struct bl_diag *diag)
{
    struct judge_booth *b = source->booth;
    (void)diag;
    if (b->options->plan.count)
        booth_note(&b->booth, b->booth.active, NOTE_CONTROLLER, 0,
                   "not enforced: no controller cuts, the host counts");
    return BL_OK;
}

static void counted_resume(struct plan_source *source, struct bl_time now)
{
    struct judge_booth *b = source->booth;
    if (b->plan.plan->count && b->plan_seen)
        plan_clock_resume(&b->plan, b->resume_index, b->resume_remaining_us, now.mono_us);
    EACH_SIDE (b, s) {
        if (b->plan.plan->count)
            judge_end_plan(s->end, plan_last_open(b->plan.plan, s->line.side), false);
        const struct judge_end_view *view = s->view;
        bool open = plan_clock_open(&b->plan, s->line.side);
        /* again: the segment was open before. Without a plan a finished session opens again. */
        bool again = open && view->generation > 0 &&
                     (b->plan.plan->count == 0 ? view->segment < SEGMENT_CLOSED
                                               : view->index == b->plan.index);
        /* A killed process may have recorded a step of the plan for one side only. */
        if (!again && (view->segment == SEGMENT_OPEN || view->segment == SEGMENT_CLOSING))
            judge_end_cut(s->end, b->plan.state == SEGMENT_FINISHED, now);
        if (open)
            judge_end_open(s->end, b->plan.index, b->plan.plan->count,
                           plan_clock_remaining(&b->plan, now.mono_us), again, now);
        if (open && b->plan.plan->count)
            judge_plan_choose(b, b->plan.index);
    }
}

static bool counted_may_begin(const struct plan_source *source)
{
    return source->booth->plan.state == SEGMENT_WAITING;
}

static void start_clock(struct judge_booth *b, struct bl_time now)
{
    plan_clock_begin(&b->plan, now.mono_us);
    judge_plan_apply(b, now);
}

static bool all_reached(struct judge_booth *b)
{
    EACH_SIDE (b, s)
        if (s->view->sync != SYNC_LIVE)
            return false;
    return true;
}

static const char *counted_begin(struct plan_source *source, struct bl_time now)
{
    struct judge_booth *b = source->booth;
    bool again = now.mono_us < b->sure_until_us;
    if (b->plan.plan->count == 0)
        return say_there_is_nothing_to_begin;
    if (!counted_may_begin(source))
        return b->plan.state == SEGMENT_FINISHED ? say_the_session_is_over_now
                                                 : say_the_session_has_begun_already;
    b->sure_until_us = 0;
    if (!again && !all_reached(b)) {
        b->sure_until_us = now.mono_us + JUDGE_SURE_US;
        return say_a_line_is_not_connected;
    }
    start_clock(b, now);
    return NULL;
}

static void counted_run(struct plan_source *source, struct bl_time now)
{
    struct judge_booth *b = source->booth;
    if (counted_may_begin(source) && !b->options->begin_by_key && b->all_ready)
        start_clock(b, now);
}

static uint64_t counted_due(struct plan_source *source, struct bl_time now)
{
    struct judge_booth *b = source->booth;
    (void)now;
    if (b->plan.plan->count == 0 || b->plan.state != SEGMENT_OPEN)
        return BL_NEVER;
    return b->clock_kept_us + PLAN_KEPT_EVERY_US;
}

static bool counted_cuts(const struct plan_source *source, enum side side)
{
    (void)source;
    (void)side;
    return false;
}

static const char *counted_words(const struct plan_source *source)
{
    (void)source;
    return "";
}

static const char *counted_state(const struct plan_source *source, enum side side)
{
    if (!counted_may_begin(source))
        return NULL;
    return source->booth->sides[side].view->sync == SYNC_LIVE ? say_press_f9_to_begin
                                                              : say_connecting;
}

static json_t *counted_report(const struct plan_source *source)
{
    (void)source;
    return json_null();
}

static void counted_close(struct plan_source *source)
{
    free(source);
}

enum bl_status plan_counted_open(struct plan_source **out, struct judge_booth *booth,
                                 struct bl_diag *diag)
{
    static const struct plan_source_ops ops = {
        .name = "host",
        .claim = counted_claim,
        .resume = counted_resume,
        .begin = counted_begin,
        .run = counted_run,
        .due = counted_due,
        .cuts = counted_cuts,
        .may_begin = counted_may_begin,
        .starts = counted_may_begin,
        .words = counted_words,
        .state = counted_state,
        .report = counted_report,
        .close = counted_close,
    };
    struct plan_source *source = calloc(1, sizeof *source);
    if (!source)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_plan);
    *source = (struct plan_source){.ops = &ops, .booth = booth};
    *out = source;
    return BL_OK;
}
