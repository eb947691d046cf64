/* The acts of a contest's rounds: who meets whom, the draw of the sides, a round's beginning. */
#include "contest/contest_private.h"
#include "contest/draw.h"
#include "contest/game_plan.h"

#include <inttypes.h>
#include <string.h>

static unsigned at_most(unsigned number, unsigned most)
{
    return number < most ? number : most;
}

/* Reads [judge, entry, confederate], or [judge, candidate] if entities are met singly. */
static enum bl_status read_meeting(const struct contest *contest, const json_t *list,
                                   unsigned round, struct meeting *out, struct bl_diag *diag)
{
    bool single = contest->ruleset.pairing == PAIRING_SINGLE;
    unsigned most = contest_has_design(contest) ? SCHEDULE_PEOPLE_MAX : SCHEDULE_ENTRIES_MAX;
    const unsigned people[3] = {
        contest->people[CONTEST_JUDGE],
        at_most(contest->people[CONTEST_ENTRY] +
                    (single ? contest->people[CONTEST_CONFEDERATE] : 0),
                SCHEDULE_ENTRIES_MAX),
        at_most(contest->people[CONTEST_CONFEDERATE], most),
    };
    json_int_t number[3] = {0};
    for (size_t i = 0; i < (single ? 2 : 3); i++) {
        const json_t *value = json_array_get(list, i);
        number[i] = json_integer_value(value);
        if (!json_is_integer(value) || number[i] < 1 || number[i] > people[i])
            return bl_fail(diag, BL_DATA,
                           "round %u: a meeting's numbers are those of a judge, an "
                           "Entry and a confederate who are registered",
                           round + 1);
    }
    *out = (struct meeting){
        .round = (uint16_t)round,
        .judge = (person_number)(number[0] - 1),
        .entry = (person_number)(number[1] - 1),
        .confederate = single ? PERSON_NOBODY : (person_number)(number[2] - 1),
    };
    return BL_OK;
}

/* Refuses people who may not meet (2003 r41, r52, long bet II ¶7) or are not in the contest. */
enum bl_status contest_check_meeting(const struct contest *contest, const struct meeting *meeting,
                                     struct bl_diag *diag)
{
    unsigned entries = contest->people[CONTEST_ENTRY];
    bool human = meeting->entry >= entries; /* met singly */
    const struct {
        enum contest_role role;
        unsigned number;
    } at[3] = {
        {CONTEST_JUDGE, meeting->judge},
        {human ? CONTEST_CONFEDERATE : CONTEST_ENTRY, meeting->entry - (human ? entries : 0)},
        {CONTEST_CONFEDERATE, meeting->confederate},
    };
    unsigned count = meeting->confederate == PERSON_NOBODY ? 2 : 3;
    for (unsigned i = 0; i < count; i++) {
        bool entry = at[i].role == CONTEST_ENTRY;
        if (contest->person[at[i].role][at[i].number].withdrawn ||
            (entry && !contest_has_entry(contest, at[i].number)))
            return bl_fail(diag, BL_DATA,
                           "round %u: %s %u is withdrawn, not accepted, or not in the final round",
                           meeting->round + 1U, contest_role_name(at[i].role), at[i].number + 1);
        for (unsigned k = 0; k < i; k++)
            if (contest_kept_apart(contest, at[k].role, at[k].number, at[i].role, at[i].number))
                return bl_fail(diag, BL_DATA, "round %u: %s %u and %s %u may not meet",
                               meeting->round + 1U, contest_role_name(at[k].role), at[k].number + 1,
                               contest_role_name(at[i].role), at[i].number + 1);
    }
    return BL_OK;
}

/* Checks that each person has one meeting in a round, and that no judge meets an entity twice in a
 * trial. Under a design game_plan_check() does so. */
static enum bl_status check_meeting(const struct contest *contest, const struct meeting *meeting,
                                    struct bl_diag *diag)
{
    const struct schedule *schedule = &contest->schedule;
    unsigned trial = contest_trial_of(contest, meeting->round);
    if (contest_has_design(contest))
        return game_plan_check(contest, meeting, diag);
    for (unsigned i = 0; i < schedule->count; i++) {
        const struct meeting *other = &schedule->meeting[i];
        bool judge = other->judge == meeting->judge, entry = other->entry == meeting->entry;
        bool confederate =
            other->confederate == meeting->confederate && meeting->confederate != PERSON_NOBODY;
        if (other->round == meeting->round && (judge || entry || confederate))
            return bl_fail(diag, BL_DATA, "round %u: somebody is booked twice",
                           meeting->round + 1U);
        if (judge && entry && contest_trial_of(contest, other->round) == trial)
            return bl_fail(diag, BL_DATA, "round %u: judge %u has met this entity in round %u",
                           meeting->round + 1U, meeting->judge + 1U, other->round + 1U);
    }
    return BL_OK;
}

