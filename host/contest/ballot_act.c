#include "contest/ballot_act.h"
#include "contest/draw.h"

#include "rules/ballot_kind.h"

#include <stdio.h>
#include <string.h>

size_t contest_session_length(const char *name, unsigned *round, unsigned *judge)
{
    int length = 0, more = 0;
    unsigned times;
    if (sscanf(name, "r%5u-j%5u%n", round, judge, &length) != 2 || !*round || !*judge)
        return 0;
    if (name[length] == '-' && sscanf(name + length, "-%3u%n", &times, &more) == 1)
        length += more;
    return (size_t)length;
}

const struct meeting *contest_find_session(const struct contest *contest, const char *session,
                                           struct bl_diag *diag)
{
    unsigned round, judge;
    size_t length = contest_session_length(session, &round, &judge);
    if (!length || session[length]) {
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
        if (contest_has_further(contest, m)) {
            contest_further_session(contest, m, name);
            if (strcmp(name, session) == 0)
                return m;
        }
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

enum bl_status contest_read_ballot(const struct contest *contest, const struct ballot_file *file,
                                   struct ballot *ballot, struct bl_diag *diag)
{
    const struct meeting *m = contest_find_session(contest, file->head.session, diag);
    char counts[CONTEST_SESSION_MAX];
    if (!m)
        return BL_DATA;
    if (!ballot_asked_is_same(&file->head.vote.asked, &contest->ruleset.asked, diag))
        return BL_DATA;
    contest_session(contest, m, counts);
    *ballot = (struct ballot){
        .judge = m->judge,
        .entry = m->entry,
        .confederate = m->confederate,
        .trial = (uint8_t)contest_trial_of(contest, m->round),
        .late = file->late,
        .further = strcmp(counts, file->head.session) != 0,
        .notes = file->vote.notes[0] ? file->vote.notes : NULL,
        .fields = ballot_values_digest(&file->head.vote.asked, &file->vote.values),
        .values = &file->vote.values,
    };
    ballot_row(file->head.vote.kind)
        ->assign(&file->vote, contest_entry_left(contest, m) ? 0 : 1, ballot);
    return BL_OK;
}

enum bl_status contest_read_ranks(const struct contest *contest, const struct ballot_file *file,
                                  struct ranking ranking[VOTE_RANKS_MAX], struct bl_diag *diag)
{
    for (unsigned i = 0; i < file->head.vote.ranks; i++) {
        const struct ballot_item *item = &file->head.item[i];
        const struct meeting *m = contest_find_session(contest, item->session, diag);
        if (!m)
            return BL_DATA;
        if (i > 0 && m->judge != ranking[0].judge)
            return bl_fail(diag, BL_DATA, "the ranks are of the sessions of two judges");
        ranking[i] = (struct ranking){
            .judge = m->judge,
            .candidate = (person_number)contest_candidate_at(contest, m, (enum side)item->side),
            .rank = file->vote.rank[i],
            .trial = (uint8_t)contest_trial_of(contest, m->round),
        };
    }
    return BL_OK;
}

struct act_body contest_ballot_act(const struct contest *contest, const struct ballot *b,
                                   bool correction)
{
    bool pair = b->confederate != PERSON_NOBODY;
    json_t *vote = json_object();
    ballot_row(contest->ruleset.ballot)->to_json(b, vote);
    json_t *fields = b->values ? ballot_values_to_json(&contest->ruleset.asked, b->values) : NULL;
    if (fields)
        json_object_set_new(vote, "fields", fields);
    return (struct act_body){.kind = ACT_BALLOT,
                             .ballot = {
                                 .judge = b->judge + 1,
                                 .entry = pair ? b->entry + 1 : 0,
                                 .confederate = pair ? b->confederate + 1 : 0,
                                 .candidate = pair ? 0 : b->entry + 1,
                                 .trial = b->trial + 1,
                                 .vote = vote,
                                 .correction = correction,
                                 .late = b->late,
                                 .further = b->further,
                                 .notes = b->notes,
                             }};
}

struct act_body contest_ranks_act(const struct ranking *ranking, unsigned count, bool correction)
{
    struct act_body act = {.kind = ACT_RANKS,
                           .ranks = {.judge = ranking[0].judge + 1,
                                     .trial = ranking[count - 1].trial + 1,
                                     .ranks = json_array(),
                                     .correction = correction}};
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(act.ranks.ranks,
                              json_pack("[i,i]", ranking[i].candidate + 1, ranking[i].rank));
    return act;
}
