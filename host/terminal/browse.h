/* Lets a user choose a folder in the terminal, before a screen is open. The rules demand this
 * "browse" function at a program's start. Source: Loebner Prize 2009 rules, section 2. */
#ifndef TERMINAL_BROWSE_H
#define TERMINAL_BROWSE_H

#include "base/status.h"

#include <limits.h>

/* Shows the title and the folders inside the current folder, lets the user walk to other folders,
 * and writes the absolute path of the chosen one. Blocks until the user has chosen or left.
 * BL_UNAVAIL as for terminal_open(), and if the user chose no folder; BL_IO if neither the current
 * folder nor / can be read. */
enum bl_status browse_folder(char path[PATH_MAX], const char *title, struct bl_diag *diag);

#endif
