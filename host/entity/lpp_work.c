#include "entity/lpp_work.h"

#include "base/libexec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define OURS "boothlink-lpp"

static enum bl_status spawn_ours(struct lpp_work *w, int channel, struct bl_diag *diag)
{
    char name[] = OURS, path[PATH_MAX];
    char *const argv[] = {name, NULL};
    posix_spawn_file_actions_t actions;
    enum bl_status status = libexec_path(path, OURS, diag);
    if (status)
        return status;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    /* Duplicates both descriptors to high numbers first: one may have the other's target number. */
    posix_spawn_file_actions_adddup2(&actions, w->state, 1000);
    posix_spawn_file_actions_adddup2(&actions, channel, 1001);
    posix_spawn_file_actions_adddup2(&actions, 1000, LPP_TASK_STATE);
    posix_spawn_file_actions_adddup2(&actions, 1001, LPP_TASK_SOCKET);
    posix_spawn_file_actions_addclose(&actions, 1000);
    posix_spawn_file_actions_addclose(&actions, 1001);
    int error = posix_spawn(&w->pid, path, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == 0)
        return BL_OK;
    w->pid = 0;
    return bl_fail(diag, BL_UNAVAIL, "%s does not start: %s", OURS, strerror(error));
}

static void on_closed(uv_handle_t *handle)
{
    struct lpp_work *w = handle->data;
    w->watched = false;
    if (w->closing)
        w->closed(w->ctx);
    else if (w->lost)
        w->over(w->ctx);
}

static void drop(struct lpp_work *w)
{
    if (w->socket >= 0)
        close(w->socket);
    w->socket = -1;
    if (w->pid > 0) {
        kill(w->pid, SIGKILL);
        while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    w->pid = 0;
}

static void lose(struct lpp_work *w)
{
    if (w->watched && w->socket >= 0)
        uv_close((uv_handle_t *)&w->poll, on_closed);
    drop(w);
    w->lost = w->busy;
    w->busy = false;
}

/* Takes the program's answer, or notes its end. False: neither. */
static bool take(struct lpp_work *w)
{
    ssize_t length;
    while ((length = recv(w->socket, &w->done, sizeof w->done, MSG_DONTWAIT)) < 0 && errno == EINTR)
        ;
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return false;
    if (length != (ssize_t)sizeof w->done)
        lose(w);
    w->busy = false;
    return true;
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    struct lpp_work *w = poll->data;
    bool was_busy = w->busy;
    (void)status, (void)events;
    if (take(w) && was_busy && !w->lost)
        w->over(w->ctx);
}

enum bl_status lpp_work_open(struct lpp_work *w, struct bl_diag *diag)
{
    int pair[2];
    w->socket = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return bl_fail(diag, BL_IO, "no socket: %s", strerror(errno));
    enum bl_status status = spawn_ours(w, pair[1], diag);
    close(pair[1]);
    w->socket = pair[0];
    if (!status && uv_poll_init(w->loop, &w->poll, pair[0]))
        status = bl_fail(diag, BL_IO, "%s cannot be watched", OURS);
    if (status) {
        drop(w);
        return status;
    }
    w->watched = true;
    w->poll.data = w;
    uv_poll_start(&w->poll, UV_READABLE, on_readable);
    return BL_OK;
}

bool lpp_work_start(struct lpp_work *w, const struct lpp_task *task, int folder)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.head = {.cmsg_level = SOL_SOCKET,
                          .cmsg_type = SCM_RIGHTS,
                          .cmsg_len = CMSG_LEN(sizeof(int))}};
    struct iovec part = {.iov_base = (void *)(uintptr_t)task, .iov_len = lpp_task_length(task)};
    const struct msghdr packet = {.msg_iov = &part,
                                  .msg_iovlen = 1,
                                  .msg_control = control.room,
                                  .msg_controllen = sizeof control.room};
    memcpy(CMSG_DATA(&control.head), &folder, sizeof folder);
    if (w->socket < 0 && (w->watched || lpp_work_open(w, NULL)))
        return false;
    w->lost = false;
    w->busy = sendmsg(w->socket, &packet, MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
    return w->busy;
}

void lpp_work_wait(struct lpp_work *w)
{
    struct pollfd answer = {.fd = w->socket, .events = POLLIN};
    while (w->busy && (poll(&answer, 1, -1) < 0 || !take(w)))
        ;
}

bool lpp_work_close(struct lpp_work *w)
{
    w->closing = true;
    if (w->watched && w->socket >= 0)
        uv_close((uv_handle_t *)&w->poll, on_closed);
    drop(w);
    return w->watched;
}
