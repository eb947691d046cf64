#include "validate/validate_private.h"

#include "base/loop.h"
#include "entity/place.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_GAP_MS 5u /* gap between the judge's keys */

/* The judges' lines. None ends a conversation. */
static const char *const lines[] = {
    "What is your name?",
    "Is the sea blue?",
    "I went to the market this morning.",
    "Which is larger, a grape or a grapefruit?",
    "Tell me about your mother.",
    "Do you like to play tennis?",
    "My friend Harry has a dog.",
    "What would I use a hammer for?",
    "It rains a lot here in the autumn.",
    "Why do you say that?",
};

const char *interview_line(struct validate *v)
{
    unsigned count = sizeof lines / sizeof lines[0];
    return lines[(v->options->seed + v->line++) % count];
}

static struct sandbox_options interview_sandbox(const struct validate *v, bool moved)
{
    const struct validate_options *o = v->options;
    bool kept = v->finding && strncmp(v->finding->check->id, "web.", 4) == 0;
    return (struct sandbox_options){.command =
                                        validate_kind(v)->ours ? v->command[kept] : o->program,
                                    .tool = v->tool,
                                    .brief = v->brief,
                                    .folder = o->folder,
                                    .lpp = o->entry->folder,
                                    .moved = moved,
                                    .io = o->io,
                                    .turn_end = o->turn_end,
                                    .columns = o->columns,
                                    .rows = o->rows,
                                    .memory_mib = o->memory_mib,
                                    .processes = o->processes,
                                    .net = o->server              ? SANDBOX_NET_SERVER
                                           : o->entry->place.port ? SANDBOX_NET_PORT
                                                                  : SANDBOX_NET_LISTEN,
                                    .port = o->entry->place.port,
                                    .server = o->server,
                                    .preload = v->preload,
                                    .setting = v->setting};
}

void folder_hint(struct finding *f, const struct validate *v)
{
    char path[PATH_MAX], shown[PATH_MAX];
    if (!v->options->program || !place_misses(v->options->program, v->options->folder, path) ||
        quote(shown, sizeof shown, path, strlen(path)) < strlen(path))
        return;
    finding_evidence(f, "hint: %s is not in its folder, which alone it sees: --folder %.*s", shown,
                     strrchr(shown, '/') ? (int)(strrchr(shown, '/') - shown) : 0, shown);
}

static void network_add(struct validate *v)
{
    network_merge(&v->network, actor_network(v->entry));
}

static void screen_keep(struct validate *v)
{
    const struct actor_said said = actor_said(v->entry);
    if (!v->finding)
        return;
    exhibit_free(&v->finding->exhibits);
    if (said.length)
        exhibit_add_output(&v->finding->exhibits, "what it wrote last", "its terminal", said.bytes,
                           said.length, v->options->rows, v->options->columns);
}

void interview_end(struct validate *v)
{
    const struct sandbox_facts *facts;
    if (!v->entry)
        return;
    network_add(v);
    screen_keep(v);
    facts = sandbox_facts(actor_sandbox(v->entry));
    if (atomic_load(&facts->memory_most) > v->memory_most)
        v->memory_most = atomic_load(&facts->memory_most);
    if (atomic_load(&facts->processes_most) > v->processes_most)
        v->processes_most = atomic_load(&facts->processes_most);
    scene_close(v->scene);
    v->scene = NULL;
    v->entry = NULL;
}

/* Ends the running check: as broken if it is the blamed check; otherwise as skipped. */
static void blame(struct validate *v, const char *id)
{
    const struct blame *b = validate_blamed(v, id);
    if (strcmp(id, v->finding->check->id) == 0) {
        finding_broken(v->finding, "%s", b->came);
        finding_came(v->finding, "%s", b->came);
        return;
    }
    finding_skip(v->finding, "needs %s: %s", id, b->came);
    v->finding->cause = id;
}

static void blame_processes(struct validate *v, const struct sandbox_facts *facts)
{
    unsigned most = atomic_load(&facts->processes_most);
    const char *during = v->finding->check->id;
    if (most <= v->options->processes)
        validate_blame(v, "limit.processes", "more than %u processes and threads during %s",
                       atomic_load(&facts->refused_at), during);
    else
        validate_blame(v, "limit.processes", "%u process%s during %s", most, most == 1 ? "" : "es",
                       during);
}

static void blame_memory(struct validate *v, const char *id, const struct sandbox_facts *facts)
{
    /* Rounded up, so that a small excess does not look like the limit. */
    unsigned long long most = (atomic_load(&facts->memory_most) + (1u << 20) - 1) >> 20;
    unsigned long long shared = atomic_load(&facts->shared_most) >> 20;
    unsigned long long stopped = atomic_load(&facts->stopped_at) >> 20;
    const char *during = v->finding->check->id;
    if (stopped && most <= v->options->memory_mib)
        validate_blame(v, id, "the kernel stopped it, which gives it %llu MiB, during %s", stopped,
                       during);
    else if (shared)
        validate_blame(v, id, "%llu MiB, %llu of them shared memory or files, during %s", most,
                       shared, during);
    else
        validate_blame(v, id, "%llu MiB during %s", most, during);
}

