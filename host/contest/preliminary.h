/* The sessions of a preliminary round, of judges and Entries alone: 2003 r33, r34; the Prelim Eight
 * of 2004 A8.4. They have no ballots: they yield a judge's list, or an Entry's score. Pure. */
#ifndef CONTEST_PRELIMINARY_H
#define CONTEST_PRELIMINARY_H

#include "contest/venue.h"

/* Numbers count from 0. */
struct preliminary_session {
    uint8_t judge, entry, turn;
    uint8_t booth;  /* the judge's booth, for the whole round */
    uint16_t order; /* number among the booth's sessions */
};

struct preliminary {
    enum contest_role role; /* role of its judges */
    unsigned judges;        /* number of judges */
    unsigned turns;         /* number of turns: the most sessions of a judge or an Entry */
    unsigned count;
    struct preliminary_session session[SCHEDULE_ENTRIES_MAX * SCHEDULE_ENTRIES_MAX];
};

/* Each preliminary judge meets each Entry that the judge was allotted, or all Entries without
 * allotments; without preliminary judges the contest's judges meet them. Sessions are in the order
 * of judges, then of turns; nobody has two in one turn. BL_DATA: the rules have no such round, or
 * all Entries go on without it; there is no judge, or one has more Entries than the rules allow;
 * the final round has begun. */
enum bl_status preliminary_make(struct preliminary *round, const struct contest *contest,
                                struct bl_diag *diag);

/* Gives each judge a booth of the venue; more judges than booths take turns. BL_DATA: cable A of
 * booth 1 has no ports. */
enum bl_status preliminary_seat(struct preliminary *round, const struct venue *venue,
                                struct bl_diag *diag);

/* "p1-e3"; "j1-e3" of a judge of the contest; "p1-e3-2" when it is held for the second `time`. */
void preliminary_name(const struct preliminary *round, const struct preliminary_session *session,
                      unsigned time, char out[CONTEST_SESSION_MAX]);

/* True: a session's name is one of these. */
bool preliminary_has_name(const char *name);

#endif
