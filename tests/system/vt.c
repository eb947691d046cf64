/* Preloaded into boothlink and setfont: makes the terminals that they have a Linux console, as far
 * as programs can tell by ioctl(2): its mode, its font with the map of its characters, its lock;
 * and the kernel's log and its switch. What cannot be had here without a graphics card.
 *
 * VT_STATE names the file in which it is kept, so that all that have the terminal see the same: it
 * begins with "ACROSS DOWN" in dots. A font that is set makes the terminal as many rows and columns
 * as then fit. VT_LOG names a FIFO in place of /dev/kmsg; without it that may not be opened. Each
 * call is told in VT_STATE.calls. Source: ioctl_console(2), linux/kd.h, drivers/tty/vt/vt.c
 * (con_font_set). */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PITCH       32
#define FONT_BYTES  (512 * PITCH * 4)
#define PAIRS       4096
#define DOTS_MOST   32
#define FONT_HEIGHT 16
#define FONT_WIDTH  8

struct console {
    char dots[32]; /* "1920 1080" */
    unsigned width, height, characters;
    unsigned pairs;
    struct unipair pair[PAIRS];
    uint8_t font[FONT_BYTES];
};

int ioctl(int fd, unsigned long request, ...);
int open(const char *path, int flags, ...);
int klogctl(int type, char *buffer, int length);

static struct console *console_open(void)
{
    static struct console *console;
    const char *path = getenv("VT_STATE");
    int fd;
    if (console || !path)
        return console;
    fd = openat(AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (ftruncate(fd, sizeof *console) == 0)
        console = mmap(NULL, sizeof *console, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (console == MAP_FAILED)
        console = NULL;
    else if (console && !console->width) {
        console->width = FONT_WIDTH;
        console->height = FONT_HEIGHT;
        console->characters = 256;
        console->pairs = 2;
        console->pair[0] = (struct unipair){'a', 'a'};
        console->pair[1] = (struct unipair){'b', 'b'};
        for (unsigned i = 0; i < FONT_BYTES; i++)
            console->font[i] = (uint8_t)(i * 7);
    }
    return console;
}

/* A line in VT_STATE.calls, written at once. */
__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...)
{
    char path[4096], line[200];
    va_list args;
    int fd, length;
    va_start(args, format);
    length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    snprintf(path, sizeof path, "%s.calls", getenv("VT_STATE"));
    fd = openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd >= 0 && write(fd, line, (size_t)length) == length)
        close(fd);
}

static int refuse(int error)
{
    errno = error;
    return -1;
}

static int real_ioctl(int fd, unsigned long request, void *argument)
{
    static int (*real)(int, unsigned long, ...);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "ioctl");
    return real(fd, request, argument);
}

/* As many rows and columns as fit. */
static void resize(int fd, const struct console *console)
{
    struct winsize size = {.ws_row = 0};
    unsigned across, down;
    if (sscanf(console->dots, "%u %u", &across, &down) != 2)
        return;
    size.ws_col = (unsigned short)(across / console->width);
    size.ws_row = (unsigned short)(down / console->height);
    real_ioctl(fd, TIOCSWINSZ, &size);
}

static int font_op(int fd, struct console *console, struct console_font_op *op)
{
    size_t bytes = (size_t)op->charcount * PITCH * ((op->width + 7) / 8);
    if (op->op == KD_FONT_OP_GET) {
        size_t own = (size_t)console->characters * PITCH * ((console->width + 7) / 8);
        if (op->data && bytes < own)
            return refuse(ENOSPC);
        if (op->data)
            memcpy(op->data, console->font, own);
        op->width = console->width;
        op->height = console->height;
        op->charcount = console->characters;
        return 0;
    }
    if (op->op != KD_FONT_OP_SET)
        return refuse(ENOSYS);
    if (!op->width || !op->height || op->width > DOTS_MOST || op->height > DOTS_MOST ||
        (op->charcount != 256 && op->charcount != 512))
        return refuse(EINVAL);
    console->width = op->width;
    console->height = op->height;
    console->characters = op->charcount;
    memcpy(console->font, op->data, bytes);
    tell("font %ux%u, %u characters\n", op->width, op->height, op->charcount);
    resize(fd, console);
    return 0;
}

static int map_get(const struct console *console, struct unimapdesc *map)
{
    if (map->entry_ct < console->pairs) {
        map->entry_ct = (unsigned short)console->pairs;
        return refuse(ENOMEM);
    }
    map->entry_ct = (unsigned short)console->pairs;
    memcpy(map->entries, console->pair, console->pairs * sizeof console->pair[0]);
    return 0;
}

static int map_add(struct console *console, const struct unimapdesc *map)
{
    for (unsigned i = 0; i < map->entry_ct; i++) {
        if (console->pairs == PAIRS)
            return refuse(ENOMEM);
        console->pair[console->pairs++] = map->entries[i];
    }
    tell("map %u\n", console->pairs);
    return 0;
}

static int console_ioctl(int fd, struct console *console, unsigned long request, void *argument)
{
    switch (request) {
    case KDGETMODE:
        *(int *)argument = KD_TEXT;
        return 0;
    case KDGKBTYPE:
        *(char *)argument = KB_101;
        return 0;
    case KDFONTOP:
        return font_op(fd, console, argument);
    case GIO_UNIMAP:
        return map_get(console, argument);
    case PIO_UNIMAPCLR:
        console->pairs = 0;
        return 0;
    case PIO_UNIMAP:
        return map_add(console, argument);
    case VT_LOCKSWITCH:
    case VT_UNLOCKSWITCH:
        tell(request == VT_LOCKSWITCH ? "locked\n" : "unlocked\n");
        return 0;
    default:
        return real_ioctl(fd, request, argument);
    }
}

__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...)
{
    struct console *console = isatty(fd) ? console_open() : NULL;
    va_list args;
    void *argument;
    va_start(args, request);
    argument = va_arg(args, void *);
    va_end(args);
    return console ? console_ioctl(fd, console, request, argument)
                   : real_ioctl(fd, request, argument);
}

__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    mode_t mode = 0;
    va_list args;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "open");
    va_start(args, flags);
    if (flags & O_CREAT)
        mode = va_arg(args, mode_t);
    va_end(args);
    if (strcmp(path, "/dev/kmsg") == 0) {
        path = getenv("VT_LOG");
        if (!path)
            return refuse(EPERM);
        flags = O_RDWR | O_NONBLOCK; /* so that it has no end */
    }
    return real(path, flags, mode);
}

__attribute__((visibility("default"))) int klogctl(int type, char *buffer, int length)
{
    (void)buffer;
    (void)length;
    tell("klogctl %d\n", type);
    return 0;
}
