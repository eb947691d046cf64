#include "validate/entry_private.h"

#include "base/loop.h"

#include <stdio.h>
#include <string.h>

#define LONG_KEYS 4000u /* a line-editing terminal takes 4,095 */
#define PASTE_GAP 0u
#define LOOK_MS   1000u /* interval of looks at an Entry that has not answered */
#define SPINS     50u   /* percent of a processor that counts as spinning */
#define KEY_GAP   5u
#define MISTYPED  "\b\bWhere is teh\b\bhe market?"
#define FOREIGN                                                                                    \
    "Gr\u00fc\u00dfe aus K\u00f6ln \u2014 \u4f60\u597d, \u00a1qu\u00e9 tal? \u20ac 5 \u263a "      \
    "\U0001F642"

/* Makes the check begin anew: its next conversation has a new program. */
static void forget(struct validate *v)
{
    interview_end(v);
    finding_clear(v->finding);
    v->ending[0] = '\0';
    v->ended_at = 0;
}

/* Checks that the program goes on afterwards. */
static bool goes_on(struct validate *v)
{
    return interview_ask(v, interview_line(v));
}

static bool took(struct validate *v, enum actor_outcome outcome)
{
    return interview_good(v, outcome, "a program that takes the judge's keys");
}

/* If a copy of the folder elsewhere is also checked, the first conversation uses the copy. An
 * answer there passes both checks. */
ENTRY_CHECK(entry_talk_first)
{
    if (f->runs == 0 && validate_wanted(v, "start.folder")) {
        if (interview_start(v, true) && interview_ask(v, interview_line(v))) {
            finding_pass(f, "answers the judge's first comment");
            return;
        }
        if (f->cause || v->status)
            return;
        forget(v);
    }
    if (interview_start(v, false) && interview_ask(v, interview_line(v)))
        finding_pass(f, "answers the judge's first comment");
}

/* A silence of `ms`. Text that comes after quiet_ms is marked. */
static bool silence(struct validate *v, unsigned quiet_ms, unsigned ms)
{
    if (quiet_ms < ms) {
        if (!interview_good(v, actor_pause(v->entry, quiet_ms, false), "a program that waits"))
            return false;
        ms -= quiet_ms;
    }
    actor_mark(v->entry);
    return interview_good(v, actor_pause(v->entry, ms, false), "a program that waits");
}

ENTRY_CHECK(entry_talk_silence)
{
    struct rest rest;
    unsigned ms = v->options->silence_ms;
    if (!interview_begin(v))
        return;
    interview_rest(v, &rest);
    rest.ms = ms;
    if (!silence(v, entry_quiet_ms(v->options), ms))
        return;
    interview_rested(v, &rest);
    if (goes_on(v))
        finding_pass(f, "answers after %g s of silence", ms / 1000.0);
}

/* The state of an Entry that has not answered a long line: the taken keys, and its activity. */
struct long_state {
    unsigned typed, taken; /* keys typed; keys taken. On a terminal the kernel takes all */
    unsigned taking;       /* keys taken in the last second */
    unsigned busy;         /* percent of a processor used in that second */
};

/* Observes the Entry for a second. LPP's directories show more than a terminal. */
static struct long_state long_look(struct validate *v, unsigned typed)
{
    const struct sandbox_facts *facts = sandbox_facts(actor_sandbox(v->entry));
    const struct lpp_judge *judge = actor_lpp(v->entry);
    uint64_t cpu_us = atomic_load(&facts->cpu_us), start_us = bl_mono_us();
    uint32_t gone = judge ? judge->gone : 0, pulse = atomic_load(&facts->pulse);
    uint32_t busy = atomic_load(&facts->busy);
    struct long_state state = {.typed = typed};
    actor_pause(v->entry, LOOK_MS, false);
    uint64_t passed_us = bl_mono_us() - start_us;
    state.busy = (unsigned)((atomic_load(&facts->cpu_us) - cpu_us) * 100 / passed_us);
    /* On a busy processor: the share of looks at which the program wanted it. */
    pulse = atomic_load(&facts->pulse) - pulse;
    busy = pulse ? (atomic_load(&facts->busy) - busy) * 100 / pulse : 0;
    state.busy = busy > state.busy ? busy : state.busy;
    state.taking = judge ? judge->gone - gone : 0;
    state.taken = judge ? typed - (judge->keys - judge->gone) : typed;
    return state;
}

