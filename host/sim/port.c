#include "sim/modem_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <asm/termbits.h> /* instead of termios.h: rates as numbers */

static void port_ready(struct sim_source *source, uint32_t events)
{
    struct sim_port *port = (struct sim_port *)source;
    struct modem *modem = port->modem;

    if (port->master < 0)
        return; /* an event of the same turn has removed the port */
    /* The port can take bytes again, or no program has it open. */
    for (int from = 0; from < SIM_ENDS && (events & (EPOLLOUT | EPOLLHUP)); from++) {
        struct sim_wire *wire = &modem->wire[from];

        if (!wire->blocked || wire->out_end != port->end)
            continue;
        sim_loop_change(modem->loop, port->master, source, EPOLLIN | EPOLLET);
        port->open = false; /* to be found out anew */
        wire_unblock(wire);
    }
    if ((events & EPOLLIN) && modem->wire[port->end].idle)
        wire_run(&modem->wire[port->end]);
}

/* Sets a port raw at 115,200 baud, as after another program's use. */
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

struct port_settings port_settings(const struct sim_port *port)
{
    struct termios2 settings;

    if (port->master < 0 || ioctl(port->master, TCGETS2, &settings) < 0)
        return (struct port_settings){.baud = 115200};
    return (struct port_settings){
        /* At a rate of 0 no byte is sent, but time must pass. */
        .baud = settings.c_ospeed ? settings.c_ospeed : 50,
        .rtscts = (settings.c_cflag & CRTSCTS) != 0,
        .hupcl = (settings.c_cflag & HUPCL) != 0,
        .hung_up = settings.c_ospeed == 0,
    };
}

void port_meddle(struct sim_port *port, uint32_t baud)
{
    struct termios2 settings;

    if (port->master < 0 || ioctl(port->master, TCGETS2, &settings) < 0)
        return;
    settings.c_iflag |= IXON | ICRNL;
    settings.c_lflag |= ICANON;
    settings.c_cflag = (settings.c_cflag & ~(tcflag_t)CBAUD) | BOTHER;
    settings.c_ispeed = settings.c_ospeed = baud;
    ioctl(port->master, TCSETS2, &settings);
}

static int link_make(const char *link, const char *target)
{
    struct stat status;

    if (!link)
        return 0;
    /* Replaces a killed simulator's link, but no other file. */
    if (lstat(link, &status) == 0) {
        if (!S_ISLNK(status.st_mode))
            return EEXIST;
        unlink(link);
    }
    return symlink(target, link) < 0 ? errno : 0;
}

/* Makes a port's pty. Opens and closes the slave once, after which the pty counts as hung up.
 * Returns 0 or an errno. */
static int pty_make(struct sim_port *port)
{
    struct modem *modem = port->modem;
    struct stat status;
    int slave;

    port->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (port->master < 0 || grantpt(port->master) < 0 || unlockpt(port->master) < 0)
        return errno;
    if (ptsname_r(port->master, port->path, sizeof(port->path)) != 0)
        return errno;
    slave = open(port->path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (slave < 0 || fstat(slave, &status) < 0)
        return errno;
    if (!modem->as_switched_on)
        port_set_raw(slave);
    sim_made(modem->shared, port->end, status.st_rdev, sim_now_ns());
    close(slave);
    return 0;
}

int port_open(struct sim_port *port)
{
    struct modem *modem = port->modem;
    int error = pty_make(port);

    port->open = false;
    port->source.ready = port_ready;
    if (!error)
        error = link_make(port->link, port->path);
    if (!error)
        error = attend_port(port);
    if (!error)
        error = sim_loop_add(modem->loop, port->master, &port->source, EPOLLIN | EPOLLET);
    if (error) {
        if (port->master >= 0)
            close(port->master);
        port->master = -1;
        return error;
    }
    modem_change(modem, SIM_RTS(port->end) | SIM_DTR(port->end) | SIM_THROTTLED(port->end),
                 SIM_PRESENT(port->end) |
                     (modem->shared_path ? 0 : SIM_RTS(port->end) | SIM_DTR(port->end)));
    return 0;
}

void port_close(struct sim_port *port)
{
    if (port->master < 0)
        return;
    if (port->link)
        unlink(port->link);
    attend_port_end(port);
    atomic_store(&port->modem->shared->device[port->end], 0);
    close(port->master);
    port->master = -1;
    port->open = false;
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
