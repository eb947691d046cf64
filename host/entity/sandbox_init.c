#include "entity/sandbox_private.h"

#include "entity/child.h"
#include "entity/process.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define WATCH_MS 50
#define FILES    1024 /* most descriptors of one process */
#define SIGNALS  4096 /* most pending signals of the user */

struct box {
    const struct sandbox_options *options;
    struct sandbox_page *page;
    int socket;
    int fd[SANDBOX_FDS]; /* descriptors for the caller's side; -1: none */
    int theirs[3];       /* descriptors for the command */
    char path[PATH_MAX]; /* path of the folder */
    struct sandbox_files files;
    pid_t pid; /* process number of the command */
};

static bool terminal_make(const struct sandbox_options *o, int slave)
{
    struct winsize size = {.ws_col = (unsigned short)o->columns, .ws_row = (unsigned short)o->rows};
    if (!o->screen)
        return child_terminal(slave, o->turn_end, o->columns, o->rows);
    return ioctl(slave, TIOCSWINSZ, &size) == 0;
}

static bool pty_make(struct box *box)
{
    const struct sandbox_options *o = box->options;
    int slave, master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (master < 0 || unlockpt(master))
        return sandbox_failed(box->page, "no pty");
    slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0 || !terminal_make(o, slave))
        return sandbox_failed(box->page, "the pty does not open");
    box->fd[SANDBOX_IN] = box->fd[SANDBOX_OUT] = master;
    box->theirs[0] = box->theirs[1] = slave;
    if (o->screen)
        box->theirs[2] = fcntl(slave, F_DUPFD_CLOEXEC, 3);
    return !o->screen || box->theirs[2] >= 0;
}

static bool pipe_make(struct box *box, enum sandbox_fd which, int theirs, bool in)
{
    int pair[2];
    if (pipe2(pair, O_CLOEXEC))
        return sandbox_failed(box->page, "no pipe");
    box->fd[which] = pair[in];
    box->theirs[theirs] = pair[!in];
    fcntl(pair[in], F_SETFL, O_NONBLOCK);
    return true;
}

static bool ends_make(struct box *box)
{
    if (!box->options->screen && !pipe_make(box, SANDBOX_ERR, 2, false))
        return false;
    if (box->options->io == PROGRAM_PTY)
        return pty_make(box);
    return pipe_make(box, SANDBOX_IN, 0, true) && pipe_make(box, SANDBOX_OUT, 1, false);
}

static bool fds_send(struct box *box)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof box->fd)];
    } control = {0};
    uint8_t has[SANDBOX_FDS];
    int list[SANDBOX_FDS] = {0};
    size_t count = 0;
    struct iovec part = {.iov_base = has, .iov_len = sizeof has};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control};
    for (int i = 0; i < SANDBOX_FDS; i++) {
        has[i] = box->fd[i] >= 0;
        if (has[i])
            list[count++] = box->fd[i];
    }
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(header), list, count * sizeof(int));
    if (sendmsg(box->socket, &message, MSG_NOSIGNAL) < 0)
        return sandbox_failed(box->page, "descriptors");
    for (int i = 0; i < SANDBOX_FDS; i++)
        if (box->fd[i] >= 0 && (i != SANDBOX_OUT || box->fd[i] != box->fd[SANDBOX_IN]))
            close(box->fd[i]);
    for (int i = 0; i < SANDBOX_FDS; i++)
        box->fd[i] = -1;
    return true;
}

/* The command's descriptors of sandbox_options. */
#define TOOL 3 /* the first of these numbers */

#define CAPABILITIES_NET (1u << CAP_NET_RAW | 1u << CAP_NET_ADMIN)

static void limit(int what, rlim_t most)
{
    struct rlimit value = {.rlim_cur = most, .rlim_max = most};
    setrlimit(what, &value);
}

