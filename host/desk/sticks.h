/* Writes the tickets of a contest as two folders, each the whole content of a stick:
 * OUT/judges-room and OUT/back-room, as in rules/stick.h. Files in an earlier run's list that the
 * new list lacks are removed; a booth's records stay. The list has the word "writing" until all
 * files are written. The next run completes an interrupted stick. */
#ifndef DESK_STICKS_H
#define DESK_STICKS_H

#include "contest/venue.h"

struct sticks_request {
    const struct contest *contest;
    const struct venue *venue;
    const char *out;  /* the folder */
    const char *keys; /* the folder with the keys of lines, referee and places: desk/key_files.h */
    const char
        *rules; /* text of the contest's ruleset, for machines without it; NULL: they have it */
    unsigned
        preliminary; /* the preliminary round's holding, from 1; 0: the contest's own sessions */
    const char
        *records; /* the folder of collected records, for the judges' ranks; NULL: no ranks */
    void (*progress)(unsigned done, unsigned of); /* files of a stick are written; or NULL */
};

/* *tickets: the number of tickets; *ranks: the number of judges with records. Tickets, keys and
 * records are read before any file is written. BL_DATA from the writer of tickets (venue.h);
 * BL_NOINPUT: a key or a record is missing; BL_FULL, BL_NOPERM, BL_IO with the path. */
enum bl_status sticks_write(const struct sticks_request *request, unsigned *tickets,
                            unsigned *ranks, struct bl_diag *diag);

#endif
