/* Features of the Linux console beyond a terminal: it can lock people in, show larger type and
 * contrasting colours, and suppress kernel messages. Other terminals are not changed. Source:
 * console_ioctl(2), linux/kd.h, linux/vt.h. */
#ifndef TERMINAL_CONSOLE_H
#define TERMINAL_CONSOLE_H

#include <stdbool.h>

/* Prevents switching virtual terminals until console_restore(). False if not permitted, or fd is
 * not a console. */
bool console_lock(int fd);

/* Sets the largest font that shows at least rows by columns characters, until console_restore():
 * one of console-setup's, or else the console's own at double size. Waits for setfont(8). False,
 * without a change, if this console cannot. */
bool console_enlarge(int fd, unsigned rows, unsigned columns);

/* Sets the sixteen colours of palette.h until console_restore(). Does nothing on other
 * terminals. */
void console_colour(int fd);

/* Keeps kernel messages off the consoles until console_restore(), if permitted: they would
 * overwrite the page. The systemd units run dmesg --console-off before. */
void console_quiet(int fd);

/* True for the Linux console. */
bool console_is(int fd);

/* Opens the kernel's log at its end, non-blocking. -1 if not permitted. */
int console_log_open(void);

/* Reads new records of the log. True if the console showed any of them. */
bool console_log_read(int log);

/* Undoes the lock, the font, the colours and the silence. Async-signal-safe; a second call does
 * nothing. */
void console_restore(void);

#endif
