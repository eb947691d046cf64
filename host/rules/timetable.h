/* The times of the rounds, and the moves before each. Pure.
 *
 * Sources: 2004 B5 and 2009 §3b (the rounds' lengths; excused judges are kept separate from
 * excused confederates, and both from the competition). */
#ifndef RULES_TIMETABLE_H
#define RULES_TIMETABLE_H

#include "base/status.h"
#include "rules/schedule.h"

#define TIMETABLE_BREAKS   8
#define TIMETABLE_CHANGE_S 300 /* where the plan names none: to vote, and to change places */

struct timetable {
    bool known;         /* the rules, or the venue, say how long a round takes */
    unsigned start_s;   /* of the first round; seconds since midnight */
    unsigned session_s; /* a round until its last segment that is not `change` ends */
    unsigned change_s;  /* until the next one begins */
    unsigned breaks;
    struct {
        unsigned after; /* rounds */
        unsigned seconds;
    } pause[TIMETABLE_BREAKS];
};

/* `plan` as in a ruleset: "300 left,300 right,600 review,300 change"; empty: the times stay
 * unknown. `start` is "10:00", NULL for that. `breaks` is "4=60,6=15", minutes more after a round;
 * NULL for none. BL_USAGE names the fault. */
enum bl_status timetable_make(struct timetable *timetable, const char *plan, const char *start,
                              const char *breaks, struct bl_diag *diag);

/* Of a round, from 0; seconds since the midnight before the first one. */
unsigned timetable_begin(const struct timetable *timetable, unsigned round);
unsigned timetable_end(const struct timetable *timetable, unsigned round);

#define TIMETABLE_CLOCK 16
/* "10:25"; on a later day "00:10 +1". Seconds, where there are any: "10:25:30". */
void timetable_clock(unsigned seconds, char out[TIMETABLE_CLOCK]);

/* A person's location: a booth by its Entry or, if entities are met singly, its candidate. */
#define PLACE_REST 255 /* the rest room of his kind, or not at the contest yet */

struct move {
    bool is_judge; /* else a confederate */
    uint8_t number, from, to;
    bool corridor; /* leaves or enters the rest room; between booths a judge stays in the judges'
                      room, a confederate in the back room */
};

#define MOVES_MAX (2 * SCHEDULE_PEOPLE_MAX)

/* The moves before a round; round == schedule->rounds: after the last. Judges first, by number.
 * Returns their number. If entities are met singly each confederate has a booth of his own and
 * stays in it from the first round to the last. */
unsigned timetable_moves(const struct schedule *schedule, unsigned round,
                         struct move move[MOVES_MAX]);

/* Could a judge and a confederate meet in the corridor? */
bool timetable_meet(const struct move *move, unsigned count);

#endif
