/* Random contests of every ruleset and size, with a selection, withdrawals, conflicts, substitutes
 * and second thoughts in any order, and what must hold after each new schedule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <jansson.h>

#include "contest/plan.h"
#include "tests/support/acts.h"
#include "tests/support/least.h"
#include "tests/support/random.h"

#define CONTESTS      200
#define CONTESTS_SOAK 10000
#define SMALL         4

static struct schedule rest, before;
static struct contest_planned planned;
static struct schedule_need need;
static unsigned turn; /* number of the contest, for messages */

/* What happened, so that no check passes by never being made. */
static struct {
    unsigned schedules, kept, made, struck, compared, given_up, refused, unchanged;
    double longest_s; /* that a plan took */
    unsigned selected, withdrawn, substituted, undone, disqualified, lost, apart, trials;
} seen;

static const char *const rulesets[] = {"loebner-1996", "loebner-2003", "loebner-2004",
                                       "loebner-2009", "longbet-2002"};

static bool is_single(void)
{
    return contest->ruleset.pairing == PAIRING_SINGLE;
}

/* "entries":[2,5] of those at a stage. */
static const char *entries_at(const struct selection *selection, enum selection_stage stage)
{
    static char list[8 * SCHEDULE_ENTRIES_MAX];
    size_t length = (size_t)sprintf(list, "\"entries\":[");
    unsigned count = 0;
    for (unsigned e = 0; e < contest->people[CONTEST_ENTRY]; e++)
        if (selection->stage[e] == stage)
            length += (size_t)sprintf(list + length, "%s%u", count++ ? "," : "", e + 1);
    strcpy(list + length, "]");
    return list;
}

/* A preliminary judge's list of all Entries, in any order. */
static void give_list(struct dice *dice, unsigned judge)
{
    uint8_t order[SCHEDULE_ENTRIES_MAX];
    char list[8 * SCHEDULE_ENTRIES_MAX];
    size_t length = 0;
    unsigned count = 0;
    for (unsigned e = 0; e < contest->people[CONTEST_ENTRY]; e++)
        if (!contest->person[CONTEST_ENTRY][e].withdrawn)
            order[count++] = (uint8_t)(e + 1);
    for (unsigned i = count; i > 1; i--) {
        unsigned k = (unsigned)dice_below(dice, i);
        uint8_t moved = order[i - 1];
        order[i - 1] = order[k];
        order[k] = moved;
    }
    for (unsigned i = 0; i < count; i++)
        length += (size_t)sprintf(list + length, "%s%u", i ? "," : "", order[i]);
    TAKEN("list", "{\"judge\":%u,\"entries\":[%s]}", judge, list);
}

/* Chosen and taken back at random, which of many equals go on may take thousands of steps to come
 * out as the rules want it: 15,000 were seen. */
#define STEPS_MAX 200000

