#include "desk/collect.h"

#include "booth/balloting.h"
#include "contest/ballot_act.h"
#include "desk/collected.h"
#include "desk/folder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the contest has this very ballot already; some: it has one on the session. */
static bool has_ballot(const struct contest *contest, const struct ballot *ballot, bool *some)
{
    const struct ballot *there =
        contest_ballot_by(contest, ballot->judge, ballot->entry, ballot->trial);
    *some = there;
    return there && ballot_is_same(there, ballot);
}

/* The same of a judge's ranks. */
static bool has_ranks(const struct contest *contest, const struct ranking *ranking, unsigned count,
                      bool *some)
{
    *some = contest_has_ranked(contest, ranking->judge, ranking->trial);
    for (unsigned i = 0; i < count; i++)
        if (contest_rank_by(contest, &ranking[i]) != ranking[i].rank)
            return false;
    return true;
}

static enum bl_status check_ballot(const struct collect *collect, const struct ballot_file *file,
                                   const char *path, struct bl_diag *diag)
{
    const struct contest *contest = collect->contest;
    if (!contest->drawn)
        return bl_fail(diag, BL_DATA, "%s: the sides are not drawn yet: contest draw", path);
    if (strcmp(file->head.rules, contest->ruleset.name) != 0)
        return bl_fail(diag, BL_DATA, "%s: given under the rules of %.64s, this contest has %s",
                       path, file->head.rules, contest->ruleset.name);
    if (!file->given)
        return bl_fail(diag, BL_DATA, "%s: no ballot was given in it", path);
    return BL_OK;
}

enum bl_status collect_ballot(struct collect *collect, const struct ballot_file *file,
                              const char *path, bool *recorded, struct bl_diag *diag)
{
    const struct contest *contest = collect->contest;
    struct ballot ballot;
    struct ranking ranking[VOTE_RANKS_MAX];
    unsigned count = file->head.vote.ranks;
    bool ranks = file->head.vote.kind == BALLOT_RANKS, some;
    enum bl_status status = check_ballot(collect, file, path, diag);
    *recorded = false;
    if (status == BL_OK)
        status = ranks ? contest_read_ranks(contest, file, ranking, diag)
                       : contest_read_ballot(contest, file, &ballot, diag);
    if (status != BL_OK ||
        (ranks ? has_ranks(contest, ranking, count, &some) : has_ballot(contest, &ballot, &some)))
        return status;
    some = some && (collect->correct || file->versions > 1);
    struct act_body act = ranks ? contest_ranks_act(ranking, count, some)
                                : contest_ballot_act(contest, &ballot, some);
    status = collect->append(collect->ctx, &act, diag);
    *recorded = status == BL_OK;
    collect->ballots += *recorded;
    return status;
}

/* Nobody votes before his round begins. So where nobody has said that it did, the ballot tells; the
 * rounds before it have begun then as well, and miss what they miss. */
static enum bl_status begin_rounds(struct collect *collect, const struct ballot_file *ballot,
                                   struct bl_diag *diag)
{
    const struct contest *contest = collect->contest;
    const struct meeting *meeting = contest_find_session(contest, ballot->head.session, NULL);
    unsigned begun = meeting ? meeting->round + 1U : 0;
    enum bl_status status = BL_OK;
    struct bl_diag why;
    while (status == BL_OK && contest->begun < begun) {
        unsigned round = contest->begun + 1;
        if (contest->begun == contest->trial_from[contest->trials] &&
            contest_check_numbers(contest, &why))
            return bl_fail(diag, BL_DATA,
                           "%s; contest begin FILE %u --why TEXT begins all the same", why.text,
                           round);
        const struct act_body act = {.kind = ACT_BEGIN, .begin = {.round = round, .present = true}};
        status = collect->append(collect->ctx, &act, diag);
    }
    return status;
}

