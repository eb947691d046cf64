/* The terminal's side of the keeper: finding one, or starting one. */
#include "entity/keeper.h"

#include "base/crc32c.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define HELLO_MS 20000

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static enum bl_status open_directory(struct keeper *keeper, const char *path, struct bl_diag *diag)
{
    enum bl_status status;
    keeper->directory = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (keeper->directory >= 0)
        return BL_OK;
    status = errno == EACCES ? BL_NOPERM : errno == ENOENT || errno == ENOTDIR ? BL_NOINPUT : BL_IO;
    return bl_fail(diag, status, "%.200s: %s; a directory for the Entry's socket is right", path,
                   strerror(errno));
}

static bool session_is_good(const char *session)
{
    static const char right[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t length = strlen(session);
    return length > 0 && length <= SESSION_ID_MAX && *session != '.' &&
           strspn(session, right) == length;
}

/* The address goes through /proc, because a path in sun_path may have 107 bytes only. */
static struct sockaddr_un address_of(const struct keeper *keeper)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", keeper->directory,
             keeper->name);
    return address;
}

/* Waits for the keeper's first message; with HELLO the descriptors are taken. */
static enum bl_status receive_hello(struct keeper *keeper, struct keeper_message *message,
                                    int fds[3], struct bl_diag *diag)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(3 * sizeof(int))];
    } control = {{0}};
    struct iovec data = {message, sizeof *message};
    struct msghdr header = {.msg_iov = &data,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    struct pollfd p = {.fd = keeper->socket, .events = POLLIN};
    struct cmsghdr *c;
    ssize_t n;
    int ready;
    do
        ready = poll(&p, 1, HELLO_MS);
    while (ready < 0 && errno == EINTR);
    n = ready > 0 ? recvmsg(keeper->socket, &header, MSG_CMSG_CLOEXEC) : -1;
    c = n > 0 ? CMSG_FIRSTHDR(&header) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
        c->cmsg_len == CMSG_LEN(3 * sizeof(int)))
        memcpy(fds, CMSG_DATA(c), 3 * sizeof(int));
    if (n != sizeof *message)
        return bl_fail(diag, ready == 0 ? BL_IO : BL_DOWN,
                       "the keeper of the Entry does not answer");
    message->text[KEEPER_TEXT_MAX] = '\0';
    switch ((enum keeper_kind)message->kind) {
    case KEEPER_HELLO:
        break;
    case KEEPER_FAILED:
        return bl_fail(diag, BL_IO, "%s", message->text);
    case KEEPER_BUSY:
        return bl_fail(diag, BL_BUSY,
                       "the Entry of this session belongs to another terminal that still runs; "
                       "end that one first");
    case KEEPER_EXITED:
    case KEEPER_BLOCKED:
    case KEEPER_DEAF:
    case KEEPER_CLOSE:
        return bl_fail(diag, BL_SOFTWARE, "the keeper of the Entry says what is not expected");
    }
    if (fds[0] < 0)
        return bl_fail(diag, BL_SOFTWARE, "the keeper of the Entry sent no descriptors");
    return BL_OK;
}

static enum bl_status say_hello(struct keeper *keeper, struct bl_diag *diag)
{
    struct keeper_message message = {0};
    int fds[3] = {-1, -1, -1};
    struct stat page;
    enum bl_status status = receive_hello(keeper, &message, fds, diag);
    keeper->out_fd = fds[0];
    keeper->wake_fd = fds[1];
    keeper->pid = message.pid;
    if (!status && !keeper->page) {
        void *at = MAP_FAILED;
        if (fstat(fds[2], &page) == 0 && page.st_size == sizeof *keeper->page)
            at = mmap(NULL, sizeof *keeper->page, PROT_READ | PROT_WRITE, MAP_SHARED, fds[2], 0);
        if (at != MAP_FAILED)
            keeper->page = at;
        if (!keeper->page || keeper->page->magic != KEEPER_MAGIC)
            status = bl_fail(diag, BL_DATA,
                             "the Entry of this session was started by another version of "
                             "boothlink; end it (process %ld) and start again",
                             (long)message.pid);
    }
    close_one(&fds[2]);
    return status;
}

