#include "validate/entry_private.h"

#include <signal.h>
#include <string.h>

ENTRY_CHECK(entry_judge_second)
{
    if ((f->runs == 0 && turn_find(v, TURN_JUDGE(JUDGE_SECOND))) || /* asked by opening.each */
        (interview_talked(v) && interview_again(v, false) && interview_ask(v, interview_line(v))))
        finding_pass(f, "answers a second judge");
}

static bool answer_begun(struct validate *v)
{
    enum actor_outcome outcome = actor_type(v->entry, interview_line(v), 0);
    if (!interview_good(v, outcome, "a program that takes the judge's keys"))
        return false;
    actor_mark(v->entry);
    outcome = actor_type(v->entry, "\r", 0);
    return interview_good(v, outcome, "a program that takes the judge's keys") &&
           interview_good(v, actor_wait_key(v->entry, v->options->answer_ms), "an answer");
}

ENTRY_CHECK(entry_judge_restart)
{
    if (interview_begin(v) && answer_begun(v) && interview_again(v, true) &&
        interview_ask(v, interview_line(v)))
        finding_pass(f, "answers when it was killed in mid-conversation and started again");
}

ENTRY_CHECK(entry_cut_line)
{
    enum actor_outcome outcome;
    if (!interview_begin(v) || !answer_begun(v))
        return;
    outcome = actor_pause(v->entry, v->options->silence_ms / 4, true);
    if (!interview_good(v, outcome, "a program that is there when the line is back"))
        return;
    actor_mark(v->entry); /* the rest of this answer is none to the next judge */
    actor_wait_quiet(v->entry, v->options->quiet_ms, v->options->answer_ms);
    if (interview_ask(v, interview_line(v)))
        finding_pass(f, "answers the next judge after its line was cut in mid-answer");
}

unsigned entry_quiet_ms(const struct validate_options *o)
{
    return o->silence_ms / 4 > 2 * o->quiet_ms ? o->silence_ms / 4 : 2 * o->quiet_ms;
}

unsigned entry_calm_ms(const struct validate_options *o)
{
    unsigned quiet_ms = entry_quiet_ms(o);
    return o->silence_ms / 2 > quiet_ms ? o->silence_ms / 2 : quiet_ms;
}

ENTRY_CHECK(entry_cut_quiet)
{
    const struct validate_options *o = v->options;
    unsigned quiet = entry_quiet_ms(o), ms = entry_calm_ms(o);
    enum actor_outcome outcome;
    const char *text;
    if (f->runs == 0 && v->rest.us && v->rest.answered && !v->rest.keys &&
        v->rest.ms >= quiet + ms) { /* observed by talk.silence */
        finding_pass(f, "types nothing after its answer until the next judge");
        return;
    }
    if (!interview_begin(v) || !answer_begun(v))
        return;
    outcome = actor_wait_quiet(v->entry, quiet, o->answer_ms);
    if (outcome != ACTOR_LATE &&
        !interview_good(v, outcome, "a program that waits for the next judge"))
        return;
    actor_mark(v->entry);
    if (outcome == ACTOR_DONE) {
        outcome = actor_pause(v->entry, ms, false);
        if (!interview_good(v, outcome, "a program that waits for the next judge"))
            return;
    }
    if (outcome == ACTOR_DONE && actor_said(v->entry).keys == 0) {
        finding_pass(f, "types nothing after its answer until the next judge");
        return;
    }
    text = actor_said(v->entry).text;
    finding_broken(f, "it types on though nobody is there");
    finding_expected(f, "nothing after the end of its answer, until the next judge types");
    finding_came(f, "%llu key%s in %g s", (unsigned long long)actor_said(v->entry).keys,
                 BL_S(actor_said(v->entry).keys), ms / 1000.0);
    finding_quote(f, "it typed ", text, strlen(text), 120);
    interview_end(v);
}

const char *interview_ended_by(struct validate *v)
{
    sandbox_hang_up(actor_sandbox(v->entry));
    if (actor_wait_gone(v->entry, v->options->end_ms, true) == ACTOR_DONE)
        return "when its terminal hangs up";
    sandbox_signal(actor_sandbox(v->entry), SIGTERM);
    if (actor_wait_gone(v->entry, v->options->end_ms, true) == ACTOR_DONE)
        return "at SIGTERM";
    return NULL;
}

/* Ends the program and counts the remaining processes. Returns the means that ended it; NULL: only
 * SIGKILL did. */
static const char *ended(struct validate *v)
{
    const char *by = interview_ended_by(v);
    if (!by)
        sandbox_signal(actor_sandbox(v->entry), SIGKILL);
    actor_wait_gone(v->entry, v->options->end_ms, false);
    v->remains.processes = atomic_load(&sandbox_facts(actor_sandbox(v->entry))->processes);
    v->remains.processes_known = true;
    interview_end(v);
    return by;
}

ENTRY_CHECK(entry_end_signal)
{
    const char *by;
    if (!interview_talked(v))
        return;
    by = ended(v);
    if (by) {
        finding_pass(f, "ends %s", by);
        return;
    }
    finding_broken(f, "it has to be killed");
    finding_expected(f, "an end within %g s of hang-up, or of SIGTERM (--end-time)",
                     v->options->end_ms / 1000.0);
    finding_came(f, "it is still there");
}

ENTRY_CHECK(entry_end_leftover)
{
    if (!v->remains.processes_known || f->runs) {
        if (!interview_talked(v))
            return;
        ended(v);
    }
    if (v->remains.processes == 0) {
        finding_pass(f, "leaves no process behind");
        return;
    }
    finding_broken(f, "it leaves processes behind");
    finding_expected(f, "no process when it has ended");
    finding_came(f, "%u after %g s", v->remains.processes, v->options->end_ms / 1000.0);
}
