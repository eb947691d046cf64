/* The model of the judge's screen, and the final report. */
#include "booth/judge_ballot.h"

#include "transcript/words.h"
#include "booth/messages.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* True while a session that begins by itself has not begun. Until then no text may name an absent
 * party or its side. */
static bool is_starting(const struct judge_booth *b)
{
    return !b->options->begin_by_key && b->plan.plan->count && b->source->ops->starts(b->source);
}

/* The side's state in words. It does not tell whether the entity is ready, which would show a slow
 * program. */
static const char *state_text(const struct judge_booth *b, const struct judge_end_view *view,
                              enum side side)
{
    const char *planned = b->source->ops->state(b->source, side);
    if (view->sync == SYNC_DIFFERS)
        return say_records_differ;
    if (is_starting(b))
        return say_starting;
    if (b->options->begin_typed && b->source->ops->may_begin(b->source))
        return say_type_to_begin;
    if (planned)
        return planned;
    switch (view->segment) {
    case SEGMENT_WAITING:
        return say_later;
    case SEGMENT_OPEN:
        return say_open;
    default:
        return words_segment(view->segment);
    }
}

static bool judge_is_single(struct judge_booth *b)
{
    return !judge_booth_side(b, judge_booth_side(b, NULL));
}

const char *judge_side_words(struct judge_booth *b, enum side side)
{
    if (judge_is_single(b))
        return say_this_line;
    return side == SIDE_LEFT ? say_left : say_right;
}

/* Names a part as on all screens and transcripts. For a judge with one line the side's name is left
 * out. */
static void part_text(const struct plan *plan, unsigned index, bool single, char *text, size_t size)
{
    char name[PLAN_NAME_MAX + 1];
    const struct plan_segment *segment = &plan->segment[index];
    if (single && (segment->open[SIDE_LEFT] || segment->open[SIDE_RIGHT])) {
        snprintf(text, size, say_part_of, index + 1, plan->count);
        return;
    }
    for (size_t i = 0; i < sizeof name; i++)
        name[i] = (char)toupper((unsigned char)segment->name[i]);
    snprintf(text, size, say_name_and_part_of, name, index + 1, plan->count);
}

/* True if people change places in the present part. */
static bool changes(const struct judge_booth *b)
{
    const struct plan *plan = b->plan.plan;
    return plan->count && b->plan.state != SEGMENT_FINISHED &&
           strcmp(plan->segment[b->plan.index].name, "change") == 0;
}

