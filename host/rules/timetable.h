/* The times of the rounds, and the moves of people before each round. Pure.
 *
 * Sources: 2004 B5 and 2009 §3b (the rounds' lengths; excused judges are kept separate from excused
 * confederates, and both from the competition). */
#ifndef RULES_TIMETABLE_H
#define RULES_TIMETABLE_H

#include "base/status.h"
#include "rules/schedule.h"

#define TIMETABLE_BREAKS   8
#define TIMETABLE_CHANGE_S 300 /* the default: to vote and to change places */

struct timetable {
    bool known;         /* the rules or the venue state the length of a round */
    unsigned start_s;   /* start of the first round, in seconds since midnight */
    unsigned session_s; /* time from a round's start to the end of its last segment but `change` */
    unsigned change_s;  /* time from that end to the next round's start */
    unsigned breaks;
    struct {
        unsigned after; /* number of rounds before the break */
        unsigned seconds;
    } pause[TIMETABLE_BREAKS];
};

/* Makes a timetable. plan: as in a ruleset, "300 left,300 right,600 review,300 change"; empty: the
 * times stay unknown. start: "9:30"; NULL: 10:00. breaks: "4=60,6=15", additional minutes after a
 * round; NULL: none. BL_USAGE names the fault. */
enum bl_status timetable_make(struct timetable *timetable, const char *plan, const char *start,
                              const char *breaks, struct bl_diag *diag);

/* The start, or the end, of a round (from 0), in seconds since the midnight before the first
 * round. */
unsigned timetable_begin(const struct timetable *timetable, unsigned round);
unsigned timetable_end(const struct timetable *timetable, unsigned round);

#define TIMETABLE_CLOCK 16
/* Writes "10:25", with seconds if they are not 0 "10:25:30", and for a later day "00:10 +1". */
void timetable_clock(unsigned seconds, char out[TIMETABLE_CLOCK]);

/* A person's location: a booth. Its number is that of its Entry; if entities are met singly, of its
 * candidate. */
#define PLACE_REST                                                                                 \
    PERSON_NOBODY /* the rest room for the person's role, or not at the contest yet */

struct move {
    bool is_judge; /* false: a confederate */
    person_number number, from, to;
    bool corridor; /* to or from the rest room; other moves stay inside a room */
};

#define MOVES_MAX (2 * SCHEDULE_PEOPLE_MAX)

/* Lists the moves before a round, judges first, by number; round == schedule->rounds: after the
 * last round. Returns the number of moves. If entities are met singly, each confederate stays in
 * one booth. */
unsigned timetable_moves(const struct schedule *schedule, unsigned round,
                         struct move move[MOVES_MAX]);

bool timetable_meet(const struct move *move, unsigned count);

#endif
