#include "contest/next.h"

#include "contest/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct next {
    const struct contest *contest;
    const char *path;
    char *text; /* CONTEST_NEXT_MAX bytes */
};

static void say(struct next *next, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct next *next, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(next->text, CONTEST_NEXT_MAX, format, list);
    va_end(list);
}

/* Whether there are fewer people than the rules want, or none; says whom to add. */
static bool wants_people(struct next *next)
{
    const struct contest *contest = next->contest;
    const char *path = next->path;
    const struct ruleset *rules = &contest->ruleset;
    const int least[] = {rules->entries_least, rules->judges_least, rules->confederates_least};
    static const char *const words[] = {"entry NAME --submitter NAME", "judge NAME",
                                        "confederate NAME"};
    for (unsigned r = 0; r <= CONTEST_CONFEDERATE; r++) {
        unsigned there = 0, wanted = least[r] > 0 ? (unsigned)least[r] : 1;
        for (unsigned i = 0; i < contest->people[r]; i++)
            there += !contest->person[r][i].withdrawn &&
                     (r != CONTEST_ENTRY || contest_is_accepted(contest, i));
        if (there >= wanted)
            continue;
        say(next,
            "Next: boothlink contest add %s %s; there are %u, and the rules want %u at least%s\n",
            path, words[r], there, wanted,
            r == CONTEST_ENTRY ? " (contest result says what they do with fewer)" : "");
        return true;
    }
    return false;
}

/* An Entry that waits for its communications program to be accepted: 2004 A8.1. */
static bool wants_comms(struct next *next)
{
    const struct contest *contest = next->contest;
    for (unsigned i = 0; i < contest->people[CONTEST_ENTRY]; i++) {
        if (contest->person[CONTEST_ENTRY][i].withdrawn || contest_is_accepted(contest, i))
            continue;
        say(next,
            "Next: boothlink contest deliver %s E%u NAME --comms; without its communications "
            "program it is "
            "not accepted (%s)\n",
            next->path, i + 1,
            ruleset_rule(&contest->ruleset, "register", "communications-program", RULE_ALL).text);
        return true;
    }
    return false;
}

bool contest_wants_selection(const struct contest *contest)
{
    unsigned most = (unsigned)contest->ruleset.entries_most;
    return most && contest_there(contest, CONTEST_ENTRY) > most && !contest->final;
}

/* Whether somebody meets nobody in the rounds of this trial, and could. */
static bool wants_schedule(struct next *next)
{
    const struct contest *contest = next->contest;
    const struct schedule *schedule = &contest->schedule;
    unsigned judge = contest->people[CONTEST_JUDGE];
    bool met[2][2 * SCHEDULE_PEOPLE_MAX] = {{false}}; /* judges, and whom they meet */
    struct schedule_need *need = calloc(1, sizeof *need);
    char code[SCHEDULE_CODE_MAX] = "";
    if (!need)
        return false;
    for (unsigned i = 0; i < schedule->count; i++)
        if (contest_trial_of(contest, schedule->meeting[i].round) == contest->trials)
            met[0][schedule->meeting[i].judge] = met[1][schedule->meeting[i].entry] = true;
    contest_need(contest, need);
    for (unsigned j = 0; j < judge && !code[0]; j++) {
        for (unsigned e = 0; e < SCHEDULE_PEOPLE_MAX && !code[0]; e++) {
            if (!need->entry_for_judge[j][e] || (met[0][j] && met[1][e]))
                continue;
            if (met[0][j])
                schedule_code(e, contest->people[CONTEST_ENTRY], code);
            else
                snprintf(code, sizeof code, "J%u", j + 1);
        }
    }
    free(need);
    if (code[0])
        say(next, "Next: boothlink contest schedule %s; %s is in no round\n", next->path, code);
    return code[0];
}

static bool wants_draw(struct next *next)
{
    const struct contest *contest = next->contest;
    const char *path = next->path;
    if (!contest->committed) {
        say(next, "Next: boothlink contest draw %s commit, and publish what it prints\n", path);
    } else if (contest->schedule.rounds == contest->trial_from[contest->trials]) {
        say(next, "Next: boothlink contest schedule %s\n", path);
    } else if (contest->schedule.rounds > contest->begun && wants_schedule(next)) {
        return true;
    } else if (!contest->drawn || contest->undrawn) {
        say(next, "Next: boothlink contest draw %s reveal%s decides who sits where\n", path,
            contest->public_name[0] ? " --value TEXT" : "");
    } else {
        return false;
    }
    return true;
}