/* One step nearer to the finalists; whether they are found. */
static bool select_further(struct dice *dice)
{
    struct selection_input input;
    struct selection selection;
    unsigned entries = contest->people[CONTEST_ENTRY], who = (unsigned)dice_below(dice, entries);
    contest_selection_input(contest, &input);
    assert_int_equal(selection_make(&selection, &input, NULL, NULL, &diag), BL_OK);
    switch (selection.outcome) {
    case SELECTION_FINAL:
    case SELECTION_ONLY_ONE:
        TAKEN("final", "{%s}", entries_at(&selection, STAGE_FINAL));
        return true;
    case SELECTION_WANTS_SCREENING:
        for (unsigned e = 0; e < entries; e++)
            TAKEN("screened", "{\"entry\":%u,\"points\":%u}", e + 1,
                  (unsigned)dice_below(dice, 12));
        return false;
    case SELECTION_WANTS_PRELIM:
        for (unsigned i = 1; contest->ruleset.selection == SELECTION_PRELIM && i <= 3; i++) {
            TAKEN("person", "{\"role\":\"preliminary\",\"name\":\"Panel %u\"}", i);
            give_list(dice, i);
        }
        for (unsigned e = 0; contest->ruleset.selection != SELECTION_PRELIM && e < entries; e++)
            TAKEN("prelim", "{\"entry\":%u,\"numerator\":%u,\"denominator\":4}", e + 1,
                  (unsigned)dice_below(dice, 12));
        return false;
    case SELECTION_WANTS_CHOICE: /* one at a time, and back where the rules have no room for it */
        if (apply("choose", "{\"entry\":%u,\"why\":\"a choice\"}", who + 1)) {
            TAKEN("choose", "{\"entry\":%u,\"why\":\"not that one\",\"undo\":true}", who + 1);
            return false; /* where all are chosen, none is */
        }
        contest_selection_input(contest, &input);
        if (selection_make(&selection, &input, NULL, NULL, &diag))
            TAKEN("choose", "{\"entry\":%u,\"why\":\"another\",\"undo\":true}", who + 1);
        return false;
    case SELECTION_NO_ENTRY:
        break;
    }
    fail_msg("contest %u: no Entry", turn);
    return false;
}

static void draw_sides(uint8_t first)
{
    uint8_t seed[CONTEST_SEED] = {first}, commitment[ACT_HASH_BYTES];
    char hex[2 * ACT_HASH_BYTES + 1];
    contest_commit(seed, sizeof seed, commitment);
    contest_hex(commitment, sizeof commitment, hex);
    TAKEN("commit", "{\"commitment\":\"%s\",\"draw\":2}", hex);
    contest_hex(seed, sizeof seed, hex);
    TAKEN("seed", "{\"seed\":\"%s\"}", hex);
}

/* A contest by its acts: people, the draw, and its finalists, where there are more Entries than the
 * rules have room for, and sometimes where there are not. With `room` a venue has rules of its own
 * that have room for all. */
static void make_contest(struct dice *dice, const char *ruleset, const unsigned size[3], bool room)
{
    unsigned entries = size[1];
    if (room)
        begin_with(ruleset, "entries-most = ", "entries-most = 64 ; ");
    else
        begin(ruleset);
    people(size[0], entries, size[2]);
    draw_sides((uint8_t)dice_below(dice, 256));
    if (entries > (unsigned)contest->ruleset.entries_most || dice_below(dice, 3) == 0) {
        unsigned steps = 0;
        while (!select_further(dice))
            assert_true(++steps < STEPS_MAX);
        seen.selected++;
    }
}

static bool is_gone(enum contest_role role, unsigned who)
{
    return role == CONTEST_ENTRY ? !contest_has_entry(contest, who)
                                 : contest->person[role][who].withdrawn;
}

static bool is_apart(enum contest_role a, unsigned i, enum contest_role b, unsigned k)
{
    for (unsigned c = 0; c < contest->conflicts; c++) {
        const struct conflict *x = &contest->conflict[c];
        if ((x->role[0] == a && x->number[0] == i && x->role[1] == b && x->number[1] == k) ||
            (x->role[1] == a && x->number[1] == i && x->role[0] == b && x->number[0] == k))
            return true;
    }
    return false;
}

/* Whether all of a meeting are there and may meet. */
static bool holds(const struct meeting *m)
{
    unsigned entries = contest->people[CONTEST_ENTRY];
    enum contest_role role = m->entry < entries ? CONTEST_ENTRY : CONTEST_CONFEDERATE;
    unsigned who = m->entry - (m->entry < entries ? 0 : entries);
    if (is_gone(CONTEST_JUDGE, m->judge) || is_gone(role, who) ||
        is_apart(CONTEST_JUDGE, m->judge, role, who))
        return false;
    return m->confederate == PERSON_NOBODY ||
           (!is_gone(CONTEST_CONFEDERATE, m->confederate) &&
            !is_apart(CONTEST_JUDGE, m->judge, CONTEST_CONFEDERATE, m->confederate) &&
            !is_apart(CONTEST_ENTRY, m->entry, CONTEST_CONFEDERATE, m->confederate));
}

