/* Restores the terminal when the process closes it, calls exit() or is ended by a fatal signal
 * other than SIGKILL. A process guards one terminal at a time. In a forked child the guard does
 * nothing. */
#ifndef TERMINAL_GUARD_H
#define TERMINAL_GUARD_H

#include <stdbool.h>

#define GUARD_TEXT 512

/* Saves the terminal's modes, and sets a handler for each fatal signal without one. A crash's
 * signal always gets the handler; an existing handler runs afterwards. False: fd is not a
 * terminal. */
bool guard_arm(int fd);

/* Sets the text that the guard writes to the terminal to restore the screen. Truncates it to
 * GUARD_TEXT bytes. */
void guard_text(const char *text);

/* Restores the terminal, and the actions that the signals had before guard_arm(). */
void guard_disarm(void);

#endif
