#include "contest/plan.h"

#include "contest/draw.h"
#include "contest/game_plan.h"

#include <stdlib.h>
#include <string.h>

static unsigned entries_met(const struct contest *contest)
{
    bool single = contest->ruleset.pairing == PAIRING_SINGLE;
    return contest->people[CONTEST_ENTRY] + (single ? contest->people[CONTEST_CONFEDERATE] : 0);
}

static bool is_apart(const struct contest *contest, unsigned judge, unsigned candidate)
{
    unsigned entries = contest->people[CONTEST_ENTRY];
    bool human = candidate >= entries;
    return contest_kept_apart(contest, CONTEST_JUDGE, judge,
                              human ? CONTEST_CONFEDERATE : CONTEST_ENTRY,
                              candidate - (human ? entries : 0));
}

static bool may_play(const struct contest *contest, unsigned judge, unsigned candidate)
{
    return !contest->person[CONTEST_JUDGE][judge].withdrawn &&
           contest_has_candidate(contest, candidate);
}

/* Counts a settled meeting: its judge and Entry need not meet again. A candidate whom a later Entry
 * moved beyond the limit is not counted. */
static void count_meeting(struct schedule_need *need, const struct meeting *meeting)
{
    if (meeting->entry >= SCHEDULE_ENTRIES_MAX)
        return;
    need->entry_for_judge[meeting->judge][meeting->entry] = false;
    if (meeting->confederate == PERSON_NOBODY)
        return;
    need->judge_met[meeting->judge][meeting->confederate]++;
    need->entry_met[meeting->entry][meeting->confederate]++;
    need->load[meeting->confederate]++;
}

void contest_need(const struct contest *contest, struct schedule_need *need)
{
    memset(need, 0, sizeof *need);
    need->judges = contest->people[CONTEST_JUDGE];
    need->entries = contest->people[CONTEST_ENTRY];
    need->confederates = contest->people[CONTEST_CONFEDERATE];
    need->single = contest->ruleset.pairing == PAIRING_SINGLE;
    for (unsigned j = 0; j < need->judges; j++)
        for (unsigned e = 0; e < entries_met(contest) && e < SCHEDULE_ENTRIES_MAX; e++)
            need->entry_for_judge[j][e] = may_play(contest, j, e) && !is_apart(contest, j, e);
    for (unsigned c = 0; c < need->confederates && c < SCHEDULE_ENTRIES_MAX; c++) {
        need->absent[c] = contest->person[CONTEST_CONFEDERATE][c].withdrawn;
        for (unsigned j = 0; j < need->judges; j++)
            need->apart_judge[j][c] =
                contest_kept_apart(contest, CONTEST_JUDGE, j, CONTEST_CONFEDERATE, c);
        for (unsigned e = 0; e < need->entries; e++)
            need->apart_entry[e][c] =
                contest_kept_apart(contest, CONTEST_ENTRY, e, CONTEST_CONFEDERATE, c);
    }
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        if (meeting->round < contest->begun &&
            contest_trial_of(contest, meeting->round) == contest->trials)
            count_meeting(need, meeting);
    }
}

/* Checks that each judge interviews each foil, and knows none (long bet II
 *
 * 7,
 *
 * 8). */
static enum bl_status check_foils(const struct contest *contest, struct bl_diag *diag)
{
    if (contest->ruleset.foils_unknown != WORD_YES)
        return BL_OK;
    for (unsigned j = 0; j < contest->people[CONTEST_JUDGE]; j++)
        for (unsigned c = 0; c < contest->people[CONTEST_CONFEDERATE]; c++)
            if (!contest->person[CONTEST_JUDGE][j].withdrawn &&
                !contest->person[CONTEST_CONFEDERATE][c].withdrawn &&
                contest_kept_apart(contest, CONTEST_JUDGE, j, CONTEST_CONFEDERATE, c))
                return bl_fail(diag, BL_DATA,
                               "J%u knows C%u, and foils are not to be known to the judges: "
                               "withdraw one of the two and add another (long bet II ¶7)",
                               j + 1, c + 1);
    return BL_OK;
}

/* True if two people of the meeting may not meet any more, or its confederate is gone. */
static bool is_broken(const struct contest *contest, const struct meeting *meeting)
{
    unsigned c = meeting->confederate;
    if (is_apart(contest, meeting->judge, meeting->entry))
        return true;
    return c != PERSON_NOBODY &&
           (contest->person[CONTEST_CONFEDERATE][c].withdrawn ||
            contest_kept_apart(contest, CONTEST_JUDGE, meeting->judge, CONTEST_CONFEDERATE, c) ||
            contest_kept_apart(contest, CONTEST_ENTRY, meeting->entry, CONTEST_CONFEDERATE, c));
}

enum fate { GONE, KEPT, BROKEN };

/* The rounds to keep: none; rounds that hold unchanged; or also rounds that hold once the meetings
 * of a gone judge or Entry are struck out. */
enum keep { KEEP_NONE, KEEP_WHOLE, KEEP_STRUCK };