static bool round_holds(const struct schedule *schedule, unsigned round)
{
    bool any = false;
    for (unsigned i = 0; i < schedule->count; i++) {
        if (schedule->meeting[i].round != round)
            continue;
        if (!holds(&schedule->meeting[i]))
            return false;
        any = true;
    }
    return any;
}

/* Whether a round of the one schedule is one of the other's from `from` on. */
static bool has_round(const struct schedule *in, unsigned from, const struct schedule *of,
                      unsigned round)
{
    for (unsigned r = from; r < in->rounds; r++) {
        unsigned same = 0, here = 0, there = 0;
        for (unsigned i = 0; i < of->count; i++)
            there += of->meeting[i].round == round;
        for (unsigned i = 0; i < in->count; i++) {
            const struct meeting *a = &in->meeting[i];
            if (a->round != r)
                continue;
            here++;
            for (unsigned k = 0; k < of->count; k++) {
                const struct meeting *b = &of->meeting[k];
                same += b->round == round && a->judge == b->judge && a->entry == b->entry &&
                        a->confederate == b->confederate;
            }
        }
        if (same == here && same == there)
            return true;
    }
    return false;
}

/* Nobody in two places, everybody there, each pair once that can be, and nothing else. */
static void check_whole(void)
{
    const struct schedule *s = &contest->schedule;
    unsigned met[SCHEDULE_ENTRIES_MAX][SCHEDULE_ENTRIES_MAX] = {{0}};
    unsigned candidates =
        contest->people[CONTEST_ENTRY] + (is_single() ? contest->people[CONTEST_CONFEDERATE] : 0);
    for (unsigned a = 0; a < s->count; a++) {
        const struct meeting *x = &s->meeting[a];
        if (x->round >= contest->trial_from[contest->trials])
            met[x->judge][x->entry]++;
        assert_true(x->round < contest->begun || holds(x));
        for (unsigned b = 0; b < a; b++) {
            const struct meeting *y = &s->meeting[b];
            if (x->round == y->round &&
                (x->judge == y->judge || x->entry == y->entry ||
                 (x->confederate == y->confederate && x->confederate != PERSON_NOBODY)))
                fail_msg("contest %u: somebody twice in round %u", turn, x->round + 1);
        }
    }
    for (unsigned j = 0; j < contest->people[CONTEST_JUDGE]; j++) {
        for (unsigned e = 0; e < candidates; e++) {
            struct meeting m = {0, (uint8_t)j, (uint8_t)e, PERSON_NOBODY};
            bool can = holds(&m) && is_single();
            for (unsigned c = 0; c < contest->people[CONTEST_CONFEDERATE] && !is_single(); c++) {
                m.confederate = (uint8_t)c;
                can = can || holds(&m);
            }
            if (met[j][e] > 1 || (can && met[j][e] == 0))
                fail_msg("contest %u: judge %u meets %u %u times", turn, j + 1, e + 1, met[j][e]);
        }
    }
}

static void check_begun(void)
{
    const struct schedule *now = &contest->schedule;
    for (unsigned i = 0; i < before.count && before.meeting[i].round < contest->begun; i++)
        assert_memory_equal(&before.meeting[i], &now->meeting[i], sizeof now->meeting[i]);
}

/* Those rounds to come that still hold are there still; returns how many. */
static unsigned check_kept(void)
{
    unsigned kept = 0;
    for (unsigned r = contest->begun; r < before.rounds; r++) {
        if (!round_holds(&before, r))
            continue;
        kept++;
        if (!has_round(&contest->schedule, contest->begun, &before, r))
            fail_msg("contest %u: round %u holds and is gone", turn, r + 1);
    }
    return kept;
}

