/* Finds boothlink's own programs that other programs of boothlink start. */
#ifndef BASE_LIBEXEC_H
#define BASE_LIBEXEC_H

#include "base/status.h"

#include <limits.h>

/* Finds a program in the running program's folder or, after an installation, in ../libexec.
 * BL_UNAVAIL if neither folder has the program. */
enum bl_status libexec_path(char path[PATH_MAX], const char *name, struct bl_diag *diag);

#endif
