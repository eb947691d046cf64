#include "sim/program/hub.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#define INTERFACE "eth0"

/* Writes a text to a file. False: failed. */
static bool put_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

    if (fd >= 0)
        close(fd);
    return good;
}

void hub_spaces_begin(void)
{
    unsigned uid = geteuid(), gid = getegid();
    char map[40];

    if (unshare(CLONE_NEWNET) == 0)
        return;
    if (unshare(CLONE_NEWUSER) < 0)
        sim_die(EX_UNAVAILABLE, "network namespaces need root, or user namespaces: %s",
                strerror(errno));
    snprintf(map, sizeof(map), "0 %u 1", uid);
    if (!put_text("/proc/self/setgroups", "deny") || !put_text("/proc/self/uid_map", map))
        sim_die(EX_UNAVAILABLE, "user namespaces cannot be set up: %s", strerror(errno));
    snprintf(map, sizeof(map), "0 %u 1", gid);
    put_text("/proc/self/gid_map", map);
}

static void request_make(struct ifreq *request)
{
    memset(request, 0, sizeof(*request));
    strcpy(request->ifr_name, INTERFACE);
}

static bool interface_ask(unsigned long what, struct ifreq *request)
{
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool good = fd >= 0 && ioctl(fd, what, request) == 0;

    if (fd >= 0)
        close(fd);
    return good;
}

static bool interface_switch(bool up)
{
    struct ifreq request;

    request_make(&request);
    request.ifr_flags = up ? IFF_UP : 0;
    return interface_ask(SIOCSIFFLAGS, &request);
}

/* Gives the interface a lasting address, and switches it on. */
static bool interface_set(int index)
{
    const unsigned char address[6] = {
        0x02, 'B', 'L', 0, (unsigned char)(index >> 8), (unsigned char)index};
    struct ifreq request;

    request_make(&request);
    request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
    memcpy(request.ifr_hwaddr.sa_data, address, sizeof(address));
    return interface_ask(SIOCSIFHWADDR, &request) && interface_switch(true);
}

static void interface_make(struct hub_port *port)
{
    struct ifreq request;

    port->tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (port->tap < 0)
        sim_die(EX_UNAVAILABLE, "/dev/net/tun: %s", strerror(errno));
    request_make(&request);
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    if (ioctl(port->tap, TUNSETIFF, &request) < 0 || !interface_set(port->index))
        sim_die(EX_UNAVAILABLE, "interface %s: %s", INTERFACE, strerror(errno));
    sim_watch(port->tap, &port->source, EPOLLIN);
}

void hub_port_open(struct hub_port *port, const char *name, int index)
{
    snprintf(port->name, sizeof(port->name), "%s", name);
    port->index = index;
    port->plugged = true;
    if (unshare(CLONE_NEWNET) < 0)
        sim_die(EX_UNAVAILABLE, "network namespace: %s", strerror(errno));
    port->space = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    if (port->space < 0)
        sim_die(EX_OSERR, "/proc/self/ns/net: %s", strerror(errno));
    /* The line needs no addresses. Without them the kernel sends no frames of its own. */
    put_text("/proc/sys/net/ipv6/conf/default/disable_ipv6", "1");
    interface_make(port);
}

void hub_port_remove(struct hub_port *port)
{
    if (port->tap >= 0)
        close(port->tap);
    port->tap = -1;
}

static void enter(const struct hub_port *port)
{
    if (setns(port->space, CLONE_NEWNET) < 0)
        sim_die(EX_OSERR, "port %s: %s", port->name, strerror(errno));
}

void hub_port_switch(struct hub_port *port, bool up)
{
    enter(port);
    if (port->tap >= 0 && !interface_switch(up))
        sim_die(EX_OSERR, "port %s: %s", port->name, strerror(errno));
}

void hub_port_restore(struct hub_port *port)
{
    if (port->tap >= 0)
        return;
    enter(port);
    interface_make(port);
    port->plugged = true;
}

void hub_port_plug(struct hub_port *port, bool plugged)
{
    int carrier = plugged;

    port->plugged = plugged;
    if (port->tap >= 0 && ioctl(port->tap, TUNSETCARRIER, &carrier) < 0)
        sim_die(EX_UNAVAILABLE, "port %s: carrier: %s", port->name, strerror(errno));
}

static void join(const char *path, int kind)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || setns(fd, kind) < 0)
        sim_die(EX_NOPERM, "%s: %s", path, strerror(errno));
    close(fd);
}

void hub_enter(const char *where, char *const *argv)
{
    char user[64];
    struct stat ours, theirs;
    int pid, fd;

    if (sscanf(where, "/proc/%d/fd/%d", &pid, &fd) != 2)
        sim_die(EX_PROTOCOL, "%s", where);
    snprintf(user, sizeof(user), "/proc/%d/ns/user", pid);
    if (stat(user, &theirs) < 0 || stat("/proc/self/ns/user", &ours) < 0)
        sim_die(EX_NOPERM, "%s: %s", user, strerror(errno));
    if (ours.st_ino != theirs.st_ino)
        join(user, CLONE_NEWUSER);
    join(where, CLONE_NEWNET);
    execvp(argv[0], argv);
    sim_die(EX_NOINPUT, "%s: %s", argv[0], strerror(errno));
}
