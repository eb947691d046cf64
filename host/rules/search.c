#include "rules/search.h"

#include "rules/square.h"

#include <math.h>
#include <string.h>

#define NOBODY       SEARCH_NOBODY
#define WISH         1000 /* cost of a wish; higher than any unevenness */
#define SEATS_MOST   3000000
#define STEPS_MOST   10000
#define POLISH_PAIR  1500 /* polishing steps for each pair */
#define POLISH_LEAST 6000
#define EVICT_COST   64 /* factor of an evicted pair's weight, which outranks evenness */
#define NEVER        (UINT32_C(1) << 28)

struct search {
    const struct search_task *task;
    unsigned rounds, waiting;
    bool strict; /* nobody may exceed an even share of meetings with a confederate */
    uint64_t dice;
    uint16_t round[SCHEDULE_MEETINGS_MAX]; /* round of a pair; NOBODY: the pair waits */
    person_number with[SCHEDULE_MEETINGS_MAX];
    uint16_t wait[SCHEDULE_MEETINGS_MAX];
    uint32_t weight[SCHEDULE_MEETINGS_MAX]; /* the difficulty of seating a pair so far */
    uint16_t at[SEARCH_KINDS][SCHEDULE_ENTRIES_MAX][SEARCH_PAIRS_MAX]; /* the pair in a round */
    uint16_t met[2][SCHEDULE_PEOPLE_MAX][SCHEDULE_ENTRIES_MAX];
    uint16_t load[SCHEDULE_ENTRIES_MAX];
};

static bool has(uint64_t set, unsigned member)
{
    return set >> member & 1;
}

static void even_range(struct search_task *task, unsigned kind, unsigned who, unsigned total,
                       unsigned others)
{
    if (others == 0)
        return;
    task->low[kind][who] = (uint16_t)(total / others);
    task->high[kind][who] = (uint16_t)((total + others - 1) / others);
}

static void count_even(struct search_task *task)
{
    unsigned all = task->pairs, there = (unsigned)__builtin_popcountll(task->there);
    for (unsigned kind = 0; kind < 2; kind++) {
        for (unsigned i = 0; i < task->people[kind]; i++) {
            unsigned total = task->degree[kind][i];
            for (unsigned c = 0; c < task->people[SEARCH_CONFEDERATE]; c++)
                total += has(task->allowed[kind][i], c) ? task->before[kind][i][c] : 0;
            even_range(task, kind, i, total,
                       (unsigned)__builtin_popcountll(task->allowed[kind][i]));
        }
    }
    for (unsigned c = 0; c < task->people[SEARCH_CONFEDERATE]; c++)
        all += has(task->there, c) ? task->load_before[c] : 0;
    for (unsigned c = 0; c < task->people[SEARCH_CONFEDERATE]; c++)
        even_range(task, SEARCH_CONFEDERATE, c, all, there);
}

static void add_pair(struct search_task *task, const struct schedule_need *need, unsigned judge,
                     unsigned entry)
{
    uint64_t may = 0;
    for (unsigned c = 0; c < need->confederates; c++)
        if (!need->absent[c] && !need->apart_judge[judge][c] && !need->apart_entry[entry][c])
            may |= UINT64_C(1) << c;
    if (!may)
        return;
    task->pair[task->pairs++] =
        (struct search_pair){{(person_number)judge, (person_number)entry}, may};
    task->degree[SEARCH_JUDGE][judge]++;
    task->degree[SEARCH_ENTRY][entry]++;
    task->allowed[SEARCH_JUDGE][judge] |= may;
    task->allowed[SEARCH_ENTRY][entry] |= may;
}

void search_task_make(struct search_task *task, const struct schedule_need *need)
{
    memset(task, 0, sizeof *task);
    task->people[SEARCH_JUDGE] = need->judges;
    task->people[SEARCH_ENTRY] = need->entries;
    task->people[SEARCH_CONFEDERATE] = need->confederates;
    for (unsigned j = 0; j < need->judges; j++)
        for (unsigned e = 0; e < need->entries; e++)
            if (need->entry_for_judge[j][e])
                add_pair(task, need, j, e);
    for (unsigned c = 0; c < need->confederates; c++) {
        task->there |= need->absent[c] ? 0 : UINT64_C(1) << c;
        task->load_before[c] = need->load[c];
        for (unsigned j = 0; j < need->judges; j++)
            task->before[SEARCH_JUDGE][j][c] = need->judge_met[j][c];
        for (unsigned e = 0; e < need->entries; e++)
            task->before[SEARCH_ENTRY][e][c] = need->entry_met[e][c];
    }
    count_even(task);
}

