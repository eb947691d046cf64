/* The program of a booth's machine from power-on: the day (day.h) on a screen, the folders of
 * tickets and records, the stick, and a terminal for each session as a program of its own. */
#ifndef BOOTH_DAY_RUN_H
#define BOOTH_DAY_RUN_H

#include "base/status.h"

#include <stdbool.h>

struct day_options {
    const char *place;   /* file with the machine's place; a person may enter the place */
    const char *tickets; /* folder at which a stick appears */
    const char
        *folder; /* folder of an Entry that has no folder of its own, of which the Entry gets a
                  * copy; NULL: the working directory */
    const char *entries; /* folder for Entries from the stick; NULL: "entries" in the records'
                          * folder */
    const char
        *keeper; /* socket of the system's keeper of Entries; NULL: the terminal starts a keeper */
    const char *courier;     /* file with the courier's number of waiting records; NULL: none */
    const char *journal_dir; /* folder of tickets and records; NULL: the user's state directory */
    const char *screen;      /* see screens.h */
    const char *again;       /* a session's name: day_again() is called; NULL: day_run() */
    bool kiosk, small;
};

/* Takes back the declaration that the session `again` is over at this machine, as F9 at the board
 * does. BL_NOINPUT: there is no such declaration. */
enum bl_status day_again(const struct day_options *options, struct bl_diag *diag);

/* Runs the day until a person leaves, or a signal ends it. */
enum bl_status day_run(const struct day_options *options, struct bl_diag *diag);

#endif
