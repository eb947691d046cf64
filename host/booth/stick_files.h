/* A stick's files on the way to and from a machine. A machine takes the folder of its own place and
 * nothing else, and puts its records into a folder of their own. Each file is written under another
 * name, synced, renamed, and its folder synced: a stick that is pulled has the old file or the new
 * one. These block, so they are for the time between sessions. */
#ifndef BOOTH_STICK_FILES_H
#define BOOTH_STICK_FILES_H

#include "rules/stick.h"

#include <limits.h>
#include <stdbool.h>

/* Is there a stick with a folder of ours at `dir`? */
bool stick_is_in(const char *dir);

/* Holds the stick against its list, as far as it is about that folder: a place's, or a judge's
 * for his ranks. BL_DATA: it has no list, was taken out while it was written, a file is missing
 * or differs, there is more than a machine takes, or a folder is a link. BL_UNAVAIL: it is the
 * other room's. BL_BUSY: it is older than the one of that contest that was here last (which
 * `records` remembers). */
enum bl_status stick_check(const char *dir, const char *folder, const char *records,
                           struct bl_diag *diag);

/* The age beside the stick of that contest that was here last; the first one is newer. One without
 * a list is older. */
enum stick_age { STICK_OLDER, STICK_SAME_AGE, STICK_NEWER, STICK_OTHER_CONTEST };
enum stick_age stick_age(const char *dir, const char *records);

/* True: `own` holds the files of that folder as the list has them, and no other, the place's key
 * apart. False: `name` is one that differs. */
bool stick_is_here(const char *dir, const char *folder, const char *own, char name[STICK_PATH_MAX]);

/* Forgets which one was here last: a person says that the older one is to be taken. */
void stick_forget(const char *records);

/* Makes `own` hold the files the stick's list has in the folder of that name, for this user alone
 * (FAT has no modes), and nothing else; other files stay on the stick. A stick without such a
 * folder changes nothing. *changed: there was a change. Check the stick first. BL_FULL, BL_IO,
 * BL_NOPERM: the files are as they were, or partly new; doing it again mends it. */
enum bl_status stick_take(const char *dir, const char *folder, const char *own, bool *changed,
                          struct bl_diag *diag);

/* Puts the place's key, if a stick has brought `own` one, into `records`, where its courier finds
 * it; another is replaced. */
enum bl_status stick_keep_key(const char *own, const char *records, struct bl_diag *diag);

/* Installs the named Entry, whole or not at all (entity/install.h), into the folder `entries`,
 * which is made. An installed one needs no stick. BL_NOINPUT: not on the stick. */
enum bl_status stick_take_entry(const char *dir, const char *name, const char *entries,
                                struct bl_diag *diag);

/* Takes the first judge's folder for his ranks that no machine has taken yet, or that `place` has,
 * into `records`, and marks it on the stick. *judge is whose, from 0. BL_NOINPUT: there is none. */
enum bl_status stick_take_ranks(const char *dir, const char *place, const char *records,
                                unsigned *judge, struct bl_diag *diag);

/* Puts the ranks a judge has given into `records`, where they stay: a courier finds them there. */
enum bl_status stick_keep_ranks(const char *records, unsigned judge, const char *ballot,
                                struct bl_diag *diag);

/* The same, and puts them with the records on the stick; then takes his folder away, here and
 * there, but that for other ranks, as of the next trial. A ballot that is in `records` already is
 * given again. */
enum bl_status stick_give_ranks(const char *dir, const char *place, const char *records,
                                unsigned judge, const char *ballot, struct bl_diag *diag);

/* Puts the journals and ballots of `records` that the stick lacks, or has shorter, into its
 * records/PLACE. One of that name another machine of the place has written stays as it is, and ours
 * goes to records/PLACE-2, and so on. BL_FULL: it is full. */
enum bl_status stick_give(const char *dir, const char *place, const char *records,
                          struct bl_diag *diag);

/* The path of the named record on the stick, put there by a machine of the place. False: none, no
 * plain file, or too long. */
bool stick_record(const char *dir, const char *place, const char *name, char path[PATH_MAX]);

/* The number of journals and ballots of `records` that no stick has in their present state. */
unsigned stick_unsaved(const char *records);

/* Takes a folder away, with the files in it. */
void stick_remove_folder(const char *path);

#endif