/* Drops capabilities from the bounding set, except `kept`. */
static void capabilities_bound(uint32_t kept)
{
    for (int cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
        if (cap > 31 || !(kept & 1u << cap))
            prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
}

/* Root's command runs as nobody, who has no other process in the sandbox. */
static bool nobody_become(const struct sandbox_page *page)
{
    if (page->entry_uid == page->uid)
        return true;
    /* Keeps the capabilities, which the caller drops afterwards. */
    return prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && setgroups(0, NULL) == 0 &&
           setresgid(page->entry_gid, page->entry_gid, page->entry_gid) == 0 &&
           setresuid(page->entry_uid, page->entry_uid, page->entry_uid) == 0;
}

/* Drops all capabilities; PR_SET_NO_NEW_PRIVS keeps programs from giving any back. */
static bool capabilities_drop(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {0};
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &header, none) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* Keeps only the capabilities for raw frames and the sandbox's network. */
static bool capabilities_net(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct net[2] = {0};
    net[0].effective = net[0].permitted = net[0].inheritable = CAPABILITIES_NET;
    return syscall(SYS_capset, &header, net) == 0 &&
           prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_RAW, 0, 0) == 0 &&
           prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_ADMIN, 0, 0) == 0 &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

static void environment_set(const struct box *box)
{
    /* Inherited variables, and their values once the folder has moved. */
    static const char *const names[][2] = {
        {"PATH", "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"},
        {"HOME", "/tmp/home"},
        {"LANG", "C.UTF-8"},
        {"LC_ALL", NULL},
    };
    static const char *const fixed[][2] = {
        {"SHELL", "/bin/sh"}, {"USER", "contest"}, {"LOGNAME", "contest"}, {"TMPDIR", "/tmp"}};
    const struct sandbox_options *o = box->options;
    const char *values[sizeof names / sizeof names[0]];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        values[i] = o->moved ? names[i][1] : getenv(names[i][0]);
    clearenv(); /* the values' memory stays valid */
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (values[i])
            setenv(names[i][0], values[i], 1);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        setenv(fixed[i][0], fixed[i][1], 1);
    if (o->io == PROGRAM_PTY)
        setenv("TERM", o->screen ? "xterm-256color" : "dumb", 1);
    setenv("PWD", box->path, 1);
    if (o->preload)
        setenv("LD_PRELOAD", o->preload, 1);
    if (o->setting)
        putenv((char *)(uintptr_t)o->setting);
}

/* Writes the command, with each path of the folder replaced by its path in the sandbox. */
static bool command_make(const struct box *box, char *out, size_t room)
{
    const char *from = box->options->folder, *at = box->options->command, *found;
    size_t used = 0, length = strlen(from);
    while ((found = strstr(at, from))) {
        size_t before = (size_t)(found - at), name = strlen(box->path);
        bool whole = strchr("/ '\";&|)\t", found[length]) != NULL;
        if (used + before + name + length >= room)
            return false;
        memcpy(out + used, at, before);
        used += before;
        memcpy(out + used, whole ? box->path : from, whole ? name : length);
        used += whole ? name : length;
        at = found + length;
    }
    if (used + strlen(at) >= room)
        return false;
    strcpy(out + used, at);
    return true;
}

/* Moves the descriptors of the options to their numbers, and closes all others except the first
 * three. Each may have another's number at first. */
static bool others_give(const struct sandbox_options *o)
{
    const int given[] = {o->tool, o->brief, o->said};
    const unsigned count = sizeof given / sizeof given[0];
    int copy[sizeof given / sizeof given[0]];
    for (unsigned i = 0; i < count; i++)
        copy[i] = given[i] > 0 ? fcntl(given[i], F_DUPFD_CLOEXEC, TOOL + (int)count) : -1;
    close_range(TOOL, TOOL + count - 1, 0);
    for (unsigned i = 0; i < count; i++)
        if (given[i] > 0 && (copy[i] < 0 || dup2(copy[i], TOOL + (int)i) < 0))
            return false;
    close_range(TOOL + count, UINT_MAX, 0);
    return true;
}

