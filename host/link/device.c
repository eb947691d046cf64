#include "link/device.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { NAME_ROOM = 64, GROUPS = 128 };

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool read_line(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    bool good = file && fgets(text, (int)size, file);
    if (file)
        fclose(file);
    if (!good)
        return false;
    text[strcspn(text, "\n")] = 0;
    return text[0] != 0;
}

static void add_holder(long pid, char *text, size_t size)
{
    char path[NAME_ROOM];
    char name[NAME_ROOM];
    size_t length = strlen(text);
    snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    if (!read_line(path, name, sizeof name))
        snprintf(name, sizeof name, "a program");
    snprintf(text + length, size - length, "%s%s (pid %ld)", length ? ", " : "", name, pid);
}

/* True for a pseudo-terminal. Its number does not identify it, since each devpts numbers from 0.
 * Majors: Documentation/admin-guide/devices.txt. */
static bool is_pty(const struct stat *device)
{
    return major(device->st_rdev) >= 136 && major(device->st_rdev) <= 143;
}

static bool is_same(const struct stat *device, const struct stat *other)
{
    return S_ISCHR(other->st_mode) && other->st_rdev == device->st_rdev &&
           (!is_pty(device) || other->st_dev == device->st_dev);
}

static bool has_open(long pid, const struct stat *device)
{
    char name[NAME_ROOM];
    bool found = false;
    struct dirent *listed;
    snprintf(name, sizeof name, "/proc/%ld/fd", pid);
    DIR *dir = opendir(name);
    while (dir && !found && (listed = readdir(dir))) {
        char target[PATH_MAX];
        struct stat other;
        ssize_t n = readlinkat(dirfd(dir), listed->d_name, target, sizeof target);
        found = n > 5 && memcmp(target, "/dev/", 5) == 0 &&
                fstatat(dirfd(dir), listed->d_name, &other, 0) == 0 && is_same(device, &other);
    }
    if (dir)
        closedir(dir);
    return found;
}

/* True if the device is the controlling terminal of the process, as for a login. Another user's
 * open files are hidden; the terminal is not (proc(5), /proc/pid/stat, tty_nr). */
static bool has_as_terminal(long pid, const struct stat *device)
{
    char path[NAME_ROOM];
    char line[512];
    const char *end;
    int terminal = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    if (is_pty(device) || !read_line(path, line, sizeof line) || !(end = strrchr(line, ')')) ||
        sscanf(end, ") %*c %*d %*d %*d %d", &terminal) != 1)
        return false;
    return terminal && major(device->st_rdev) == ((unsigned)terminal >> 8 & 0xFFF) &&
           minor(device->st_rdev) ==
               (((unsigned)terminal & 0xFF) | ((unsigned)terminal >> 12 & 0xFFF00));
}

/* The living process named by a lock file, if it is another process; otherwise 0. Format of the
 * Filesystem Hierarchy Standard 3.0, 5.9: the number in decimal. */
static long lock_file_pid(const char *path)
{
    char name[NAME_ROOM + NAME_MAX];
    char line[NAME_ROOM];
    long pid;
    snprintf(name, sizeof name, "/var/lock/LCK..%s", base_name(path));
    if (!read_line(name, line, sizeof line))
        return 0;
    pid = strtol(line, NULL, 10);
    if (pid <= 0 || pid == getpid() || (kill((pid_t)pid, 0) < 0 && errno == ESRCH))
        return 0;
    return pid;
}

bool device_locked(const char *path)
{
    return lock_file_pid(path) != 0;
}

bool device_holders(const char *path, char *text, size_t size)
{
    long locker = lock_file_pid(path);
    DIR *proc = opendir("/proc");
    struct dirent *listed;
    struct stat device;
    bool there = stat(path, &device) == 0;
    text[0] = 0;
    if (locker)
        add_holder(locker, text, size);
    while (proc && (listed = readdir(proc))) {
        long pid = isdigit((unsigned char)listed->d_name[0]) ? strtol(listed->d_name, NULL, 10) : 0;
        if (there && pid && pid != getpid() && pid != locker &&
            (has_open(pid, &device) || has_as_terminal(pid, &device)))
            add_holder(pid, text, size);
    }
    if (proc)
        closedir(proc);
    return text[0] != 0;
}

