/* One end of the cable: the pty, its link, and what the program there has set. */
#include "tests/sim/modem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <asm/termbits.h> /* instead of termios.h: rates as numbers */

static void port_ready(struct source *source, uint32_t events)
{
    struct port *port = (struct port *)source;
    struct modem *modem = port->modem;

    if (port->master < 0)
        return; /* removed by an event of the same round */
    if (events & EPOLLOUT) {
        sim_rewatch(port->master, source, EPOLLIN | EPOLLET);
        for (int from = 0; from < SIM_ENDS; from++) {
            struct wire *wire = &modem->wire[from];

            if (wire->out_end == port->end)
                wire_unblock(wire);
        }
    }
    if ((events & EPOLLIN) && modem->wire[port->end].idle)
        wire_run(&modem->wire[port->end]);
}

/* Raw at 115,200 baud, as a program would find a port that another one has used. */
static void port_set_raw(int fd)
{
    struct termios2 settings;

    if (ioctl(fd, TCGETS2, &settings) < 0)
        return;
    settings.c_iflag = 0;
    settings.c_oflag = 0;
    settings.c_lflag = 0;
    settings.c_cflag = B115200 | CS8 | CREAD | HUPCL | CLOCAL;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    ioctl(fd, TCSETS2, &settings);
}

void port_settings(const struct port *port, uint32_t *baud, bool *rtscts, bool *hupcl)
{
    struct termios2 settings;

    if (port->slave < 0 || ioctl(port->slave, TCGETS2, &settings) < 0) {
        *baud = 115200;
        *rtscts = *hupcl = false;
        return;
    }
    /* A rate of 0 means "hang up"; nothing is sent at it, but time must go on. */
    *baud = settings.c_ospeed ? settings.c_ospeed : 50;
    *rtscts = (settings.c_cflag & CRTSCTS) != 0;
    *hupcl = (settings.c_cflag & HUPCL) != 0;
}

static int link_make(const char *link, const char *target)
{
    struct stat status;

    /* A link that was left by a simulator that was killed is replaced, anything else is not. */
    if (lstat(link, &status) == 0) {
        if (!S_ISLNK(status.st_mode))
            return EEXIST;
        unlink(link);
    }
    return symlink(target, link) < 0 ? errno : 0;
}

int port_open(struct port *port)
{
    struct modem *modem = port->modem;
    struct stat status;
    char name[64];
    int error;

    port->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (port->master < 0)
        return errno;
    if (grantpt(port->master) < 0 || unlockpt(port->master) < 0 ||
        ptsname_r(port->master, name, sizeof(name)) != 0)
        goto fail;
    port->slave = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (port->slave < 0 || fstat(port->slave, &status) < 0)
        goto fail;
    port_set_raw(port->slave);
    error = link_make(port->link, name);
    if (error) {
        errno = error;
        goto fail;
    }
    port->source.ready = port_ready;
    atomic_store(&modem->shared->device[port->end], status.st_rdev);
    sim_watch(port->master, &port->source, EPOLLIN | EPOLLET);
    attend_port(port, name);
    modem_change(modem, SIM_RTS(port->end) | SIM_DTR(port->end) | SIM_THROTTLED(port->end),
                 SIM_PRESENT(port->end) |
                     (modem->shared_path ? 0 : SIM_RTS(port->end) | SIM_DTR(port->end)));
    return 0;

fail:
    error = errno;
    if (port->slave >= 0)
        close(port->slave);
    close(port->master);
    port->master = -1;
    port->slave = -1;
    return error;
}

void port_close(struct port *port)
{
    if (port->master < 0)
        return;
    unlink(port->link);
    attend_port_end(port);
    atomic_store(&port->modem->shared->device[port->end], 0);
    close(port->slave);
    close(port->master);
    port->slave = -1;
    port->master = -1;
    modem_change(port->modem,
                 SIM_PRESENT(port->end) | SIM_RTS(port->end) | SIM_DTR(port->end) |
                     SIM_THROTTLED(port->end),
                 0);
    wire_reset(&port->modem->wire[port->end]);
    for (int from = 0; from < SIM_ENDS; from++) {
        if (port->modem->wire[from].out_end == port->end)
            wire_unblock(&port->modem->wire[from]);
    }
}
