/* The acts before the final round: screening, preliminary round, invitations, choices, lost
 * Entries, finalists. */
#include "contest/contest_private.h"

#include <inttypes.h>
#include <string.h>

static enum bl_status check_before(const struct contest *contest, struct bl_diag *diag)
{
    if (contest->begun)
        return bl_fail(diag, BL_DATA,
                       "the final round has begun: who is in it stays, and who leaves it is "
                       "withdrawn");
    return BL_OK;
}

/* 2009 §4, 2004 A9: the questions put to an Entry before the contest. */
enum bl_status act_answer(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    const struct act_answer *act = &body->answer;
    enum bl_status status = check_entry_number(contest, act->entry, diag);
    if (status != BL_OK)
        return status;
    bool *answered = &contest->answered[act->entry - 1][act->question - 1];
    if (*answered)
        return bl_fail(diag, BL_DATA, "Entry %" PRId64 " was asked question %" PRId64 " already",
                       act->entry, act->question);
    *answered = true;
    return BL_OK;
}

enum bl_status act_score(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    const struct act_score *act = &body->score;
    enum bl_status status = check_entry_number(contest, act->entry, diag);
    if (status != BL_OK)
        return status;
    if (!contest->answered[act->entry - 1][act->question - 1])
        return bl_fail(diag, BL_DATA, "Entry %" PRId64 " was not asked question %" PRId64,
                       act->entry, act->question);
    contest->score[act->entry - 1][act->question - 1] = (int8_t)act->points;
    return BL_OK;
}

static enum bl_status set_flag(struct contest *contest, const struct act_selected *act, bool *flag,
                               const char *what, struct bl_diag *diag)
{
    enum bl_status status = check_before(contest, diag);
    if (status == BL_OK)
        status = check_entry_number(contest, act->entry, diag);
    if (status != BL_OK)
        return status;
    if (flag[act->entry - 1] != act->undo)
        return bl_fail(diag, BL_DATA, "Entry %" PRId64 " is %s%s already", act->entry,
                       act->undo ? "not " : "", what);
    flag[act->entry - 1] = !act->undo;
    return BL_OK;
}

enum bl_status act_invite(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    if (contest->ruleset.selection != SELECTION_SCREEN_PRELIM && !body->invite.undo &&
        !contest->replays)
        return bl_fail(diag, BL_DATA, "these rules invite nobody for merit");
    return set_flag(contest, &body->invite, contest->invited, "invited", diag);
}

enum bl_status act_choose(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    if (!body->choose.final)
        return set_flag(contest, &body->choose, contest->chosen, "chosen", diag);
    if (contest->ruleset.selection != SELECTION_SCREEN_PRELIM &&
        contest->ruleset.selection != SELECTION_SCREEN)
        return bl_fail(diag, BL_DATA,
                       "'final': these rules cut once (%s): a choice needs no --final",
                       ruleset_rule(&contest->ruleset, "selection", "method", 0).text);
    return set_flag(contest, &body->choose, contest->chosen_final, "chosen for the final round",
                    diag);
}

enum bl_status act_lose(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    if (contest->ruleset.selection != SELECTION_PRELIM && !body->lose.undo && !contest->replays)
        return bl_fail(diag, BL_DATA,
                       "these rules have no reserve that could come in: contest withdraw takes the "
                       "Entry out");
    return set_flag(contest, &body->lose, contest->lost, "lost", diag);
}

enum bl_status act_prelim(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    const struct act_prelim *act = &body->prelim;
    enum bl_status status = check_entry_number(contest, act->entry, diag);
    if (contest->ruleset.selection == SELECTION_PRELIM)
        return bl_fail(diag, BL_DATA,
                       "these rules have lists of ranks from the preliminary judges (%s)",
                       ruleset_rule(&contest->ruleset, "selection", "method", 1).text);
    if (status == BL_OK)
        contest->prelim[act->entry - 1] = (struct fraction){act->numerator, act->denominator};
    return status;
}

enum bl_status act_screened(struct contest *contest, const struct act_body *body,
                            struct bl_diag *diag)
{
    const struct act_screened *act = &body->screened;
    enum bl_status status = check_before(contest, diag);
    if (status == BL_OK)
        status = check_entry_number(contest, act->entry, diag);
    if (status == BL_OK)
        contest->screened[act->entry - 1] = (struct fraction){act->points, 1};
    return status;
}

static bool has_list(const struct contest *contest, unsigned judge)
{
    for (unsigned i = 0; i < contest->prelim_ranks; i++)
        if (contest->prelim_rank[i].judge == judge)
            return true;
    return false;
}

static void drop_list(struct contest *contest, unsigned judge)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < contest->prelim_ranks; i++)
        if (contest->prelim_rank[i].judge != judge)
            contest->prelim_rank[kept++] = contest->prelim_rank[i];
    memset(&contest->prelim_rank[kept], 0,
           (contest->prelim_ranks - kept) * sizeof contest->prelim_rank[0]);
    contest->prelim_ranks = kept;
}

