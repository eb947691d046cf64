/* Finds the programs that other programs of ours start. */
#ifndef BASE_LIBEXEC_H
#define BASE_LIBEXEC_H

#include "base/status.h"

#include <limits.h>

/* Finds a program beside the running one, or in ../libexec after an installation. BL_UNAVAIL if
 * both lack it. */
enum bl_status libexec_path(char path[PATH_MAX], const char *name, struct bl_diag *diag);

#endif
