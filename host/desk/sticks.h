/* The tickets of a contest as two folders, each the whole content of a stick: OUT/judges-room and
 * OUT/back-room, as rules/stick.h has it. Files of an earlier writing are taken away, as far as its
 * list names them; nothing else in the folders is touched, a booth's records least of all. The list
 * says "writing" until all is there, so a stick on which it stopped in between is known, and the
 * next writing goes on. */
#ifndef DESK_STICKS_H
#define DESK_STICKS_H

#include "contest/venue.h"

struct sticks_request {
    const struct contest *contest;
    const struct venue *venue;
    const char *out; /* the folder */
    const char
        *keys; /* the folder of the lines' keys, the referee's and the places': desk/key_files.h */
    const char
        *rules; /* text of the contest's ruleset where no machine has it; NULL: they have it */
    unsigned preliminary; /* the round's time; 0: the sessions of the contest */
    const char *records;  /* NULL, or the folder of collected records, to write the judges' ranks */
};

/* *tickets: their number; *ranks: the number of judges with records. All faults are found before
 * anything is written. BL_DATA from the writing of tickets (venue.h); BL_NOINPUT: a key or a record
 * is missing; BL_FULL, BL_NOPERM, BL_IO with the path. */
enum bl_status sticks_write(const struct sticks_request *request, unsigned *tickets,
                            unsigned *ranks, struct bl_diag *diag);

#endif
