/* Takes records from folders: journals and ballot files into the contest's folder of records,
 * judges' votes into its acts. Known files are passed over, so a folder can be collected again,
 * also after an interruption. A file that is the beginning of a known file has no effect. A grown
 * file may correct its own earlier ballot. A different file with another ballot is kept and
 * reported; the manager settles the choice. */
#ifndef DESK_COLLECT_H
#define DESK_COLLECT_H

#include "contest/act_body.h"
#include "rules/ballot_file.h"

struct collect {
    const struct contest *contest;
    const char *file;    /* the contest's file as a word of a shell, for printed commands */
    const char *records; /* the folder of collected records; NULL: ballots alone are taken */
    bool correct;        /* a ballot may replace a typed one */
    bool begin;          /* a given ballot begins its round */
    /* Appends an act to the contest, which has it from then on. */
    enum bl_status (*append)(void *ctx, const struct act_body *act, struct bl_diag *diag);
    /* Called for a ballot signed by an unconfirmed machine, to confirm the machine by an act.
     * BL_OK: also if the machine stays unconfirmed. NULL: no confirmation is possible. */
    enum bl_status (*confirm)(void *ctx, const uint8_t key[BALLOT_KEY], const char *path,
                              struct bl_diag *diag);
    /* Reports the outcome of a file: "r1-j2: recorded", or its fault. */
    void (*tell)(void *ctx, const char *path, const char *what);
    void *ctx;
    unsigned files, taken, ballots,
        refused; /* numbers of records: seen, new, recorded as ballots, refused */
};

/* The machine's place, by the folder of its records on a stick, booth-1-judge; without such a
 * folder, "a judge's machine". */
void collect_place(char place[CONTEST_MACHINE_PLACE], const char *path);

/* Records a ballot file's vote. BL_OK with *recorded false: the vote is known already. BL_DATA;
 * BL_BUSY: the contest has another ballot, which the file may not replace. */
enum bl_status collect_ballot(struct collect *collect, const struct ballot_file *ballot,
                              const char *path, bool *recorded, struct bl_diag *diag);

/* Collects all records below the folder `path`, or the file `path`. A refused record is reported
 * and counted, and the others are taken. */
enum bl_status collect_folder(struct collect *collect, const char *path, struct bl_diag *diag);

/* Settles a session's ballots by the manager's word: records the ballot of the session's file of
 * that number, then the choice. BL_DATA: no such file, or one of another session. */
enum bl_status collect_settle(struct collect *collect, const char *session, const char *number,
                              const char *why, bool *recorded, struct bl_diag *diag);

/* The missing records of the begun rounds: gives each ballot, journal, survey and ranking to `say`,
 * on a line of its own. Returns their number. *ranks: the number of rankings, if only rankings and
 * surveys are missing; otherwise 0. *surveys: the number of surveys. */
unsigned collect_missing(const struct contest *contest, const char *records,
                         void (*say)(void *ctx, const char *line), void *ctx, unsigned *ranks,
                         unsigned *surveys);

/* A judge, from 1, who has to rank but cannot at a booth, because a journal or ballot file of the
 * judge's sessions was not collected; 0: none. */
unsigned collect_unrecorded(const struct contest *contest, const char *records);

/* A session with a ballot file, number `file` from 1 of `count`, that differs from the contest's
 * vote and is not settled. */
struct collect_dispute {
    char session[CONTEST_SESSION_MAX];
    unsigned file, count;
};

/* The number of sessions and rankings with such a file; *first is the first of them. */
unsigned collect_disputed(const struct contest *contest, const char *records,
                          struct collect_dispute *first);

#endif
