/* The desk's tickets for the place, in a folder like a stick's. This machine's courier writes the
 * folder (courier/tickets.h). Of the stick's tickets and the desk's, the newer ones count; of equal
 * age, the stick's. */
#ifndef BOOTH_DESK_STICK_H
#define BOOTH_DESK_STICK_H

#include "rules/stick.h"

#include <limits.h>
#include <stdbool.h>

enum desk_stick {
    DESK_STICK_NOTHING,  /* the folder is missing, or has nothing new for this machine */
    DESK_STICK_TAKEN,    /* the folder's tickets were taken */
    DESK_STICK_DISPUTED, /* the tickets differ from the stick's of the same age; the stick's stay */
    DESK_STICK_FAULT     /* the tickets cannot be read or written */
};

/* Writes the path of the folder. courier: the courier's file; NULL: there is no courier, and the
 * path is "". */
void desk_stick_path(const char *courier, char out[PATH_MAX]);

/* Takes the place's tickets into `own`. DISPUTED: diag has the name of the first that differs;
 * records/desk.disputed keeps that name for the courier while the dispute lasts. FAULT: why. */
enum desk_stick desk_stick_take(const char *dir, const char *place, const char *own,
                                const char *records, struct bl_diag *diag);

/* True if this machine's tickets are the desk's. */
bool desk_stick_counts(const char *records);

/* Records that this machine's tickets are now a stick's. */
void desk_stick_forget(const char *records);

#endif
