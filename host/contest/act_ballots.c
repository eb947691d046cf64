/* The acts of ballots and ranks. */
#include "contest/contest_private.h"
#include "rules/ballot_kind.h"

#include <string.h>

/* The round of the ballot's meeting; SCHEDULE_MEETINGS_MAX: none. */
static unsigned round_of(const struct contest *contest, const struct ballot *ballot)
{
    const struct meeting *meeting = contest_meeting(contest, ballot);
    return meeting ? meeting->round : SCHEDULE_MEETINGS_MAX;
}

/* Finds the trial, from 0: the given one; otherwise that of the last begun round. */
static enum bl_status find_trial(const struct contest *contest, int64_t said, uint8_t *trial,
                                 struct bl_diag *diag)
{
    unsigned last = contest->begun ? contest_trial_of(contest, contest->begun - 1) : 0;
    *trial = (uint8_t)(said ? said - 1 : last);
    return said ? act_check_number("trial", said, 1, contest->trials + 1, diag) : BL_OK;
}

/* True if both rankings are by the same judge in the same trial. */
static bool is_of(const struct ranking *ranking, const struct ranking *wanted)
{
    return ranking->judge == wanted->judge && ranking->trial == wanted->trial;
}

static unsigned count_ranks(const struct contest *contest, const struct ranking *of)
{
    unsigned count = 0;
    for (unsigned i = 0; i < contest->rankings; i++)
        count += is_of(&contest->ranking[i], of);
    return count;
}

static void drop_ranks(struct contest *contest, const struct ranking *of)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < contest->rankings; i++)
        if (!is_of(&contest->ranking[i], of))
            contest->ranking[kept++] = contest->ranking[i];
    memset(&contest->ranking[kept], 0, (contest->rankings - kept) * sizeof contest->ranking[0]);
    contest->rankings = kept;
}

static enum bl_status check_ranks(const struct contest *contest, const struct ranking *ranking,
                                  unsigned count, struct bl_diag *diag)
{
    return ranking_check(ranking, count, &contest->ruleset, contest->ballot, contest->ballots,
                         contest->people[CONTEST_ENTRY], diag);
}

/* Drops the judge's ranks if they contradict the ballots. The judge ranks again. */
static void review_ranks(struct contest *contest, const struct ballot *ballot)
{
    const struct ranking of = {.judge = ballot->judge, .trial = ballot->trial};
    struct ranking ranking[SCHEDULE_CANDIDATES_MAX];
    struct bl_diag why;
    unsigned count = 0;
    for (unsigned i = 0; i < contest->rankings; i++)
        if (is_of(&contest->ranking[i], &of))
            ranking[count++] = contest->ranking[i];
    if (count && check_ranks(contest, ranking, count, &why))
        drop_ranks(contest, &of);
}

/* Ranks come after the judge's last session: 2009 §3b, long bet II ¶13. */
static enum bl_status check_time_of_ranks(const struct contest *contest, const struct ranking *of,
                                          struct bl_diag *diag)
{
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        if (meeting->judge == of->judge && contest_trial_of(contest, meeting->round) == of->trial &&
            meeting->round >= contest->begun)
            return bl_fail(diag, BL_DATA,
                           "judge %u ranks after the last session, which is in round %u or later",
                           of->judge + 1U, meeting->round + 1U);
    }
    return BL_OK;
}

static enum bl_status place(struct contest *contest, const struct ballot *ballot, bool correction,
                            struct bl_diag *diag)
{
    const struct ballot *was = contest_ballot_by(contest, ballot);
    unsigned round = round_of(contest, ballot), count = contest->ballots;
    enum bl_status status;
    if (correction && !was)
        return bl_fail(diag, BL_DATA, "there is no ballot to correct");
    if (correction && (contest->sealed || round < contest->sealed_rounds))
        return bl_fail(diag, BL_DATA, "round %u is sealed: its ballots stay as they are",
                       round + 1);
    if (correction) { /* checked as if the old ballot did not exist */
        unsigned old = (unsigned)(was - contest->ballot);
        struct ballot kept = *was;
        contest->ballot[old] = contest->ballot[count - 1];
        status = ballot_check(ballot, &contest->ruleset, &contest->schedule, contest->ballot,
                              count - 1, diag);
        contest->ballot[count - 1] = contest->ballot[old];
        contest->ballot[old] = status == BL_OK ? *ballot : kept;
        return status;
    }
    status =
        ballot_check(ballot, &contest->ruleset, &contest->schedule, contest->ballot, count, diag);
    if (status != BL_OK)
        return status;
    if (round == SCHEDULE_MEETINGS_MAX)
        return bl_fail(diag, BL_DATA, "trial %u has no session with these two, or not yet",
                       ballot->trial + 1U);
    if (round >= contest->begun)
        return bl_fail(diag, BL_DATA, "round %u has not begun", round + 1);
    if (contest->sealed)
        return bl_fail(diag, BL_DATA, "the contest's ballots are sealed");
    const struct meeting *meeting = contest_meeting(contest, ballot);
    if (ballot->late && contest_is_taken_back(contest, meeting))
        return bl_fail(diag, BL_DATA,
                       "the late ballot of round %u was taken back: contest ballot without --late "
                       "records it all the same",
                       round + 1);
    ballot_admit(contest, meeting);
    contest->ballot[contest->ballots++] = *ballot;
    return BL_OK;
}

