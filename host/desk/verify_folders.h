/* The files of a contest's sessions, read and given to contest/verify.h. */
#ifndef DESK_VERIFY_FOLDERS_H
#define DESK_VERIFY_FOLDERS_H

#include "contest/verify.h"

/* Looks into all files of two folders, that of journals and ballot files and that of published
 * transcripts; each may be NULL. An unreadable file is a difference. BL_NOINPUT: there is no such
 * folder; BL_NOMEM. */
enum bl_status verify_folders(struct verify *verify, const char *records, const char *transcripts,
                              struct bl_diag *diag);

#endif
