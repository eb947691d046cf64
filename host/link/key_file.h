/* Short files of keys. For secret.c, and for the keys of machines. */
#ifndef LINK_KEY_FILE_H
#define LINK_KEY_FILE_H

#include "base/status.h"

#include <stdbool.h>

/* Writes a new file, with mode 0600 if secret, else 0644; BL_USAGE if the file is there already.
 * BL_OK: the file is on the disk. */
enum bl_status key_file_write(const char *path, const char *text, size_t length, bool secret,
                              struct bl_diag *diag);

/* Reads a file of at most size - 1 bytes, and adds a zero. A secret file must belong to the user
 * and be closed to all others: else BL_NOPERM. BL_NOINPUT: no such file; BL_DATA: no regular
 * file, or a longer one. Nothing stays open. */
enum bl_status key_file_read(const char *path, char *text, size_t size, size_t *length, bool secret,
                             struct bl_diag *diag);

#endif
