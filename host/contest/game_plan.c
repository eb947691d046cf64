#include "contest/game_plan.h"

#include "contest/draw.h"
#include "rules/games.h"

#include <stdlib.h>
#include <string.h>

/* The people of a role in the contest: their numbers, and a set as in struct contest. */
struct there {
    unsigned count;
    person_number number[SCHEDULE_PEOPLE_MAX];
    uint64_t set[CONTEST_SET];
};

static void find_there(struct there *there, const struct contest *contest, enum contest_role role)
{
    memset(there, 0, sizeof *there);
    for (unsigned i = 0; i < contest->people[role]; i++)
        if (role == CONTEST_ENTRY ? contest_has_entry(contest, i)
                                  : !contest->person[role][i].withdrawn) {
            there->number[there->count++] = (person_number)i;
            there->set[i / 64] |= UINT64_C(1) << i % 64;
        }
}

static void take_games(struct schedule *schedule, const struct games *games,
                       const struct there *people, const struct there *entries)
{
    memset(schedule->meeting, 0, sizeof schedule->meeting);
    schedule->count = games->count;
    schedule->rounds = games->rounds;
    for (unsigned i = 0; i < games->count; i++) {
        const struct game *game = &games->game[i];
        schedule->meeting[i] = (struct meeting){.round = game->round,
                                                .judge = people->number[game->judge],
                                                .entry = entries->number[game->condition],
                                                .confederate = people->number[game->confederate]};
    }
}

enum bl_status game_plan_draw(struct contest *contest, unsigned booths, struct bl_diag *diag)
{
    struct there people, entries;
    struct games_need need = {.each = games_design(contest->ruleset.design), .booths = booths};
    struct games *games = malloc(sizeof *games);
    enum bl_status status = games ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    _Static_assert(CONTEST_SEED == GAMES_KEY, "the key of the draw");
    find_there(&people, contest, CONTEST_JUDGE);
    find_there(&entries, contest, CONTEST_ENTRY);
    memcpy(contest->games_people, people.set, sizeof people.set);
    memcpy(contest->games_entries, entries.set, sizeof entries.set);
    need.people = people.count;
    need.conditions = entries.count;
    if (contest->drawn && !contest->undrawn)
        draw_key(contest, 0, need.key);
    if (status == BL_OK)
        status = games_draw(games, &need, diag);
    if (status == BL_OK && games->count > SCHEDULE_MEETINGS_MAX)
        status = bl_fail(diag, BL_DATA, "%u game%s: a contest's file keeps %d at most",
                         games->count, BL_S(games->count), SCHEDULE_MEETINGS_MAX);
    if (status == BL_OK && games->rounds > SCHEDULE_ROUNDS_MAX && !contest->replays)
        status = bl_fail(diag, BL_DATA, "%u rounds: a contest has %d at most; take more booths",
                         games->rounds, SCHEDULE_ROUNDS_MAX);
    if (status == BL_OK)
        take_games(&contest->schedule, games, &people, &entries);
    contest->games = booths;
    free(games);
    return status;
}

/* Keeps the games of the rounds to come, the first of them number 0, whose people may still
 * meet. */
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
    unsigned booths = planned->booths ? planned->booths : contest->games;
    struct there people, entries;
    *planned = (struct contest_planned){.booths = booths};
    find_there(&people, contest, CONTEST_JUDGE);
    find_there(&entries, contest, CONTEST_ENTRY);
    if (contest->begun == 0 &&
        (!contest->schedule.count || memcmp(people.set, contest->games_people, sizeof people.set) ||
         memcmp(entries.set, contest->games_entries, sizeof entries.set) ||
         (contest->games && booths != contest->games))) {
        struct contest *with = contest_create();
        enum bl_status status =
            !with     ? bl_fail(diag, BL_NOMEM, "no memory")
            : !booths ? bl_fail(diag, BL_USAGE,
                                "missing --booths N: under this design so many games are held at "
                                "once")
                      : BL_OK;
        if (status == BL_OK) {
            contest_assign(with, contest);
            status = game_plan_draw(with, booths, diag);
            *rest = with->schedule;
        }
        contest_destroy(with);
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