/* A xorshift generator (Marsaglia): its sequence is the same on every machine. */
static uint64_t roll(struct search *s, uint64_t below)
{
    s->dice ^= s->dice << 13;
    s->dice ^= s->dice >> 7;
    s->dice ^= s->dice << 17;
    return s->dice % below;
}

/* The cost of `meetings` meetings: of a person with one confederate, or of a confederate in all. */
static long cost_of(const struct search *s, unsigned kind, unsigned who, int meetings)
{
    int low = s->task->low[kind][who], high = s->task->high[kind][who];
    long cost = kind != SEARCH_CONFEDERATE && meetings == 0 ? WISH : 0;
    return cost + (meetings < low ? low - meetings : meetings > high ? meetings - high : 0);
}

static long cost_all(const struct search *s)
{
    long cost = 0;
    for (unsigned c = 0; c < s->task->people[SEARCH_CONFEDERATE]; c++) {
        for (unsigned kind = 0; kind < 2; kind++)
            for (unsigned i = 0; i < s->task->people[kind]; i++)
                if (has(s->task->allowed[kind][i], c))
                    cost += cost_of(s, kind, i, s->met[kind][i][c]);
        if (has(s->task->there, c))
            cost += cost_of(s, SEARCH_CONFEDERATE, c, s->load[c]);
    }
    return cost;
}

static void count_in(struct search *s, unsigned pair, unsigned confederate, int step)
{
    for (unsigned kind = 0; kind < 2; kind++) {
        uint16_t *met = &s->met[kind][s->task->pair[pair].who[kind]][confederate];
        *met = (uint16_t)(*met + step);
    }
    s->load[confederate] = (uint16_t)(s->load[confederate] + step);
}

static void put_at(struct search *s, unsigned pair, unsigned round, unsigned confederate,
                   unsigned what)
{
    for (unsigned kind = 0; kind < 2; kind++)
        s->at[kind][s->task->pair[pair].who[kind]][round] = (uint16_t)what;
    s->at[SEARCH_CONFEDERATE][confederate][round] = (uint16_t)what;
}

static void seat(struct search *s, unsigned pair, unsigned round, unsigned confederate)
{
    s->round[pair] = (uint16_t)round;
    s->with[pair] = (person_number)confederate;
    put_at(s, pair, round, confederate, pair);
    count_in(s, pair, confederate, 1);
}

static void unseat(struct search *s, unsigned pair)
{
    put_at(s, pair, s->round[pair], s->with[pair], NOBODY);
    count_in(s, pair, s->with[pair], -1);
    s->round[pair] = NOBODY;
}

static unsigned in_round(const struct search *s, unsigned pair, unsigned kind, unsigned round)
{
    return s->at[kind][s->task->pair[pair].who[kind]][round];
}

static void start(struct search *s, unsigned rounds, bool strict)
{
    s->rounds = rounds;
    s->strict = strict;
    s->dice = UINT64_C(88172645463325252);
    memset(s->at, 0xff, sizeof s->at);
    memcpy(s->met, s->task->before, sizeof s->met);
    memcpy(s->load, s->task->load_before, sizeof s->load);
    s->waiting = s->task->pairs;
    for (unsigned p = 0; p < s->task->pairs; p++) {
        s->round[p] = NOBODY;
        s->wait[p] = (uint16_t)p;
        s->weight[p] = 1;
    }
}

/* Seats each waiting pair at `round` and `with`, if the seat is free and the confederate
 * allowed. */
static void seat_given(struct search *s, const uint16_t *round, const person_number *with)
{
    unsigned left = 0;
    for (unsigned i = 0; i < s->waiting; i++) {
        unsigned p = s->wait[i], r = round[p], c = with[p];
        if (r < s->rounds && c < s->task->people[SEARCH_CONFEDERATE] &&
            has(s->task->pair[p].may, c) && in_round(s, p, SEARCH_JUDGE, r) == NOBODY &&
            in_round(s, p, SEARCH_ENTRY, r) == NOBODY && s->at[SEARCH_CONFEDERATE][c][r] == NOBODY)
            seat(s, p, r, c);
        else
            s->wait[left++] = (uint16_t)p;
    }
    s->waiting = left;
}

