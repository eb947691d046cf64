/* The bare log: bare PORT FOLDER. Takes pieces of files over TCP, writes each at its offset,
 * syncs once for all that have come, and answers, as the desk does; without keys, pages and a
 * nats-server. Files are FOLDER/PLACE-FILE, by number. Ends by a signal. */
#include "tests/scale/crowd.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PEERS   1024
#define FILES   64
#define BYTES   65536
#define ANSWERS 4096

struct peer {
    int fds[FILES]; /* 0: not opened */
    size_t length;
    uint8_t bytes[BYTES];
};

static struct {
    int fd;
    struct frame_down frame;
} answer[ANSWERS];

static struct pollfd polled[PEERS + 1];
static struct peer *peers[PEERS + 1];
static unsigned count = 1, answers;
static int folder;

static void check(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(1);
}

static void take(struct peer *peer, int fd, const struct frame_up *frame, const uint8_t *bytes)
{
    char name[32];
    int *file = &peer->fds[frame->file % FILES];
    snprintf(name, sizeof name, "%u-%u", frame->place, frame->file);
    if (!*file)
        *file = openat(folder, name, O_WRONLY | O_CREAT, 0600);
    check(*file > 0 &&
              pwrite(*file, bytes, frame->length, (off_t)frame->offset) == (ssize_t)frame->length,
          name);
    answer[answers].fd = fd;
    answer[answers++].frame = (struct frame_down){frame->file, frame->offset + frame->length};
}

static void answer_all(void)
{
    if (!answers)
        return;
    check(syncfs(folder) == 0, "syncfs");
    for (unsigned i = 0; i < answers; i++)
        check(send(answer[i].fd, &answer[i].frame, sizeof answer[i].frame, MSG_NOSIGNAL) ==
                  sizeof answer[i].frame,
              "send");
    answers = 0;
}

/* False: the peer has gone. */
static bool read_peer(struct peer *peer, int fd)
{
    ssize_t n = read(fd, peer->bytes + peer->length, BYTES - peer->length);
    size_t at = 0;
    if (n <= 0)
        return false;
    peer->length += (size_t)n;
    for (;;) {
        struct frame_up frame;
        if (peer->length - at < sizeof frame)
            break;
        memcpy(&frame, peer->bytes + at, sizeof frame);
        if (peer->length - at < sizeof frame + frame.length)
            break;
        take(peer, fd, &frame, peer->bytes + at + sizeof frame);
        at += sizeof frame + frame.length;
        if (answers == ANSWERS)
            answer_all();
    }
    peer->length -= at;
    memmove(peer->bytes, peer->bytes + at, peer->length);
    return true;
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int yes = 1;
    if (argc != 3)
        return 64;
    address.sin_port = htons((uint16_t)atoi(argv[1]));
    folder = open(argv[2], O_RDONLY | O_DIRECTORY);
    polled[0] = (struct pollfd){socket(AF_INET, SOCK_STREAM, 0), POLLIN, 0};
    setsockopt(polled[0].fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    check(folder >= 0 && bind(polled[0].fd, (struct sockaddr *)&address, sizeof address) == 0 &&
              listen(polled[0].fd, PEERS) == 0,
          "bare");
    while (poll(polled, count, -1) > 0) {
        for (unsigned i = 1; i < count; i++)
            if (polled[i].revents && !read_peer(peers[i], polled[i].fd))
                polled[i].events = 0, polled[i].fd = -1;
        answer_all();
        if (polled[0].revents && count <= PEERS) {
            polled[count] = (struct pollfd){accept(polled[0].fd, NULL, NULL), POLLIN, 0};
            peers[count] = calloc(1, sizeof **peers);
            check(polled[count].fd >= 0 && peers[count], "accept");
            count++;
        }
    }
    return 1;
}
