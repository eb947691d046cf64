/* The terminal's abilities by TERM, asked before the terminal is touched. */
#ifndef TERMINAL_TERMINFO_H
#define TERMINAL_TERMINFO_H

#include "base/status.h"
#include "terminal/guard.h"

/* Are standard input and output a terminal that can show a screen, in UTF-8? Sets the locale of
 * characters. Writes to restore the text that undoes all that a screen sends: attributes, colours,
 * the hidden cursor, and the screen that was there before, or an empty one where there is but one.
 * plain: the locale asked for has no UTF-8, so lines are drawn in ASCII. BL_UNAVAIL as in
 * terminal_open(). */
enum bl_status terminfo_check(char restore[GUARD_TEXT], bool *plain, struct bl_diag *diag);

#endif
