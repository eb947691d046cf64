/* Makes schedules. Players get numbers without gaps. The schedule comes from the printed table,
 * from a pair of orthogonal squares, or from a search whose answer is proven if possible. */
#include "rules/model.h"
#include "rules/schedule.h"
#include "rules/search.h"
#include "rules/square.h"

#include <stdlib.h>
#include <string.h>

#define KINDS SEARCH_KINDS

/* Number of rounds above the least that are tried for more wishes. */
#define ROUNDS_MORE       1
#define ROUNDS_MORE_APART 3 /* value if people are kept apart */
#define ROUNDS_MORE_SMALL 8 /* value if no kind has more than SMALL people: all can be proven */
#define SMALL             4 /* people of each kind */

/* The players; the index is the number without gaps. */
struct players {
    unsigned count[KINDS];
    person_number who[KINDS][SCHEDULE_PEOPLE_MAX];
};

static void add_player(struct players *players, unsigned kind, unsigned who)
{
    players->who[kind][players->count[kind]++] = (person_number)who;
}

static void find_players(struct players *players, const struct schedule_need *need)
{
    unsigned entries = need->single ? need->entries + need->confederates : need->entries;
    memset(players, 0, sizeof *players);
    for (unsigned j = 0; j < need->judges; j++) {
        bool plays = false;
        for (unsigned e = 0; e < entries; e++)
            plays = plays || need->entry_for_judge[j][e];
        if (plays)
            add_player(players, SEARCH_JUDGE, j);
    }
    for (unsigned e = 0; e < entries; e++) {
        bool plays = false;
        for (unsigned j = 0; j < need->judges; j++)
            plays = plays || need->entry_for_judge[j][e];
        if (plays)
            add_player(players, SEARCH_ENTRY, e);
    }
    for (unsigned c = 0; c < need->confederates && !need->single; c++)
        if (!need->absent[c])
            add_player(players, SEARCH_CONFEDERATE, c);
}

static void renumber(struct schedule_need *out, const struct schedule_need *need,
                     const struct players *players)
{
    const person_number *judge = players->who[SEARCH_JUDGE], *entry = players->who[SEARCH_ENTRY];
    memset(out, 0, sizeof *out);
    out->judges = players->count[SEARCH_JUDGE];
    out->entries = players->count[SEARCH_ENTRY];
    out->confederates = players->count[SEARCH_CONFEDERATE];
    for (unsigned j = 0; j < out->judges; j++)
        for (unsigned e = 0; e < out->entries; e++)
            out->entry_for_judge[j][e] = need->entry_for_judge[judge[j]][entry[e]];
    for (unsigned i = 0; i < out->confederates; i++) {
        unsigned c = players->who[SEARCH_CONFEDERATE][i];
        out->load[i] = need->load[c];
        for (unsigned j = 0; j < out->judges; j++) {
            out->apart_judge[j][i] = need->apart_judge[judge[j]][c];
            out->judge_met[j][i] = need->judge_met[judge[j]][c];
        }
        for (unsigned e = 0; e < out->entries; e++) {
            out->apart_entry[e][i] = need->apart_entry[entry[e]][c];
            out->entry_met[e][i] = need->entry_met[entry[e]][c];
        }
    }
}

/* True if everybody shall meet everybody, and nobody has met or is kept apart, as when a contest
 * begins. */
static bool is_whole(const struct schedule_need *need)
{
    for (unsigned j = 0; j < need->judges; j++)
        for (unsigned e = 0; e < need->entries; e++)
            if (!need->entry_for_judge[j][e])
                return false;
    for (unsigned c = 0; c < need->confederates; c++) {
        if (need->load[c])
            return false;
        for (unsigned j = 0; j < need->judges; j++)
            if (need->apart_judge[j][c] || need->judge_met[j][c])
                return false;
        for (unsigned e = 0; e < need->entries; e++)
            if (need->apart_entry[e][c] || need->entry_met[e][c])
                return false;
    }
    return true;
}

static bool is_apart(const struct schedule_need *need)
{
    for (unsigned c = 0; c < need->confederates; c++) {
        for (unsigned j = 0; j < need->judges; j++)
            if (need->apart_judge[j][c])
                return true;
        for (unsigned e = 0; e < need->entries; e++)
            if (need->apart_entry[e][c])
                return true;
    }
    return false;
}