void judge_booth_model(struct booth *booth, struct bl_time now)
{
    struct judge_booth *b = (struct judge_booth *)booth;
    struct screen_model *m = &b->booth.model;
    const struct plan *plan = b->plan.plan;
    const struct form *form = b->ballot ? &b->ballot->form : NULL;
    m->role = PARTY_JUDGE;
    m->form = form;
    m->sides = 0;
    m->remaining_us = b->plan.state == SEGMENT_FINISHED
                          ? UINT64_MAX
                          : plan_clock_remaining(&b->plan, now.mono_us);
    m->enforced = b->source->ops->enforced;
    m->may_begin = b->source->ops->may_begin(b->source);
    m->may_switch = false;
    m->may_take = false;
    m->may_epoch = false;
    m->standing = "";
    EACH_SIDE (b, s) {
        struct screen_side *side = &m->side[m->sides++];
        const struct judge_end_view *view = s->view;
        screen_side_judge(side, view);
        side->title =
            judge_is_single(b) ? say_you_are_the_judge : judge_side_words(b, s->line.side);
        side->active = s->line.side == b->booth.active && view->segment == SEGMENT_OPEN &&
                       !view->paused && !(form && form->state == FORM_OPEN);
        side->state = state_text(b, view, s->line.side);
        booth_line_show(&s->line, view->sync, side);
        if (judge_side_is_cut(b, s->line.side) ||
            (b->plan.state == SEGMENT_FINISHED && side->reach == REACH_NO)) /* not shown as a
                                                                             * fault */
            side->reach = REACH_CUT;
        if (is_starting(b)) {
            side->reach = REACH_CONNECTING;
            side->reason = "";
        }
        if (s->folder)
            m->standing = b->booth.options->day ? say_practice_a_program_of_ours
                                                : say_practice_not_blind_an_entrys;
        if (view->unproven_first) {
            snprintf(b->unproven, sizeof b->unproven, say_keys_to_are_the_other,
                     judge_side_words(b, s->line.side), (unsigned long long)view->unproven_first,
                     (unsigned long long)view->unproven_last);
            m->standing = b->unproven;
        }
        m->may_take = m->may_take || view->may_take;
        m->may_epoch = m->may_epoch || view->sync == SYNC_DIFFERS;
        if (view->may_take)
            m->standing = say_call_the_attendant_this_session;
    }
    m->may_switch = m->sides == 2 && (plan->count == 0 || (plan->segment[b->plan.index].open[0] &&
                                                           plan->segment[b->plan.index].open[1]));
    b->booth.segment_text[0] = '\0';
    if (b->plan.state == SEGMENT_FINISHED)
        snprintf(b->booth.segment_text, sizeof b->booth.segment_text, say_the_session_is_over);
    else if (plan->count)
        part_text(plan, b->plan.index, judge_is_single(b), b->booth.segment_text,
                  sizeof b->booth.segment_text);
    m->segment = b->booth.segment_text;
    m->message = booth_message(&b->booth, now.mono_us);
    if (form && form->state == FORM_OPEN && strcmp(m->message, say_this_line_is_closed_f3) == 0)
        m->message = "";
    if (!m->message[0])
        m->message = b->source->ops->words(b->source);
    if (!m->message[0] && b->options->begin_typed && m->may_begin)
        m->message = say_type_your_first_words_your;
    if (!m->message[0] && b->plan.state == SEGMENT_FINISHED && plan->count &&
        !b->booth.options->day && (!b->ballot || b->ballot->file.given))
        m->message = say_the_session_is_over_f10;
    if (!m->message[0] && changes(b) && (!b->ballot || b->ballot->file.given))
        m->message = say_your_sheet_says_where_to;
    m->entry = "";
}

void judge_booth_report(struct judge_booth *b)
{
    json_t *report = json_object(), *sides = json_object();
    json_object_set_new(report, "role", json_string("judge"));
    json_object_set_new(report, "session", json_string(b->session));
    json_object_set_new(report, "journal", json_string(journal_path(b->booth.journal)));
    json_object_set_new(report, "ignored", json_integer(b->booth.ignored));
    json_object_set_new(report, "seconds",
                        json_real((double)(bl_mono_us() - b->booth.start_us) / 1000000.0));
    EACH_SIDE (b, s) {
        json_t *side = json_object();
        char digest[2 * DIGEST_SIZE + 1];
        const struct judge_end_view *view = s->view;
        booth_digest(view->page, digest);
        json_object_set_new(side, "keys", json_integer((json_int_t)view->n));
        json_object_set_new(side, "keys_judge", json_integer((json_int_t)view->by_judge));
        json_object_set_new(side, "keys_entity", json_integer((json_int_t)view->by_entity));
        json_object_set_new(side, "refused", json_integer((json_int_t)view->refused));
        json_object_set_new(side, "differences", json_integer((json_int_t)view->differences));
        json_object_set_new(
            side, "fetched",
            json_integer((json_int_t)(view->fetched[PARTY_JUDGE] + view->fetched[PARTY_ENTITY])));
        json_object_set_new(
            side, "unproven",
            json_integer(view->unproven_first
                             ? (json_int_t)(view->unproven_last - view->unproven_first + 1)
                             : 0));
        json_object_set_new(side, "digest", json_string(digest));
        json_object_set_new(side, "end", json_string(words_close(view->outcome)));
        json_object_set_new(side, "cut_by",
                            view->segment != SEGMENT_FINISHED && view->segment != SEGMENT_CLOSED
                                ? json_null()
                                : json_string(b->source->ops->name));
        json_object_set_new(side, "cut_agreed", json_boolean(view->outcome == CLOSE_AGREED));
        booth_report_link(side, s->line.link);
        json_object_set_new(sides, s->line.side == SIDE_LEFT ? "left" : "right", side);
    }
    json_object_set_new(report, "sides", sides);
    if (b->ballot)
        json_object_set_new(report, "ballot", judge_ballot_report(b));
    json_object_set_new(report, "controller", b->source->ops->report(b->source));
    json_dumpf(report, stdout, JSON_PRESERVE_ORDER | JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(report);
}
