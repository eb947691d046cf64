/* Restores the terminal on every way out: close, exit() and every fatal signal. Only one terminal
 * at a time. A forked child never touches the terminal. */
#ifndef TERMINAL_GUARD_H
#define TERMINAL_GUARD_H

#include <stdbool.h>

#define GUARD_TEXT 512

/* Saves the terminal's modes and catches fatal signals that have no handler; for crashes it runs
 * before an existing handler. False if fd is not a terminal. */
bool guard_arm(int fd);

/* Sets the text that restores the screen, at most GUARD_TEXT bytes; longer text is truncated. */
void guard_text(const char *text);

/* Restores the terminal and the signals' actions. */
void guard_disarm(void);

#endif
