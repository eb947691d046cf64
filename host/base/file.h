/* Whole files: read at once, and made to outlive a loss of power. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/status.h"

#include <stddef.h>

/* Reads a file of at most `most` bytes, or a pipe; a NUL stands behind it, and the caller frees it.
 * `what` is what it should be, such as "a ticket". BL_NOINPUT, BL_NOPERM, BL_IO name the path;
 * BL_DATA: it is longer. */
enum bl_status file_read(char **bytes, size_t *length, const char *path, size_t most,
                         const char *what, struct bl_diag *diag);

/* The same for a text, in which no NUL may stand. */
enum bl_status file_read_text(char **text, const char *path, size_t most, const char *what,
                              struct bl_diag *diag);

/* What errno says of the path, as a status and a line. */
enum bl_status file_fail(struct bl_diag *diag, const char *path);

/* Makes what was written in a folder, or taken away, outlive a loss of power; and the name of a
 * file in its folder. */
enum bl_status file_sync_folder(const char *folder, struct bl_diag *diag);
enum bl_status file_sync_name(const char *path, struct bl_diag *diag);

#endif