static void judge_rounds(const struct contest *contest, enum keep keep,
                         enum fate fate[SCHEDULE_MEETINGS_MAX])
{
    memset(fate, 0, SCHEDULE_MEETINGS_MAX * sizeof fate[0]);
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        enum fate *of = &fate[meeting->round];
        bool gone = !may_play(contest, meeting->judge, meeting->entry);
        if (meeting->round < contest->begun || (gone && keep == KEEP_STRUCK))
            continue;
        if (gone || keep == KEEP_NONE || is_broken(contest, meeting))
            *of = BROKEN;
        else if (*of == GONE)
            *of = KEPT;
    }
}

/* Appends a round of `from` to `to`, without meetings of judges or Entries who are gone. */
static void add_round(const struct contest *contest, struct schedule *to,
                      const struct schedule *from, unsigned round)
{
    for (unsigned i = 0; i < from->count; i++) {
        struct meeting meeting = from->meeting[i];
        if (meeting.round != round || !may_play(contest, meeting.judge, meeting.entry))
            continue;
        meeting.round = (uint16_t)to->rounds;
        to->meeting[to->count++] = meeting;
    }
    to->rounds++;
}

/* Joins the rounds. New rounds replace broken ones; further new rounds come last. With a drawn
 * order all new rounds come last. */
static void merge(const struct contest *contest, const enum fate *fate, const struct schedule *made,
                  struct schedule *rest, struct contest_planned *planned)
{
    bool last = contest->ruleset.pairing == PAIRING_SINGLE;
    unsigned next = 0;
    memset(rest, 0, sizeof *rest);
    rest->judges = contest->people[CONTEST_JUDGE];
    rest->entries = contest->people[CONTEST_ENTRY];
    rest->confederates = contest->people[CONTEST_CONFEDERATE];
    planned->first_made = SCHEDULE_MEETINGS_MAX;
    for (unsigned r = contest->begun; r < contest->schedule.rounds || next < made->rounds; r++) {
        bool old = r < contest->schedule.rounds;
        if (old && fate[r] == KEPT) {
            add_round(contest, rest, &contest->schedule, r);
            planned->kept++;
        } else if (next < made->rounds && (!old || (fate[r] == BROKEN && !last))) {
            if (next == 0)
                planned->first_made = rest->rounds;
            add_round(contest, rest, made, next++);
        }
    }
    planned->made = made->rounds;
}

static bool is_changed(const struct contest *contest, const struct schedule *rest)
{
    const struct schedule *now = &contest->schedule;
    unsigned first = 0;
    while (first < now->count && now->meeting[first].round < contest->begun)
        first++;
    if (now->rounds - contest->begun != rest->rounds || now->count - first != rest->count)
        return true;
    for (unsigned i = 0; i < rest->count; i++) {
        const struct meeting *a = &now->meeting[first + i], *b = &rest->meeting[i];
        if (a->round - contest->begun != b->round || a->judge != b->judge || a->entry != b->entry ||
            a->confederate != b->confederate)
            return true;
    }
    return false;
}

/* Draws the order of the new rounds like the act, for comparison. */
static void order_made(const struct contest *contest, struct schedule *rest,
                       const struct contest_planned *planned)
{
    if (contest->ruleset.pairing != PAIRING_SINGLE || planned->made == 0)
        return;
    for (unsigned i = 0; i < rest->count; i++)
        rest->meeting[i].round = (uint16_t)(rest->meeting[i].round + contest->begun);
    rest->rounds += contest->begun;
    draw_order(contest, rest, contest->begun + planned->first_made);
    for (unsigned i = 0; i < rest->count; i++)
        rest->meeting[i].round = (uint16_t)(rest->meeting[i].round - contest->begun);
    rest->rounds -= contest->begun;
}

struct planning {
    struct schedule_need need, planned;
    struct schedule made, struck, drawn;
    enum fate fate[SCHEDULE_MEETINGS_MAX];
};

static bool wants_any(const struct schedule_need *need)
{
    for (unsigned j = 0; j < SCHEDULE_PEOPLE_MAX; j++)
        for (unsigned e = 0; e < SCHEDULE_ENTRIES_MAX; e++)
            if (need->entry_for_judge[j][e])
                return true;
    return false;
}

/* Checks the number of begun, kept and new rounds. */
static enum bl_status check_size(const struct contest *contest, const struct planning *p,
                                 unsigned kept, struct bl_diag *diag)
{
    unsigned meetings = schedule_first(&contest->schedule, contest->begun) + kept + p->made.count;
    unsigned rounds = contest->begun + p->made.rounds;
    for (unsigned r = contest->begun; r < contest->schedule.rounds; r++)
        rounds += p->fate[r] == KEPT;
    if (meetings > SCHEDULE_MEETINGS_MAX)
        return bl_fail(diag, BL_DATA, "%u meetings: a contest has %d at most", meetings,
                       SCHEDULE_MEETINGS_MAX);
    return rounds <= SCHEDULE_ROUNDS_MAX
               ? BL_OK
               : bl_fail(diag, BL_DATA, "%u rounds: a contest has %d at most", rounds,
                         SCHEDULE_ROUNDS_MAX);
}