/* Seats pairs by a rectangle of two orthogonal squares, one for rounds, one for confederates. */
static void seat_square(struct search *s)
{
    static struct square rounds, confederates;
    static uint16_t round[SCHEDULE_MEETINGS_MAX];
    static person_number with[SCHEDULE_MEETINGS_MAX];
    unsigned order = 0, there = s->task->people[SEARCH_CONFEDERATE];
    for (unsigned kind = 0; kind < 2; kind++)
        order = s->task->people[kind] > order ? s->task->people[kind] : order;
    if (there > order && there <= s->rounds)
        order = there;
    if (!square_pair(&rounds, &confederates, order))
        return;
    for (unsigned p = 0; p < s->task->pairs; p++) {
        const person_number *who = s->task->pair[p].who;
        round[p] = rounds.cell[who[0]][who[1]];
        with[p] = confederates.cell[who[0]][who[1]];
    }
    seat_given(s, round, with);
}

/* For each confederate: if one more meeting would be too many, the person's easiest pair to
 * evict. */
struct surplus {
    uint16_t pair[SCHEDULE_ENTRIES_MAX]; /* NOBODY: one more meeting is allowed */
    uint32_t weight[SCHEDULE_ENTRIES_MAX];
};

static void find_surplus(const struct search *s, unsigned kind, unsigned who,
                         struct surplus *surplus)
{
    for (unsigned c = 0; c < s->task->people[SEARCH_CONFEDERATE]; c++) {
        bool full = s->strict && s->met[kind][who][c] >= s->task->high[kind][who];
        surplus->pair[c] = NOBODY;
        surplus->weight[c] = full ? NEVER : 0;
    }
    for (unsigned r = 0; s->strict && r < s->rounds; r++) {
        unsigned pair = s->at[kind][who][r], c = pair == NOBODY ? 0 : s->with[pair];
        if (pair == NOBODY || s->weight[pair] >= surplus->weight[c])
            continue;
        surplus->weight[c] = s->weight[pair];
        surplus->pair[c] = (uint16_t)pair;
    }
}

/* The cost of a seat, and the pairs in its way: the other meetings of the judge, the Entry and the
 * confederate in that round, and a surplus meeting of judge or Entry with the confederate. */
#define IN_THE_WAY 5

static uint64_t seat_cost(const struct search *s, unsigned pair, unsigned round, unsigned c,
                          const struct surplus surplus[2], uint16_t way[IN_THE_WAY])
{
    const person_number *who = s->task->pair[pair].who;
    uint64_t weight = 0, small = 0;
    way[0] = s->at[SEARCH_JUDGE][who[0]][round];
    way[1] = s->at[SEARCH_ENTRY][who[1]][round];
    way[2] = s->at[SEARCH_CONFEDERATE][c][round];
    for (unsigned kind = 0; kind < 2; kind++) {
        way[3 + kind] = surplus[kind].pair[c];
        if (surplus[kind].weight[c] == NEVER)
            weight += NEVER;
        small += (s->met[kind][who[kind]][c] >= s->task->high[kind][who[kind]]) +
                 (s->met[kind][who[kind]][c] > 0);
    }
    for (unsigned i = 0; i < IN_THE_WAY; i++) {
        bool seen = way[i] == NOBODY;
        for (unsigned k = 0; k < i && !seen; k++)
            seen = way[k] == way[i];
        weight += seen ? 0 : s->weight[way[i]];
    }
    small += s->load[c] >= s->task->high[SEARCH_CONFEDERATE][c] ? 2 : 0;
    return weight * EVICT_COST + small;
}

