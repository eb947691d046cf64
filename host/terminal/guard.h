/* Gives the terminal back on every way out: close, exit(), and every ending signal. One terminal at
 * a time. A forked child never touches the terminal. */
#ifndef TERMINAL_GUARD_H
#define TERMINAL_GUARD_H

#include <stdbool.h>

#define GUARD_TEXT 512

/* Remembers the terminal's modes, and catches the signals that would end the process and that
 * nobody handles; with crashes it runs before whoever handles them. False if fd is no terminal. */
bool guard_arm(int fd);

/* Text for undoing the screen's settings, at most GUARD_TEXT bytes; the rest is cut. */
void guard_text(const char *text);

/* Restores the terminal, and the console's switches (console.h). Async-signal-safe, and does
 * nothing the second time. */
void guard_restore(void);

/* Restores the terminal and gives the signals back. */
void guard_disarm(void);

#endif
