/* Choosing a folder in the terminal, before any screen is open: the "browse" function the rules
 * want of each program at its start. Source: Loebner Prize 2009 rules, section 2. */
#ifndef TERMINAL_BROWSE_H
#define TERMINAL_BROWSE_H

#include "base/status.h"

#include <limits.h>

/* Lets a person walk through the folders, from the present one on, and writes the chosen one's
 * absolute path. title is one line above them. Waits for the person. BL_UNAVAIL as terminal_open(),
 * and when nothing was chosen. */
enum bl_status browse_folder(char path[PATH_MAX], const char *title, struct bl_diag *diag);

#endif
