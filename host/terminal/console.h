/* What the Linux console can do beyond a terminal: keep people on it, show larger type and colours
 * that contrast, and no messages of the kernel's. On any
 * other terminal nothing happens. Source: console_ioctl(2), linux/kd.h, linux/vt.h. */
#ifndef TERMINAL_CONSOLE_H
#define TERMINAL_CONSOLE_H

#include <stdbool.h>

/* Locks the switching of virtual terminals until console_restore. False if that is not permitted,
 * or fd is no console. */
bool console_lock(int fd);

/* Doubles the console's font until console_restore, if at least rows by columns characters are
 * left. False, with the screen as it was, if this console cannot. */
bool console_enlarge(int fd, unsigned rows, unsigned columns);

/* Sets its sixteen colours until console_restore, see palette.h. Nothing on another terminal. */
void console_colour(int fd);

/* Keeps the kernel's messages off the consoles until console_restore, where that is permitted: they
 * would stand on the page. */
void console_quiet(int fd);

/* Undoes all that. Async-signal-safe, and does nothing the second time. */
void console_restore(void);

#endif
