#include "sim/chip/device.h"
#include "sim/lines.h"
#include "sim/loop.h"
#include "sim/program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sysexits.h>
#include <unistd.h>
#include <asm/termbits.h> /* instead of termios.h: rates as numbers */

#define HOST 0 /* the host's end of the shared memory */

struct device {
    const char *link, *shm;
    struct sim_shared *shared;
    int master, inotify;
    bool used, reset_on_open, was_high;
    uint32_t noise;
    uint8_t out[256];
    size_t out_count;
};

static void shared_make(struct device *device)
{
    int fd = -1;
    void *memory;

    if (device->shm) {
        unlink(device->shm);
        fd = open(device->shm, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 || ftruncate(fd, sizeof(struct sim_shared)) < 0)
            sim_die(EX_CANTCREAT, "%s: %s", device->shm, strerror(errno));
    }
    memory = mmap(NULL, sizeof(struct sim_shared), PROT_READ | PROT_WRITE,
                  fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
    if (memory == MAP_FAILED)
        sim_die(EX_OSERR, "mmap: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    device->shared = memory;
}

static void raw(int fd)
{
    struct termios2 settings;

    if (ioctl(fd, TCGETS2, &settings) < 0)
        return;
    settings.c_iflag = settings.c_oflag = settings.c_lflag = 0;
    settings.c_cflag = B38400 | CS8 | CREAD | HUPCL | CLOCAL;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    ioctl(fd, TCSETS2, &settings);
}

static void pty_make(struct device *device)
{
    struct stat status;
    char name[64];
    int slave;

    device->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (device->master < 0 || grantpt(device->master) < 0 || unlockpt(device->master) < 0 ||
        ptsname_r(device->master, name, sizeof(name)) != 0)
        sim_die(EX_OSERR, "pty: %s", strerror(errno));
    slave = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (slave < 0 || fstat(slave, &status) < 0)
        sim_die(EX_OSERR, "%s: %s", name, strerror(errno));
    raw(slave);
    sim_made(device->shared, HOST, status.st_rdev, sim_now_ns());
    close(slave); /* the port is then not open */
    if (lstat(device->link, &status) == 0 && S_ISLNK(status.st_mode))
        unlink(device->link); /* left by a killed simulator */
    if (symlink(name, device->link) < 0)
        sim_die(EX_CANTCREAT, "%s: %s", device->link, strerror(errno));
    device->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (device->inotify < 0 || inotify_add_watch(device->inotify, name, IN_OPEN | IN_CLOSE) < 0)
        sim_die(EX_OSERR, "inotify: %s", strerror(errno));
}

struct device *device_open(const char *link, const char *shm, bool reset_on_open)
{
    struct device *device = calloc(1, sizeof(*device));

    if (!device || strlen(link) >= SIM_LINK_MAX)
        sim_die(EX_USAGE, "a link's name has at most %d bytes", SIM_LINK_MAX - 1);
    device->link = link;
    device->shm = shm;
    device->reset_on_open = reset_on_open;
    shared_make(device);
    strcpy(device->shared->link[HOST], link);
    pty_make(device);
    sim_change(device->shared, 0, SIM_PRESENT(HOST) | SIM_PLUGGED);
    device->shared->magic = SIM_MAGIC;
    return device;
}

void device_close(struct device *device)
{
    if (!device)
        return;
    unlink(device->link);
    atomic_store(&device->shared->closed, 1);
    if (device->shm)
        unlink(device->shm);
    close(device->master);
    close(device->inotify);
    free(device);
}

/* Notes whether a program has the port open. The pty is asked, since inotify joins events of one
 * kind. */
static void users_look(struct device *device)
{
    char events[4096];
    struct pollfd state = {.fd = device->master};

    if (read(device->inotify, events, sizeof(events)) <= 0)
        return;
    while (read(device->inotify, events, sizeof(events)) > 0)
        ;
    device->used = poll(&state, 1, 0) >= 0 && !(state.revents & POLLHUP);
}

bool device_opened(struct device *device)
{
    uint32_t state = atomic_load(&device->shared->state);
    bool high, rose;

    users_look(device);
    if (!device->used && (state & (SIM_DTR(HOST) | SIM_RTS(HOST))) &&
        sim_hung_up(device->shared, HOST, state))
        state &= ~SIM_DTR(HOST);
    high = device->shm ? (state & SIM_DTR(HOST)) != 0 : device->used;
    rose = high && !device->was_high;
    device->was_high = high;
    return rose && device->reset_on_open;
}

/* The master shows the settings of the slave. */
static bool rate_differs(const struct device *device)
{
    struct termios2 settings;

    return ioctl(device->master, TCGETS2, &settings) == 0 && settings.c_ospeed != DEVICE_BAUD;
}

static uint8_t noise(struct device *device)
{
    device->noise = device->noise * 1664525u + 1013904223u;
    return (uint8_t)(device->noise >> 24);
}

size_t device_get(struct device *device, uint8_t *bytes, size_t room)
{
    ssize_t count = read(device->master, bytes, room);

    if (count <= 0)
        return 0;
    if (rate_differs(device)) {
        for (ssize_t i = 0; i < count; i++)
            bytes[i] = noise(device);
    }
    return (size_t)count;
}

void device_put(struct device *device, uint8_t byte)
{
    if (device->out_count == sizeof(device->out))
        device_flush(device);
    device->out[device->out_count++] = byte;
}

void device_flush(struct device *device)
{
    if (device->out_count == 0)
        return;
    if (rate_differs(device)) {
        for (size_t i = 0; i < device->out_count; i++)
            device->out[i] = noise(device);
    }
    if (device->used && write(device->master, device->out, device->out_count) < 0 &&
        errno != EAGAIN && errno != EIO)
        sim_die(EX_IOERR, "%s: %s", device->link, strerror(errno));
    device->out_count = 0;
}

struct contact {
    struct sim_source source; /* events of the answers, which are dropped */
    const char *path;
    int fd;
};

static void contact_ready(struct sim_source *source, uint32_t events)
{
    struct contact *contact = (struct contact *)source;
    char answer[256];
    ssize_t count = read(contact->fd, answer, sizeof(answer));

    (void)events;
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
        sim_die(EX_NOINPUT, "%s: the simulated cable has ended", contact->path);
}

struct contact *contact_open(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct contact *contact;

    if (!path)
        return NULL;
    if (strlen(path) >= sizeof(address.sun_path))
        sim_die(EX_USAGE, "%s: a socket's path has at most %zu bytes", path,
                sizeof(address.sun_path) - 1);
    strcpy(address.sun_path, path);
    contact = calloc(1, sizeof(*contact));
    if (!contact)
        sim_die(EX_OSERR, "no memory");
    contact->path = path;
    contact->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (contact->fd < 0 || connect(contact->fd, (struct sockaddr *)&address, sizeof(address)) < 0)
        sim_die(EX_NOINPUT, "%s: %s", path, strerror(errno));
    contact->source.ready = contact_ready;
    sim_watch(contact->fd, &contact->source, 1 /* EPOLLIN */);
    contact_set(contact, false);
    return contact;
}

void contact_set(struct contact *contact, bool joined)
{
    const char *command = joined ? "plug\n" : "unplug\n";

    if (contact && send(contact->fd, command, strlen(command), MSG_NOSIGNAL) < 0)
        sim_die(EX_IOERR, "%s: %s", contact->path, strerror(errno));
}
