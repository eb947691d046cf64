/* A listener at a hub, for the audit of blindness: a line "MICROSECONDS SENDER LENGTH" for each
 * frame of ours on eth0, as the kernel got it; SENDER is the last byte of its address.
 *
 *   listener FILE     until it is killed */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <signal.h>
#include <time.h>

#define ETHERTYPE 0x88B5

static int complain(const char *what)
{
    fprintf(stderr, "listener: %s: %s\n", what, strerror(errno));
    return 1;
}

int main(int argc, char **argv)
{
    int one = 1;
    FILE *out = argc == 2 ? fopen(argv[1], "we") : NULL;
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETHERTYPE));
    struct sockaddr_ll here = {.sll_family = AF_PACKET,
                               .sll_protocol = htons(ETHERTYPE),
                               .sll_ifindex = (int)if_nametoindex("eth0")};
    if (!out || fd < 0 || setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one) ||
        bind(fd, (struct sockaddr *)&here, sizeof here))
        return complain("expected a file, and an eth0 to listen at");
    setvbuf(out, NULL, _IOLBF, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        uint8_t frame[2048], control[256];
        struct iovec data = {frame, sizeof frame};
        struct msghdr message = {.msg_iov = &data,
                                 .msg_iovlen = 1,
                                 .msg_control = control,
                                 .msg_controllen = sizeof control};
        struct timespec at = {0, 0};
        ssize_t length = recvmsg(fd, &message, 0);
        if (length < ETH_HLEN)
            return complain("eth0");
        for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c))
            if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS)
                memcpy(&at, CMSG_DATA(c), sizeof at);
        fprintf(out, "%" PRIu64 " %u %zd\n",
                (uint64_t)at.tv_sec * 1000000u + (uint64_t)at.tv_nsec / 1000u,
                frame[2 * ETH_ALEN - 1], length);
    }
}
