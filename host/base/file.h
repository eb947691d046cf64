/* Reads and writes whole files. A file that file_write() has written survives a loss of power. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/status.h"

#include <stddef.h>

/* Reads a file or a pipe of at most `most` bytes and appends a NUL; the caller frees the bytes.
 * `what` names the kind of file in error messages, such as "a ticket". BL_NOINPUT, BL_NOPERM,
 * BL_IO, BL_NOMEM; BL_DATA if the file is longer. */
enum bl_status file_read(char **bytes, size_t *length, const char *path, size_t most,
                         const char *what, struct bl_diag *diag);

/* As file_read(), for a text; a NUL in the text gives BL_DATA. */
enum bl_status file_read_text(char **text, const char *path, size_t most, const char *what,
                              struct bl_diag *diag);

/* Reads the first line of the file `name`. A `name` such as credential:NAME stands for the
 * credential NAME that systemd has passed to this process. BL_NOINPUT if there is no such
 * credential; other errors as for file_read_text(). */
#define FILE_CREDENTIAL "credential:"
enum bl_status file_read_secret(char **text, const char *name, size_t most, const char *what,
                                struct bl_diag *diag);

/* As file_read(), for a file on a stranger's stick: the file must be a regular one, and the path's
 * last component must not be a symbolic link, else BL_DATA. */
enum bl_status file_read_plain(char **bytes, size_t *length, const char *path, size_t most,
                               const char *what, struct bl_diag *diag);

/* Writes a file that only this user can read. Writes and syncs PATH.part first, then renames it to
 * PATH and syncs the folder. A loss of power leaves the old file or the new one, and perhaps a
 * PATH.part, which the next write replaces. BL_FULL, BL_NOPERM, BL_NOINPUT, BL_IO; BL_USAGE if the
 * path is too long. */
enum bl_status file_write(const char *path, const void *bytes, size_t length, struct bl_diag *diag);

/* As file_write(), without a sync: a loss of power may leave any part of the file in its place, so
 * nothing may rely on it before file_sync_all(). */
enum bl_status file_put(const char *path, const void *bytes, size_t length, struct bl_diag *diag);

/* Syncs the whole file system of a folder. BL_IO, BL_NOINPUT. */
enum bl_status file_sync_all(const char *folder, struct bl_diag *diag);

/* Converts errno into a status, and into a message that names the path. */
enum bl_status file_fail(struct bl_diag *diag, const char *path);

/* Syncs a folder: added and removed names then survive a loss of power. BL_OK: also if the file
 * system cannot sync a folder, such as FAT. */
enum bl_status file_sync_folder(const char *folder, struct bl_diag *diag);
/* As file_sync_folder(), for the folder of a path. */
enum bl_status file_sync_name(const char *path, struct bl_diag *diag);

#endif
