#include "entity/child.h"

#include "base/utf8.h"
#include "entity/process.h"
#include "entity/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* Nobody measures it, so there is no hurry; what the kernel bounds it bounds at once. */
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
        t.c_cc[VEOL] = '\r'; /* ends a line, too, else one that ends so is never handed over */
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

/* A pipe whose end `ours` (0 or 1) does not block us. */
static int pipe_open(int pair[2], int ours)
{
    if (pipe2(pair, O_CLOEXEC))
        return -1;
    return fcntl(pair[ours], F_SETFL, O_NONBLOCK);
}

/* The environment for the Entry; the strings are those of ours. */
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
        /* LINES and COLUMNS would speak of another terminal than its own. */
        if (!pty || (strncmp(e, "TERM=", 5) != 0 && strncmp(e, "LINES=", 6) != 0 &&
                     strncmp(e, "COLUMNS=", 8) != 0))
            env[kept++] = environ[i];
    }
    if (pty)
        env[kept++] = dumb;
    return env;
}

/* In the new process: only what is safe after fork(). */
static void child_run(int in, int out, int err, bool pty, const char *command, char *const *env,
                      pid_t keeper)
{
    static char sh[] = "sh", c[] = "-c";
    char *const argv[] = {sh, c, (char *)(uintptr_t)command, NULL};
    sigset_t none;
    setsid();
    if (pty)
        ioctl(in, TIOCSCTTY, 0);
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(126);
    close_range(3, UINT_MAX, 0);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* Without its keeper nobody could ever end it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper)
        _exit(126);
    execve("/bin/sh", argv, env);
    _exit(126);
}

static enum bl_status open_start(struct child *child, const struct program_options *o,
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
        child_run(pty ? theirs : in[0], pty ? theirs : out[1], err[1], pty, o->command, env,
                  keeper);
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

static enum bl_status box_start(struct child *child, const struct program_options *o,
                                const char *lpp_from, struct bl_diag *diag)
{
    const struct program_place *place = &o->place;
    const struct sandbox_options options = {
        .command = o->command,
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
        .net = place->port ? SANDBOX_NET_PORT : SANDBOX_NET_NONE,
        .port = place->port,
    };
    enum bl_status status = sandbox_open(&child->sandbox, &options, diag);
    if (status)
        return status;
    child->pid = sandbox_pid(child->sandbox);
    child->in_fd = sandbox_in_fd(child->sandbox);
    child->out_fd = sandbox_out_fd(child->sandbox);
    child->lpp_fd = sandbox_lpp_fd(child->sandbox);
    child->port_fd = sandbox_net_fd(child->sandbox);
    child->news_fd = sandbox_news_fd(child->sandbox);
    child->err_fd = fcntl(sandbox_err_fd(child->sandbox), F_DUPFD_CLOEXEC, 3);
    if (o->io == PROGRAM_PTY)
        child->slave_fd = ioctl(child->out_fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (child->err_fd < 0 || (o->io == PROGRAM_PTY && child->slave_fd < 0))
        status = failed(diag, "its terminal");
    else if (place->port && child->port_fd < 0)
        status = failed(diag, "no socket to listen at its port");
    if (status)
        child_kill(child);
    return status;
}

enum bl_status child_start(struct child *child, const struct program_options *options,
                           const char *lpp_from, struct bl_diag *diag)
{
    *child = CHILD_NONE;
    return options->place.open ? open_start(child, options, diag)
                               : box_start(child, options, lpp_from, diag);
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
    /* It is waited for when the sandbox is closed. */
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
    if (child->sandbox)
        sandbox_hang_up(child->sandbox);
    else if (child->in_fd != child->out_fd)
        close_one(&child->in_fd);
    if (!child->sandbox)
        close_one(&child->out_fd);
    child->in_fd = child->out_fd = -1;
    close_one(&child->slave_fd);
    close_one(&child->err_fd);
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
