#include "entity/relay.h"

#include "base/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAIRS      8     /* connections at a time; one more waits */
#define ROOM       16384 /* bytes under way in each direction */
#define NOBODY     65534u
#define CONNECT_MS 10000

enum relay_side { INSIDE, SERVER, SIDES };

struct pair {
    int fd[SIDES]; /* -1: none */
    bool open;     /* the connection to the server is made */
    uint64_t due_us;
    struct way {
        uint8_t bytes[ROOM];
        size_t at, used;
    } from[SIDES];
};

struct relay_server {
    union {
        struct sockaddr any;
        struct sockaddr_un local;
        struct sockaddr_storage room;
    } address;
    socklen_t length;
};

/* Splits http://[USER@]HOST[:PORT][/...] or https://; HOST without the brackets of IPv6. */
static bool url_split(const char *url, char host[256], char port[8])
{
    bool safe = strncasecmp(url, "https://", 8) == 0;
    if (!safe && strncasecmp(url, "http://", 7) != 0)
        return false;
    url += safe ? 8 : 7;
    size_t all = strcspn(url, "/?#");
    const char *user = memchr(url, '@', all);
    if (user) {
        all -= (size_t)(user + 1 - url);
        url = user + 1;
    }
    bool brackets = *url == '[';
    const char *end = memchr(url, brackets ? ']' : ':', all);
    size_t length = end ? (size_t)(end - url) - brackets : all;
    const char *rest = url + brackets + length + brackets;
    if (length == 0 || length > 255 || (brackets && !end) || rest > url + all)
        return false;
    snprintf(host, 256, "%.*s", (int)length, url + brackets);
    if (rest == url + all || rest + 1 == url + all)
        snprintf(port, 8, "%s", safe ? "443" : "80");
    else
        snprintf(port, 8, "%.*s", (int)(url + all - rest - 1), rest + 1);
    return rest == url + all || (*rest == ':' && strspn(port, "0123456789") == strlen(port));
}

static enum bl_status server_find(struct relay_server *server, const char *address,
                                  struct bl_diag *diag)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    char host[256], port[8];
    memset(server, 0, sizeof *server);
    if (strncmp(address, "unix:", 5) == 0) {
        server->address.local.sun_family = AF_UNIX;
        server->length = sizeof server->address.local;
        if (snprintf(server->address.local.sun_path, sizeof server->address.local.sun_path, "%s",
                     address + 5) < (int)sizeof server->address.local.sun_path)
            return BL_OK;
        return bl_fail(diag, BL_USAGE, "%.150s: a socket's name has up to %zu bytes", address,
                       sizeof server->address.local.sun_path - 1);
    }
    if (!url_split(address, host, port))
        return bl_fail(diag, BL_USAGE, "%.200s: expected an address as http://HOST[:PORT]",
                       address);
    if (getaddrinfo(host, port, &hints, &found) || found->ai_addrlen > sizeof server->address) {
        if (found)
            freeaddrinfo(found);
        return bl_fail(diag, BL_NOINPUT, "%.200s: no such machine is known", address);
    }
    memcpy(&server->address, found->ai_addr, found->ai_addrlen);
    server->length = found->ai_addrlen;
    freeaddrinfo(found);
    return BL_OK;
}

static void pair_close(struct pair *p)
{
    for (int i = 0; i < SIDES; i++) {
        if (p->fd[i] >= 0)
            close(p->fd[i]);
        p->fd[i] = -1;
    }
}

/* Gives up the server's side. The inner connection is kept until it sends bytes: a close with
 * unread bytes resets it. */
static void pair_refuse(struct pair *p)
{
    close(p->fd[SERVER]);
    p->fd[SERVER] = -1;
    p->due_us = BL_NEVER;
}

static void pair_make(struct pair *p, int listener, const struct relay_server *server)
{
    p->open = false;
    for (int i = 0; i < SIDES; i++)
        p->from[i].at = p->from[i].used = 0;
    p->fd[INSIDE] = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (p->fd[INSIDE] < 0)
        return;
    p->due_us = bl_mono_us() + CONNECT_MS * UINT64_C(1000);
    p->fd[SERVER] =
        socket(server->address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (p->fd[SERVER] >= 0 && connect(p->fd[SERVER], &server->address.any, server->length) == 0)
        p->open = true;
    else if (p->fd[SERVER] < 0 || errno != EINPROGRESS)
        pair_refuse(p);
}

/* The attempt to connect to the server has ended, with success or not. */
static void pair_connected(struct pair *p)
{
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(p->fd[SERVER], SOL_SOCKET, SO_ERROR, &error, &length) || error)
        pair_refuse(p);
    else
        p->open = true;
}

/* The events to wait for at one side of a pair. */
static struct pollfd pair_waits(const struct pair *p, enum relay_side side)
{
    short events = 0;
    if (p->fd[side] >= 0 && !p->open)
        events = side == SERVER ? POLLOUT : p->fd[SERVER] < 0 ? POLLIN : 0;
    else if (p->fd[side] >= 0)
        events = (short)((p->from[side].used ? 0 : POLLIN) | (p->from[!side].used ? POLLOUT : 0));
    return (struct pollfd){.fd = events ? p->fd[side] : -1, .events = events};
}