static void count_met(const struct schedule *from, unsigned round)
{
    for (unsigned i = 0; i < from->count; i++) {
        const struct meeting *m = &from->meeting[i];
        if (m->round != round)
            continue;
        need.entry_for_judge[m->judge][m->entry] = false;
        if (m->confederate == PERSON_NOBODY)
            continue;
        need.judge_met[m->judge][m->confederate]++;
        need.entry_met[m->entry][m->confederate]++;
        need.load[m->confederate]++;
    }
}

/* What was left to plan, once what still holds was kept, and the part of the schedule that has it.
 */
static void find_rest(bool keep)
{
    int last = -1;
    contest_need(contest, &need);
    for (unsigned r = contest->begun; keep && r < before.rounds; r++)
        if (round_holds(&before, r))
            count_met(&before, r);
    memset(&rest, 0, sizeof rest);
    for (unsigned i = 0; i < contest->schedule.count; i++) {
        struct meeting m = contest->schedule.meeting[i];
        if (m.round < contest->begun || !need.entry_for_judge[m.judge][m.entry])
            continue;
        rest.rounds += m.round != last;
        last = m.round;
        rest.meeting[rest.count++] = m;
    }
}

static bool is_rest_small(void)
{
    bool judge[SCHEDULE_ENTRIES_MAX] = {false}, entry[SCHEDULE_ENTRIES_MAX] = {false};
    unsigned judges = 0, entries = 0, confederates = 0;
    for (unsigned i = 0; i < rest.count; i++) {
        judges += !judge[rest.meeting[i].judge];
        entries += !entry[rest.meeting[i].entry];
        judge[rest.meeting[i].judge] = entry[rest.meeting[i].entry] = true;
    }
    for (unsigned c = 0; c < need.confederates; c++)
        confederates += !need.absent[c];
    return judges <= SMALL && entries <= SMALL && confederates <= SMALL;
}

/* As good as the best that there is; above four of each at most a round over the bound. A pair that
 * was struck out of a kept round is not a part of it any more. */
static void check_rest(bool keep)
{
    struct least least, found;
    bool small = contest->people[CONTEST_CONFEDERATE] <= SMALL &&
                 contest->people[CONTEST_JUDGE] <= SMALL && contest->people[CONTEST_ENTRY] <= SMALL;
    find_rest(keep);
    if (rest.count == 0 || planned.bound.way == SCHEDULE_PRINTED)
        return;
    if (is_single() || !small) {
        /* With four of each left to meet the wishes come before the rounds, however many those are.
         */
        if (contest->conflicts == 0 && planned.made && !is_rest_small())
            if (planned.made > planned.bound.rounds_least + 1)
                fail_msg("contest %u: %u new rounds, and %u is the bound", turn, planned.made,
                         planned.bound.rounds_least);
        return;
    }
    if (turn % 6 && !getenv("SOAK"))
        return;
    if (!least_find(&least, &need)) {
        seen.given_up++;
        return;
    }
    found = least_measure(&rest, &need);
    if (found.missing != least.missing || found.rounds != least.rounds ||
        found.uneven != least.uneven)
        fail_msg("contest %u: missing %u, rounds %u, uneven %u; the best: %u, %u, %u", turn,
                 found.missing, found.rounds, found.uneven, least.missing, least.rounds,
                 least.uneven);
    seen.compared++;
}

static void take_plan(void)
{
    const struct act_body act = contest_plan_act(contest, &rest, &planned);
    json_t *body = act_body_write(&act);
    char *text = json_dumps(body, JSON_COMPACT);
    TAKEN("schedule", "%s", text);
    free(text);
    json_decref(body);
    if (contest->undrawn)
        draw_sides((uint8_t)number);
}

