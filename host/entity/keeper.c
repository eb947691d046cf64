/* The keeper process. It sleeps in poll() until the terminal, the Entry or a signal wakes it. */
#include "entity/keeper.h"

#include "base/loop.h"
#include "entity/apart_told.h"
#include "entity/child.h"
#include "entity/keeper_private.h"

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
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

/* Bytes of standard error that are read in one period. Further bytes wait. */
#define ERROR_BYTES     65536u
#define ERROR_PERIOD_US 250000u
#define OUTCOMES        4u  /* outcomes sent to the terminal in one period */
#define OUTCOMES_KEPT   32u /* outcomes kept for the next terminal; more are only logged */

/* A system service's folder for LPP. The terminal's user has no number in a sandbox, and cannot
 * write in the sandbox's own folders. */
#define LPP_SHARED "/run/boothlink-lpp"

/* Bytes of "unix:PATH", for the socket of the unit with a network. */
#define SERVER_BESIDE 128

#define COUNT_MS 50 /* between two looks at a sandbox's processes */

struct keeping {
    struct child child;
    enum turn_end turn_end;
    struct keeper_page *page;
    int listen_fd, socket_fd, wake_fd, signal_fd, log_fd, page_fd;
    int directory_fd; /* directory of the log; -1: log_fd is open already */
    bool started, failed;
    bool listening; /* this keeper is a service of the system */

    uint64_t writing; /* number of the judge's key being written; 0: none */
    uint8_t key[CHILD_KEY_MAX];
    size_t key_at, key_length;
    bool blocked, blocked_told, deaf;

    bool exited; /* the Entry has ended, and the terminal was told */
    char how[KEEPER_TEXT_MAX + 1];
    char last_error[KEEPER_TEXT_MAX + 1];
    size_t last_error_length;
    bool last_error_whole;

    char log_name[SESSION_ID_MAX + 16];
    uint64_t log_bytes, error_bytes, error_period_us;
    uint64_t wait_us;       /* time to wait for a terminal */
    uint64_t wait_until_us; /* BL_NEVER while a terminal is connected */
    bool ended, closed;     /* `closed`: the terminal asked for the end */
    uint64_t outcome_us;    /* begin of the present period of outcomes */
    unsigned outcomes;      /* number of outcomes told in that period */
    unsigned kept;          /* number of outcomes kept while there is no terminal */
    struct {
        enum keeper_kind kind;
        char text[NOTE_MAX + 1];
    } kept_said[OUTCOMES_KEPT];
};