/* An existing preliminary judge, under rules with a preliminary round. */
static enum bl_status check_prelim(const struct contest *contest, int64_t judge,
                                   struct bl_diag *diag)
{
    enum bl_status status = check_before(contest, diag);
    if (status != BL_OK)
        return status;
    if (contest->ruleset.selection != SELECTION_PRELIM)
        return bl_fail(diag, BL_DATA, "these rules have no lists of preliminary judges");
    if (judge > contest->people[CONTEST_PRELIM])
        return bl_fail(diag, BL_DATA, "there is no preliminary judge %" PRId64, judge);
    return BL_OK;
}

enum bl_status act_allot(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    const struct act_entries *entries = &body->allot.entries;
    unsigned count = entries->count;
    unsigned most = (unsigned)contest->ruleset.judge_load_most;
    unsigned judge = (unsigned)body->allot.judge - 1;
    enum bl_status status = check_prelim(contest, body->allot.judge, diag);
    if (status != BL_OK)
        return status;
    if (has_list(contest, judge))
        return bl_fail(diag, BL_DATA, "preliminary judge %u has given a list already", judge + 1);
    if (count == 0 || (most && count > most))
        return bl_fail(diag, BL_DATA, "%u Entries: a preliminary judge evaluates 1 to %u (%s)",
                       count, most,
                       ruleset_rule(&contest->ruleset, "selection", "judge-load-most", 0).text);
    memset(contest->allotment[judge], 0, sizeof contest->allotment[judge]);
    for (unsigned i = 0; i < count; i++) {
        if (entries->entry[i] > contest->people[CONTEST_ENTRY])
            return bl_fail(diag, BL_DATA, "'entries': expected numbers of Entries");
        contest->allotment[judge][entries->entry[i] - 1] = true;
    }
    contest->allotted[judge] = true;
    return BL_OK;
}

/* True if an Entry is still in the contest. It must then be ranked. */
static bool is_in(const struct contest *contest, unsigned entry)
{
    return !contest->person[CONTEST_ENTRY][entry].withdrawn && !contest->disqualified[entry] &&
           contest_is_accepted(contest, entry);
}

/* r34: "each Judge will rank the allotted Entries", all of them and no others. */
static enum bl_status check_allotment(const struct contest *contest, unsigned judge,
                                      const bool listed[SCHEDULE_ENTRIES_MAX], struct bl_diag *diag)
{
    for (unsigned e = 0; contest->allotted[judge] && e < contest->people[CONTEST_ENTRY]; e++)
        if (listed[e] != contest->allotment[judge][e] && (listed[e] || is_in(contest, e)))
            return bl_fail(diag, BL_DATA,
                           listed[e] ? "E%u is not allotted to preliminary judge %u (%s)"
                                     : "E%u is allotted to preliminary judge %u, and not in the "
                                       "list (%s)",
                           e + 1, judge + 1,
                           ruleset_rule(&contest->ruleset, "selection", "method", 1).text);
    return BL_OK;
}

/* A preliminary judge's Entries, the best first (2003 r34). Faults between lists are reported when
 * the lists are counted. */
enum bl_status act_list(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    const struct act_entries *entries = &body->list.entries;
    unsigned most = (unsigned)contest->ruleset.judge_load_most, before = contest->prelim_ranks;
    unsigned count = entries->count;
    bool listed[SCHEDULE_ENTRIES_MAX] = {false};
    unsigned judge = (unsigned)body->list.judge - 1;
    enum bl_status status = check_prelim(contest, body->list.judge, diag);
    if (status != BL_OK)
        return status;
    if (count == 0 || (most && count > most))
        return bl_fail(diag, BL_DATA, "'entries': expected 1 to %u numbers (%s)",
                       most ? most : SCHEDULE_ENTRIES_MAX,
                       ruleset_rule(&contest->ruleset, "selection", "judge-load-most", 0).text);
    drop_list(contest, judge);
    if (contest->prelim_ranks != before && !body->list.correction)
        return bl_fail(diag, BL_DATA,
                       "preliminary judge %u has ranked already; --correct replaces it", judge + 1);
    for (unsigned i = 0; i < count; i++) {
        unsigned entry = entries->entry[i];
        if (entry > contest->people[CONTEST_ENTRY] || listed[entry - 1])
            return bl_fail(diag, BL_DATA,
                           "'entries': expected numbers of Entries, each once, the best first");
        listed[entry - 1] = true;
        contest->prelim_rank[contest->prelim_ranks++] =
            (struct selection_rank){(uint8_t)judge, (uint8_t)(entry - 1), (uint8_t)(i + 1)};
    }
    return check_allotment(contest, judge, listed, diag);
}

