/* Finds the terminal's abilities by TERM, before the terminal is changed. */
#ifndef TERMINAL_TERMINFO_H
#define TERMINAL_TERMINFO_H

#include "base/status.h"
#include "terminal/guard.h"

/* BL_OK if standard input and output are a terminal that can show a screen in UTF-8. Sets the
 * locale for characters. `restore` receives the text that undoes a screen's changes: attributes,
 * colours, the hidden cursor, and the screen before, or an empty one if the terminal has only one.
 * plain: the requested locale has no UTF-8, so lines are drawn in ASCII. BL_UNAVAIL as in
 * terminal_open(). */
enum bl_status terminfo_check(char restore[GUARD_TEXT], bool *plain, struct bl_diag *diag);

#endif
