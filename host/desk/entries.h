/* The Entries' folders as they were handed in, on the manager's machine: their names in tickets,
 * and their way to the back room's stick. */
#ifndef DESK_ENTRIES_H
#define DESK_ENTRIES_H

#include "contest/venue.h"
#include "rules/stick.h"

/* Finds the handed-in folders by the venue's file, from the folder of that file on, and holds each
 * folder against its manifest: fills in the names, the paths, and the programs that are left out.
 * The first fault, or all of them, at their lines. */
enum bl_status entries_find(struct venue *venue, const char *path, struct bl_diag *diag);
void entries_find_all(struct venue *venue, const char *path, struct faults *faults);

/* Puts them into `folder`, boothlink/ of a stick. */
enum bl_status entries_write(const struct venue *venue, const char *folder, struct bl_diag *diag);

/* "entries/eliza-0e57.../boothlink.manifest": is it a manifest in a stick's list? Then the Entry's
 * folder is written to `entry`. */
bool entries_is_manifest(const char *path, char entry[STICK_PATH_MAX]);

#endif