/* Reports the messages that the LPP v2 server refused, with reasons. */
static void refusal_tell(const struct validate *v)
{
    const struct lpp2_judge *server = v->entry ? actor_lpp2(v->entry) : NULL;
    const struct lpp2_judge_wrong *wrong = server ? lpp2_judge_wrong(server) : NULL;
    if (wrong && wrong->count)
        finding_evidence(v->finding, "not taken by LPP v2: %s", wrong->first);
}

bool interview_good(struct validate *v, enum actor_outcome outcome, const char *wanted)
{
    const struct sandbox_facts *facts = sandbox_facts(actor_sandbox(v->entry));
    struct finding *f = v->finding;
    switch (outcome) {
    case ACTOR_DONE:
        return true;
    case ACTOR_FLOOD:
        validate_blame(v, "limit.output", "more than %u bytes at once, during %s",
                       v->options->flood_bytes, f->check->id);
        blame(v, "limit.output");
        break;
    case ACTOR_KILLED:
        if (atomic_load(&facts->too_many)) {
            blame_processes(v, facts);
            blame(v, "limit.processes");
        } else {
            const char *id = interview_turns(v) || validate_reported(v, "start.memory")
                                 ? "limit.memory"
                                 : "start.memory";
            blame_memory(v, id, facts);
            blame(v, id);
        }
        break;
    case ACTOR_ENDED:
        snprintf(v->ending, sizeof v->ending, "%s", actor_ending(v->entry));
        v->ended_at = actor_lines(v->entry);
        memcpy(v->ended_in, v->lived, sizeof v->ended_in);
        errors_end(v, v->ended_errors);
        finding_broken(f, "the program %s", v->ending);
        finding_expected(f, "%s", wanted);
        finding_came(f, "the program %s", v->ending);
        refusal_tell(v);
        finding_errors(f, v);
        folder_hint(f, v);
        break;
    case ACTOR_LATE:
        finding_broken(f, "nothing comes within %g s", v->options->answer_ms / 1000.0);
        finding_expected(f, "%s within %g s (--answer)", wanted, v->options->answer_ms / 1000.0);
        finding_came(f, "nothing");
        refusal_tell(v);
        finding_errors(f, v);
        break;
    }
    interview_end(v);
    return false;
}

bool interview_quiet(struct validate *v, const char *wanted)
{
    const struct validate_options *o = v->options;
    enum actor_outcome outcome = actor_wait_quiet(v->entry, o->quiet_ms, o->answer_ms);
    return interview_good(v, outcome == ACTOR_LATE ? ACTOR_DONE : outcome, wanted);
}

static bool wait_ready(struct validate *v)
{
    const struct validate_options *o = v->options;
    enum actor_outcome outcome = v->unseen ? actor_pause(v->entry, o->quiet_ms, false)
                                           : actor_wait_ready(v->entry, o->quiet_ms, o->start_ms);
    v->unseen = v->unseen || outcome == ACTOR_LATE;
    /* A program that reads by other means shows that it is ready by its answer. */
    return interview_good(v, outcome == ACTOR_LATE ? ACTOR_DONE : outcome,
                          "a program that waits for the judge");
}

bool interview_open(struct validate *v, bool moved)
{
    const struct validate_options *o = v->options;
    const struct actor_options actor = {.strip_prompt = o->strip_prompt,
                                        .strip_echo = o->strip_echo,
                                        .flood_bytes = o->flood_bytes};
    struct sandbox_options sandbox = interview_sandbox(v, moved);
    interview_end(v);
    v->since = v->turns;
    v->status = actor_open_alone(&v->entry, &sandbox, &actor, &v->diag);
    if (v->status) {
        finding_skip(v->finding, "%.200s", v->diag.text);
        return false;
    }
    v->scene = actor_scene(v->entry);
    v->conversations++;
    v->fresh = true;
    snprintf(v->lived, sizeof v->lived, "%s", v->finding->check->id);
    v->moved = moved;
    v->judge = JUDGE_FIRST;
    v->restless = false;
    v->deaf = validate_kind(v)->registers || sandbox_net_fd(actor_sandbox(v->entry)) < 0;
    return true;
}

bool interview_start(struct validate *v, bool moved)
{
    return interview_open(v, moved) && wait_ready(v);
}

bool interview_begin(struct validate *v)
{
    return (v->entry && !v->restless) || interview_start(v, false);
}

