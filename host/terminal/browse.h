/* Lets a user choose a folder in the terminal, before a screen is open. Source: Loebner Prize 2009
 * rules, section 2 ("browse"). */
#ifndef TERMINAL_BROWSE_H
#define TERMINAL_BROWSE_H

#include "base/status.h"

#include <limits.h>

/* Shows the title and the folders inside the current folder, lets the user walk to other folders,
 * and writes the absolute path of the chosen one. Blocks until the user has chosen or left.
 * BL_UNAVAIL: as terminal_open(), or no folder was chosen; BL_IO: neither the current folder nor /
 * can be read. */
enum bl_status browse_folder(char path[PATH_MAX], const char *title, struct bl_diag *diag);

#endif