static void count_unmet(struct schedule_bound *bound, const struct schedule_need *need,
                        const struct players *players)
{
    for (unsigned j = 0; j < need->judges; j++) {
        for (unsigned e = 0; e < need->entries; e++) {
            bool can = !need->entry_for_judge[j][e];
            for (unsigned c = 0; c < need->confederates; c++)
                can = can || (!need->apart_judge[j][c] && !need->apart_entry[e][c]);
            if (can || bound->unmet++)
                continue;
            bound->first_unmet[0] = players->who[SEARCH_JUDGE][j];
            bound->first_unmet[1] = players->who[SEARCH_ENTRY][e];
        }
    }
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* A lower bound of rounds: the most pairs of one person; or, for a set of confederates, the number
 * of pairs that need one of the set, divided by the set's size. */
static unsigned rounds_least(const struct search_task *task)
{
    unsigned least = 0;
    uint64_t last = 0;
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned i = 0; i < task->people[kind]; i++)
            least = larger(least, task->degree[kind][i]);
    for (unsigned p = 0; p <= task->pairs; p++) {
        uint64_t set = p < task->pairs ? task->pair[p].may : task->there;
        unsigned pairs = 0, size = (unsigned)__builtin_popcountll(set);
        if (set == last)
            continue;
        last = set;
        for (unsigned i = 0; i < task->pairs; i++)
            pairs += (task->pair[i].may & ~set) == 0;
        least = larger(least, (pairs + size - 1) / size);
    }
    return least;
}

/* A lower bound of open wishes: a person with fewer meetings than possible confederates cannot meet
 * them all. */
static unsigned missing_counted(const struct search_task *task)
{
    unsigned missing = 0;
    for (unsigned kind = 0; kind < 2; kind++) {
        for (unsigned i = 0; i < task->people[kind]; i++) {
            unsigned open = 0;
            for (unsigned c = 0; c < task->people[SEARCH_CONFEDERATE]; c++)
                open += (task->allowed[kind][i] >> c & 1) && task->before[kind][i][c] == 0;
            missing += open > task->degree[kind][i] ? open - task->degree[kind][i] : 0;
        }
    }
    return missing;
}

static bool is_small(const struct search_task *task)
{
    bool small = true;
    for (unsigned kind = 0; kind < KINDS; kind++)
        small = small && task->people[kind] <= SMALL;
    return small;
}

struct solving {
    struct search_task task;
    struct search_answer best, found;
    struct schedule_bound *bound;
    bool proven_missing;
};

/* Takes the found answer if it is the first, or leaves fewer wishes open. */
static void take_found(struct solving *s)
{
    const struct search_cost *found = &s->found.cost, *best = &s->best.cost;
    if (s->best.rounds == 0 || found->missing < best->missing)
        s->best = s->found;
}

/* Searches with more and more rounds, until no more wishes can be met, or `more` rounds were
 * tried. */
static enum bl_status seek(struct solving *s, unsigned more, struct bl_diag *diag)
{
    struct schedule_bound *bound = s->bound;
    if (s->task.people[SEARCH_JUDGE] > SCHEDULE_ENTRIES_MAX) {
        return search_fill(&s->best, &s->task, bound->rounds_least)
                   ? BL_OK
                   : bl_fail(diag, BL_DATA, "no schedule of %d rounds or fewer was found",
                             SCHEDULE_MEETINGS_MAX);
    }
    for (unsigned rounds = bound->rounds_least;; rounds++) {
        if (search_seats(&s->found, &s->task, rounds,
                         (struct search_cost){bound->missing_least, 0}))
            take_found(s);
        if (s->best.rounds == 0)
            continue;
        if (s->best.cost.missing > bound->missing_least && !s->proven_missing) {
            unsigned least;
            enum bl_status status = model_missing_least(&least, &s->task, diag);
            if (status != BL_OK)
                return status;
            bound->missing_least = larger(bound->missing_least, least);
            s->proven_missing = true;
        }
        if (s->best.cost.missing <= bound->missing_least || rounds >= bound->rounds_least + more ||
            rounds >= s->task.pairs)
            return BL_OK;
    }
}

