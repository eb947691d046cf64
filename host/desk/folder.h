/* Files and folders of the manager's machine. */
#ifndef DESK_FOLDER_H
#define DESK_FOLDER_H

#include "base/status.h"

#include <stdbool.h>

#define FOLDER_PATH_MAX 1024

/* Makes the folder and missing parents, for this user alone. BL_OK: their names are on the disk. */
enum bl_status folder_make(const char *path, struct bl_diag *diag);

/* Removes a file, and PATH.part; a missing one is no error. */
enum bl_status folder_remove(const char *path, struct bl_diag *diag);

/* True if there is such a file or folder. */
bool folder_has(const char *path);

/* Passes all files of a folder and its subfolders, by name, or the file `path`, to `take`. A status
 * other than BL_OK ends the walk. `unread` gets an unreadable file; NULL: such a file is an
 * error. */
enum bl_status folder_walk(const char *path,
                           enum bl_status (*take)(void *ctx, const char *path, const char *name,
                                                  struct bl_diag *diag),
                           enum bl_status (*unread)(void *ctx, const char *path,
                                                    const struct bl_diag *why),
                           void *ctx, struct bl_diag *diag);

/* The length of the folder in a file's path, with the slash; 0: no folder. */
int folder_length(const char *path);

/* As snprintf(); BL_USAGE: the path is too long. */
enum bl_status folder_path(char out[FOLDER_PATH_MAX], struct bl_diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The name, for a file in `folder`, of the file NAME.ini in the current folder: absolute, unless
 * both folders are the same. Any other word is unchanged. */
const char *folder_names(const char *folder, const char *name, char path[FOLDER_PATH_MAX]);

#endif
