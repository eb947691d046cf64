/* Whole files: read at once, written at once, and made to outlive a loss of power. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/status.h"

#include <stddef.h>

/* Reads a file of at most `most` bytes, or a pipe; a NUL stands behind it, and the caller frees it.
 * `what` names the kind of file in errors, such as "a ticket". BL_NOINPUT, BL_NOPERM, BL_IO name
 * the path; BL_DATA: it is longer. */
enum bl_status file_read(char **bytes, size_t *length, const char *path, size_t most,
                         const char *what, struct bl_diag *diag);

/* The same for a text, in which no NUL may stand. */
enum bl_status file_read_text(char **text, const char *path, size_t most, const char *what,
                              struct bl_diag *diag);

/* The first line of a file; where `name` is credential:NAME, of that credential of systemd's, which
 * this process was given. BL_NOINPUT: there is no such credential; else as above. */
#define FILE_CREDENTIAL "credential:"
enum bl_status file_read_secret(char **text, const char *name, size_t most, const char *what,
                                struct bl_diag *diag);

/* Reads a regular file of at most `most` bytes not reached by a link: for files on a stranger's
 * stick. BL_DATA: it is something else, or longer. */
enum bl_status file_read_plain(char **bytes, size_t *length, const char *path, size_t most,
                               const char *what, struct bl_diag *diag);

/* Writes a file for this user alone: under PATH.part, to the disk, then under its name, and the
 * folder to the disk. A loss of power at any moment leaves the old file or the new one, and beside
 * it at most PATH.part, which the next writing replaces. BL_FULL, BL_NOPERM, BL_NOINPUT, BL_IO. */
enum bl_status file_write(const char *path, const void *bytes, size_t length, struct bl_diag *diag);

/* Turns errno for the path into a status and a line. */
enum bl_status file_fail(struct bl_diag *diag, const char *path);

/* Makes names added to a folder, or removed from it, outlive a loss of power. A folder that cannot
 * be synced, as on FAT, is no fault. */
enum bl_status file_sync_folder(const char *folder, struct bl_diag *diag);
enum bl_status file_sync_name(const char *path, struct bl_diag *diag);

#endif
