#include "terminal/console.h"

#include "terminal/font.h"

#include <linux/kd.h>
#include <linux/vt.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>

/* There is one console, and a signal handler must find what to undo. */
static volatile sig_atomic_t locked_fd = -1, enlarged_fd = -1;
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

void console_restore(void)
{
    int fd = enlarged_fd;
    enlarged_fd = -1;
    if (fd >= 0)
        font_set(fd, &font_before);
    fd = locked_fd;
    locked_fd = -1;
    if (fd >= 0)
        ioctl(fd, VT_UNLOCKSWITCH, 1);
}
