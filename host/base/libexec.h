/* The programs of ours that are started by others of ours. */
#ifndef BASE_LIBEXEC_H
#define BASE_LIBEXEC_H

#include "base/status.h"

#include <limits.h>

/* The path of such a program: beside the running one, or in ../libexec, where it is installed.
 * BL_UNAVAIL: it is in neither. */
enum bl_status libexec_path(char path[PATH_MAX], const char *name, struct bl_diag *diag);

#endif
