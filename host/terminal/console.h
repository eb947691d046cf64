/* What the Linux console can do beyond a terminal: keep people on it, and show larger type. On any
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

/* Undoes both. Async-signal-safe, and does nothing the second time. */
void console_restore(void);

#endif
