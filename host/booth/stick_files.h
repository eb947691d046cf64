/* A stick's files on the way to and from a machine. A machine takes the folder of its own place
 * alone, and puts its records into a folder of their own. Each file is written under another name,
 * synced and renamed, and its folder synced: a pulled stick has the old file or the new one. These
 * functions block, so they are for the time between sessions. */
#ifndef BOOTH_STICK_FILES_H
#define BOOTH_STICK_FILES_H

#include "rules/stick.h"

#include <limits.h>
#include <stdbool.h>

/* True if there is a stick with a folder of ours at `dir`. */
bool stick_is_in(const char *dir);

/* Checks the stick against its list, for one folder: a place's, or a judge's with the ranks.
 * BL_DATA: there is no list, the stick was pulled while it was written, a file is missing or
 * differs, there is more than a machine takes, or a folder is a link. BL_UNAVAIL: it is the other
 * room's. BL_BUSY: it is older than the last stick of that contest here. BL_OK: `records` remembers
 * it as the last one. A stick of another contest with tickets of this place switches the
 * records to its contest (contest_records.h). */
enum bl_status stick_check(const char *dir, const char *folder, const char *records,
                           struct bl_diag *diag);

/* The age compared with the last stick of that contest here; the first stick is newer. A stick
 * without a list is older. */
enum stick_age { STICK_OLDER, STICK_SAME_AGE, STICK_NEWER, STICK_OTHER_CONTEST };
enum stick_age stick_age(const char *dir, const char *records);

/* True: `own` holds exactly the files of that folder in the list, apart from the place's key.
 * False: `name` is a file that differs. */
bool stick_is_here(const char *dir, const char *folder, const char *own, char name[STICK_PATH_MAX]);

/* Forgets the last stick: a person has said that the older one is to be used. */
void stick_forget(const char *records);

/* Makes `own` hold exactly the files that the stick's list has in the folder of that name, readable
 * for this user alone (FAT has no modes). The other files stay on the stick. A stick without such a
 * folder changes nothing. *changed: there was a change. The caller checks the stick first. BL_FULL,
 * BL_IO, BL_NOPERM: the files are as before, or partly new; a repetition completes them. */
enum bl_status stick_take(const char *dir, const char *folder, const char *own, bool *changed,
                          struct bl_diag *diag);

/* Copies the place's key, if a stick has brought one to `own`, into `records`, where the courier
 * finds it; replaces a different key. */
enum bl_status stick_keep_key(const char *own, const char *records, struct bl_diag *diag);

/* Installs the named Entry, whole or not at all (entity/install.h), into the folder `entries`,
 * which it makes. An installed Entry needs no stick. BL_NOINPUT: neither installed nor on the
 * stick. */
enum bl_status stick_take_entry(const char *dir, const char *name, const char *entries,
                                struct bl_diag *diag);

/* Copies the first judge's folder for ranks that no machine has taken, or that `place` has, into
 * `records`, and marks it on the stick. *judge is its judge, from 0. BL_NOINPUT: there is none. */
enum bl_status stick_take_ranks(const char *dir, const char *place, const char *records,
                                unsigned *judge, struct bl_diag *diag);

/* Copies the ranks that a judge has given into `records`, where they stay: a courier finds them
 * there. */
enum bl_status stick_keep_ranks(const char *records, unsigned judge, const char *ballot,
                                struct bl_diag *diag);

/* Does stick_keep_ranks() and stick_give(). Then removes the judge's folder, here and on the stick;
 * the stick's stays if it is for other ranks, as of the next trial. Ranks that `records` has
 * already are given again. */
enum bl_status stick_give_ranks(const char *dir, const char *place, const char *records,
                                unsigned judge, const char *ballot, struct bl_diag *diag);

/* Copies the journals and ballots of `records` that the stick lacks, or has shorter, into its
 * records/PLACE. A file of that name from another machine of the place stays unchanged, and this
 * machine's goes to records/PLACE-2, and so on. BL_FULL: the stick is full. */
enum bl_status stick_give(const char *dir, const char *place, const char *records,
                          struct bl_diag *diag);

/* The path of the named record on the stick, written by a machine of the place. False: none, not a
 * regular file, or too long. */
bool stick_record(const char *dir, const char *place, const char *name, char path[PATH_MAX]);

/* Removes a folder with the files in it. */
void stick_remove_folder(const char *path);

#endif