/* Counts an excluded session's ballot again. */
static void bring_back(struct contest *contest, struct excluded *excluded)
{
    if (excluded->given)
        contest->ballot[contest->ballots++] = excluded->ballot;
    excluded->given = false;
}

static void put_aside(struct contest *contest, struct excluded *excluded,
                      const struct meeting *meeting)
{
    const struct ballot *ballot = contest_ballot_of(contest, meeting);
    if (!ballot)
        return;
    excluded->given = true;
    excluded->ballot = *ballot;
    contest->ballot[ballot - contest->ballot] = contest->ballot[--contest->ballots];
    memset(&contest->ballot[contest->ballots], 0, sizeof contest->ballot[0]);
}

enum bl_status ballot_exclude(struct contest *contest, const struct meeting *meeting,
                              const char *why, struct bl_diag *diag)
{
    struct excluded *excluded = &contest->excluded[contest->excludeds];
    if (contest->excludeds == CONTEST_EXCLUDED)
        return bl_fail(diag, BL_DATA, "%d sessions are excluded already", CONTEST_EXCLUDED);
    *excluded = (struct excluded){.round = meeting->round, .judge = meeting->judge};
    contest_keep_why(excluded->why, why);
    contest->excludeds++;
    put_aside(contest, excluded, meeting);
    if (excluded->given)
        review_ranks(contest, &excluded->ballot);
    return BL_OK;
}

enum bl_status ballot_include(struct contest *contest, const struct meeting *meeting,
                              struct bl_diag *diag)
{
    struct excluded *excluded = (struct excluded *)contest_excluded(contest, meeting);
    struct ballot ballot;
    if (!excluded)
        return bl_fail(diag, BL_DATA, "the session of judge %u in round %u is not excluded",
                       meeting->judge + 1U, meeting->round + 1U);
    bool given = excluded->given;
    ballot = excluded->ballot;
    bring_back(contest, excluded);
    *excluded = contest->excluded[--contest->excludeds];
    memset(&contest->excluded[contest->excludeds], 0, sizeof contest->excluded[0]);
    if (given)
        review_ranks(contest, &ballot);
    return BL_OK;
}

void ballot_drop(struct contest *contest, const struct meeting *meeting)
{
    const struct ballot *was = contest_ballot_of(contest, meeting);
    if (!was)
        return;
    const struct ballot dropped = *was;
    contest->ballot[was - contest->ballot] = contest->ballot[--contest->ballots];
    memset(&contest->ballot[contest->ballots], 0, sizeof contest->ballot[0]);
    review_ranks(contest, &dropped);
}

void ballot_admit(struct contest *contest, const struct meeting *meeting)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < contest->taken_backs; i++)
        if (contest->taken_back[i].round != meeting->round ||
            contest->taken_back[i].judge != meeting->judge)
            contest->taken_back[kept++] = contest->taken_back[i];
    memset(&contest->taken_back[kept], 0,
           (contest->taken_backs - kept) * sizeof contest->taken_back[0]);
    contest->taken_backs = kept;
}

void ballot_forget(struct contest *contest, unsigned round, unsigned judge)
{
    for (unsigned i = 0; i < contest->undones; i++) {
        if (contest->undone[i].round != round || contest->undone[i].judge != judge)
            continue;
        contest->undone[i] = contest->undone[--contest->undones];
        memset(&contest->undone[contest->undones], 0, sizeof contest->undone[0]);
        return;
    }
}

enum bl_status ballot_undo(struct contest *contest, const struct meeting *meeting,
                           struct bl_diag *diag)
{
    const struct ballot *ballot = contest_ballot_of(contest, meeting);
    if (!ballot)
        return bl_fail(diag, BL_DATA, "judge %u has given no ballot in round %u",
                       meeting->judge + 1U, meeting->round + 1U);
    if (contest->sealed || meeting->round < contest->sealed_rounds)
        return bl_fail(diag, BL_DATA, "round %u is sealed: its ballots stay as they are",
                       meeting->round + 1U);
    if (ballot->late && contest->taken_backs == CONTEST_TAKEN_BACK)
        return bl_fail(diag, BL_DATA, "%d late ballots were taken back already",
                       CONTEST_TAKEN_BACK);
    if (ballot->late)
        contest->taken_back[contest->taken_backs++] =
            (struct taken_back){meeting->round, meeting->judge};
    ballot_forget(contest, meeting->round, meeting->judge);
    contest->undone[contest->undones++] = (struct taken_back){meeting->round, meeting->judge};
    ballot_drop(contest, meeting);
    return BL_OK;
}

