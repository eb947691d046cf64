/* The meetings: a meeting is one judge with one Entry and one confederate in one round. Pure.
 *
 * Sources: the printed tables of 2004 (after B5) and 2009 (§3b) and their three wishes: each Entry
 * compared with every confederate, each judge to evaluate every Entry and every confederate. */
#ifndef RULES_SCHEDULE_H
#define RULES_SCHEDULE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define SCHEDULE_PEOPLE_MAX   64
#define SCHEDULE_MEETINGS_MAX (SCHEDULE_PEOPLE_MAX * SCHEDULE_PEOPLE_MAX)

struct meeting {
    uint16_t round; /* all four from 0 */
    uint8_t judge, entry, confederate;
};

/* Large (24 KiB): the caller's to keep, no pointers in it. Meetings are in the order of their
 * rounds. */
struct schedule {
    unsigned judges, entries, confederates; /* 1 to SCHEDULE_PEOPLE_MAX */
    unsigned rounds, count;
    struct meeting meeting[SCHEDULE_MEETINGS_MAX];
};

/* Reads a printed row, "J1E1C1 J2E3C2", and adds it as the next round; the numbers of people grow
 * with it. Start with a zeroed schedule. BL_DATA names the word that is wrong: not of that form, a
 * number that is not 1 to SCHEDULE_PEOPLE_MAX, somebody twice. */
enum bl_status schedule_add_round(struct schedule *schedule, const char *row, struct bl_diag *diag);

/* The meetings to come and past ones: the pairs of a judge and an Entry that shall meet, each with
 * one confederate. Numbers need not be equal, and not everybody need play. Large; the caller's to
 * keep. */
struct schedule_need {
    unsigned judges, entries, confederates;
    /* One judge with one entity at a time (1996 r14, 2003 r42, 2004 A8.4, long bet II): a meeting's
     * `entry` is the number of a candidate, the confederates after the Entries, so is the second
     * index of entry_for_judge, and `confederate` is SCHEDULE_NOBODY. The rest is not looked at. */
    bool single;
    bool entry_for_judge[SCHEDULE_PEOPLE_MAX][SCHEDULE_PEOPLE_MAX]; /* pairs still to meet */
    bool absent[SCHEDULE_PEOPLE_MAX];                               /* confederates */
    /* Pairs with a confederate that must not be. */
    bool apart_judge[SCHEDULE_PEOPLE_MAX][SCHEDULE_PEOPLE_MAX];
    bool apart_entry[SCHEDULE_PEOPLE_MAX][SCHEDULE_PEOPLE_MAX];
    /* Times that each has met a confederate so far: such pairings come last. */
    uint8_t judge_met[SCHEDULE_PEOPLE_MAX][SCHEDULE_PEOPLE_MAX];
    uint8_t entry_met[SCHEDULE_PEOPLE_MAX][SCHEDULE_PEOPLE_MAX];
    uint16_t load[SCHEDULE_PEOPLE_MAX]; /* a confederate's meetings so far */
};
#define SCHEDULE_NOBODY 255

/* Where entities are met singly, confederates are counted on from the last Entry: the meeting's
 * confederate by his own number, SCHEDULE_NOBODY if it has none; and a candidate's name, "E2" or
 * "C1". */
unsigned schedule_confederate(const struct meeting *meeting, unsigned entries);
#define SCHEDULE_CODE_MAX 8
void schedule_code(unsigned candidate, unsigned entries, char out[SCHEDULE_CODE_MAX]);

/* The origin of a schedule. */
enum schedule_way {
    SCHEDULE_PRINTED, /* the rules' own table */
    SCHEDULE_SQUARE,  /* two orthogonal Latin squares */
    SCHEDULE_SOLVED,
    SCHEDULE_SINGLE,
};
const char *schedule_way_name(enum schedule_way way); /* "printed", "optimal", "solved", "single" */

/* The quality of a schedule. The wishes come first, then few rounds, then evenness: `wishes` are
 * the judges and Entries that are to meet a confederate whom they may meet, each such two counted
 * once. */
struct schedule_bound {
    enum schedule_way way;
    unsigned rounds_least; /* proven: there cannot be fewer rounds, whatever is wished */
    unsigned unmet;        /* pairs for which no confederate is there who may meet both: left out */
    uint8_t first_unmet[2]; /* one of them: judge, Entry */
    unsigned missing;       /* wishes that stay open */
    unsigned missing_least; /* proven: so many stay open in every schedule */
    unsigned uneven; /* meetings of somebody with one confederate, or of a confederate in all, more
                        or fewer than even */
    unsigned waits;  /* as schedule_waits() */
    bool apart;      /* some who play are kept apart, which may cost rounds */
    bool best;       /* proven for the whole: none is better in wishes, then in rounds, then in
                        evenness */
};

/* The schedule of a need. If all players are to meet all others, nobody is kept apart and the
 * numbers are equal, it is the printed table, if that is of this size (NULL: there is none, or the
 * fewest rounds are asked for), else the one of the fewest rounds from two orthogonal squares: as
 * many rounds as judges, but 4 for 2 and 7 for 6 (Tarry 1901: 6 are impossible). Near-equal numbers
 * begin with a rectangle cut out of squares; all else is searched for, and up to a certain size
 * proven, by a bounded number of steps, not by time, so the answer is the same each time. BL_DATA
 * when nobody is there to meet, or none of the pairs can; BL_NOMEM. */
enum bl_status schedule_make(struct schedule *schedule, const struct schedule_need *need,
                             const struct schedule *printed, struct schedule_bound *bound,
                             struct bl_diag *diag);

/* The wishes that a schedule leaves open: `missing` and `uneven` of the bound. */
void schedule_wishes(const struct schedule *schedule, const struct schedule_need *need,
                     struct schedule_bound *bound);

/* All pairs of so many, nobody absent or kept apart. */
void schedule_need_all(struct schedule_need *need, unsigned judges, unsigned entries,
                       unsigned confederates, bool single);

/* Puts the meetings in the order of their rounds, and of the judges in each. */
void schedule_sort(struct schedule *schedule);

/* Exchanges rounds as long as that saves somebody a wait; more than SCHEDULE_PEOPLE_MAX stay. */
void schedule_order(struct schedule *schedule);

/* The rules a schedule of pairs keeps. */
struct schedule_quality {
    unsigned booked_twice; /* people in two meetings of one round */
    /* The number of meetings of a pairing's two, at least and at most. */
    unsigned judge_entry[2], judge_confederate[2], entry_confederate[2];
    unsigned waits; /* as schedule_waits(); 0 where somebody is booked twice */
};
void schedule_measure(const struct schedule *schedule, struct schedule_quality *quality);

/* The rounds that judges and confederates sit out between their first meeting and their last, all
 * added up. Meetings may be in any order; nobody may be booked twice. */
unsigned schedule_waits(const struct schedule *schedule);

#endif
