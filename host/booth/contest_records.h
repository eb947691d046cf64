/* The records of a machine: journals, ballots, marks, folders for ranks. Sessions of two contests
 * may have equal names. So the records' folder holds the records of one contest; a folder
 * "contest-ID" in it holds those of another contest. contest_records_settle() completes a change
 * that a stop interrupted. These functions block: they are for the time between sessions. */
#ifndef BOOTH_CONTEST_RECORDS_H
#define BOOTH_CONTEST_RECORDS_H

#include "base/status.h"
#include "rules/contest_id.h"

#include <stdbool.h>

/* Suffixes of marks beside a session's records. OVER: the session is over for this machine.
 * ELSEWHERE: another machine has held the session. */
#define STICK_OVER      ".over"
#define STICK_ELSEWHERE ".elsewhere"

/* The list of a contest's records that are on a stick. A line has NAME SIZE, the size there. */
#define RECORDS_SAVED "records.saved"

/* The id of the contest of the records; "": no contest yet, or an earlier version's. */
void contest_records_of(const char *records, char id[CONTEST_ID]);

/* Moves the records of another contest into that contest's folder, and the records of `id` back. A
 * file of that name is never replaced: BL_IO. */
enum bl_status contest_records_switch(const char *records, const char *id, struct bl_diag *diag);

/* Completes an interrupted change of contest. For the start of a machine. */
enum bl_status contest_records_settle(const char *records, struct bl_diag *diag);

/* Calls each() for the journals and ballots of the present contest until it fails. */
enum bl_status contest_records_each(const char *records,
                                    enum bl_status (*each)(void *ctx, const char *name), void *ctx,
                                    struct bl_diag *diag);

struct records_count {
    unsigned all;     /* of the present contest */
    unsigned unsaved; /* records of the present contest that no stick has in their present state */
    unsigned apart;   /* unsaved records of other contests */
};
struct records_count contest_records_count(const char *records);

long long contest_records_size(const char *folder, const char *name);

#endif
