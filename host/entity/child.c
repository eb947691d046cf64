#include "entity/child.h"

#include "base/libexec.h"
#include "base/utf8.h"
#include "entity/apart_told.h"
#include "entity/chat_entry.h"
#include "entity/ours.h"
#include "entity/process.h"
#include "entity/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* The serial port of a communications program, in its sandbox. */
#define PORT    "/dev/line"
#define PORT_IN "{port}"

/* Interval of looks at a sandbox. It may be long: the kernel's limits act at once. */
#define WATCH_MS 250

static enum bl_status failed(struct bl_diag *diag, const char *what)
{
    return bl_fail(diag, BL_IO, "the Entry cannot be started: %s: %s", what, strerror(errno));
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

bool child_terminal(int slave_fd, enum turn_end turn_end, unsigned columns, unsigned rows)
{
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    struct termios t;
    if (tcgetattr(slave_fd, &t))
        return false;
    t.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | ISTRIP | IXON | IXOFF);
    t.c_iflag |= IUTF8;
    if (turn_end == TURN_TWO_RETURNS)
        t.c_iflag |= ICRNL;
    t.c_oflag &= ~(tcflag_t)OPOST;
    t.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ECHOCTL);
    if (turn_end == TURN_CR)
        t.c_cc[VEOL] = '\r'; /* the judge's CR ends the program's input line */
    return tcsetattr(slave_fd, TCSANOW, &t) == 0 && ioctl(slave_fd, TIOCSWINSZ, &size) == 0;
}

static enum bl_status pty_open(struct child *child, enum turn_end turn_end, unsigned columns,
                               unsigned rows, struct bl_diag *diag)
{
    child->out_fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (child->out_fd < 0)
        return failed(diag, "no pty");
    child->in_fd = child->out_fd;
    if (grantpt(child->out_fd) || unlockpt(child->out_fd))
        return failed(diag, "no permission for a pty");
    child->slave_fd = ioctl(child->out_fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (child->slave_fd < 0)
        return failed(diag, "the pty does not open");
    if (!child_terminal(child->slave_fd, turn_end, columns, rows))
        return failed(diag, "the pty cannot be set up");
    return BL_OK;
}

/* Makes the serial port of a communications program. out_fd gets our end; `path` gets the name of
 * the program's end. */
static enum bl_status port_open(struct child *child, char path[PATH_MAX], struct bl_diag *diag)
{
    struct termios raw;
    enum bl_status status = pty_open(child, TURN_LF, 80, 24, diag);
    if (status)
        return status;
    if (ptsname_r(child->out_fd, path, PATH_MAX) || tcgetattr(child->slave_fd, &raw))
        return failed(diag, "its port");
    cfmakeraw(&raw);
    return tcsetattr(child->slave_fd, TCSANOW, &raw) ? failed(diag, "its port") : BL_OK;
}

/* Returns the command with the port's name; the caller frees it. */
static char *command_for(const char *command, const char *port)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    for (const char *at; (at = strstr(command, PORT_IN)); command = at + strlen(PORT_IN))
        fprintf(out, "%.*s%s", (int)(at - command), command, port);
    fputs(command, out);
    return fclose(out) ? NULL : text;
}

static int pipe_open(int pair[2], int ours)
{
    if (pipe2(pair, O_CLOEXEC))
        return -1;
    return fcntl(pair[ours], F_SETFL, O_NONBLOCK);
}

/* The environment for an Entry without a sandbox; the caller frees the list alone. */
static char **environment_make(bool pty)
{
    extern char **environ;
    static char dumb[] = "TERM=dumb";
    size_t count = 0, kept = 0;
    char **env;
    while (environ[count])
        count++;
    env = calloc(count + 2, sizeof *env);
    if (!env)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const char *e = environ[i];
        /* TERM, LINES and COLUMNS would describe another terminal than the Entry's. */
        if (!pty || (strncmp(e, "TERM=", 5) != 0 && strncmp(e, "LINES=", 6) != 0 &&
                     strncmp(e, "COLUMNS=", 8) != 0))
            env[kept++] = environ[i];
    }
    if (pty)
        env[kept++] = dumb;
    return env;
}

