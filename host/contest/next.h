/* The next steps in a contest, from its record, for each verb's last lines. Pure. */
#ifndef CONTEST_NEXT_H
#define CONTEST_NEXT_H

#include "contest/contest.h"
#include "contest/selection.h"

#define CONTEST_NEXT_MAX 8192

/* The paths of a contest's files: its record, and the files given to setup (NULL or "": setup did
 * not make the contest). A contest made by setup gets its ballots by two sticks, and its ballots
 * begin their rounds. */
struct next_place {
    const char *path, *people, *venue;
    const char *inbox; /* the folder of the contest's desk; NULL or "": records come by stick */
    /* A session with a differing ballot file to be settled (NULL: none), that file's number, and
     * the number of the session's files. */
    const char *disputed;
    unsigned disputed_file, disputed_count;
    unsigned unrecorded; /* a judge, from 1, with ranks to give and missing records; 0: none */
    bool stands;         /* the caller has just printed the contest's state */
    /* Steps after the seal whose outcome exists, newer than the contest's record. */
    bool converted, published, reported, verified;
    const char *bundle; /* the folder for the next bundle, under rules that publish no names */
};

#define CONTEST_WORD_MAX 1024
/* The text as one word of a shell. A word without room is left out; the command then fails, and
 * touches no other file. */
void contest_next_word(char out[CONTEST_WORD_MAX], const char *text);

/* The source of records as words of a shell: the desk's folder, or sticks as mounted by a desktop.
 * The text lives until the next call. */
const char *contest_next_from(const char *inbox);

/* True if there are more Entries than places in the final round, and no finalists on record. */
bool contest_wants_selection(const struct contest *contest);

/* Writes lines to be pasted into a shell after the "Next: ", each with a reason after a #, such as
 * "Next: boothlink contest schedule FILE # J2 is in no round". boothlink-day(7) describes the
 * steps. */
void contest_next_step(const struct contest *contest, const struct next_place *place,
                       char text[CONTEST_NEXT_MAX]);

/* The next step when tickets and sheets of the rounds to come are out of date. */
void contest_next_tickets(const struct contest *contest, const struct next_place *place,
                          char text[CONTEST_NEXT_MAX]);

/* The next step when the rounds to come are out of date; "": none. */
void contest_next_schedule(const struct contest *contest, const struct next_place *place,
                           char text[CONTEST_NEXT_MAX]);

/* The next step of a selection; "": it is made and the rounds have begun. */
void contest_next_selection(const struct contest *contest, const struct selection *selection,
                            const struct next_place *place, char text[CONTEST_NEXT_MAX]);

#endif
