/* The winner, with every step and its rule. Pure: equal input gives an equal result.
 *
 * Sources: 1996 r4, r5, announcement; 2003 r3, r46 to r50, r54 to r61; 2004 A1, A2, A15, B1 to B4;
 * 2009 §1, §3b; long bet II
 *
 * 3,
 *
 * 4,
 *
 * 13 to
 *
 * 16. Questions that the rules leave open are the manager's. Means are exact fractions. */
#ifndef CONTEST_RESULT_H
#define CONTEST_RESULT_H

#include "rules/ballot.h"

#define RESULT_SEED_BYTES 16
#define RESULT_TRIALS_MAX 16

/* numerator / denominator; denominator 0: no value. */
struct fraction {
    int64_t numerator, denominator;
};

/* Below 0, 0 or above 0: a is less than, equal to or more than b. Both must exist. */
int fraction_compare(struct fraction a, struct fraction b);

/* The people of a ballot. A person on a present place has the place's number; a former person has a
 * sitter's, from SCHEDULE_PEOPLE_MAX on. */
struct seat {
    person_number judge, confederate; /* entities met singly: the confederate met, if any */
};

/* The choice among equal Entries, by the judges or the coin. */
struct result_decision {
    uint64_t among; /* bit n: Entry n, from 0 */
    uint8_t chosen; /* the Entry's number, from 1; 0: the judges had no majority */
    bool coin;
};
#define RESULT_DECISIONS_MAX 64

struct result_input {
    const struct ruleset *ruleset;
    unsigned entries, confederates; /* the candidates are numbered in this order */
    const struct ballot *ballot;
    unsigned ballots, ballots_wanted; /* ballots given; ballots given or to come */
    unsigned excluded;                /* sessions that do not count; their ballots are not here */
    /* The people of each ballot; used if `seated`: a person was replaced. A column of votes belongs
     * to the place and goes on. Awards to a person, and "different" in 2004 B2, are about
     * people. */
    struct seat seat[SCHEDULE_MEETINGS_MAX];
    bool seated;
    const char *replaced
        [SCHEDULE_PEOPLE_MAX]; /* names of the people numbered from SCHEDULE_PEOPLE_MAX on */
    /* The long bet's trials: II
     *
     * 4. Other contests have one trial, also written as 0. */
    unsigned trials;
    unsigned trial_wanted[RESULT_TRIALS_MAX]; /* as ballots_wanted */
    const struct ranking *ranking;
    unsigned rankings;
    bool rank_awaited[SCHEDULE_ENTRIES_MAX]; /* Entries whose ranks are still to come: 2009 §3b */
    bool judge_gone[SCHEDULE_PEOPLE_MAX];    /* withdrawn judges: no rank is to come */
    bool disqualified[SCHEDULE_ENTRIES_MAX]; /* Entries: 2003 r8, r43, r59 */
    bool withdrawn[SCHEDULE_ENTRIES_MAX];    /* Entries: no longer in the contest */
    bool unaccepted[SCHEDULE_ENTRIES_MAX];   /* of these: never in the contest, for want of a
                                              * communications program: 2004 A8.1 */
    bool not_final[SCHEDULE_ENTRIES_MAX];    /* Entries: the selection left them out */
    bool own[SCHEDULE_ENTRIES_MAX];          /* Entries that the organiser entered */
    /* Score in the preliminary round or the Prelim Eight; more is better; denominator 0: none. */
    struct fraction prelim[SCHEDULE_ENTRIES_MAX];
    /* 2003 r50. For a set of equals the last decision counts that is on the set, or on a larger set
     * and chose one of the equals. */
    struct result_decision decision[RESULT_DECISIONS_MAX];
    unsigned decisions;
    /* For old contests, whose decisions are for a place: the number, from 1, of the Entry chosen by
     * the judges' majority; 0: none. [0] is the first place. */
    uint8_t conferred[SCHEDULE_ENTRIES_MAX];
    bool split
        [SCHEDULE_ENTRIES_MAX]; /* 2003 r50: the judges conferred on a place without a majority */
    bool coin_tossed;           /* the coin was tossed, after its commitment was published */
    bool coin_waits;  /* the coin counts if the judges were split; false in old contests */
    int64_t voted_us; /* time of the last recorded ballot or rank, since 1970; 0: not known */
    bool closed;      /* no ballot or rank is taken or awaited any more */
    uint8_t coin[RESULT_SEED_BYTES];
};

struct result_standing {
    person_number candidate;
    bool disqualified, withdrawn;
    unsigned ballots;
    unsigned wins;  /* columns: times at 51 or more; votes, rates: times taken for the human */
    int64_t points; /* columns */
    struct fraction
        mean; /* ratings in thousandths; votes: ranks by those who judged it non-human */
    unsigned
        place; /* 1 is the best; shared in an unbroken tie; 0: none (disqualified, withdrawn) */
};

enum result_outcome {
    RESULT_WON = 1,
    RESULT_TIED,     /* left to the manager, the judges or the coin */
    RESULT_NO_ENTRY, /* the prize is rolled over */
    RESULT_ONLY_ONE, /* awarded without a contest */
    RESULT_PASSED,   /* long bet: both tests passed in enough trials */
    RESULT_FAILED,
    RESULT_OPEN,        /* long bet: trials are missing, or differ with no rule for that */
    RESULT_COUNTED,     /* rates, of Entries and confederates: no winner */
    RESULT_PROVISIONAL, /* ballots are missing: no winner yet */
};

struct trial_result {
    unsigned missing; /* ballots, and ranks of judged sessions */
    bool finished;    /* nothing is missing, and enough judges have judged enough candidates */
    unsigned humans,
        foils; /* judges who took the computer for a human; foils that it matches in rank */
    bool determined, ranked; /* the two tests */
};

struct result {
    enum result_outcome outcome;
    int winner;           /* an Entry's number; -1: none */
    int leader;           /* PROVISIONAL: the Entry alone in the first place; -1: none */
    bool silver;          /* the Silver Medal; false: the Bronze one */
    bool medal;           /* a medal is awarded: 2003 r60 */
    int most_human_human; /* a person's number, as in struct seat; -1: none, or several are equal */
    unsigned trials;
    struct trial_result trial[RESULT_TRIALS_MAX];
    unsigned ballots_missing; /* ballots to come; any of them makes the result provisional */
    /* Sets of Entries still equal for a place, among which judges or coin choose. [0] is the first
     * place. */
    uint64_t equal[SCHEDULE_ENTRIES_MAX];
    unsigned count;
    struct result_standing
        standing[SCHEDULE_CANDIDATES_MAX]; /* Entries by place, then confederates; in
                                       2003 (r47) and 1996 all by their means */
};

/* Called for each step in order: the rule ("2004 B3") and its outcome, in a sentence. Both live
 * during the call. */
typedef void result_say(void *ctx, const char *rule, const char *text);

/* Makes the result, which is large. `say` may be NULL. The ballots and rankings have passed their
 * checks. */
void result_make(struct result *result, const struct result_input *input, result_say *say,
                 void *ctx);

#endif
