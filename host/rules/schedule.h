/* A schedule of meetings: one judge with one Entry and one confederate in one round. Pure.
 *
 * Sources: the printed tables of 2004 (after B5) and 2009 (§3b) and their three wishes: each Entry
 * is compared with every confederate, and each judge evaluates every Entry and every
 * confederate. */
#ifndef RULES_SCHEDULE_H
#define RULES_SCHEDULE_H

#include "base/status.h"
#include "rules/number.h"

#include <stdbool.h>
#include <stdint.h>

/* Limits of a contest: judges, and as many confederates; Entries, and as many preliminary judges or
 * organisers; booths; meetings; rounds of a new schedule, each of which is a ticket of a machine.
 * Without a design SCHEDULE_ENTRIES_MAX is also the limit of confederates; if entities are met
 * singly, of Entries and confederates together. */
#define SCHEDULE_PEOPLE_MAX     999
#define SCHEDULE_ENTRIES_MAX    64
#define SCHEDULE_BOOTHS_MAX     64
#define SCHEDULE_CANDIDATES_MAX (SCHEDULE_ENTRIES_MAX + SCHEDULE_PEOPLE_MAX)
#define SCHEDULE_MEETINGS_MAX   16384
#define SCHEDULE_ROUNDS_MAX     1000

struct meeting {
    uint16_t round; /* all four count from 0 */
    person_number judge, entry, confederate;
};

/* Meetings in the order of rounds. Large (128 KiB) and without pointers; the caller allocates
 * it. */
struct schedule {
    unsigned judges, entries, confederates; /* 1 to SCHEDULE_PEOPLE_MAX */
    unsigned rounds, count;
    struct meeting meeting[SCHEDULE_MEETINGS_MAX];
};

/* Parses a printed row, "J1E1C1 J2E3C2", and appends it as a round; the numbers of people grow as
 * needed. The schedule starts zeroed. BL_DATA names the bad word: a wrong form, a number not from 1
 * to SCHEDULE_ENTRIES_MAX, a person twice. */
enum bl_status schedule_add_round(struct schedule *schedule, const char *row, struct bl_diag *diag);

/* The input of a schedule: pairs of a judge and an Entry to meet, each with one confederate, and
 * past meetings. Some people need not play. Large: the caller allocates it. */
struct schedule_need {
    unsigned judges, entries, confederates;
    /* A judge meets one entity at a time (1996 r14, 2003 r42, 2004 A8.4, long bet II). `entry` of a
     * meeting and the second index of entry_for_judge number the candidates: the Entries, then the
     * confederates. `confederate` is PERSON_NOBODY. The members below entry_for_judge are not
     * used. */
    bool single;
    bool entry_for_judge[SCHEDULE_PEOPLE_MAX][SCHEDULE_ENTRIES_MAX]; /* pairs to meet */
    bool absent[SCHEDULE_ENTRIES_MAX];                               /* confederates */
    /* Pairs that may not meet: [judge][confederate] and [Entry][confederate]. */
    bool apart_judge[SCHEDULE_PEOPLE_MAX][SCHEDULE_ENTRIES_MAX];
    bool apart_entry[SCHEDULE_ENTRIES_MAX][SCHEDULE_ENTRIES_MAX];
    /* Past meetings with each confederate: fewer past meetings are preferred. */
    uint8_t judge_met[SCHEDULE_PEOPLE_MAX][SCHEDULE_ENTRIES_MAX];
    uint16_t entry_met[SCHEDULE_ENTRIES_MAX][SCHEDULE_ENTRIES_MAX];
    uint16_t load[SCHEDULE_ENTRIES_MAX]; /* past meetings of a confederate */
};

/* For entities met singly. schedule_confederate(): the meeting's confederate, from 0;
 * PERSON_NOBODY: an Entry. schedule_code(): writes a candidate's code, "E2" or "C1". */
unsigned schedule_confederate(const struct meeting *meeting, unsigned entries);
#define SCHEDULE_CODE_MAX 8
void schedule_code(unsigned candidate, unsigned entries, char out[SCHEDULE_CODE_MAX]);

enum schedule_way {
    SCHEDULE_PRINTED, /* the printed table of the rules */
    SCHEDULE_SQUARE,  /* a pair of orthogonal Latin squares */
    SCHEDULE_SOLVED,
    SCHEDULE_SINGLE,
};
const char *schedule_way_name(enum schedule_way way); /* "printed", "optimal", "solved", "single" */

/* The quality of a schedule: wishes first, then few rounds, then evenness. A wish is a judge or an
 * Entry and a confederate who may and shall meet; each couple counts once. */
struct schedule_bound {
    enum schedule_way way;
    unsigned rounds_least;        /* proven: no schedule has fewer rounds, even without wishes */
    unsigned unmet;               /* pairs left out: no confederate may meet both */
    person_number first_unmet[2]; /* the first such pair: judge, Entry */
    unsigned missing;             /* wishes that stay open */
    unsigned missing_least;       /* proven: every schedule leaves so many wishes open */
    unsigned uneven; /* meetings above or below an even share, by person and confederate */
    unsigned waits;  /* as schedule_waits() */
    bool apart;      /* some players are kept apart, which may cost rounds */
    bool best;       /* proven: no schedule is better in wishes, then rounds, then evenness */
};

/* Makes the schedule of a need. First case: all players shall meet, nobody is kept apart, and the
 * numbers are equal. The result is then `printed`, if it has this size; otherwise two orthogonal
 * squares give the fewest rounds: one for each judge, but 4 for 2 judges and 7 for 6 (Tarry 1901: 6
 * are impossible). Any other need is searched for, and proven up to a certain size. Steps are
 * bounded, so equal input gives an equal result. BL_DATA if nobody can meet; BL_NOMEM. */
enum bl_status schedule_make(struct schedule *schedule, const struct schedule_need *need,
                             const struct schedule *printed, struct schedule_bound *bound,
                             struct bl_diag *diag);

void schedule_wishes(const struct schedule *schedule, const struct schedule_need *need,
                     struct schedule_bound *bound);

/* Makes a need in which all judges shall meet all Entries, nobody being absent or kept apart. */
void schedule_need_all(struct schedule_need *need, unsigned judges, unsigned entries,
                       unsigned confederates, bool single);

/* The index of the first meeting of a round, or of a later one; `count`: none. */
unsigned schedule_first(const struct schedule *schedule, unsigned round);

/* Sorts the meetings by round, then by judge. */
void schedule_sort(struct schedule *schedule);

/* Exchanges rounds while that reduces the waits. More than SCHEDULE_ENTRIES_MAX rounds are left
 * unchanged. */
void schedule_order(struct schedule *schedule);

/* The quality of a schedule of pairs by the rules. */
struct schedule_quality {
    unsigned booked_twice; /* meetings of people who already have one in the round */
    /* The least and the most meetings of two people of these kinds. */
    unsigned judge_entry[2], judge_confederate[2], entry_confederate[2];
    unsigned waits; /* schedule_waits(); 0 if a person is booked twice */
};
void schedule_measure(const struct schedule *schedule, struct schedule_quality *quality);

/* The number of rounds that judges and confederates wait between their first and last meetings.
 * Meetings may be in any order; nobody may be booked twice. */
unsigned schedule_waits(const struct schedule *schedule);

#endif