struct screening contest_screening_sum(const struct contest *contest, unsigned entry)
{
    struct screening sum = {0};
    for (unsigned q = 0; q < CONTEST_QUESTIONS; q++) {
        int score = contest->score[entry][q];
        sum.asked += contest->answered[entry][q];
        sum.scored += score >= 0;
        sum.points += score > 0 ? (unsigned)score : 0;
    }
    return sum;
}

/* The points of an Entry's screening: the entered sum, or the sum of its answers' points once each
 * answer has points. */
static struct fraction screening_of(const struct contest *contest, unsigned entry)
{
    struct screening sum = contest_screening_sum(contest, entry);
    if (contest->screened[entry].denominator)
        return contest->screened[entry];
    return sum.asked && sum.scored == sum.asked ? (struct fraction){sum.points, 1}
                                                : (struct fraction){0, 0};
}

void contest_selection_input(const struct contest *contest, struct selection_input *in)
{
    *in = (struct selection_input){
        .ruleset = &contest->ruleset,
        .entries = contest->people[CONTEST_ENTRY],
        .rank = contest->prelim_rank,
        .ranks = contest->prelim_ranks,
    };
    memcpy(in->prelim, contest->prelim, sizeof in->prelim);
    memcpy(in->invited, contest->invited, sizeof in->invited);
    memcpy(in->chosen, contest->chosen, sizeof in->chosen);
    memcpy(in->chosen_final, contest->chosen_final, sizeof in->chosen_final);
    memcpy(in->lost, contest->lost, sizeof in->lost);
    for (unsigned j = 0; j < contest->people[CONTEST_PRELIM]; j++)
        in->lists_missing |= contest->allotted[j] && !has_list(contest, j) &&
                             !contest->person[CONTEST_PRELIM][j].withdrawn;
    for (unsigned i = 0; i < in->entries; i++) {
        in->unaccepted[i] = !contest_is_accepted(contest, i);
        in->out[i] = !is_in(contest, i);
        in->screening[i] = screening_of(contest, i);
        in->received_us[i] = contest->person[CONTEST_ENTRY][i].received_us;
    }
}

enum bl_status contest_allotment(const struct contest *contest, struct allotment *allotment,
                                 struct bl_diag *diag)
{
    const struct ruleset *rules = &contest->ruleset;
    uint8_t in[SCHEDULE_ENTRIES_MAX], judge[SCHEDULE_ENTRIES_MAX];
    unsigned count = 0, judges = 0;
    struct bl_diag why;
    for (unsigned e = 0; e < contest->people[CONTEST_ENTRY]; e++)
        if (is_in(contest, e))
            in[count++] = (uint8_t)e;
    for (unsigned j = 0; j < contest->people[CONTEST_PRELIM]; j++)
        if (!contest->person[CONTEST_PRELIM][j].withdrawn)
            judge[judges++] = (uint8_t)j;
    enum bl_status status =
        selection_allot(allotment, count, judges, (unsigned)rules->entry_judges_least,
                        (unsigned)rules->judge_load_most, &why);
    if (status != BL_OK)
        return bl_fail(diag, status, "%s (%s)", why.text,
                       ruleset_rule(rules, "selection", "judge-load-most", 0).text);
    for (unsigned j = 0; j < allotment->judges; j++) {
        allotment->judge[j] = judge[j];
        for (unsigned k = 0; k < allotment->each; k++)
            allotment->entry[j][k] = in[allotment->entry[j][k]];
    }
    return BL_OK;
}

/* Checks that the finalists are exactly those selected by the rules at present. */
enum bl_status act_final(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    const struct act_entries *entries = &body->final.entries;
    struct selection_input input;
    struct selection selection;
    unsigned named = 0;
    bool final[SCHEDULE_ENTRIES_MAX] = {false};
    enum bl_status status = check_before(contest, diag);
    if (status == BL_OK)
        status = dates_check_final(contest, body->final.why, diag);
    if (status == BL_OK) {
        contest_selection_input(contest, &input);
        input.lists_missing &= !contest->replays;
        status = selection_make(&selection, &input, NULL, NULL, diag);
    }
    if (status != BL_OK)
        return status;
    if (selection.outcome != SELECTION_FINAL && selection.outcome != SELECTION_ONLY_ONE)
        return bl_fail(diag, BL_DATA, "the selection has not come to the finalists yet");
    for (unsigned i = 0; i < entries->count; i++) {
        unsigned entry = entries->entry[i];
        if (entry <= contest->people[CONTEST_ENTRY] && !final[entry - 1]) {
            final[entry - 1] = true;
            named += selection.stage[entry - 1] == STAGE_FINAL;
        }
    }
    if (named != entries->count || named != selection.finalists)
        return bl_fail(diag, BL_DATA, "'entries': expected the %u whom the rules select",
                       selection.finalists);
    contest->final = true;
    memcpy(contest->finalist, final, sizeof final);
    return BL_OK;
}
