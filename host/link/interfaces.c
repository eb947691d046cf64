#include "link/interfaces.h"

#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct interface_watch {
    uv_poll_t poll;
    int fd;
    void (*changed)(void *ctx);
    void *ctx;
};

static bool has_ip(const char *name)
{
    struct ifaddrs *list = NULL;
    bool found = false;
    if (getifaddrs(&list))
        return false;
    for (const struct ifaddrs *at = list; at && !found; at = at->ifa_next)
        found = at->ifa_addr && strcmp(at->ifa_name, name) == 0 &&
                (at->ifa_addr->sa_family == AF_INET || at->ifa_addr->sa_family == AF_INET6);
    freeifaddrs(list);
    return found;
}

void interface_look(struct interface_info *info, const char *name)
{
    struct ifreq request = {0};
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0); /* any socket answers for interfaces */
    *info = (struct interface_info){0};
    snprintf(info->name, sizeof info->name, "%s", name);
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (fd < 0)
        return;
    if (strlen(name) < sizeof request.ifr_name && ioctl(fd, SIOCGIFINDEX, &request) == 0) {
        info->index = (unsigned)request.ifr_ifindex;
        if (ioctl(fd, SIOCGIFFLAGS, &request) == 0) {
            info->up = request.ifr_flags & IFF_UP;
            info->carrier = request.ifr_flags & IFF_RUNNING;
            info->ethernet = !(request.ifr_flags & IFF_LOOPBACK);
        }
        if (ioctl(fd, SIOCGIFHWADDR, &request) == 0) {
            memcpy(info->address.byte, request.ifr_hwaddr.sa_data, sizeof info->address.byte);
            info->ethernet = info->ethernet && request.ifr_hwaddr.sa_family == ARPHRD_ETHER;
        }
        if (ioctl(fd, SIOCGIFMTU, &request) == 0)
            info->mtu = (unsigned)request.ifr_mtu;
        info->has_ip = has_ip(name);
    }
    close(fd);
}

bool interface_problem(const struct interface_info *info, char *text, size_t size)
{
    if (info->index == 0)
        snprintf(text, size, "there is no interface %s: 'boothlink ports' lists those that are",
                 info->name);
    else if (!info->ethernet)
        snprintf(text, size, "%s is no Ethernet interface: 'boothlink ports' lists those that are",
                 info->name);
    else if (!info->up)
        snprintf(text, size, "%s is switched off: sudo ip link set %s up", info->name, info->name);
    else if (!info->carrier)
        snprintf(text, size,
                 "%s has no carrier: its cable is out, or the hub or machine at the other end is "
                 "off",
                 info->name);
    else
        return false;
    return true;
}

enum bl_status interfaces_list(void (*each)(void *ctx, const struct interface_info *info),
                               void *ctx, struct bl_diag *diag)
{
    struct if_nameindex *list = if_nameindex();
    if (!list)
        return bl_fail(diag, BL_UNAVAIL, "the system does not list its interfaces: %s",
                       strerror(errno));
    for (const struct if_nameindex *at = list; at->if_index; at++) {
        struct interface_info info;
        interface_look(&info, at->if_name);
        if (info.ethernet)
            each(ctx, &info);
    }
    if_freenameindex(list);
    return BL_OK;
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct interface_watch *watch = poll->data;
    char buffer[8192];
    (void)status;
    (void)events;
    /* The contents do not matter, nor an overrun of the queue (ENOBUFS): the caller reads the
     * present state. */
    while (recv(watch->fd, buffer, sizeof buffer, MSG_DONTWAIT) > 0 || errno == ENOBUFS)
        ;
    watch->changed(watch->ctx);
}

enum bl_status interface_watch_open(struct interface_watch **out, uv_loop_t *loop,
                                    void (*changed)(void *ctx), void *ctx, struct bl_diag *diag)
{
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK};
    struct interface_watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return bl_fail(diag, BL_NOMEM, "out of memory");
    watch->changed = changed;
    watch->ctx = ctx;
    watch->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (watch->fd < 0 || bind(watch->fd, (struct sockaddr *)&address, sizeof address) ||
        uv_poll_init(loop, &watch->poll, watch->fd)) {
        enum bl_status status = bl_fail(diag, BL_IO,
                                        "the system tells nothing of its interfaces "
                                        "(rtnetlink): %s",
                                        strerror(errno));
        if (watch->fd >= 0)
            close(watch->fd);
        free(watch);
        return status;
    }
    watch->poll.data = watch;
    uv_poll_start(&watch->poll, UV_READABLE, on_poll);
    *out = watch;
    return BL_OK;
}

static void on_closed(uv_handle_t *handle)
{
    struct interface_watch *watch = handle->data;
    free(watch);
}

void interface_watch_close(struct interface_watch *watch)
{
    if (!watch)
        return;
    uv_poll_stop(&watch->poll);
    close(watch->fd);
    uv_close((uv_handle_t *)&watch->poll, on_closed);
}