static _Noreturn void command_run(const struct box *box)
{
    extern char **environ;
    static char command[2 * PATH_MAX + 4096];
    static char sh[] = "sh", c[] = "-c";
    char *const argv[] = {sh, c, command, NULL};
    bool ether = box->options->net == SANDBOX_NET_ETHER;
    sigset_t none;
    if (!sandbox_group_join(&box->page->group))
        _exit(126);
    setsid();
    process_ordinary();
    environment_set(box);
    if (!command_make(box, command, sizeof command))
        _exit(126);
    if (box->options->io == PROGRAM_PTY)
        ioctl(box->theirs[0], TIOCSCTTY, 0);
    for (int i = 0; i < 3; i++)
        if (fchown(box->theirs[i], box->page->entry_uid, box->page->entry_gid) ||
            dup2(box->theirs[i], i) < 0)
            _exit(126);
    if (!others_give(box->options))
        _exit(126);
    if (chdir(box->path))
        _exit(126);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    limit(RLIMIT_CORE, 1); /* 1, not 0: the kernel then starts no program for cores either,
                            * core(5) */
    limit(RLIMIT_NOFILE, FILES);
    limit(RLIMIT_MEMLOCK, 64 << 10);
    limit(RLIMIT_MSGQUEUE, 64 << 10);
    limit(RLIMIT_SIGPENDING, SIGNALS);
    /* A control group reports a refusal, so its limit must be reached first. */
    limit(RLIMIT_NPROC, SANDBOX_TASKS(box->options) * (box->page->group.refusals >= 0 ? 2 : 1));
    capabilities_bound(ether ? CAPABILITIES_NET : 0);
    if (!nobody_become(box->page) || !(ether ? capabilities_net() : capabilities_drop()))
        _exit(126);
    if (!sandbox_calls_refuse())
        _exit(126);
    execve("/bin/sh", argv, environ);
    _exit(126);
}

/* Starts the command on a new terminal or pipes. Sends our ends to the caller's side. */
static bool command_start(struct box *box)
{
    if (!ends_make(box))
        return false;
    box->pid = fork();
    if (box->pid == 0)
        command_run(box);
    atomic_store(&box->page->facts.command, (int)box->pid);
    if (box->pid < 0)
        return sandbox_failed(box->page, "no process");
    for (int i = 0; i < 3; i++)
        if (i != 1 || box->theirs[1] != box->theirs[0])
            close(box->theirs[i]);
    return fds_send(box);
}

/* Maps the user. For root, waits until the caller's side has mapped the users. */
static bool ids_map(struct box *box)
{
    uint8_t mapped = 0;
    if (box->page->uid != 0)
        return sandbox_user_map_own(box->page);
    return (recv(box->socket, &mapped, 1, 0) == 1 && mapped == SANDBOX_MAPPED) ||
           sandbox_failed(box->page, "namespace of users");
}

static bool set_up(struct box *box, bool user)
{
    struct sandbox_mounts mounts;
    if (user && !ids_map(box))
        return false;
    if (user)
        sandbox_user_bound();
    if (sethostname("entry", 5))
        return sandbox_failed(box->page, "host name");
    box->fd[SANDBOX_NET] = sandbox_net_open(box->options);
    if (!sandbox_mount(box->options, &mounts, box->page))
        return false;
    if (mounts.way >= 0)
        box->fd[SANDBOX_NET] = mounts.way;
    box->fd[SANDBOX_FOLDER] = mounts.folder;
    box->fd[SANDBOX_WRITTEN] = mounts.written;
    box->fd[SANDBOX_STAGE] = mounts.stage;
    box->fd[SANDBOX_LPP] = mounts.lpp;
    snprintf(box->path, sizeof box->path, "%s", mounts.path);
    box->files.fd[0] = fcntl(mounts.stage, F_DUPFD_CLOEXEC, 3);
    box->files.fd[1] = mounts.lpp >= 0 ? fcntl(mounts.lpp, F_DUPFD_CLOEXEC, 3) : -1;
    box->files.before = sandbox_files_used(&box->files);
    return command_start(box);
}