static void long_tell(struct finding *f, const struct long_state *s)
{
    if (s->taking)
        finding_came(f, "it has taken %u of %u keys and goes on at %u a second: at work, but slow",
                     s->taken, LONG_KEYS, s->taking);
    else if (s->busy >= SPINS && s->taken < LONG_KEYS)
        finding_came(f,
                     "it has taken %u of %u keys and takes no more, with %u %% of a processor: it "
                     "spins",
                     s->taken, LONG_KEYS, s->busy);
    else if (s->busy >= SPINS)
        finding_came(f,
                     "it has taken all %u keys and computes, with %u %% of a processor: it spins, "
                     "or needs longer than that",
                     LONG_KEYS, s->busy);
    else
        finding_came(f, "it has taken %u of %u keys and does nothing, with %u %% of a processor",
                     s->taken, LONG_KEYS, s->busy);
}

/* Checks the outcome of typing or of a wait for a key. A late program is observed before its
 * end. */
static bool long_wait(struct validate *v, enum actor_outcome outcome, unsigned typed)
{
    struct long_state state = {0};
    bool late = outcome == ACTOR_LATE;
    if (late)
        state = long_look(v, typed);
    if (interview_good(v, outcome, "an answer to a long line"))
        return true;
    if (late)
        long_tell(v->finding, &state);
    return false;
}

ENTRY_CHECK(entry_talk_long)
{
    char line[LONG_KEYS + 1];
    const char *words = interview_line(v);
    size_t length = strlen(words);
    if (!interview_begin(v))
        return;
    for (size_t i = 0; i < LONG_KEYS; i++)
        line[i] = i % (length + 1) == length ? ' ' : words[i % (length + 1)];
    line[LONG_KEYS] = '\0';
    enum actor_outcome outcome = actor_type(v->entry, line, 0);
    if (!long_wait(v, outcome, actor_typed(v->entry)))
        return;
    actor_mark(v->entry);
    if (took(v, actor_type(v->entry, "\r", 0)) &&
        long_wait(v, actor_wait_key(v->entry, v->options->answer_ms), LONG_KEYS) &&
        interview_answer(v))
        finding_pass(f, "answers a line of %u keys", LONG_KEYS);
}

static bool returns_type(struct validate *v)
{
    if (!interview_begin(v) || !took(v, actor_type(v->entry, "\r\r\r\r\r", KEY_GAP)))
        return false;
    /* The Entry may answer these. */
    actor_wait_quiet(v->entry, v->options->quiet_ms, v->options->answer_ms);
    return true;
}

/* Types Returns, then a question with BackSpaces and letters beyond ASCII. An answer passes three
 * checks: talk.returns, talk.backspace and talk.unicode. Without an answer each check asks for
 * itself. */
static bool together(struct validate *v)
{
    bool good;
    if (v->finding->runs || !validate_wanted(v, "talk.backspace") ||
        !validate_wanted(v, "talk.unicode"))
        return false;
    good = returns_type(v) && interview_ask(v, MISTYPED " " FOREIGN);
    memcpy(v->together, v->ending, sizeof v->together);
    memcpy(v->together_in, v->ended_in, sizeof v->together_in);
    if (!good && !v->finding->cause && !v->status)
        forget(v);
    return good;
}

ENTRY_CHECK(entry_talk_returns)
{
    bool good = together(v);
    if (!good && !f->cause && !v->status)
        good = returns_type(v) && goes_on(v);
    if (good)
        finding_pass(f, "answers after Returns alone");
}

/* True if the check's question is answered, by together() or now. */
static bool answers(struct validate *v, unsigned is, const char *line)
{
    return (v->finding->runs == 0 && turn_find(v, is)) ||
           (interview_begin(v) && interview_ask(v, line));
}

ENTRY_CHECK(entry_talk_backspace)
{
    if (answers(v, TURN_CORRECTED, MISTYPED))
        finding_pass(f, "answers what was corrected with BackSpace");
}

ENTRY_CHECK(entry_talk_paste)
{
    char text[600];
    snprintf(text, sizeof text, "%s %s %s\r%s %s", interview_line(v), interview_line(v),
             interview_line(v), interview_line(v), interview_line(v));
    if (!interview_begin(v) || !took(v, actor_type(v->entry, text, PASTE_GAP)))
        return;
    actor_mark(v->entry);
    if (took(v, actor_type(v->entry, "\r", 0)) && interview_answer(v))
        finding_pass(f, "answers a paste of two lines");
}