static void reschedule(void)
{
    bool keep = contest->begun > contest->trial_from[contest->trials];
    struct timespec from, to;
    before = contest->schedule;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    bool refused = contest_plan(contest, false, &rest, &planned, &diag) != BL_OK;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double took_s = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    seen.longest_s = took_s > seen.longest_s ? took_s : seen.longest_s;
    if (refused) {
        seen.refused++;
        assert_true(strstr(diag.text, "nobody is left") || strstr(diag.text, "kept apart") ||
                    strstr(diag.text, "knows C"));
        return;
    }
    seen.kept += planned.kept;
    seen.made += planned.made;
    if (planned.changed)
        take_plan();
    check_begun();
    if (!planned.changed) {
        assert_int_equal(before.rounds, contest->schedule.rounds);
        seen.unchanged++;
    }
    check_whole();
    seen.schedules++;
    if (keep) {
        unsigned whole = check_kept();
        assert_true(planned.kept >= whole);
        seen.struck += planned.kept > whole;
    }
    check_rest(keep);
    if (turn % 3)
        return;
    /* A second thought with nothing changed changes nothing. */
    before = contest->schedule;
    assert_int_equal(contest_plan(contest, false, &rest, &planned, &diag), BL_OK);
    assert_false(planned.changed);
}

/* Who leaves, if that leaves somebody. */
static void withdraw(struct dice *dice, enum contest_role role)
{
    unsigned who = (unsigned)dice_below(dice, contest->people[role]), there = 0;
    for (unsigned i = 0; i < contest->people[role]; i++)
        there += !is_gone(role, i);
    if (there < 2 || is_gone(role, who))
        return;
    if (role == CONTEST_ENTRY && dice_below(dice, 3) == 0 &&
        contest->ruleset.disqualify != DISQUALIFY_JUDGES) {
        TAKEN("disqualify", "{\"entry\":%u,\"why\":\"not compliant\",\"organiser\":true}", who + 1);
        seen.disqualified++;
        return;
    }
    TAKEN("withdraw", "{\"role\":\"%s\",\"number\":%u,\"why\":\"ill\"}", contest_role_name(role),
          who + 1);
    seen.withdrawn++;
}

/* Somebody else in his place, or beside the others. */
static void substitute(struct dice *dice, enum contest_role role)
{
    unsigned who = (unsigned)dice_below(dice, contest->people[role]);
    if (role == CONTEST_ENTRY || is_gone(role, who) || seen.substituted % 3 == 0) {
        role = role == CONTEST_ENTRY ? CONTEST_CONFEDERATE : role;
        if (contest->people[role] < SCHEDULE_ENTRIES_MAX)
            TAKEN("person", "{\"role\":\"%s\",\"name\":\"More %lld\",\"unknown\":true}",
                  contest_role_name(role), (long long)contest->acts);
    } else if (contest->begun < contest->schedule.rounds) {
        TAKEN("substitute",
              "{\"role\":\"%s\",\"number\":%u,\"name\":\"Substitute %lld\",\"why\":\"ill\","
              "\"unknown\":true}",
              contest_role_name(role), who + 1, (long long)contest->acts);
    }
    seen.substituted++;
}

static void keep_apart(struct dice *dice, enum contest_role role)
{
    enum contest_role other = (enum contest_role)((role + 1 + dice_below(dice, 2)) % 3);
    TAKEN("conflict",
          "{\"role\":\"%s\",\"number\":%u,\"with_role\":\"%s\",\"with_number\":%u,\"why\":\"kin\"}",
          contest_role_name(role), 1 + (unsigned)dice_below(dice, contest->people[role]),
          contest_role_name(other), 1 + (unsigned)dice_below(dice, contest->people[other]));
    seen.apart++;
}

/* What was done is taken back, as far as it can be. */
static void take_back(struct dice *dice, enum contest_role role)
{
    unsigned who = 1 + (unsigned)dice_below(dice, contest->people[role]);
    if (dice_below(dice, 3) == 0)
        seen.undone += apply("undo", "{\"what\":\"begin\",\"why\":\"too early\"}") == BL_OK;
    else if (role == CONTEST_ENTRY && contest->disqualified[who - 1])
        seen.undone += apply("undo", "{\"what\":\"disqualify\",\"entry\":%u,\"why\":\"compliant\"}",
                             who) == BL_OK;
    else
        seen.undone += apply("undo",
                             "{\"what\":\"withdraw\",\"role\":\"%s\",\"number\":%u,"
                             "\"why\":\"well again\"}",
                             contest_role_name(role), who) == BL_OK;
}