/* Moves an adapter's descriptors to their numbers, and closes all others except the first three.
 * Each may have the other's number at first. */
static bool others_give(int brief, int said)
{
    brief = brief > 0 ? fcntl(brief, F_DUPFD_CLOEXEC, APART_SOCKET + 1) : -1;
    said = said > 0 ? fcntl(said, F_DUPFD_CLOEXEC, APART_SOCKET + 1) : -1;
    close_range(3, APART_SOCKET, 0);
    if ((brief >= 0 && dup2(brief, CHAT_BRIEF) < 0) || (said >= 0 && dup2(said, APART_SOCKET) < 0))
        return false;
    close_range(APART_SOCKET + 1, UINT_MAX, 0);
    return true;
}

/* Runs in the new process. Only calls that are safe after fork(). */
static void child_run(int in, int out, int err, const struct program_options *o, int said,
                      char *const *env, pid_t keeper)
{
    static char sh[] = "sh", c[] = "-c";
    char *const argv[] = {sh, c, (char *)(uintptr_t)o->command, NULL};
    bool pty = o->io == PROGRAM_PTY;
    sigset_t none;
    setsid();
    process_ordinary();
    if (pty)
        ioctl(in, TIOCSCTTY, 0);
    if (o->place.folder && *o->place.folder && chdir(o->place.folder))
        _exit(126);
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(126);
    if (!others_give(o->brief, said))
        _exit(126);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* The command dies with its keeper. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper)
        _exit(126);
    execve("/bin/sh", argv, env);
    _exit(126);
}

static enum bl_status open_start(struct child *child, const struct program_options *o, int said,
                                 struct bl_diag *diag)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
    bool pty = o->io == PROGRAM_PTY;
    pid_t keeper = getpid();
    enum bl_status status = BL_OK;
    char **env = environment_make(pty);
    if (!env)
        return bl_fail(diag, BL_NOMEM, "the Entry cannot be started: no memory");
    if (pty)
        status = pty_open(child, o->turn_end, o->columns, o->rows, diag);
    else if (pipe_open(in, 1) || pipe_open(out, 0))
        status = failed(diag, "no pipe");
    if (!status && pipe_open(err, 0))
        status = failed(diag, "no pipe");
    if (status)
        goto cleanup;
    child->pid = fork();
    if (child->pid == 0) {
        int theirs = child->slave_fd;
        child_run(pty ? theirs : in[0], pty ? theirs : out[1], err[1], o, said, env, keeper);
    }
    if (child->pid < 0) {
        status = failed(diag, "no process");
        goto cleanup;
    }
    if (!pty) {
        child->in_fd = in[1];
        child->out_fd = out[0];
        in[1] = out[0] = -1;
    }
    child->err_fd = err[0];
    err[0] = -1;
cleanup:
    for (int i = 0; i < 2; i++) {
        close_one(&in[i]);
        close_one(&out[i]);
        close_one(&err[i]);
    }
    free(env);
    if (status)
        child_hang_up(child);
    return status;
}

/* Takes over the sandbox's descriptors of the command. A communications program already has its
 * port as in_fd and out_fd: only desk_fd is taken. */
