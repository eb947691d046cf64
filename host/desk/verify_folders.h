/* Reads the files of a contest's sessions for contest/verify.h. */
#ifndef DESK_VERIFY_FOLDERS_H
#define DESK_VERIFY_FOLDERS_H

#include "contest/verify.h"

/* Checks all files of two folders, of journals and ballot files, and of published transcripts; each
 * may be NULL. An unreadable file is a difference. BL_NOINPUT: no such folder; BL_NOMEM. */
enum bl_status verify_folders(struct verify *verify, const char *records, const char *transcripts,
                              struct bl_diag *diag);

#endif
