/* Taking records out of folders into the contest: journals and ballot files into its folder of
 * records, judges' votes into its acts. Known files are passed over, so a folder can be collected
 * as often as one likes, and a stopped collecting goes on. The beginning of a known file changes
 * nothing. One that has grown may correct its own ballot; another file with another ballot is kept
 * and told, and the manager settles the choice. */
#ifndef DESK_COLLECT_H
#define DESK_COLLECT_H

#include "contest/act_body.h"
#include "rules/ballot_file.h"

struct collect {
    const struct contest *contest;
    const char *file;    /* the contest's, as a word of a shell, for printed commands */
    const char *records; /* the folder they go to; NULL: ballots alone are taken */
    bool correct;        /* a ballot takes the place of another, typed one */
    bool begin;          /* a given ballot shows the begin of its round */
    /* Appends an act, which counts from then on. */
    enum bl_status (*append)(void *ctx, const struct act_body *act, struct bl_diag *diag);
    /* A machine has signed a ballot not confirmed: it may confirm it now, by an act. NULL: nobody
     * is there to say. BL_OK also where it stays as it is. */
    enum bl_status (*confirm)(void *ctx, const uint8_t key[BALLOT_KEY], const char *path,
                              struct bl_diag *diag);
    /* Tells the outcome of a file: "r1-j2: recorded", or its fault. */
    void (*tell)(void *ctx, const char *path, const char *what);
    void *ctx;
    unsigned files, taken, ballots, refused; /* records that were seen, that were new, ... */
};

/* The machine's place by the folder of its records on a stick, booth-1-judge; "a judge's machine"
 * where it is in none. */
void collect_place(char place[CONTEST_MACHINE_PLACE], const char *path);

/* Records a ballot file's vote, or BL_DATA, or BL_OK with *recorded false: it is known. Another
 * ballot than the contest has takes `correct`. */
enum bl_status collect_ballot(struct collect *collect, const struct ballot_file *ballot,
                              const char *path, bool *recorded, struct bl_diag *diag);

/* Collects all records below the folder `path`, or `path` itself if it is a file. A refused record
 * is told and counted, the others are taken. */
enum bl_status collect_folder(struct collect *collect, const char *path, struct bl_diag *diag);

/* Settles the ballot file of a session, by its number and the manager's word: its ballot, and then
 * an act on the choice. BL_DATA: no such file, or of another session. */
enum bl_status collect_settle(struct collect *collect, const char *session, const char *number,
                              const char *why, bool *recorded, struct bl_diag *diag);

/* The missing records of the rounds begun: each ballot, journal and ranking on a line of its own,
 * given to `say`. Returns their number; *ranks: the number of rankings among them. */
unsigned collect_missing(const struct contest *contest, const char *records,
                         void (*say)(void *ctx, const char *line), void *ctx, unsigned *ranks);

/* A judge, from 1, who has to rank and cannot at a booth, as the journal or the ballot file of a
 * session of his was not collected; 0: there is none. */
unsigned collect_unrecorded(const struct contest *contest, const char *records);

/* A session of which a collected ballot file says something else than the contest has, and the
 * manager has not settled it: file `file`, from 1, of `count`. */
struct collect_dispute {
    char session[CONTEST_SESSION_MAX];
    unsigned file, count;
};

/* The number of such sessions, those of ranks among them; *first is set if there is one. */
unsigned collect_disputed(const struct contest *contest, const char *records,
                          struct collect_dispute *first);

#endif
