#include "entity/keeper.h"

#include "base/bytes.h"
#include "base/crc32c.h"
#include "entity/keeper_private.h"
#include "entity/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
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
    return bl_fail(diag, status, "%.200s: %s; expected a directory for the Entry's socket", path,
                   strerror(errno));
}

static bool session_is_good(const char *session)
{
    static const char right[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t length = strlen(session);
    return length > 0 && length <= SESSION_ID_MAX && *session != '.' &&
           strspn(session, right) == length;
}

/* The socket's address. Its path is in /proc, because sun_path has at most 107 bytes. */
static struct sockaddr_un address_of(const struct keeper *keeper)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", keeper->directory,
             keeper->name);
    return address;
}

static enum bl_status hear(struct keeper *keeper, struct keeper_message *message,
                           int fds[KEEPER_GIVES], struct bl_diag *diag)
{
    struct pollfd p = {.fd = keeper->socket, .events = POLLIN};
    ssize_t n = -1;
    int ready;
    do
        ready = poll(&p, 1, HELLO_MS);
    while (ready < 0 && errno == EINTR);
    if (ready > 0)
        n = keeper_take(keeper->socket, message, sizeof *message, message->has, fds, KEEPER_GIVES);
    if (n != sizeof *message)
        return bl_fail(diag, ready == 0 ? BL_IO : BL_DOWN,
                       "the keeper of the Entry does not answer");
    message->text[KEEPER_WHY_MAX] = '\0';
    return BL_OK;
}

static enum bl_status hello_check(const struct keeper_message *message, const int *fds,
                                  struct bl_diag *diag)
{
    switch ((enum keeper_kind)message->kind) {
    case KEEPER_HELLO:
        break;
    case KEEPER_VACANT:
        return BL_NOINPUT;
    case KEEPER_FAILED:
        return bl_fail(diag,
                       message->status == BL_UNAVAIL || message->status == BL_USAGE
                           ? (enum bl_status)message->status
                           : BL_IO,
                       "%s", message->text);
    case KEEPER_BUSY:
        return bl_fail(diag, BL_BUSY,
                       "the Entry of this session belongs to another terminal that still runs; "
                       "end that one first");
    case KEEPER_EXITED:
    case KEEPER_BLOCKED:
    case KEEPER_DEAF:
    case KEEPER_SAID:
    case KEEPER_THERE:
    case KEEPER_START:
    case KEEPER_CLOSE:
        return bl_fail(diag, BL_SOFTWARE, "the keeper of the Entry says what is not expected");
    }
    if (fds[KEEPER_GIVES_OUT] < 0 || fds[KEEPER_GIVES_WAKE] < 0)
        return bl_fail(diag, BL_SOFTWARE, "the keeper of the Entry sent no descriptors");
    return BL_OK;
}

/* True if the page is consistent: another user's keeper may have changed it. */
static bool page_sound(const struct keeper_page *page)
{
    bool good = bool_sound(&page->open) && bool_sound(&page->waits) && bool_sound(&page->begun) &&
                bool_sound(&page->ready_told) && bool_sound(&page->exit_told) &&
                page->current <= 1 && (page->length & ~KEEPER_READING) <= KEEPER_BYTES &&
                page->written <= page->given.count &&
                page->given.count - page->written <= GIVEN_ROOM;
    for (unsigned i = 0; good && i < 2; i++)
        good = page->state[i].at <= KEEPER_BYTES && filter_sound(&page->state[i].filter);
    return good;
}

/* Maps the keeper's page. NULL: no mapping, another version's page, or a page that can be
 * truncated. */
static struct keeper_page *page_map(int fd)
{
    struct stat found;
    if (fd < 0 || fstat(fd, &found) || found.st_size != sizeof(struct keeper_page) ||
        !(fcntl(fd, F_GET_SEALS) & F_SEAL_SHRINK))
        return NULL;
    struct keeper_page *page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED)
        return NULL;
    if (page->magic == KEEPER_MAGIC)
        return page;
    munmap(page, sizeof *page);
    return NULL;
}