/* Connects to a living keeper. BL_NOINPUT: there is none. */
static enum bl_status find(struct keeper *keeper, struct bl_diag *diag)
{
    struct sockaddr_un address = address_of(keeper);
    struct ucred peer;
    socklen_t length = sizeof peer;
    enum bl_status status;
    keeper->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (keeper->socket < 0)
        return bl_fail(diag, BL_IO, "no socket: %s", strerror(errno));
    if (connect(keeper->socket, (struct sockaddr *)&address, sizeof address)) {
        if (errno == ENOENT || errno == ECONNREFUSED)
            return BL_NOINPUT;
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_IO, "%s: %s; is it another user's?",
                       keeper->name, strerror(errno));
    }
    if (getsockopt(keeper->socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) ||
        peer.uid != geteuid())
        return bl_fail(diag, BL_NOPERM,
                       "%s: the keeper is another user's; use a directory of your own",
                       keeper->name);
    status = say_hello(keeper, diag);
    /* It came to its end just now. */
    return status == BL_DOWN ? BL_NOINPUT : status;
}

static enum bl_status make_page(struct keeper *keeper, int *fd,
                                const struct program_options *options, uint32_t command,
                                struct bl_diag *diag)
{
    struct keeper_page *page;
    *fd = memfd_create("boothlink-entry", MFD_CLOEXEC);
    if (*fd < 0 || ftruncate(*fd, sizeof *page))
        return bl_fail(diag, BL_IO, "no memory for the Entry's keeper: %s", strerror(errno));
    page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (page == MAP_FAILED)
        return bl_fail(diag, BL_NOMEM, "no memory for the Entry's keeper");
    page->magic = KEEPER_MAGIC;
    page->command = command;
    page->given.base = options->delivered;
    page->delivered = options->delivered;
    keeper->page = page;
    return BL_OK;
}

static enum bl_status make_socket(const struct keeper *keeper, int *fd, struct bl_diag *diag)
{
    struct sockaddr_un address = address_of(keeper);
    *fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    unlinkat(keeper->directory, keeper->name, 0);
    /* The mode of the socket's name comes from the descriptor, less the umask. */
    if (*fd < 0 || fchmod(*fd, 0600) || bind(*fd, (struct sockaddr *)&address, sizeof address) ||
        listen(*fd, 4))
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_IO,
                       "%s: the Entry's socket cannot be made: %s", keeper->name, strerror(errno));
    return BL_OK;
}

/* In the new process: only what is safe after fork(). The descriptors come in the order of
 * KEEPER_FD_. */
static void become_keeper(const int *fds, char *const *argv, char *const *env)
{
    int high[KEEPER_FDS - KEEPER_FD_LISTEN];
    int null;
    setsid();
    if (fork() != 0)
        _exit(0);
    for (int i = 0; i < KEEPER_FDS - KEEPER_FD_LISTEN; i++)
        high[i] = fcntl(fds[i], F_DUPFD, KEEPER_FDS);
    for (int i = 0; i < KEEPER_FDS - KEEPER_FD_LISTEN; i++) {
        if (dup2(high[i], KEEPER_FD_LISTEN + i) < 0)
            _exit(126);
    }
    null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
        _exit(126);
    close_range(KEEPER_FDS, UINT_MAX, 0);
    execve("/proc/self/exe", argv, env);
    _exit(126);
}

/* Our environment without the preloaded libraries, which are for our ports only. */
static char **environment_make(void)
{
    extern char **environ;
    size_t count = 0, kept = 0;
    char **env;
    while (environ[count])
        count++;
    env = calloc(count + 1, sizeof *env);
    for (size_t i = 0; env && i < count; i++) {
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0)
            env[kept++] = environ[i];
    }
    return env;
}

static enum bl_status start_keeper(const int *fds, const struct program_options *options,
                                   struct bl_diag *diag)
{
    char io[12], turn_end[12], columns[12], rows[12], keep_ms[12];
    const char *const words[] = {"boothlink", "keeper", options->session, io,  turn_end, columns,
                                 rows,        keep_ms,  options->command, NULL};
    char *argv[sizeof words / sizeof *words];
    char **env = environment_make();
    pid_t pid;
    int status;
    if (!env)
        return bl_fail(diag, BL_NOMEM, "no memory for the Entry's keeper");
    snprintf(io, sizeof io, "%d", (int)options->io);
    snprintf(turn_end, sizeof turn_end, "%d", (int)options->turn_end);
    snprintf(columns, sizeof columns, "%u", options->columns);
    snprintf(rows, sizeof rows, "%u", options->rows);
    snprintf(keep_ms, sizeof keep_ms, "%u", options->keep_ms ? options->keep_ms : KEEPER_WAIT_MS);
    memcpy(argv, words, sizeof argv);
    pid = fork();
    if (pid == 0)
        become_keeper(fds, argv, env);
    free(env);
    if (pid < 0)
        return bl_fail(diag, BL_IO, "the Entry's keeper cannot be started: %s", strerror(errno));
    /* Not our child: nobody but init has to reap it. */
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return BL_OK;
}