static void send_message(const struct keeping *k, int fd, enum keeper_kind kind, const char *text)
{
    struct keeper_message message = {.kind = kind, .pid = k->child.pid};
    snprintf(message.text, sizeof message.text, "%s", text);
    if (fd >= 0)
        send(fd, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void send_hello(const struct keeping *k)
{
    struct keeper_message message = {.kind = KEEPER_HELLO, .pid = k->child.pid};
    const int fds[KEEPER_GIVES] = {
        [KEEPER_GIVES_OUT] = k->child.out_fd,   [KEEPER_GIVES_WAKE] = k->wake_fd,
        [KEEPER_GIVES_PAGE] = k->page_fd,       [KEEPER_GIVES_LPP] = k->child.lpp_fd,
        [KEEPER_GIVES_PORT] = k->child.port_fd, [KEEPER_GIVES_DESK] = k->child.desk_fd};
    keeper_send(k->socket_fd, &message, sizeof message, message.has, fds, KEEPER_GIVES);
    if (k->exited)
        send_message(k, k->socket_fd, KEEPER_EXITED, k->how);
    else if (k->deaf)
        send_message(k, k->socket_fd, KEEPER_DEAF, "");
    else if (k->blocked)
        send_message(k, k->socket_fd, KEEPER_BLOCKED, "");
}

/* Sends the outcomes that came without a terminal. */
static void send_kept(struct keeping *k)
{
    for (unsigned i = 0; i < k->kept; i++)
        send_message(k, k->socket_fd, k->kept_said[i].kind, k->kept_said[i].text);
    k->kept = 0;
}

/* Notes that the judge's keys up to key i of the page are written or dropped. */
static void count_written(const struct keeping *k, uint64_t i)
{
    struct keeper_page *page = k->page;
    atomic_store_explicit(&page->delivered, page->given.number[i % GIVEN_ROOM],
                          memory_order_relaxed);
    atomic_store_explicit(&page->written, i, memory_order_release);
}

/* Writes the judge's keys as fast as the Entry takes them. */
static void write_keys(struct keeping *k)
{
    const struct given *given = &k->page->given;
    uint64_t count = atomic_load_explicit(&given->count, memory_order_acquire);
    uint64_t done = atomic_load_explicit(&k->page->written, memory_order_relaxed);
    k->blocked = false;
    while (done < count) {
        ssize_t n;
        if (k->exited || k->deaf) {
            /* The Entry takes no more keys: the rest is dropped. */
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

/* Remembers the last line of standard error, for the message about the Entry's end. */
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

/* Appends to the log, which the first text creates. A failure has no effect on the Entry. */
static void write_log(struct keeping *k, const char *bytes, size_t length)
{
    size_t room;
    if (k->log_fd < 0) {
        k->log_fd = openat(k->directory_fd, k->log_name,
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

/* Logs an adapter's outcome. Sends the outcome to the terminal, unless too many were sent in this
 * period. */
static void tell_outcome(struct keeping *k, const struct apart_said *said)
{
    enum keeper_kind kind = said->event == APART_IS_THERE ? KEEPER_THERE : KEEPER_SAID;
    char line[NOTE_MAX + 16];
    uint64_t now = bl_mono_us();
    int length = snprintf(line, sizeof line, "outcome: %s\n", said->as.text);
    write_log(k, line, (size_t)length);
    if (now - k->outcome_us >= ERROR_PERIOD_US) {
        k->outcome_us = now;
        k->outcomes = 0;
    }
    if (kind == KEEPER_SAID && k->outcomes == OUTCOMES)
        return;
    k->outcomes += kind == KEEPER_SAID;
    if (k->socket_fd >= 0) {
        send_message(k, k->socket_fd, kind, said->as.text);
    } else if (k->kept < OUTCOMES_KEPT) {
        k->kept_said[k->kept].kind = kind;
        snprintf(k->kept_said[k->kept++].text, sizeof k->kept_said[0].text, "%s", said->as.text);
    }
}

/* Takes a packet of the adapter. True if more may be waiting. */
static bool read_outcome(struct keeping *k)
{
    static struct apart_said said;
    enum apart_taken taken =
        k->child.said_fd < 0 ? APART_NOTHING : apart_take(k->child.said_fd, &said);
    if (taken == APART_TAKEN && said.kind == APART_NOTES)
        tell_outcome(k, &said);
    if (taken == APART_OVER) {
        close(k->child.said_fd);
        k->child.said_fd = -1;
    }
    return taken == APART_TAKEN;
}

static void describe_exit(struct keeping *k, int status)
{
    const char *quote = k->last_error_length ? "; its last error line: " : "";
    const char *excess = child_excess(&k->child);
    k->last_error[k->last_error_length] = '\0';
    if (excess) {
        snprintf(k->how, sizeof k->how, "was ended: it %s%s%.99s", excess, quote, k->last_error);
    } else if (WIFSIGNALED(status)) {
        const char *name = sigdescr_np(WTERMSIG(status));
        snprintf(k->how, sizeof k->how, "ended by signal %d (%s)%s%.99s", WTERMSIG(status),
                 name ? name : "unknown", quote, k->last_error);
    } else {
        snprintf(k->how, sizeof k->how, "exited with code %d%s%.99s", WEXITSTATUS(status), quote,
                 k->last_error);
    }
}

/* Reaps ended processes. False: no process of the Entry is left. */
static bool reap(struct keeping *k)
{
    bool left = child_reap(&k->child);
    atomic_store_explicit(&k->page->waits, child_waits(&k->child), memory_order_relaxed);
    if (!k->child.ended || k->exited)
        return left;
    for (int i = 0; i < 16 && k->child.err_fd >= 0; i++)
        read_error(k);
    for (int i = 0; i < 16 && read_outcome(k); i++)
        ;
    describe_exit(k, k->child.status);
    k->exited = true;
    write_keys(k);
    send_message(k, k->socket_fd, KEEPER_EXITED, k->how);
    return left;
}

static void take_signals(struct keeping *k)
{
    struct signalfd_siginfo info;
    while (read(k->signal_fd, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT)
            k->ended = true;
    }
    if (k->started)
        reap(k);
}

/* Takes the next text of KEEPER_START; "": none. */
static const char *text_next(const char **at, const char *end)
{
    const char *text = *at;
    if (text >= end)
        return "";
    *at += strlen(text) + 1;
    return text;
}

/* Finds the server's address for a system service, which has no network. The socket NAME.server
 * beside its own NAME.entry leads to a unit whose network permits one address
 * (boothlink-server@). */
static enum bl_status server_beside(const struct keeping *k, char address[SERVER_BESIDE],
                                    struct bl_diag *diag)
{
    struct sockaddr_un own = {.sun_family = AF_UNIX};
    socklen_t length = sizeof own - 1; /* leaves a zero at the end */
    if (getsockname(k->listen_fd, (struct sockaddr *)&own, &length))
        own.sun_path[0] = '\0';
    char *dot = strrchr(own.sun_path, '.');
    snprintf(address, SERVER_BESIDE, "unix:%.*s.server", (int)(dot ? dot - own.sun_path : 0),
             own.sun_path);
    return access(address + 5, F_OK) == 0
               ? BL_OK
               : bl_fail(
                     diag, BL_UNAVAIL,
                     "%.120s: %s; an Entry behind a server needs boothlink-server@...socket, with "
                     "that one address allowed: see boothlink-entity(1)",
                     address + 5, strerror(errno));
}

static bool page_take(struct keeping *k, int fd)
{
    struct stat found;
    if (fd < 0 || fstat(fd, &found) || found.st_size != sizeof *k->page)
        return false;
    k->page_fd = fd;
    k->page = mmap(NULL, sizeof *k->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return k->page != MAP_FAILED && k->page->magic == KEEPER_MAGIC;
}

/* Starts the Entry that a terminal asks for. fds: the page; the log or its directory; the brief. */
static void start_entry(struct keeping *k, const struct keeper_start *start, const int fds[3])
{
    static const char *hidden[KEEPER_HIDDEN + 1];
    const char *at = start->text, *end = start->text + start->length;
    const char *session = text_next(&at, end), *command = text_next(&at, end);
    const char *folder = text_next(&at, end), *lpp = text_next(&at, end);
    const char *server = text_next(&at, end);
    char beside[SERVER_BESIDE];
    struct bl_diag diag = {"the keeper was asked for what it does not understand"};
    struct program_options options = {.command = command,
                                      .comms = start->comms,
                                      .brief = fds[2],
                                      .io = (enum program_io)start->io,
                                      .turn_end = (enum turn_end)start->turn_end,
                                      .columns = start->columns,
                                      .rows = start->rows};
    uint32_t ours = start->ours < KINDS && entry_kinds[start->ours].ours ? start->ours : 0;
    enum bl_status status = BL_SOFTWARE;
    for (size_t i = 0; i < KEEPER_HIDDEN && at < end; i++)
        hidden[i] = text_next(&at, end);
    options.place = (struct program_place){.folder = folder,
                                           .lpp = *lpp ? lpp : NULL,
                                           .hidden = hidden,
                                           .memory_mib = start->memory_mib,
                                           .processes = start->processes,
                                           .port = start->port,
                                           .open = start->open,
                                           .ours = (enum kind_id)ours,
                                           .server = *server ? server : NULL};
    k->turn_end = options.turn_end;
    k->wait_us = start->keep_ms * UINT64_C(1000);
    snprintf(k->log_name, sizeof k->log_name, "%.*s-entry.log", SESSION_ID_MAX, session);
    if (start->log) {
        k->log_fd = fds[1];
        k->log_bytes = (uint64_t)lseek(k->log_fd, 0, SEEK_END);
    } else {
        k->directory_fd = fds[1];
    }
    if (page_take(k, fds[0])) {
        k->page->open = start->open;
        status =
            start->open && k->listening
                ? bl_fail(&diag, BL_USAGE, "the system's keeper starts no Entry without a sandbox")
                : BL_OK;
    }
    if (!status && k->listening && *server && strncmp(server, "unix:", 5) != 0) {
        status = server_beside(k, beside, &diag);
        options.place.server = beside;
    }
    if (!status)
        status = child_start(&k->child, &options, k->listening ? LPP_SHARED : NULL, &diag);
    if (status) {
        struct keeper_message message = {.kind = KEEPER_FAILED, .status = status};
        snprintf(message.text, sizeof message.text, "%.*s%s", KEEPER_WHY_MAX - 100, diag.text,
                 status == BL_UNAVAIL && !k->listening
                     ? "; --no-sandbox does without, and it goes on record"
                     : "");
        send(k->socket_fd, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
        k->ended = k->failed = true;
        return;
    }
    k->started = true;
    send_hello(k);
}

/* Waits for the next terminal from now on. A keeper without an Entry ends; a service is started
 * again at the next connection. */
static void drop_terminal(struct keeping *k)
{
    close(k->socket_fd);
    k->socket_fd = -1;
    k->wait_until_us = bl_mono_us() + k->wait_us;
    k->ended = k->ended || !k->started;
}

static void hear_terminal(struct keeping *k)
{
    static struct keeper_start start;
    int fds[3] = {-1, -1, -1};
    struct keeper_message message;
    ssize_t n;
    /* A terminal that closed with our last message unread causes one ECONNRESET. Its own last
     * messages can then be read. */
    do
        n = keeper_take(k->socket_fd, &start, sizeof start, NULL, fds, 3);
    while (n < 0 && errno == ECONNRESET);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    memcpy(&message, &start, sizeof message);
    if (n == sizeof message && message.kind == KEEPER_CLOSE) {
        k->ended = k->closed = true;
    } else if (n == sizeof start && start.kind == KEEPER_START && !k->started &&
               start.length <= sizeof start.text && start.length > 0 &&
               !start.text[start.length - 1]) {
        start_entry(k, &start, fds);
        if (fds[2] >= 0)
            close(fds[2]);
        return;
    } else if (n <= 0) {
        drop_terminal(k);
    }
    if (k->started)
        write_keys(k); /* a killed terminal may not have woken the keeper */
}

static void accept_terminal(struct keeping *k)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (k->socket_fd >= 0 && !k->ended)
        hear_terminal(k); /* the terminal's end or KEEPER_CLOSE may be unread */
    if (k->ended)
        return; /* the new terminal finds another keeper */
    int fd = accept4(k->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    /* Owner and mode of a system service's socket decide who may connect. */
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) ||
        (peer.uid != geteuid() && !k->listening)) {
        close(fd);
        return;
    }
    if (k->socket_fd >= 0) {
        send_message(k, fd, KEEPER_BUSY, "");
        close(fd);
        return;
    }
    k->socket_fd = fd;
    k->wait_until_us = BL_NEVER;
    if (k->started) {
        send_hello(k);
        send_kept(k);
    } else {
        send_message(k, fd, KEEPER_VACANT, "");
    }
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
            {.fd = k->child.news_fd, .events = POLLIN},
            {.fd = k->child.said_fd, .events = POLLIN},
        };
        if (error_waits && error_due < due)
            due = error_due;
        if (poll(polls, sizeof polls / sizeof *polls, poll_timeout(now, due)) < 0 && errno != EINTR)
            return;
        if (polls[0].revents)
            take_signals(k);
        if (polls[6].revents)
            reap(k);
        if (polls[2].revents && read(k->wake_fd, &wake, sizeof wake) == sizeof wake)
            write_keys(k);
        if (polls[5].revents)
            write_keys(k);
        if (polls[4].revents)
            read_error(k);
        if (polls[7].revents)
            read_outcome(k);
        if (polls[1].revents)
            hear_terminal(k);
        if (polls[3].revents)
            accept_terminal(k);
        if (bl_mono_us() >= k->wait_until_us)
            return;
    }
}

/* Waits until no process of the Entry is left, or until `due`. True: none is left. */
static bool wait_for_all(struct keeping *k, uint64_t due)
{
    while (reap(k)) {
        struct pollfd polls[] = {{.fd = k->signal_fd, .events = POLLIN},
                                 {.fd = k->child.news_fd, .events = POLLIN}};
        struct signalfd_siginfo info;
        uint64_t now = bl_mono_us();
        /* No event tells when a sandbox's count of processes falls. */
        int wait = poll_timeout(now, due);
        if (now >= due)
            return false;
        poll(polls, 2, k->child.sandbox && wait > COUNT_MS ? COUNT_MS : wait);
        while (read(k->signal_fd, &info, sizeof info) == sizeof info)
            ;
    }
    return true;
}

static void end_entry(struct keeping *k)
{
    uint64_t kill_us = bl_mono_us() + KEEPER_KILL_MS * UINT64_C(1000);
    child_signal(&k->child, SIGHUP);
    child_signal(&k->child, SIGCONT);
    child_hang_up(&k->child);
    if (wait_for_all(k, kill_us) && !k->child.sandbox)
        return;
    /* Children of a killed process become the keeper's. The next round kills them. */
    for (int round = 0; round < 20; round++) {
        child_kill(&k->child);
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
    /* SIGHUP is received and dropped. A new Entry would inherit an ignored SIGHUP. */
    sigaddset(&set, SIGHUP);
    signal(SIGPIPE, SIG_IGN);
    if (sigprocmask(SIG_SETMASK, &set, NULL))
        return false;
    k->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    k->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    /* The Entry's orphans become the keeper's children, which the keeper can end. */
    return k->signal_fd >= 0 && k->wake_fd >= 0 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/* Takes the descriptors of the process's start. */
static bool take_descriptors(struct keeping *k)
{
    int type;
    socklen_t length = sizeof type;
    int given = k->listening ? KEEPER_FD_SOCKET : KEEPER_FDS;
    for (int fd = KEEPER_FD_LISTEN; fd < given; fd++) {
        if (fcntl(fd, F_SETFD, FD_CLOEXEC))
            return false;
    }
    if (getsockopt(KEEPER_FD_LISTEN, SOL_SOCKET, SO_TYPE, &type, &length) || type != SOCK_SEQPACKET)
        return false;
    k->listen_fd = KEEPER_FD_LISTEN;
    if (k->listening)
        return fcntl(k->listen_fd, F_SETFL, O_NONBLOCK) == 0;
    k->socket_fd = KEEPER_FD_SOCKET;
    k->directory_fd = KEEPER_FD_DIRECTORY;
    return true;
}

int keeper_main(int argc, char **argv)
{
    const char *listening = getenv("LISTEN_FDS");
    struct keeping k = {.child = CHILD_NONE,
                        .listen_fd = -1,
                        .socket_fd = -1,
                        .wake_fd = -1,
                        .signal_fd = -1,
                        .log_fd = -1,
                        .page_fd = -1,
                        .directory_fd = -1,
                        .listening = argc == 1 && listening && strcmp(listening, "1") == 0,
                        .wait_us = KEEPER_WAIT_MS * UINT64_C(1000),
                        .wait_until_us = BL_NEVER};
    char socket_name[SESSION_ID_MAX + 16];
    if ((argc != 2 && !k.listening) || !take_descriptors(&k)) {
        fprintf(stderr, "boothlink keeper: started by `boothlink entity` or by systemd, not by "
                        "hand\n");
        return EX_USAGE;
    }
    if (!open_signals(&k))
        return EX_OSERR;
    if (k.socket_fd >= 0)
        send_message(&k, k.socket_fd, KEEPER_VACANT, "");
    keep(&k);
    /* A terminal that closed has removed the socket's name. Another keeper may have that name
     * now. */
    snprintf(socket_name, sizeof socket_name, "%.*s.entry", SESSION_ID_MAX,
             argc == 2 ? argv[1] : "");
    if (k.started && !k.closed && !k.listening)
        unlinkat(KEEPER_FD_DIRECTORY, socket_name, 0);
    close(k.listen_fd);
    if (k.socket_fd >= 0)
        close(k.socket_fd);
    if (k.started)
        end_entry(&k);
    return k.failed ? EX_OSERR : EX_OK;
}
