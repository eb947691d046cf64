#include "contest/game_plan.h"

#include "contest/draw.h"
#include "rules/games.h"

#include <stdlib.h>
#include <string.h>

/* Lists the numbers of a role's people in the contest, also as a set. */
static unsigned list_there(const struct contest *contest, enum contest_role role,
                           uint8_t number[SCHEDULE_PEOPLE_MAX], uint64_t *set)
{
    unsigned count = 0;
    *set = 0;
    for (unsigned i = 0; i < contest->people[role]; i++)
        if (role == CONTEST_ENTRY ? contest_has_entry(contest, i)
                                  : !contest->person[role][i].withdrawn) {
            number[count++] = (uint8_t)i;
            *set |= UINT64_C(1) << i;
        }
    return count;
}

static void take_games(struct schedule *schedule, const struct games *games,
                       const uint8_t person[SCHEDULE_PEOPLE_MAX],
                       const uint8_t entry[SCHEDULE_PEOPLE_MAX])
{
    schedule->count = games->count;
    schedule->rounds = games->rounds;
    for (unsigned i = 0; i < games->count; i++) {
        const struct game *game = &games->game[i];
        schedule->meeting[i] = (struct meeting){.round = game->round,
                                                .judge = person[game->judge],
                                                .entry = entry[game->condition],
                                                .confederate = person[game->confederate]};
    }
}

enum bl_status game_plan_draw(struct contest *contest, unsigned booths, struct bl_diag *diag)
{
    uint8_t person[SCHEDULE_PEOPLE_MAX], entry[SCHEDULE_PEOPLE_MAX];
    struct games_need need = {.each = games_design(contest->ruleset.design), .booths = booths};
    struct games *games = malloc(sizeof *games);
    enum bl_status status = games ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    _Static_assert(CONTEST_SEED == GAMES_KEY, "the key of the draw");
    need.people = list_there(contest, CONTEST_JUDGE, person, &contest->games_people);
    need.conditions = list_there(contest, CONTEST_ENTRY, entry, &contest->games_entries);
    if (contest->drawn && !contest->undrawn)
        draw_key(contest, 0, need.key);
    if (status == BL_OK)
        status = games_draw(games, &need, diag);
    if (status == BL_OK && games->count > SCHEDULE_MEETINGS_MAX)
        status = bl_fail(diag, BL_DATA, "%u game%s: a contest's file keeps %d at most",
                         games->count, BL_S(games->count), SCHEDULE_MEETINGS_MAX);
    if (status == BL_OK)
        take_games(&contest->schedule, games, person, entry);
    contest->games = booths;
    free(games);
    return status;
}

/* The games of the rounds to come, the first of them number 0, in which all may still meet. */
static void keep_games(const struct contest *contest, struct schedule *rest)
{
    unsigned last = 0; /* the round of the last kept game, from 1 */
    struct bl_diag why;
    memset(rest, 0, sizeof *rest);
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        struct meeting meeting = contest->schedule.meeting[i];
        if (meeting.round < contest->begun || contest_check_meeting(contest, &meeting, &why))
            continue;
        rest->rounds += meeting.round + 1U != last;
        last = meeting.round + 1U;
        meeting.round = (uint16_t)(rest->rounds - 1);
        rest->meeting[rest->count++] = meeting;
    }
}

static unsigned to_come(const struct contest *contest)
{
    unsigned count = 0;
    for (unsigned i = 0; i < contest->schedule.count; i++)
        count += contest->schedule.meeting[i].round >= contest->begun;
    return count;
}

enum bl_status game_plan(const struct contest *contest, struct schedule *rest,
                         struct contest_planned *planned, struct bl_diag *diag)
{
    uint8_t number[SCHEDULE_PEOPLE_MAX];
    unsigned booths = planned->booths ? planned->booths : contest->games;
    uint64_t people, entries;
    *planned = (struct contest_planned){.booths = booths};
    list_there(contest, CONTEST_JUDGE, number, &people);
    list_there(contest, CONTEST_ENTRY, number, &entries);
    if (contest->begun == 0 &&
        (!contest->schedule.count || people != contest->games_people ||
         entries != contest->games_entries || (contest->games && booths != contest->games))) {
        struct contest *with = malloc(sizeof *with);
        enum bl_status status =
            !with     ? bl_fail(diag, BL_NOMEM, "no memory")
            : !booths ? bl_fail(diag, BL_USAGE,
                                "missing --booths N: under this design so many games are held at "
                                "once")
                      : BL_OK;
        if (status == BL_OK) {
            memcpy(with, contest, sizeof *with);
            status = game_plan_draw(with, booths, diag);
            *rest = with->schedule;
        }
        free(with);
        planned->games = planned->changed = status == BL_OK;
        return status;
    }
    *rest = contest->schedule;
    if (contest->drawn && !contest->undrawn) /* before the draw the games are provisional */
        keep_games(contest, rest);
    planned->changed = contest->drawn && !contest->undrawn && rest->count != to_come(contest);
    return BL_OK;
}

static bool has(const struct meeting *meeting, unsigned person)
{
    return meeting->judge == person || meeting->confederate == person;
}

enum bl_status game_plan_check(const struct contest *contest, const struct meeting *meeting,
                               struct bl_diag *diag)
{
    if (meeting->judge == meeting->confederate)
        return bl_fail(diag, BL_DATA, "round %u: J%u meets himself", meeting->round + 1U,
                       meeting->judge + 1U);
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        const struct meeting *other = &contest->schedule.meeting[i];
        bool judge = has(other, meeting->judge), confederate = has(other, meeting->confederate);
        if (other->round == meeting->round && (judge || confederate))
            return bl_fail(diag, BL_DATA, "round %u: somebody is booked twice",
                           meeting->round + 1U);
        if (judge && confederate)
            return bl_fail(diag, BL_DATA, "round %u: J%u and J%u have met in round %u",
                           meeting->round + 1U, meeting->judge + 1U, meeting->confederate + 1U,
                           other->round + 1U);
    }
    return BL_OK;
}
