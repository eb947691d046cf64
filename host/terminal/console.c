#include "terminal/console.h"

#include "terminal/font.h"
#include "terminal/palette.h"

#include <linux/kd.h>
#include <linux/vt.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <unistd.h>

/* syslog(2) */
#define KLOG_CONSOLE_OFF 6
#define KLOG_CONSOLE_ON  7

/* There is one console, and a signal handler must find what to undo. */
static volatile sig_atomic_t locked_fd = -1, enlarged_fd = -1, coloured_fd = -1;
static volatile sig_atomic_t quiet;
static struct font font_before, font_large;

bool console_lock(int fd)
{
    if (ioctl(fd, VT_LOCKSWITCH, 1) != 0)
        return false;
    locked_fd = fd;
    return true;
}

static bool font_get(int fd, struct font *font)
{
    struct console_font_op op = {.op = KD_FONT_OP_GET,
                                 .width = FONT_WIDTH_MAX,
                                 .height = FONT_PITCH,
                                 .charcount = FONT_CHARACTERS,
                                 .data = font->bytes};
    if (ioctl(fd, KDFONTOP, &op) != 0)
        return false;
    font->width = op.width;
    font->height = op.height;
    font->characters = op.charcount;
    return true;
}

static bool font_set(int fd, struct font *font)
{
    struct console_font_op op = {.op = KD_FONT_OP_SET,
                                 .width = font->width,
                                 .height = font->height,
                                 .charcount = font->characters,
                                 .data = font->bytes};
    return ioctl(fd, KDFONTOP, &op) == 0;
}

bool console_enlarge(int fd, unsigned rows, unsigned columns)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_row / 2 < rows || size.ws_col / 2 < columns)
        return false;
    if (!font_get(fd, &font_before) || !font_double(&font_before, &font_large) ||
        !font_set(fd, &font_large))
        return false;
    enlarged_fd = fd;
    return true;
}

static bool is_console(int fd)
{
    int mode;
    return ioctl(fd, KDGETMODE, &mode) == 0;
}

void console_colour(int fd)
{
    char text[PALETTE_CONSOLE * 10 + 1];
    int length = 0;
    if (!is_console(fd))
        return;
    for (unsigned i = 0; i < PALETTE_CONSOLE; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "\033]P%X%06x", i,
                           (unsigned)palette_console(i));
    if (write(fd, text, (size_t)length) == length)
        coloured_fd = fd;
}

void console_quiet(int fd)
{
    if (is_console(fd) && klogctl(KLOG_CONSOLE_OFF, NULL, 0) == 0)
        quiet = 1;
}

void console_restore(void)
{
    static const char own_colours[] = "\033]R";
    int fd = enlarged_fd;
    enlarged_fd = -1;
    if (fd >= 0)
        font_set(fd, &font_before);
    fd = coloured_fd;
    coloured_fd = -1;
    /* If the console takes no more, its colours are the least of it. */
    if (fd >= 0 && write(fd, own_colours, sizeof own_colours - 1) < 0)
        fd = -1;
    if (quiet)
        klogctl(KLOG_CONSOLE_ON, NULL, 0);
    quiet = 0;
    fd = locked_fd;
    locked_fd = -1;
    if (fd >= 0)
        ioctl(fd, VT_UNLOCKSWITCH, 1);
}
