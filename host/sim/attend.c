/* Programs' use of the ports. inotify tells that a port was opened or closed, or that the shim
 * changed a modem line. inotify merges equal events, so the pty is asked for a port's state. */
#include "sim/modem_private.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <unistd.h>

static void port_look(struct sim_port *port)
{
    struct pollfd state = {.fd = port->master, .events = POLLIN};

    port->open = port->master >= 0 && poll(&state, 1, 0) >= 0 && !(state.revents & POLLHUP);
}

bool attend_is_open(struct sim_port *port)
{
    if (!port->open)
        port_look(port);
    return port->open;
}

/* Drops the outputs if the last program has closed the port with HUPCL. The state is read before
 * the look at the pty: after a later open sim_hung_up() refuses. False: refused. */
static bool hang_up(struct sim_port *port)
{
    uint32_t state = atomic_load(&port->modem->shared->state);

    port_look(port);
    if (port->master < 0 || port->open || !(state & (SIM_RTS(port->end) | SIM_DTR(port->end))) ||
        !port_settings(port).hupcl)
        return true;
    return sim_hung_up(port->modem->shared, port->end, state);
}

static void attend_ready(struct sim_source *source, uint32_t events)
{
    struct modem *modem = (struct modem *)((char *)source - offsetof(struct modem, attend));
    char news[4096];

    (void)events;
    while (read(modem->attend_fd, news, sizeof(news)) > 0)
        ;
    for (int end = 0; end < SIM_ENDS; end++) {
        uint32_t breaks = atomic_load(&modem->shared->breaks[end]);

        /* Without the shim no program drives the outputs. */
        while (modem->shared_path && !hang_up(&modem->port[end]))
            ;
        port_look(&modem->port[end]);
        for (; modem->breaks[end] != breaks; modem->breaks[end]++)
            wire_break(&modem->wire[end]);
    }
    modem_changed(modem);
}

int attend_open(struct modem *modem)
{
    modem->attend.ready = attend_ready;
    modem->attend_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (modem->attend_fd < 0)
        return errno;
    if (modem->shared_path &&
        inotify_add_watch(modem->attend_fd, modem->shared_path, IN_MODIFY) < 0)
        return errno;
    return sim_loop_add(modem->loop, modem->attend_fd, &modem->attend, EPOLLIN);
}

int attend_port(struct sim_port *port)
{
    port->watch = inotify_add_watch(port->modem->attend_fd, port->path, IN_OPEN | IN_CLOSE);
    return port->watch < 0 ? errno : 0;
}

void attend_port_end(struct sim_port *port)
{
    inotify_rm_watch(port->modem->attend_fd, port->watch);
}
