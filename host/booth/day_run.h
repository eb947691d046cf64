/* The program of a booth's machine from power-on: its day (day.h) on a screen, with its tickets and
 * records in folders, the stick, and each session's terminal as a program of its own. */
#ifndef BOOTH_DAY_RUN_H
#define BOOTH_DAY_RUN_H

#include "base/status.h"

#include <stdbool.h>

struct day_options {
    const char *place;   /* file of the machine's place; made if a person says it */
    const char *tickets; /* folder where a stick is, when it is in */
    const char *folder;  /* the Entries' own, of which one gets a copy; NULL: the working one */
    const char *entries; /* the folder for Entries from the stick; NULL: beside the records */
    const char
        *keeper; /* socket of the system's keeper of Entries; NULL: the terminal starts one */
    const char *courier;     /* file in which this machine's courier says what waits; NULL: none */
    const char *journal_dir; /* of tickets and records; NULL: the user's state directory */
    const char *screen;      /* see screens.h */
    const char *again;       /* for day_again(): a session; NULL: the day is to be run */
    bool kiosk, small;
};

/* Takes back the end of the session `again` for the machine, as F9 at the board does. BL_NOINPUT:
 * nobody has said so. */
enum bl_status day_again(const struct day_options *options, struct bl_diag *diag);

/* Runs until somebody leaves, or a signal ends it. */
enum bl_status day_run(const struct day_options *options, struct bl_diag *diag);

#endif
