#include "terminal/console.h"

#include "terminal/font.h"
#include "terminal/palette.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/wait.h>
#include <unistd.h>

#define FONTS      "/usr/share/consolefonts"
#define MAP_PAIRS  8192 /* pairs of a character and its index in a font */
#define LOG_RECORD 8192 /* most bytes of a record; the kernel returns one record per read */

/* syslog(2) */
#define KLOG_CONSOLE_OFF 6
#define KLOG_CONSOLE_ON  7

/* The state of this process's one console, global for the signal handlers. */
static volatile sig_atomic_t locked_fd = -1, enlarged_fd = -1, coloured_fd = -1;
static volatile sig_atomic_t quiet;
static struct font font_before, font_large;
static struct unipair pairs_before[MAP_PAIRS];
static struct unimapdesc map_before;

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

/* Loads a font of console-setup. Runs setfont, which finds the console on its standard input. */
static bool font_load(const char *name)
{
    char path[sizeof FONTS + 64], program[] = "setfont";
    char *const words[] = {program, path, NULL};
    int status;
    pid_t pid;
    snprintf(path, sizeof path, FONTS "/%s.psf.gz", name);
    if (access(path, R_OK) != 0 || posix_spawnp(&pid, program, NULL, NULL, words, environ) != 0)
        return false;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return status == 0;
}

static void map_set(int fd)
{
    struct unimapinit fresh = {0};
    if (map_before.entry_ct && ioctl(fd, PIO_UNIMAPCLR, &fresh) == 0)
        ioctl(fd, PIO_UNIMAP, &map_before);
}

static bool enlarge_loaded(int fd, const struct font_room *room)
{
    const char *name;
    map_before = (struct unimapdesc){.entry_ct = MAP_PAIRS, .entries = pairs_before};
    if (ioctl(fd, GIO_UNIMAP, &map_before) != 0) {
        map_before.entry_ct = 0;
        return false;
    }
    for (unsigned i = 0; (name = font_choose(room, font_before.height, i)); i++)
        if (font_load(name))
            return true;
    return false;
}

static bool enlarge_doubled(int fd, const struct font_room *room)
{
    return room->across / font_before.width / 2 >= room->columns &&
           room->down / font_before.height / 2 >= room->rows &&
           font_double(&font_before, &font_large) && font_set(fd, &font_large);
}

bool console_enlarge(int fd, unsigned rows, unsigned columns)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || !font_get(fd, &font_before) || !font_before.width ||
        !font_before.height)
        return false;
    const struct font_room room = {.across = size.ws_col * font_before.width,
                                   .down = size.ws_row * font_before.height,
                                   .rows = rows,
                                   .columns = columns};
    if (!enlarge_loaded(fd, &room) && !enlarge_doubled(fd, &room))
        return false;
    enlarged_fd = fd;
    return true;
}

bool console_is(int fd)
{
    int mode;
    return ioctl(fd, KDGETMODE, &mode) == 0;
}

void console_colour(int fd)
{
    char text[PALETTE_CONSOLE * 10 + 1];
    int length = 0;
    if (!console_is(fd))
        return;
    for (unsigned i = 0; i < PALETTE_CONSOLE; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "\033]P%X%06x", i,
                           (unsigned)palette_console(i));
    if (write(fd, text, (size_t)length) == length)
        coloured_fd = fd;
}

void console_quiet(int fd)
{
    if (console_is(fd) && klogctl(KLOG_CONSOLE_OFF, NULL, 0) == 0)
        quiet = 1;
}

int console_log_open(void)
{
    int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (log >= 0)
        lseek(log, 0, SEEK_END);
    return log;
}

/* The console's log level: the kernel writes messages of a smaller priority number to the console.
 * Source: proc(5), /proc/sys/kernel/printk. */
static unsigned log_level(void)
{
    unsigned level = 8; /* unknown: take all messages as shown */
    char text[16] = "";
    int file = open("/proc/sys/kernel/printk", O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, text, sizeof text - 1) > 0)
        level = (unsigned)strtoul(text, NULL, 10);
    if (file >= 0)
        close(file);
    return level;
}

bool console_log_read(int log)
{
    char record[LOG_RECORD];
    bool shown = false;
    unsigned level = log_level();
    for (;;) {
        ssize_t count = read(log, record, sizeof record - 1);
        if (count < 0 &&
            (errno == EINTR || errno == EPIPE)) /* EPIPE: the kernel has overwritten old records */
            continue;
        if (count <= 0)
            return shown;
        record[count] = '\0';
        shown = shown ||
                (strtoul(record, NULL, 10) & 7) < level; /* the low three bits are the priority */
    }
}

void console_restore(void)
{
    static const char own_colours[] = "\033]R";
    int fd = enlarged_fd;
    enlarged_fd = -1;
    if (fd >= 0 && font_set(fd, &font_before))
        map_set(fd);
    fd = coloured_fd;
    coloured_fd = -1;
    /* A console that refuses these bytes has other problems. */
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
