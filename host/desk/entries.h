/* The handed-in folders of Entries on the manager's machine: their names for tickets, and their
 * copies on the back room's stick. */
#ifndef DESK_ENTRIES_H
#define DESK_ENTRIES_H

#include "contest/venue.h"
#include "rules/stick.h"

/* Finds the handed-in folders of the venue's file, relative to its folder, and compares each folder
 * with its manifest. Fills in names, paths, and programs that the file leaves out. Reports the
 * first fault, or all faults, at their lines. */
enum bl_status entries_find(struct venue *venue, const char *path, struct bl_diag *diag);
void entries_find_all(struct venue *venue, const char *path, struct faults *faults);

/* Copies the Entries' folders into `folder`, a stick's boothlink/. */
enum bl_status entries_write(const struct venue *venue, const char *folder, struct bl_diag *diag);

/* True if a path in a stick's list is a manifest, "entries/eliza-0e57.../boothlink.manifest". Then
 * the Entry's folder is written to `entry`. */
bool entries_is_manifest(const char *path, char entry[STICK_PATH_MAX]);

#endif