/* Takes the keeper's greeting. BL_NOINPUT: no Entry yet. */
static enum bl_status say_hello(struct keeper *keeper, struct bl_diag *diag)
{
    struct keeper_message message = {0};
    int fds[KEEPER_GIVES];
    enum bl_status status;
    for (size_t i = 0; i < KEEPER_GIVES; i++)
        fds[i] = -1;
    status = hear(keeper, &message, fds, diag);
    if (!status)
        status = hello_check(&message, fds, diag);
    keeper->out_fd = fds[KEEPER_GIVES_OUT];
    keeper->wake_fd = fds[KEEPER_GIVES_WAKE];
    keeper->lpp_fd = fds[KEEPER_GIVES_LPP];
    keeper->port_fd = fds[KEEPER_GIVES_PORT];
    keeper->desk_fd = fds[KEEPER_GIVES_DESK];
    keeper->pid = message.pid;
    if (!status && !keeper->page)
        keeper->page = page_map(fds[KEEPER_GIVES_PAGE]);
    if (!status && !keeper->page)
        status = bl_fail(diag, BL_DATA,
                         "the Entry of this session was started by another version of boothlink; "
                         "end it (process %ld) and start again",
                         (long)message.pid);
    else if (!status && !page_sound(keeper->page))
        status = bl_fail(diag, BL_DATA,
                         "the keeper of the Entry has lost its memory: end it (process %ld) "
                         "and start again",
                         (long)message.pid);
    close_one(&fds[KEEPER_GIVES_PAGE]);
    return status;
}

static enum bl_status service_address(const char *path, struct sockaddr_un *address,
                                      struct bl_diag *diag)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (snprintf(address->sun_path, sizeof address->sun_path, "%s", path) >=
        (int)sizeof address->sun_path)
        return bl_fail(diag, BL_USAGE, "--keeper %.120s: a socket's name has up to %zu bytes", path,
                       sizeof address->sun_path - 1);
    return BL_OK;
}

static enum bl_status find_service(struct keeper *keeper, const char *path, struct bl_diag *diag)
{
    struct sockaddr_un address;
    enum bl_status status = service_address(path, &address, diag);
    if (status)
        return status;
    keeper->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (keeper->socket < 0)
        return bl_fail(diag, BL_IO, "no socket: %s", strerror(errno));
    if (connect(keeper->socket, (struct sockaddr *)&address, sizeof address))
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_UNAVAIL,
                       "--keeper %.100s: %s; systemctl start boothlink-entry@... makes it", path,
                       strerror(errno));
    return say_hello(keeper, diag);
}

/* Connects to a living keeper of this user. BL_NOINPUT: there is none. */
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
    /* BL_DOWN: the keeper has just ended */
    return status == BL_DOWN ? BL_NOINPUT : status;
}

/* Makes the shared page. The seal keeps both sides from truncating it. */
static enum bl_status make_page(struct keeper *keeper, int *fd,
                                const struct program_options *options, uint32_t command,
                                struct bl_diag *diag)
{
    struct keeper_page *page;
    *fd = memfd_create("boothlink-entry", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd < 0 || ftruncate(*fd, sizeof *page) ||
        fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
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
    /* fchmod() before bind() sets the mode of the socket's name. */
    if (*fd < 0 || fchmod(*fd, 0600) || bind(*fd, (struct sockaddr *)&address, sizeof address) ||
        listen(*fd, 4))
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_IO,
                       "%s: the Entry's socket cannot be made: %s", keeper->name, strerror(errno));
    return BL_OK;
}

/* Runs in the new process. Only calls that are safe after fork(). fds: in the order of
 * KEEPER_FD_LISTEN and the next numbers. */
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

/* The environment without LD_PRELOAD, which is meant for this process's ports. */
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

