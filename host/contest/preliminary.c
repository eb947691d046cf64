/* The sessions of a preliminary round. The turns are an edge colouring of the bipartite graph of
 * judges and Entries: its busiest vertex's number of edges is enough colours (König). */
#include "contest/preliminary.h"

#include <stdio.h>
#include <string.h>

#define NOBODY 0xff

/* The partner of each judge [0] and each Entry [1] in each turn. */
struct turns {
    uint8_t with[2][SCHEDULE_ENTRIES_MAX][SCHEDULE_ENTRIES_MAX];
};

static uint8_t free_turn(const uint8_t with[SCHEDULE_ENTRIES_MAX])
{
    uint8_t turn = 0;
    while (with[turn] != NOBODY)
        turn++;
    return turn;
}

/* Puts a meeting into a turn that is free for the judge. If the Entry has another meeting in that
 * turn, that meeting moves to a turn free for the Entry, and so on along the path of these two
 * turns. */
static void add_meeting(struct turns *turns, uint8_t judge, uint8_t entry)
{
    uint8_t turn = free_turn(turns->with[0][judge]), other = free_turn(turns->with[1][entry]);
    uint8_t x = judge, y = entry;
    bool moved = false;
    for (unsigned side = 0;; side = !side) {
        uint8_t *mine = turns->with[side][x], *theirs = turns->with[!side][y];
        uint8_t displaced = theirs[turn], was = turn;
        mine[turn] = y;
        theirs[turn] = x;
        if (displaced == NOBODY) {
            if (moved)
                theirs[other] = NOBODY;
            return;
        }
        moved = true;
        x = y;
        y = displaced;
        turn = other;
        other = was;
    }
}

/* The Entries that may be in the preliminary round: in 2003 r32 all; in 2004 A8.4, A8.5 those left
 * by the screening. BL_DATA: too few for such a round, or none is known yet. */
static enum bl_status find_entries(const struct contest *contest, bool in[SCHEDULE_ENTRIES_MAX],
                                   struct bl_diag *diag)
{
    const struct ruleset *rules = &contest->ruleset;
    struct selection_input input;
    struct selection selection = {.finalists = 0};
    enum bl_status status = BL_OK;
    unsigned count = 0;
    contest_selection_input(contest, &input);
    if (rules->selection == SELECTION_SCREEN_PRELIM)
        status = selection_make(&selection, &input, NULL, NULL, diag);
    if (status != BL_OK)
        return status;
    for (unsigned e = 0; e < input.entries; e++) {
        in[e] = !input.out[e] && !input.lost[e] &&
                (rules->selection == SELECTION_PRELIM || selection.stage[e] >= STAGE_PRELIM);
        count += in[e];
    }
    if (count > (unsigned)rules->entries_most)
        return BL_OK;
    return bl_fail(diag, BL_DATA, "%u Entries: %s (%s)", count,
                   count ? "all go to the final round, without a preliminary one"
                         : "the screening comes before the preliminary round",
                   ruleset_rule(rules, "selection", "method", count ? 0 : 2).text);
}

static bool meets(const struct contest *contest, const struct preliminary *round, unsigned judge,
                  unsigned entry)
{
    return round->role != CONTEST_PRELIM || !contest->allotted[judge] ||
           contest->allotment[judge][entry];
}

static enum bl_status check_load(const struct contest *contest, unsigned judge, unsigned load,
                                 struct bl_diag *diag)
{
    unsigned most = (unsigned)contest->ruleset.judge_load_most;
    if (!most || load <= most)
        return BL_OK;
    return bl_fail(diag, BL_DATA,
                   "preliminary judge %u has %u Entries; %u is the most (%s): contest allot FILE",
                   judge + 1, load, most,
                   ruleset_rule(&contest->ruleset, "selection", "judge-load-most", 0).text);
}

static enum bl_status add_judge(struct preliminary *round, struct turns *turns,
                                const struct contest *contest, unsigned judge,
                                const bool in[SCHEDULE_ENTRIES_MAX], struct bl_diag *diag)
{
    unsigned load = 0;
    if (contest->person[round->role][judge].withdrawn)
        return BL_OK;
    for (unsigned e = 0; e < contest->people[CONTEST_ENTRY]; e++) {
        if (!in[e] || !meets(contest, round, judge, e))
            continue;
        add_meeting(turns, (uint8_t)judge, (uint8_t)e);
        load++;
    }
    round->judges += load > 0;
    return check_load(contest, judge, load, diag);
}

