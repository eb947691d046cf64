/* The records of a machine: journals, ballots, marks, folders for ranks. The sessions of two
 * contests have the same names, so the folder itself has the records of one contest, and folders
 * "contest-ID" in it have those of others. A stop at any point loses nothing:
 * contest_records_settle() completes a change. These functions block, so they are for the time
 * between sessions. */
#ifndef BOOTH_CONTEST_RECORDS_H
#define BOOTH_CONTEST_RECORDS_H

#include "base/status.h"
#include "rules/contest_id.h"

#include <stdbool.h>

/* Marks among the records, behind a session's name: it is over for this machine, and another one
 * has held it. */
#define STICK_OVER      ".over"
#define STICK_ELSEWHERE ".elsewhere"

/* Among a contest's records, the list of those that a stick has: NAME SIZE, of the part there. */
#define RECORDS_SAVED "records.saved"

/* The id of the contest that the records are of; "": of none yet, or of an earlier version's. */
void contest_records_of(const char *records, char id[CONTEST_ID]);

/* Puts the records of another contest into its folder, and takes those of `id` back. Where a name
 * is there already nothing is replaced: BL_IO. */
enum bl_status contest_records_switch(const char *records, const char *id, struct bl_diag *diag);

/* Completes a change of contest that a stop has interrupted. For the start of a machine. */
enum bl_status contest_records_settle(const char *records, struct bl_diag *diag);

/* Calls each() for the journals and ballots of the present contest until it fails. */
enum bl_status contest_records_each(const char *records,
                                    enum bl_status (*each)(void *ctx, const char *name), void *ctx,
                                    struct bl_diag *diag);

/* Journals and ballots. */
struct records_count {
    unsigned all;     /* of the present contest */
    unsigned unsaved; /* those of them that no stick has in their present state */
    unsigned apart;   /* such ones of other contests */
};
struct records_count contest_records_count(const char *records);

/* The size of a file in a folder; -1: there is none. */
long long contest_records_size(const char *folder, const char *name);

#endif