/* Proves the answer best, or improves it. Also tries one round more than the answer has, within the
 * rounds of seek(): more rounds may leave fewer wishes open. */
static enum bl_status prove(struct solving *s, unsigned more, struct bl_diag *diag)
{
    struct schedule_bound *bound = s->bound;
    enum model_verdict verdict = MODEL_UNKNOWN;
    enum bl_status status = BL_OK;
    unsigned rounds = s->best.rounds;
    bool full = s->best.cost.missing == bound->missing_least;
    if (full && rounds == bound->rounds_least && s->best.cost.uneven == 0)
        verdict = MODEL_BEST;
    else
        status =
            model_improve(&s->best, &verdict, &s->task, bound->rounds_least,
                          full || rounds >= bound->rounds_least + more ? rounds : rounds + 1, diag);
    bound->best = verdict == MODEL_BEST && (full || s->best.cost.missing == bound->missing_least);
    return status;
}

static void add_meetings(struct schedule *schedule, const struct search_task *task,
                         const struct search_answer *answer)
{
    schedule->rounds = answer->rounds;
    schedule->count = task->pairs;
    for (unsigned p = 0; p < task->pairs; p++)
        schedule->meeting[p] = (struct meeting){
            .round = answer->round[p],
            .judge = task->pair[p].who[SEARCH_JUDGE],
            .entry = task->pair[p].who[SEARCH_ENTRY],
            .confederate = answer->confederate[p],
        };
}

static enum bl_status solve(struct schedule *schedule, const struct schedule_need *need,
                            struct schedule_bound *bound, struct bl_diag *diag)
{
    struct solving *s = calloc(1, sizeof *s);
    enum bl_status status;
    unsigned more;
    if (!s)
        return bl_fail(diag, BL_NOMEM, "no memory");
    s->bound = bound;
    search_task_make(&s->task, need);
    if (s->task.pairs == 0) {
        free(s);
        return bl_fail(diag, BL_DATA,
                       "too many are kept apart: no judge and Entry have a confederate who may "
                       "meet both");
    }
    bound->rounds_least = rounds_least(&s->task);
    bound->missing_least = missing_counted(&s->task);
    bound->apart = is_apart(need);
    more = is_small(&s->task) ? ROUNDS_MORE_SMALL : bound->apart ? ROUNDS_MORE_APART : ROUNDS_MORE;
    status = seek(s, more, diag);
    if (status == BL_OK)
        status = prove(s, more, diag);
    bound->missing = s->best.cost.missing;
    bound->uneven = s->best.cost.uneven;
    if (status == BL_OK)
        add_meetings(schedule, &s->task, &s->best);
    free(s);
    return status;
}

/* Schedules entities that are met singly: each judge starts one candidate later and takes the
 * candidates in order. If not all pairs shall meet, uses the fewest possible rounds (Koenig
 * 1916). */
static enum bl_status make_single(struct schedule *schedule, const struct schedule_need *need,
                                  struct schedule_bound *bound, struct bl_diag *diag)
{
    struct solving *s = calloc(1, sizeof *s);
    if (!s)
        return bl_fail(diag, BL_NOMEM, "no memory");
    struct schedule_need *all = malloc(sizeof *all);
    if (!all) {
        free(s);
        return bl_fail(diag, BL_NOMEM, "no memory");
    }
    *all = *need;
    all->confederates = 1; /* a stand-in: the pairs count */
    search_task_make(&s->task, all);
    s->best.rounds = larger(need->judges, need->entries);
    for (unsigned p = 0; p < s->task.pairs; p++)
        s->best.round[p] =
            (uint16_t)((s->task.pair[p].who[1] + s->best.rounds - s->task.pair[p].who[0]) %
                       s->best.rounds);
    if (!is_whole(need))
        s->best.rounds = search_rounds(s->best.round, &s->task);
    memset(s->best.confederate, 0xff, sizeof s->best.confederate);
    add_meetings(schedule, &s->task, &s->best);
    bound->rounds_least = s->best.rounds;
    bound->best = true;
    free(all);
    free(s);
    return BL_OK;
}

