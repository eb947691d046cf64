/* A control group that bounds how many tasks a sandbox may have. The kernel lets root have as many
 * as it likes, whatever RLIMIT_NPROC says (setrlimit(2)), and counting them now and then is too
 * slow for a fork bomb. Both layouts are tried: one hierarchy for each controller, and one for all.
 */
#include "validate/sandbox_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "boothlink-"

static const char *const roots[] = {"/sys/fs/cgroup/pids", "/sys/fs/cgroup"};

/* Groups of those who were killed before they could remove theirs; none with a process in it goes.
 */
static void old_remove(const char *root)
{
    DIR *folder = opendir(root);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char *end;
        long pid;
        if (strncmp(entry->d_name, NAME, strlen(NAME)) != 0)
            continue;
        pid = strtol(entry->d_name + strlen(NAME), &end, 10);
        if (pid > 0 && *end == '-' && kill((pid_t)pid, 0) < 0 && errno == ESRCH)
            unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
    }
    if (folder)
        closedir(folder);
}

static int group_file(const char *group, const char *name, int how)
{
    char path[SANDBOX_GROUP + 16];
    snprintf(path, sizeof path, "%s/%s", group, name);
    return open(path, how | O_CLOEXEC);
}

static bool most_write(const char *group, unsigned tasks)
{
    char text[16];
    int fd = group_file(group, "pids.max", O_WRONLY);
    int length = snprintf(text, sizeof text, "%u", tasks);
    bool good = fd >= 0 && write(fd, text, (size_t)length) == length;
    if (fd >= 0)
        close(fd);
    return good;
}

void sandbox_group_open(struct sandbox_group *group, unsigned tasks)
{
    static atomic_uint count;
    char *path = group->path;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        old_remove(roots[i]);
        snprintf(path, sizeof group->path, "%s/" NAME "%d-%u", roots[i], (int)getpid(),
                 atomic_fetch_add(&count, 1));
        group->members_fd = group->events_fd = -1;
        if (mkdir(path, 0755))
            continue;
        if (most_write(path, tasks)) {
            group->events_fd = group_file(path, "pids.events", O_RDONLY);
            group->members_fd = group_file(path, "cgroup.procs", O_WRONLY);
        }
        if (group->members_fd >= 0)
            return;
        sandbox_group_close(group);
    }
    path[0] = '\0';
}

bool sandbox_group_refused(const struct sandbox_group *group)
{
    char text[64] = "";
    unsigned times;
    return group->events_fd >= 0 && pread(group->events_fd, text, sizeof text - 1, 0) > 0 &&
           sscanf(text, "max %u", &times) == 1 && times > 0;
}

void sandbox_group_close(struct sandbox_group *group)
{
    if (group->members_fd >= 0)
        close(group->members_fd);
    if (group->events_fd >= 0)
        close(group->events_fd);
    if (group->path[0])
        rmdir(group->path);
}