ENTRY_CHECK(entry_talk_unicode)
{
    if (!answers(v, TURN_FOREIGN, FOREIGN))
        return;
    finding_pass(f, "answers letters that are not ASCII");
    /* The program ended at the combined question, and at no separate one. */
    if (v->together[0] && !validate_failed(v, "talk.returns") &&
        !validate_failed(v, "talk.backspace")) {
        snprintf(v->ended_in, sizeof v->ended_in, "%.560s,talk.backspace,talk.unicode",
                 v->together_in);
        validate_blame(v, CRASH, "the program %s during talk.returns", v->together);
    }
}

ENTRY_CHECK(entry_talk_marks)
{
    if (!interview_begin(v) || !took(v, actor_type(v->entry, "!!!\r...\r", KEY_GAP)))
        return;
    /* The Entry may answer. */
    actor_wait_quiet(v->entry, v->options->quiet_ms, v->options->answer_ms);
    if (goes_on(v))
        finding_pass(f, "goes on after lines without a letter");
}

ENTRY_CHECK(entry_talk_linefeed)
{
    if (validate_kind(v)->reach == KIND_REACHES_US) {
        finding_spare(f, "the keys of LPP have no line feed");
        return;
    }
    if (!interview_begin(v) || !took(v, actor_type(v->entry, interview_line(v), KEY_GAP)))
        return;
    actor_mark(v->entry);
    if (took(v, actor_type(v->entry, "\r", 0)) && took(v, actor_send(v->entry, "\n", 1)) &&
        interview_answer(v) && goes_on(v))
        finding_pass(f, "answers a Return with a line feed behind it");
}

ENTRY_CHECK(entry_talk_unfinished)
{
    unsigned ms = v->options->silence_ms / 4;
    enum actor_outcome outcome;
    if (!interview_begin(v) || !took(v, actor_type(v->entry, interview_line(v), KEY_GAP)))
        return;
    actor_mark(v->entry);
    outcome = actor_pause(v->entry, ms, false);
    if (!interview_good(v, outcome, "a program that waits for the end of the question"))
        return;
    /* An Entry that does not wait for Return may have answered already. */
    if (actor_said(v->entry).keys == 0)
        actor_mark(v->entry);
    if (took(v, actor_type(v->entry, "\r", 0)) && interview_answer(v))
        finding_pass(f, "answers a question whose Return came %g s later", ms / 1000.0);
}

/* The number of Returns in an answer, if the last two agree; otherwise 0. */
static unsigned regular_returns(const struct validate *v)
{
    const struct interview_turn *last = &v->turn[v->turns - 1];
    return interview_turns(v) > 1 && last[-1].returns == last->returns ? last->returns : 0;
}

ENTRY_CHECK(entry_talk_busy)
{
    const struct validate_options *o = v->options;
    unsigned returns, came;
    if (!interview_begin(v) || (interview_turns(v) < 2 && (!goes_on(v) || !goes_on(v))))
        return;
    returns = regular_returns(v);
    if (!took(v, actor_type(v->entry, interview_line(v), KEY_GAP)))
        return;
    actor_mark(v->entry);
    if (!took(v, actor_type(v->entry, "\r", 0)) ||
        !interview_good(v, actor_wait_key(v->entry, o->answer_ms), "an answer") ||
        !took(v, actor_type(v->entry, interview_line(v), 0)) ||
        !took(v, actor_type(v->entry, "\r", 0)) || !interview_answer(v))
        return;
    came = interview_returns(v);
    /* The second answer may come long after the first. */
    if (came <= returns && returns) {
        actor_mark(v->entry);
        if (actor_wait_key(v->entry, o->answer_ms) == ACTOR_DONE) {
            actor_wait_quiet(v->entry, o->quiet_ms, o->answer_ms);
            came = returns + 1;
        }
    }
    if (!goes_on(v))
        return;
    if (came <= returns && returns) {
        finding_warn(f, "what is typed while it answers seems to be lost");
        finding_expected(f, "two answers to two questions, each of %u line%s", returns,
                         BL_S(returns));
        finding_came(f, "%u line%s in all", came, BL_S(came));
    } else {
        finding_pass(f, "goes on when it is typed to while it answers");
    }
}
