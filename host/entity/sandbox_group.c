/* Control groups that bound a sandbox's tasks and memory. RLIMIT_NPROC does not bind root
 * (setrlimit(2)). Counting processes at intervals is too slow for a fork bomb. The kernel counts
 * memory completely.
 *
 * * Both layouts are tried: one hierarchy for each controller, and one for all. A sandbox's group
 * is made below our own group, or below the nearest group above ours that allows one: that group's
 * limits hold for the sandbox, too. In the second layout a group with processes of its own allows
 * none. A user can make groups where systemd delegates them. See cgroups(7). */
#include "entity/sandbox_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME       "boothlink-"
#define BUSY_TRIES 100 /* tries to remove a group: its last process may still be ending */
#define BUSY_NS    10000000

/* The hierarchies' names in /proc/self/cgroup, and their mount points. */
static const struct {
    const char *name, *root;
} hierarchies[SANDBOX_GROUPS] = {
    {"pids", "/sys/fs/cgroup/pids"}, {"memory", "/sys/fs/cgroup/memory"}, {"", "/sys/fs/cgroup"}};

/* The number of our namespace of processes. Machines in containers may share a hierarchy. */
static unsigned long long numbers(void)
{
    struct stat found;
    return stat("/proc/self/ns/pid", &found) == 0 ? (unsigned long long)found.st_ino : 0;
}

/* Removes the groups of our killed processes. The kernel keeps a group with a process. */
static void old_remove(int parent)
{
    unsigned long long ours = numbers();
    int fd = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *found;
    if (!folder && fd >= 0)
        close(fd);
    while (folder && (found = readdir(folder))) {
        unsigned long long theirs;
        int pid;
        if (sscanf(found->d_name, NAME "%d-%*u-%llu", &pid, &theirs) == 2 && pid > 0 &&
            theirs == ours && kill(pid, 0) < 0 && errno == ESRCH)
            unlinkat(fd, found->d_name, AT_REMOVEDIR);
    }
    if (folder)
        closedir(folder);
}

/* Finds the folder of our own group in a hierarchy; if our group is not known, the hierarchy's
 * root. */
static void own_group(size_t which, char path[PATH_MAX])
{
    char line[PATH_MAX], names[128];
    FILE *file = fopen("/proc/self/cgroup", "re");
    int at;
    snprintf(path, PATH_MAX, "%s", hierarchies[which].root);
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        names[0] = '\0';
        if ((sscanf(line, "%*u:%127[^:]:%n", names, &at) == 1 ||
             (at = 0, sscanf(line, "%*u::%n", &at), at > 0)) &&
            strcmp(names, hierarchies[which].name) == 0) {
            snprintf(path + strlen(path), PATH_MAX - strlen(path), "%s", line + at);
            break;
        }
    }
    if (file)
        fclose(file);
}

static bool value_write(int folder, const char *name, uint64_t value)
{
    char text[24];
    int fd = openat(folder, name, O_WRONLY | O_CLOEXEC);
    int length = snprintf(text, sizeof text, "%" PRIu64, value);
    bool good = fd >= 0 && write(fd, text, (size_t)length) == length;
    if (fd >= 0)
        close(fd);
    return good;
}

/* Reads the value in the line that begins with `key`. */
static bool value_read(int fd, const char *key, uint64_t *value)
{
    char text[8192];
    size_t length = strlen(key);
    ssize_t n = fd >= 0 ? pread(fd, text, sizeof text - 1, 0) : -1;
    text[n > 0 ? n : 0] = '\0';
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, key, length) == 0 && line[length] == ' ')
            return sscanf(line + length, " %" SCNu64, value) == 1;
    return false;
}

/* Sets the limit without swap, which would make a program slow. */
static bool memory_limit(int folder, uint64_t bytes)
{
    if (value_write(folder, "memory.max", bytes)) {
        value_write(folder, "memory.swap.max", 0);
        return true;
    }
    if (!value_write(folder, "memory.limit_in_bytes", bytes))
        return false;
    value_write(folder, "memory.memsw.limit_in_bytes", bytes);
    return true;
}

static bool limits_set(struct sandbox_group *group, int folder, unsigned tasks, unsigned memory_mib)
{
    bool bounds = false;
    if (value_write(folder, "pids.max", tasks)) {
        group->refusals = openat(folder, "pids.events", O_RDONLY | O_CLOEXEC);
        bounds = true;
    }
    if (memory_limit(folder, (uint64_t)memory_mib << 20)) {
        group->kills = openat(folder, "memory.events", O_RDONLY | O_CLOEXEC);
        if (group->kills < 0)
            group->kills = openat(folder, "memory.oom_control", O_RDONLY | O_CLOEXEC);
        group->memory = openat(folder, "memory.stat", O_RDONLY | O_CLOEXEC);
        bounds = true;
    }
    return bounds;
}

