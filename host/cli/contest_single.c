/* The rounds of a contest where entities are met singly, from the people who are there. */
#include "cli/contest_plan.h"

static bool has_met(const struct contest *contest, unsigned judge, unsigned candidate)
{
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *m = &contest->schedule.meeting[i];
        if (m->round < contest->begun && m->judge == judge && m->entry == candidate)
            return true;
    }
    return false;
}

static bool is_there(const struct contest *contest, unsigned candidate)
{
    unsigned entries = contest->people[CONTEST_ENTRY];
    if (candidate >= entries)
        return !contest->person[CONTEST_CONFEDERATE][candidate - entries].withdrawn;
    return !contest->person[CONTEST_ENTRY][candidate].withdrawn &&
           !contest->disqualified[candidate];
}

static bool is_apart(const struct contest *contest, unsigned judge, unsigned candidate)
{
    unsigned entries = contest->people[CONTEST_ENTRY];
    bool human = candidate >= entries;
    return contest_kept_apart(contest, CONTEST_JUDGE, judge,
                              human ? CONTEST_CONFEDERATE : CONTEST_ENTRY,
                              candidate - (human ? entries : 0));
}

/* Takes the schedule of all and leaves out who is not there, has met or may not meet; empty rounds
 * close up. */
enum bl_status contest_plan_single(const struct contest *contest, struct schedule *out,
                                   struct bl_diag *diag)
{
    unsigned kept = 0, rounds = 0;
    int last = -1;
    enum bl_status status =
        schedule_single(out, contest->people[CONTEST_JUDGE], contest->people[CONTEST_ENTRY],
                        contest->people[CONTEST_CONFEDERATE], diag);
    if (status != BL_OK)
        return status;
    for (unsigned i = 0; i < out->count; i++) {
        struct meeting m = out->meeting[i];
        if (contest->person[CONTEST_JUDGE][m.judge].withdrawn || !is_there(contest, m.entry) ||
            has_met(contest, m.judge, m.entry) || is_apart(contest, m.judge, m.entry))
            continue;
        rounds += m.round != last;
        last = m.round;
        m.round = (uint16_t)(rounds - 1);
        out->meeting[kept++] = m;
    }
    out->count = kept;
    out->rounds = rounds;
    return BL_OK;
}
