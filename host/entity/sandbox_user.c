/* The user of a sandbox's command, and the owner of its folder.
 *
 * * A user's command keeps the user's number, the only one in its namespace of users. Root's
 * command becomes nobody: its namespace has root, for the set-up, and nobody. The folder then
 * belongs to nobody in an idmapped mount (mount_setattr(2)), the overlay's lower layer, so that a
 * program may change its own files. */
#include "entity/sandbox_private.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return good;
}

bool sandbox_user_map_own(struct sandbox_page *page)
{
    unsigned uid = page->uid, gid = page->gid;
    char text[64];
    if (!write_text("/proc/self/setgroups", "deny") && errno != ENOENT)
        return sandbox_failed(page, "setgroups");
    snprintf(text, sizeof text, "%u %u 1", uid, uid);
    if (!write_text("/proc/self/uid_map", text))
        return sandbox_failed(page, "uid_map");
    snprintf(text, sizeof text, "%u %u 1", gid, gid);
    if (!write_text("/proc/self/gid_map", text))
        return sandbox_failed(page, "gid_map");
    return true;
}

/* Writes a map: `from` inside the namespace is `to` outside. Root is also mapped to root. */
static bool map_write(pid_t pid, const char *name, unsigned from, unsigned to)
{
    char path[64], text[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    snprintf(text, sizeof text, "%u %u 1\n%s", from, to, from ? "0 0 1\n" : "");
    return write_text(path, text);
}

bool sandbox_user_map(pid_t pid)
{
    return map_write(pid, "uid_map", SANDBOX_NOBODY, SANDBOX_NOBODY) &&
           map_write(pid, "gid_map", SANDBOX_NOBODY, SANDBOX_NOBODY);
}

/* Makes a namespace of users that maps the owner of the folder to nobody. */
static int owner_space(unsigned uid, unsigned gid)
{
    char path[64];
    int fd = -1;
    pid_t here = getpid();
    pid_t pid = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (pid < 0)
        return -1;
    if (pid == 0) {
        /* Dies with this process. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        while (getppid() == here)
            pause();
        _exit(0);
    }
    snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
    if (map_write(pid, "uid_map", uid, SANDBOX_NOBODY) &&
        map_write(pid, "gid_map", gid, SANDBOX_NOBODY))
        fd = open(path, O_RDONLY | O_CLOEXEC);
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return fd;
}

int sandbox_user_folder(const char *folder)
{
    struct stat found;
    int tree, space = stat(folder, &found) == 0 ? owner_space(found.st_uid, found.st_gid) : -1;
    struct mount_attr changed = {.attr_set = MOUNT_ATTR_IDMAP | MOUNT_ATTR_RDONLY |
                                             MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
                                 .userns_fd = (uint64_t)space};
    if (space < 0)
        return -1;
    tree = open_tree(AT_FDCWD, folder, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    if (tree >= 0 && mount_setattr(tree, "", AT_EMPTY_PATH, &changed, sizeof changed)) {
        close(tree);
        tree = -1;
    }
    close(space);
    return tree;
}

void sandbox_user_bound(void)
{
    /* Bounds on inotify, fanotify and namespaces in the sandbox. The kernel charges their use to
     * the namespace's maker, whose other programs could run short. The kernel counts each
     * unattached mount as a namespace of mounts. */
    static const char *const bounds[][2] = {
        {"max_inotify_instances", "64"}, {"max_inotify_watches", "16384"},
        {"max_fanotify_groups", "0"},    {"max_fanotify_marks", "0"},
        {"max_user_namespaces", "0"},    {"max_pid_namespaces", "0"},
        {"max_net_namespaces", "0"},     {"max_uts_namespaces", "0"},
        {"max_ipc_namespaces", "0"},     {"max_cgroup_namespaces", "0"},
        {"max_time_namespaces", "0"},
    };
    char path[64];
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        snprintf(path, sizeof path, "/proc/sys/user/%s", bounds[i][0]);
        write_text(path, bounds[i][1]); /* a kernel may lack some */
    }
    /* If the machine runs out of memory, the kernel kills this process and its children first. */
    write_text("/proc/self/oom_score_adj", "1000");
}