static void add(struct schedule *schedule, unsigned round, unsigned judge, unsigned entry,
                unsigned confederate)
{
    schedule->meeting[schedule->count++] = (struct meeting){
        .round = (uint16_t)round,
        .judge = (person_number)judge,
        .entry = (person_number)entry,
        .confederate = (person_number)confederate,
    };
}

static void add_squares(struct schedule *schedule, const uint8_t *round, const uint8_t *confederate,
                        unsigned order, unsigned stride)
{
    for (unsigned r = 0; r < schedule->rounds; r++)
        for (unsigned i = 0; i < order; i++)
            for (unsigned j = 0; j < order; j++)
                if (round[i * stride + j] == r)
                    add(schedule, r, i, j, confederate[i * stride + j]);
}

/* For orders 2 and 6, which have no orthogonal squares: a square of confederates, and a square of
 * rounds in which no round has a row, a column or a confederate twice. A search found them. */
static void add_two(struct schedule *schedule)
{
    static const uint8_t round[] = {0, 1, 2, 3}, confederate[] = {0, 1, 1, 0};
    add_squares(schedule, round, confederate, 2, 2);
}

static void add_six(struct schedule *schedule)
{
    static const uint8_t round[] = {
        0, 1, 2, 3, 4, 5, /**/ 1, 2, 3, 4, 5, 0, /**/ 5, 4, 6, 0, 2, 1, /**/
        3, 5, 4, 6, 0, 2, /**/ 4, 0, 1, 5, 3, 6, /**/ 2, 3, 0, 1, 6, 4,
    };
    static const uint8_t confederate[] = {
        0, 2, 3, 5, 1, 4, /**/ 3, 4, 0, 2, 5, 1, /**/ 1, 0, 4, 3, 2, 5, /**/
        2, 3, 5, 1, 4, 0, /**/ 4, 5, 1, 0, 3, 2, /**/ 5, 1, 2, 4, 0, 3,
    };
    add_squares(schedule, round, confederate, 6, 6);
}

static unsigned square_rounds(unsigned size)
{
    return size == 2 ? 4 : size == 6 ? 7 : size;
}

static enum bl_status make_square(struct schedule *schedule, unsigned size, struct bl_diag *diag)
{
    static struct square round, confederate;
    schedule->rounds = square_rounds(size);
    if (size == 2)
        add_two(schedule);
    else if (size == 6)
        add_six(schedule);
    else if (square_pair(&round, &confederate, size))
        add_squares(schedule, round.cell[0], confederate.cell[0], size, SQUARE_ORDER_MAX);
    else
        return bl_fail(diag, BL_SOFTWARE, "no squares of order %u", size);
    return BL_OK;
}

static enum bl_status make(struct schedule *schedule, const struct schedule_need *need,
                           const struct schedule *printed, struct schedule_bound *bound,
                           struct bl_diag *diag)
{
    unsigned size = need->judges;
    bool equal = size == need->entries && size == need->confederates && is_whole(need);
    if (equal && printed && printed->count && printed->judges == size && printed->entries == size &&
        printed->confederates == size) {
        bound->way = SCHEDULE_PRINTED;
        bound->rounds_least = square_rounds(size);
        *schedule = *printed;
        return BL_OK;
    }
    if (equal) {
        bound->way = SCHEDULE_SQUARE;
        bound->rounds_least = square_rounds(size);
        bound->best = true;
        return make_square(schedule, size, diag);
    }
    return solve(schedule, need, bound, diag);
}

static void number_back(struct schedule *schedule, const struct schedule_need *need,
                        const struct players *players)
{
    schedule->judges = need->judges;
    schedule->entries = need->entries;
    schedule->confederates = need->confederates;
    for (unsigned i = 0; i < schedule->count; i++) {
        struct meeting *meeting = &schedule->meeting[i];
        meeting->judge = players->who[SEARCH_JUDGE][meeting->judge];
        meeting->entry = players->who[SEARCH_ENTRY][meeting->entry];
        if (!need->single)
            meeting->confederate = players->who[SEARCH_CONFEDERATE][meeting->confederate];
    }
}