/* A finalist is lost before the first round, and the selection made again. */
static void lose_finalist(struct dice *dice)
{
    unsigned who = (unsigned)dice_below(dice, contest->people[CONTEST_ENTRY]), there = 0;
    for (unsigned e = 0; e < contest->people[CONTEST_ENTRY]; e++)
        there += contest_has_entry(contest, e);
    if (!contest->final || contest->begun || there < 2 || !contest_has_entry(contest, who) ||
        contest->ruleset.selection != SELECTION_PRELIM)
        return;
    TAKEN("lose", "{\"entry\":%u,\"why\":\"not adapted\"}", who + 1);
    unsigned steps = 0;
    while (!select_further(dice))
        assert_true(++steps < STEPS_MAX);
    assert_false(contest_has_entry(contest, who));
    seen.lost++;
}

/* The next round begins, if all who meet in it are there and may meet: the act says so too. */
static void begin_round(void)
{
    if (contest->begun == contest->schedule.rounds) {
        if (contest->begun && contest->trials < 2 && apply("trial", "{}") == BL_OK)
            seen.trials++;
        return;
    }
    bool can = round_holds(&contest->schedule, contest->begun);
    assert_int_equal(apply("begin", "{\"round\":%u,\"present\":true}", contest->begun + 1) == BL_OK,
                     can);
}

static void happen(struct dice *dice)
{
    enum contest_role role = (enum contest_role)dice_below(dice, 3);
    switch (dice_below(dice, 12)) {
    case 0:
    case 1:
        withdraw(dice, role);
        break;
    case 2:
    case 3:
        substitute(dice, role);
        break;
    case 4:
        keep_apart(dice, role);
        break;
    case 5:
        take_back(dice, role);
        break;
    case 6:
        lose_finalist(dice);
        break;
    case 7:
    case 8:
        reschedule();
        break;
    default:
        begin_round();
        break;
    }
}

static void test_random_contests(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("random contests"));
    unsigned contests = getenv("SOAK") ? CONTESTS_SOAK : CONTESTS;
    for (turn = 0; turn < contests; turn++) {
        unsigned most = dice_below(&dice, 16) ? SMALL : 9, size[3];
        for (unsigned i = 0; i < 3; i++)
            size[i] = 1 + (unsigned)dice_below(&dice, most);
        make_contest(&dice, rulesets[dice_below(&dice, 5)], size,
                     size[1] > SMALL && dice_below(&dice, 2));
        reschedule();
        for (uint64_t i = 4 + dice_below(&dice, 10); i; i--)
            happen(&dice);
        reschedule();
    }
    print_message("# %u contests: %u schedules, %u unchanged, %u refused; rounds: %u kept, %u new, "
                  "%u times struck out; %u compared with brute force, %u given up\n",
                  contests, seen.schedules, seen.unchanged, seen.refused, seen.kept, seen.made,
                  seen.struck, seen.compared, seen.given_up);
    print_message(
        "# %u selected, %u withdrawn, %u disqualified, %u lost, %u substituted, %u kept apart, "
        "%u taken back, %u trials\n",
        seen.selected, seen.withdrawn, seen.disqualified, seen.lost, seen.substituted, seen.apart,
        seen.undone, seen.trials);
    assert_true(seen.selected > contests / 4 && seen.withdrawn > contests / 4 &&
                seen.substituted > contests / 4 && seen.undone > contests / 20);
    assert_true(contests < CONTESTS_SOAK || (seen.lost > 25 && seen.trials > 25)); /* rare ones */
    assert_true(seen.schedules > 2 * contests && seen.kept > contests / 4 &&
                seen.struck > contests / 40);
    assert_true(seen.compared > contests / 20 && seen.given_up * 10 < seen.compared);
}

