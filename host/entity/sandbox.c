#include "entity/sandbox.h"

#include "entity/relay.h"
#include "entity/sandbox_private.h"
#include "late/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SPACES (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS)

struct sandbox {
    struct sandbox_page *page;
    pid_t pid;   /* the sandbox's first process */
    pid_t relay; /* process number of the relay to the server; 0: none */
    int socket;
    int fd[SANDBOX_FDS];
};

bool sandbox_failed(struct sandbox_page *page, const char *format, ...)
{
    int error = errno;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(page->error, sizeof page->error, format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof page->error)
        snprintf(page->error + n, sizeof page->error - (size_t)n, ": %s", strerror(error));
    return false;
}

/* Takes the descriptors, which come in one message. Messages of news may come first. */
static bool fds_take(struct sandbox *sandbox)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof sandbox->fd)];
    } control;
    uint8_t has[SANDBOX_FDS] = {0};
    int got[SANDBOX_FDS];
    struct iovec part = {.iov_base = has, .iov_len = sizeof has};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *header;
    ssize_t n;
    size_t count = 0;
    do {
        message.msg_controllen = sizeof control;
        n = recvmsg(sandbox->socket, &message, MSG_CMSG_CLOEXEC);
    } while (n == 1 || (n < 0 && errno == EINTR));
    header = n == sizeof has ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_type != SCM_RIGHTS)
        return false;
    memcpy(got, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    for (int i = 0; i < SANDBOX_FDS; i++)
        if (has[i])
            sandbox->fd[i] = got[count++];
    return true;
}

/* Reports why namespaces are not available, and the remedy. */
static enum bl_status refused(struct bl_diag *diag)
{
    if (errno == EAGAIN || errno == ENOMEM)
        return bl_fail(diag, BL_NOMEM, "no sandbox: %s", strerror(errno));
    return bl_fail(diag, BL_UNAVAIL,
                   "no sandbox: this machine does not allow namespaces (%s): leave the chroot, if "
                   "this is one; else run as root, or let users make them (sysctl "
                   "user.max_user_namespaces, kernel.unprivileged_userns_clone, "
                   "kernel.apparmor_restrict_unprivileged_userns)",
                   strerror(errno));
}

/* Chooses the command's user. For root: nobody, who then also owns the device. */
static void identity_choose(struct sandbox_page *page, const struct sandbox_options *options)
{
    bool root = page->uid == 0;
    page->entry_uid = root ? SANDBOX_NOBODY : page->uid;
    page->entry_gid = root ? SANDBOX_NOBODY : page->gid;
    page->lower = root ? sandbox_user_folder(options->folder) : -1;
    if (root && options->device && chown(options->device, SANDBOX_NOBODY, (gid_t)-1))
        errno = 0; /* the command will report that the device does not open */
}

/* Maps root's users, and tells the waiting first process. */
static bool mapped_tell(struct sandbox *sandbox)
{
    const uint8_t mapped = SANDBOX_MAPPED;
    return sandbox_user_map(sandbox->pid) && send(sandbox->socket, &mapped, 1, MSG_NOSIGNAL) == 1;
}

static enum bl_status way_open(struct sandbox *sandbox, const char *server, struct bl_diag *diag)
{
    int *listener = &sandbox->fd[SANDBOX_NET];
    enum bl_status status = *listener < 0
                                ? bl_fail(diag, BL_IO, "no sandbox: no socket at " RELAY_PLACE)
                                : relay_start(&sandbox->relay, *listener, server, diag);
    if (*listener >= 0)
        close(*listener);
    *listener = -1;
    return status;
}