static enum bl_status start(struct keeper *keeper, const struct program_options *options,
                            uint32_t command, struct bl_diag *diag)
{
    int pair[2] = {-1, -1}, listener = -1, page = -1;
    enum bl_status status = make_page(keeper, &page, options, command, diag);
    if (!status)
        status = make_socket(keeper, &listener, diag);
    if (!status && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        status = bl_fail(diag, BL_IO, "no socket: %s", strerror(errno));
    if (!status) {
        const int fds[] = {listener, pair[1], page, keeper->directory};
        status = start_keeper(fds, options, diag);
    }
    close_one(&listener);
    close_one(&page);
    close_one(&pair[1]);
    keeper->socket = pair[0];
    if (!status)
        status = say_hello(keeper, diag);
    if (status == BL_DOWN)
        status = BL_IO;
    if (status)
        unlinkat(keeper->directory, keeper->name, 0);
    return status;
}

/* Closes all but the directory. */
static void let_go(struct keeper *keeper, bool end)
{
    if (end && keeper->socket >= 0) {
        const struct keeper_message message = {.kind = KEEPER_CLOSE};
        unlinkat(keeper->directory, keeper->name, 0);
        send(keeper->socket, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    if (keeper->page)
        munmap(keeper->page, sizeof *keeper->page);
    keeper->page = NULL;
    close_one(&keeper->socket);
    close_one(&keeper->out_fd);
    close_one(&keeper->wake_fd);
}

/* Its exit was told to an earlier terminal, and all that it has written was taken. */
static bool is_over(const struct keeper *keeper)
{
    const struct keeper_page *page = keeper->page;
    const struct keeper_state *state = &page->state[page->current & 1];
    int waiting = 0;
    return page->exit_told && !filter_waiting(&state->filter) && state->at >= page->length &&
           (ioctl(keeper->out_fd, FIONREAD, &waiting) || waiting == 0);
}

enum bl_status keeper_open(struct keeper *keeper, const struct program_options *options,
                           struct bl_diag *diag)
{
    uint32_t command = crc32c(0, options->command, strlen(options->command));
    struct program_options wanted = *options;
    enum bl_status status;
    *keeper = (struct keeper){.socket = -1, .out_fd = -1, .wake_fd = -1, .directory = -1};
    if (!session_is_good(options->session))
        return bl_fail(diag, BL_USAGE,
                       "session \"%.60s\": up to %d of A-Z a-z 0-9 . _ - are right, no . in front",
                       options->session, SESSION_ID_MAX);
    snprintf(keeper->name, sizeof keeper->name, "%s.entry", options->session);
    status = open_directory(keeper, options->keeper_dir, diag);
    if (!status)
        status = find(keeper, diag);
    keeper->resumed = status == BL_OK;
    if (keeper->resumed && (is_over(keeper) || keeper->page->command != command)) {
        uint64_t delivered = keeper->page->delivered;
        if (delivered > wanted.delivered)
            wanted.delivered = delivered;
        let_go(keeper, true);
        keeper->resumed = false;
        status = BL_NOINPUT;
    }
    if (status == BL_NOINPUT && keeper->directory >= 0) {
        close_one(&keeper->socket);
        status = start(keeper, &wanted, command, diag);
    }
    if (status)
        keeper_close(keeper, false);
    return status;
}

enum bl_status keeper_receive(struct keeper *keeper, struct keeper_message *message)
{
    ssize_t n = recv(keeper->socket, message, sizeof *message, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return BL_AGAIN;
    if (n != sizeof *message)
        return BL_DOWN;
    message->text[KEEPER_TEXT_MAX] = '\0';
    return BL_OK;
}

void keeper_wake(struct keeper *keeper)
{
    const uint64_t one = 1;
    /* It can fail only when the keeper has been woken 2^64 times and has not looked. */
    ssize_t n = write(keeper->wake_fd, &one, sizeof one);
    (void)n;
}

void keeper_close(struct keeper *keeper, bool end)
{
    let_go(keeper, end);
    close_one(&keeper->directory);
}
