#include "contest/ballot_act.h"
#include "contest/draw.h"

#include "rules/ballot_kind.h"

#include <stdio.h>
#include <string.h>

/* "r2-j3", as tickets name sessions, or "r2-j3-2"; the whole of it. */
static bool read_name(const char *name, unsigned *round, unsigned *judge)
{
    int length = 0, more = 0;
    unsigned times;
    if (sscanf(name, "r%5u-j%5u%n", round, judge, &length) != 2 || !*round || !*judge)
        return false;
    if (name[length] == '-' && sscanf(name + length, "-%3u%n", &times, &more) == 1)
        length += more;
    return name[length] == '\0';
}

const struct meeting *contest_find_session(const struct contest *contest, const char *session,
                                           struct bl_diag *diag)
{
    unsigned round, judge;
    if (!read_name(session, &round, &judge)) {
        bl_fail(diag, BL_DATA,
                "session '%.40s': expected a name such as r2-j3, of a ticket of this contest",
                session);
        return NULL;
    }
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *m = &contest->schedule.meeting[i];
        char name[CONTEST_SESSION_MAX];
        if (m->round + 1U != round || m->judge + 1U != judge)
            continue;
        contest_session(contest, m, name);
        if (strcmp(name, session) == 0)
            return m;
        bl_fail(diag, BL_DATA, "session %.40s does not count: the one that does is %s", session,
                name);
        return NULL;
    }
    bl_fail(diag, BL_DATA, "session %.40s: judge %u has none in round %u", session, judge, round);
    return NULL;
}

/* Which side the Entry has: 0 left, 1 right. */
static unsigned entry_side(const struct contest *contest, const struct meeting *m)
{
    return contest_entry_left(contest, m) ? 0 : 1;
}

/* The candidate on one side, from 1: Entries, then confederates. */
static int candidate_at(const struct contest *contest, const struct meeting *m, unsigned side)
{
    bool entry = m->confederate == SCHEDULE_NOBODY || side == entry_side(contest, m);
    return (entry ? m->entry : (int)contest->people[CONTEST_ENTRY] + m->confederate) + 1;
}

json_t *contest_ballot_body(const struct contest *contest, const struct ballot *b)
{
    bool pair = b->confederate != BALLOT_NOBODY;
    json_t *vote = json_object();
    ballot_row(contest->ruleset.ballot)->to_json(b, vote);
    return act_body_write(&(struct act_body){.kind = ACT_BALLOT,
                                             .ballot = {
                                                 .judge = b->judge + 1,
                                                 .entry = pair ? b->entry + 1 : 0,
                                                 .confederate = pair ? b->confederate + 1 : 0,
                                                 .candidate = pair ? 0 : b->entry + 1,
                                                 .trial = b->trial + 1,
                                                 .vote = vote,
                                             }});
}

/* The act's body for a ballot; NULL with a line in diag. */
static json_t *ballot_body(const struct contest *contest, const struct ballot_file *file,
                           struct bl_diag *diag)
{
    const struct meeting *m = contest_find_session(contest, file->head.session, diag);
    if (!m)
        return NULL;
    struct ballot ballot = {
        .judge = m->judge,
        .entry = m->entry,
        .confederate = m->confederate == SCHEDULE_NOBODY ? BALLOT_NOBODY : m->confederate,
        .trial = (uint8_t)contest_trial_of(contest, m->round),
    };
    ballot_row(file->head.vote.kind)->assign(&file->vote, entry_side(contest, m), &ballot);
    return contest_ballot_body(contest, &ballot);
}

static json_t *ranks_body(const struct contest *contest, const struct ballot_file *file,
                          struct bl_diag *diag)
{
    struct act_body act = {.kind = ACT_RANKS, .ranks = {.trial = 1, .ranks = json_array()}};
    for (unsigned i = 0; i < file->head.vote.ranks; i++) {
        const struct ballot_item *item = &file->head.item[i];
        const struct meeting *m = contest_find_session(contest, item->session, diag);
        if (!m || (act.ranks.judge && act.ranks.judge != m->judge + 1)) {
            if (m)
                bl_fail(diag, BL_DATA, "the ranks are of the sessions of two judges");
            json_decref(act.ranks.ranks);
            return NULL;
        }
        act.ranks.judge = m->judge + 1;
        act.ranks.trial = contest_trial_of(contest, m->round) + 1;
        json_array_append_new(
            act.ranks.ranks,
            json_pack("[i,i]", candidate_at(contest, m, item->side), file->vote.rank[i]));
    }
    return act_body_write(&act);
}

json_t *contest_ballot_act(const struct contest *contest, const struct ballot_file *file,
                           struct bl_diag *diag)
{
    return file->head.vote.kind == BALLOT_RANKS ? ranks_body(contest, file, diag)
                                                : ballot_body(contest, file, diag);
}

bool contest_ballot_is_there(const struct contest *contest, json_t *body)
{
    struct act_body act;
    if (act_body_read(&act, ACT_BALLOT, body, NULL) != BL_OK)
        return false;
    const struct act_ballot *b = &act.ballot;
    return contest_ballot_by(contest, (unsigned)b->judge - 1,
                             (unsigned)(b->entry ? b->entry : b->candidate) - 1,
                             (unsigned)b->trial - 1);
}
