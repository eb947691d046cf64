#include "booth/judge_ballot.h"

#include "booth/machine_key.h"
#include "rules/ballot_kind.h"
#include "booth/messages.h"

#include <stdlib.h>
#include <string.h>

struct script_check {
    const struct vote_rules *rules;
    const char *file;
    enum bl_status status;
    struct bl_diag *diag;
};

static void check_script(void *ctx, const char *text)
{
    struct script_check *check = ctx;
    struct vote vote;
    struct bl_diag why;
    if (check->status == BL_OK && vote_parse(&vote, check->rules, text, strlen(text), &why))
        check->status = bl_fail(check->diag, BL_DATA, say_fail_ballot, check->file, text,
                                check->rules->kind ? why.text : say_no_ballot_is_asked_for);
}

static void on_warning(void *ctx, const char *text)
{
    struct judge_booth *b = ctx;
    booth_say(&b->booth, text);
}

static void on_kept(void *ctx)
{
    struct judge_booth *b = ctx;
    balloting_kept(b->ballot);
    b->booth.changed = true;
}

/* True if the number of lines fits the ballot: two for rules that compare two entities, otherwise
 * one. */
static bool fits(const struct judge_booth *b, const struct ruleset *ruleset)
{
    bool both = b->sides[SIDE_LEFT].end && b->sides[SIDE_RIGHT].end;
    return both == (ruleset->pairing == PAIRING_PAIRS);
}

static enum bl_status open_file(struct judge_booth *b, const struct ruleset *ruleset,
                                const struct vote_rules *rules, struct bl_diag *diag)
{
    struct ballot_head head = {.vote = *rules,
                               .sealing = ruleset->seal == SEAL_CONTEST ? SEALED_WITH_CONTEST
                                                                        : SEALED_WITH_SESSION};
    char path[PATH_MAX];
    enum bl_status status = balloting_path(journal_path(b->booth.journal), path, diag);
    if (status != BL_OK)
        return status;
    snprintf(head.session, sizeof head.session, "%s", b->session);
    snprintf(head.rules, sizeof head.rules, "%s", ruleset->name);
    if (b->booth.options->contest)
        snprintf(head.contest, sizeof head.contest, "%s", b->booth.options->contest);
    b->ballot = calloc(1, sizeof *b->ballot);
    if (!b->ballot)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_ballot);
    const char *key = b->booth.options->machine_key;
    status = key ? machine_key_open(&b->signer, key, diag) : BL_OK;
    if (status == BL_OK)
        status = balloting_open(b->ballot, path, &head, key ? &b->signer : NULL, diag);
    if (status != BL_OK)
        return status;
    if (b->ballot->file.damaged)
        booth_note(&b->booth, SIDE_LEFT, NOTE_RESTART, b->ballot->file.damaged,
                   "damaged lines of the ballot were left out");
    const struct sync_callbacks callbacks = {on_warning, on_kept};
    return lines_attach(b->ballot->lines, &b->booth.loop, &callbacks, b);
}

enum bl_status judge_ballot_open(struct judge_booth *b, struct bl_diag *diag)
{
    const struct ruleset *ruleset = b->options->ruleset;
    struct vote_rules rules = {.kind = BALLOT_NONE};
    struct script_check check = {&rules, b->booth.options->script, BL_OK, diag};
    if (ruleset && fits(b, ruleset)) {
        rules = ruleset_vote(ruleset);
    } else if (ruleset) {
        booth_say(&b->booth, ruleset->pairing == PAIRING_PAIRS ? say_no_ballot_the_rules_compare
                                                               : say_no_ballot_the_rules_judge);
    }
    if (b->booth.script)
        script_ballots(b->booth.script, check_script, &check);
    if (check.status != BL_OK || rules.kind == BALLOT_NONE)
        return check.status;
    return open_file(b, ruleset, &rules, diag);
}

static void say_failed(struct judge_booth *b, enum bl_status status)
{
    if (status == BL_BUSY)
        booth_say(&b->booth, say_the_ballot_is_sealed_it);
    else if (status != BL_OK)
        booth_say(&b->booth, say_the_ballot_cannot_be_written);
}

bool judge_ballot_key(void *ctx, enum input_what what, uint32_t point)
{
    struct judge_booth *b = ctx;
    enum bl_status status;
    if (what == INPUT_F3 && b->plan.state == SEGMENT_WAITING) {
        booth_say(&b->booth, say_the_ballot_opens_when_the);
        return true;
    }
    if (what == INPUT_POINT)
        b->ballot_typed_us = booth_now(&b->booth.clock).mono_us;
    if (!balloting_feed(b->ballot, what, point, booth_now(&b->booth.clock).wall_us, &status))
        return false;
    say_failed(b, status);
    b->booth.changed = true;
    return true;
}