/* The ranks of a judge who has voted on all of the trial and has not ranked. */
static bool wants_ranks(struct next *next)
{
    const struct contest *contest = next->contest;
    const char *path = next->path;
    for (unsigned j = 0; j < contest->people[CONTEST_JUDGE]; j++) {
        if (!contest_wants_ranks(contest, j))
            continue;
        say(next,
            "Next: boothlink contest tickets %s --ranks, and contest collect what the judges give; "
            "or "
            "contest rank %s J%u E1=4 C2=3 ...\n",
            path, path, j + 1);
        return true;
    }
    return false;
}

/* What is there of the rounds: ballots to come, rounds to begin. */
static bool wants_rounds(struct next *next)
{
    const struct contest *contest = next->contest;
    const char *path = next->path;
    unsigned missing = contest_missing(contest, contest->begun);
    if (contest->begun == 0) {
        say(next,
            "Next: boothlink contest sheet %s --venue VENUE and contest tickets %s, then contest "
            "begin %s "
            "1\n",
            path, path, path);
        return true;
    }
    if (contest->begun < contest->schedule.rounds) {
        say(next,
            "Next: boothlink contest begin %s %u; %u ballots of rounds that have begun are "
            "missing\n",
            path, contest->begun + 1, missing);
        return true;
    }
    if (missing) {
        say(next, "Next: boothlink contest collect %s DIR, or contest ballot; %u are missing\n",
            path, missing);
        return true;
    }
    return false;
}

/* Whether a session lacks a trial: too few are begun, or one of them cannot be finished. */
static bool wants_trial(struct next *next)
{
    const struct contest *contest = next->contest;
    unsigned least = (unsigned)contest->ruleset.trials_least, finished = 0;
    struct result_input input;
    struct result result;
    if (least == 0 || contest->trials + 1 == RESULT_TRIALS_MAX)
        return false;
    contest_result_input(contest, &input);
    result_make(&result, &input, NULL, NULL);
    if (result.outcome == RESULT_NO_ENTRY)
        return false;
    for (unsigned t = 0; t < result.trials; t++)
        finished += result.trial[t].finished;
    if (finished < least)
        say(next,
            "Next: boothlink contest trial %s; a session has %u at least, and %u are finished\n",
            next->path, least, finished);
    return finished < least;
}

void contest_next_step(const struct contest *contest, const char *path, char text[CONTEST_NEXT_MAX])
{
    struct next next = {contest, path, text};
    text[0] = '\0';
    if (contest->sealed) {
        say(&next,
            "Next: boothlink contest publish %s DIR --out DIR, contest report %s, contest verify "
            "%s\n",
            path, path, path);
        return;
    }
    if (contest->begun == 0 && (wants_comms(&next) || wants_people(&next)))
        return;
    if (contest->begun == 0 && contest_wants_selection(contest)) {
        say(&next, "Next: boothlink contest select %s says who goes on, by the rules\n", path);
        return;
    }
    if (wants_draw(&next) || wants_rounds(&next) || wants_ranks(&next) || wants_trial(&next))
        return;
    say(&next,
        "Next: boothlink contest result %s; and contest seal %s when nothing more is to be "
        "corrected\n",
        path, path);
}

void contest_next_selection(const struct contest *contest, const struct selection *selection,
                            const char *path, char text[CONTEST_NEXT_MAX])
{
    struct next next = {contest, path, text};
    text[0] = '\0';
    switch (selection->outcome) {
    case SELECTION_NO_ENTRY:
    case SELECTION_ONLY_ONE:
        say(&next, "Next: boothlink contest result %s\n", path);
        return;
    case SELECTION_WANTS_SCREENING:
        say(&next,
            "Next: boothlink contest screen %s ENTRY QUESTIONS and contest score, or contest "
            "select %s "
            "--data FILE with the sums\n",
            path, path);
        return;
    case SELECTION_WANTS_PRELIM:
        if (contest->ruleset.selection == SELECTION_PRELIM)
            say(&next,
                "Next: boothlink contest add %s preliminary NAME for each of its judges, contest "
                "allot, contest tickets --preliminary 1, and contest prelim %s P1 E3 E1 ... for "
                "each list; contest withdraw takes a judge out who gives none\n",
                path, path);
        else
            say(&next,
                "Next: boothlink contest tickets %s --preliminary 1, and contest prelim %s ENTRY "
                "SCORE for each of them\n",
                path, path);
        return;
    case SELECTION_WANTS_CHOICE:
        say(&next, "Next: boothlink contest choose %s ENTRY%s --why TEXT\n", path,
            selection->final_choice ? " --final" : "");
        return;
    case SELECTION_FINAL:
        break;
    }
    if (contest->begun)
        return;
    say(&next, "Next: boothlink contest schedule %s\n", path);
    for (unsigned i = 0; i < contest->people[CONTEST_ENTRY]; i++)
        if (!contest->final || contest->finalist[i] != (selection->stage[i] == STAGE_FINAL))
            say(&next, "Next: boothlink contest select %s --final records them\n", path);
}
