#include "entity/child.h"

#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <termios.h>
#include <unistd.h>

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

enum bl_status child_start(struct child *child, const char *command, enum program_io io,
                           enum turn_end turn_end, unsigned columns, unsigned rows,
                           struct bl_diag *diag)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
    bool pty = io == PROGRAM_PTY;
    pid_t keeper = getpid();
    enum bl_status status = BL_OK;
    char **env = environment_make(pty);
    *child = (struct child){.pid = -1, .out_fd = -1, .in_fd = -1, .slave_fd = -1, .err_fd = -1};
    if (!env)
        return bl_fail(diag, BL_NOMEM, "the Entry cannot be started: no memory");
    if (pty)
        status = pty_open(child, turn_end, columns, rows, diag);
    else if (pipe_open(in, 1) || pipe_open(out, 0))
        status = failed(diag, "no pipe");
    if (!status && pipe_open(err, 0))
        status = failed(diag, "no pipe");
    if (status)
        goto cleanup;
    child->pid = fork();
    if (child->pid == 0) {
        int theirs = child->slave_fd;
        child_run(pty ? theirs : in[0], pty ? theirs : out[1], err[1], pty, command, env, keeper);
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
        child_close(child);
    return status;
}

void child_close(struct child *child)
{
    if (child->in_fd != child->out_fd)
        close_one(&child->in_fd);
    child->in_fd = -1;
    close_one(&child->out_fd);
    close_one(&child->slave_fd);
    close_one(&child->err_fd);
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
