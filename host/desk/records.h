/* Finds the records of a contest's sessions in a folder and its subfolders. */
#ifndef DESK_RECORDS_H
#define DESK_RECORDS_H

#include "desk/folder.h"

/* The judge's journal of a session; of several, the longest. BL_NOINPUT: none. */
enum bl_status records_find(const char *folder, const char *session, char path[FOLDER_PATH_MAX],
                            struct bl_diag *diag);

#endif