static enum bl_status box_take(struct child *child, const struct program_options *o,
                               struct bl_diag *diag)
{
    child->pid = sandbox_pid(child->sandbox);
    child->lpp_fd = sandbox_lpp_fd(child->sandbox);
    child->port_fd = sandbox_net_fd(child->sandbox);
    child->news_fd = sandbox_news_fd(child->sandbox);
    if (o->comms) {
        child->desk_fd = sandbox_in_fd(child->sandbox);
        return BL_OK;
    }
    child->in_fd = sandbox_in_fd(child->sandbox);
    child->out_fd = sandbox_out_fd(child->sandbox);
    child->err_fd = fcntl(sandbox_err_fd(child->sandbox), F_DUPFD_CLOEXEC, 3);
    if (o->io == PROGRAM_PTY)
        child->slave_fd = ioctl(child->out_fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (child->err_fd < 0 || (o->io == PROGRAM_PTY && child->slave_fd < 0))
        return failed(diag, "its terminal");
    if (o->place.port && child->port_fd < 0)
        return failed(diag, "no socket to listen at its port");
    return BL_OK;
}

/* Makes the command of an adapter. For a sandbox the adapter's program is opened as *tool. */
static enum bl_status ours_command(char command[OURS_MAX + PATH_MAX], int *tool,
                                   const struct program_options *o, struct bl_diag *diag)
{
    char path[PATH_MAX];
    enum bl_status status = libexec_path(path, entry_kinds[o->place.ours].ours, diag);
    if (status)
        return status;
    snprintf(command, OURS_MAX + PATH_MAX, "%s%s%s%s", o->place.open ? "exec '" : OURS_BOXED,
             o->place.open ? path : "", o->place.open ? "' " : "", o->command);
    if (o->place.open)
        return BL_OK;
    *tool = open(path, O_RDONLY | O_CLOEXEC);
    return *tool >= 0 ? BL_OK : failed(diag, path);
}

static enum sandbox_net net_of(const struct program_place *place)
{
    if (place->server)
        return SANDBOX_NET_SERVER;
    return place->port ? SANDBOX_NET_PORT : SANDBOX_NET_NONE;
}

static enum bl_status box_start(struct child *child, const struct program_options *o, int tool,
                                int said, const char *lpp_from, const char *port,
                                struct bl_diag *diag)
{
    const struct program_place *place = &o->place;
    const struct sandbox_options options = {
        .command = o->command,
        .screen = o->comms,
        .device = o->comms ? port : NULL,
        .device_as = o->comms ? PORT : NULL,
        .tool = tool,
        .brief = o->brief,
        .said = said,
        .folder = place->folder,
        .lpp = place->lpp,
        .lpp_from = place->lpp ? lpp_from : NULL,
        .hidden = place->hidden,
        .io = o->io,
        .turn_end = o->turn_end,
        .columns = o->columns,
        .rows = o->rows,
        .memory_mib = place->memory_mib ? place->memory_mib : PROGRAM_MEMORY_MIB,
        .processes = place->processes ? place->processes : PROGRAM_PROCESSES,
        .watch_ms = WATCH_MS,
        .net = net_of(place),
        .port = place->port,
        .server = place->server,
    };
    enum bl_status status = sandbox_open(&child->sandbox, &options, diag);
    if (!status)
        status = box_take(child, o, diag);
    if (status && child->sandbox)
        child_kill(child);
    return status;
}

/* Starts a communications program without a sandbox. The program's terminal is another pty. */
static enum bl_status open_comms(struct child *child, const struct program_options *o,
                                 struct bl_diag *diag)
{
    struct child desk = CHILD_NONE;
    enum bl_status status = open_start(&desk, o, -1, diag);
    if (status)
        return status;
    child->pid = desk.pid;
    child->desk_fd = desk.out_fd;
    child->err_fd = desk.err_fd;
    close_one(&desk.slave_fd);
    return BL_OK;
}

static enum bl_status comms_start(struct child *child, const struct program_options *given,
                                  struct bl_diag *diag)
{
    struct program_options options = *given;
    char path[PATH_MAX];
    enum bl_status status = port_open(child, path, diag);
    char *command = status ? NULL : command_for(given->command, given->place.open ? path : PORT);
    options.command = command;
    options.io = PROGRAM_PTY;
    if (!status && !command)
        status = bl_fail(diag, BL_NOMEM, "the Entry cannot be started: no memory");
    if (!status)
        status = given->place.open ? open_comms(child, &options, diag)
                                   : box_start(child, &options, -1, -1, NULL, path, diag);
    free(command);
    if (status)
        child_hang_up(child);
    return status;
}

enum bl_status child_start(struct child *child, const struct program_options *options,
                           const char *lpp_from, struct bl_diag *diag)
{
    char command[OURS_MAX + PATH_MAX];
    struct program_options started = *options;
    enum bl_status status = BL_OK;
    int tool = -1, pair[2] = {-1, -1};
    *child = CHILD_NONE;
    if (options->comms)
        return comms_start(child, options, diag);
    if (options->place.ours) {
        status = ours_command(command, &tool, options, diag);
        started.command = command;
        if (!status && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
            status = failed(diag, "no socket");
    }
    if (!status)
        status = options->place.open
                     ? open_start(child, &started, pair[1], diag)
                     : box_start(child, &started, tool, pair[1], lpp_from, NULL, diag);
    child->said_fd = pair[0];
    if (status)
        close_one(&child->said_fd);
    close_one(&pair[1]);
    close_one(&tool);
    return status;
}

static bool open_reap(struct child *child)
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
        if (pid != child->pid || child->ended)
            continue;
        child->ended = true;
        child->status = status;
    }
}