static enum bl_status fork_keeper(const int *fds, const char *session, struct bl_diag *diag)
{
    const char *const words[] = {"boothlink", "keeper", session, NULL};
    char *argv[sizeof words / sizeof *words];
    char **env = environment_make();
    pid_t pid;
    int status;
    if (!env)
        return bl_fail(diag, BL_NOMEM, "no memory for the Entry's keeper");
    memcpy(argv, words, sizeof argv);
    pid = fork();
    if (pid == 0)
        become_keeper(fds, argv, env);
    free(env);
    if (pid < 0)
        return bl_fail(diag, BL_IO, "the Entry's keeper cannot be started: %s", strerror(errno));
    /* Reaps the intermediate process. The keeper, its child, becomes init's. */
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return BL_OK;
}

/* Socket of the process with root's privileges that starts keepers; -1: none. */
static int starter = -1;

/* The starter's loop. A packet has a session's name and the descriptors of its keeper. The answer
 * is a byte. */
static _Noreturn void start_keepers(int socket)
{
    char session[SESSION_ID_MAX + 1];
    int fds[KEEPER_FDS - KEEPER_FD_LISTEN];
    struct pollfd p = {.fd = socket, .events = POLLIN};
    setsid();
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    /* Lower descriptors stay open: libuv may have some of them, and renews these after fork(). */
    close_range((unsigned)socket + 1, UINT_MAX, 0);
    for (;;) {
        struct bl_diag diag;
        char good;
        ssize_t n;
        poll(&p, 1, -1);
        n = keeper_take(socket, session, sizeof session - 1, NULL, fds, sizeof fds / sizeof *fds);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            _exit(0); /* the terminal has ended */
        if (n < 0)
            continue;
        session[n] = '\0';
        good = fork_keeper(fds, session, &diag) == BL_OK;
        send(socket, &good, 1, MSG_NOSIGNAL);
        for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
            close_one(&fds[i]);
    }
}

enum bl_status keeper_prepare(struct bl_diag *diag)
{
    int pair[2];
    pid_t pid;
    if (starter >= 0 || geteuid() != 0)
        return BL_OK;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return bl_fail(diag, BL_IO, "no socket: %s", strerror(errno));
    pid = fork();
    if (pid == 0) {
        close(pair[0]); /* without this close the starter would not notice the terminal's end */
        start_keepers(pair[1]);
    }
    close_one(&pair[1]);
    if (pid < 0) {
        close_one(&pair[0]);
        return bl_fail(diag, BL_IO, "no process: %s", strerror(errno));
    }
    starter = pair[0];
    return BL_OK;
}

static enum bl_status start_keeper(const int *fds, const char *session, bool privileged,
                                   struct bl_diag *diag)
{
    char good = 0;
    if (starter < 0 || !privileged)
        return fork_keeper(fds, session, diag);
    if (keeper_send(starter, session, strlen(session), NULL, fds, KEEPER_FDS - KEEPER_FD_LISTEN) <
            0 ||
        recv(starter, &good, 1, 0) != 1 || !good)
        return bl_fail(diag, BL_IO, "the Entry's keeper cannot be started");
    return BL_OK;
}

