/* Checks that the Entry starts without help and with only its own files. */
#include "validate/entry_private.h"

#include "base/loop.h"

#include <regex.h>
#include <string.h>

/* Questions without an answer at a contest. */
static const char question[] =
    "(enter|type|give|specify|choose|select|which|where|what is|browse)[^\n]*"
    "(path|file ?name|folder|directory|port|host|address|password|device|drive|config|licen[cs]e)"
    "|(path|file|folder|directory|port|host|password|licen[cs]e)[^\n]*[:?] *$";

#define IDLE_MS   5000u
#define IDLE_PART 50u /* one part in so many of the processor counts as idle */

static const struct sandbox_facts *facts_of(const struct validate *v)
{
    return sandbox_facts(actor_sandbox(v->entry));
}

/* Time for the first output or work, derived from the judge's patience. */
static unsigned settle_ms(const struct validate *v)
{
    const struct validate_options *o = v->options;
    return o->silence_ms / 4 > o->quiet_ms ? o->silence_ms / 4 : o->quiet_ms;
}

/* Asks a question of a program that is not seen reading. True: it answers. */
static bool answers_unseen(struct validate *v, unsigned late_ms)
{
    const struct validate_options *o = v->options;
    actor_type(v->entry, interview_line(v), 0);
    actor_mark(v->entry);
    actor_type(v->entry, "\r", 0);
    if (actor_wait_key(v->entry, late_ms) != ACTOR_DONE)
        return false;
    actor_wait_quiet(v->entry, o->quiet_ms, o->answer_ms);
    return true;
}

/* Waits until the program is ready. An idle program that is not seen reading, such as one with an
 * input thread, is asked a question. True: it answers. */
static bool ready_wait(struct validate *v, uint64_t start_us, enum actor_outcome *outcome)
{
    const struct validate_options *o = v->options;
    unsigned idle_ms = IDLE_MS < o->start_ms / 3 ? IDLE_MS : o->start_ms / 3, passed_ms;
    uint64_t cpu_us;
    *outcome = actor_wait_ready(v->entry, o->quiet_ms, idle_ms);
    cpu_us = atomic_load(&facts_of(v)->cpu_us);
    if (*outcome == ACTOR_LATE)
        *outcome = actor_wait_ready(v->entry, o->quiet_ms, idle_ms);
    if (*outcome != ACTOR_LATE)
        return false;
    passed_ms = (unsigned)((bl_mono_us() - start_us) / 1000);
    if (passed_ms >= o->start_ms)
        return false;
    if (!atomic_load(&facts_of(v)->running) &&
        (atomic_load(&facts_of(v)->cpu_us) - cpu_us) * IDLE_PART < idle_ms * UINT64_C(1000) &&
        answers_unseen(v, o->start_ms - passed_ms))
        return true;
    passed_ms = (unsigned)((bl_mono_us() - start_us) / 1000);
    if (passed_ms < o->start_ms)
        *outcome = actor_wait_ready(v->entry, o->quiet_ms, o->start_ms - passed_ms);
    return false;
}

ENTRY_CHECK(entry_start_time)
{
    const struct validate_options *o = v->options;
    uint64_t start_us = bl_mono_us();
    enum actor_outcome outcome;
    bool answers;
    if (!interview_open(v, false))
        return;
    answers = ready_wait(v, start_us, &outcome);
    if (outcome == ACTOR_ENDED) {
        validate_blame(v, "start.ends", "the program %s before it was ready",
                       actor_ending(v->entry));
        finding_skip(f, "needs start.ends: the program %s", actor_ending(v->entry));
        f->cause = "start.ends";
        interview_end(v);
        return;
    }
    if (outcome != ACTOR_LATE) {
        if (interview_good(v, outcome, "a program that waits for the judge"))
            finding_pass(f, "ready after %.1f s", (double)(bl_mono_us() - start_us) / 1e6);
        return;
    }
    /* The program may wait unseen; an answer then shows that it is ready. */
    if (answers || answers_unseen(v, o->answer_ms)) {
        v->unseen = true;
        interview_end(v); /* the start checks need a fresh program */
        finding_pass(f, "is not seen to wait, but answers after %.1f s",
                     (double)(bl_mono_us() - start_us) / 1e6);
        return;
    }
    finding_broken(f, "not ready after %g s", o->start_ms / 1000.0);
    finding_expected(f, "a program that waits for the judge within %g s (--start-time)",
                     o->start_ms / 1000.0);
    finding_came(f, "it neither waits for input nor answers");
    finding_errors(f, v);
    interview_end(v);
}

