/* Reads and writes whole files; a written file survives a loss of power. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/status.h"

#include <stddef.h>

/* Reads a file or a pipe of at most `most` bytes and appends a NUL; the caller frees the bytes.
 * `what` names the kind of file in errors, such as "a ticket". BL_NOINPUT, BL_NOPERM, BL_IO name
 * the path; BL_DATA if the file is longer. */
enum bl_status file_read(char **bytes, size_t *length, const char *path, size_t most,
                         const char *what, struct bl_diag *diag);

/* As file_read(), for a text; a NUL in the text is an error. */
enum bl_status file_read_text(char **text, const char *path, size_t most, const char *what,
                              struct bl_diag *diag);

/* Reads the first line of a file or, for `name` credential:NAME, of a credential that systemd
 * passed to this process. BL_NOINPUT if there is no such credential; other errors as above. */
#define FILE_CREDENTIAL "credential:"
enum bl_status file_read_secret(char **text, const char *name, size_t most, const char *what,
                                struct bl_diag *diag);

/* Reads a regular file of at most `most` bytes, without following links: for files on a stranger's
 * stick. BL_DATA if the file is longer or not regular. */
enum bl_status file_read_plain(char **bytes, size_t *length, const char *path, size_t most,
                               const char *what, struct bl_diag *diag);

/* Writes a file that only this user can read. The bytes go to PATH.part and to the disk, then the
 * file gets its name, and the folder goes to the disk. A loss of power leaves the old file or the
 * new one, and at most a PATH.part, which the next write replaces. BL_FULL, BL_NOPERM, BL_NOINPUT,
 * BL_IO. */
enum bl_status file_write(const char *path, const void *bytes, size_t length, struct bl_diag *diag);

/* Converts errno for the path into a status and a message. */
enum bl_status file_fail(struct bl_diag *diag, const char *path);

/* Makes added and removed names of a folder survive a loss of power. A folder that cannot be
 * synced, as on FAT, is no error. */
enum bl_status file_sync_folder(const char *folder, struct bl_diag *diag);
/* The same for the folder of a path. */
enum bl_status file_sync_name(const char *path, struct bl_diag *diag);

#endif
