/* This library, preloaded into an unmodified program, makes libserialport take the simulators' ptys
 * for serial ports. It answers look-ups in sysfs, modem-line ioctls and TIOCEXCL.
 *
 * * BOOTHLINK_SIM has the files of the simulators' shared memory, separated by colons. A port is
 * identified by its device number. */
#include "sim/lines.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <linux/serial.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define EXPORT       __attribute__((visibility("default")))
#define SIMS_MAX     8
#define PTS_MAJOR    136
#define SYSFS_TTY    "/sys/class/tty"
#define SYSFS_TARGET "../../devices/platform/nullmodem/tty/"

/* Entry points of glibc without a public declaration: fortified and old ones. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __lxstat(int version, const char *path, struct stat *status);

#define REAL(name)                                                                                 \
    static __typeof__(name) *real;                                                                 \
    if (!real)                                                                                     \
    real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static struct sim {
    char path[256];
    ino_t inode;
    struct sim_shared *shared; /* NULL: not mapped */
} sims[SIMS_MAX];
static size_t sim_count;
static pthread_mutex_t sims_lock = PTHREAD_MUTEX_INITIALIZER;

struct shim_port {
    struct sim *sim;
    struct sim_shared *shared;
    int end;
    dev_t device;
};

static void preload_strip(void)
{
    const char *list = getenv("LD_PRELOAD");
    char kept[4096] = "";
    char copy[4096];
    char *rest = NULL;
    Dl_info self;

    if (!list || strlen(list) >= sizeof(copy) || !dladdr((void *)preload_strip, &self))
        return;
    strcpy(copy, list);
    for (char *name = strtok_r(copy, ": ", &rest); name; name = strtok_r(NULL, ": ", &rest)) {
        if (strcmp(name, self.dli_fname) == 0)
            continue;
        if (kept[0])
            strcat(kept, ":");
        strcat(kept, name);
    }
    if (kept[0])
        setenv("LD_PRELOAD", kept, 1);
    else
        unsetenv("LD_PRELOAD");
}

/* Unsets BOOTHLINK_SIM_PASS. False: it was set, and children get the shim, too. */
static bool unset_pass(void)
{
    bool last = !getenv("BOOTHLINK_SIM_PASS");
    unsetenv("BOOTHLINK_SIM_PASS");
    return last;
}

__attribute__((constructor)) static void shim_start(void)
{
    const char *list = getenv("BOOTHLINK_SIM");

    while (list && *list && sim_count < SIMS_MAX) {
        size_t length = strcspn(list, ":");

        if (length > 0 && length < sizeof(sims[0].path))
            memcpy(sims[sim_count++].path, list, length);
        list += length + (list[length] == ':');
    }
    /* Children of a program linked with libserialport do not get the shim. Children of other
     * programs do: of a shell, of timeout(1), and of boothlink, which loads the library late.
     * BOOTHLINK_SIM_PASS is for a linked program whose children use simulated ports. */
    if (dlsym(RTLD_DEFAULT, "sp_open") && unset_pass())
        preload_strip();
}

/* Maps a simulator's memory, anew after the simulator's restart. The old mapping stays, since
 * threads may wait in it. Uses openat(), since this library replaces open(). */
static struct sim_shared *sim_attach(struct sim *sim)
{
    struct stat status;
    void *memory;
    int fd;

