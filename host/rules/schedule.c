#include "rules/schedule.h"

#include "base/word.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned schedule_confederate(const struct meeting *meeting, unsigned entries)
{
    return meeting->entry >= entries ? meeting->entry - entries : meeting->confederate;
}

void schedule_code(unsigned candidate, unsigned entries, char out[SCHEDULE_CODE_MAX])
{
    bool is_entry = candidate < entries;
    snprintf(out, SCHEDULE_CODE_MAX, "%c%u", is_entry ? 'E' : 'C',
             (is_entry ? candidate : candidate - entries) % 1000 + 1);
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Reads "J12" from *text. 0: another text, or a number out of range. */
static unsigned read_person(const char **text, char letter)
{
    char *end;
    unsigned long number;
    if (**text != letter || (*text)[1] < '1' || (*text)[1] > '9')
        return 0;
    number = strtoul(*text + 1, &end, 10);
    *text = end;
    return number > SCHEDULE_ENTRIES_MAX ? 0 : (unsigned)number;
}

static bool is_booked(const struct schedule *schedule, unsigned first,
                      const struct meeting *meeting)
{
    for (unsigned i = first; i < schedule->count; i++) {
        const struct meeting *other = &schedule->meeting[i];
        if (other->judge == meeting->judge || other->entry == meeting->entry ||
            other->confederate == meeting->confederate)
            return true;
    }
    return false;
}

enum bl_status schedule_add_round(struct schedule *schedule, const char *row, struct bl_diag *diag)
{
    unsigned first = schedule->count;
    const char *at = row;
    for (at += strspn(at, " \t"); *at; at += strspn(at, " \t")) {
        const char *word = at;
        int length = (int)strcspn(word, " \t");
        unsigned judge = read_person(&at, 'J');
        unsigned entry = judge ? read_person(&at, 'E') : 0;
        unsigned confederate = entry ? read_person(&at, 'C') : 0;
        if (confederate == 0 || at != word + length)
            return bl_fail(diag, BL_DATA,
                           "'%.*s': expected a meeting such as J1E2C3, with numbers from 1 to %d",
                           length > 40 ? 40 : length, word, SCHEDULE_ENTRIES_MAX);
        const struct meeting meeting = {
            .round = (uint16_t)schedule->rounds,
            .judge = (person_number)(judge - 1),
            .entry = (person_number)(entry - 1),
            .confederate = (person_number)(confederate - 1),
        };
        if (is_booked(schedule, first, &meeting))
            return bl_fail(diag, BL_DATA, "'%.*s': somebody is in this round already", length,
                           word);
        if (schedule->count == SCHEDULE_MEETINGS_MAX)
            return bl_fail(diag, BL_DATA, "more than %d meetings", SCHEDULE_MEETINGS_MAX);
        schedule->meeting[schedule->count++] = meeting;
        schedule->judges = larger(schedule->judges, judge);
        schedule->entries = larger(schedule->entries, entry);
        schedule->confederates = larger(schedule->confederates, confederate);
    }
    if (schedule->count == first)
        return bl_fail(diag, BL_DATA, "a round without a meeting");
    schedule->rounds++;
    return BL_OK;
}

static unsigned person(const struct meeting *meeting, unsigned kind)
{
    return kind == 0 ? meeting->judge : kind == 1 ? meeting->entry : meeting->confederate;
}

static unsigned people(const struct schedule *schedule, unsigned kind)
{
    return kind == 0 ? schedule->judges : kind == 1 ? schedule->entries : schedule->confederates;
}

static void measure_pairing(const struct schedule *schedule, unsigned a, unsigned b,
                            unsigned range[2])
{
    static uint16_t met[SCHEDULE_PEOPLE_MAX][SCHEDULE_PEOPLE_MAX]; /* too much for the stack */
    memset(met, 0, people(schedule, a) * sizeof met[0]);
    for (unsigned i = 0; i < schedule->count; i++)
        met[person(&schedule->meeting[i], a)][person(&schedule->meeting[i], b)]++;
    range[0] = range[1] = met[0][0];
    for (unsigned i = 0; i < people(schedule, a); i++) {
        for (unsigned j = 0; j < people(schedule, b); j++) {
            range[0] = met[i][j] < range[0] ? met[i][j] : range[0];
            range[1] = larger(range[1], met[i][j]);
        }
    }
}

unsigned schedule_waits(const struct schedule *schedule)
{
    unsigned waits = 0;
    for (unsigned kind = 0; kind < 3; kind += 2) { /* judges, confederates */
        unsigned first[SCHEDULE_PEOPLE_MAX] = {0}, last[SCHEDULE_PEOPLE_MAX] = {0};
        unsigned busy[SCHEDULE_PEOPLE_MAX] = {0};
        for (unsigned i = 0; i < schedule->count; i++) {
            unsigned p = person(&schedule->meeting[i], kind), round = schedule->meeting[i].round;
            first[p] = busy[p] && first[p] < round ? first[p] : round;
            last[p] = busy[p] ? larger(last[p], round) : round;
            busy[p]++;
        }
        for (unsigned p = 0; p < SCHEDULE_PEOPLE_MAX; p++)
            waits += busy[p] ? last[p] - first[p] + 1 - busy[p] : 0;
    }
    return waits;
}

static unsigned count_booked_twice(const struct schedule *schedule)
{
    unsigned twice = 0;
    for (unsigned kind = 0; kind < 3; kind++) {
        unsigned next_free[SCHEDULE_PEOPLE_MAX] = {
            0}; /* the first round in which the person is free */
        for (unsigned i = 0; i < schedule->count; i++) {
            unsigned p = person(&schedule->meeting[i], kind), round = schedule->meeting[i].round;
            twice += round < next_free[p];
            next_free[p] = round + 1;
        }
    }
    return twice;
}

void schedule_measure(const struct schedule *schedule, struct schedule_quality *quality)
{
    measure_pairing(schedule, 0, 1, quality->judge_entry);
    measure_pairing(schedule, 0, 2, quality->judge_confederate);
    measure_pairing(schedule, 1, 2, quality->entry_confederate);
    quality->booked_twice = count_booked_twice(schedule);
    quality->waits = quality->booked_twice ? 0 : schedule_waits(schedule);
}

static int by_round(const void *a, const void *b)
{
    const struct meeting *x = a, *y = b;
    return x->round != y->round ? (x->round > y->round) - (x->round < y->round)
                                : (x->judge > y->judge) - (x->judge < y->judge);
}

unsigned schedule_first(const struct schedule *schedule, unsigned round)
{
    unsigned first = 0, last = schedule->count;
    while (first < last) {
        unsigned middle = (first + last) / 2;
        if (schedule->meeting[middle].round < round)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

void schedule_sort(struct schedule *schedule)
{
    qsort(schedule->meeting, schedule->count, sizeof schedule->meeting[0], by_round);
}

static void swap_rounds(struct schedule *schedule, unsigned a, unsigned b)
{
    for (unsigned i = 0; i < schedule->count; i++) {
        struct meeting *meeting = &schedule->meeting[i];
        if (meeting->round == a || meeting->round == b)
            meeting->round = (uint16_t)(a + b - meeting->round);
    }
}

void schedule_order(struct schedule *schedule)
{
    unsigned best = schedule_waits(schedule);
    bool better = schedule->rounds <= SCHEDULE_ENTRIES_MAX;
    while (better && best) {
        better = false;
        for (unsigned a = 0; a < schedule->rounds; a++) {
            for (unsigned b = a + 1; b < schedule->rounds; b++) {
                swap_rounds(schedule, a, b);
                unsigned now = schedule_waits(schedule);
                if (now < best) {
                    best = now;
                    better = true;
                } else {
                    swap_rounds(schedule, a, b);
                }
            }
        }
    }
    schedule_sort(schedule);
}

void schedule_need_all(struct schedule_need *need, unsigned judges, unsigned entries,
                       unsigned confederates, bool single)
{
    memset(need, 0, sizeof *need);
    need->judges = judges;
    need->entries = entries;
    need->confederates = confederates;
    need->single = single;
    for (unsigned j = 0; j < judges && j < SCHEDULE_PEOPLE_MAX; j++)
        for (unsigned e = 0; e < entries + (single ? confederates : 0) && e < SCHEDULE_ENTRIES_MAX;
             e++)
            need->entry_for_judge[j][e] = true;
}

const char *schedule_way_name(enum schedule_way way)
{
    static const char *const words[] = {
        [SCHEDULE_PRINTED] = "printed",
        [SCHEDULE_SQUARE] = "optimal",
        [SCHEDULE_SOLVED] = "solved",
        [SCHEDULE_SINGLE] = "single",
    };
    return WORD_OF(words, way, "");
}
