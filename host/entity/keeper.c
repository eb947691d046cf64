/* The keeper process. It sleeps in poll() until the terminal, the Entry or a signal wants
 * something. */
#include "entity/keeper.h"

#include "base/loop.h"
#include "entity/child.h"
#include "entity/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

/* Standard error that is taken in one period; a program that floods it waits. */
#define ERROR_BYTES     65536u
#define ERROR_PERIOD_US 250000u

struct keeping {
    struct child child;
    enum turn_end turn_end;
    struct keeper_page *page;
    int listen_fd, socket_fd, wake_fd, signal_fd, log_fd;

    uint64_t writing; /* which of the judge's keys is being written, 0 if none */
    uint8_t key[CHILD_KEY_MAX];
    size_t key_at, key_length;
    bool blocked, blocked_told, deaf;

    bool exited;
    char how[KEEPER_TEXT_MAX + 1];
    char last_error[100];
    size_t last_error_length;
    bool last_error_whole;

    char log_name[SESSION_ID_MAX + 16];
    uint64_t log_bytes, error_bytes, error_period_us;
    uint64_t wait_us;       /* for a terminal */
    uint64_t wait_until_us; /* BL_NEVER while there is one */
    bool ended, closed;     /* closed: by the terminal */
};

static void send_message(const struct keeping *k, int fd, enum keeper_kind kind, const char *text)
{
    struct keeper_message message = {.kind = kind, .pid = k->child.pid};
    snprintf(message.text, sizeof message.text, "%.*s", KEEPER_TEXT_MAX, text);
    if (fd >= 0)
        send(fd, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void send_hello(const struct keeping *k)
{
    struct keeper_message message = {.kind = KEEPER_HELLO, .pid = k->child.pid};
    int fds[3] = {k->child.out_fd, k->wake_fd, KEEPER_FD_PAGE};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof fds)];
    } control = {{0}};
    struct iovec data = {&message, sizeof message};
    struct msghdr header = {.msg_iov = &data,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    struct cmsghdr *c = CMSG_FIRSTHDR(&header);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fds);
    memcpy(CMSG_DATA(c), fds, sizeof fds);
    sendmsg(k->socket_fd, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (k->exited)
        send_message(k, k->socket_fd, KEEPER_EXITED, k->how);
    else if (k->deaf)
        send_message(k, k->socket_fd, KEEPER_DEAF, "");
    else if (k->blocked)
        send_message(k, k->socket_fd, KEEPER_BLOCKED, "");
}

/* The judge's keys up to the i-th of the page are done with. */
static void count_written(const struct keeping *k, uint64_t i)
{
    struct keeper_page *page = k->page;
    atomic_store_explicit(&page->delivered, page->given.number[i % GIVEN_ROOM],
                          memory_order_relaxed);
    atomic_store_explicit(&page->written, i, memory_order_release);
}

/* Writes what the judge has typed, as far as the Entry takes it. */
static void write_keys(struct keeping *k)
{
    const struct given *given = &k->page->given;
    uint64_t count = atomic_load_explicit(&given->count, memory_order_acquire);
    uint64_t done = atomic_load_explicit(&k->page->written, memory_order_relaxed);
    k->blocked = false;
    while (done < count) {
        ssize_t n;
        if (k->exited || k->deaf) {
            /* Nobody is there to read them: they are not kept for the next Entry. */
            count_written(k, count);
            return;
        }
        if (k->writing != done + 1) {
            k->writing = done + 1;
            k->key_at = 0;
            k->key_length =
                child_key(&k->child, k->turn_end, given->key[k->writing % GIVEN_ROOM], k->key);
        }
        n = write(k->child.in_fd, k->key + k->key_at, k->key_length - k->key_at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN) {
            k->blocked = true;
            if (!k->blocked_told)
                send_message(k, k->socket_fd, KEEPER_BLOCKED, "");
            k->blocked_told = true;
            return;
        }
        if (n < 0) {
            k->deaf = true;
            send_message(k, k->socket_fd, KEEPER_DEAF, "");
            continue;
        }
        k->key_at += (size_t)n;
        if (k->key_at == k->key_length)
            count_written(k, ++done);
    }
    k->blocked_told = false;
}

/* Remembers the last line, for the words that tell of the exit. */
static void remember_error(struct keeping *k, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = bytes[i];
        if (c == '\n' || c == '\r') {
            k->last_error_whole = true;
            continue;
        }
        if (k->last_error_whole)
            k->last_error_length = 0;
        k->last_error_whole = false;
        if (k->last_error_length < sizeof k->last_error - 1)
            k->last_error[k->last_error_length++] = c >= ' ' && c <= '~' ? c : '?';
    }
    k->last_error[k->last_error_length] = '\0';
}

/* Adds to the log beside the journal, which is there once there is something to log. A log that
 * cannot be written is no reason to disturb the Entry. */
