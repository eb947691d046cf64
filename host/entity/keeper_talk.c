#include "entity/keeper_private.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(KEEPER_FDS_MAX * sizeof(int))];
};

ssize_t keeper_send(int socket, const void *message, size_t size, uint8_t *has, const int *fds,
                    size_t count)
{
    union control control = {{0}};
    int list[KEEPER_FDS_MAX];
    size_t used = 0;
    struct iovec data = {(void *)(uintptr_t)message, size};
    struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1};
    for (size_t i = 0; i < count; i++) {
        if (has)
            has[i] = fds[i] >= 0;
        if (fds[i] >= 0)
            list[used++] = fds[i];
    }
    if (used) {
        struct cmsghdr *c;
        header.msg_control = control.bytes;
        header.msg_controllen = CMSG_SPACE(used * sizeof(int));
        c = CMSG_FIRSTHDR(&header);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(used * sizeof(int));
        memcpy(CMSG_DATA(c), list, used * sizeof(int));
    }
    return sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t keeper_take(int socket, void *message, size_t size, const uint8_t *has, int *fds,
                    size_t count)
{
    union control control = {{0}};
    struct iovec data = {message, size};
    struct msghdr header = {.msg_iov = &data,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    int list[KEEPER_FDS_MAX];
    size_t got = 0, used = 0;
    ssize_t n = recvmsg(socket, &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&header) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
        got = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(list, CMSG_DATA(c), got * sizeof(int));
    }
    for (size_t i = 0; i < count; i++)
        fds[i] = (!has || has[i]) && used < got ? list[used++] : -1;
    while (used < got)
        close(list[used++]);
    return n;
}