enum bl_status act_ballot(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    const struct act_ballot *act = &body->ballot;
    const struct ballot_row *row = ballot_row(contest->ruleset.ballot);
    bool single = contest->ruleset.pairing == PAIRING_SINGLE;
    struct ballot_values values;
    struct ballot ballot = {
        .judge = (person_number)(act->judge - 1),
        .entry = (person_number)((single ? act->candidate : act->entry) - 1),
        .confederate = single ? PERSON_NOBODY : (person_number)(act->confederate - 1),
        .late = act->late,
        .act = contest->now_act,
    };
    enum bl_status status = BL_OK;
    if (single ? !act->candidate : !act->entry || !act->confederate)
        return bl_fail(diag, BL_DATA, "expected %s",
                       single ? "'candidate'" : "'entry' and 'confederate'");
    status = find_trial(contest, act->trial, &ballot.trial, diag);
    if (status == BL_OK && !row->from_json(act->vote, &ballot))
        status = bl_fail(diag, BL_DATA, "expected %s", row->json);
    if (status == BL_OK)
        status = ballot_values_from_json(&contest->ruleset.asked,
                                         json_object_get(act->vote, "fields"), &values, diag);
    if (status == BL_OK)
        ballot.fields = ballot_values_digest(&contest->ruleset.asked, &values);
    contest->voted_us = contest->now_us;
    if (status == BL_OK && act->further)
        status = further_take(contest, contest_meeting(contest, &ballot), diag);
    if (status != BL_OK)
        return status;
    const struct meeting *meeting = contest_meeting(contest, &ballot);
    struct excluded *excluded =
        meeting ? (struct excluded *)contest_excluded(contest, meeting) : NULL;
    if (excluded)
        bring_back(contest, excluded);
    status = place(contest, &ballot, act->correction && !act->further, diag);
    if (excluded)
        put_aside(contest, excluded, meeting);
    if (status == BL_OK)
        review_ranks(contest, &ballot);
    return status;
}

enum bl_status act_ranks(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    const struct act_ranks *act = &body->ranks;
    struct ranking ranking[SCHEDULE_CANDIDATES_MAX];
    size_t count = json_array_size(act->ranks);
    struct ranking of = {.judge = (person_number)(act->judge - 1)};
    enum bl_status status =
        act_check_number("judge", act->judge, 1, contest->people[CONTEST_JUDGE], diag);
    if (status == BL_OK)
        status = find_trial(contest, act->trial, &of.trial, diag);
    if (status != BL_OK)
        return status;
    if (count == 0 || count > sizeof ranking / sizeof ranking[0])
        return bl_fail(diag, BL_DATA, "'ranks': expected a list of [candidate, rank]");
    if (contest->sealed)
        return bl_fail(diag, BL_DATA, "the contest's ballots are sealed");
    if (count_ranks(contest, &of) && !act->correction)
        return bl_fail(diag, BL_DATA, "judge %u has ranked already; --correct replaces it",
                       of.judge + 1U);
    for (size_t i = 0; i < count; i++) {
        json_int_t candidate = json_integer_value(json_array_get(json_array_get(act->ranks, i), 0));
        json_int_t rank = json_integer_value(json_array_get(json_array_get(act->ranks, i), 1));
        if (candidate < 1 || candidate > SCHEDULE_CANDIDATES_MAX || rank < 1 || rank > 255)
            return bl_fail(diag, BL_DATA, "'ranks': expected a list of [candidate, rank]");
        ranking[i] =
            (struct ranking){of.judge, (person_number)(candidate - 1), (uint8_t)rank, of.trial};
    }
    status = check_ranks(contest, ranking, (unsigned)count, diag);
    if (status == BL_OK)
        status = check_time_of_ranks(contest, &of, diag);
    if (status == BL_OK)
        drop_ranks(contest, &of);
    if (status == BL_OK && contest->rankings + count > SCHEDULE_MEETINGS_MAX)
        status = bl_fail(diag, BL_DATA, "more than %d ranks", SCHEDULE_MEETINGS_MAX);
    if (status != BL_OK)
        return status;
    contest->voted_us = contest->now_us;
    memcpy(&contest->ranking[contest->rankings], ranking, count * sizeof ranking[0]);
    contest->rankings += (unsigned)count;
    return BL_OK;
}

enum bl_status act_seal(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    int64_t round = body->seal.round;
    if (round == 0) {
        contest->sealed = true;
        return BL_OK;
    }
    if (round > contest->sealed_rounds && round <= contest->begun)
        contest->sealed_rounds = (unsigned)round;
    return act_check_number("round", round, 1, contest->begun, diag);
}
