/* The folder of an Entry. */
#ifndef ENTITY_PLACE_H
#define ENTITY_PLACE_H

#include "base/status.h"
#include "entity/program.h"

#include <limits.h>

/* The folder for the sandbox: absolute, without links, and permitted for a program. given: the
 * value of --folder; NULL: the working directory. BL_USAGE, BL_NOINPUT. */
enum bl_status place_folder(const char *given, char folder[PATH_MAX], struct bl_diag *diag);

/* The folder of a place. A sandbox's folder must not be that of the record. Without a sandbox, ""
 * for a folder that is not named: this process's own. BL_USAGE, BL_NOINPUT. */
enum bl_status place_check(const struct program_place *place, const char *record,
                           char folder[PATH_MAX], struct bl_diag *diag);

/* True, with the path, if the command names an existing file that the sandbox will hide: outside of
 * the folder and of the installed files. */
bool place_misses(const char *command, const char *folder, char path[PATH_MAX]);

#endif
