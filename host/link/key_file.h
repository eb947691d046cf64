/* Short files of keys. */
#ifndef LINK_KEY_FILE_H
#define LINK_KEY_FILE_H

#include "base/status.h"

#include <stdbool.h>

/* Writes a new file, with mode 0600 if secret, else 0644. BL_USAGE: the file already exists. BL_OK:
 * the file is on the disk. */
enum bl_status key_file_write(const char *path, const char *text, size_t length, bool secret,
                              struct bl_diag *diag);

/* Reads a file of at most size - 1 bytes, and adds a zero. A secret file must belong to the user
 * and be closed to all others; otherwise BL_NOPERM. BL_NOINPUT: no such file; BL_DATA: not a
 * regular file, or too long. Nothing stays open. */
enum bl_status key_file_read(const char *path, char *text, size_t size, size_t *length, bool secret,
                             struct bl_diag *diag);

#endif
