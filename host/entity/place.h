/* The folder belonging to an Entry. */
#ifndef ENTITY_PLACE_H
#define ENTITY_PLACE_H

#include "base/status.h"
#include "entity/program.h"

#include <limits.h>

/* The folder as the sandbox wants it: absolute, without links, one that may be a program's own.
 * given: the words after --folder; NULL: the working directory. BL_USAGE, BL_NOINPUT. */
enum bl_status place_folder(const char *given, char folder[PATH_MAX], struct bl_diag *diag);

/* The folder of a place. The sandbox's must not be the one in which the record is kept. Without a
 * sandbox one that is not named is "": this process's own. BL_USAGE, BL_NOINPUT. */
enum bl_status place_check(const struct program_place *place, const char *record,
                           char folder[PATH_MAX], struct bl_diag *diag);

/* True if the command names an existing file its sandbox will hide, as it is neither in the folder
 * nor among installed files; with its path. */
bool place_misses(const char *command, const char *folder, char path[PATH_MAX]);

#endif
