/* Short files of keys. For secret.c, and for the keys of machines. */
#ifndef LINK_KEY_FILE_H
#define LINK_KEY_FILE_H

#include "base/status.h"

#include <stdbool.h>

/* Writes a new file, 0600 if secret, else 0644; BL_USAGE if there is one. The file is on the disk
 * afterwards, or there is none. */
enum bl_status key_file_write(const char *path, const char *text, size_t length, bool secret,
                              struct bl_diag *diag);

/* Reads a file of less than size bytes, with a zero behind; a longer one is BL_DATA. A secret one
 * must be the user's, and for nobody else: BL_NOPERM. BL_NOINPUT. Nothing stays open. */
enum bl_status key_file_read(const char *path, char *text, size_t size, size_t *length, bool secret,
                             struct bl_diag *diag);

#endif