static void take_turns(struct preliminary *round, const struct turns *turns)
{
    for (unsigned j = 0; j < SCHEDULE_ENTRIES_MAX; j++) {
        for (unsigned t = 0; t < SCHEDULE_ENTRIES_MAX; t++) {
            uint8_t entry = turns->with[0][j][t];
            if (entry == NOBODY)
                continue;
            round->session[round->count++] = (struct preliminary_session){
                .judge = (uint8_t)j, .entry = entry, .turn = (uint8_t)t};
            round->turns = t >= round->turns ? t + 1 : round->turns;
        }
    }
}

enum bl_status preliminary_make(struct preliminary *round, const struct contest *contest,
                                struct bl_diag *diag)
{
    const struct ruleset *rules = &contest->ruleset;
    struct turns turns;
    bool in[SCHEDULE_ENTRIES_MAX] = {false};
    memset(&turns, NOBODY, sizeof turns);
    memset(round, 0, sizeof *round);
    round->role = contest->people[CONTEST_PRELIM] ? CONTEST_PRELIM : CONTEST_JUDGE;
    if (rules->selection != SELECTION_PRELIM && rules->selection != SELECTION_SCREEN_PRELIM)
        return bl_fail(diag, BL_DATA, "the rules of %s have no preliminary round", rules->name);
    if (contest->begun)
        return bl_fail(diag, BL_DATA, "the final round has begun: the preliminary one is over");
    if (rules->selection == SELECTION_PRELIM && round->role != CONTEST_PRELIM)
        return bl_fail(diag, BL_DATA,
                       "there is no judge of the preliminary round (%s): contest add FILE "
                       "preliminary NAME",
                       ruleset_rule(rules, "selection", "method", 1).text);
    if (contest->people[round->role] > SCHEDULE_ENTRIES_MAX)
        return bl_fail(diag, BL_DATA,
                       "%u judges: a preliminary round has %d at most: contest add FILE "
                       "preliminary NAME",
                       contest->people[round->role], SCHEDULE_ENTRIES_MAX);
    enum bl_status status = find_entries(contest, in, diag);
    for (unsigned j = 0; j < contest->people[round->role] && status == BL_OK; j++)
        status = add_judge(round, &turns, contest, j, in, diag);
    if (status == BL_OK && !round->judges)
        status = bl_fail(diag, BL_DATA,
                         "no judge is there for the preliminary round: contest add "
                         "FILE preliminary NAME");
    if (status == BL_OK)
        take_turns(round, &turns);
    return status;
}

enum bl_status preliminary_seat(struct preliminary *round, const struct venue *venue,
                                struct bl_diag *diag)
{
    unsigned booths = venue_booths(venue), seated = 0;
    if (!booths)
        return bl_fail(diag, BL_DATA,
                       "the venue's [machines] booth1.judge-a and booth1.entity-a are missing");
    for (unsigned i = 0; i < round->count; i++) {
        struct preliminary_session *session = &round->session[i];
        seated += i > 0 && session->judge != round->session[i - 1].judge;
        session->booth = (uint8_t)(seated % booths);
        session->order = (uint16_t)(seated / booths * round->turns + session->turn);
    }
    return BL_OK;
}

void preliminary_name(const struct preliminary *round, const struct preliminary_session *session,
                      unsigned time, char out[CONTEST_SESSION_MAX])
{
    int length =
        snprintf(out, CONTEST_SESSION_MAX, "%c%u-e%u", round->role == CONTEST_PRELIM ? 'p' : 'j',
                 session->judge + 1U, session->entry + 1U);
    if (time > 1)
        snprintf(out + length, CONTEST_SESSION_MAX - (size_t)length, "-%u", time);
}

bool preliminary_has_name(const char *name)
{
    unsigned judge, entry, time;
    int length = 0, more = 0;
    if ((name[0] != 'p' && name[0] != 'j') ||
        sscanf(name + 1, "%2u-e%2u%n", &judge, &entry, &length) != 2)
        return false;
    if (name[1 + length] == '-' && sscanf(name + 1 + length, "-%2u%n", &time, &more) == 1)
        length += more;
    return !name[1 + length];
}