void interview_rest(struct validate *v, struct rest *rest)
{
    const struct sandbox_facts *facts = sandbox_facts(actor_sandbox(v->entry));
    v->rest.us = 0;
    *rest = (struct rest){.us = bl_mono_us(),
                          .cpu_us = atomic_load(&facts->cpu_us),
                          .pulses = atomic_load(&facts->pulse),
                          .busy = atomic_load(&facts->busy),
                          .answered = interview_turns(v) > 0};
}

void interview_rested(struct validate *v, const struct rest *rest)
{
    const struct sandbox_facts *facts = sandbox_facts(actor_sandbox(v->entry));
    v->rest = (struct rest){.us = bl_mono_us() - rest->us,
                            .cpu_us = atomic_load(&facts->cpu_us) - rest->cpu_us,
                            .pulses = atomic_load(&facts->pulse) - rest->pulses,
                            .busy = atomic_load(&facts->busy) - rest->busy,
                            .ms = rest->ms,
                            .keys = actor_said(v->entry).keys,
                            .answered = rest->answered};
}

bool interview_again(struct validate *v, bool killed)
{
    if (!killed) {
        sandbox_hang_up(actor_sandbox(v->entry));
        actor_wait_gone(v->entry, v->options->end_ms, true);
    }
    v->since = v->turns;
    v->restless = false;
    v->judge = killed ? JUDGE_SAME : JUDGE_SECOND;
    v->status = actor_again(v->entry, &v->diag);
    if (v->status) {
        finding_skip(v->finding, "%.200s", v->diag.text);
        return false;
    }
    return wait_ready(v);
}

static unsigned returns_in(const char *text)
{
    unsigned count = 0;
    for (; (text = strchr(text, '\n')); text++)
        count++;
    return count;
}

unsigned interview_turns(const struct validate *v)
{
    return v->turns - v->since;
}

unsigned interview_returns(const struct validate *v)
{
    return interview_turns(v) ? v->turn[v->turns - 1].returns : 0;
}

const struct interview_turn *turn_find(const struct validate *v, unsigned is)
{
    is |= TURN_ANSWERED;
    for (unsigned i = v->turns; i-- > 0;)
        if ((v->turn[i].is & is) == is)
            return &v->turn[i];
    return NULL;
}

/* Adds a question to the log. Without room the older half is dropped. */
static struct interview_turn *turn_add(struct validate *v)
{
    if (v->turns == TURNS_KEPT) {
        v->turns /= 2;
        memmove(v->turn, v->turn + v->turns, v->turns * sizeof v->turn[0]);
        v->since = v->since > v->turns ? v->since - v->turns : 0;
    }
    v->turn[v->turns] = (struct interview_turn){.is = 0};
    return &v->turn[v->turns++];
}

bool interview_answer(struct validate *v)
{
    const struct validate_options *o = v->options;
    struct interview_turn *turn = turn_add(v);
    const char *text;
    enum actor_outcome outcome;
    if (!interview_good(v, actor_wait_key(v->entry, o->answer_ms), "an answer"))
        return false;
    outcome = actor_wait_quiet(v->entry, o->quiet_ms, o->answer_ms);
    /* Some programs type on for long by design. */
    v->restless = outcome == ACTOR_LATE;
    text = actor_said(v->entry).text;
    turn->returns = returns_in(text);
    snprintf(turn->said, sizeof turn->said, "%s", text);
    if (!interview_good(v, outcome == ACTOR_LATE ? ACTOR_DONE : outcome, "an answer to its end"))
        return false;
    turn->is = TURN_ANSWERED;
    return true;
}

/* The bits of struct interview_turn's `is` for a line that is asked now. */
static unsigned line_is(const struct validate *v, const char *line)
{
    unsigned is = TURN_JUDGE(v->judge) | (strchr(line, '\b') ? TURN_CORRECTED : 0);
    for (; *line; line++)
        is |= (unsigned char)*line >= 0x80 ? TURN_FOREIGN : 0;
    return is;
}

bool interview_ask(struct validate *v, const char *line)
{
    static const char wanted[] = "a program that takes the judge's keys";
    bool opens = interview_turns(v) == 0 && actor_said(v->entry).keys == 0;
    char meanwhile[TYPING_MEANWHILE];
    actor_mark(v->entry);
    if (!interview_good(v, actor_type(v->entry, line, KEY_GAP_MS), wanted))
        return false;
    snprintf(meanwhile, sizeof meanwhile, "%s", actor_said(v->entry).text);
    opens = opens && actor_said(v->entry).keys == 0;
    actor_mark(v->entry);
    if (!interview_good(v, actor_type(v->entry, "\r", 0), wanted) || !interview_answer(v))
        return false;
    v->turn[v->turns - 1].is |= line_is(v, line) | (opens ? TURN_OPENS : 0);
    typing_add(v, line, meanwhile);
    return true;
}

bool interview_talked(struct validate *v)
{
    return interview_begin(v) && (interview_turns(v) || interview_ask(v, interview_line(v)));
}