/* The same with up to 64 of each kind, where it is about the time that a plan takes. */
static void test_large_contests(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("large contests"));
    unsigned contests = getenv("SOAK") ? 60 : 5;
    for (turn = 0; turn < contests; turn++) {
        bool single = turn % 5 == 4;
        const unsigned most = single ? 32 : SCHEDULE_ENTRIES_MAX;
        unsigned size[3];
        for (unsigned i = 0; i < 3; i++)
            size[i] = most / 4 + (unsigned)dice_below(&dice, most - most / 4 - 4);
        make_contest(&dice, single ? "loebner-2003" : rulesets[2 + turn % 2], size, true);
        reschedule();
        for (unsigned i = 0; i < 6; i++)
            happen(&dice);
        reschedule();
    }
    print_message("# %u contests: the longest plan took %.2f s\n", contests, seen.longest_s);
    assert_true(seen.longest_s < 10 || getenv("EMULATED")); /* an emulator takes what it takes */
}

/* The long bet: each trial is planned anew when the one before is over. */
static void test_trials(void **state)
{
    (void)state;
    begin("longbet-2002");
    people(3, 1, 3);
    for (unsigned trial = 0; trial < 3; trial++) {
        assert_int_equal(contest_plan(contest, false, &rest, &planned, &diag), BL_OK);
        take_plan();
        assert_int_equal(contest->schedule.rounds, 4 * trial + 4);
        assert_int_equal(contest->schedule.count, 12 * trial + 12);
        contest->begun = contest->schedule.rounds;
        assert_int_equal(contest_plan(contest, false, &rest, &planned, &diag), BL_OK);
        assert_false(planned.changed);
        if (trial < 2)
            TAKEN("trial", "{}");
    }
    contest->conflict[contest->conflicts++] =
        (struct conflict){.role = {CONTEST_JUDGE, CONTEST_CONFEDERATE}, .number = {0, 1}};
    assert_int_equal(contest_plan(contest, false, &rest, &planned, &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "J1 knows C2"));
}

/* Rounds by hand, of which the first has begun: judge j meets Entry (j + r) % judges of round r. */
static void write_rounds(unsigned judges, unsigned entries)
{
    struct schedule *s = &contest->schedule;
    contest->people[CONTEST_JUDGE] = judges;
    for (unsigned r = 0; r < judges; r++)
        for (unsigned e = 0; e < entries; e++)
            s->meeting[s->count++] = (struct meeting){
                (uint16_t)r, (person_number)((e + r) % judges), (person_number)e, PERSON_NOBODY};
    s->rounds = judges;
    contest->begun = 1;
}

/* Kept rounds and new ones together: more than the schedule's arrays hold. */
static void test_replanned_beyond_the_limits(void **state)
{
    (void)state;
    begin_with("loebner-2003", "entries-most = ", "entries-most = 64 ; ");
    people(1, 17, 0);
    write_rounds(SCHEDULE_PEOPLE_MAX, 16);
    assert_int_equal(contest_plan(contest, false, &rest, &planned, &diag), BL_DATA);
    assert_string_equal(diag.text, "16983 meetings: a contest has 16384 at most");
    begin_with("loebner-2003", "entries-most = ", "entries-most = 64 ; ");
    people(1, 3, 0);
    write_rounds(600, 2);
    assert_int_equal(contest_plan(contest, false, &rest, &planned, &diag), BL_DATA);
    assert_string_equal(diag.text, "1200 rounds: a contest has 1000 at most");
}

static int tear_down(void **state)
{
    (void)state;
    contest_destroy(contest);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_contests),
        cmocka_unit_test(test_large_contests),
        cmocka_unit_test(test_trials),
        cmocka_unit_test(test_replanned_beyond_the_limits),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
