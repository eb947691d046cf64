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

/* The act's body for a ballot; NULL with a line in diag. */
static json_t *ballot_body(const struct contest *contest, const struct ballot_file *file,
                           struct bl_diag *diag)
{
    const struct meeting *m = contest_find_session(contest, file->head.session, diag);
    const struct ballot_row *row = ballot_row(file->head.vote.kind);
    struct ballot ballot = {.judge = 0};
    unsigned side;
    json_t *body;
    if (!m)
        return NULL;
    side = entry_side(contest, m);
    body = json_pack("{s:i,s:i}", "judge", m->judge + 1, "trial",
                     (int)contest_trial_of(contest, m->round) + 1);
    json_object_set_new(body, m->confederate == SCHEDULE_NOBODY ? "candidate" : "entry",
                        json_integer(m->entry + 1));
    if (m->confederate != SCHEDULE_NOBODY)
        json_object_set_new(body, "confederate", json_integer(m->confederate + 1));
    row->assign(&file->vote, side, &ballot);
    row->to_json(&ballot, body);
    return body;
}

static json_t *ranks_body(const struct contest *contest, const struct ballot_file *file,
                          struct bl_diag *diag)
{
    json_t *ranks = json_array(), *body;
    int judge = 0, trial = 1;
    for (unsigned i = 0; i < file->head.vote.ranks; i++) {
        const struct ballot_item *item = &file->head.item[i];
        const struct meeting *m = contest_find_session(contest, item->session, diag);
        if (!m || (judge && judge != m->judge + 1)) {
            if (m)
                bl_fail(diag, BL_DATA, "the ranks are of the sessions of two judges");
            json_decref(ranks);
            return NULL;
        }
        judge = m->judge + 1;
        trial = (int)contest_trial_of(contest, m->round) + 1;
        json_array_append_new(
            ranks, json_pack("[i,i]", candidate_at(contest, m, item->side), file->vote.rank[i]));
    }
    body = json_pack("{s:i,s:i,s:o}", "judge", judge, "trial", trial, "ranks", ranks);
    return body;
}

json_t *contest_ballot_act(const struct contest *contest, const struct ballot_file *file,
                           struct bl_diag *diag)
{
    return file->head.vote.kind == BALLOT_RANKS ? ranks_body(contest, file, diag)
                                                : ballot_body(contest, file, diag);
}

bool contest_ballot_is_there(const struct contest *contest, const json_t *body)
{
    json_int_t judge = json_integer_value(json_object_get(body, "judge")) - 1;
    const json_t *entry = json_object_get(body, "entry");
    json_int_t candidate =
        json_integer_value(entry ? entry : json_object_get(body, "candidate")) - 1;
    json_int_t trial = json_integer_value(json_object_get(body, "trial")) - 1;
    return contest_ballot_by(contest, (unsigned)judge, (unsigned)candidate, (unsigned)trial);
}

json_t *contest_ballot_body(const struct contest *contest, const struct ballot *b)
{
    bool pair = b->confederate != BALLOT_NOBODY;
    json_t *body = json_pack("{s:i,s:i}", "judge", b->judge + 1, "trial", b->trial + 1);
    json_object_set_new(body, pair ? "entry" : "candidate", json_integer(b->entry + 1));
    if (pair)
        json_object_set_new(body, "confederate", json_integer(b->confederate + 1));
    ballot_row(contest->ruleset.ballot)->to_json(b, body);
    return body;
}
