/* The program of a booth's machine from power-on: its day (day.h) on a screen, tickets and records
 * in folders, the stick, and a terminal for each session as a program of its own. */
#ifndef BOOTH_DAY_RUN_H
#define BOOTH_DAY_RUN_H

#include "base/status.h"

#include <stdbool.h>

struct day_options {
    const char *place;   /* file with the machine's place; written when a person enters the place */
    const char *tickets; /* folder in which a stick appears */
    const char
        *folder; /* the Entries' own folder, of which an Entry gets a copy; NULL: the working one */
    const char *entries; /* the folder for Entries from the stick; NULL: beside the records */
    const char
        *keeper; /* socket of the system's keeper of Entries; NULL: the terminal starts one */
    const char
        *courier; /* file in which this machine's courier counts waiting records; NULL: none */
    const char *journal_dir; /* of tickets and records; NULL: the user's state directory */
    const char *screen;      /* see screens.h */
    const char *again;       /* a session for day_again(); NULL: run the day */
    bool kiosk, small;
};

/* Takes back the end of the session `again` for this machine, as F9 at the board does. BL_NOINPUT:
 * the session was not declared over. */
enum bl_status day_again(const struct day_options *options, struct bl_diag *diag);

/* Runs until a person leaves, or a signal ends it. */
enum bl_status day_run(const struct day_options *options, struct bl_diag *diag);

#endif