bool device_is_ours(const char *path)
{
    struct stat device;
    return stat(path, &device) == 0 && has_open(getpid(), &device);
}

enum bl_status device_busy(const char *path, struct bl_diag *diag)
{
    char holders[160];
    if (device_holders(path, holders, sizeof holders))
        return bl_fail(diag, BL_BUSY, "%s is held by %s: end that first", path, holders);
    return bl_fail(diag, BL_BUSY,
                   "%s is held by another user's program: `sudo fuser -v %s` names it", path, path);
}

static void user_name(char *text, size_t size)
{
    const struct passwd *user = getpwuid(geteuid());
    if (user)
        snprintf(text, size, "%s", user->pw_name);
    else
        snprintf(text, size, "%u", (unsigned)geteuid());
}

static void group_name(gid_t gid, char *text, size_t size)
{
    const struct group *group = getgrgid(gid);
    if (group)
        snprintf(text, size, "%s", group->gr_name);
    else
        snprintf(text, size, "%u", (unsigned)gid);
}

/* True if the user is in the group by now. A process that started earlier is not. */
static bool was_added(const char *user, gid_t gid)
{
    gid_t groups[GROUPS];
    int count = GROUPS;
    if (getgrouplist(user, getegid(), groups, &count) < 0)
        return false;
    for (int i = 0; i < count; i++)
        if (groups[i] == gid)
            return true;
    return false;
}

enum bl_status device_denied(const char *path, struct bl_diag *diag)
{
    struct stat status;
    char user[NAME_ROOM];
    char group[NAME_ROOM];
    user_name(user, sizeof user);
    if (stat(path, &status) < 0)
        return bl_fail(diag, BL_NOPERM, "no permission to look at %s", path);
    group_name(status.st_gid, group, sizeof group);
    if ((status.st_mode & 0060) != 0060 || status.st_gid == 0)
        return bl_fail(diag, BL_NOPERM,
                       "no permission for %s: only root may open it; a udev rule should give it to "
                       "group dialout",
                       path);
    if (was_added(user, status.st_gid))
        return bl_fail(diag, BL_NOPERM,
                       "no permission for %s yet: %s is in group %s only since the last login; log "
                       "out and in again",
                       path, user, group);
    return bl_fail(
        diag, BL_NOPERM,
        "no permission for %s: add yourself to group %s: sudo adduser %s %s, then log in "
        "again",
        path, group, user, group);
}

bool device_group(const char *path, char *text, size_t size)
{
    struct stat status;
    if (stat(path, &status) < 0)
        return false;
    group_name(status.st_gid, text, size);
    return true;
}

/* Finds an attribute's file: a UART's is with the tty, an adapter's with the tty's device. */
static bool attribute_path(const char *path, const char *name, char *out, size_t size)
{
    static const char *const places[] = {"", "device/"};
    for (unsigned i = 0; i < 2; i++) {
        snprintf(out, size, "/sys/class/tty/%s/%s%s", base_name(path), places[i], name);
        if (access(out, F_OK) == 0)
            return true;
    }
    return false;
}

int device_attribute(const char *path, const char *name)
{
    char file[PATH_MAX];
    char line[NAME_ROOM];
    if (!attribute_path(path, name, file, sizeof file) || !read_line(file, line, sizeof line))
        return -1;
    return (int)strtol(line, NULL, 10);
}

static void set_to_one(const char *path, const char *name)
{
    char file[PATH_MAX];
    if (!attribute_path(path, name, file, sizeof file))
        return;
    int fd = open(file, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t n = write(fd, "1", 1);
    (void)n;
    close(fd);
}

void device_hurry(const char *path)
{
    set_to_one(path, "latency_timer");
    set_to_one(path, "rx_trig_bytes");
}

bool device_driver(const char *path, char *text, size_t size)
{
    char file[PATH_MAX];
    char target[PATH_MAX];
    snprintf(file, sizeof file, "/sys/class/tty/%s/device/driver", base_name(path));
    ssize_t n = readlink(file, target, sizeof target - 1);
    if (n <= 0)
        return false;
    target[n] = 0;
    snprintf(text, size, "%s", base_name(target));
    return true;
}
