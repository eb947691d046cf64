#include "entity/sandbox_private.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_tun.h>
#include <linux/ipv6.h>
#include <linux/ipv6_route.h>
#include <linux/route.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr ipv4(const char *text)
{
    union {
        struct sockaddr any;
        struct sockaddr_in in;
    } address = {.in = {.sin_family = AF_INET}};
    inet_pton(AF_INET, text, &address.in.sin_addr);
    return address.any;
}

static bool up(int fd, struct ifreq *request)
{
    if (ioctl(fd, SIOCGIFFLAGS, request))
        return false;
    request->ifr_flags |= IFF_UP | IFF_RUNNING;
    return ioctl(fd, SIOCSIFFLAGS, request) == 0;
}

static bool routes_set(const char *name)
{
    struct ifreq request = {0};
    struct rtentry route = {.rt_flags = RTF_UP};
    char device[IFNAMSIZ];
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool good = fd >= 0;
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    request.ifr_addr = ipv4("10.0.0.2");
    good = good && ioctl(fd, SIOCSIFADDR, &request) == 0 && up(fd, &request);
    snprintf(device, sizeof device, "%s", name);
    route.rt_dev = device;
    route.rt_dst = route.rt_genmask = ipv4("0.0.0.0");
    good = good && ioctl(fd, SIOCADDRT, &route) == 0;
    if (fd >= 0)
        close(fd);
    return good;
}

/* Sets address and route of IPv6, if the kernel has it. */
static void routes_set_6(const char *name)
{
    struct ifreq request = {0};
    struct in6_ifreq address = {.ifr6_prefixlen = 64};
    struct in6_rtmsg route = {.rtmsg_flags = RTF_UP, .rtmsg_metric = 1};
    int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (fd < 0)
        return;
    if (ioctl(fd, SIOCGIFINDEX, &request) == 0) {
        address.ifr6_ifindex = route.rtmsg_ifindex = request.ifr_ifindex;
        inet_pton(AF_INET6, "fd00::2", &address.ifr6_addr);
        if (ioctl(fd, SIOCSIFADDR, &address) == 0)
            ioctl(fd, SIOCADDRT, &route);
    }
    close(fd);
}

/* Sets the IPv4 address (/24). The Ethernet address is made of the IPv4 address, so a restarted
 * machine keeps the address that the others know. */
static void address_set(int fd, struct ifreq request, const char *address)
{
    uint32_t number = 0;
    request.ifr_hwaddr = (struct sockaddr){.sa_family = ARPHRD_ETHER, .sa_data = {0x02, 0}};
    inet_pton(AF_INET, address, &number);
    memcpy(request.ifr_hwaddr.sa_data + 2, &number, sizeof number);
    if (ioctl(fd, SIOCSIFHWADDR, &request))
        return;
    request.ifr_addr = ipv4(address);
    if (ioctl(fd, SIOCSIFADDR, &request))
        return;
    request.ifr_netmask = ipv4("255.255.255.0");
    ioctl(fd, SIOCSIFNETMASK, &request);
}

static void queues_bound(void)
{
    static const char *const names[] = {"/proc/sys/net/ipv4/tcp_rmem",
                                        "/proc/sys/net/ipv4/tcp_wmem"};
    static const char sizes[] = "4096 65536 131072";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int fd = open(names[i], O_WRONLY | O_CLOEXEC);
        ssize_t n = fd >= 0 ? write(fd, sizes, sizeof sizes - 1) : 0;
        (void)n;
        if (fd >= 0)
            close(fd);
    }
}

static void loopback_up(void)
{
    struct ifreq request = {.ifr_name = "lo"};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    up(fd, &request);
    close(fd);
}

/* Opens the listening socket in the sandbox's network. */
static int port_open(unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 8))) {
        close(fd);
        return -1;
    }
    return fd;
}

int sandbox_net_open(const struct sandbox_options *options)
{
    bool ether = options->net == SANDBOX_NET_ETHER;
    struct ifreq request = {.ifr_flags = (short)((ether ? IFF_TAP : IFF_TUN) | IFF_NO_PI)};
    int fd;
    loopback_up();
    queues_bound();
    if (options->net == SANDBOX_NET_NONE || options->net == SANDBOX_NET_SERVER)
        return -1;
    if (options->net == SANDBOX_NET_PORT)
        return port_open(options->port);
    fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return -1;
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", ether ? "eth0" : "net0");
    if (ioctl(fd, TUNSETIFF, &request)) {
        close(fd);
        return -1;
    }
    if (ether) {
        int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (control >= 0) {
            if (options->address)
                address_set(control, request, options->address);
            up(control, &request);
            close(control);
        }
    } else if (routes_set(request.ifr_name)) {
        routes_set_6(request.ifr_name);
    } else {
        close(fd);
        return -1;
    }
    return fd;
}