static void take_ballot(struct collect *collect, const char *path)
{
    struct ballot_file *ballot = calloc(1, sizeof *ballot);
    struct bl_diag why;
    char what[400];
    bool recorded = false;
    enum bl_status status = ballot ? balloting_load(ballot, path, &why)
                                   : bl_fail(&why, BL_NOMEM, "%s: no memory", path);
    if (status == BL_OK && contest_is_spoiled(collect->contest, ballot->head.session)) {
        free(ballot); /* kept, and counts no longer */
        return;
    }
    if (status == BL_OK && collect->begin && check_ballot(collect, ballot, path, NULL) == BL_OK)
        status = begin_rounds(collect, ballot, &why);
    /* One that is not given yet is no fault: it is missing. */
    if (status == BL_OK && (ballot->given || ballot->damaged))
        status = collect_ballot(collect, ballot, path, &recorded, &why);
    if (recorded)
        snprintf(what, sizeof what, "%.40s: recorded%s%s", ballot->head.session,
                 ballot->late ? ", given late" : "",
                 ballot->damaged ? "; damaged lines were left out" : "");
    else if (status != BL_OK)
        snprintf(what, sizeof what, "refused: %s", why.text);
    if (recorded || status != BL_OK)
        collect->tell(collect->ctx, path, what);
    collect->refused += status != BL_OK;
    free(ballot);
}

static enum bl_status take_file(void *ctx, const char *path, const char *name, struct bl_diag *diag)
{
    struct collect *collect = ctx;
    size_t length = strlen(name);
    bool ballot = length > 7 && strcmp(name + length - 7, ".ballot") == 0;
    enum collected_outcome outcome = COLLECTED_KNOWN;
    enum bl_status status = BL_OK;
    if (!collected_is_name(name) || (!ballot && !collect->records))
        return BL_OK;
    collect->files++;
    if (collect->records)
        status = collected_take(collect->records, path, name, &outcome, diag);
    collect->taken += status == BL_OK && outcome != COLLECTED_KNOWN;
    if (status == BL_OK && ballot)
        take_ballot(collect, path);
    return status;
}

enum bl_status collect_folder(struct collect *collect, const char *path, struct bl_diag *diag)
{
    return folder_walk(path, take_file, NULL, collect, diag);
}

struct missing_out {
    void (*say)(void *ctx, const char *line);
    void *ctx;
    unsigned count;
};

static void miss(struct missing_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void miss(struct missing_out *out, const char *format, ...)
{
    char line[200];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    out->say(out->ctx, line);
    out->count++;
}

static void miss_meeting(struct missing_out *out, const struct contest *contest,
                         const char *records, const struct meeting *meeting)
{
    char session[CONTEST_SESSION_MAX], name[64];
    unsigned ends = meeting->confederate == SCHEDULE_NOBODY ? 1 : 2, there;
    if (!contest_was_held(contest, meeting))
        return;
    contest_session(contest, meeting, session);
    if (contest_is_missing(contest, meeting))
        miss(out, "round %u, J%u: the ballot %s-judge.ballot", meeting->round + 1U,
             meeting->judge + 1U, session);
    snprintf(name, sizeof name, "%s-judge.journal", session);
    if (!collected_count(records, name))
        miss(out, "round %u, J%u: the judge's journal %s", meeting->round + 1U, meeting->judge + 1U,
             name);
    snprintf(name, sizeof name, "%s-entity.journal", session);
    there = collected_count(records, name);
    if (there < ends)
        miss(out, "round %u, J%u: %u of %u entities' journals %s", meeting->round + 1U,
             meeting->judge + 1U, ends - there, ends, name);
}

unsigned collect_missing(const struct contest *contest, const char *records,
                         void (*say)(void *ctx, const char *line), void *ctx, unsigned *ranks)
{
    struct missing_out out = {.say = say, .ctx = ctx};
    bool over = contest->begun && contest->begun == contest->schedule.rounds;
    for (unsigned i = 0; i < contest->schedule.count; i++)
        if (contest->schedule.meeting[i].round < contest->begun)
            miss_meeting(&out, contest, records, &contest->schedule.meeting[i]);
    *ranks = out.count;
    for (unsigned j = 0; over && j < contest->people[CONTEST_JUDGE]; j++)
        if (contest_wants_ranks(contest, j))
            miss(&out, "J%u's ranks", j + 1);
    *ranks = out.count - *ranks;
    return out.count;
}