/* Reaps ended processes, orphans included. True: the command's process was among them. */
static bool reap(const struct box *box)
{
    struct sandbox_facts *facts = &box->page->facts;
    bool ended = false;
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == box->pid) {
            sandbox_watch_kernel(box->options, &box->page->group, facts);
            atomic_store(&facts->status, status);
            atomic_store(&facts->ended, true);
            ended = true;
        }
    return ended;
}

/* Kills all processes, then starts the command again. */
static bool again(struct box *box)
{
    struct sandbox_facts *facts = &box->page->facts;
    kill(-1, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0)
        ;
    atomic_store(&facts->status, 0);
    atomic_store(&facts->reading, false);
    atomic_store(&facts->ended, false);
    return command_start(box);
}

/* Obeys the caller's side. False: it has ended, or the command cannot be started again. */
static bool obey(struct box *box)
{
    uint8_t number;
    ssize_t n = recv(box->socket, &number, 1, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        return false;
    if (n == 1 && number == SANDBOX_AGAIN)
        return again(box);
    if (n == 1)
        kill(-box->pid, number); /* the group may outlive its first process */
    return true;
}

/* True for the kernel's signal that the caller's side has ended. A sender in the sandbox has a
 * process number. */
static bool is_end(const struct signalfd_siginfo *taken)
{
    return taken->ssi_signo == SIGTERM && taken->ssi_code == SI_USER && taken->ssi_pid == 0;
}

/* Kills all processes and removes the groups, after the end of the caller's side. This process is
 * in no group. */
static _Noreturn void end(const struct box *box)
{
    kill(-1, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        ;
    sandbox_group_remove(&box->page->group);
    _exit(0);
}

/* Closes other inherited descriptors, which would keep terminals and lines of other sandboxes
 * open. */
static void others_close(int socket, int signals, const struct sandbox_options *o,
                         const struct sandbox_page *page)
{
    const struct sandbox_group *group = &page->group;
    const int kept[] = {page->lower,
                        socket,
                        signals,
                        o->tool > 0 ? o->tool : -1,
                        group->refusals,
                        group->kills,
                        group->memory,
                        group->parent[0],
                        group->parent[1],
                        group->parent[2],
                        group->members[0],
                        group->members[1],
                        group->members[2],
                        o->brief > 0 ? o->brief : -1,
                        o->said > 0 ? o->said : -1};
    unsigned from = 3;
    for (;;) {
        unsigned next = UINT_MAX;
        for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
            if (kept[i] >= 0 && (unsigned)kept[i] >= from && (unsigned)kept[i] < next)
                next = (unsigned)kept[i];
        if (next > from)
            close_range(from, next == UINT_MAX ? next : next - 1, 0);
        if (next == UINT_MAX)
            return;
        from = next + 1;
    }
}

_Noreturn void sandbox_init(const struct sandbox_options *options, struct sandbox_page *page,
                            int socket, bool user)
{
    static struct box box;
    sigset_t all;
    int signals;
    box = (struct box){.options = options, .page = page, .socket = socket};
    for (int i = 0; i < SANDBOX_FDS; i++)
        box.fd[i] = -1;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    setsid();
    /* Leaves our session's kernel keys. A failure does not matter: a kernel may lack keys. */
    syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
    prctl(PR_SET_NAME, "boothlink-box", 0, 0, 0);
    /* The files in /proc of a program with file capabilities belong to root unless the program is
     * dumpable. */
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    /* SIGTERM is blocked and read: this process ends after it has removed the groups. */
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    others_close(socket, signals, options, page);
    if (!set_up(&box, user))
        end(&box);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    for (;;) {
        struct pollfd polls[] = {{.fd = socket, .events = POLLIN},
                                 {.fd = signals, .events = POLLIN}};
        struct signalfd_siginfo taken;
        bool news;
        poll(polls, 2, options->watch_ms ? (int)options->watch_ms : WATCH_MS);
        while (read(signals, &taken, sizeof taken) > 0)
            if (is_end(&taken))
                end(&box);
        if (polls[0].revents && !obey(&box))
            end(&box);
        news = reap(&box);
        if (sandbox_watch(options, &page->group, &box.files, &page->facts) || news)
            send(socket, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
}