    if (stat(sim->path, &status) < 0)
        return NULL;
    if (sim->shared && status.st_ino == sim->inode)
        return sim->shared;
    fd = openat(AT_FDCWD, sim->path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    sim->shared = NULL;
    if (fstat(fd, &status) == 0 && (size_t)status.st_size >= sizeof(struct sim_shared)) {
        memory = mmap(NULL, sizeof(struct sim_shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (memory != MAP_FAILED && ((struct sim_shared *)memory)->magic == SIM_MAGIC) {
            sim->shared = memory;
            sim->inode = status.st_ino;
        }
    }
    close(fd);
    return sim->shared;
}

static uint64_t made_ns(const struct shim_port *port)
{
    return atomic_load(&port->shared->made_ns[port->end]);
}

/* Finds the simulated port for which match() is true. Of two, the younger one counts: a killed
 * simulator leaves its memory, and the kernel gives its pty's number again. */
static bool port_search(struct shim_port *port,
                        bool (*match)(const struct shim_port *port, const void *wanted),
                        const void *wanted)
{
    struct shim_port at;
    bool found = false;

    pthread_mutex_lock(&sims_lock);
    for (size_t i = 0; i < sim_count; i++) {
        at.sim = &sims[i];
        at.shared = sim_attach(&sims[i]);
        for (at.end = 0; at.shared && at.end < SIM_ENDS; at.end++) {
            at.device = atomic_load(&at.shared->device[at.end]);
            if (at.device == 0 || !match(&at, wanted) || (found && made_ns(&at) <= made_ns(port)))
                continue;
            *port = at;
            found = true;
        }
    }
    pthread_mutex_unlock(&sims_lock);
    return found;
}

static bool device_matches(const struct shim_port *port, const void *wanted)
{
    return port->device == *(const dev_t *)wanted;
}

static bool port_of_fd(int fd, struct shim_port *port)
{
    struct stat status;
    int saved = errno;
    bool found = sim_count > 0 && fstat(fd, &status) == 0 && S_ISCHR(status.st_mode) &&
                 major(status.st_rdev) == PTS_MAJOR &&
                 port_search(port, device_matches, &status.st_rdev);

    errno = saved;
    return found;
}

static void port_name(const struct shim_port *port, char *name, size_t size)
{
    snprintf(name, size, "pts/%u", minor(port->device));
}

/* True if a port has the name below /dev: the pty's, or that of the simulator's link in /dev. */
static bool name_matches(const struct shim_port *port, const void *wanted)
{
    const char *link = port->shared->link[port->end];
    char name[32];

    port_name(port, name, sizeof(name));
    return strcmp(name, wanted) == 0 ||
           (strncmp(link, "/dev/", 5) == 0 && strcmp(link + 5, wanted) == 0);
}

/* True if the path is a simulated port's in sysfs. */
static bool port_of_sysfs(const char *path, struct shim_port *port)
{
    static const char prefix[] = SYSFS_TTY "/";
    int saved = errno;
    bool found = sim_count > 0 && path && strncmp(path, prefix, sizeof(prefix) - 1) == 0 &&
                 port_search(port, name_matches, path + sizeof(prefix) - 1);

    errno = saved;
    return found;
}

/* Wakes the simulator, whose wire may wait for CTS. */
static void port_kick(const struct shim_port *port)
{
    int saved = errno;
    int fd = openat(AT_FDCWD, port->sim->path, O_WRONLY | O_CLOEXEC);

    if (fd >= 0) {
        if (pwrite(fd, "\1", 1, offsetof(struct sim_shared, kick)) < 0)
            fputs("shim: the simulator's memory cannot be written\n", stderr);
        close(fd);
    }
    errno = saved;
}

/* Changes an end's outputs, and wakes the simulator. */
static void port_drive(const struct shim_port *port, int clear, int set)
{
    int end = port->end;

    sim_change(port->shared,
               (clear & TIOCM_RTS ? SIM_RTS(end) : 0) | (clear & TIOCM_DTR ? SIM_DTR(end) : 0),
               (set & TIOCM_RTS ? SIM_RTS(end) : 0) | (set & TIOCM_DTR ? SIM_DTR(end) : 0));
    port_kick(port);
}

/* Exclusive use is a lock on the descriptor, which ends with its last copy. The tty's own mark
 * would stay, since the simulator keeps the pty open. */
static int port_lock(int fd, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET};

    return fcntl(fd, F_OFD_SETLK, &lock);
}

static bool port_is_locked(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* Does the kernel's part of opening a serial port. */
static int port_opened(int fd, int flags)
{
    struct shim_port port;

    if (fd < 0 || (flags & O_ACCMODE) != O_RDWR || !port_of_fd(fd, &port))
        return fd;
    if (port_is_locked(fd)) {
        close(fd);
        errno = EBUSY;
        return -1;
    }
    sim_opened(port.shared, port.end);
    port_kick(&port);
    return fd;
}

#define OPEN(name)                                                                                 \
    EXPORT int name(const char *path, int flags, ...)                                              \
    {                                                                                              \
        mode_t mode = 0;                                                                           \
        va_list arguments;                                                                         \
                                                                                                   \
        REAL(name);                                                                                \
        va_start(arguments, flags);                                                                \
        if (flags & (O_CREAT | __O_TMPFILE))                                                       \
            mode = va_arg(arguments, mode_t);                                                      \
        va_end(arguments);                                                                         \
        return port_opened(real(path, flags, mode), flags);                                        \
    }

OPEN(open)
OPEN(open64)

EXPORT int __open_2(const char *path, int flags)
{
    REAL(__open_2);
    return port_opened(real(path, flags), flags);
}

EXPORT int __open64_2(const char *path, int flags)
{
    REAL(__open64_2);
    return port_opened(real(path, flags), flags);
}

static int port_ioctl(const struct shim_port *port, int fd, unsigned long request, void *argument)
{
    uint32_t state = atomic_load(&port->shared->state);
    const int outputs = TIOCM_RTS | TIOCM_DTR;
    struct serial_icounter_struct *counts = argument;
    int *bits = argument;
    int error;

    switch (request) {
    case TIOCMGET:
        *bits = sim_inputs(state, port->end) | (state & SIM_RTS(port->end) ? TIOCM_RTS : 0) |
                (state & SIM_DTR(port->end) ? TIOCM_DTR : 0);
        return 0;
    case TIOCMSET:
        port_drive(port, ~*bits & outputs, *bits & outputs);
        return 0;
    case TIOCMBIS:
        port_drive(port, 0, *bits & outputs);
        return 0;
    case TIOCMBIC:
        port_drive(port, *bits & outputs, 0);
        return 0;
    case TIOCMIWAIT:
        error = sim_wait(port->shared, port->end, (int)(intptr_t)argument, port->device);
        errno = error ? error : errno;
        return error ? -1 : 0;
    case TIOCGICOUNT:
        memset(counts, 0, sizeof(*counts));
        counts->cts = (int)atomic_load(&port->shared->counts[port->end][0]);
        counts->dsr = (int)atomic_load(&port->shared->counts[port->end][1]);
        counts->dcd = (int)atomic_load(&port->shared->counts[port->end][2]);
        counts->rng = (int)atomic_load(&port->shared->counts[port->end][3]);
        return 0;
    case TIOCSBRK:
        atomic_fetch_add(&port->shared->breaks[port->end], 1);
        port_kick(port);
        return 0;
    case TIOCEXCL:
        return port_lock(fd, F_WRLCK);
    case TIOCNXCL:
        return port_lock(fd, F_UNLCK);
    default: /* TIOCCBRK has no effect: a break has no length here */
        return 0;
    }
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
    struct shim_port port;
    va_list arguments;
    void *argument;

    REAL(ioctl);
    va_start(arguments, request);
    argument = va_arg(arguments, void *);
    va_end(arguments);
    switch (request) {
    case TIOCMGET:
    case TIOCMSET:
    case TIOCMBIS:
    case TIOCMBIC:
    case TIOCMIWAIT:
    case TIOCGICOUNT:
    case TIOCSBRK:
    case TIOCCBRK:
    case TIOCEXCL:
    case TIOCNXCL:
        if (port_of_fd(fd, &port))
            return port_ioctl(&port, fd, request, argument);
    }
    return real(fd, request, argument);
}

EXPORT int tcsendbreak(int fd, int duration)
{
    struct timespec length = {0, 250000000};
    struct shim_port port;

    REAL(tcsendbreak);
    if (!port_of_fd(fd, &port))
        return real(fd, duration);
    nanosleep(&length, NULL);
    return ioctl(fd, TIOCSBRK, 0);
}

static int link_status(struct stat *status)
{
    memset(status, 0, sizeof(*status));
    status->st_mode = S_IFLNK | 0777;
    return 0;
}

EXPORT int lstat(const char *path, struct stat *status)
{
    struct shim_port port;

    REAL(lstat);
    return port_of_sysfs(path, &port) ? link_status(status) : real(path, status);
}

EXPORT int __lxstat(int version, const char *path, struct stat *status)
{
    struct shim_port port;

    REAL(__lxstat);
    return port_of_sysfs(path, &port) ? link_status(status) : real(version, path, status);
}

EXPORT ssize_t readlink(const char *path, char *buffer, size_t size)
{
    struct shim_port port;
    char target[128];
    int length;

    REAL(readlink);
    if (!port_of_sysfs(path, &port))
        return real(path, buffer, size);
    length = snprintf(target, sizeof(target), SYSFS_TARGET "pts!%u", minor(port.device));
    if ((size_t)length > size)
        length = (int)size;
    memcpy(buffer, target, (size_t)length);
    return length;
}

/* The listing of sysfs read by this thread, and the number of our ports in it so far. */
static __thread struct {
    DIR *dir;
    size_t given;
} listing;

EXPORT DIR *opendir(const char *path)
{
    DIR *dir;

    REAL(opendir);
    dir = real(path);
    if (sim_count > 0 && dir && strcmp(path, SYSFS_TTY) == 0) {
        listing.dir = dir;
        listing.given = 0;
    }
    return dir;
}

static bool place_matches(const struct shim_port *port, const void *wanted)
{
    (void)port;
    return (*(size_t *)wanted)-- == 0;
}

/* Adds our ports after the last real name, with their names below /dev, for libserialport. */
EXPORT int readdir_r(DIR *dir, struct dirent *entry, struct dirent **result)
{
    /* The function is deprecated, and used by libserialport. REAL() would name it, and cause a
     * warning. */
    static int (*real)(DIR *, struct dirent *, struct dirent **);
    struct shim_port port;
    size_t place;
    int error;

    if (!real)
        real = (int (*)(DIR *, struct dirent *, struct dirent **))dlsym(RTLD_NEXT, "readdir_r");
    error = real(dir, entry, result);
    if (error || *result || dir != listing.dir)
        return error;
    place = listing.given;
    if (!port_search(&port, place_matches, &place)) {
        listing.dir = NULL;
        return 0;
    }
    listing.given++;
    memset(entry, 0, offsetof(struct dirent, d_name));
    entry->d_type = DT_LNK;
    port_name(&port, entry->d_name, sizeof(entry->d_name));
    *result = entry;
    return 0;
}