static void write_log(struct keeping *k, const char *bytes, size_t length)
{
    size_t room;
    if (k->log_fd < 0) {
        k->log_fd = openat(KEEPER_FD_DIRECTORY, k->log_name,
                           O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (k->log_fd < 0)
            return;
        k->log_bytes = (uint64_t)lseek(k->log_fd, 0, SEEK_END);
    }
    room = k->log_bytes < KEEPER_LOG_MAX ? KEEPER_LOG_MAX - k->log_bytes : 0;
    if (length > room)
        length = room;
    if (length && write(k->log_fd, bytes, length) > 0)
        k->log_bytes += length;
}

/* Takes some of the Entry's standard error. */
static void read_error(struct keeping *k)
{
    char bytes[4096];
    ssize_t n = read(k->child.err_fd, bytes, sizeof bytes);
    uint64_t now = bl_mono_us();
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        close(k->child.err_fd);
        k->child.err_fd = -1;
        return;
    }
    if (now - k->error_period_us >= ERROR_PERIOD_US) {
        k->error_period_us = now;
        k->error_bytes = 0;
    }
    k->error_bytes += (uint64_t)n;
    remember_error(k, bytes, (size_t)n);
    write_log(k, bytes, (size_t)n);
}

static void describe_exit(struct keeping *k, int status)
{
    const char *quote = k->last_error_length ? "; its last error line: " : "";
    k->last_error[k->last_error_length] = '\0';
    if (WIFSIGNALED(status)) {
        const char *name = sigdescr_np(WTERMSIG(status));
        snprintf(k->how, sizeof k->how, "ended by signal %d (%s)%s%s", WTERMSIG(status),
                 name ? name : "unknown", quote, k->last_error);
    } else {
        snprintf(k->how, sizeof k->how, "exited with code %d%s%s", WEXITSTATUS(status), quote,
                 k->last_error);
    }
}

/* Reaps all that has ended. Returns false when no child is left. */
static bool reap(struct keeping *k)
{
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid == 0)
            return true;
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            return false;
        if (pid != k->child.pid || k->exited)
            continue;
        for (int i = 0; i < 16 && k->child.err_fd >= 0; i++)
            read_error(k);
        describe_exit(k, status);
        k->exited = true;
        write_keys(k);
        send_message(k, k->socket_fd, KEEPER_EXITED, k->how);
    }
}

static void take_signals(struct keeping *k)
{
    struct signalfd_siginfo info;
    while (read(k->signal_fd, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT)
            k->ended = true;
    }
    reap(k);
}

static void drop_terminal(struct keeping *k)
{
    close(k->socket_fd);
    k->socket_fd = -1;
    k->wait_until_us = bl_mono_us() + k->wait_us;
}

static void hear_terminal(struct keeping *k)
{
    struct keeper_message message;
    ssize_t n;
    /* A terminal that closes without having read our last message shows as a reset, once, and what
     * it said itself comes after that. */
    do
        n = recv(k->socket_fd, &message, sizeof message, MSG_DONTWAIT);
    while (n < 0 && errno == ECONNRESET);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n == sizeof message && message.kind == KEEPER_CLOSE)
        k->ended = k->closed = true;
    else if (n <= 0)
        drop_terminal(k);
    write_keys(k); /* a terminal killed before it could wake us */
}

static void accept_terminal(struct keeping *k)
{
    int fd = accept4(k->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (fd < 0)
        return;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) || peer.uid != geteuid()) {
        close(fd);
        return;
    }
    if (k->socket_fd >= 0)
        hear_terminal(k); /* it may just have been killed */
    if (k->socket_fd >= 0) {
        send_message(k, fd, KEEPER_BUSY, "");
        close(fd);
        return;
    }
    k->socket_fd = fd;
    k->wait_until_us = BL_NEVER;
    send_hello(k);
}

static int poll_timeout(uint64_t now, uint64_t due)
{
    if (due == BL_NEVER)
        return -1;
    return due <= now ? 0 : (int)((due - now + 999) / 1000);
}

static void keep(struct keeping *k)
{
    while (!k->ended) {
        uint64_t now = bl_mono_us(), due = k->wait_until_us;
        uint64_t error_due = k->error_period_us + ERROR_PERIOD_US;
        bool error_waits = k->error_bytes >= ERROR_BYTES && now < error_due;
        uint64_t wake;
        struct pollfd polls[] = {
            {.fd = k->signal_fd, .events = POLLIN},
            {.fd = k->socket_fd, .events = POLLIN},
            {.fd = k->wake_fd, .events = POLLIN},
            {.fd = k->listen_fd, .events = POLLIN},
            {.fd = error_waits ? -1 : k->child.err_fd, .events = POLLIN},
            {.fd = k->blocked ? k->child.in_fd : -1, .events = POLLOUT},
        };
        if (error_waits && error_due < due)
            due = error_due;
        if (poll(polls, sizeof polls / sizeof *polls, poll_timeout(now, due)) < 0 && errno != EINTR)
            return;
        if (polls[0].revents)
            take_signals(k);
        if (polls[2].revents && read(k->wake_fd, &wake, sizeof wake) == sizeof wake)
            write_keys(k);
        if (polls[5].revents)
            write_keys(k);
        if (polls[4].revents)
            read_error(k);
        if (polls[1].revents)
            hear_terminal(k);
        if (polls[3].revents)
            accept_terminal(k);
        if (bl_mono_us() >= k->wait_until_us)
            return;
    }
}

