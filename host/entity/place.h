/* The folder of an Entry. */
#ifndef ENTITY_PLACE_H
#define ENTITY_PLACE_H

#include "base/status.h"
#include "entity/program.h"

#include <limits.h>

/* Makes the path of the sandbox's folder absolute and without links. Checks that a sandbox may have
 * that folder. given: the value of --folder; NULL: the working directory. BL_USAGE, BL_NOINPUT. */
enum bl_status place_folder(const char *given, char folder[PATH_MAX], struct bl_diag *diag);

/* Finds the folder of a place. A sandbox must not have the record's folder. Without a sandbox, an
 * unnamed folder is "": the process's working directory. BL_USAGE, BL_NOINPUT. */
enum bl_status place_check(const struct program_place *place, const char *record,
                           char folder[PATH_MAX], struct bl_diag *diag);

/* True, with the path, if the command names an existing file that is hidden in the sandbox: neither
 * in the folder nor installed. */
bool place_misses(const char *command, const char *folder, char path[PATH_MAX]);

#endif
