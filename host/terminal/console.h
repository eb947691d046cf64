/* Abilities of a Linux console: prevent the switch to another console, show larger type and other
 * colours, and suppress the kernel's messages. No effect on another terminal. Source:
 * console_ioctl(2), linux/kd.h, linux/vt.h. */
#ifndef TERMINAL_CONSOLE_H
#define TERMINAL_CONSOLE_H

#include <stdbool.h>

/* Prevents a user from switching to another virtual terminal until console_restore(). False if this
 * process may not do so or fd is no console. */
bool console_lock(int fd);

/* Sets a larger font until console_restore(): the largest font of console-setup with room for rows
 * by columns characters; otherwise the console's own font at double size, if there is room. Waits
 * for setfont(8). False, with the font unchanged: no such font, or fd is no console. */
bool console_enlarge(int fd, unsigned rows, unsigned columns);

/* Sets the console's sixteen colours to those of palette.h until console_restore(). */
void console_colour(int fd);

/* Keeps the kernel's messages off the consoles until console_restore(). No effect if this process
 * may not do so. */
void console_quiet(int fd);

/* True for the Linux console. */
bool console_is(int fd);

/* Opens the kernel's log at its end; the descriptor is non-blocking. -1 if this process may not
 * open the log. */
int console_log_open(void);

/* Reads the new records of the log. True: the kernel wrote one of them to the console. */
bool console_log_read(int log);

/* Undoes console_lock(), console_enlarge(), console_colour() and console_quiet().
 * Async-signal-safe; a second call does nothing. */
void console_restore(void);

#endif