/* Keeps the begun rounds and takes the rest from the act. */
enum bl_status act_schedule(struct contest *contest, const struct act_body *body,
                            struct bl_diag *diag)
{
    const struct act_schedule *act = &body->schedule;
    struct schedule *schedule = &contest->schedule;
    enum bl_status status = BL_OK;
    unsigned kept = 0;
    if (act->games && (!contest_has_design(contest) || contest->begun ||
                       json_array_size(act->rounds) || (contest->drawn && !act->anew)))
        return bl_fail(diag, BL_DATA,
                       "'games': a design's, before its first round, without 'rounds'");
    if (act->anew && contest->draws == CONTEST_DRAWS)
        return bl_fail(diag, BL_DATA, "there were %d draws already", CONTEST_DRAWS);
    while (kept < schedule->count && schedule->meeting[kept].round < contest->begun)
        kept++;
    schedule->count = kept;
    schedule->rounds = contest->begun;
    schedule->judges = contest->people[CONTEST_JUDGE];
    schedule->entries = contest->people[CONTEST_ENTRY];
    schedule->confederates = contest->people[CONTEST_CONFEDERATE];
    for (size_t r = 0; r < json_array_size(act->rounds) && status == BL_OK; r++) {
        const json_t *round = json_array_get(act->rounds, r);
        if (schedule->rounds == SCHEDULE_MEETINGS_MAX)
            return bl_fail(diag, BL_DATA, "more than %d rounds", SCHEDULE_MEETINGS_MAX);
        for (size_t m = 0; m < json_array_size(round) && status == BL_OK; m++) {
            struct meeting meeting;
            status =
                read_meeting(contest, json_array_get(round, m), schedule->rounds, &meeting, diag);
            if (status == BL_OK)
                status = contest_check_meeting(contest, &meeting, diag);
            if (status == BL_OK)
                status = check_meeting(contest, &meeting, diag);
            if (status == BL_OK && schedule->count == SCHEDULE_MEETINGS_MAX)
                status = bl_fail(diag, BL_DATA, "more than %d meetings", SCHEDULE_MEETINGS_MAX);
            if (status == BL_OK)
                schedule->meeting[schedule->count++] = meeting;
        }
        schedule->rounds++;
    }
    memset(&schedule->meeting[schedule->count], 0,
           (SCHEDULE_MEETINGS_MAX - schedule->count) * sizeof schedule->meeting[0]);
    if (status == BL_OK && act->order_from)
        status = act_check_number("order_from", act->order_from, contest->begun + 1,
                                  SCHEDULE_MEETINGS_MAX, diag);
    contest->order_from = (unsigned)act->order_from;
    contest->games = 0;
    contest->scheduled_act = contest->now_act;
    contest->scheduled_us = contest->now_us;
    if (contest->drawn && act->anew && !contest->undrawn) {
        contest->undrawn = true;
        contest->committed = false;
    } else if (contest->drawn && !contest->undrawn) {
        draw_keep(contest, true);
    }
    if (status == BL_OK && act->order_from)
        draw_order(contest, schedule, contest->order_from - 1);
    return status == BL_OK && act->games ? game_plan_draw(contest, (unsigned)act->games, diag)
                                         : status;
}

enum bl_status act_commit(struct contest *contest, const struct act_body *body,
                          struct bl_diag *diag)
{
    const struct act_commit *act = &body->commit;
    if ((contest->drawn && !contest->undrawn) || (contest->committed && !act->lost))
        return bl_fail(diag, BL_DATA, "the draw has its commitment already; it cannot be changed");
    for (unsigned i = 0; act->public && i < contest->draws; i++)
        if (strcmp(act->public, contest->past[i].public_name) == 0)
            return bl_fail(diag, BL_DATA,
                           "the public value that was named is known by now: name another one");
    if (contest->committed && (!act->why || !*act->why))
        return bl_fail(diag, BL_DATA, "'why': expected a text");
    if (contest->public_name[0] && !act->public)
        return bl_fail(diag, BL_DATA,
                       "the public value that was named may be known by now: name another one");
    if (act->public)
        strcpy(contest->public_name, act->public);
    contest->draw = act->draw ? (unsigned)act->draw : 1;
    contest_bytes(act->commitment, contest->commitment);
    contest->committed = true;
    contest->committed_act = contest->now_act;
    contest->committed_us = contest->now_us;
    return BL_OK;
}

