/* Checks by TERM what the terminal can do, before anything changes the terminal. */
#ifndef TERMINAL_TERMINFO_H
#define TERMINAL_TERMINFO_H

#include "base/status.h"
#include "terminal/guard.h"

/* Checks that standard input and output are a terminal that can show a screen in UTF-8. Sets the
 * locale's LC_CTYPE. `restore` receives the text that undoes a screen's changes: it resets
 * attributes and colours, shows the cursor, and brings back the screen from before, or clears the
 * only screen. *plain: the user's locale has no UTF-8, so lines must be drawn in ASCII. BL_UNAVAIL
 * as terminal_open(). */
enum bl_status terminfo_check(char restore[GUARD_TEXT], bool *plain, struct bl_diag *diag);

#endif
