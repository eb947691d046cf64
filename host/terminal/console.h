/* Abilities of the Linux console beyond a terminal: keep people there, show larger type,
 * contrasting colours, and no messages of the kernel's. On any other terminal nothing happens.
 * Source: console_ioctl(2), linux/kd.h, linux/vt.h. */
#ifndef TERMINAL_CONSOLE_H
#define TERMINAL_CONSOLE_H

#include <stdbool.h>

/* Locks the switching of virtual terminals until console_restore. False if not permitted, or fd is
 * no console. */
bool console_lock(int fd);

/* Shows the largest type until console_restore that leaves at least rows by columns characters: a
 * font of console-setup's, or where there is none its own font doubled. Waits for setfont(8).
 * False, with the screen as it was, if this console cannot. */
bool console_enlarge(int fd, unsigned rows, unsigned columns);

/* Sets its sixteen colours until console_restore, see palette.h. Nothing on another terminal. */
void console_colour(int fd);

/* Keeps the kernel's messages off the consoles until console_restore, where that is permitted: they
 * would stand on the page. The units have it done before (dmesg --console-off). */
void console_quiet(int fd);

/* The Linux console? */
bool console_is(int fd);

/* Opens the kernel's log from now on; not blocking. -1: not permitted. */
int console_log_open(void);

/* Reads the log's news. True if any of them was written on the consoles. */
bool console_log_read(int log);

/* Undoes everything above. Async-signal-safe, and does nothing the second time. */
void console_restore(void);

#endif
