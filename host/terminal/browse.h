/* Lets a user choose a folder in the terminal before any screen is open: the "browse" function that
 * the rules demand at a program's start. Source: Loebner Prize 2009 rules, section 2. */
#ifndef TERMINAL_BROWSE_H
#define TERMINAL_BROWSE_H

#include "base/status.h"

#include <limits.h>

/* Shows folders from the current one on, below the title, until the user has chosen; writes the
 * chosen folder's absolute path. Blocks. BL_UNAVAIL as terminal_open(), and if nothing was chosen;
 * BL_IO if no folder can be read. */
enum bl_status browse_folder(char path[PATH_MAX], const char *title, struct bl_diag *diag);

#endif
