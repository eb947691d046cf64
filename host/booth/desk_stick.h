/* A folder like a stick's, which this machine's courier lays out (courier/tickets.h): the tickets
 * of the manager's desk for the place. The machine takes them like a stick's. The newer tickets
 * count; of the same age, the stick's, which a person has carried. */
#ifndef BOOTH_DESK_STICK_H
#define BOOTH_DESK_STICK_H

#include "rules/stick.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum desk_stick {
    DESK_STICK_NOTHING,  /* there is no such folder, or nothing in it is new here */
    DESK_STICK_TAKEN,    /* the folder's tickets were taken */
    DESK_STICK_DISPUTED, /* differ from a stick's tickets of the same age; the stick's stay */
    DESK_STICK_FAULT     /* the tickets cannot be read, or not be kept */
};

/* The folder of the courier with this file; NULL: there is no courier, and the path is "". */
void desk_stick_path(const char *courier, char out[PATH_MAX]);

/* A number that differs once the folder's list is another one; 0: no folder. */
uint64_t desk_stick_mark(const char *dir);

/* Takes the place's tickets into `own`. DISPUTED: diag has the name of the first that differs;
 * records/desk.disputed keeps that name for the courier while the dispute lasts. FAULT: why. */
enum desk_stick desk_stick_take(const char *dir, const char *place, const char *own,
                                const char *records, struct bl_diag *diag);

/* True: the tickets here are the desk's. */
bool desk_stick_counts(const char *records);

/* Records that the tickets here are a stick's now. */
void desk_stick_forget(const char *records);

#endif