bool child_reap(struct child *child)
{
    const struct sandbox_facts *facts;
    siginfo_t first = {0};
    if (!child->sandbox)
        return open_reap(child);
    sandbox_news(child->sandbox);
    facts = sandbox_facts(child->sandbox);
    if (!child->ended && atomic_load(&facts->ended)) {
        child->ended = true;
        child->status = atomic_load(&facts->status);
    }
    /* WNOWAIT leaves the ended process for sandbox_close(). */
    if (waitid(P_PID, (id_t)child->pid, &first, WEXITED | WNOHANG | WNOWAIT) || first.si_pid == 0)
        return !child->ended || atomic_load(&facts->processes) > 0;
    if (!child->ended) {
        child->ended = true;
        child->status = SIGKILL;
    }
    return false;
}

bool child_waits(const struct child *child)
{
    return child->sandbox && atomic_load(&sandbox_facts(child->sandbox)->reading);
}

const char *child_excess(const struct child *child)
{
    const struct sandbox_facts *facts = child->sandbox ? sandbox_facts(child->sandbox) : NULL;
    if (facts && atomic_load(&facts->too_large))
        return "took more memory than it may";
    return facts && atomic_load(&facts->too_many) ? "had more processes than it may" : NULL;
}

static void signal_orphan(void *ctx, const struct process *process)
{
    const int *number = ctx;
    if (process->parent == getpid())
        kill(process->pid, *number);
}

void child_signal(const struct child *child, int signal)
{
    if (child->sandbox) {
        sandbox_signal(child->sandbox, signal);
        return;
    }
    if (!child->ended)
        kill(-child->pid, signal);
    process_each(signal_orphan, &signal);
}

void child_hang_up(struct child *child)
{
    bool comms = child->desk_fd >= 0; /* a communications program: in_fd, out_fd and slave_fd are
                                       * its port's */
    if (child->sandbox)
        sandbox_hang_up(child->sandbox);
    else if (comms)
        close_one(&child->desk_fd);
    else if (child->in_fd != child->out_fd)
        close_one(&child->in_fd);
    if (!child->sandbox || comms)
        close_one(&child->out_fd);
    child->in_fd = child->out_fd = child->desk_fd = -1;
    close_one(&child->slave_fd);
    close_one(&child->err_fd);
    close_one(&child->said_fd);
}

void child_kill(struct child *child)
{
    child_hang_up(child);
    if (!child->sandbox) {
        child_signal(child, SIGKILL);
        return;
    }
    sandbox_close(child->sandbox);
    child->sandbox = NULL;
    child->lpp_fd = child->port_fd = child->news_fd = -1;
    child->ended = true;
}

size_t child_key(const struct child *child, enum turn_end turn_end, uint32_t point,
                 uint8_t out[CHILD_KEY_MAX])
{
    if (point == KEY_RETURN) {
        static const char *const ends[] = {
            [TURN_LF] = "\n", [TURN_CR] = "\r", [TURN_CRLF] = "\r\n", [TURN_TWO_RETURNS] = "\r\r"};
        size_t length = strlen(ends[turn_end]);
        memcpy(out, ends[turn_end], length);
        return length;
    }
    if (point == KEY_BACKSPACE && child->slave_fd >= 0) {
        struct termios t;
        bool known = tcgetattr(child->slave_fd, &t) == 0 && t.c_cc[VERASE] != _POSIX_VDISABLE;
        out[0] = known ? t.c_cc[VERASE] : 0x7F;
        return 1;
    }
    return utf8_encode(point, out);
}
