/* What programs do with the ports, told by inotify: opens and closes of a pty's slave, and the
 * shim's word that it has changed a modem line. */
#include "tests/sim/modem.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sysexits.h>
#include <unistd.h>

static struct {
    struct source source;
    struct modem *modem;
    int fd;
} attend = {.fd = -1};

static void event_count(const struct inotify_event *event)
{
    for (int end = 0; end < SIM_ENDS; end++) {
        struct port *port = &attend.modem->port[end];

        if (port->master < 0 || event->wd != port->watch)
            continue;
        if (event->mask & IN_OPEN)
            port->users++;
        else if (event->mask & IN_CLOSE)
            port->users--;
    }
}

static void events_read(void)
{
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t count;

    while ((count = read(attend.fd, buffer, sizeof(buffer))) > 0) {
        for (char *place = buffer; place < buffer + count;) {
            const struct inotify_event *event = (const struct inotify_event *)place;

            event_count(event);
            place += sizeof(*event) + event->len;
        }
    }
}

/* Whether the last user has gone and has left it to the kernel to drop the outputs (HUPCL). */
static bool should_hang_up(const struct port *port, uint32_t state)
{
    uint32_t baud;
    bool rtscts, hupcl;

    if (port->master < 0 || port->users > 0 || !(state & (SIM_RTS(port->end) | SIM_DTR(port->end))))
        return false;
    port_settings(port, &baud, &rtscts, &hupcl);
    return hupcl;
}

/* The state is looked at before the events: an open that comes after them changes it, and then
 * sim_hung_up() refuses. */
static bool hang_up(struct port *port)
{
    uint32_t state = atomic_load(&attend.modem->shared->state);

    events_read();
    return !should_hang_up(port, state) || sim_hung_up(attend.modem->shared, port->end, state);
}

static void attend_ready(struct source *source, uint32_t events)
{
    struct modem *modem = attend.modem;

    (void)source;
    (void)events;
    events_read();
    for (int end = 0; end < SIM_ENDS; end++) {
        uint32_t breaks = atomic_load(&modem->shared->breaks[end]);

        while (!hang_up(&modem->port[end]))
            ;
        for (; modem->breaks[end] != breaks; modem->breaks[end]++)
            wire_break(&modem->wire[end]);
    }
    modem_changed(modem);
}

void attend_open(struct modem *modem)
{
    if (!modem->shared_path)
        return;
    attend.modem = modem;
    attend.source.ready = attend_ready;
    attend.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (attend.fd < 0 || inotify_add_watch(attend.fd, modem->shared_path, IN_MODIFY) < 0)
        sim_die(EX_OSERR, "inotify: %s", strerror(errno));
    sim_watch(attend.fd, &attend.source, EPOLLIN);
}

void attend_port(struct port *port, const char *name)
{
    if (attend.fd < 0)
        return;
    port->users = 0;
    port->watch = inotify_add_watch(attend.fd, name, IN_OPEN | IN_CLOSE);
    if (port->watch < 0)
        sim_die(EX_OSERR, "inotify: %s: %s", name, strerror(errno));
}

void attend_port_end(struct port *port)
{
    if (attend.fd >= 0)
        inotify_rm_watch(attend.fd, port->watch);
}