/* True if the plan has no more parts with an open line. */
static bool lines_over(const struct plan_clock *clock)
{
    const struct plan *plan = clock->plan;
    if (plan->count == 0 || clock->state == SEGMENT_WAITING)
        return false;
    if (clock->state == SEGMENT_FINISHED)
        return true;
    for (unsigned i = clock->index; i < plan->count; i++)
        if (plan->segment[i].open[SIDE_LEFT] || plan->segment[i].open[SIDE_RIGHT])
            return false;
    return true;
}

/* True if by the rules a given ballot ends the session now. With a controller the time goes on. */
static bool may_end(const struct judge_booth *b)
{
    return b->options->ruleset->early_verdict == WORD_YES && !b->source->ops->enforced &&
           b->plan.plan->count && b->plan.state == SEGMENT_OPEN && !b->plan.ended;
}

/* Ends the session if a ballot is given, now or in an earlier process. */
static void end_early(struct judge_booth *b, struct bl_time now)
{
    b->ballot->form.ends = may_end(b);
    if (!b->ballot->form.ends || !b->ballot->file.given || !plan_clock_end(&b->plan, now.mono_us))
        return;
    booth_note(&b->booth, b->booth.active, NOTE_OTHER, 0,
               "the verdict is given before the time is over: the session ends");
    EACH_SIDE (b, s)
        judge_end_follow(s->end, plan_clock_remaining(&b->plan, now.mono_us), now);
    b->ballot->form.ends = false;
    b->booth.changed = true;
}

static uint64_t run_script(struct judge_booth *b, struct bl_time now)
{
    const struct judge_end_view *view;
    struct vote vote;
    const char *text;
    uint64_t due;
    if (!b->booth.script || b->booth.stage != RUNNING || !b->all_ready)
        return BL_NEVER;
    view = b->sides[b->booth.active].view;
    if (lines_over(&b->plan))
        script_cut(b->booth.script);
    while ((text = script_ballot(b->booth.script, now.mono_us, view->other_us))) {
        if (vote_parse(&vote, &b->ballot->form.rules, text, strlen(text), NULL) == BL_OK)
            say_failed(b, balloting_give(b->ballot, &vote, now.wall_us));
        b->booth.changed = true;
    }
    due = script_due(b->booth.script, now.mono_us, view->other_us);
    return due > now.mono_us ? due : BL_NEVER; /* a key is due; run_script() types it */
}

uint64_t judge_ballot_run(struct judge_booth *b, struct bl_time now)
{
    uint64_t due;
    bool ended = b->plan.state == SEGMENT_FINISHED || b->booth.stage == ENDING;
    if (!b->ballot)
        return BL_NEVER;
    due = run_script(b, now);
    end_early(b, now);
    if (lines_over(&b->plan) && !b->ballot_shown) {
        b->ballot_shown = true;
        if (b->ballot->form.state == FORM_AWAY)
            b->ballot->form.state = FORM_SHOWN;
        b->ballot_typed_us = now.mono_us;
        b->booth.changed = true;
    }
    if (b->ballot->form.state == FORM_SHOWN) {
        booth_sooner(&due, form_open_by_itself(&b->ballot->form, b->ballot_typed_us, now.mono_us));
        b->booth.changed = b->booth.changed || b->ballot->form.state == FORM_OPEN;
    }
    if (ended && !b->ballot->over && b->ballot->file.head.sealing == SEALED_WITH_SESSION) {
        say_failed(b, balloting_over(b->ballot, now.wall_us));
        b->booth.changed = true;
    }
    booth_sooner(&due, balloting_run(b->ballot, now));
    return due;
}

bool judge_ballot_is_due(const struct judge_booth *b)
{
    const struct plan *plan = b->plan.plan;
    return b->ballot && !b->ballot->file.sealed && b->ballot->form.state == FORM_AWAY &&
           plan->count && !plan->segment[b->plan.index].open[SIDE_LEFT] &&
           !plan->segment[b->plan.index].open[SIDE_RIGHT];
}

bool judge_ballot_may_leave(struct judge_booth *b)
{
    if (!b->ballot || b->ballot->file.given || b->ballot_missed)
        return true;
    b->ballot_missed = true;
    if (b->ballot->form.state == FORM_AWAY)
        b->ballot->form.state = FORM_OPEN;
    booth_say(&b->booth, say_your_ballot_is_not_given);
    return false;
}

json_t *judge_ballot_report(const struct judge_booth *b)
{
    char text[VOTE_TEXT_MAX + 1];
    if (!b->ballot)
        return NULL;
    const struct ballot_file *file = &b->ballot->file;
    vote_format(&file->vote, &file->head.vote, text);
    return json_pack("{s:s,s:o,s:i,s:b,s:b}", "kind", ballot_kind_name(file->head.vote.kind),
                     "given", file->given ? json_string(text) : json_null(), "versions",
                     (int)file->versions, "late", file->late, "sealed", file->sealed);
}

void judge_ballot_close(struct judge_booth *b)
{
    if (b->ballot)
        balloting_close(b->ballot);
    machine_key_wipe(&b->signer);
}