static enum bl_status plan(const struct contest *contest, struct planning *p, enum keep keep,
                           bool optimal, struct schedule *rest, struct contest_planned *planned,
                           struct bl_diag *diag)
{
    const struct schedule *now = &contest->schedule;
    enum bl_status status = BL_OK;
    memset(planned, 0, sizeof *planned);
    memset(&p->made, 0, sizeof p->made);
    contest_need(contest, &p->need);
    judge_rounds(contest, keep, p->fate);
    unsigned kept = 0;
    for (unsigned i = 0; i < now->count; i++) {
        const struct meeting *meeting = &now->meeting[i];
        if (meeting->round >= contest->begun && p->fate[meeting->round] == KEPT &&
            may_play(contest, meeting->judge, meeting->entry)) {
            count_meeting(&p->need, meeting);
            kept++;
        }
    }
    if (wants_any(&p->need) || keep == KEEP_NONE)
        status = schedule_make(&p->made, &p->need, optimal ? NULL : &contest->ruleset.printed,
                               &planned->bound, diag);
    /* If only pairs without any possible confederate are left, the kept rounds stay. */
    if (status == BL_DATA && planned->bound.unmet && keep != KEEP_NONE)
        status = BL_OK;
    if (status == BL_OK)
        status = check_size(contest, p, kept, diag);
    if (status != BL_OK)
        return status;
    merge(contest, p->fate, &p->made, rest, planned);
    schedule_sort(rest);
    p->drawn = *rest;
    order_made(contest, &p->drawn, planned);
    planned->changed = is_changed(contest, &p->drawn);
    return BL_OK;
}

/* Copies the needed meetings, without empty rounds. */
static void pick_needed(struct schedule *out, const struct schedule *from,
                        const struct schedule_need *need)
{
    int last = -1;
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < from->count; i++) {
        struct meeting meeting = from->meeting[i];
        if (!need->entry_for_judge[meeting.judge][meeting.entry])
            continue;
        out->rounds += meeting.round != last;
        last = meeting.round;
        meeting.round = (uint16_t)(out->rounds - 1);
        out->meeting[out->count++] = meeting;
    }
}

/* Strikes out the meetings of gone judges and Entries, which changes the least for all others. No
 * effect if the new plan, of `need`, is better in wishes, rounds or evenness. */
static enum bl_status plan_struck(const struct contest *contest, struct planning *p,
                                  const struct schedule_need *need, struct schedule *rest,
                                  struct contest_planned *planned, struct bl_diag *diag)
{
    struct contest_planned struck;
    struct schedule_bound now = {.missing = 0};
    enum bl_status status = plan(contest, p, KEEP_STRUCK, false, &p->struck, &struck, diag);
    if (status != BL_OK || struck.kept <= planned->kept || p->struck.rounds > rest->rounds)
        return status;
    pick_needed(&p->made, &p->struck, need);
    schedule_wishes(&p->made, need, &now);
    if (now.missing > planned->bound.missing || now.uneven > planned->bound.uneven)
        return BL_OK;
    *rest = p->struck;
    *planned = struck;
    return BL_OK;
}

enum bl_status contest_plan(const struct contest *contest, bool optimal, struct schedule *rest,
                            struct contest_planned *planned, struct bl_diag *diag)
{
    bool begun = contest->begun > contest->trial_from[contest->trials];
    struct planning *p;
    enum bl_status status = check_foils(contest, diag);
    if (status != BL_OK)
        return status;
    if (contest_has_design(contest))
        return game_plan(contest, rest, planned, diag);
    p = calloc(1, sizeof *p);
    if (!p)
        return bl_fail(diag, BL_NOMEM, "no memory");
    status =
        plan(contest, p, begun && !optimal ? KEEP_WHOLE : KEEP_NONE, optimal, rest, planned, diag);
    if (status == BL_OK && begun && !optimal) {
        p->planned = p->need;
        status = plan_struck(contest, p, &p->planned, rest, planned, diag);
    }
    free(p);
    return status;
}

struct act_body contest_plan_act(const struct contest *contest, const struct schedule *rest,
                                 const struct contest_planned *planned)
{
    json_t *rounds = json_array();
    if (planned->games)
        return (struct act_body){
            .kind = ACT_SCHEDULE,
            .schedule = {.rounds = rounds, .anew = contest->drawn, .games = planned->booths}};
    for (unsigned r = 0; r < rest->rounds; r++)
        json_array_append_new(rounds, json_array());
    for (unsigned i = 0; i < rest->count; i++) {
        const struct meeting *m = &rest->meeting[i];
        json_t *numbers = json_pack("[i,i]", m->judge + 1, m->entry + 1);
        if (m->confederate != PERSON_NOBODY)
            json_array_append_new(numbers, json_integer(m->confederate + 1));
        json_array_append_new(json_array_get(rounds, m->round), numbers);
    }
    bool ordered = contest->ruleset.pairing == PAIRING_SINGLE && planned->made;
    return (struct act_body){
        .kind = ACT_SCHEDULE,
        .schedule = {.rounds = rounds,
                     .anew = contest->drawn,
                     .order_from = ordered ? contest->begun + planned->first_made + 1 : 0}};
}