/* Seats a waiting pair at the least cost. Evicted pairs wait again. */
static void seat_next(struct search *s)
{
    unsigned i = (unsigned)roll(s, s->waiting), pair = s->wait[i], round = 0, with = 0;
    uint64_t best = UINT64_MAX, ties = 0;
    struct surplus surplus[2];
    uint16_t way[IN_THE_WAY];
    s->wait[i] = s->wait[--s->waiting];
    for (unsigned kind = 0; kind < 2; kind++)
        find_surplus(s, kind, s->task->pair[pair].who[kind], &surplus[kind]);
    for (unsigned r = 0; r < s->rounds; r++) {
        for (unsigned c = 0; c < s->task->people[SEARCH_CONFEDERATE]; c++) {
            if (!has(s->task->pair[pair].may, c))
                continue;
            uint64_t cost = seat_cost(s, pair, r, c, surplus, way);
            ties = cost < best ? 1 : ties + (cost == best);
            if (cost < best || (cost == best && roll(s, ties) == 0)) {
                best = cost;
                round = r;
                with = c;
            }
        }
    }
    s->weight[pair] += best >= EVICT_COST;
    seat_cost(s, pair, round, with, surplus, way);
    for (unsigned k = 0; k < IN_THE_WAY; k++) {
        if (way[k] == NOBODY || s->round[way[k]] == NOBODY)
            continue;
        unseat(s, way[k]);
        s->wait[s->waiting++] = way[k];
    }
    seat(s, pair, round, with);
}

static bool seat_all(struct search *s)
{
    unsigned seats = s->rounds * s->task->people[SEARCH_CONFEDERATE];
    unsigned steps = SEATS_MOST / seats < STEPS_MOST ? SEATS_MOST / seats : STEPS_MOST;
    for (steps += s->waiting; s->waiting && steps; steps--)
        seat_next(s);
    return s->waiting == 0;
}

/* The change of cost when a pair gets another confederate; `load`: the old confederate loses a
 * meeting. */
static long exchange_cost(const struct search *s, unsigned pair, unsigned to, bool load)
{
    unsigned from = s->with[pair];
    long cost = 0;
    for (unsigned kind = 0; kind < 2; kind++) {
        unsigned who = s->task->pair[pair].who[kind];
        const uint16_t *met = s->met[kind][who];
        cost += cost_of(s, kind, who, met[from] - 1) - cost_of(s, kind, who, met[from]);
        cost += cost_of(s, kind, who, met[to] + 1) - cost_of(s, kind, who, met[to]);
    }
    if (load)
        cost += cost_of(s, SEARCH_CONFEDERATE, from, s->load[from] - 1) -
                cost_of(s, SEARCH_CONFEDERATE, from, s->load[from]) +
                cost_of(s, SEARCH_CONFEDERATE, to, s->load[to] + 1) -
                cost_of(s, SEARCH_CONFEDERATE, to, s->load[to]);
    return cost;
}

static void exchange(struct search *s, unsigned pair, unsigned round, unsigned to)
{
    unsigned from = s->with[pair], other = s->at[SEARCH_CONFEDERATE][to][round];
    unseat(s, pair);
    if (other != NOBODY) {
        unseat(s, other);
        seat(s, other, round, from);
    }
    seat(s, pair, round, to);
}

/* Simulated annealing: a change for the worse is accepted less often as the heat falls. An open
 * wish here costs as much as five meetings too many, so that wishes can be given up on the way to a
 * better answer. */
static bool accept(struct search *s, long cost, double heat)
{
    long wishes = (cost + (cost < 0 ? -WISH / 2 : WISH / 2)) / WISH;
    double worse = (double)(cost - WISH * wishes) + 5.0 * (double)wishes;
    return worse <= 0 || (double)roll(s, 1000000) < 1000000 * exp(-worse / (heat + 1e-9));
}

/* Tries one random exchange: the pair takes a free confederate, moves to another round, or swaps
 * confederates with another pair. Returns the change of cost. */