/* Starts a keeper without an Entry. */
static enum bl_status make_keeper(struct keeper *keeper, const struct program_options *options,
                                  struct bl_diag *diag)
{
    int pair[2] = {-1, -1}, listener = -1;
    enum bl_status status = make_socket(keeper, &listener, diag);
    if (!status && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        status = bl_fail(diag, BL_IO, "no socket: %s", strerror(errno));
    if (!status) {
        const int fds[] = {listener, pair[1], keeper->directory};
        status = start_keeper(fds, options->session, !options->place.open, diag);
    }
    close_one(&listener);
    close_one(&pair[1]);
    keeper->socket = pair[0];
    if (!status)
        status = say_hello(keeper, diag);
    if (status == BL_NOINPUT)
        return BL_OK;
    unlinkat(keeper->directory, keeper->name, 0);
    return status && status != BL_DOWN ? status
                                       : bl_fail(diag, BL_IO, "the Entry's keeper does not start");
}

static bool text_add(struct keeper_start *start, const char *text)
{
    size_t length = strlen(text) + 1;
    if (length > sizeof start->text - start->length)
        return false;
    memcpy(start->text + start->length, text, length);
    start->length += (uint32_t)length;
    return true;
}

/* Adds a hidden path, if it exists. */
static bool path_add(struct keeper_start *start, const char *path)
{
    char real[PATH_MAX];
    return !realpath(path, real) || text_add(start, real);
}

static enum bl_status start_fill(struct keeper_start *start, const struct program_options *o,
                                 const char *folder, struct bl_diag *diag)
{
    const struct program_place *place = &o->place;
    bool good;
    size_t hidden = 0;
    *start = (struct keeper_start){.kind = KEEPER_START,
                                   .io = o->io,
                                   .turn_end = o->turn_end,
                                   .columns = o->columns,
                                   .rows = o->rows,
                                   .keep_ms = o->keep_ms ? o->keep_ms : KEEPER_WAIT_MS,
                                   .memory_mib = place->memory_mib,
                                   .processes = place->processes,
                                   .port = place->port,
                                   .open = place->open,
                                   .comms = o->comms,
                                   .ours = place->ours,
                                   .log = place->keeper != NULL};
    good = text_add(start, o->session) && text_add(start, o->command) && text_add(start, folder) &&
           text_add(start, place->lpp ? place->lpp : "") &&
           text_add(start, place->server ? place->server : "") && path_add(start, o->keeper_dir);
    for (; good && place->hidden && place->hidden[hidden]; hidden++)
        good = hidden + 1 < KEEPER_HIDDEN && path_add(start, place->hidden[hidden]);
    return good ? BL_OK
                : bl_fail(diag, BL_USAGE, "the Entry's command is too long: up to %d bytes",
                          KEEPER_START_TEXT / 2);
}

static enum bl_status start(struct keeper *keeper, const struct program_options *options,
                            uint32_t command, const char *folder, struct bl_diag *diag)
{
    static struct keeper_start start;
    int page = -1, log = -1;
    enum bl_status status = options->check ? options->check(options->check_ctx, diag) : BL_OK;
    if (!status)
        status = start_fill(&start, options, folder, diag);
    if (!status)
        status = make_page(keeper, &page, options, command, diag);
    if (!status && start.log) {
        char name[SESSION_ID_MAX + 16];
        snprintf(name, sizeof name, "%s-entry.log", options->session);
        log = openat(keeper->directory, name,
                     O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (log < 0)
            status = bl_fail(diag, BL_IO, "%s: %s", name, strerror(errno));
    }
    if (!status) {
        const int fds[] = {page, start.log ? log : keeper->directory,
                           options->brief > 0 ? options->brief : -1};
        if (keeper_send(keeper->socket, &start, sizeof start, NULL, fds, 3) != sizeof start)
            status =
                bl_fail(diag, BL_IO, "the Entry's keeper cannot be reached: %s", strerror(errno));
    }
    close_one(&page);
    close_one(&log);
    if (!status) {
        status = say_hello(keeper, diag);
        if (status == BL_DOWN || status == BL_NOINPUT)
            status = BL_IO;
    }
    if (status && !options->place.keeper)
        unlinkat(keeper->directory, keeper->name, 0);
    return status;
}

void keeper_end(struct keeper *keeper)
{
    const struct keeper_message message = {.kind = KEEPER_CLOSE};
    if (keeper->socket < 0)
        return;
    unlinkat(keeper->directory, keeper->name, 0);
    send(keeper->socket, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
    close_one(&keeper->socket);
}

/* Closes the handle except its directory. */
static void let_go(struct keeper *keeper, bool end)
{
    if (end)
        keeper_end(keeper);
    if (keeper->page)
        munmap(keeper->page, sizeof *keeper->page);
    keeper->page = NULL;
    close_one(&keeper->socket);
    close_one(&keeper->out_fd);
    close_one(&keeper->wake_fd);
    close_one(&keeper->lpp_fd);
    close_one(&keeper->port_fd);
    close_one(&keeper->desk_fd);
}

/* True if the Entry's exit was told to an earlier terminal and all its output was taken. */
static bool is_over(const struct keeper *keeper)
{
    const struct keeper_page *page = keeper->page;
    const struct keeper_state *state = &page->state[page->current & 1];
    int waiting = 0;
    return keeper_flag(&page->exit_told) && !filter_waiting(&state->filter) &&
           state->at >= page->length && (ioctl(keeper->out_fd, FIONREAD, &waiting) || waiting == 0);
}

/* A checksum of the options that a resumed Entry must share with these. */
static uint32_t identity(const struct program_options *options, const char *folder)
{
    const struct program_place *place = &options->place;
    const char *const texts[] = {options->session,
                                 options->command,
                                 folder,
                                 place->lpp ? place->lpp : "",
                                 place->open ? "open" : "",
                                 place->ours ? entry_kinds[place->ours].ours : "",
                                 place->server ? place->server : "",
                                 options->comms ? "comms" : ""};
    uint32_t sum = place->port;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        sum = crc32c(sum, texts[i], strlen(texts[i]) + 1);
    return sum;
}

/* Reaches a keeper with a running Entry (`resumed`), or one without an Entry. */
static enum bl_status reach(struct keeper *keeper, const struct program_options *options,
                            struct bl_diag *diag)
{
    const char *service = options->place.keeper;
    enum bl_status status = service ? find_service(keeper, service, diag) : find(keeper, diag);
    keeper->resumed = status == BL_OK;
    if (status != BL_NOINPUT)
        return status;
    /* BL_NOINPUT from a system service: it has no Entry yet. From a keeper of ours: another
     * terminal is about to start an Entry, or there is no keeper. */
    if (service)
        return BL_OK;
    close_one(&keeper->socket);
    return make_keeper(keeper, options, diag);
}

static enum bl_status open_checked(struct keeper *keeper, const struct program_options *options,
                                   const char *folder, struct bl_diag *diag)
{
    uint32_t command = identity(options, folder);
    enum bl_status status = reach(keeper, options, diag);
    if (!status && keeper->resumed && (is_over(keeper) || keeper->page->command != command)) {
        let_go(keeper, true);
        status = reach(keeper, options, diag);
        if (!status && keeper->resumed)
            return bl_fail(diag, BL_BUSY, "the Entry of before has not ended; try again");
    }
    if (!status && !keeper->resumed)
        status = start(keeper, options, command, folder, diag);
    return status;
}

enum bl_status keeper_open(struct keeper *keeper, const struct program_options *options,
                           struct bl_diag *diag)
{
    char folder[PATH_MAX];
    enum bl_status status;
    *keeper = (struct keeper){.socket = -1,
                              .out_fd = -1,
                              .wake_fd = -1,
                              .lpp_fd = -1,
                              .port_fd = -1,
                              .desk_fd = -1,
                              .directory = -1};
    if (!session_is_good(options->session))
        return bl_fail(diag, BL_USAGE,
                       "session \"%.60s\": expected 1 to %d of A-Z a-z 0-9 . _ -, no . in front",
                       options->session, SESSION_ID_MAX);
    snprintf(keeper->name, sizeof keeper->name, "%s.entry", options->session);
    status = place_check(&options->place, options->keeper_dir, folder, diag);
    if (!status)
        status = open_directory(keeper, options->keeper_dir, diag);
    if (!status)
        status = open_checked(keeper, options, folder, diag);
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
    message->text[KEEPER_WHY_MAX] = '\0';
    return BL_OK;
}

void keeper_wake(struct keeper *keeper)
{
    const uint64_t one = 1;
    /* Fails when the eventfd's 64-bit counter is full. The keeper then looks anyway. */
    ssize_t n = write(keeper->wake_fd, &one, sizeof one);
    (void)n;
}

void keeper_close(struct keeper *keeper, bool end)
{
    let_go(keeper, end);
    close_one(&keeper->directory);
}
