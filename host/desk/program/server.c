#include "desk/program/server.h"

#include "base/file.h"
#include "base/loop.h"
#include "desk/folder.h"
#include "desk/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND_US 1000000
#define HEARD     5  /* seconds without the desk's own message after which a server is killed */
#define STARTED   15 /* the same for a server that has just started */
#define LOG_MOST  (1 << 20) /* bytes of the server's log */

struct nats_server {
    const char *program;
    char config[FOLDER_PATH_MAX], log[FOLDER_PATH_MAX], heard[FOLDER_PATH_MAX];
    void (*say)(const char *line);
    void (*ended)(void);
    uv_signal_t child;
    struct bl_timer timer;
    pid_t pid;      /* 0: the server does not run */
    unsigned ticks; /* ticks left until it is killed */
    unsigned fails; /* successive ends since the server was last heard */
    bool stopping;
};

/* Becomes the server, in the child. PR_SET_PDEATHSIG is about the desk's starting thread, which
 * lives as long as the desk. */
static void become(const struct nats_server *server, int log, pid_t desk)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != desk || dup2(log, 1) < 0 ||
        dup2(log, 2) < 0)
        _exit(127);
    close_range(3, UINT_MAX, 0);
    execl(server->program, server->program, "--config", server->config, (char *)NULL);
    _exit(127);
}

static void start(struct nats_server *server)
{
    pid_t desk = getpid();
    int log =
        open(server->log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    server->ticks = STARTED;
    if (log < 0)
        return;
    server->pid = fork();
    if (server->pid == 0)
        become(server, log, desk);
    if (server->pid < 0)
        server->pid = 0;
    close(log);
}

static void tell_end(const struct nats_server *server, int status)
{
    char line[FOLDER_PATH_MAX + 100];
    snprintf(line, sizeof line, "%s has ended, %s %d; it is started again; its own words: %s",
             server->program, WIFSIGNALED(status) ? "signal" : "status",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), server->log);
    server->say(line);
}

static void on_child(uv_signal_t *handle, int number)
{
    struct nats_server *server = handle->data;
    int status;
    (void)number;
    if (!server->pid || waitpid(server->pid, &status, WNOHANG) != server->pid)
        return;
    server->pid = 0;
    if (server->stopping)
        server->ended();
    else if (server->fails++ == 0)
        tell_end(server, status);
}

/* Bounds the log, which each refused client makes longer. */
static void bound_log(const struct nats_server *server)
{
    struct stat info;
    if (stat(server->log, &info) == 0 && info.st_size > LOG_MOST && truncate(server->log, 0))
        server->say("nats.log is too long, and cannot be cut");
}

/* Called once a second while the desk listens. It counts ticks, not time: during a long sync the
 * desk does not listen, and the timer is late. */
static void on_timer(struct bl_timer *timer)
{
    struct nats_server *server = timer->data;
    bl_timer_set(timer, bl_mono_us() + SECOND_US);
    bound_log(server);
    if (server->pid && (server->stopping || server->ticks == 0)) {
        if (!server->stopping)
            server->say("nats-server does not answer any more: it is killed");
        kill(server->pid, SIGKILL);
    } else if (server->pid) {
        server->ticks--;
    } else if (!server->stopping) {
        start(server);
    }
}

static enum bl_status write_config(const struct nats_server *server,
                                   const struct post_server *config, struct bl_diag *diag)
{
    struct growing text = {NULL};
    post_server_config(&text, config);
    enum bl_status status = text.failed ? bl_fail(diag, BL_NOMEM, "no memory")
                                        : file_write(server->config, text.bytes, text.length, diag);
    free(text.bytes);
    return status;
}

enum bl_status nats_server_open(struct nats_server **out, uv_loop_t *loop, const char *program,
                                const char *folder, const struct post_server *config,
                                void (*say)(const char *line), void (*ended)(void),
                                struct bl_diag *diag)
{
    struct nats_server *server = *out = calloc(1, sizeof *server);
    if (!server)
        return bl_fail(diag, BL_NOMEM, "no memory");
    server->program = program;
    server->say = say;
    server->ended = ended;
    server->child.data = server;
    if (access(program, X_OK))
        return bl_fail(diag, BL_UNAVAIL, "%s: %s; the package nats-server has it", program,
                       strerror(errno));
    enum bl_status status = folder_make(folder, diag);
    if (status == BL_OK)
        status = folder_path(server->config, diag, "%s/nats.conf", folder);
    if (status == BL_OK)
        status = folder_path(server->log, diag, "%s/nats.log", folder);
    if (status == BL_OK)
        status = folder_path(server->heard, diag, "%s/" SERVER_HEARD, folder);
    if (status == BL_OK)
        status = write_config(server, config, diag);
    if (status == BL_OK && (uv_signal_init(loop, &server->child) ||
                            uv_signal_start(&server->child, on_child, SIGCHLD)))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK)
        status = bl_timer_init(loop, &server->timer, on_timer, server);
    if (status != BL_OK)
        return status;
    start(server);
    bl_timer_set(&server->timer, bl_mono_us() + SECOND_US);
    return BL_OK;
}

void nats_server_heard(struct nats_server *server)
{
    server->ticks = HEARD;
    server->fails = 0;
    if (server->heard[0])
        file_write(server->heard, "", 0, NULL);
    server->heard[0] = '\0';
}

void nats_server_stop(struct nats_server *server)
{
    server->stopping = true;
    if (server->pid)
        kill(server->pid, SIGTERM); /* after SIGTERM without effect the timer kills it */
    else
        server->ended();
}
