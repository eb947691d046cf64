/* Copies files between a stick and a machine. A machine takes only the folder of its own place, and
 * puts its records into another folder. Each file is written under another name, synced and
 * renamed, and its folder synced. A pulled stick has the old file or the new one. These functions
 * block: they are for the time between sessions. */
#ifndef BOOTH_STICK_FILES_H
#define BOOTH_STICK_FILES_H

#include "rules/stick.h"

#include <limits.h>
#include <stdbool.h>

/* True if there is a stick at `dir` with a boothlink folder. */
bool stick_is_in(const char *dir);

/* A number that changes with the list of the stick, or of the folder like a stick's, at `dir`; 0:
 * there is none. */
uint64_t stick_mark(const char *dir);

/* Checks the stick against its list, for one folder: a place's, or a judge's with the ranks.
 * BL_DATA: the list is missing, a file is missing or differs, there is more than a machine takes,
 * or a folder is a link. BL_UNAVAIL: the stick is the other room's. BL_BUSY: the stick is older
 * than the last one of its contest here. BL_OK: `records` remembers the stick as the last one. A
 * stick of another contest with tickets of this place switches the records to its contest
 * (contest_records.h). */
enum bl_status stick_check(const char *dir, const char *folder, const char *records,
                           struct bl_diag *diag);

/* The stick's age relative to the last stick of its contest here. A first stick is newer; a stick
 * without a list is older. */
enum stick_age { STICK_OLDER, STICK_SAME_AGE, STICK_NEWER, STICK_OTHER_CONTEST };
enum stick_age stick_age(const char *dir, const char *records);

/* True if `own` has exactly the files that the list has in that folder, apart from the place's key.
 * Otherwise `name` is a file that differs. */
bool stick_is_here(const char *dir, const char *folder, const char *own, char name[STICK_PATH_MAX]);

/* Forgets the last stick, so that an older one is not refused. */
void stick_forget(const char *records);

/* Makes `own` hold exactly the files that the stick's list has for the folder `folder`, readable
 * for this user alone (FAT has no modes). No effect if the stick has no such folder. *changed: a
 * file changed. The caller has checked the stick. BL_FULL, BL_IO, BL_NOPERM: some files may be new;
 * a repetition completes them. */
enum bl_status stick_take(const char *dir, const char *folder, const char *own, bool *changed,
                          struct bl_diag *diag);

/* Copies the place's key, if a stick brought one, from `own` to `records`, for the courier.
 * Replaces a different key. */
enum bl_status stick_keep_key(const char *own, const char *records, struct bl_diag *diag);

/* Installs the named Entry (entity/install.h), whole or not at all, in the folder `entries`, which
 * is made if missing. An installed Entry needs no stick. BL_NOINPUT: the Entry is neither installed
 * nor on the stick. */
enum bl_status stick_take_entry(const char *dir, const char *name, const char *entries,
                                struct bl_diag *diag);

/* Finds the first judge's folder for ranks that no other place has taken. Marks the folder on the
 * stick as taken, and copies it to `records`. *judge: the judge, from 0. BL_NOINPUT: none. */
enum bl_status stick_take_ranks(const char *dir, const char *place, const char *records,
                                unsigned *judge, struct bl_diag *diag);

/* Copies a judge's given ranks from the judge's folder to `records`, for the courier. */
enum bl_status stick_keep_ranks(const char *records, unsigned judge, const char *ballot,
                                struct bl_diag *diag);

/* Does stick_keep_ranks() and stick_give(). Then removes the judge's folder here and on the stick.
 * A folder on the stick for other ranks, such as the next trial's, stays. */
enum bl_status stick_give_ranks(const char *dir, const char *place, const char *records,
                                unsigned judge, const char *ballot, struct bl_diag *diag);

/* Copies the journals and ballots of `records` that the stick lacks, or has shorter, to the stick's
 * records/PLACE. If that folder has a file of the same name from another machine of the place, this
 * machine's file goes to records/PLACE-2, and so on. BL_FULL: the stick is full. */
enum bl_status stick_give(const char *dir, const char *place, const char *records,
                          struct bl_diag *diag);

/* Finds the path of the named record on the stick, from a machine of the place. False: there is
 * none, it is not a regular file, or its path is too long. */
bool stick_record(const char *dir, const char *place, const char *name, char path[PATH_MAX]);

/* Removes a folder with the files in it. */
void stick_remove_folder(const char *path);

#endif