/* Takes the public value named at the commitment, and the person who stated it. */
static enum bl_status take_public(struct contest *contest, const struct act_seed *act,
                                  struct bl_diag *diag)
{
    if (!contest->public_name[0])
        return act->value ? bl_fail(diag, BL_DATA, "no public value was named at the commitment")
                          : BL_OK;
    if (!act->value)
        return bl_fail(diag, BL_DATA,
                       "missing the public value that was named at the commitment: %s",
                       contest->public_name);
    if (!draw_value(contest->public_value, CONTEST_PUBLIC, act->value))
        return bl_fail(diag, BL_DATA, "value '%.40s': expected letters or digits, at most %d bytes",
                       act->value, CONTEST_PUBLIC - 2);
    if (!act->by)
        return bl_fail(diag, BL_DATA, "'by': expected a text");
    strcpy(contest->public_by, act->by);
    return BL_OK;
}

enum bl_status act_seed(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    uint8_t seed[CONTEST_SEED], commitment[ACT_HASH_BYTES];
    enum bl_status status;
    if (!contest->committed)
        return bl_fail(diag, BL_DATA, "the commitment comes before the seed");
    if (contest->drawn && !contest->undrawn)
        return bl_fail(diag, BL_DATA, "the sides are drawn already");
    contest_bytes(body->seed.seed, seed);
    contest_commit(seed, sizeof seed, commitment);
    if (memcmp(commitment, contest->commitment, sizeof commitment) != 0)
        return bl_fail(diag, BL_DATA, "this seed is not the one that was committed to");
    status = take_public(contest, &body->seed, diag);
    if (status != BL_OK)
        return status;
    memcpy(contest->seed, seed, sizeof seed);
    contest->drawn = true;
    contest->undrawn = false;
    draw_keep(contest, false);
    if (contest->order_from)
        draw_order(contest, &contest->schedule,
                   contest->begun < contest->order_from ? contest->order_from - 1 : contest->begun);
    return contest->games ? game_plan_draw(contest, contest->games, diag) : BL_OK;
}

enum bl_status contest_check_round(const struct contest *contest, unsigned round,
                                   struct bl_diag *diag)
{
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *meeting = &contest->schedule.meeting[i];
        struct bl_diag why;
        if (meeting->round == round && contest_check_meeting(contest, meeting, &why))
            return bl_fail(diag, BL_DATA, "%s: contest schedule makes the rounds to come anew",
                           why.text);
    }
    return BL_OK;
}

enum bl_status act_begin(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    const struct act_begin *act = &body->begin;
    enum bl_status status = BL_OK;
    if (act->round != contest->begun + 1 || act->round > contest->schedule.rounds)
        return bl_fail(diag, BL_DATA, "round %" PRId64 " cannot begin: %u of %u have begun",
                       act->round, contest->begun, contest->schedule.rounds);
    if (contest->ruleset.pairing == PAIRING_PAIRS && !contest->drawn)
        return bl_fail(diag, BL_DATA, "the sides are not drawn yet");
    if (contest->order_from && contest->draw != 1 && !contest->drawn)
        return bl_fail(diag, BL_DATA, "the order of the rounds is not drawn yet");
    if (contest->undrawn)
        return bl_fail(diag, BL_DATA,
                       "the rounds to come were scheduled after the draw, and are not drawn anew");
    if (act->present)
        status = contest_check_round(contest, (unsigned)act->round - 1, diag);
    if (status == BL_OK)
        status = dates_check_begin(contest, act->why, diag);
    contest->begun += status == BL_OK;
    return status;
}

/* Long bet II ¶4, ¶5: the next trial, once all the interviews of this one have begun. */
enum bl_status act_trial(struct contest *contest, const struct act_body *body, struct bl_diag *diag)
{
    unsigned rounds = contest->schedule.rounds;
    (void)body;
    if (contest->ruleset.trials_least == 0)
        return bl_fail(diag, BL_DATA, "these rules have no trials");
    if (rounds == contest->trial_from[contest->trials] || contest->begun < rounds)
        return bl_fail(diag, BL_DATA, "trial %u is not over: %u of its %u rounds have begun",
                       contest->trials + 1, contest->begun - contest->trial_from[contest->trials],
                       rounds - contest->trial_from[contest->trials]);
    if (contest->sealed || contest->trials + 1 == RESULT_TRIALS_MAX)
        return bl_fail(diag, BL_DATA, "the contest is sealed, or has %d trials already",
                       RESULT_TRIALS_MAX);
    contest->trial_from[++contest->trials] = (uint16_t)rounds;
    return BL_OK;
}