static long polish_step(struct search *s, double heat)
{
    const struct search_task *task = s->task;
    unsigned pair = (unsigned)roll(s, task->pairs), round = s->round[pair];
    unsigned to = (unsigned)roll(s, task->people[SEARCH_CONFEDERATE]), from = s->with[pair];
    if (!has(task->pair[pair].may, to))
        return 0;
    if (roll(s, 4) == 0) {
        unsigned next = (unsigned)roll(s, s->rounds);
        if (in_round(s, pair, SEARCH_JUDGE, next) != NOBODY ||
            in_round(s, pair, SEARCH_ENTRY, next) != NOBODY ||
            s->at[SEARCH_CONFEDERATE][to][next] != NOBODY)
            return 0;
        long cost = to == from ? 0 : exchange_cost(s, pair, to, true);
        if (!accept(s, cost, heat))
            return 0;
        unseat(s, pair);
        seat(s, pair, next, to);
        return cost;
    }
    unsigned other = s->at[SEARCH_CONFEDERATE][to][round];
    if (to == from || (other != NOBODY && !has(task->pair[other].may, from)))
        return 0;
    long cost = exchange_cost(s, pair, to, other == NOBODY);
    cost += other == NOBODY ? 0 : exchange_cost(s, other, from, false);
    if (!accept(s, cost, heat))
        return 0;
    exchange(s, pair, round, to);
    return cost;
}

static bool search_cost_less(struct search_cost a, struct search_cost b)
{
    return a.missing != b.missing ? a.missing < b.missing : a.uneven < b.uneven;
}

static struct search_cost cost_made(long cost)
{
    return (struct search_cost){(unsigned)(cost / WISH), (unsigned)(cost % WISH)};
}

struct filling {
    uint64_t judge[SCHEDULE_MEETINGS_MAX][SCHEDULE_PEOPLE_MAX / 64 + 1];
    uint64_t entry[SCHEDULE_MEETINGS_MAX], confederate[SCHEDULE_MEETINGS_MAX];
};

/* The free confederate of a round whom the pair's two people have met least. */
static unsigned least_met(const struct search *s, unsigned pair, uint64_t free)
{
    unsigned best = 0;
    uint64_t least = UINT64_MAX;
    for (unsigned c = 0; c < s->task->people[SEARCH_CONFEDERATE]; c++) {
        const person_number *who = s->task->pair[pair].who;
        uint64_t cost =
            WISH * (uint64_t)(s->met[SEARCH_JUDGE][who[0]][c] + s->met[SEARCH_ENTRY][who[1]][c]) +
            s->load[c];
        if (!has(free, c) || cost >= least)
            continue;
        least = cost;
        best = c;
    }
    return best;
}

/* Starts to count meetings, without rounds. */
static void start_counts(struct search *s, const struct search_task *task)
{
    s->task = task;
    memcpy(s->met, task->before, sizeof s->met);
    memcpy(s->load, task->load_before, sizeof s->load);
}

bool search_fill(struct search_answer *answer, const struct search_task *task, unsigned rounds)
{
    static struct filling filling;
    static struct search s;
    memset(&filling, 0, sizeof filling);
    start_counts(&s, task);
    answer->rounds = 0;
    for (unsigned p = 0; p < task->pairs; p++) {
        const struct search_pair *pair = &task->pair[p];
        unsigned judge = pair->who[SEARCH_JUDGE], entry = pair->who[SEARCH_ENTRY];
        unsigned round = (entry + rounds - judge % rounds) % rounds, tries = 0;
        while (round < SCHEDULE_MEETINGS_MAX &&
               (has(filling.judge[round][judge / 64], judge % 64) ||
                has(filling.entry[round], entry) || !(pair->may & ~filling.confederate[round])))
            round = ++tries < rounds ? (round + 1) % rounds : tries;
        if (round == SCHEDULE_MEETINGS_MAX)
            return false;
        unsigned c = least_met(&s, p, pair->may & ~filling.confederate[round]);
        filling.judge[round][judge / 64] |= UINT64_C(1) << judge % 64;
        filling.entry[round] |= UINT64_C(1) << entry;
        filling.confederate[round] |= UINT64_C(1) << c;
        count_in(&s, p, c, 1);
        answer->round[p] = (uint16_t)round;
        answer->confederate[p] = (person_number)c;
        answer->rounds = round >= answer->rounds ? round + 1 : answer->rounds;
    }
    answer->cost = cost_made(cost_all(&s));
    return true;
}

struct search_cost search_cost_of(const struct search_task *task,
                                  const struct search_answer *answer)
{
    static struct search s;
    s.task = task;
    if (task->people[SEARCH_JUDGE] > SCHEDULE_ENTRIES_MAX) { /* of search_fill() */
        start_counts(&s, task);
        for (unsigned p = 0; p < task->pairs; p++)
            count_in(&s, p, answer->confederate[p], 1);
        return cost_made(cost_all(&s));
    }
    start(&s, answer->rounds, false);
    seat_given(&s, answer->round, answer->confederate);
    return cost_made(cost_all(&s));
}

