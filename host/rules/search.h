/* Assigns a round and a confederate to each given pair of judge and Entry. Pure. The random seed
 * and the number of steps are fixed: equal input gives an equal result.
 *
 * * A pair without a free seat evicts the pairs in its way; pairs that were hard to seat before
 * weigh more (Nagata and Braeysy 2009, for vehicle routing). Then simulated annealing exchanges
 * confederates, for more wishes and evenness. */
#ifndef RULES_SEARCH_H
#define RULES_SEARCH_H

#include "rules/schedule.h"

#define SEARCH_NOBODY UINT16_MAX

/* The most pairs of search_seats(), for at most SCHEDULE_ENTRIES_MAX judges. */
#define SEARCH_PAIRS_MAX (SCHEDULE_ENTRIES_MAX * SCHEDULE_ENTRIES_MAX)

/* The kinds of people whose meetings are counted. */
enum search_kind { SEARCH_JUDGE, SEARCH_ENTRY, SEARCH_CONFEDERATE, SEARCH_KINDS };

struct search_pair {
    person_number who[2]; /* judge, Entry */
    uint64_t may;         /* a bit for each confederate who may meet both */
};

/* The meetings to seat, and the bounds of evenness. Large (900 KiB). */
struct search_task {
    unsigned people[SEARCH_KINDS], pairs;
    struct search_pair pair[SCHEDULE_MEETINGS_MAX];
    unsigned degree[2][SCHEDULE_PEOPLE_MAX];  /* number of pairs of each judge and each Entry */
    uint64_t allowed[2][SCHEDULE_PEOPLE_MAX]; /* the confederates allowed in these pairs */
    uint16_t before[2][SCHEDULE_PEOPLE_MAX][SCHEDULE_ENTRIES_MAX]; /* past meetings */
    uint16_t load_before[SCHEDULE_ENTRIES_MAX]; /* past meetings of a confederate */
    uint64_t there;                             /* the set of all confederates present */
    /* An even share: the least and most meetings of a person with one confederate, and of a
     * confederate in all. */
    uint16_t low[SEARCH_KINDS][SCHEDULE_PEOPLE_MAX], high[SEARCH_KINDS][SCHEDULE_PEOPLE_MAX];
};

/* Makes the task: collects the pairs that shall meet and have a confederate for both. */
void search_task_make(struct search_task *task, const struct schedule_need *need);

/* The open wishes of an answer. */
struct search_cost {
    unsigned missing; /* number of judges' and Entries' meetings with a new confederate that are
                       * left out */
    unsigned uneven;  /* number of meetings outside the even shares */
};

struct search_answer {
    unsigned rounds;
    struct search_cost cost;
    uint16_t round[SCHEDULE_MEETINGS_MAX];
    person_number confederate[SCHEDULE_MEETINGS_MAX];
};

/* Seats all pairs in `rounds` rounds as well as possible. Stops at the cost `least`. False: no
 * answer was found, although one may exist. */
bool search_seats(struct search_answer *answer, const struct search_task *task, unsigned rounds,
                  struct search_cost least);

/* Seats all pairs for more judges than search_seats() takes. Each pair gets the first free round
 * from its place in a diagonal of `rounds` rounds on, and the free confederate whom judge and Entry
 * have met least. False: no answer of SCHEDULE_MEETINGS_MAX rounds was found, although one may
 * exist. */
bool search_fill(struct search_answer *answer, const struct search_task *task, unsigned rounds);

/* Recounts the open wishes of an answer. */
struct search_cost search_cost_of(const struct search_task *task,
                                  const struct search_answer *answer);

/* Puts pairs without confederates into the fewest rounds, the largest number of pairs of one person
 * (Koenig 1916). Returns the number of rounds. */
unsigned search_rounds(uint16_t round[SCHEDULE_MEETINGS_MAX], const struct search_task *task);

#endif