enum bl_status sandbox_open(struct sandbox **out, const struct sandbox_options *options,
                            struct bl_diag *diag)
{
    int pair[2];
    bool user = true;
    struct sandbox *sandbox;
    enum bl_status status =
        late_load(&late_seccomp, diag); /* loaded now: the first process cannot see the library's
                                         * file */
    *out = NULL;
    if (status)
        return status;
    sandbox = calloc(1, sizeof *sandbox);
    if (!sandbox)
        return bl_fail(diag, BL_NOMEM, "no sandbox: no memory");
    for (int i = 0; i < SANDBOX_FDS; i++)
        sandbox->fd[i] = -1;
    sandbox->page = mmap(NULL, sizeof *sandbox->page, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (sandbox->page == MAP_FAILED ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
        status = bl_fail(diag, BL_IO, "no sandbox: %s", strerror(errno));
        if (sandbox->page != MAP_FAILED)
            munmap(sandbox->page, sizeof *sandbox->page);
        free(sandbox);
        return status;
    }
    sandbox->socket = pair[0];
    sandbox->page->uid = geteuid();
    sandbox->page->gid = getegid();
    identity_choose(sandbox->page, options);
    sandbox_group_open(&sandbox->page->group, SANDBOX_TASKS(options), SANDBOX_MEMORY(options));
    sandbox->pid = (pid_t)syscall(SYS_clone, SPACES | CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (sandbox->pid < 0 && geteuid() == 0) {
        user = false;
        sandbox->pid = (pid_t)syscall(SYS_clone, SPACES | SIGCHLD, 0, 0, 0, 0);
    }
    if (sandbox->pid == 0) {
        close(pair[0]);
        sandbox_init(options, sandbox->page, pair[1], user);
    }
    status = sandbox->pid < 0 ? refused(diag) : BL_OK;
    close(pair[1]);
    if (sandbox->page->lower >= 0)
        close(sandbox->page->lower);
    if (status == BL_OK && user && sandbox->page->uid == 0 && !mapped_tell(sandbox))
        status = bl_fail(diag, BL_NOPERM,
                         "no sandbox: root without the privileges of root (%s) cannot become "
                         "nobody in there",
                         strerror(errno));
    if (status == BL_OK && !fds_take(sandbox))
        status = bl_fail(diag, BL_UNAVAIL, "no sandbox: %s",
                         sandbox->page->error[0] ? sandbox->page->error
                                                 : "its first process was killed");
    if (status == BL_OK && options->net == SANDBOX_NET_SERVER)
        status = way_open(sandbox, options->server, diag);
    if (status) {
        sandbox_close(sandbox);
        return status;
    }
    fcntl(sandbox->socket, F_SETFL, O_NONBLOCK);
    *out = sandbox;
    return BL_OK;
}

void sandbox_close(struct sandbox *sandbox)
{
    if (!sandbox)
        return;
    if (sandbox->pid > 0) {
        kill(sandbox->pid, SIGKILL);
        /* The first process ends last of all: pid_namespaces(7). */
        while (waitpid(sandbox->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    relay_end(sandbox->relay);
    sandbox_group_close(&sandbox->page->group);
    sandbox_hang_up(sandbox);
    for (int i = 0; i < SANDBOX_FDS; i++)
        if (sandbox->fd[i] >= 0)
            close(sandbox->fd[i]);
    close(sandbox->socket);
    munmap(sandbox->page, sizeof *sandbox->page);
    free(sandbox);
}

void sandbox_hang_up(struct sandbox *sandbox)
{
    int *fd = sandbox->fd;
    if (fd[SANDBOX_IN] >= 0)
        close(fd[SANDBOX_IN]);
    if (fd[SANDBOX_OUT] >= 0 && fd[SANDBOX_OUT] != fd[SANDBOX_IN])
        close(fd[SANDBOX_OUT]);
    fd[SANDBOX_IN] = fd[SANDBOX_OUT] = -1;
}

enum bl_status sandbox_again(struct sandbox *sandbox, struct bl_diag *diag)
{
    uint8_t again = SANDBOX_AGAIN;
    bool good;
    /* The old terminal is closed after its processes are killed, so that none sees a hang-up. */
    struct sandbox old = *sandbox;
    sandbox->fd[SANDBOX_IN] = sandbox->fd[SANDBOX_OUT] = sandbox->fd[SANDBOX_ERR] = -1;
    fcntl(sandbox->socket, F_SETFL, 0);
    good = send(sandbox->socket, &again, 1, MSG_NOSIGNAL) == 1 && fds_take(sandbox);
    fcntl(sandbox->socket, F_SETFL, O_NONBLOCK);
    sandbox_hang_up(&old);
    if (old.fd[SANDBOX_ERR] >= 0)
        close(old.fd[SANDBOX_ERR]);
    return good ? BL_OK
                : bl_fail(diag, BL_UNAVAIL, "the program cannot be started again: %s",
                          sandbox->page->error);
}

void sandbox_signal(struct sandbox *sandbox, int signal)
{
    uint8_t number = (uint8_t)signal;
    send(sandbox->socket, &number, 1, MSG_NOSIGNAL);
}

void sandbox_news(struct sandbox *sandbox)
{
    uint8_t news[16];
    while (recv(sandbox->socket, news, sizeof news, MSG_DONTWAIT) > 0)
        ;
}

int sandbox_in_fd(const struct sandbox *sandbox)
{
    return sandbox->fd[SANDBOX_IN];
}

int sandbox_out_fd(const struct sandbox *sandbox)
{
    return sandbox->fd[SANDBOX_OUT];
}

int sandbox_err_fd(const struct sandbox *sandbox)
{
    return sandbox->fd[SANDBOX_ERR];
}

int sandbox_news_fd(const struct sandbox *sandbox)
{
    return sandbox->socket;
}

int sandbox_net_fd(const struct sandbox *sandbox)
{
    return sandbox->fd[SANDBOX_NET];
}

int sandbox_folder_fd(const struct sandbox *sandbox)
{
    return sandbox->fd[SANDBOX_FOLDER];
}

int sandbox_written_fd(const struct sandbox *sandbox)
{
    return sandbox->fd[SANDBOX_WRITTEN];
}

int sandbox_stage_fd(const struct sandbox *sandbox)
{
    return sandbox->fd[SANDBOX_STAGE];
}

int sandbox_lpp_fd(const struct sandbox *sandbox)
{
    return sandbox->fd[SANDBOX_LPP];
}

pid_t sandbox_pid(const struct sandbox *sandbox)
{
    return sandbox->pid;
}

const struct sandbox_facts *sandbox_facts(const struct sandbox *sandbox)
{
    return &sandbox->page->facts;
}
