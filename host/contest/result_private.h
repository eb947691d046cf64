#ifndef CONTEST_RESULT_PRIVATE_H
#define CONTEST_RESULT_PRIVATE_H

#include "contest/result.h"
#include "contest/result_steps_private.h"

/* The least number of judges who must take the computer for a human, and of foils that it must
 * match: II
 *
 * 13,
 *
 * 14. */
enum { LONG_BET_LEAST = 2 };

struct set {
    unsigned count;
    person_number member[SCHEDULE_CANDIDATES_MAX]; /* candidates */
};

static inline bool set_has(const struct set *set, unsigned candidate)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->member[i] == candidate)
            return true;
    return false;
}

struct judging {
    const struct result_input *input;
    struct result_steps steps;
    struct result_standing of[SCHEDULE_CANDIDATES_MAX]; /* standings by candidate */
    struct set order;                                   /* Entries with a place, the best first */
    unsigned computer;                                  /* long bet: its candidate */
    uint64_t equal[SCHEDULE_ENTRIES_MAX];               /* as struct result has it */
};

void result_name_set(const struct judging *j, const struct set *set, char *out, size_t size);

/* The rule of a line of the ruleset's section [result]. */
struct rule result_rule(const struct judging *j, const char *key, int which);

/* Breaks a tie for `place` by the ruleset's ways. Removes the Entries that are set back from the
 * set. */
void result_break_tie(struct judging *j, struct set *equal, unsigned place);

/* The two tests for the computer in each trial, and the verdict on all trials. */
void result_long_bet(struct judging *j, struct result *result);

#endif