static void kill_child(void *ctx, const struct process *process)
{
    const int *signal_number = ctx;
    if (process->parent == getpid())
        kill(process->pid, *signal_number);
}

/* Signals the Entry's process group and all that has become ours since its parent ended. */
static void kill_all(const struct keeping *k, int number)
{
    if (!k->exited)
        kill(-k->child.pid, number);
    process_each(kill_child, &number);
}

/* Waits until no child is left, or until due. Returns whether none is left. */
static bool wait_for_all(struct keeping *k, uint64_t due)
{
    while (reap(k)) {
        struct pollfd p = {.fd = k->signal_fd, .events = POLLIN};
        struct signalfd_siginfo info;
        uint64_t now = bl_mono_us();
        if (now >= due)
            return false;
        poll(&p, 1, poll_timeout(now, due));
        while (read(k->signal_fd, &info, sizeof info) == sizeof info)
            ;
    }
    return true;
}

static void end_entry(struct keeping *k)
{
    uint64_t kill_us = bl_mono_us() + KEEPER_KILL_MS * UINT64_C(1000);
    kill_all(k, SIGHUP);
    kill_all(k, SIGCONT);
    child_close(&k->child);
    if (wait_for_all(k, kill_us))
        return;
    /* Children of the killed become ours and are killed in the next round. */
    for (int round = 0; round < 20; round++) {
        kill_all(k, SIGKILL);
        if (wait_for_all(k, bl_mono_us() + 50000))
            return;
    }
}

static bool open_signals(struct keeping *k)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    /* Taken and forgotten. Were it ignored, a new Entry would ignore it, too, for its first
     * instants. */
    sigaddset(&set, SIGHUP);
    signal(SIGPIPE, SIG_IGN);
    if (sigprocmask(SIG_SETMASK, &set, NULL))
        return false;
    k->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    k->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    /* What the Entry leaves behind becomes ours, so that it can be ended, too. */
    return k->signal_fd >= 0 && k->wake_fd >= 0 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

static bool take_descriptors(struct keeping *k)
{
    int type;
    socklen_t length = sizeof type;
    for (int fd = KEEPER_FD_LISTEN; fd < KEEPER_FDS; fd++) {
        if (fcntl(fd, F_SETFD, FD_CLOEXEC))
            return false;
    }
    if (getsockopt(KEEPER_FD_LISTEN, SOL_SOCKET, SO_TYPE, &type, &length) || type != SOCK_SEQPACKET)
        return false;
    k->page = mmap(NULL, sizeof *k->page, PROT_READ | PROT_WRITE, MAP_SHARED, KEEPER_FD_PAGE, 0);
    return k->page != MAP_FAILED && k->page->magic == KEEPER_MAGIC;
}

/* argv: keeper SESSION IO TURN-END COLUMNS ROWS WAIT-MS COMMAND */
int keeper_main(int argc, char **argv)
{
    struct keeping k = {.child = {.pid = -1},
                        .listen_fd = KEEPER_FD_LISTEN,
                        .socket_fd = KEEPER_FD_SOCKET,
                        .wake_fd = -1,
                        .signal_fd = -1,
                        .log_fd = -1,
                        .wait_until_us = BL_NEVER};
    struct bl_diag diag = {"the keeper cannot watch for signals"};
    char socket_name[SESSION_ID_MAX + 16];
    bool started;
    if (argc != 8 || !take_descriptors(&k)) {
        fprintf(stderr, "boothlink keeper: started by `boothlink entity`, not by hand\n");
        return EX_USAGE;
    }
    snprintf(socket_name, sizeof socket_name, "%.*s.entry", SESSION_ID_MAX, argv[1]);
    k.turn_end = (enum turn_end)atoi(argv[3]);
    k.wait_us = strtoull(argv[6], NULL, 10) * 1000;
    snprintf(k.log_name, sizeof k.log_name, "%.*s-entry.log", SESSION_ID_MAX, argv[1]);
    started = open_signals(&k) &&
              child_start(&k.child, argv[7], (enum program_io)atoi(argv[2]), k.turn_end,
                          (unsigned)atoi(argv[4]), (unsigned)atoi(argv[5]), &diag) == BL_OK;
    if (started) {
        send_hello(&k);
        keep(&k);
    } else {
        send_message(&k, k.socket_fd, KEEPER_FAILED, diag.text);
    }
    /* A terminal that closes has removed the socket's name itself: it may be another's by now. */
    if (!k.closed)
        unlinkat(KEEPER_FD_DIRECTORY, socket_name, 0);
    close(k.listen_fd);
    if (k.socket_fd >= 0)
        close(k.socket_fd);
    if (started)
        end_entry(&k);
    return started ? EX_OK : EX_OSERR;
}