/* Passes bytes in one direction: reads if none wait, and writes as many as possible. False: a side
 * has ended, and all its bytes are passed on. */
static bool way_pass(struct pair *p, enum relay_side from)
{
    struct way *way = &p->from[from];
    ssize_t n;
    if (!way->used) {
        n = recv(p->fd[from], way->bytes, ROOM, 0);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        way->at = 0;
        way->used = n > 0 ? (size_t)n : 0;
    }
    if (!way->used)
        return true;
    n = send(p->fd[!from], way->bytes + way->at, way->used, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR)
        return false;
    way->at += n > 0 ? (size_t)n : 0;
    way->used -= n > 0 ? (size_t)n : 0;
    return true;
}

static void pair_turn(struct pair *p, const struct pollfd polls[SIDES])
{
    bool ready[SIDES] = {polls[INSIDE].revents != 0, polls[SERVER].revents != 0};
    if (p->fd[INSIDE] < 0)
        return;
    if (!p->open) {
        if (ready[INSIDE])
            pair_close(p);
        else if (ready[SERVER])
            pair_connected(p);
        else if (bl_mono_us() >= p->due_us)
            pair_refuse(p);
        return;
    }
    for (int i = 0; i < SIDES; i++)
        if ((ready[INSIDE] || ready[SERVER]) && !way_pass(p, (enum relay_side)i)) {
            pair_close(p);
            return;
        }
}

static _Noreturn void relay(int listener, const struct relay_server *server)
{
    static struct pair pairs[PAIRS];
    for (int i = 0; i < PAIRS; i++)
        pairs[i].fd[INSIDE] = pairs[i].fd[SERVER] = -1;
    for (;;) {
        struct pollfd polls[SIDES * PAIRS + 1];
        struct pair *vacant = NULL;
        uint64_t now = bl_mono_us(), due = BL_NEVER;
        for (int i = 0; i < PAIRS; i++) {
            struct pair *p = &pairs[i];
            polls[SIDES * i] = pair_waits(p, INSIDE);
            polls[SIDES * i + 1] = pair_waits(p, SERVER);
            if (p->fd[INSIDE] < 0)
                vacant = p;
            else if (!p->open && p->due_us < due)
                due = p->due_us;
        }
        polls[SIDES * PAIRS] = (struct pollfd){.fd = vacant ? listener : -1, .events = POLLIN};
        if (poll(polls, SIDES * PAIRS + 1,
                 due == BL_NEVER ? -1
                 : due <= now    ? 0
                                 : (int)((due - now + 999) / 1000)) < 0)
            continue;
        for (int i = 0; i < PAIRS; i++)
            pair_turn(&pairs[i], &polls[SIDES * i]);
        if (polls[SIDES * PAIRS].revents)
            pair_make(vacant, listener, server);
    }
}

/* Root's relay becomes nobody, unless the server is a socket file, which may be root's. */
static bool nobody_become(const struct relay_server *server)
{
    return geteuid() != 0 || server->address.any.sa_family == AF_UNIX ||
           (setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
            setresuid(NOBODY, NOBODY, NOBODY) == 0);
}

enum bl_status relay_start(pid_t *pid, int listener, const char *address, struct bl_diag *diag)
{
    struct relay_server server;
    pid_t parent = getpid();
    enum bl_status status = server_find(&server, address, diag);
    if (status)
        return status;
    *pid = fork();
    if (*pid < 0)
        return bl_fail(diag, BL_IO, "no process for the way to the server: %s", strerror(errno));
    if (*pid > 0)
        return BL_OK;
    sigset_t none;
    setsid();
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(listener, 0) < 0 || !nobody_become(&server))
        _exit(126);
    close_range(1, UINT_MAX, 0);
    prctl(PR_SET_NAME, "boothlink-way", 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0,
          0); /* after the change of users, which clears the setting */
    if (getppid() != parent)
        _exit(126);
    fcntl(0, F_SETFL, O_NONBLOCK);
    relay(0, &server);
}

enum bl_status relay_try(const char *address, struct bl_diag *diag)
{
    const struct timeval wait = {.tv_sec = 5};
    struct relay_server server;
    enum bl_status status = server_find(&server, address, diag);
    if (status)
        return status;
    int fd = socket(server.address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return bl_fail(diag, BL_IO, "no connection can be made: %s", strerror(errno));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    if (connect(fd, &server.address.any, server.length) != 0)
        status =
            bl_fail(diag, BL_UNAVAIL, "%.200s: nobody answers there (%s): start the server first",
                    address, strerror(errno == EINPROGRESS ? ETIMEDOUT : errno));
    close(fd);
    return status;
}

void relay_end(pid_t pid)
{
    if (pid <= 0)
        return;
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}