/* Makes a group below `path`. False: the group cannot be made or joined, or sets no limit. */
static bool group_make(struct sandbox_group *group, size_t which, const char *path, unsigned tasks,
                       unsigned memory_mib)
{
    int folder = -1, parent = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0)
        return false;
    if (faccessat(parent, "cgroup.procs", W_OK, AT_EACCESS) == 0) {
        old_remove(parent);
        unlinkat(parent, group->name, AT_REMOVEDIR); /* an old group of another process with our
                                                      * number */
        if (mkdirat(parent, group->name, 0755) == 0)
            folder = openat(parent, group->name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
    if (folder >= 0 && limits_set(group, folder, tasks, memory_mib))
        group->members[which] = openat(folder, "cgroup.procs", O_WRONLY | O_CLOEXEC);
    if (folder >= 0)
        close(folder);
    if (group->members[which] >= 0) {
        group->parent[which] = parent;
        return true;
    }
    if (folder >= 0)
        unlinkat(parent, group->name, AT_REMOVEDIR);
    close(parent);
    return false;
}

void sandbox_group_open(struct sandbox_group *group, unsigned tasks, unsigned memory_mib)
{
    static atomic_uint count;
    char path[PATH_MAX];
    bool made = false;
    *group = SANDBOX_GROUP_NONE;
    snprintf(group->name, sizeof group->name, NAME "%d-%u-%llu", (int)getpid(),
             atomic_fetch_add(&count, 1), numbers());
    for (size_t i = 0; i < SANDBOX_GROUPS; i++) {
        size_t root = strlen(hierarchies[i].root);
        if (!hierarchies[i].name[0] && made)
            return; /* the controllers are in the first layout */
        own_group(i, path);
        while (!group_make(group, i, path, tasks, memory_mib) && strlen(path) > root)
            *strrchr(path, '/') = '\0';
        made = made || group->members[i] >= 0;
    }
}

bool sandbox_group_join(const struct sandbox_group *group)
{
    for (size_t i = 0; i < SANDBOX_GROUPS; i++)
        if (group->members[i] >= 0 && write(group->members[i], "0", 1) != 1)
            return false;
    return true;
}

bool sandbox_group_refused(const struct sandbox_group *group)
{
    uint64_t times;
    return value_read(group->refusals, "max", &times) && times > 0;
}

bool sandbox_group_killed(const struct sandbox_group *group)
{
    uint64_t times, limit = 1;
    /* "oom" counts the group's own limit. A kernel with this count tells it from the machine's want
     * of memory. */
    value_read(group->kills, "oom", &limit);
    return limit > 0 && value_read(group->kills, "oom_kill", &times) && times > 0;
}

bool sandbox_group_memory(const struct sandbox_group *group, struct sandbox_memory *memory)
{
    uint64_t own, shared;
    if (!(value_read(group->memory, "anon", &own) && value_read(group->memory, "shmem", &shared)) &&
        !(value_read(group->memory, "total_rss", &own) &&
          value_read(group->memory, "total_shmem", &shared)))
        return false;
    *memory = (struct sandbox_memory){.own = own, .shared = shared};
    return true;
}

void sandbox_group_remove(const struct sandbox_group *group)
{
    for (size_t i = 0; i < SANDBOX_GROUPS; i++)
        for (unsigned n = 0;
             n < BUSY_TRIES && group->parent[i] >= 0 &&
             unlinkat(group->parent[i], group->name, AT_REMOVEDIR) < 0 && errno == EBUSY;
             n++)
            nanosleep(&(struct timespec){.tv_nsec = BUSY_NS}, NULL);
}

void sandbox_group_close(struct sandbox_group *group)
{
    const int events[] = {group->refusals, group->kills, group->memory};
    sandbox_group_remove(group);
    for (size_t i = 0; i < SANDBOX_GROUPS; i++) {
        if (group->members[i] >= 0)
            close(group->members[i]);
        if (group->parent[i] >= 0)
            close(group->parent[i]);
    }
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (events[i] >= 0)
            close(events[i]);
    *group = SANDBOX_GROUP_NONE;
}