static enum bl_status check_numbers(const struct schedule_need *need, struct bl_diag *diag)
{
    unsigned most = SCHEDULE_ENTRIES_MAX, meetings = 0;
    if (need->judges > SCHEDULE_PEOPLE_MAX || need->entries > most || need->confederates > most)
        return bl_fail(diag, BL_DATA,
                       "more than %d judges, or more than %u Entries or confederates",
                       SCHEDULE_PEOPLE_MAX, most);
    if (need->single && need->entries + need->confederates > most)
        return bl_fail(diag, BL_DATA, "%u Entries and %u confederates are more than %u together",
                       need->entries, need->confederates, most);
    for (unsigned j = 0; j < need->judges; j++)
        for (unsigned e = 0; e < most; e++)
            meetings += need->entry_for_judge[j][e];
    if (meetings > SCHEDULE_MEETINGS_MAX)
        return bl_fail(diag, BL_DATA, "%u meetings: a contest has %d at most", meetings,
                       SCHEDULE_MEETINGS_MAX);
    return BL_OK;
}

static enum bl_status check_players(const struct schedule_need *need, const struct players *players,
                                    struct bl_diag *diag)
{
    if (players->count[SEARCH_JUDGE] && (need->single || players->count[SEARCH_CONFEDERATE]))
        return BL_OK;
    if (need->single)
        return bl_fail(diag, BL_DATA, "nobody is left to meet: of %u judge%s and %u candidate%s",
                       need->judges, BL_S(need->judges), need->entries + need->confederates,
                       BL_S(need->entries + need->confederates));
    return bl_fail(diag, BL_DATA,
                   "nobody is left to meet: expected a judge, an Entry and a confederate at least; "
                   "there are %u, %u and %u",
                   players->count[SEARCH_JUDGE], players->count[SEARCH_ENTRY],
                   players->count[SEARCH_CONFEDERATE]);
}

enum bl_status schedule_make(struct schedule *schedule, const struct schedule_need *need,
                             const struct schedule *printed, struct schedule_bound *bound,
                             struct bl_diag *diag)
{
    struct players players;
    struct schedule_need *playing;
    enum bl_status status = check_numbers(need, diag);
    memset(schedule, 0, sizeof *schedule);
    *bound = (struct schedule_bound){.way = need->single ? SCHEDULE_SINGLE : SCHEDULE_SOLVED};
    if (status != BL_OK)
        return status;
    find_players(&players, need);
    status = check_players(need, &players, diag);
    if (status != BL_OK)
        return status;
    playing = malloc(sizeof *playing);
    if (!playing)
        return bl_fail(diag, BL_NOMEM, "no memory");
    renumber(playing, need, &players);
    if (need->single) {
        status = make_single(schedule, playing, bound, diag);
    } else {
        count_unmet(bound, playing, &players);
        status = make(schedule, playing, printed, bound, diag);
    }
    free(playing);
    if (status == BL_OK && schedule->rounds > SCHEDULE_ROUNDS_MAX)
        status = bl_fail(diag, BL_DATA, "%u rounds: a contest has %d at most", schedule->rounds,
                         SCHEDULE_ROUNDS_MAX);
    if (status != BL_OK)
        return status;
    number_back(schedule, need, &players);
    schedule_sort(schedule);
    if (bound->way == SCHEDULE_SOLVED)
        schedule_order(schedule);
    bound->waits = need->single ? 0 : schedule_waits(schedule);
    return BL_OK;
}

void schedule_wishes(const struct schedule *schedule, const struct schedule_need *need,
                     struct schedule_bound *bound)
{
    static struct search_task task; /* too much for the stack */
    struct search_answer answer = {.rounds = schedule->rounds};
    uint16_t at[SCHEDULE_PEOPLE_MAX][SCHEDULE_ENTRIES_MAX] = {{0}};
    bound->missing = bound->uneven = 0;
    if (need->single)
        return;
    search_task_make(&task, need);
    for (unsigned i = 0; i < schedule->count; i++)
        at[schedule->meeting[i].judge][schedule->meeting[i].entry] = (uint16_t)i;
    for (unsigned p = 0; p < task.pairs; p++) {
        const person_number *who = task.pair[p].who;
        answer.round[p] = schedule->meeting[at[who[0]][who[1]]].round;
        answer.confederate[p] = schedule->meeting[at[who[0]][who[1]]].confederate;
    }
    answer.cost = search_cost_of(&task, &answer);
    bound->missing = answer.cost.missing;
    bound->uneven = answer.cost.uneven;
}
