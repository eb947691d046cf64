/* Seats given pairs of judge and Entry: each in a round, with a confederate. Pure, and the answer
 * is the same each time: the dice begin with a fixed seed, and steps are counted, not time.
 *
 * A pair that finds no free seat throws out those in its way, of which one that was hard to seat
 * before counts for more (Nagata and Braeysy 2009 for vehicles and their routes); so most squares,
 * rectangles and remainders are full after a few thousand steps. Then confederates are exchanged by
 * simulated annealing until everybody meets as many as can be, evenly. */
#ifndef RULES_SEARCH_H
#define RULES_SEARCH_H

#include "rules/schedule.h"

#define SEARCH_NOBODY UINT16_MAX

/* The owners of the meetings counted. */
enum search_kind { SEARCH_JUDGE, SEARCH_ENTRY, SEARCH_CONFEDERATE, SEARCH_KINDS };

struct search_pair {
    uint8_t who[2]; /* judge, Entry */
    uint64_t may;   /* a bit for each confederate who may sit with both */
};

/* The meetings to seat, and the greatest evenness possible. Large (48 KiB). */
struct search_task {
    unsigned people[SEARCH_KINDS], pairs;
    struct search_pair pair[SCHEDULE_MEETINGS_MAX];
    unsigned degree[2][SCHEDULE_PEOPLE_MAX];  /* pairs of each judge and each Entry */
    uint64_t allowed[2][SCHEDULE_PEOPLE_MAX]; /* the confederates of these pairs */
    uint16_t before[2][SCHEDULE_PEOPLE_MAX][SCHEDULE_PEOPLE_MAX]; /* met already */
    uint16_t load_before[SCHEDULE_PEOPLE_MAX];                    /* of a confederate */
    uint64_t there;                                               /* confederates */
    /* Even are so many meetings, from and to, of a person with one confederate; and in all of a
     * confederate. */
    uint16_t low[SEARCH_KINDS][SCHEDULE_PEOPLE_MAX], high[SEARCH_KINDS][SCHEDULE_PEOPLE_MAX];
};

/* The pairs that are needed and that have a confederate who may sit with both. */
void search_task_make(struct search_task *task, const struct schedule_need *need);

/* The wishes that an answer leaves open. */
struct search_cost {
    unsigned missing; /* judge or Entry with a confederate whom he might meet and does not */
    unsigned uneven;  /* meetings outside the even numbers, and confederates' meetings in all */
};

struct search_answer {
    unsigned rounds;
    struct search_cost cost;
    uint16_t round[SCHEDULE_MEETINGS_MAX];
    uint8_t confederate[SCHEDULE_MEETINGS_MAX];
};

/* Seats all pairs in so many rounds, as well as it can; stops where the cost is `least`. False: not
 * found, which proves nothing. */
bool search_seats(struct search_answer *answer, const struct search_task *task, unsigned rounds,
                  struct search_cost least);

bool search_cost_less(struct search_cost a, struct search_cost b);

/* The wishes that the answer leaves open, counted anew. */
struct search_cost search_cost_of(const struct search_task *task,
                                  const struct search_answer *answer);

/* Puts pairs that need no confederate into as few rounds as can be: as many as the person with the
 * most pairs has pairs (Koenig 1916). Returns how many rounds. */
unsigned search_rounds(uint16_t round[SCHEDULE_MEETINGS_MAX], const struct search_task *task);

#endif
