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

static bool most_write(const char *group, unsigned tasks)
{
    char path[SANDBOX_GROUP + 16], text[16];
    int fd, length = snprintf(text, sizeof text, "%u", tasks);
    bool good;
    snprintf(path, sizeof path, "%s/pids.max", group);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    good = fd >= 0 && write(fd, text, (size_t)length) == length;
    if (fd >= 0)
        close(fd);
    return good;
}

int sandbox_group_open(unsigned tasks, char group[SANDBOX_GROUP])
{
    static atomic_uint count;
    char path[SANDBOX_GROUP + 16];
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        int fd = -1;
        old_remove(roots[i]);
        snprintf(group, SANDBOX_GROUP, "%s/" NAME "%d-%u", roots[i], (int)getpid(),
                 atomic_fetch_add(&count, 1));
        if (mkdir(group, 0755))
            continue;
        snprintf(path, sizeof path, "%s/cgroup.procs", group);
        if (most_write(group, tasks))
            fd = open(path, O_WRONLY | O_CLOEXEC);
        if (fd >= 0)
            return fd;
        rmdir(group);
    }
    group[0] = '\0';
    return -1;
}

void sandbox_group_close(const char *group)
{
    if (group[0])
        rmdir(group);
}
