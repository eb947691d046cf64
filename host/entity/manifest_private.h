#ifndef ENTITY_MANIFEST_PRIVATE_H
#define ENTITY_MANIFEST_PRIVATE_H

#include "entity/manifest.h"

#include <stddef.h>

#define MANIFEST_HASH 32u

/* The manifest's lines for files and links, in the order of their paths. The struct owns the
 * strings. */
struct manifest_lines {
    char **line;
    size_t count, room;
};
void manifest_lines_free(struct manifest_lines *lines);

/* The path at the end of a line, after kind, hash, bytes and mode. "": the line is damaged. */
const char *manifest_path_of(const char *line);

/* Reads the folder's manifest; the caller frees the text. BL_NOINPUT, BL_DATA. */
enum bl_status manifest_text(char **text, size_t *length, const char *folder, struct bl_diag *diag);

/* Parses the text of a manifest. The text is changed. */
enum bl_status manifest_lines_read(struct manifest_lines *lines, char *text, struct bl_diag *diag);

/* Compares the folder with these lines. BL_DATA names the first difference. */
enum bl_status manifest_holds(const char *folder, const struct manifest_lines *was,
                              struct bl_diag *diag);

#endif
