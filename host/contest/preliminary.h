/* The sessions of a preliminary round, with judges and Entries only: 2003 r33, r34; the Prelim
 * Eight of 2004 A8.4. Their outcome is a judge's list, or an Entry's score. Pure. */
#ifndef CONTEST_PRELIMINARY_H
#define CONTEST_PRELIMINARY_H

#include "contest/venue.h"

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

/* Makes the sessions. Each preliminary judge meets the allotted Entries, or all Entries without
 * allotments. If there are no preliminary judges, the contest's judges meet them. Sessions are in
 * the order of judges, then of turns; each person has at most one in a turn. BL_DATA: the rules
 * have no such round, or all Entries go on without it; there is no judge, or one has more Entries
 * than the rules allow; the final round has begun. */
enum bl_status preliminary_make(struct preliminary *round, const struct contest *contest,
                                struct bl_diag *diag);

/* Gives each judge a booth of the venue. More judges than booths take turns. BL_DATA: cable A of
 * booth 1 has no ports. */
enum bl_status preliminary_seat(struct preliminary *round, const struct venue *venue,
                                struct bl_diag *diag);

/* Writes "p1-e3"; "j1-e3" for a judge of the contest; "p1-e3-2" for the second `time`. */
void preliminary_name(const struct preliminary *round, const struct preliminary_session *session,
                      unsigned time, char out[CONTEST_SESSION_MAX]);

/* True: a session's name is one of these. */
bool preliminary_has_name(const char *name);

#endif
