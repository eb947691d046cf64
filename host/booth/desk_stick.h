/* The folder like a stick's that this machine's courier lays out (courier/tickets.h), with the
 * tickets that the manager's desk has for the place. They are taken as a stick's are, and the newer
 * of the two counts. Of one age, those of the stick count, which a person has carried. */
#ifndef BOOTH_DESK_STICK_H
#define BOOTH_DESK_STICK_H

#include "rules/stick.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum desk_stick {
    DESK_STICK_NOTHING,  /* there is no such folder, or nothing in it is new here */
    DESK_STICK_TAKEN,    /* its tickets are here */
    DESK_STICK_DISPUTED, /* differ from a stick's tickets of the same age; the stick's stay */
    DESK_STICK_FAULT     /* they cannot be kept */
};

/* The folder of the courier that has this file; NULL: there is no courier, and the path is "". */
void desk_stick_path(const char *courier, char out[PATH_MAX]);

/* Other numbers say that the folder may be another one; 0: there is none. */
uint64_t desk_stick_mark(const char *dir);

/* Takes the place's tickets into `own`. DISPUTED: diag has the name of the first that differs;
 * FAULT: why. */
enum desk_stick desk_stick_take(const char *dir, const char *place, const char *own,
                                const char *records, struct bl_diag *diag);

/* True: the tickets here are the desk's. */
bool desk_stick_counts(const char *records);

/* They are a stick's now. */
void desk_stick_forget(const char *records);

#endif