static void keep(const struct search *s, struct search_answer *answer, long cost)
{
    if (answer->rounds && !search_cost_less(cost_made(cost), answer->cost))
        return;
    answer->rounds = s->rounds;
    answer->cost = cost_made(cost);
    memcpy(answer->round, s->round, s->task->pairs * sizeof s->round[0]);
    memcpy(answer->confederate, s->with, s->task->pairs * sizeof s->with[0]);
}

static void polish(struct search *s, struct search_answer *answer, struct search_cost least)
{
    long cost = cost_all(s), best = cost, goal = (long)least.missing * WISH + (long)least.uneven;
    unsigned steps = POLISH_LEAST + POLISH_PAIR * s->task->pairs;
    keep(s, answer, cost);
    for (unsigned left = steps; left && best > goal; left--) {
        cost += polish_step(s, 3.0 * left / steps);
        if (cost >= best)
            continue;
        best = cost;
        keep(s, answer, cost);
    }
}

bool search_seats(struct search_answer *answer, const struct search_task *task, unsigned rounds,
                  struct search_cost least)
{
    /* Three tries: strict from a square, strict from nothing, not strict from a square. */
    static const struct {
        bool strict, square;
    } tries[] = {{true, true}, {true, false}, {false, true}};
    static struct search s; /* too large for the stack */
    s.task = task;
    answer->rounds = 0;
    for (unsigned i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        start(&s, rounds, tries[i].strict);
        if (tries[i].square)
            seat_square(&s);
        if (seat_all(&s))
            polish(&s, answer, least);
        if (answer->rounds && !search_cost_less(least, answer->cost))
            break;
    }
    return answer->rounds > 0;
}

struct colouring {
    uint16_t at[2][SCHEDULE_PEOPLE_MAX][SCHEDULE_PEOPLE_MAX];
};

static unsigned free_round(const uint16_t *at)
{
    unsigned round = 0;
    while (at[round] != NOBODY)
        round++;
    return round;
}

/* Exchanges rounds a and b along the path of pairs from round a at the Entry, which is free in b.
 * The path cannot end at the judge, who is free in a. */
static void exchange_path(struct colouring *colouring, const struct search_task *task,
                          uint16_t *round, unsigned entry, unsigned a, unsigned b)
{
    unsigned kind = SEARCH_ENTRY, who = entry, next = a, moving = NOBODY;
    for (;;) {
        unsigned pair = colouring->at[kind][who][next];
        colouring->at[kind][who][next] = (uint16_t)moving;
        if (moving != NOBODY)
            colouring->at[1 - kind][task->pair[moving].who[1 - kind]][next] = (uint16_t)moving;
        next = next == a ? b : a;
        if (pair == NOBODY) {
            colouring->at[kind][who][next] = NOBODY;
            return;
        }
        round[pair] = (uint16_t)next;
        moving = pair;
        kind = 1 - kind;
        who = task->pair[pair].who[kind];
    }
}

unsigned search_rounds(uint16_t round[SCHEDULE_MEETINGS_MAX], const struct search_task *task)
{
    static struct colouring colouring;
    unsigned rounds = 0;
    memset(&colouring, 0xff, sizeof colouring);
    for (unsigned p = 0; p < task->pairs; p++) {
        const person_number *who = task->pair[p].who;
        unsigned a = free_round(colouring.at[SEARCH_JUDGE][who[0]]);
        unsigned b = free_round(colouring.at[SEARCH_ENTRY][who[1]]);
        if (a != b && colouring.at[SEARCH_ENTRY][who[1]][a] != NOBODY)
            exchange_path(&colouring, task, round, who[1], a, b);
        round[p] = (uint16_t)a;
        colouring.at[SEARCH_JUDGE][who[0]][a] = colouring.at[SEARCH_ENTRY][who[1]][a] = (uint16_t)p;
    }
    for (unsigned p = 0; p < task->pairs; p++)
        rounds = round[p] >= rounds ? round[p] + 1U : rounds;
    return rounds;
}