/* Waits until the time for the start is over, in this check or an earlier one. */
static enum actor_outcome settle(struct validate *v)
{
    uint64_t due_us = actor_said(v->entry).since_us + settle_ms(v) * UINT64_C(1000);
    uint64_t now_us = bl_mono_us();
    return actor_pause(v->entry, due_us > now_us ? (unsigned)((due_us - now_us) / 1000) + 1 : 1,
                       false);
}

ENTRY_CHECK(entry_start_ends)
{
    enum actor_outcome outcome;
    if (!interview_begin(v))
        return;
    outcome = actor_pause(v->entry, settle_ms(v), false);
    if (interview_good(v, outcome, "a program that waits for the judge's first key"))
        finding_pass(f, "still there after %g s without a judge", settle_ms(v) / 1000.0);
}

ENTRY_CHECK(entry_start_quiet)
{
    enum actor_outcome outcome;
    const char *text;
    if (strcmp(v->options->ruleset->starts, "judge") != 0) {
        finding_spare(f, "%s lets either begin", v->options->ruleset->name);
        return;
    }
    if (!interview_begin(v))
        return;
    outcome = settle(v);
    if (!interview_good(v, outcome, "a program that waits for the judge's first key"))
        return;
    if (!actor_said(v->entry).keys) {
        finding_pass(f, "waits for the judge's first key");
        return;
    }
    text = actor_said(v->entry).text;
    finding_broken(f, "it types before the judge does");
    finding_expected(f, "nothing before the judge's first key (a prompt: --strip-prompt)");
    finding_came(f, "%llu key%s", (unsigned long long)actor_said(v->entry).keys,
                 BL_S(actor_said(v->entry).keys));
    finding_quote(f, "it typed ", text, strlen(text), 120);
}

ENTRY_CHECK(entry_start_asks)
{
    regex_t expression;
    regmatch_t match;
    const char *text;
    bool asks;
    if (!interview_begin(v))
        return;
    if (!interview_quiet(v, "a program that waits for the judge"))
        return;
    text = actor_said(v->entry).text;
    if (regcomp(&expression, question, REG_EXTENDED | REG_ICASE)) {
        finding_skip(f, "no memory");
        return;
    }
    asks = regexec(&expression, text, 1, &match, 0) == 0;
    regfree(&expression);
    if (!asks) {
        finding_pass(f, "asks for nothing before the judge begins");
        return;
    }
    finding_broken(f, "it asks whoever starts it");
    finding_expected(f, "a program to which nothing has to be typed in, such as a path");
    finding_came(f, "a question");
    finding_quote(f, "it typed ", text + match.rm_so, (size_t)(match.rm_eo - match.rm_so), 120);
}

ENTRY_CHECK(entry_start_folder)
{
    bool asked = v->entry && v->moved && interview_turns(v) && f->runs == 0; /* by talk.first */
    bool good = asked || (interview_start(v, true) && interview_ask(v, interview_line(v)));
    if (f->cause)
        return;
    if (good) {
        interview_files(v);
        finding_pass(f, "runs from a copy at another path, with an empty home");
    } else if (v->status == BL_OK) {
        char why[FINDING_TEXT];
        memcpy(why, f->what, sizeof why);
        finding_broken(f, "does not run from a copy of its folder at another path");
        finding_expected(f, "a program that needs nothing but its folder, no variable of the "
                            "system and no file of your home");
        finding_came(f, "%s", why);
    }
    interview_end(v);
}

ENTRY_CHECK(entry_start_memory)
{
    if (!interview_begin(v))
        return;
    finding_pass(f, "takes %llu MiB when it is ready",
                 (unsigned long long)atomic_load(&facts_of(v)->memory_most) >> 20);
}
